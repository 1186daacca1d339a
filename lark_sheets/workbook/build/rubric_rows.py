"""A rubric as the rows of its tables: the opposite of reading the Rubric sheet."""

from __future__ import annotations

from lark_sheets.core.language import Words
from lark_sheets.core.rubric import Combine, IssueCode, Rubric, TestKind, VerdictTest
from lark_sheets.workbook.build.tables import Row


def both(words: Words, key: str) -> dict[str, str | None]:
    """Return a bilingual text as two cells."""
    return {f"{key}_fr": words.fr or None, f"{key}_en": words.en or None}


def criteria_rows(rubric: Rubric) -> list[Row]:
    """Return the rows of tblCriteria."""
    return [
        {
            "criterion": c.id,
            **both(c.name, "name"),
            "kind": str(c.kind),
            **both(c.question, "question"),
            "judged_by": str(c.judged_by),
        }
        for c in rubric.criteria
    ]


def anchor_rows(rubric: Rubric) -> list[Row]:
    """Return the rows of tblAnchors: each criterion's levels, the best first."""
    return [
        {
            "criterion": c.id,
            "level": anchor.level,
            **both(anchor.name, "name"),
            **both(anchor.description, "description"),
            **both(anchor.example, "example"),
        }
        for c in rubric.criteria
        for anchor in (c.anchors if c.is_category else reversed(c.anchors))
    ]


def ordered_codes(rubric: Rubric) -> list[IssueCode]:
    """Return the codes of one criterion first: those of several, which take several rows, come last."""
    return sorted(rubric.codes, key=lambda code: len(code.caps) > 1)


def code_rows(rubric: Rubric) -> list[Row]:
    """Return the rows of tblCodes: a code's label stands in its first row only, so that lists name it once."""
    rows: list[Row] = []
    for code in ordered_codes(rubric):
        label = both(code.label, "label")
        for cap in code.caps:
            rows.append({"code": code.id, "criterion": cap.criterion, "cap": cap.cap, **label})
            label = {}
        if not code.caps:
            rows.append({"code": code.id, **label})
    return rows


def verdict_rows(rubric: Rubric) -> list[Row]:
    """Return the rows of tblVerdict: one a test, the tests of one decision under one number."""
    rows: list[Row] = []
    for order, verdict in enumerate(rubric.verdict, 1):
        words = both(rubric.outcomes.get(verdict.outcome, Words()), "outcome")
        first: Row = {"order": order, "outcome": verdict.outcome, "combine": str(verdict.combine)}
        tests = verdict.tests if verdict.combine is not Combine.OTHERWISE else ()
        rows.append({**first, **words, **(_test(tests[0]) if tests else {})})
        rows += [{**first, **_test(test)} for test in tests[1:]]
    return rows


def _test(test: VerdictTest) -> Row:
    if test.kind is TestKind.LABEL:
        return {"test": str(test.kind), "target": test.target, "operator": "=", "number": test.label}
    return {
        "test": str(test.kind),
        "target": test.target or None,
        "at_level": test.level if test.kind is TestKind.COUNT else None,
        "operator": test.operator,
        "number": test.number,
    }
