"""Agreement seen from other sides: reader by reader, and on all criteria at once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from lark_sheets.core.agreement.summary import Agreement, agreement_of
from lark_sheets.core.agreement.tables import CountTable
from lark_sheets.core.intervals import Interval, wilson


class AllCriteria(NamedTuple):
    """Items on which two or more readers gave complete grades, and those graded alike on every criterion."""

    equal: int
    n: int
    interval: Interval | None


def pairwise(
    table: CountTable, *, ordinal: bool, persons: bool = True, confidence: float = 0.95
) -> dict[tuple[str, str], Agreement]:
    """Agreement of every two persons on the items they share; pairs without a shared item are there, undefined.

    Kappa describes two persons: it is never averaged over pairs, and positions ("first reading") have none.
    """
    return {
        pair: agreement_of(
            table.keep(pair), ordinal=ordinal, persons=persons, shared_only=True, confidence=confidence
        )
        for pair in table.pairs()
    }


def on_all_criteria(
    readings: Sequence[Mapping[str, Mapping[str, Hashable | None]]],
    criteria: Sequence[str],
    confidence: float = 0.95,
) -> AllCriteria:
    """Count the items on which all readings are the same on all criteria.

    No kappa: several criteria of one item are not independent items.

    Args:
        readings: for each item, each reader's level on each criterion.
        criteria: all of them; a reading that lacks one is left out.
        confidence: of the interval.
    """
    complete = [
        [levels for levels in item.values() if all(levels.get(name) is not None for name in criteria)]
        for item in readings
    ]
    shared = [item for item in complete if len(item) >= 2]
    equal = sum(all(len({levels[name] for levels in item}) == 1 for name in criteria) for item in shared)
    return AllCriteria(equal, len(shared), wilson(equal, len(shared), confidence))
