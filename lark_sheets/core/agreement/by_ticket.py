"""Agreement when several responses answer the same ticket: wider intervals, and intervals for every coefficient."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lark_sheets.core.agreement import coefficients, distances
from lark_sheets.core.agreement.coefficients import Disagreement
from lark_sheets.core.agreement.moments import Matrix, Moments, flatten, sizes_of, square, unflatten
from lark_sheets.core.agreement.notes import NOTABLE_EFFECT
from lark_sheets.core.agreement.summary import Agreement, agreement_of
from lark_sheets.core.agreement.tables import CountTable, count
from lark_sheets.core.intervals import Interval, clustered_share, through_kappa
from lark_sheets.core.resampling import DRAWS, Resampled, resample

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Draws = NDArray[Any]


FEWEST_TICKETS, FEWEST_ITEMS = 24, 96
"""From this sample on, intervals from redrawn tickets hold what they promise (docs/statistics.md); below, none is drawn."""
HOLDING = ("kappa_linear", "fleiss", "alpha_nominal", "alpha_ordinal")
"""Coefficients without another interval for which that is so; of quadratic kappa, AC2 and interval alpha it is too short."""


def draws_for(tickets: int, items: int) -> int:
    """Return how many samples of tickets are worth drawing for a campaign: none where their intervals would be too short."""
    return DRAWS if tickets >= FEWEST_TICKETS and items >= FEWEST_ITEMS else 0


Coefficient = Callable[[Matrix, Moments, Mapping[str, Matrix]], Disagreement]

COEFFICIENTS: Mapping[str, Coefficient] = {
    "kappa": lambda joint, sums, apart: coefficients.cohen(joint, apart["nominal"]),
    "kappa_linear": lambda joint, sums, apart: coefficients.cohen(joint, apart["linear"]),
    "kappa_quadratic": lambda joint, sums, apart: coefficients.cohen(joint, apart["quadratic"]),
    "ac1": lambda joint, sums, apart: coefficients.gwet(sums, apart["nominal"]),
    "ac2_quadratic": lambda joint, sums, apart: coefficients.gwet(sums, apart["quadratic"]),
    "fleiss": lambda joint, sums, apart: coefficients.fleiss(sums, apart["nominal"]),
    "alpha_nominal": lambda joint, sums, apart: coefficients.krippendorff(sums, apart["nominal"]),
    "alpha_ordinal": lambda joint, sums, apart: coefficients.krippendorff(sums, apart["ordinal"]),
    "alpha_interval": lambda joint, sums, apart: coefficients.krippendorff(sums, apart["quadratic"]),
}
"""Every coefficient by the name of its field in `Agreement`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByTicket:
    """Intervals that count tickets rather than responses.

    `design_effect` tells by how much the resemblance of answers to one ticket swells the variance (1: not at all);
    `interval` and `kappa_interval` are Wilson's for the sample that remains. `resampled` holds, for every coefficient that
    is defined, the interval from redrawn tickets, with the number of draws in which it was undefined.
    """

    agreement: Agreement
    tickets: int
    design_effect: float | None
    interval: Interval | None
    kappa_interval: Interval | None
    resampled: Mapping[str, Resampled]

    @property
    def is_notable(self) -> bool:
        """Whether the design effect changes what is read."""
        return self.design_effect is not None and self.design_effect >= NOTABLE_EFFECT


def by_ticket(
    readings: Mapping[Hashable, Mapping[str, Hashable]],
    tickets: Mapping[Hashable, Hashable],
    levels: Sequence[Hashable],
    *,
    ordinal: bool,
    persons: bool = True,
    readers: Sequence[str] | None = None,
    shared_only: bool = False,
    only: Collection[str] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    confidence: float = 0.95,
) -> ByTicket:
    """Measure agreement as `agreement` does, with the ticket of each response known.

    Args:
        readings: for each response the level given by each reader.
        tickets: the ticket of each response.
        levels: the full set of levels in order.
        ordinal: whether the levels have an order.
        persons: False when readers are only positions.
        readers: names in order; by default sorted.
        shared_only: see `agreement`.
        only: the coefficients to draw; by default all.
        draws: samples of tickets to draw; 0 for none.
        seed: of the draws.
        confidence: of the intervals.
    """
    names = readers or sorted({reader for reading in readings.values() for reader in reading}, key=str)
    of_ticket: dict[Hashable, list[Mapping[str, Hashable]]] = {}
    for response, reading in readings.items():
        of_ticket.setdefault(tickets[response], []).append(reading)
    tables = [count(group, levels, names) for group in of_ticket.values()]
    if shared_only:
        tables = [table.shared_only() for table in tables]
    tables = [table for table in tables if table.items]
    whole = count(readings, levels, names)
    found = agreement_of(
        whole, ordinal=ordinal, persons=persons, shared_only=shared_only, confidence=confidence
    )
    clustered = clustered_share([t.equal for t in tables], [t.shared for t in tables], confidence)
    chance = found.kappa.chance
    return ByTicket(
        agreement=found,
        tickets=sum(1 for table in tables if table.shared),
        design_effect=clustered[1] if clustered else None,
        interval=clustered[0] if clustered else None,
        kappa_interval=through_kappa(clustered[0], chance) if clustered and chance is not None else None,
        resampled=_resampled(tables, found, COEFFICIENTS if only is None else only, draws, seed, confidence),
    )


def _resampled(
    tables: Sequence[CountTable],
    found: Agreement,
    names: Collection[str],
    draws: int,
    seed: int,
    confidence: float,
) -> dict[str, Resampled]:
    """Redraw the tickets for those of the coefficients that the whole sample defines."""
    wanted = [name for name in COEFFICIENTS if name in names and getattr(found, name).defined]
    if not wanted or not draws:
        return {}
    sizes, levels = sizes_of(*tables), found.levels
    cells = len(levels) ** 2 if found.table else 0
    distance = {
        "nominal": _floats(distances.nominal(levels)),
        "linear": _floats(distances.linear(levels)),
        "quadratic": _floats(distances.quadratic(levels)),
    }

    def statistics(columns: Sequence[Draws]) -> dict[str, Draws]:
        joint, sums = square(columns[:cells], len(levels)), unflatten(columns[cells:], len(levels), sizes)
        apart = {**distance, "ordinal": distances.ordinal(coefficients.pairable(sums))}
        return {name: _value(*COEFFICIENTS[name](joint, sums, apart)) for name in wanted}

    rows = [flatten(table, sizes) for table in tables]
    if cells:
        kept = (table.keep(found.reader_names).joint() for table in tables)
        rows = [
            [cell for line in joint for cell in line] + row for joint, row in zip(kept, rows, strict=True)
        ]
    return resample(rows, statistics, draws=draws, seed=seed, confidence=confidence)


def _value(observed: Draws, expected: Draws) -> Draws:
    """1 - observed / expected, NaN where nothing was expected to differ."""
    import numpy as np

    return np.where(np.asarray(expected) > 1e-12, 1 - observed / expected, np.nan)


def _floats(distance: Matrix) -> Matrix:
    return [[float(far) for far in line] for line in distance]
