"""Which runs can be told apart: exact paired tests on the same tickets, adjusted over all pairs. Nothing is ranked.

Ready responses are compared with McNemar's exact test, totals (rubrics without an outcome) with the exact permutation
of signs; p-values are adjusted by Holm over every pair. Two runs are told apart when the adjusted p is below 0.05.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from lark_sheets.core.paired import holm, mcnemar, permutation
from lark_sheets.core.results import Results

LEVEL = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two runs on the tickets that both have graded: what separates them, and the adjusted p-value (None: nothing shared)."""

    first: str
    second: str
    tickets: int
    only_first: int
    only_second: int
    p: float | None
    adjusted: float | None

    @property
    def apart(self) -> bool:
        """Say whether the two can be told apart."""
        return self.adjusted is not None and self.adjusted < LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The runs at the top (the best and all that cannot be told apart from it) and those behind, each in the campaign's order."""

    top: tuple[str, ...]
    behind: tuple[str, ...]
    pairs: tuple[Pairing, ...]

    def pair(self, one: str, other: str) -> Pairing | None:
        """Return the pairing of two runs, in whichever order."""
        return next((p for p in self.pairs if {p.first, p.second} == {one, other}), None)


def standing(results: Results) -> Standing:
    """Compare every pair of runs of the results; a run is behind when it is told apart from every best run."""
    decided = bool(results.rubric.favourable)
    values = _values(results, decided=decided)
    runs = [run.run for run in results.runs]
    raw = []
    for first, second in combinations(runs, 2):
        shared = [item for item in values[first] if item in values[second]]
        gaps = [values[first][item] - values[second][item] for item in shared]
        up, down = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
        raw.append((first, second, len(shared), up, down, _p(gaps, up, down, decided=decided)))
    adjusted = holm([row[5] for row in raw])
    pairs = tuple(
        Pairing(first=f, second=s, tickets=n, only_first=u, only_second=d, p=p, adjusted=a)
        for (f, s, n, u, d, p), a in zip(raw, adjusted, strict=True)
    )
    shares = {run: _mean(list(values[run].values())) for run in runs}
    known = [share for share in shares.values() if share is not None]
    best = [run for run in runs if known and shares[run] == max(known)]
    found = Standing(top=(), behind=(), pairs=pairs)
    behind = tuple(
        run for run in runs if run not in best and best and all(_apart(found, run, b) for b in best)
    )
    return Standing(top=tuple(run for run in runs if run not in behind), behind=behind, pairs=pairs)


def _values(results: Results, *, decided: bool) -> Mapping[str, dict[str, int]]:
    """Return run -> ticket -> 1 or 0 for ready, or the total; only what has been graded."""
    values: dict[str, dict[str, int]] = {run.run: {} for run in results.runs}
    for reading in results.readings:
        value = (None if reading.ready is None else int(reading.ready)) if decided else reading.total
        if reading.owner and reading.run in values and value is not None:
            values[reading.run][reading.item] = value
    return values


def _p(gaps: Sequence[int], up: int, down: int, *, decided: bool) -> float | None:
    if not gaps:
        return None
    if decided:
        return mcnemar(up, down)
    test = permutation(gaps)
    return None if test is None else test.p


def _mean(values: Sequence[int]) -> Fraction | None:
    return Fraction(sum(values), len(values)) if values else None


def _apart(found: Standing, one: str, other: str) -> bool:
    pair = found.pair(one, other)
    return pair is not None and pair.apart
