"""Two rubrics compared: every edit is found, and classified by what it does to grades."""

import unicodedata
from dataclasses import replace

import pytest

from lark_sheets.core.language import Words
from lark_sheets.core.rescoring import Declared, EditKind, compare, faults_of
from lark_sheets.core.rubric import Anchor, CodeCap, Criterion, CriterionKind, IssueCode
from tests.core.rescoring.demo import larkfield, with_anchor, with_cap, with_criterion, without_code

L = larkfield()


def tone() -> Criterion:
    levels = tuple(Anchor(level=n, description=Words(en=f"level {n}")) for n in range(3))
    return Criterion(
        id="tone", kind=CriterionKind.PLAIN, name=Words(en="Tone"), question=Words(en="?"), anchors=levels
    )


def with_new_code(rubric, cap=1):
    code = IssueCode(id="emoji", label=Words(en="emoji"), caps=(CodeCap(criterion="format", cap=cap),))
    return replace(rubric, codes=(*rubric.codes, code))


def with_level(rubric, name, level):
    anchors = (*rubric.criterion(name).anchors, Anchor(level=level, description=Words(en="new")))
    return with_criterion(rubric, name, anchors=tuple(sorted(anchors, key=lambda a: a.level)))


def without_level(rubric, name, level):
    anchors = tuple(a for a in rubric.criterion(name).anchors if a.level != level)
    return with_criterion(rubric, name, anchors=anchors)


def with_threshold(rubric, number):
    first, *rest = rubric.verdict
    test = replace(first.tests[0], number=number)
    return replace(rubric, verdict=(replace(first, tests=(test, *first.tests[1:])), *rest))


def with_another_rule(rubric):
    first, *rest = rubric.verdict
    return replace(rubric, verdict=(replace(first, tests=first.tests[:1]), *rest))


def with_question(rubric):
    return with_criterion(rubric, "format", question=Words(fr="Autre?", en="Another?"))


CASES = [
    ("the cap of a code", with_cap(L, "fence", None), {("cap_changed", "format", "fence")}),
    ("a stricter cap", with_cap(L, "fence", 0), {("cap_changed", "format", "fence")}),
    ("a code added", with_new_code(L), {("code_added", "format", "emoji")}),
    ("a code removed", without_code(L, "fence"), {("code_removed", "format", "fence")}),
    (
        "a code of four criteria removed",
        without_code(L, "empty"),
        {("code_removed", c.id, "empty") for c in L.criteria},
    ),
    ("an anchor's text", with_anchor(L, "format", 1, "else"), {("meaning", "format", "1")}),
    ("a criterion's question", with_question(L), {("meaning", "format", "")}),
    (
        "a criterion's name",
        with_criterion(L, "format", name=Words(fr="Forme", en="Form")),
        {("wording", "format", "")},
    ),
    ("a level added", with_level(L, "format", 3), {("level_added", "format", "3")}),
    (
        "a criterion added",
        replace(L, criteria=(*L.criteria, tone())),
        {("criterion_added", "tone", "")},
    ),
    (
        "a criterion removed",
        replace(L, criteria=L.criteria[:3]),
        {("criterion_removed", "abstention", "")},
    ),
    ("a threshold", with_threshold(L, 1), {("threshold", "", "1")}),
    ("another decision rule", with_another_rule(L), {("verdict", "", "1")}),
    (
        "the kind of a criterion",
        with_criterion(L, "format", kind=CriterionKind.SECONDARY),
        {("verdict", "format", "")},
    ),
    ("the title", replace(L, title=Words(fr="T", en="T")), {("wording", "", "")}),
    ("rows that changed places", replace(L, codes=L.codes[::-1]), {("wording", "", "")}),
]


@pytest.mark.parametrize(("edited", "found"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_every_edit_is_found_and_classified(edited, found):
    edits = compare(L, edited)
    assert {(str(e.kind), e.criterion, e.target) for e in edits} == found


def test_a_level_removed_is_found():
    edits = compare(with_level(L, "format", 3), L)
    assert [(e.kind, e.criterion, e.target) for e in edits] == [(EditKind.LEVEL_REMOVED, "format", "3")]


def test_nothing_is_no_edit():
    assert compare(L, replace(L, version=9, date="2030-01-01")) == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: f"  {text}\r\n",
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.replace("\n", "\r\n"),
    ],
    ids=["blanks and line ends", "another Unicode form", "line ends inside"],
)
def test_blanks_line_ends_and_unicode_form_are_no_edit(change):
    anchor = L.criterion("format").anchor(0)
    edited = replace(
        anchor,
        description=Words(fr=change(anchor.description.fr), en=change(anchor.description.en)),
        example=Words(fr=change(anchor.example.fr), en=change(anchor.example.en)),
    )
    others = L.criterion("format").anchors[1:]
    assert compare(L, with_criterion(L, "format", anchors=(edited, *others))) == ()


def test_a_declared_text_is_wording_or_covered_on_its_own_criterion_only():
    edited = with_anchor(with_anchor(with_cap(L, "fence", None), "format", 1, "x"), "accuracy", 1, "y")
    kinds = {
        (e.kind, e.criterion) for e in compare(L, edited, Declared(covered=frozenset({"format"}))) if e.field
    }
    assert kinds == {(EditKind.COVERED, "format"), (EditKind.MEANING, "accuracy")}
    declared = Declared(wording=frozenset({"accuracy"}), covered=frozenset({"format"}))
    kinds = {(e.kind, e.criterion) for e in compare(L, edited, declared) if e.field}
    assert kinds == {(EditKind.COVERED, "format"), (EditKind.WORDING, "accuracy")}


@pytest.mark.parametrize(
    ("declared", "code"),
    [
        (Declared(wording=frozenset({"style"})), "declared_unknown"),
        (Declared(wording=frozenset({"format"}), covered=frozenset({"format"})), "declared_twice"),
        (Declared(covered=frozenset({"accuracy"})), "covered_by_nothing"),
        (Declared(wording=frozenset({"accuracy"})), "declared_nothing"),
    ],
)
def test_a_declaration_that_fits_nothing_is_told(declared, code):
    edited = with_anchor(with_cap(L, "fence", None), "format", 1, "x")
    edits = compare(L, edited, declared)
    assert [p.code for p in faults_of(declared, edited, edits)] == [code]


def test_both_texts_of_an_edit_are_kept():
    (edit,) = compare(L, with_anchor(L, "format", 1, "else"))
    assert (edit.field, edit.before, edit.after) == (
        "description_en",
        L.criterion("format").anchor(1).description.en,
        "else",
    )
