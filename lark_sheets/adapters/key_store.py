"""API keys in the system's own key store (Windows Credential Manager, macOS Keychain, Secret Service), never in a file of ours."""

from __future__ import annotations

import importlib
from typing import Any

from lark_sheets.core.problems import problem
from lark_sheets.errors import MissingPiece

_NAME = "Lark Sheets"
"""Under this name the keys stand in the store, the provider being the user."""


def stored_key(provider: str) -> str:
    """Return the key kept for a provider, "" where there is none or no store that answers."""
    try:
        return str(_library().get_password(_NAME, provider) or "")
    except Exception:  # noqa: BLE001  (a store that does not answer holds no key; what asks for one tells it)
        return ""


def store_key(provider: str, key: str) -> None:
    """Keep a key for a provider. Raises :class:`MissingPiece` where the system has no key store that takes it."""
    try:
        _library().set_password(_NAME, provider, key)
    except MissingPiece:
        raise
    except Exception as fault:
        raise MissingPiece(problem("no_key_store", found=type(fault).__name__)) from fault


def forget_key(provider: str) -> bool:
    """Remove the key of a provider; say whether there was one. Raises :class:`MissingPiece` where there is no key store."""
    if not stored_key(provider):
        return False
    try:
        _library().delete_password(_NAME, provider)
    except Exception as fault:
        raise MissingPiece(problem("no_key_store", found=type(fault).__name__)) from fault
    return True


def _library() -> Any:
    """Return the library; it is loaded when first needed, and may be absent where nobody uses a judge."""
    try:
        return importlib.import_module("keyring")
    except ImportError as fault:
        raise MissingPiece(problem("no_key_store", found="keyring")) from fault
