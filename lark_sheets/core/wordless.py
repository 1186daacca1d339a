"""What was told of a judge without anyone's words: for files that leave where outputs may not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

WORDS = frozenset(
    {"strengths", "weaknesses", "reasoning", "remarks", "finding", "evidence", "human_reason", "judge_reason"}
)
"""Keys under which people's or a judge's own sentences stand; they may quote the output they speak of."""


def without_words(plain: Any) -> Any:
    """Return plain JSON data without any value that holds somebody's sentences; figures, ids and labels stay."""
    if isinstance(plain, Mapping):
        return {key: without_words(value) for key, value in plain.items() if key not in WORDS}
    if isinstance(plain, Sequence) and not isinstance(plain, str):
        return [without_words(value) for value in plain]
    return plain
