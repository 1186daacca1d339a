"""A revision in words: edits counted as people count them, every figure from the outcome, both languages whole."""

from dataclasses import replace

import pytest

from lark_sheets.core.language import Words
from lark_sheets.core.rescoring import Declared, EditKind, Why, outcome_of, oversight_of, undone
from lark_sheets.core.rescoring.preview import preview
from lark_sheets.core.rescoring.telling import (
    change_row,
    edit_line,
    grouped,
    headline,
    kind_words,
    undo_headline,
    why_words,
)
from lark_sheets.locales import translator
from tests.core.rescoring.demo import (
    GEMMA,
    checks,
    demo_campaign,
    larkfield,
    run_of,
    tolerating_fence,
    with_anchor,
    with_criterion,
)
from tests.core.rescoring.test_edits import with_another_rule, with_threshold

EN, FR = translator("en"), translator("fr")
READY = "ready: ALL(level accuracy = {}; count all at 0 = 0)"
TRUE_BUT_ZERO = sum(r.grades["accuracy"] == 2 and 0 in r.grades.values() for r in demo_campaign().owners())
"""Responses that a rule without "no criterion at 0" would call ready."""


def golden(*, revealed=True, sheet=None, declared=Declared()):  # noqa: B008
    return outcome_of(
        demo_campaign(revealed=revealed),
        sheet or tolerating_fence(),
        date="2026-12-05",
        declared=declared,
        checks=checks,
        run_of=run_of(),
    )


def blocks(outcome, translate=EN, **options):
    return {title.partition(":")[0]: rows for title, rows in preview(outcome, translate, **options)}


def test_the_golden_case_in_a_sentence():
    said = "Version 1 → 2: 29 readings looked at, 22 grades changed, 0 to grade again, 0 decisions changed."
    assert headline(golden(), EN) == said
    assert (
        undo_headline(golden().record, EN)
        == "Version 2 undone, version 1 in force again: 22 grades restored."
    )


def test_the_preview_has_a_table_for_each_question():
    found = blocks(golden())
    assert list(found) == ["Edits", "Grades that change by rule", "Figures", "Agreement"]
    assert found["Edits"][1:] == [["cap of an issue code: Format “code fence”, 1 → tolerated"]]
    gemma = next(row for row in found["Figures"] if row[0] == GEMMA)
    assert gemma == [GEMMA, "19", "0", "111 → 130", "5.78 → 6.77", "6/24"]
    assert [row[1:] for row in found["Agreement"][1:]] == [
        [f"{n} of 28"] * 2 for n in (26, 27, 26, 28, 24, 28)
    ]


def test_in_french_with_a_decimal_comma():
    rows = dict(preview(golden(), FR))["Chiffres"]
    assert next(row for row in rows if row[0] == GEMMA)[4] == "5,78 → 6,77"


def test_before_the_reveal_no_run_is_named():
    rows = blocks(golden(revealed=False))["Figures"]
    assert [row[0] for row in rows[1:]] == ["All responses"]
    assert "Gemma" not in str(preview(golden(revealed=False), EN))


def test_long_lists_are_counted_after_the_first():
    rows = blocks(golden(), most=5)["Grades that change by rule"]
    assert len(rows) == 7
    assert rows[-1][0] == "… and 17 more"


def test_what_goes_to_people_is_named_by_its_cell_and_why():
    outcome = golden(sheet=with_anchor(larkfield(), "format", 1, "x"))
    found = preview(outcome, EN, lambda key, criterion: f"Grading!{criterion}", most=3)
    title, rows = found[-1]
    assert title == "To grade again, by grader: reader-1 192, reader-2 28"
    assert rows[1][1:] == ["reader-1", "Format", "Grading!format", "the anchor means something else now"]


def test_nothing_has_no_preview():
    assert preview(outcome_of(demo_campaign(), larkfield(), date="2026-12-05"), EN) == []


def test_french_and_english_of_one_text_are_one_edit():
    edited = with_criterion(
        larkfield(),
        "format",
        anchors=tuple(
            replace(a, description=Words(fr="x", en="y")) if a.level == 1 else a
            for a in larkfield().criterion("format").anchors
        ),
    )
    outcome = golden(sheet=edited, declared=Declared(wording=frozenset({"format"})))
    assert len(outcome.edits) == 2
    (edit,) = grouped(outcome.edits)
    assert edit.after == "x\ny"
    assert edit_line(edit, outcome, EN) == "wording only: Format level 1"
    assert change_row(edit, outcome, EN)["effect"] == "no grade touched by this edit"


@pytest.mark.parametrize(
    ("sheet", "line", "effect"),
    [
        (
            tolerating_fence(),
            "cap of an issue code: Format “code fence”, 1 → tolerated",
            "22 grades changed, 0 to grade again",
        ),
        (
            with_threshold(larkfield(), 1),
            f"threshold of the decision: row 1, {READY.format(2)} → {READY.format(1)}",
            None,
        ),
        (with_another_rule(larkfield()), None, f"{TRUE_BUT_ZERO} decisions changed"),
    ],
)
def test_an_edit_in_a_line_and_in_the_table_of_changes(sheet, line, effect):
    outcome = golden(sheet=sheet)
    (edit,) = grouped(outcome.edits)
    if line:
        assert edit_line(edit, outcome, EN) == line
    if effect:
        assert change_row(edit, outcome, EN)["effect"] == effect


def test_a_correction_has_its_words_too():
    outcome = oversight_of(demo_campaign(first_pass=True), "fence", date="2026-12-05", checks=checks)
    (edit,) = grouped(outcome.edits)
    assert edit_line(edit, outcome, EN) == "oversight corrected: Format “code fence”"
    assert blocks(outcome)["To grade again, by grader"][1][-1] == "code fence may have been overlooked"


@pytest.mark.parametrize("translate", [EN, FR], ids=["en", "fr"])
def test_every_kind_and_every_why_has_words(translate):
    assert all(kind_words(kind, translate) for kind in EditKind)
    assert all(why_words(why, ["x"], translate) for why in Why)
    assert len({kind_words(kind, translate) for kind in EditKind}) == len(EditKind)


def test_an_undo_of_what_was_told_is_the_identity():
    outcome = golden()
    assert undone(outcome.campaign, outcome.record)[0].readings == demo_campaign().readings
