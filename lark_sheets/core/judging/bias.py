"""Known leanings of judges, measured against people and against itself. Each is a signal to look, none is a verdict.

Own family: Spiliopoulou et al., arXiv 2508.06709 (difference of judge minus people between own family and others). Length:
rank correlation with the excess over people. Order of criteria: one run with the criteria permuted. Steadiness:
"Rating Roulette", Findings of EMNLP 2025 (alpha over the repeats of one judge).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from lark_sheets.core.agreement import Agreement, agreement
from lark_sheets.core.intervals import Interval, wilson
from lark_sheets.core.judging.consensus import Summary
from lark_sheets.core.judging.prompting import JudgeInput
from lark_sheets.core.resampling import resample
from lark_sheets.core.results import Rate
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.scoring import total


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One response graded by people and by the judge, on one scale: totals, or 1 and 0 for the binary outcome.

    ``family`` is that of the model that wrote it, ``length`` its characters.
    """

    item: str
    family: str
    judge: Fraction
    human: Fraction
    length: int

    @property
    def excess(self) -> Fraction:
        """Return how much higher the judge is than people."""
        return self.judge - self.human


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyBias:
    """The judge's mean excess on its own family minus that on others, with an interval from redrawn tickets.

    ``difference`` and ``interval`` are None where one of the two groups is empty or there are too few tickets.
    """

    own: int
    others: int
    difference: Fraction | None
    interval: Interval | None


def compared(
    rubric: Rubric,
    subjects: Sequence[JudgeInput],
    summaries: Sequence[Summary],
    grades: Mapping[str, Mapping[str, Level | None]],
    families: Mapping[str, str],
) -> list[Compared]:
    """Return the responses that both people and judge graded, by total, or by the main label where there is no total.

    ``grades`` are people's, ``families`` the family of the writing model, both by response id. Responses that one side did
    not grade are left out.
    """
    held = {s.id: s for s in summaries}
    label = next((c.id for c in rubric.criteria if c.is_category), "")
    rows = []
    for subject in subjects:
        summary, given = held.get(subject.id), grades.get(subject.id)
        if summary is None or given is None or not summary.scored:
            continue
        judge: Fraction | None
        human: Fraction | None
        if label:
            judge = _flag(summary.levels.get(label), rubric.main_label)
            human = _flag(given.get(label), rubric.main_label)
        else:
            points = total(rubric, given)
            judge, human = summary.total, None if points is None else Fraction(points)
        if judge is not None and human is not None:
            rows.append(
                Compared(
                    item=subject.item,
                    family=families.get(subject.id, ""),
                    judge=judge,
                    human=human,
                    length=len(subject.response),
                )
            )
    return rows


def _flag(level: Level | None, wanted: str) -> Fraction | None:
    return None if level is None else Fraction(level == wanted)


def own_family(rows: Sequence[Compared], family: str, *, seed: int = 0) -> FamilyBias:
    """Measure whether the judge favours answers of its own family more than people do."""
    own = [r for r in rows if r.family == family]
    others = [r for r in rows if r.family and r.family != family]
    if not own or not others:
        return FamilyBias(own=len(own), others=len(others), difference=None, interval=None)
    sums: dict[str, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * 4)
    for row in (*own, *others):
        at = 0 if row.family == family else 2
        sums[row.item][at] += row.excess
        sums[row.item][at + 1] += 1
    drawn = resample(
        [[float(part) for part in row] for row in sums.values()],
        lambda c: {"difference": c[0] / c[1] - c[2] / c[3]},
        seed=seed,
    )["difference"]
    difference = _mean([r.excess for r in own]) - _mean([r.excess for r in others])
    return FamilyBias(own=len(own), others=len(others), difference=difference, interval=drawn.interval)


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthBias:
    """Spearman's rank correlation between the judge's excess and the length of the response; None when one of them never varies."""

    n: int
    correlation: float | None


def length_bias(rows: Sequence[Compared]) -> LengthBias:
    """Measure whether the judge is more generous than people to longer answers."""
    first = _ranks([r.excess for r in rows])
    second = _ranks([Fraction(r.length) for r in rows])
    return LengthBias(n=len(rows), correlation=_pearson(first, second))


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderBias:
    """How often the same level comes out when the criteria are asked in another order, and when they are not.

    ``permuted`` compares the run with the permuted one, ``steady`` two repeats in the same order: the order matters where
    the first is clearly below the second.
    """

    permuted: Rate
    steady: Rate


def order_bias(straight: Sequence[Summary], permuted: Sequence[Summary]) -> OrderBias:
    """Compare levels of the first valid repeats, straight against permuted, and straight against the second repeats."""
    other = {s.id: s for s in permuted}
    across = within = across_equal = within_equal = 0
    for summary in straight:
        if not summary.opinions:
            continue
        first = summary.opinions[0]
        twin = other.get(summary.id)
        if twin is not None and twin.opinions:
            for criterion, level in first.grades.items():
                across += 1
                across_equal += twin.opinions[0].grades.get(criterion) == level
        if len(summary.opinions) > 1:
            for criterion, level in first.grades.items():
                within += 1
                within_equal += summary.opinions[1].grades.get(criterion) == level
    return OrderBias(
        permuted=Rate(k=across_equal, n=across, interval=wilson(across_equal, across)),
        steady=Rate(k=within_equal, n=within, interval=wilson(within_equal, within)),
    )


def self_consistency(rubric: Rubric, summaries: Sequence[Summary]) -> Mapping[str, Agreement]:
    """Measure by criterion how far the repeats of one judge agree with each other; repeats are positions, not persons."""
    found = {}
    for criterion in rubric.criteria:
        rows = [
            {
                f"repeat {n}": o.grades[criterion.id]
                for n, o in enumerate(s.opinions, 1)
                if criterion.id in o.grades
            }
            for s in summaries
        ]
        found[criterion.id] = agreement(
            rows, criterion.levels, ordinal=not criterion.is_category, persons=False
        )
    return found


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _ranks(values: Sequence[Fraction]) -> list[float]:
    """Return mid-ranks: equal values share the mean of their places."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in order[start : end + 1]:
            ranks[place] = (start + end) / 2 + 1
        start = end + 1
    return ranks


def _pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    if len(first) < 3:
        return None
    one, two = sum(first) / len(first), sum(second) / len(second)
    spread = sqrt(sum((a - one) ** 2 for a in first) * sum((b - two) ** 2 for b in second))
    if not spread:
        return None
    return sum((a - one) * (b - two) for a, b in zip(first, second, strict=True)) / spread
