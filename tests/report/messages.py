"""The messages that a module hands to the translator, read from its source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Message(NamedTuple):
    """A message as gettext knows it."""

    text: str
    plural: str | None = None
    context: str | None = None


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def messages(path: Path) -> Iterator[Message]:
    """Yield what ``translate(...)``, ``translate.count(...)`` and ``translate.short(...)`` are called with."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        function, texts = node.func, [_literal(argument) for argument in node.args]
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        owner = function.value if isinstance(function, ast.Attribute) else None
        owned = getattr(owner, "attr", getattr(owner, "id", "")) == "translate"
        if name == "translate" and texts and texts[0]:
            yield Message(texts[0])
        elif owned and name == "count" and texts[0] and texts[1]:
            yield Message(texts[0], plural=texts[1])
        elif owned and name == "short" and texts[1]:
            yield Message(texts[1], context=texts[0])
