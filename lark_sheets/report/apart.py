"""Which runs can be told apart, by the paired tests that results carry. Nothing is ranked."""

from __future__ import annotations

from dataclasses import dataclass

from lark_sheets.core.comparisons import Family, PairComparison
from lark_sheets.core.intervals import Interval
from lark_sheets.core.results import Results


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The runs at the top (the best and all that cannot be told apart from a best one) and those behind, in the campaign's order."""

    top: tuple[str, ...]
    behind: tuple[str, ...]
    pairs: tuple[PairComparison, ...] = ()

    def pair(self, one: str, other: str) -> PairComparison | None:
        """Return the comparison of two runs, in whichever order."""
        return next((p for p in self.pairs if {p.first, p.second} == {one, other}), None)


def standing(results: Results) -> Standing:
    """Compare every pair of runs on ready responses, or on totals where the rubric decides nothing."""
    runs = tuple(run.run for run in results.runs)
    family = _family(results)
    if family is None:
        return Standing(top=runs, behind=())
    top = family.leading or runs
    return Standing(top=top, behind=tuple(run for run in runs if run not in top), pairs=family.pairs)


def score_intervals(results: Results) -> dict[str, Interval | None]:
    """Return, for a rubric that decides nothing, the interval of each run's mean total as a share of the maximum."""
    if results.rubric.favourable or not results.rubric.total_max:
        return {}
    found = {run.run: run.score_interval for run in results.runs}
    return {run: of and Interval(of.low / 10, of.high / 10) for run, of in found.items()}


def _family(results: Results) -> Family | None:
    found = results.comparisons
    if found is None:
        return None
    return found.ready if results.rubric.favourable else found.total
