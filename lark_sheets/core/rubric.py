"""The rubric: criteria with anchored levels, issue codes with caps, and a verdict read from ordered rows.

One model holds the four shipped rubrics. It has one plain form (:func:`to_plain` / :func:`from_plain`), used
alike by the TOML files, the kept versions in a workbook and the fingerprint.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias

from lark_sheets.core.language import Words
from lark_sheets.core.text import canonical, canonical_json, folded, sha256

Level: TypeAlias = int | str
"""A grade: an integer level, or the id of a label for a criterion of kind ``category``."""


class CriterionKind(StrEnum):
    """What a criterion does in a verdict."""

    PLAIN = "plain"
    ELIMINATORY = "eliminatory"
    SECONDARY = "secondary"
    CATEGORY = "category"


class JudgedBy(StrEnum):
    """Who may decide a criterion: code, a model, or only a person."""

    CODE = "code"
    MODEL = "model"
    HUMAN = "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """What one level means, with an example that a reader recognises; ``name`` is the label on screen, if any."""

    level: Level
    description: Words
    example: Words = field(default_factory=Words)
    name: Words = field(default_factory=Words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One thing that is graded, with an anchor for every level; levels stand from lowest to highest."""

    id: str
    kind: CriterionKind
    name: Words
    question: Words
    anchors: tuple[Anchor, ...]
    judged_by: JudgedBy = JudgedBy.MODEL

    @property
    def levels(self) -> tuple[Level, ...]:
        """Return the allowed grades, from lowest to highest (labels: in the rubric's order)."""
        return tuple(anchor.level for anchor in self.anchors)

    @property
    def is_category(self) -> bool:
        """Say whether grades are labels without order."""
        return self.kind is CriterionKind.CATEGORY

    @property
    def top(self) -> Level:
        """Return the best level (of labels: the first, by convention the wanted one)."""
        return self.anchors[0].level if self.is_category else self.anchors[-1].level

    def anchor(self, level: Level) -> Anchor:
        """Return the anchor of a level; ``KeyError`` when the criterion has no such level."""
        for anchor in self.anchors:
            if anchor.level == level:
                return anchor
        raise KeyError(level)

    def shown(self, level: Level, language: str) -> str:
        """Return a grade as people see it: the integer, or the label in their language."""
        return self.anchor(level).name.in_(language) or str(level)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeCap:
    """One effect of an issue code: the highest level a criterion may have with it, or None when tolerated."""

    criterion: str
    cap: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueCode:
    """Why a grade is below the top: a code that caps one or several criteria."""

    id: str
    label: Words
    caps: tuple[CodeCap, ...]

    def cap_on(self, criterion: str) -> int | None:
        """Return the cap this code puts on a criterion, or None (tolerated, or another criterion's code)."""
        return next((c.cap for c in self.caps if c.criterion == criterion), None)

    def touches(self, criterion: str) -> bool:
        """Say whether the code belongs to a criterion, tolerated or not."""
        return any(c.criterion == criterion for c in self.caps)


class Combine(StrEnum):
    """How the tests of one verdict row go together; the last row is OTHERWISE."""

    ALL = "ALL"
    ANY = "ANY"
    OTHERWISE = "OTHERWISE"


class TestKind(StrEnum):
    """The four tests of a verdict row; no other text is ever evaluated."""

    __test__ = False  # pytest must not collect this class

    LEVEL = "level"  # level of criterion <target> <op> <number>
    COUNT = "count"  # number of criteria of kind <target> (or "all") at level <level> <op> <number>
    TOTAL = "total"  # total <op> <number>
    LABEL = "label"  # criterion <target> is <label>


OPERATORS = ("=", ">=", "<=")


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictTest:
    """One condition chosen from drop-downs; see :class:`TestKind` for which fields each kind uses."""

    kind: TestKind
    target: str = ""
    level: int | None = None
    operator: str = "="
    number: int | None = None
    label: str = ""

    def holds(self, grades: Mapping[str, Level], criteria: Iterable[Criterion]) -> bool:
        """Say whether complete ``grades`` meet the condition."""
        match self.kind:
            case TestKind.LABEL:
                return grades[self.target] == self.label
            case TestKind.LEVEL:
                return _compare(grades[self.target], self.operator, self.number)
            case TestKind.COUNT:
                chosen = (c.id for c in criteria if self.target in ("all", str(c.kind)))
                return _compare(sum(grades[c] == self.level for c in chosen), self.operator, self.number)
            case TestKind.TOTAL:
                levels = (grades[c.id] for c in criteria if not c.is_category)
                return _compare(sum(n for n in levels if isinstance(n, int)), self.operator, self.number)


def _compare(value: Level, operator: str, number: int | None) -> bool:
    if not isinstance(value, int) or number is None:
        return False
    return {"=": value == number, ">=": value >= number, "<=": value <= number}[operator]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictRow:
    """One row of the decision: if its tests hold, the verdict is ``outcome``; the first match wins."""

    outcome: str
    combine: Combine
    tests: tuple[VerdictTest, ...] = ()

    def matches(self, grades: Mapping[str, Level], criteria: tuple[Criterion, ...]) -> bool:
        """Say whether this row decides for complete ``grades``."""
        if self.combine is Combine.OTHERWISE:
            return True
        results = [test.holds(grades, criteria) for test in self.tests]
        return all(results) if self.combine is Combine.ALL else any(results)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """The whole grid: what is graded, what each level means, and what decides.

    ``favourable`` names the outcome counted as "ready"; ``main_label`` the label whose rate is the main
    figure of a category rubric, with ``binary`` agreement on it. ``graded_by_default`` says who grades a campaign
    created without graders. ``version`` and ``date`` tell revisions apart and are not part of the fingerprint.
    """

    id: str
    version: int
    date: str
    title: Words
    criteria: tuple[Criterion, ...]
    codes: tuple[IssueCode, ...] = ()
    verdict: tuple[VerdictRow, ...] = ()
    outcomes: Mapping[str, Words] = field(default_factory=dict)
    favourable: str = ""
    main_label: str = ""
    strata: Mapping[str, Words] = field(default_factory=dict)
    graded_by_default: str = "people"
    rule: Words = field(default_factory=Words)

    @property
    def fingerprint(self) -> str:
        """Return the SHA-256 of the canonical form: the same content has the same fingerprint, whatever its version.

        Issue codes have no order of their own, so theirs does not count.
        """
        content = {k: v for k, v in to_plain(self).items() if k not in ("version", "date")}
        content["codes"] = to_plain(replace(self, codes=tuple(sorted(self.codes, key=lambda c: c.id))))[
            "codes"
        ]
        return sha256(canonical_json(_canonical_tree(content)))

    @property
    def total_max(self) -> int | None:
        """Return the highest total, or None for a rubric of categories only."""
        tops = [c.top for c in self.criteria if not c.is_category]
        return sum(n for n in tops if isinstance(n, int)) if tops else None

    def criterion(self, wanted: str) -> Criterion:
        """Return a criterion by id; ``KeyError`` when there is none."""
        for criterion in self.criteria:
            if criterion.id == wanted:
                return criterion
        raise KeyError(wanted)

    def code(self, wanted: str) -> IssueCode | None:
        """Return an issue code by id, or None."""
        return next((code for code in self.codes if code.id == wanted), None)

    def code_named(self, typed: str) -> IssueCode | None:
        """Return the code a person named by id or by its label in either language, or None."""
        wanted = folded(typed)
        for code in self.codes:
            if wanted in (folded(code.id), *map(folded, code.label.both())):
                return code
        return None

    def decide(self, grades: Mapping[str, Level | None]) -> str | None:
        """Return the verdict for one reading: the outcome of the first matching row.

        None when a grade is missing (a missing grade makes the verdict missing) or the rubric decides nothing.
        """
        if not self.verdict:
            return None
        complete = {c.id: grade for c in self.criteria if (grade := grades.get(c.id)) is not None}
        if len(complete) < len(self.criteria):
            return None
        return next((row.outcome for row in self.verdict if row.matches(complete, self.criteria)), None)

    def capped(self, criterion: str, codes: Iterable[str]) -> Level:
        """Return the grade that issue codes explain: the lowest cap among them, else the top."""
        top = self.criterion(criterion).top
        caps = [cap for c in codes if (code := self.code(c)) and (cap := code.cap_on(criterion)) is not None]
        return min([*caps, top]) if isinstance(top, int) else top


def _canonical_tree(value: object) -> object:
    if isinstance(value, str):
        return canonical(value)
    if isinstance(value, Mapping):
        return {str(k): _canonical_tree(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_canonical_tree(v) for v in value]
    return value


def _words(words: Words) -> dict[str, str]:
    return {k: v for k, v in (("fr", words.fr), ("en", words.en)) if v}


def to_plain(rubric: Rubric) -> dict[str, object]:
    """Return the rubric as plain dictionaries and lists, the form of its TOML file and of its kept versions."""
    return {
        "id": rubric.id,
        "version": rubric.version,
        "date": rubric.date,
        "title": _words(rubric.title),
        "favourable": rubric.favourable,
        "main_label": rubric.main_label,
        "graded_by_default": rubric.graded_by_default,
        "rule": _words(rubric.rule),
        "outcomes": {k: _words(v) for k, v in rubric.outcomes.items()},
        "strata": {k: _words(v) for k, v in rubric.strata.items()},
        # Kept versions are JSON with sorted keys; the first stratum is the one that page 1 speaks of.
        **({} if sorted(rubric.strata) == list(rubric.strata) else {"strata_order": list(rubric.strata)}),
        "criteria": [
            {
                "id": c.id,
                "kind": str(c.kind),
                "name": _words(c.name),
                "question": _words(c.question),
                "judged_by": str(c.judged_by),
                "anchors": [
                    {
                        "level": a.level,
                        "name": _words(a.name),
                        "description": _words(a.description),
                        "example": _words(a.example),
                    }
                    for a in c.anchors
                ],
            }
            for c in rubric.criteria
        ],
        "codes": [
            {
                "id": code.id,
                "label": _words(code.label),
                "caps": [
                    {"criterion": c.criterion} | ({} if c.cap is None else {"cap": c.cap}) for c in code.caps
                ],
            }
            for code in rubric.codes
        ],
        "verdict": [
            {
                "outcome": row.outcome,
                "combine": str(row.combine),
                "tests": [
                    {
                        k: v
                        for k, v in (
                            ("kind", str(t.kind)),
                            ("target", t.target),
                            ("level", t.level),
                            ("operator", t.operator),
                            ("number", t.number),
                            ("label", t.label),
                        )
                        if v not in (None, "")
                    }
                    for t in row.tests
                ],
            }
            for row in rubric.verdict
        ],
    }
