"""Ten responses graded by a person without sight of the judge's grades, then the list of where they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lark_sheets.core.judging.consensus import Summary
from lark_sheets.core.judging.prompting import JudgeInput
from lark_sheets.core.judging.sampling import stratified, stratum_of
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.scoring import total

CHECKED = 10
POINTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A response on which person and judge are more than two points apart (or, for labels, do not give the same)."""

    id: str
    item: str
    human: Fraction | str
    judge: Fraction | str
    criteria: tuple[str, ...]
    """The criteria on which they differ: the anchors to sharpen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotCheck:
    """What a check found: how many were compared, how many could not be, and the differences over two points."""

    compared: int
    not_graded_by_person: tuple[str, ...]
    not_graded_by_judge: tuple[str, ...]
    differences: tuple[Difference, ...]


def draw(inputs: Sequence[JudgeInput], *, count: int = CHECKED, seed: int = 0) -> list[JudgeInput]:
    """Return the responses to check: a stratified sample that does not depend on what the judge held of them."""
    return stratified(inputs, count, seed=seed, stratum=stratum_of, name=lambda i: i.id)


def spot_check(
    rubric: Rubric,
    grades: Mapping[str, Mapping[str, Level | None]],
    summaries: Sequence[Summary],
    *,
    points: int = POINTS,
) -> SpotCheck:
    """Compare a person's grades, by response id, with the judge's; strictly more than ``points`` apart is listed.

    A response that one side did not grade is named, never counted as a difference or an agreement.
    """
    judge = {s.id: s for s in summaries}
    compared, blank, unscored, differences = 0, [], [], []
    for key, given in sorted(grades.items()):
        summary = judge.get(key)
        if any(given.get(c.id) is None for c in rubric.criteria):
            blank.append(key)
            continue
        if summary is None or not summary.scored:
            unscored.append(key)
            continue
        compared += 1
        differing = tuple(c.id for c in rubric.criteria if summary.levels.get(c.id) != given.get(c.id))
        person = total(rubric, given)
        if person is None or summary.total is None:
            label = next(c.id for c in rubric.criteria if c.is_category)
            if differing:
                held = summary.levels.get(label)
                differences.append(
                    Difference(
                        id=key,
                        item=summary.item,
                        human=str(given[label]),
                        judge=str(held or ""),
                        criteria=differing,
                    )
                )
        elif abs(summary.total - person) > points:
            differences.append(
                Difference(
                    id=key, item=summary.item, human=Fraction(person), judge=summary.total, criteria=differing
                )
            )
    return SpotCheck(
        compared=compared,
        not_graded_by_person=tuple(blank),
        not_graded_by_judge=tuple(unscored),
        differences=tuple(differences),
    )
