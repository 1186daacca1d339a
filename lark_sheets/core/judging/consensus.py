"""From the repeats of one judgement to what the judge holds: means with their range, majorities, and divergence.

Only valid repeats count; a failed one is counted apart. Repeats of one judge are averaged, people never are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from lark_sheets.core.judging.parsing import Judgement, Opinion, Unscored
from lark_sheets.core.judging.prompting import JudgeInput
from lark_sheets.core.judging.reasons import Reason
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.scoring import total

WIDE = 2
"""Levels between the lowest and the highest repeat from which a criterion diverges."""
NEEDED = 2
"""Valid repeats needed for a majority (one, where only one was asked)."""

Value = TypeVar("Value", Level, str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """One criterion over the valid repeats: their levels, the mean and range (None for labels), the level most gave."""

    values: tuple[Level, ...]
    mean: Fraction | None
    low: int | None
    high: int | None
    level: Level | None
    divergent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What the judge holds of one response. ``verdict`` is the majority of the verdicts computed from each repeat's grades.

    ``total`` is the mean total over valid repeats, exact; None when none is valid. ``unscored`` are the reasons of the
    other repeats. ``incoherent`` counts repeats whose stated verdict differs from the rule. ``weaknesses`` come from the
    first valid repeat with the lowest total.
    """

    id: str
    item: str
    planned: int
    valid: int
    unscored: tuple[Unscored, ...]
    criteria: Mapping[str, Spread]
    total: Fraction | None
    total_low: int | None
    total_high: int | None
    verdict: str | None
    verdicts: tuple[str, ...]
    divergent: bool
    incoherent: int
    influence: bool
    opinions: tuple[Opinion, ...]

    @property
    def scored(self) -> bool:
        """Say whether at least one repeat is valid."""
        return self.valid > 0

    @property
    def reasons(self) -> Counter[Reason]:
        """Count the reasons of the repeats without grades."""
        return Counter(unscored.reason for unscored in self.unscored)

    @property
    def levels(self) -> dict[str, Level | None]:
        """Return the level that most valid repeats gave, by criterion; None where there is no majority."""
        return {name: spread.level for name, spread in self.criteria.items()}

    @property
    def opinion(self) -> Opinion | None:
        """Return the repeat whose words are shown: the first that gives the majority levels, else the first valid one."""
        levels = self.levels
        fitting = [o for o in self.opinions if all(levels.get(c) == level for c, level in o.grades.items())]
        return next(iter(fitting or self.opinions), None)


def summarise(rubric: Rubric, subject: JudgeInput, judgements: Sequence[Judgement]) -> Summary:
    """Summarise all repeats of one response; criteria decided by code join every valid repeat."""
    opinions = tuple(j for j in judgements if isinstance(j, Opinion))
    unscored = tuple(j for j in judgements if isinstance(j, Unscored))
    needed = min(NEEDED, len(judgements))
    whole = [{**subject.code_grades, **o.grades} for o in opinions]
    criteria = {
        c.id: _spread([g[c.id] for g in whole if c.id in g], needed=needed, category=c.is_category)
        for c in rubric.criteria
    }
    verdicts = tuple(v for grades in whole if (v := rubric.decide(grades)) is not None)
    totals = [points for grades in whole if (points := total(rubric, grades)) is not None]
    return Summary(
        id=subject.id,
        item=subject.item,
        planned=len(judgements),
        valid=len(opinions),
        unscored=unscored,
        criteria=criteria,
        total=Fraction(sum(totals), len(totals)) if totals else None,
        total_low=min(totals, default=None),
        total_high=max(totals, default=None),
        verdict=majority(verdicts, needed),
        verdicts=verdicts,
        divergent=any(s.divergent for s in criteria.values()) or len(set(verdicts)) > 1,
        incoherent=sum(
            o.said is not None and o.said != rubric.decide(grades)
            for o, grades in zip(opinions, whole, strict=True)
        ),
        influence=any(o.influence for o in opinions),
        opinions=opinions,
    )


def majority(values: Sequence[Value], needed: int = NEEDED) -> Value | None:
    """Return what more than half of the values are, if there are enough of them; else None."""
    if len(values) < needed or not values:
        return None
    value, count = Counter(values).most_common(1)[0]
    return value if 2 * count > len(values) else None


def _spread(values: list[Level], *, needed: int, category: bool) -> Spread:
    numbers = [] if category else [v for v in values if isinstance(v, int)]
    wide = bool(numbers) and max(numbers) - min(numbers) >= WIDE
    return Spread(
        values=tuple(values),
        mean=Fraction(sum(numbers), len(numbers)) if numbers else None,
        low=min(numbers, default=None),
        high=max(numbers, default=None),
        level=majority(values, needed),
        divergent=wide or (category and len(set(values)) > 1),
    )


def by_reason(summaries: Sequence[Summary]) -> dict[str, int]:
    """Count repeats without grades by reason over all responses, most frequent first."""
    counts: Counter[str] = Counter()
    for summary in summaries:
        counts.update(str(reason) for reason in summary.reasons.elements())
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
