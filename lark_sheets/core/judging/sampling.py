"""A stratified sample of responses: the same seed gives the same sample, and adding rows disturbs little."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import TypeVar

from lark_sheets.core.judging.prompting import JudgeInput
from lark_sheets.core.text import sha256

T = TypeVar("T")


def stratum_of(subject: JudgeInput) -> tuple[str, str, str, str]:
    """Return what a sample of responses is balanced over."""
    return (subject.language, subject.type, subject.difficulty, subject.stratum)


def stratified(
    things: Sequence[T], size: int, *, seed: int, stratum: Callable[[T], Hashable], name: Callable[[T], str]
) -> list[T]:
    """Return ``size`` of the things (all, if there are fewer), each stratum in proportion, in their given order.

    Seats left over go to the strata with the largest remainders. Within a stratum the order is that of a hash of seed
    and name, so that no order of rows and no random generator matters.
    """
    if size >= len(things):
        return list(things)
    groups: dict[Hashable, list[T]] = defaultdict(list)
    for thing in things:
        groups[stratum(thing)].append(thing)
    shares = {key: Fraction(size * len(group), len(things)) for key, group in groups.items()}
    seats = {key: int(share) for key, share in shares.items()}
    left = size - sum(seats.values())
    for key in sorted(shares, key=lambda k: (seats[k] - shares[k], str(k)))[:left]:
        seats[key] += 1
    chosen: set[str] = set()
    for key, group in groups.items():
        drawn = sorted(group, key=lambda thing: sha256(f"{seed}\x1f{name(thing)}"))
        chosen.update(name(thing) for thing in drawn[: seats[key]])
    return [thing for thing in things if name(thing) in chosen]
