"""A campaign's runs compared pair by pair on the same tickets, by the owners' grades."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from lark_sheets.core.campaign import Campaign
from lark_sheets.core.comparisons import Comparisons, Family, compare_runs
from lark_sheets.core.results import UNSTRATIFIED, ReadingResult, RunSummary

Value = TypeVar("Value")


def compare_readings(readings: Sequence[ReadingResult], runs: Sequence[str]) -> Comparisons:
    """Compare every two runs on ready responses and on totals; readings without a run's name count for none."""
    return compare_runs(
        _by_run(readings, runs, lambda reading: reading.ready),
        _by_run(readings, runs, lambda reading: reading.total),
    )


def compare_labels(
    campaign: Campaign, readings: Sequence[ReadingResult], runs: Sequence[RunSummary]
) -> dict[str, Family]:
    """Compare every two runs that may be ranked on the main label, stratum by stratum: strata are never added together."""
    rubric = campaign.rubric
    category = next((c.id for c in rubric.criteria if c.is_category), None)
    ranked = [run.run for run in runs if run.ranked]
    if not rubric.main_label or category is None or len(ranked) < 2:
        return {}
    strata = {item.id: item.stratum or UNSTRATIFIED for item in campaign.items}
    found: dict[str, Family] = {}
    for stratum in dict.fromkeys(strata.values()):
        inside = [r for r in readings if strata[r.item] == stratum and not r.stale]
        flags = _by_run(
            inside,
            ranked,
            lambda reading: (
                None if reading.scores[category] is None else reading.scores[category] == rubric.main_label
            ),
        )
        family = compare_runs(flags, {}).ready
        if family is not None:
            found[stratum] = family
    return found


def _by_run(
    readings: Sequence[ReadingResult], runs: Sequence[str], value: Callable[[ReadingResult], Value]
) -> Mapping[str, Mapping[Hashable, Value]]:
    """Return a value of the owners' readings by run and ticket."""
    table: dict[str, dict[Hashable, Value]] = {run: {} for run in runs}
    for reading in readings:
        if reading.owner and reading.run in table:
            table[reading.run][reading.item] = value(reading)
    return table
