"""Stretches of lines and cells: what is hidden of them, where a move to the edge of the data ends."""

from __future__ import annotations

from collections.abc import Iterable


def hidden(first: int, last: int, visible: Iterable[tuple[int, int]]) -> bool | None:
    """Return whether lines are hidden, given the visible stretches; None when some are and some are not."""
    seen = {line for start, end in visible for line in range(max(start, first), min(end, last) + 1)}
    return False if len(seen) == last - first + 1 else None if seen else True


def stretch_end(filled: list[bool], place: int, step: int, limit: int) -> int:
    """Return the 1-based place where a move from a 0-based ``place`` ends."""

    def is_filled(index: int) -> bool:
        return 0 <= index < len(filled) and filled[index]

    index = place + step
    if is_filled(place) and is_filled(index):
        while is_filled(index + step):
            index += step
        return index + 1
    while 0 <= index < len(filled) and not filled[index]:
        index += step
    if 0 <= index < len(filled):
        return index + 1
    return 1 if step < 0 else limit
