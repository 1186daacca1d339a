"""The golden case in a workbook: edit the Rubric sheet, press, look, apply, press again, take back."""

import zipfile
from collections import Counter
from fractions import Fraction

import pytest

from lark_sheets.core.scoring import agreement_of_readings, summarise_run
from lark_sheets.errors import UsageError
from lark_sheets.usecases.keys import find_key
from lark_sheets.usecases.recomputing import recompute
from lark_sheets.usecases.revealing import reveal
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import build_campaign
from lark_sheets.workbook.build.guide import MARK_COLUMN
from lark_sheets.workbook.history import RESCORED, UNDONE
from lark_sheets.workbook.pending_changes import changes_kept

GEMMA = "Gemma 3 4B (local)"
GEMINI_PRO = "Gemini 3.1 Pro (preview)"


FORMS = {"cap alone": {}, "cap and anchor, covered": {"covered": ("format",)}}


@pytest.fixture(scope="module", params=FORMS)
def applied(made_demo, tmp_path_factory, request):
    """The demo with the fence tolerated (in the second form the anchor says so too): shown, applied; nothing here changes it again."""
    desk = made_demo.copy_to(tmp_path_factory.mktemp("golden") / "campaign")
    desk.tolerate_fence()
    declared = FORMS[request.param]
    if declared:
        desk.edit_anchor()
    shown = desk.rescore(**declared)
    return desk, declared, shown, desk.apply(**declared)


def per_run(desk):
    campaign = desk.read().campaign
    run_of = find_key(campaign, desk.book, desk.needs.files).run_of
    return {
        run: summarise_run(campaign, run, [r for r in campaign.owners() if run_of[r.response] == run])
        for run in dict.fromkeys(run_of.values())
    }


def equal(desk):
    agreement = agreement_of_readings(desk.read().campaign)
    return [a.equal for a in agreement.criteria.values()], agreement.all_equal, agreement.all_n


def test_apply_writes_what_the_preview_showed(applied):
    desk, _, shown, done = applied
    assert not shown.applied
    assert len(shown.outcome.changes) == 22
    assert done.applied
    assert done.backup.exists()
    assert done.worklists == ()
    after = desk.read()
    assert after.problems == []
    assert after.campaign.rubric.version == 2
    assert {r.key: dict(r.grades) for r in after.campaign.readings} == {
        r.key: dict(r.grades) for r in shown.outcome.campaign.readings
    }
    assert {r.version for r in after.campaign.readings} == {2}


def test_the_figures_of_the_exercise(made_demo, applied):
    desk, _, _, result = applied
    before, after = per_run(made_demo), per_run(desk)
    assert (len(result.outcome.affected.responses), len(result.outcome.affected.carriers)) == (25, 29)
    assert (before[GEMMA].points, after[GEMMA].points) == (111, 130)
    assert after[GEMMA].score == Fraction(325, 48)  # 6.77
    assert before[GEMMA].ready == after[GEMMA].ready == 6
    assert (before[GEMINI_PRO].points, after[GEMINI_PRO].points) == (190, 191)
    assert after[GEMINI_PRO].score == Fraction(955, 96)  # 9.95
    assert all(before[run] == after[run] for run in before if run not in (GEMMA, GEMINI_PRO))
    assert result.outcome.decisions == ()
    assert equal(desk) == ([26, 27, 26, 28], 24, 28)


def test_a_second_press_changes_not_a_byte(applied):
    desk, declared, _, _ = applied
    before = desk.book.read_bytes()
    again = desk.apply(**declared)
    assert (again.applied, again.backup, again.worklists) == (False, None, ())
    assert again.outcome.is_nothing
    assert desk.book.read_bytes() == before


def test_undo_restores_grades_and_the_rubric_sheet(applied, made_demo, tmp_path):
    desk = applied[0].copy_to(tmp_path / "copy")
    original = made_demo.read()
    back = desk.rescore(undo=True, author="Grace", reason="Too early.")
    assert back.undone.version == 2
    assert desk.grades() == made_demo.grades()
    now = desk.read()
    assert now.problems == []
    assert now.campaign.rubric == original.campaign.rubric
    assert desk.rescore().outcome.is_nothing
    found, there = now.grades, original.grades
    typed = [*(c.id for c in now.campaign.rubric.criteria), "code_1", "code_2", "code_3", "reason", "total"]
    for row in there.rows():
        for key in (*typed, "verdict", "state", "version"):
            assert found.value(row, key) == there.value(row, key)


def test_the_history_tells_what_happened_and_nothing_else(small):
    small.tolerate_fence()
    small.apply()
    small.rescore(undo=True, author="Camille", reason="Too early.")
    log = [(e.event, e.who, e.version) for e in small.read().campaign.log if e.event in (RESCORED, UNDONE)]
    assert log == [(RESCORED, "Grace", 2), (UNDONE, "Camille", 1)]
    (first, second) = changes_kept(small.read().book)
    assert (first["version"], first["author"], first["criterion"]) == ("2", "Grace", "format")
    assert (first["before"], first["after"]) == ("code fence: 1", "code fence: tolerated")
    assert first["effect"] == "4 grades changed, 0 to grade again"
    assert (second["version"], second["author"], second["reason"]) == ("1", "Camille", "Too early.")
    assert [v.version for v in small.read().campaign.versions] == [1, 2]


def test_an_undone_edit_can_be_made_again_under_a_new_number(small):
    small.tolerate_fence()
    small.apply()
    small.rescore(undo=True, author="Grace")
    small.tolerate_fence()
    assert small.apply().campaign.rubric.version == 3
    assert len({r.version for r in small.read().campaign.readings}) == 1


def test_headings_speak_of_the_new_version(small):
    """Wherever a workbook built under the new version says something else than under the old one, this one says it too."""
    former = small.read().campaign
    small.tolerate_fence()
    small.edit_anchor()
    after = small.apply(covered=("format",)).campaign
    before, now = (build_campaign(one, small.needs.translate) for one in (former, after))
    read = {sheet.name: sheet for sheet in small.read().book.sheets}
    differing = Counter()
    for old, new in zip(before.sheets, now.sheets, strict=True):
        last = min([table.area.top for table in new.tables], default=999)
        said = "\n".join(str(value) for row in read[new.name].rows for value in row if isinstance(value, str))
        for place, cell in new.cells.items():
            known = old.cells.get(place)
            if place[0] >= last or known is None or known.value == cell.value:
                continue
            if new.name != "Guide" or place[1] < MARK_COLUMN:
                differing[new.name] += 1
                assert str(cell.value).split(" · ")[-1] in said
                assert str(known.value).split(" · ")[-1] not in said
    assert differing.keys() == {"Guide", "Rubric", "Grading"}


def test_after_the_reveal_runs_are_named_and_what_a_rule_changed_is_no_change_by_hand(small):
    reveal(small.book, small.needs)
    small.tolerate_fence()
    result = small.apply()
    assert Counter({c.run: c.changed for c in result.outcome.runs}) == Counter({GEMMA: 2, GEMINI_PRO: 1})
    codes = {p.code for p in recompute([small.book], small.needs).computed[0].results.problems}
    assert "changed_after_reveal" not in codes
    small.rescore(undo=True, author="Grace")
    codes = {p.code for p in recompute([small.book], small.needs).computed[0].results.problems}
    assert "changed_after_reveal" not in codes


def test_a_change_by_hand_before_the_revision_stays_marked(small):
    reveal(small.book, small.needs)
    found = small.read().grades
    row = next(r.place.row for r in small.read().campaign.readings if r.owner and "fence" not in r.codes)
    small.type_at(found.sheet.name, row, found.columns["accuracy"], 0)
    small.tolerate_fence()
    small.apply()
    told = recompute([small.book], small.needs).computed[0].results.problems
    assert [p.code for p in told if p.code == "changed_after_reveal"] == ["changed_after_reveal"]


def test_before_the_reveal_no_name_of_a_run_is_in_the_workbook(small):
    small.tolerate_fence()
    small.apply()
    with zipfile.ZipFile(small.book) as archive:
        whole = b"".join(archive.read(name) for name in archive.namelist()).decode("utf-8", "replace")
    assert not [run for run in (GEMMA, GEMINI_PRO, "Claude Haiku") if run in whole]


class TestSigning:
    """Author and reason: from a row of the table of changes, or from the command's words."""

    def test_without_them_nothing_is_applied(self, small):
        small.tolerate_fence()
        before = small.book.read_bytes()
        with pytest.raises(UsageError) as told:
            small.rescore(apply=True, author="Grace")
        assert told.value.exit_code == 2
        assert [(p.code, p.found) for p in told.value.problems] == [
            ("change_unsigned", "Reason for the change")
        ]
        assert small.book.read_bytes() == before

    def test_a_preview_needs_none(self, small):
        small.tolerate_fence()
        assert len(small.rescore().outcome.changes) == 4

    @pytest.mark.parametrize("kind", ["covered by the code", "couvert par le code", "covered"])
    def test_the_pending_row_says_who_why_and_what_the_text_means(self, small, kind):
        small.tolerate_fence()
        small.edit_anchor()
        row = small.add_row(
            layout.CHANGES, author="Amira", kind=kind, criterion="format", reason="Fences are stripped."
        )
        result = small.rescore(apply=True)
        assert len(result.outcome.changes) == 4
        first, *others = changes_kept(small.read().book)
        assert (first["author"], first["kind"], first["reason"]) == ("Amira", kind, "Fences are stripped.")
        assert (first["version"], first["criterion"]) == ("2", "format")
        assert [o["author"] for o in others] == ["Amira"]
        assert row > 0

    def test_an_unknown_kind_is_told_by_its_cell(self, small):
        small.tolerate_fence()
        small.add_row(layout.CHANGES, author="Amira", kind="cosmetic", criterion="format", reason="x")
        (told,) = small.rescore().problems
        assert (told.code, told.found) == ("change_kind_unknown", "cosmetic")
        assert told.cell
