"""Edits of every kind made on the Rubric sheet by hand, and what the workbook holds after."""

import pytest

from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.cells import Area
from lark_sheets.core.rescoring import EditKind, Why
from lark_sheets.errors import DataError, UsageError
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.recomputing import recompute
from lark_sheets.usecases.rescoring import RescoreRequest, rescore
from lark_sheets.workbook import layout
from lark_sheets.workbook.locate import find_table
from lark_sheets.workbook.pending_changes import changes_kept
from tests.usecases.revising import small_desk


def codes_told(desk):
    return [p.code for p in desk.read().problems]


def clear(desk, table, **wanted):
    """Empty the cells of one row of a table, as a person deletes a row's content."""
    found = find_table(desk.needs.books.read(desk.book), table, ())
    row = next(r for r in found.rows() if all(found.text(r, k) == v for k, v in wanted.items()))
    for column in found.columns.values():
        desk.type_at(found.sheet.name, row, column, None)


def test_a_removed_code_is_still_understood_where_it_was_recorded(small):
    clear(small, layout.CODES, code="fence")
    result = small.apply()
    assert [e.kind for e in result.outcome.edits] == [EditKind.CODE_REMOVED]
    assert len(result.outcome.changes) == 4
    assert codes_told(small) == []
    assert sum("fence" in r.codes for r in small.read().campaign.readings) == 7
    small.rescore(undo=True, author="Grace")
    assert small.read().campaign.rubric.code("fence") is not None
    assert codes_told(small) == []


def test_a_renamed_label_is_wording_and_old_cells_are_still_understood(small):
    small.edit(layout.CODES, {"code": "fence"}, "label_en", "fenced block")
    result = small.apply()
    assert [(e.kind, e.target) for e in result.outcome.edits] == [(EditKind.WORDING, "fence")]
    assert result.outcome.changes == ()
    assert codes_told(small) == []
    assert sum("fence" in r.codes for r in small.read().campaign.readings) == 7


def test_a_code_added_sends_what_it_may_touch_to_people(small):
    small.add_row(layout.CODES, code="emoji", criterion="format", cap=1, label_en="emoji", label_fr="émoji")
    result = small.apply()
    assert {w.why for w in result.outcome.work} == {Why.WITHOUT_CODE}
    assert {w.codes for w in result.outcome.work} == {("emoji",)}
    (first, _) = [load_one(p, small.needs).read for p in result.worklists]
    assert first.campaign.rubric.code("emoji") is not None
    small.rescore(undo=True, author="Grace")
    assert small.rescore().outcome.is_nothing
    assert small.read().campaign.rubric.code("emoji") is None


def test_the_decision_rule_rewrites_the_live_formulas_of_every_row(small):
    """Ready now also asks for format 2: decisions change, grades do not, and the cells say so."""
    small.edit(layout.VERDICT, {"order": "1", "test": "level"}, "target", "format")
    result = small.apply()
    assert [e.kind for e in result.outcome.edits] == [EditKind.VERDICT]
    assert result.outcome.changes == ()
    assert len(result.outcome.decisions) > 0
    read = small.read()
    for reading in read.campaign.readings:
        expected = layout.YES if read.campaign.rubric.decide(reading.grades) == "ready" else layout.NO
        assert read.grades.text(reading.place.row, "verdict") == expected.en
    (first,) = changes_kept(read.book)
    assert first["kind"] == "decision rule"
    assert first["effect"].startswith(str(len(result.outcome.decisions)))


def test_a_threshold_is_a_kind_of_its_own(small):
    small.edit(layout.VERDICT, {"order": "1", "test": "level"}, "number", 1)
    assert [e.kind for e in small.rescore().outcome.edits] == [EditKind.THRESHOLD]


def test_wording_only_makes_a_version_and_touches_no_grade(small):
    before = {k: v[:2] for k, v in small.grades().items()}
    small.edit_anchor("Usable after a small repair")
    result = small.apply(wording=("format",))
    assert {e.kind for e in result.outcome.edits} == {EditKind.WORDING}
    assert {k: v[:2] for k, v in small.grades().items()} == before
    assert small.read().campaign.rubric.version == 2
    assert result.worklists == ()


def test_the_preview_changes_not_a_byte(small):
    small.tolerate_fence()
    small.edit_anchor()
    before = small.book.read_bytes()
    small.rescore()
    small.rescore(covered=("format",))
    assert small.book.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"covered": ("accuracy",)}, "covered_by_nothing"),
        ({"wording": ("style",)}, "declared_unknown"),
        ({"wording": ("format",), "covered": ("format",)}, "declared_twice"),
    ],
)
def test_a_declaration_that_does_not_fit_stops_the_apply(small, options, code):
    small.tolerate_fence()
    before = small.book.read_bytes()
    with pytest.raises(DataError) as told:
        small.apply(**options)
    assert code in [p.code for p in told.value.problems]
    assert small.book.read_bytes() == before


def test_a_rubric_that_cannot_be_is_told_with_every_fault(small):
    small.edit(layout.CODES, {"code": "fence"}, "cap", 7)
    small.edit(layout.CODES, {"code": "grammar"}, "criterion", "style")
    with pytest.raises(DataError) as told:
        small.rescore()
    assert [(p.code, p.item) for p in told.value.problems] == [
        ("rubric_fault", "codes.fence.cap"),
        ("rubric_fault", "codes.grammar.criterion"),
    ]


def test_unreadable_cells_stop_the_apply_and_are_named(small):
    found = small.read().grades
    row = next(iter(found.rows()))
    small.type_at(found.sheet.name, row, found.columns["format"], "1,5")
    small.tolerate_fence()
    assert "unreadable_grade" in [p.code for p in small.rescore().problems]
    with pytest.raises(DataError) as told:
        small.apply()
    assert [p.code for p in told.value.problems] == ["unreadable_grade", "rescore_refused"]


def test_a_graders_workbook_is_no_campaign(small):
    path = small.root / "graders" / "reader-1.xlsx"
    with pytest.raises(UsageError) as told:
        rescore(RescoreRequest(book=path), small.needs)
    assert [p.code for p in told.value.problems] == ["rescore_grader_book"]


def test_an_identical_copy_of_a_row_is_re_scored_with_it(small):
    """A pasted copy counts once; if only one of the two changed, they would contradict each other."""
    read = small.read()
    found = read.grades
    source = next(r.place.row for r in read.campaign.readings if "fence" in r.codes and len(r.codes) == 1)
    area = found.sheet.tables[layout.GRADES_NAME]
    patch = BookPatch()
    for column in found.columns.values():
        value = found.sheet.value(source, column)
        patch.set(found.sheet.name, area.bottom + 1, column, value)  # type: ignore[arg-type]
    patch.grown[layout.GRADES_NAME] = Area(area.top, area.left, area.bottom + 1, area.right)
    small.needs.books.patch(small.book, patch)
    assert "duplicate_row_same" in codes_told(small)
    small.tolerate_fence()
    small.apply()
    assert codes_told(small) == ["duplicate_row_same"]
    small.rescore(undo=True, author="Grace")
    assert codes_told(small) == ["duplicate_row_same"]


class TestUndo:
    def test_nothing_to_undo(self, small):
        with pytest.raises(DataError) as told:
            small.rescore(undo=True, author="Grace")
        assert [p.code for p in told.value.problems] == ["nothing_to_undo"]

    def test_not_over_new_edits(self, small):
        small.tolerate_fence()
        small.apply()
        small.edit_anchor("Newer")
        with pytest.raises(DataError) as told:
            small.rescore(undo=True, author="Grace")
        assert [p.code for p in told.value.problems] == ["undo_rubric_edited"]

    def test_not_over_a_grade_changed_since(self, small):
        small.tolerate_fence()
        result = small.apply()
        change = result.outcome.changes[0]
        found = small.read().grades
        row = next(r.place.row for r in small.read().campaign.readings if r.key == change.key)
        small.type_at(found.sheet.name, row, found.columns["format"], 0)
        before = small.book.read_bytes()
        with pytest.raises(DataError) as told:
            small.rescore(undo=True, author="Grace")
        assert [p.code for p in told.value.problems] == ["undo_refused"]
        assert small.book.read_bytes() == before

    def test_once_only(self, small):
        small.tolerate_fence()
        small.apply()
        small.rescore(undo=True, author="Grace")
        with pytest.raises(DataError) as told:
            small.rescore(undo=True, author="Grace")
        assert [p.code for p in told.value.problems] == ["nothing_to_undo"]

    def test_step_by_step(self, small):
        start = small.grades()
        small.tolerate_fence()
        small.apply()
        middle = small.grades()
        small.edit(layout.CODES, {"code": "over_cautious"}, "cap", None)
        small.apply()
        small.rescore(undo=True, author="Grace")
        assert small.grades() == middle
        small.rescore(undo=True, author="Grace")
        assert small.grades() == start
        assert small.rescore().outcome.is_nothing


class TestNewWorkbook:
    """What a patch of cells cannot do makes a new workbook beside the old one, which stays to the byte."""

    def add_tone(self, desk):
        desk.add_row(
            layout.CRITERIA, criterion="tone", kind="plain", name_fr="Ton", name_en="Tone", judged_by="model"
        )
        for level, text in ((2, "Warm"), (1, "Neutral"), (0, "Cold")):
            desk.add_row(
                layout.ANCHORS, criterion="tone", level=level, description_en=text, description_fr=text
            )

    def test_a_criterion_added(self, small):
        self.add_tone(small)
        before = small.book.read_bytes()
        result = small.apply()
        assert result.workbook.name == "campaign-v2.xlsx"
        assert small.book.read_bytes() == before
        read = load_one(result.workbook, small.needs).read
        assert [c.id for c in read.campaign.rubric.criteria][-1] == "tone"
        assert read.campaign.rubric.version == 2
        assert {r.grades["tone"] for r in read.campaign.readings} == {None}
        old = {r.key: dict(r.grades) for r in small.read().campaign.readings}
        assert {
            r.key: {k: v for k, v in r.grades.items() if k != "tone"} for r in read.campaign.readings
        } == old
        assert [c.id for c in load_one(result.worklists[0], small.needs).read.campaign.rubric.criteria] == [
            "tone"
        ]
        (first,) = changes_kept(read.book)
        assert (first["version"], first["kind"], first["criterion"]) == ("2", "criterion added", "tone")
        with pytest.raises(DataError) as told:
            rescore(RescoreRequest(book=result.workbook, undo=True), small.needs)
        assert [p.code for p in told.value.problems] == ["undo_other_workbook"]

    def test_a_criterion_removed_leaves_the_other_grades(self, small):
        clear(small, layout.CRITERIA, criterion="abstention")
        for level in ("2", "1", "0"):
            clear(small, layout.ANCHORS, criterion="abstention", level=level)
        for code in ("over_cautious", "answered_alone"):
            clear(small, layout.CODES, code=code)
        clear(small, layout.CODES, code="empty", criterion="abstention")
        result = small.apply()
        read = load_one(result.workbook, small.needs).read
        assert [p.code for p in read.problems] == []
        assert [c.id for c in read.campaign.rubric.criteria] == ["accuracy", "completeness", "format"]
        (done,) = recompute([result.workbook], small.needs).computed
        assert done.results.coverage.graded == 12
        assert done.results.overall.points_max == 72

    def test_a_level_removed_blanks_its_grades_and_asks_again(self, small):
        clear(small, layout.ANCHORS, criterion="abstention", level="0")
        for code, criterion in (("answered_alone", "abstention"), ("empty", "abstention")):
            small.edit(layout.CODES, {"code": code, "criterion": criterion}, "cap", 1)
        result = small.apply()
        assert result.workbook.name == "campaign-v2.xlsx"
        assert load_one(result.workbook, small.needs).read.campaign.rubric.criterion("abstention").levels == (
            1,
            2,
        )

    def test_a_criterion_renamed_on_screen(self, small):
        """Its name is the heading of a column: another heading needs another table."""
        small.edit(layout.CRITERIA, {"criterion": "format"}, "name_en", "Form")
        result = small.apply()
        assert result.workbook != small.book
        read = load_one(result.workbook, small.needs).read
        assert {r.key: dict(r.grades) for r in read.campaign.readings} == {
            r.key: dict(r.grades) for r in small.read().campaign.readings
        }

    def test_a_second_press_finds_the_new_workbook_and_leaves_it(self, small):
        self.add_tone(small)
        result = small.apply()
        before = result.workbook.read_bytes()
        again = small.apply()
        assert (again.applied, again.workbook) == (False, result.workbook)
        assert result.workbook.read_bytes() == before

    def test_another_edit_does_not_write_over_it(self, small):
        self.add_tone(small)
        result = small.apply()
        before = result.workbook.read_bytes()
        small.edit_anchor("Other")
        with pytest.raises(UsageError) as told:
            small.apply()
        assert [p.code for p in told.value.problems] == ["already_there"]
        assert result.workbook.read_bytes() == before

    def test_renamed_in_the_other_language_only(self, small):
        small.edit(layout.CRITERIA, {"criterion": "format"}, "name_fr", "Forme")
        result = small.apply()
        assert result.workbook == small.book
        assert codes_told(small) == []


def test_in_french_too(tmp_path):
    desk = small_desk(tmp_path / "campagne", language="fr")
    desk.tolerate_fence()
    desk.add_row(
        layout.CHANGES, author="Camille", kind="sens changé", reason="L’application retire les blocs."
    )
    result = desk.rescore(apply=True)
    assert len(result.outcome.changes) == 4
    (first,) = changes_kept(desk.read().book)
    assert first["author"] == "Camille"
    assert codes_told(desk) == []
    desk.rescore(undo=True, author="Camille")
    assert codes_told(desk) == []
