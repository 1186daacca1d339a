"""Drift and discussions from a workbook: dated events, revisions that touched a criterion, agreement kept apart."""

from lark_sheets.core.bookplan import BookPatch
from lark_sheets.usecases.drifting import find_discussed, find_drift
from lark_sheets.workbook import layout
from lark_sheets.workbook.locate import find_table


def test_events_with_a_date_and_revisions_are_told(small):
    small.tolerate_fence()
    small.apply()
    found = find_drift(small.book, small.needs)
    assert [entry.event for entry in found.dates] == ["import", "import", "rescore"]
    touched = {s.criterion: s.revisions for s in found.drift.shifts if s.grader == "reader-1"}
    assert (touched["format"], touched["accuracy"]) == ((2,), ())


def test_an_undone_revision_touched_nothing(small):
    small.tolerate_fence()
    small.apply()
    small.rescore(undo=True, author="Grace")
    assert {s.revisions for s in find_drift(small.book, small.needs).drift.shifts} == {()}


def test_agreement_before_and_after_the_discussions_stand_apart(small):
    before = find_discussed(small.book, small.needs)
    assert [(d.criterion, d.gap) for d in before.disagreements] == [("accuracy", 1)]
    assert before.before.all_equal == before.after.all_equal == 2
    found = find_table(small.needs.books.read(small.book), layout.DISCUSS_TABLE, ())
    row = next(iter(found.rows()))
    patch = BookPatch()
    patch.set(found.sheet.name, row, found.columns["outcome"], layout.DISCUSS_OUTCOMES["kept"].en)
    patch.set(found.sheet.name, row, found.columns["agreed"], 0)
    small.needs.books.patch(small.book, patch)
    after = find_discussed(small.book, small.needs)
    assert (after.before.all_equal, after.after.all_equal) == (2, 3)


def test_the_second_readers_differences_stand_on_the_to_discuss_sheet(small):
    """They arrived by import, after the workbook was made."""
    found = find_table(small.needs.books.read(small.book), layout.DISCUSS_TABLE, ())
    rows = [
        [found.text(row, key) for key in ("item", "criterion", "first", "second")] for row in found.rows()
    ]
    assert rows == [["S07", "accuracy", "reader-1", "reader-2"]]


def test_an_anchor_to_sharpen_is_asked_for_until_it_is_edited(small):
    found = find_table(small.needs.books.read(small.book), layout.DISCUSS_TABLE, ())
    row = next(iter(found.rows()))
    small.type_at(found.sheet.name, row, found.columns["outcome"], "anchor sharpened")
    (told,) = small.rescore().problems
    assert (told.code, told.found) == ("sharpened_without_edit", "accuracy")
    small.edit_anchor("A slip; a rule quoted too early is no slip", criterion="accuracy", level="1")
    result = small.apply()
    assert "sharpened_without_edit" not in [p.code for p in result.problems]
    assert {w.criterion for w in result.outcome.work} == {"accuracy"}
    assert len({w.key for w in result.outcome.work}) == 15
