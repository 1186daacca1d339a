"""What goes back to graders: a workbook of the touched criteria without old grades, its way home, and what stays refused meanwhile."""

import zipfile
from dataclasses import replace

import pytest

from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.campaign import Reading
from lark_sheets.core.rescoring import Why
from lark_sheets.core.rescoring.regrading import rejoined
from lark_sheets.core.rubric import Level
from lark_sheets.core.scoring import agreement_of_readings
from lark_sheets.errors import DataError, Severity
from lark_sheets.usecases.gathering import gather_books
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.recomputing import recompute
from lark_sheets.workbook import layout
from lark_sheets.workbook.filling import fill_rows
from lark_sheets.workbook.history import CORRECTED, kept_records
from tests.factories import shipped


def fill(desk, path, grade):
    """Grade a work-list as its grader would: ``grade`` gives (level, codes, reason) for a reading."""
    read = load_one(path, desk.needs).read
    patch = BookPatch()
    filled = []
    for reading in read.campaign.readings:
        level, codes, reason = grade(reading)
        grades = dict.fromkeys(reading.grades, level)
        filled.append(replace(reading, grades=grades, codes=codes, reason=reason))
    fill_rows(patch, read, filled)
    desk.needs.books.patch(path, patch)


def text_of(path):
    with zipfile.ZipFile(path) as archive:
        return b"".join(archive.read(n) for n in archive.namelist()).decode("utf-8", "replace")


@pytest.fixture
def revised(small):
    """The format anchor means something else: every reading of the criterion goes back."""
    small.edit_anchor("Fine after a touch-up, and never signed")
    return small, small.apply()


def test_every_grader_gets_a_workbook_of_the_touched_criterion(revised):
    desk, result = revised
    assert [p.name for p in result.worklists] == ["reader-1-v2.xlsx", "reader-2-v2.xlsx"]
    read = load_one(result.worklists[0], desk.needs).read
    assert [c.id for c in read.campaign.rubric.criteria] == ["format"]
    assert len(read.campaign.readings) == 12
    assert all(r.is_blank and r.version == 2 for r in read.campaign.readings)
    assert {c.id for c in read.campaign.rubric.codes} >= {"fence", "grammar", "empty"}
    assert "small_error" not in {c.id for c in read.campaign.rubric.codes}


def test_no_old_grade_code_or_reason_is_in_the_file(revised):
    desk, result = revised
    before = desk.read().campaign
    text = text_of(result.worklists[0])
    reasons = [r.reason for r in before.readings if r.reason and r.grader == "reader-1"]
    assert reasons
    assert not [reason for reason in reasons if reason[:25] in text]
    found = load_one(result.worklists[0], desk.needs).read.grades
    typed = ("format", "code_1", "code_2", "code_3", "reason")
    assert {found.value(row, key) for row in found.rows() for key in typed} == {None}
    assert "accuracy" not in found.columns


def test_meanwhile_nothing_stale_is_compared_or_counted(revised):
    desk, result = revised
    (done,) = recompute([desk.book], desk.needs).computed
    assert done.results.coverage.stale == 12
    assert done.results.coverage.graded == 0
    assert done.results.agreement.shared == 0
    (told,) = [p for p in done.results.problems if p.code == "stale_grades"]
    assert told.severity is Severity.ERROR
    assert told.parameters["count"] == 15
    assert {w.why for w in result.outcome.work} == {Why.MEANING}


def test_mixed_versions_are_let_in_only_with_the_mark(revised):
    desk, _ = revised
    (done,) = recompute([desk.book], desk.needs, allow_mixed=True).computed
    assert done.results.mixed
    assert done.results.coverage.graded == 12


def test_the_answers_come_home_and_nothing_else_moves(revised):
    desk, result = revised
    before = {r.key: r for r in desk.read().campaign.readings}
    fill(desk, result.worklists[0], lambda r: (1, ("grammar",), "Signed."))
    done = gather_books(desk.book, [result.worklists[0]], desk.needs)
    assert (done.written, done.refused) == (12, 0)
    after = desk.read()
    assert [p.code for p in after.problems] == []
    for reading in after.campaign.readings:
        old = before[reading.key]
        if reading.grader != "reader-1":
            assert (dict(reading.grades), reading.codes, reading.version) == (
                dict(old.grades),
                old.codes,
                old.version,
            )
            continue
        assert reading.version == 2
        assert reading.grades == {**old.grades, "format": 1}
        assert "grammar" in reading.codes
        assert "fence" not in reading.codes
        others = [c for c in old.codes if not shipped().code(c).touches("format")]
        assert [c for c in reading.codes if c != "grammar"] == others
        assert reading.reason.startswith("Signed.")
        assert old.reason in reading.reason
    (computed,) = recompute([desk.book], desk.needs).computed
    assert computed.results.coverage.stale == 0
    assert computed.results.coverage.graded == 12


def test_gathering_twice_changes_nothing(revised):
    desk, result = revised
    fill(desk, result.worklists[0], lambda r: (2, (), ""))
    gather_books(desk.book, [result.worklists[0]], desk.needs)
    bytes_before = desk.book.read_bytes()
    again = gather_books(desk.book, [result.worklists[0]], desk.needs)
    assert (again.written, again.refused, again.same) == (0, 0, 12)
    assert desk.book.read_bytes() == bytes_before


def test_recompute_takes_campaign_and_work_list_together(revised):
    desk, result = revised
    for path in result.worklists:
        fill(desk, path, lambda r: (2, (), ""))
    (computed,) = recompute([desk.book, *result.worklists], desk.needs).computed
    assert computed.results.coverage.graded == 12
    assert computed.results.agreement.criteria["format"].equal == 3


def test_a_row_left_blank_stays_with_its_grader(revised):
    desk, result = revised
    first = load_one(result.worklists[0], desk.needs).read.campaign.readings[0].response
    fill(desk, result.worklists[0], lambda r: (None if r.response == first else 2, (), ""))
    done = gather_books(desk.book, [result.worklists[0]], desk.needs)
    assert done.written == 11
    stale = [r for r in desk.read().campaign.readings if desk.read().campaign.is_stale(r)]
    assert first in {r.response for r in stale}


def test_a_second_press_writes_no_file_again_unless_it_is_gone(revised):
    desk, result = revised
    assert desk.apply().worklists == ()
    fill(desk, result.worklists[1], lambda r: (2, (), ""))
    result.worklists[0].unlink()
    filled = result.worklists[1].read_bytes()
    assert desk.apply().worklists == (result.worklists[0],)
    assert result.worklists[1].read_bytes() == filled


def test_undo_is_refused_once_an_answer_changed_a_grade(revised):
    desk, result = revised
    fill(desk, result.worklists[0], lambda r: (0, ("invalid_json",), "No."))
    gather_books(desk.book, [result.worklists[0]], desk.needs)
    before = desk.book.read_bytes()
    with pytest.raises(DataError) as told:
        desk.rescore(undo=True, author="Grace")
    assert [p.code for p in told.value.problems] == ["undo_refused"]
    assert desk.book.read_bytes() == before


def test_undo_names_the_files_that_nobody_should_fill_any_more(revised):
    desk, result = revised
    assert desk.rescore(undo=True, author="Grace").discarded == result.worklists
    done = gather_books(desk.book, [result.worklists[0]], desk.needs)
    assert "other_version" in [p.code for p in done.problems]
    told = {
        p.code for p in recompute([desk.book, result.worklists[0]], desk.needs).computed[0].results.problems
    }
    assert "other_version" in told


def test_each_grade_to_give_again_is_named_by_its_cell(revised):
    desk, result = revised
    found = desk.read().grades
    for work in result.outcome.work:
        sheet, _, cell = result.place(work.key, work.criterion).partition("!")
        assert sheet == found.sheet.name
        assert cell.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ").isdecimal()


def test_graders_with_rows_left_get_them_under_the_new_version(small):
    """A file of the former version is no longer taken, so what was not graded there is handed out again."""
    found = small.read().grades
    row = next(iter(found.rows()))
    patch = BookPatch()
    for key in (
        *(c.id for c in small.read().campaign.rubric.criteria),
        "code_1",
        "code_2",
        "code_3",
        "reason",
    ):
        patch.set(found.sheet.name, row, found.columns[key], None)
    small.needs.books.patch(small.book, patch)
    small.tolerate_fence()
    result = small.apply()
    assert [p.name for p in result.worklists] == ["reader-1-v2-rest.xlsx"]
    read = load_one(result.worklists[0], small.needs).read
    assert len(read.campaign.readings) == 1
    assert [c.id for c in read.campaign.rubric.criteria] == [
        "accuracy",
        "completeness",
        "format",
        "abstention",
    ]
    assert "not_gathered" in [p.code for p in result.problems]
    fill(small, result.worklists[0], lambda r: (2, (), ""))
    assert gather_books(small.book, result.worklists, small.needs).written == 1
    assert not [r for r in small.read().campaign.readings if r.version != 2]


class TestOversight:
    """The first comparison: 26/27/24/28 and 23 of 28 before the fence was noticed, 26/27/26/28 and 24 of 28 after."""

    def equal(self, campaign):
        found = agreement_of_readings(campaign)
        return [a.equal for a in found.criteria.values()], found.all_equal, found.all_n

    def test_before_correction_and_after(self, first_pass, made_demo):
        desk = first_pass
        assert self.equal(desk.read().campaign) == ([26, 27, 24, 28], 23, 28)
        shown = desk.rescore(oversight="code fence")
        assert (len(shown.outcome.affected.responses), len(shown.outcome.affected.carriers)) == (25, 29)
        result = desk.apply(oversight="fence")
        assert [p.name for p in result.worklists] == ["reader-1-v2.xlsx"]
        assert self.equal(desk.read().campaign)[2] == 24
        truth = {r.key: r for r in made_demo.read().campaign.readings}
        formats = {c.id for c in shipped().codes if c.touches("format")}

        def again(reading: Reading) -> tuple[Level | None, tuple[str, ...], str]:
            right = truth[reading.key]
            return right.grades["format"], tuple(c for c in right.codes if c in formats), "fence seen"

        fill(desk, result.worklists[0], again)
        done = gather_books(desk.book, result.worklists, desk.needs)
        assert (done.written, done.refused) == (25, 0)
        assert self.equal(desk.read().campaign) == ([26, 27, 26, 28], 24, 28)
        after = {r.key: (dict(r.grades), set(r.codes)) for r in desk.read().campaign.readings}
        assert after == {key: (dict(r.grades), set(r.codes)) for key, r in truth.items()}

    def test_the_log_keeps_the_agreement_before_apart(self, first_pass):
        first_pass.apply(oversight="fence")
        log = first_pass.read().campaign.log
        assert [e.event for e in log if e.event == CORRECTED] == [CORRECTED]
        (record,) = kept_records(log)
        assert record.oversight == "fence"
        assert record.figures["criteria"]["format"] == [24, 28]
        assert record.figures["all"] == [23, 28]

    def test_a_second_press_is_nothing(self, small):
        small.apply(oversight="fence")
        before = small.book.read_bytes()
        again = small.apply(oversight="fence")
        assert not again.applied
        assert small.book.read_bytes() == before

    def test_not_together_with_edits(self, small):
        small.tolerate_fence()
        with pytest.raises(DataError) as told:
            small.rescore(oversight="fence")
        assert [p.code for p in told.value.problems] == ["oversight_with_edits"]

    def test_a_code_that_does_not_exist(self, small):
        with pytest.raises(DataError) as told:
            small.rescore(oversight="fances")
        assert [(p.code, p.found) for p in told.value.problems] == [("oversight_unknown_code", "fances")]


class TestRejoined:
    """How an answer joins the reading it is for."""

    rubric = shipped()

    def known(self, *codes, **grades):
        levels = {"accuracy": 0, "completeness": 1, "format": 1, "abstention": 2, **grades}
        return Reading(
            response="r", grader="g", owner=True, grades=levels, version=1, codes=codes, reason="old"
        )

    def answer(self, level, *codes, reason="new"):
        return Reading(
            response="r",
            grader="g",
            owner=False,
            grades={"format": level},
            version=2,
            codes=codes,
            reason=reason,
        )

    def test_codes_of_other_criteria_stay_and_those_of_the_criterion_are_replaced(self):
        after = rejoined(self.known("wrong_rule", "fence"), self.answer(1, "grammar"), self.rubric)
        assert after.codes == ("wrong_rule", "grammar")
        assert (after.grades["format"], after.version, after.owner) == (1, 2, True)

    def test_a_code_of_several_criteria_stays(self):
        assert rejoined(self.known("empty"), self.answer(0), self.rubric).codes == ("empty",)

    def test_an_answer_without_a_grade_is_none(self):
        known = self.known("fence")
        assert rejoined(known, self.answer(None), self.rubric) is known

    @pytest.mark.parametrize(("reason", "after"), [("new", "new · old"), ("", "old"), ("old", "old")])
    def test_reasons_are_kept(self, reason, after):
        assert rejoined(self.known(), self.answer(2, reason=reason), self.rubric).reason == after

    def test_a_second_time_is_the_same(self):
        once = rejoined(self.known("wrong_rule", "fence"), self.answer(1, "grammar"), self.rubric)
        assert rejoined(once, self.answer(1, "grammar"), self.rubric) == once


def test_the_table_of_codes_of_a_work_list_fits_its_rubric(revised):
    desk, result = revised
    found = load_one(result.worklists[0], desk.needs).read
    assert found.grades.sheet.name == layout.GRADING.name.en
    assert found.problems[-1].code == "not_graded"


def test_a_name_typed_beside_grades_gets_its_file_too(small):
    """The column of graders is a cell like others: a new hand that took over rows is asked about them."""
    read = small.read()
    row = read.campaign.readings[0].place.row
    small.type_at(read.grades.sheet.name, row, read.grades.columns["grader"], "Zoé")
    small.edit_anchor("Another meaning")
    result = small.apply()
    assert "Zoé-v2.xlsx" in [p.name for p in result.worklists]


def test_two_criteria_at_once_make_one_file_a_set_of_criteria(small):
    """Asked on format alone, or on format and accuracy: nobody grades a criterion that was not touched for that row."""
    small.edit_anchor("Another meaning")
    small.edit(layout.CODES, {"code": "small_error"}, "cap", 0)
    result = small.apply()
    names = sorted(p.name for p in result.worklists if p.name.startswith("reader-1"))
    assert names == ["reader-1-v2-accuracy-format.xlsx", "reader-1-v2-format.xlsx"]
    both, one = (load_one(small.root / "graders" / name, small.needs).read.campaign for name in names)
    assert [c.id for c in both.rubric.criteria] == ["accuracy", "format"]
    assert [c.id for c in one.rubric.criteria] == ["format"]
    assert len(both.readings) + len(one.readings) == 12
