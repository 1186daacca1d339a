"""Which readings an edit touches: what issue codes explain is derived, what they do not goes to people, the rest stays.

Every run, every grader and every reading is treated alike; nothing here knows who wrote a response. An edit of one criterion never
looks at, and never changes, a grade of another.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from lark_sheets.core.campaign import Campaign, Reading, Response
from lark_sheets.core.rescoring.edits import Edit, EditKind, caps_of
from lark_sheets.core.rubric import Criterion, Level, Rubric

Key: TypeAlias = tuple[str, str, int]
"""What makes a reading one: response, grader, number."""

Checks: TypeAlias = Callable[[Response], Collection[str]]
"""The codes that a program sees in a response; they are never recorded by it."""


class Why(StrEnum):
    """Why a grade changes by rule, or why a person has to look."""

    DERIVED = "derived"  # its codes explain the grade under both rubrics
    NOT_EXPLAINED = "not_explained"  # it carries the code, but its codes do not give its grade
    FURTHER_CODE = (
        "further_code"  # the checks see a code that would lower the new grade, and nobody recorded it
    )
    WITHOUT_CODE = "without_code"  # a new or stricter code may apply; it was not recorded
    MEANING = "meaning"  # the anchor means something else now
    LEVEL_ADDED = "level_added"  # the new level lies beside the grade given
    LEVEL_REMOVED = "level_removed"  # the grade given exists no more
    CRITERION_ADDED = "criterion_added"  # never graded
    OVERSIGHT = "oversight"  # what the code stands for is there and was not recorded
    DISCUSSED = "discussed"  # the grade agreed after a discussion follows from nobody's codes


class Change(NamedTuple):
    """One grade that changes by rule."""

    key: Key
    criterion: str
    old: Level
    new: Level
    codes: tuple[str, ...]
    """The edited codes that the reading carries: why its grade changes."""


class Work(NamedTuple):
    """One grade that a person gives again; ``codes`` are those that may be missing."""

    key: Key
    criterion: str
    why: Why
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Affected:
    """What a revision touches.

    ``carriers`` are the readings that carry an edited code, changed or not: the set that is looked at, for every run.
    """

    changes: tuple[Change, ...] = ()
    work: tuple[Work, ...] = ()
    carriers: frozenset[Key] = frozenset()

    @property
    def responses(self) -> frozenset[str]:
        """Return the responses with a carrier."""
        return frozenset(key[0] for key in self.carriers)


def affected_by(
    campaign: Campaign,
    new: Rubric,
    edits: Sequence[Edit],
    *,
    waiting: Mapping[str, Collection[Key]] | None = None,
    checks: Checks = lambda response: (),
) -> Affected:
    """Return what ``edits`` (from ``campaign.rubric`` to ``new``) touch, in the order of the readings.

    ``waiting`` holds, by criterion, the readings that are on a work-list already: nothing is derived from a grade that
    nobody stands behind. A reading that was never graded on a criterion is not touched there.
    """
    by_criterion: dict[str, list[Edit]] = {}
    for edit in edits:
        by_criterion.setdefault(edit.criterion, []).append(edit)
    responses = campaign.response()
    changes: list[Change] = []
    work: list[Work] = []
    carriers: set[Key] = set()
    for criterion in new.criteria:
        rule = _Rule(campaign.rubric, new, criterion, by_criterion.get(criterion.id, ()), checks)
        if not rule.bites:
            continue
        pending = set((waiting or {}).get(criterion.id, ()))
        for reading in campaign.readings:
            if reading.is_blank or reading.key in pending:
                continue
            if rule.carried(reading):
                carriers.add(reading.key)
            found = rule.on(reading, responses[reading.response])
            if isinstance(found, Change):
                changes.append(found)
            elif found is not None:
                work.append(found)
    place = {reading.key: n for n, reading in enumerate(campaign.readings)}
    return Affected(
        changes=tuple(sorted(changes, key=lambda c: place[c.key])),
        work=tuple(sorted(work, key=lambda w: place[w.key])),
        carriers=frozenset(carriers),
    )


class _Rule:
    """What the edits of one criterion do to a reading."""

    def __init__(
        self, old: Rubric, new: Rubric, criterion: Criterion, edits: Iterable[Edit], checks: Checks
    ) -> None:
        self.old, self.new, self.criterion, self.checks = old, new, criterion, checks
        edits = tuple(edits)
        self.kinds = {edit.kind for edit in edits}
        self.known = next((c for c in old.criteria if c.id == criterion.id), None)
        # Labels have no order, so nothing caps them: codes of a category criterion change no grade.
        coded = () if criterion.is_category else tuple(edit for edit in edits if edit.kind.is_of_code)
        self.edited = frozenset(edit.target for edit in coded)
        before, after = caps_of(old).get(criterion.id, {}), caps_of(new).get(criterion.id, {})
        self.caps = after
        self.stricter = {
            code: cap
            for code in self.edited
            if (cap := after.get(code)) is not None and not _at_most(before.get(code), cap)
        }
        self.removed = {edit.target for edit in edits if edit.kind is EditKind.LEVEL_REMOVED}
        self.beside = self._beside({e.target for e in edits if e.kind is EditKind.LEVEL_ADDED})

    @property
    def bites(self) -> bool:
        """Say whether any grade of the criterion can be touched."""
        return bool(
            self.edited
            or self.removed
            or self.beside
            or self.kinds & {EditKind.MEANING, EditKind.CRITERION_ADDED}
        )

    def _beside(self, added: set[str]) -> set[Level]:
        """Return the old levels next to a new one: those who gave them might give the new one. Labels: all of them."""
        if not added or self.known is None:
            return set()
        if self.criterion.is_category:
            return set(self.known.levels)
        levels = self.criterion.levels
        beside: set[Level] = set()
        for n, level in enumerate(levels):
            if str(level) in added:
                lower = [x for x in levels[:n] if str(x) not in added][-1:]
                upper = [x for x in levels[n + 1 :] if str(x) not in added][:1]
                beside.update(lower + upper)
        return beside

    def carried(self, reading: Reading) -> bool:
        """Say whether a reading carries an edited code."""
        return bool(self.edited.intersection(reading.codes))

    def on(self, reading: Reading, response: Response) -> Change | Work | None:
        """Return what happens to one reading: a grade by rule, work for a person, or nothing."""
        key, name = reading.key, self.criterion.id
        if EditKind.CRITERION_ADDED in self.kinds:
            return Work(key, name, Why.CRITERION_ADDED)
        grade = reading.grades.get(name)
        if grade is None:
            return None
        if EditKind.MEANING in self.kinds:
            return Work(key, name, Why.MEANING)
        if str(grade) in self.removed:
            return Work(key, name, Why.LEVEL_REMOVED)
        if grade in self.beside:
            return Work(key, name, Why.LEVEL_ADDED)
        return self._by_codes(reading, response, grade) if self.edited else None

    def _by_codes(self, reading: Reading, response: Response, grade: Level) -> Change | Work | None:
        key, name = reading.key, self.criterion.id
        mine = tuple(code for code in reading.codes if code in self.edited)
        derived = grade
        if mine:
            if self.old.capped(name, reading.codes) != grade:
                return Work(key, name, Why.NOT_EXPLAINED, mine)
            derived = self.new.capped(name, reading.codes)
            further = self._lower(self.checks(response), reading, derived)
            if further:
                return Work(key, name, Why.FURTHER_CODE, further)
        missing = self._lower(self.stricter, reading, derived)
        if missing:
            return Work(key, name, Why.WITHOUT_CODE, missing)
        return Change(key, name, grade, derived, mine) if derived != grade else None

    def _lower(self, codes: Collection[str], reading: Reading, grade: Level) -> tuple[str, ...]:
        """Return the codes, in the rubric's order, that the reading lacks and that would lower a grade."""
        return tuple(
            code
            for code, cap in self.caps.items()
            if code in codes
            and code not in reading.codes
            and cap is not None
            and isinstance(grade, int)
            and cap < grade
        )


def _at_most(cap: int | None, other: int) -> bool:
    """Say whether a former cap was already as strict."""
    return cap is not None and cap <= other


def overlooked(
    campaign: Campaign, code: str, *, checks: Checks, asked: Collection[Key] = (), checkable: bool
) -> Affected:
    """Return what a reader's oversight touches: the same set for every run.

    A response is in the set when a reading of it carries the code or the checks see it; where no program can see the code
    (``checkable`` false), every response with a grade above the cap and without the code is. Readings of the set that lack the code go to the
    work-list of their grader; ``asked`` are those that were on one for this code before, and have answered or will.
    """
    rubric = campaign.rubric
    found = rubric.code(code)
    caps = {} if found is None else {c.criterion: c.cap for c in found.caps}
    carriers = {r.key for r in campaign.readings if code in r.codes}
    named = {key[0] for key in carriers}
    if checkable:
        named |= {response.id for response in campaign.responses if code in checks(response)}
    work: list[Work] = []
    for reading in campaign.readings:
        if reading.is_blank or code in reading.codes:
            continue
        for criterion, cap in caps.items():
            grade = reading.grades.get(criterion)
            above = cap is not None and isinstance(grade, int) and grade > cap
            if grade is None or not (reading.response in named or (above and not checkable)):
                continue
            carriers.add(reading.key)
            if reading.key not in asked:
                work.append(Work(reading.key, criterion, Why.OVERSIGHT, (code,)))
    return Affected(work=tuple(work), carriers=frozenset(carriers))
