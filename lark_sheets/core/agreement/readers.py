"""Who the readers are: part of every statement on agreement."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

MAKERS = {
    "anthropic": ("anthropic", "claude"),
    "google": ("google", "gemini", "gemma", "palm"),
    "openai": ("openai", "gpt", "chatgpt"),
    "mistral": ("mistral", "mistralai", "mixtral", "ministral", "magistral"),
    "meta": ("meta", "llama"),
    "alibaba": ("alibaba", "qwen"),
}
"""Names by which a maker's models go. A model that fits none is compared by its own first word."""


class ReaderKind(StrEnum):
    """What a reader is. A model that grades answers of its own family is no independent reader."""

    PERSON = "person"
    MODEL = "model"
    MODEL_OF_CANDIDATE_FAMILY = "model_of_candidate_family"
    POSITION = "position"


def reader_kind(model: str, candidates: Iterable[str] = (), *, person: bool = True) -> ReaderKind:
    """Say what a reader is.

    Args:
        model: name or family of the model that reads, "" for a person.
        candidates: names of the runs graded (known after the reveal only).
        person: False when the reader is a position ("first reading") that several people may have filled.
    """
    if not person:
        return ReaderKind.POSITION
    if not model.strip():
        return ReaderKind.PERSON
    own = family(model)
    same = any(family(candidate) == own for candidate in candidates)
    return ReaderKind.MODEL_OF_CANDIDATE_FAMILY if same else ReaderKind.MODEL


def family(name: str) -> str:
    """Maker behind a model's name ("Claude Haiku 5.5" -> "anthropic"), else its first word in lower case."""
    words = re.findall(r"[^\W\d_]+", name.casefold())
    for maker, names in MAKERS.items():
        if any(word in names for word in words):
            return maker
    return words[0] if words else name.casefold().strip()
