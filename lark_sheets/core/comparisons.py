"""Which runs cannot be told apart: all pairs tested on the same tickets, adjusted together; groups instead of ranks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from lark_sheets.core.agreement.states import State
from lark_sheets.core.intervals import Interval
from lark_sheets.core.paired import holm, mcnemar, paired_difference, permutation
from lark_sheets.core.resampling import DRAWS, resample_mean

LEVEL = 0.05

Flags = Mapping[Hashable, bool | None]
Totals = Mapping[Hashable, int | Fraction | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairComparison:
    """Two runs on the tickets for which both have a value.

    `difference` is the first run's mean minus the second's: a share for readiness, points for totals. `interval` bounds
    this one difference (95 %, not adjusted for the number of pairs). `better_first` and `better_second` count the tickets
    that separate the two. `adjusted` is Holm's p-value over all pairs; `at_most` tells that p is an upper bound.
    """

    first: str
    second: str
    n: int
    better_first: int
    better_second: int
    difference: Fraction | None
    interval: Interval | None
    p: float | None
    adjusted: float | None
    at_most: bool
    state: State

    @property
    def told_apart(self) -> bool:
        """Whether the two differ by more than chance; an undefined test never tells apart."""
        return self.adjusted is not None and self.adjusted < LEVEL


@dataclass(frozen=True, slots=True)
class Family:
    """All pairs of runs on one measure; `means` are each run's own, over all its tickets with a value."""

    runs: tuple[str, ...]
    means: Mapping[str, Fraction | None]
    pairs: tuple[PairComparison, ...]

    @property
    def undefined(self) -> int:
        """Tests without a p-value; they stay in the family that Holm adjusts for."""
        return sum(pair.p is None for pair in self.pairs)

    def told_apart(self, first: str, second: str) -> bool:
        """Whether two runs differ by more than chance, in either order."""
        return any({pair.first, pair.second} == {first, second} and pair.told_apart for pair in self.pairs)

    def alike(self, run: str) -> tuple[str, ...]:
        """The runs that cannot be told apart from this one, itself among them."""
        return tuple(other for other in self.runs if not self.told_apart(run, other))

    @property
    def leading(self) -> tuple[str, ...]:
        """The best run (all of them when equal) and every run that cannot be told apart from a best one."""
        known = {run: mean for run, mean in self.means.items() if mean is not None}
        if not known:
            return ()
        top = max(known.values())
        best = {run for run, mean in known.items() if mean == top}
        return tuple(run for run in self.runs if any(run in self.alike(other) for other in best))

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The largest sets of runs of which no two can be told apart. A run may stand in several: these are no ranks."""
        return _largest_groups(self.runs, self.alike)


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Runs compared on readiness and on totals: two questions, each with its own family of tests."""

    ready: Family | None
    total: Family | None


def compare_runs(
    ready: Mapping[str, Flags],
    totals: Mapping[str, Totals],
    *,
    draws: int = DRAWS,
    seed: int = 0,
    confidence: float = 0.95,
) -> Comparisons:
    """Compare every two runs on the tickets that both have graded.

    Args:
        ready: for each run and ticket whether the answer is ready; None or absent when it has no outcome.
        totals: for each run and ticket the points; None or absent when incomplete.
        draws: samples of tickets for the interval of a mean difference.
        seed: of these draws.
        confidence: of the intervals of the differences.

    Returns:
        Both families; None for a measure that no run has.
    """

    def on_ready(first: Sequence[int | Fraction], second: Sequence[int | Fraction]) -> _Test:
        ups, downs = _ups_and_downs(first, second)
        both = sum(1 for one, two in zip(first, second, strict=True) if one and two)
        neither = len(first) - both - ups - downs
        return _Test(mcnemar(ups, downs), paired_difference(both, ups, downs, neither, confidence))

    def on_totals(first: Sequence[int | Fraction], second: Sequence[int | Fraction]) -> _Test:
        gaps = [one - two for one, two in zip(first, second, strict=True)]
        test = permutation(gaps, seed)
        # Differences that are all alike would give an interval without width, as if nothing were uncertain.
        interval = (
            resample_mean(gaps, [1] * len(gaps), draws=draws, seed=seed, confidence=confidence).interval
            if len(set(gaps)) > 1
            else None
        )
        return _Test(test.p if test else None, interval, at_most=bool(test and not test.exact))

    flags = {
        run: {item: int(flag) for item, flag in of.items() if flag is not None} for run, of in ready.items()
    }
    points = {
        run: {item: total for item, total in of.items() if total is not None} for run, of in totals.items()
    }
    return Comparisons(_family(flags, on_ready), _family(points, on_totals))


@dataclass(frozen=True, slots=True)
class _Test:
    p: float | None
    interval: Interval | None
    at_most: bool = False


Values = Mapping[str, Mapping[Hashable, int | Fraction]]


def _family(
    values: Values, test: Callable[[Sequence[int | Fraction], Sequence[int | Fraction]], _Test]
) -> Family | None:
    if not any(values.values()):
        return None
    found = []
    for first, second in combinations(values, 2):
        shared = [item for item in values[first] if item in values[second]]
        ones, twos = [values[first][item] for item in shared], [values[second][item] for item in shared]
        found.append((first, second, ones, twos, test(ones, twos) if shared else _Test(None, None)))
    adjusted = holm([outcome.p for *_, outcome in found])
    pairs = []
    for (first, second, ones, twos, outcome), p in zip(found, adjusted, strict=True):
        ups, downs = _ups_and_downs(ones, twos)
        pairs.append(
            PairComparison(
                first=first,
                second=second,
                n=len(ones),
                better_first=ups,
                better_second=downs,
                difference=Fraction(sum(ones) - sum(twos), len(ones)) if ones else None,
                interval=outcome.interval,
                p=outcome.p,
                adjusted=p,
                at_most=outcome.at_most,
                state=State.DEFINED if ones else State.NO_SHARED_ITEMS,
            )
        )
    means = {run: Fraction(sum(of.values()), len(of)) if of else None for run, of in values.items()}
    return Family(tuple(values), means, tuple(pairs))


def _ups_and_downs(first: Iterable[int | Fraction], second: Iterable[int | Fraction]) -> tuple[int, int]:
    pairs = list(zip(first, second, strict=True))
    return sum(one > two for one, two in pairs), sum(one < two for one, two in pairs)


def _largest_groups(
    runs: Sequence[str], alike: Callable[[str], tuple[str, ...]]
) -> tuple[tuple[str, ...], ...]:
    """Maximal cliques of "cannot be told apart" (C. Bron and J. Kerbosch, CACM 16 (1973) 575-577)."""
    near = {run: set(alike(run)) - {run} for run in runs}
    groups: list[set[str]] = []

    def extend(group: set[str], candidates: set[str], done: set[str]) -> None:
        if not candidates and not done:
            groups.append(group)
            return
        pivot = max(candidates | done, key=lambda run: (len(near[run] & candidates), run))
        for run in sorted(candidates - near[pivot]):
            extend(group | {run}, candidates & near[run], done & near[run])
            candidates = candidates - {run}
            done = done | {run}

    extend(set(), set(runs), set())
    ordered = [tuple(run for run in runs if run in group) for group in groups if group]
    return tuple(sorted(ordered, key=lambda group: [runs.index(run) for run in group]))
