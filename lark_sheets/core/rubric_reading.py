"""From plain dictionaries (a TOML file, a kept version) to a checked :class:`Rubric`; every fault is told at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from lark_sheets.core.language import Words
from lark_sheets.core.rubric import (
    OPERATORS,
    Anchor,
    CodeCap,
    Combine,
    Criterion,
    CriterionKind,
    IssueCode,
    JudgedBy,
    Rubric,
    TestKind,
    VerdictRow,
    VerdictTest,
)
from lark_sheets.errors import DataError, Problem

Choice = TypeVar("Choice", CriterionKind, JudgedBy, Combine, TestKind)


class _Faults:
    """Collects what is wrong in a rubric, each fault with its place ("criteria.format.anchors")."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.problems: list[Problem] = []

    def add(self, place: str, found: object, allowed: str) -> None:
        self.problems.append(
            Problem(
                code="rubric_fault",
                file=self.source,
                item=place,
                found=str(found),
                parameters={"allowed": allowed},
            )
        )

    def choice(self, kind: type[Choice], value: object, place: str, default: Choice) -> Choice:
        try:
            return kind(str(value))
        except ValueError:
            self.add(place, value, ", ".join(kind))
            return default


def from_plain(plain: Mapping[str, Any], source: str = "rubric") -> Rubric:
    """Return the rubric that plain data describe.

    ``source`` is the name shown in messages. Raises :class:`DataError` with every fault: a criterion without
    levels or with repeated ones, a level without a description, a cap or a test on something that does not exist, an outcome without
    a name, a verdict whose last row is not OTHERWISE.
    """
    faults = _Faults(source)
    criteria = tuple(_criterion(c, i, faults) for i, c in enumerate(plain.get("criteria", ())))
    rubric = Rubric(
        id=str(plain.get("id", "")).strip(),
        version=int(plain.get("version", 1)),
        date=str(plain.get("date", "")),
        title=words(plain.get("title")),
        criteria=criteria,
        codes=tuple(_code(c, faults) for c in plain.get("codes", ())),
        verdict=tuple(_row(r, i, faults) for i, r in enumerate(plain.get("verdict", ()))),
        outcomes={str(k): words(v) for k, v in plain.get("outcomes", {}).items()},
        favourable=str(plain.get("favourable", "")),
        main_label=str(plain.get("main_label", "")),
        strata={str(k): words(plain["strata"][k]) for k in _strata(plain)},
        graded_by_default=str(plain.get("graded_by_default", "people")),
        rule=words(plain.get("rule")),
    )
    _check(rubric, faults)
    if faults.problems:
        raise DataError(*faults.problems)
    return rubric


def words(value: object) -> Words:
    """Return a bilingual text from ``{"fr": .., "en": ..}`` or from one string used in both languages."""
    if isinstance(value, Mapping):
        return Words(fr=str(value.get("fr", "")).strip(), en=str(value.get("en", "")).strip())
    text = "" if value is None else str(value).strip()
    return Words(fr=text, en=text)


def _criterion(plain: Mapping[str, Any], index: int, faults: _Faults) -> Criterion:
    name = str(plain.get("id", "")).strip()
    place = f"criteria.{name or index + 1}"
    kind = faults.choice(CriterionKind, plain.get("kind", "plain"), f"{place}.kind", CriterionKind.PLAIN)
    anchors = [
        Anchor(
            level=_level(a.get("level"), kind, f"{place}.anchors", faults),
            description=words(a.get("description")),
            example=words(a.get("example")),
            name=words(a.get("name")),
        )
        for a in plain.get("anchors", ())
    ]
    if kind is not CriterionKind.CATEGORY:
        anchors.sort(key=lambda a: a.level if isinstance(a.level, int) else 0)
    return Criterion(
        id=name,
        kind=kind,
        name=words(plain.get("name") or name),
        question=words(plain.get("question")),
        anchors=tuple(anchors),
        judged_by=faults.choice(
            JudgedBy, plain.get("judged_by", "model"), f"{place}.judged_by", JudgedBy.MODEL
        ),
    )


def _level(value: object, kind: CriterionKind, place: str, faults: _Faults) -> int | str:
    if kind is CriterionKind.CATEGORY:
        return str(value).strip()
    if isinstance(value, bool) or not isinstance(value, int):
        faults.add(place, value, "0, 1, 2 ...")
        return 0
    return value


def _code(plain: Mapping[str, Any], faults: _Faults) -> IssueCode:
    name = str(plain.get("id", "")).strip()
    caps = []
    for cap in plain.get("caps", ()):
        height = cap.get("cap")
        if height is not None and (isinstance(height, bool) or not isinstance(height, int)):
            faults.add(f"codes.{name}.cap", height, "0, 1, 2 ...")
            height = None
        caps.append(CodeCap(criterion=str(cap.get("criterion", "")), cap=height))
    return IssueCode(id=name, label=words(plain.get("label") or name), caps=tuple(caps))


def _row(plain: Mapping[str, Any], index: int, faults: _Faults) -> VerdictRow:
    place = f"verdict.{index + 1}"
    tests = []
    for t in plain.get("tests", ()):
        operator = str(t.get("operator", "="))
        if operator not in OPERATORS:
            faults.add(f"{place}.operator", operator, ", ".join(OPERATORS))
        tests.append(
            VerdictTest(
                kind=faults.choice(TestKind, t.get("kind", ""), f"{place}.kind", TestKind.TOTAL),
                target=str(t.get("target", "")),
                level=t.get("level"),
                operator=operator,
                number=t.get("number"),
                label=str(t.get("label", "")),
            )
        )
    return VerdictRow(
        outcome=str(plain.get("outcome", "")).strip(),
        combine=faults.choice(Combine, plain.get("combine", "ALL"), f"{place}.combine", Combine.ALL),
        tests=tuple(tests),
    )


def _strata(plain: Mapping[str, Any]) -> list[str]:
    """Return the strata in the order that is told beside them, else as they stand."""
    strata = plain.get("strata", {})
    return [k for k in dict.fromkeys([*plain.get("strata_order", ()), *strata]) if k in strata]


def _check(rubric: Rubric, faults: _Faults) -> None:
    ids = [c.id for c in rubric.criteria]
    if not rubric.id:
        faults.add("id", "", "larkfield, my-rubric ...")
    if not ids:
        faults.add("criteria", 0, ">= 1")
    for repeated in sorted({i for i in ids if ids.count(i) > 1 or not i}):
        faults.add("criteria", repeated, "unique ids")
    for criterion in rubric.criteria:
        levels = criterion.levels
        if len(set(levels)) != len(levels) or len(levels) < 2:
            faults.add(
                f"criteria.{criterion.id}.anchors", ", ".join(map(str, levels)), ">= 2 different levels"
            )
        for anchor in criterion.anchors:
            if not anchor.description.both():
                faults.add(
                    f"criteria.{criterion.id}.anchors.{anchor.level}", "", "a description of the level"
                )
    codes = [c.id for c in rubric.codes]
    for repeated in sorted({c for c in codes if codes.count(c) > 1}):
        faults.add("codes", repeated, "unique ids")
    for code in rubric.codes:
        for cap in code.caps:
            _check_cap(rubric, ids, code, cap, faults)
    _check_verdict(rubric, ids, faults)


def _check_cap(rubric: Rubric, ids: list[str], code: IssueCode, cap: CodeCap, faults: _Faults) -> None:
    if cap.criterion not in ids:
        faults.add(f"codes.{code.id}.criterion", cap.criterion, ", ".join(ids))
    elif cap.cap is not None and cap.cap not in rubric.criterion(cap.criterion).levels:
        allowed = ", ".join(map(str, rubric.criterion(cap.criterion).levels))
        faults.add(f"codes.{code.id}.cap", cap.cap, allowed)


def _check_verdict(rubric: Rubric, ids: list[str], faults: _Faults) -> None:
    if rubric.verdict and rubric.verdict[-1].combine is not Combine.OTHERWISE:
        faults.add(f"verdict.{len(rubric.verdict)}.combine", rubric.verdict[-1].combine, "OTHERWISE")
    kinds = ["all", *CriterionKind]
    for number, row in enumerate(rubric.verdict, 1):
        place = f"verdict.{number}"
        if row.outcome not in rubric.outcomes:
            faults.add(f"{place}.outcome", row.outcome, ", ".join(rubric.outcomes))
        if row.combine is not Combine.OTHERWISE and not row.tests:
            faults.add(f"{place}.tests", 0, ">= 1")
        for test in row.tests:
            if test.kind in (TestKind.LEVEL, TestKind.LABEL) and test.target not in ids:
                faults.add(f"{place}.target", test.target, ", ".join(ids))
            elif test.kind is TestKind.LABEL and test.label not in rubric.criterion(test.target).levels:
                faults.add(
                    f"{place}.label", test.label, ", ".join(map(str, rubric.criterion(test.target).levels))
                )
            if test.kind is TestKind.COUNT and test.target not in kinds:
                faults.add(f"{place}.target", test.target, ", ".join(kinds))
            if test.kind is not TestKind.LABEL and test.number is None:
                faults.add(f"{place}.number", "", "0, 1, 2 ...")
    if rubric.favourable and rubric.favourable not in rubric.outcomes:
        faults.add("favourable", rubric.favourable, ", ".join(rubric.outcomes))
