"""A revision as a patch: only our cells change, our formulas show what they compute, and the Rubric sheet comes back as it was."""

from dataclasses import replace
from pathlib import Path

import pytest

from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.campaign import Grader, LogEntry
from lark_sheets.core.language import Words
from lark_sheets.core.rescoring import Record, outcome_of
from lark_sheets.core.rubric import Anchor, CodeCap, Criterion, CriterionKind, IssueCode
from lark_sheets.core.sealing import sealed, sealed_entries
from lark_sheets.locales import translator
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import build_campaign
from lark_sheets.workbook.codec import ReadBook, read_campaign
from lark_sheets.workbook.discussing import add_disagreements, read_discussions
from lark_sheets.workbook.history import RECORD, kept_records, record_entries, seal_entries
from lark_sheets.workbook.journal import add_rows
from lark_sheets.workbook.locate import find_table
from lark_sheets.workbook.pending_changes import kind_named, pending_changes, write_changes
from lark_sheets.workbook.rescore_patch import campaign_patch
from lark_sheets.workbook.rubric_restoring import restore_rubric
from lark_sheets.workbook.rubric_sheet_reading import sheet_rubric
from tests.factories import BASE, campaign, shipped
from tests.fakes import InMemoryBooks

BOOK = Path("campaign.xlsx")
EN = translator("en")


def coded(one):
    """The campaign with a code on every grade below the top, so that caps explain it."""
    codes = {
        "accuracy": ("wrong_rule", "small_error"),
        "completeness": ("main_answer_missing", "one_point_missing"),
    }
    codes |= {"format": ("invalid_json", "fence"), "abstention": ("answered_alone", "over_cautious")}

    def explained(reading):
        found = [codes[c][level] for c, level in reading.grades.items() if level is not None and level < 2]
        return replace(reading, codes=tuple(found))

    return replace(one, readings=tuple(map(explained, one.readings)))


@pytest.fixture
def books():
    made = InMemoryBooks()
    second = {"g2": {"K01-D": (0, 0, 2, 1), "K02-A": (2, 0, 2, 1)}}
    one = coded(campaign(BASE, more=second, graders=(Grader(name="g1"), Grader(name="g2"))))
    made.write(build_campaign(one, EN), BOOK)
    return made


def read(books) -> ReadBook:
    return read_campaign(books.read(BOOK))


def tolerant(rubric):
    """The rubric that tolerates the fence."""
    return replace(
        rubric,
        codes=tuple(
            replace(c, caps=(CodeCap(criterion="format", cap=None),)) if c.id == "fence" else c
            for c in rubric.codes
        ),
    )


def apply(books, sheet) -> ReadBook:
    before = read(books)
    outcome = outcome_of(before.campaign, sheet, date="2026-12-05")
    entries = [LogEntry(when="t1", who="w", event="rescore", detail="d", version=2)]
    patch = campaign_patch(before, outcome.campaign, log=entries, translate=EN)
    books.patch(BOOK, patch)
    return before


def test_what_is_read_after_the_patch_is_what_the_outcome_said(books):
    before = read(books)
    expected = outcome_of(before.campaign, tolerant(before.campaign.rubric), date="2026-12-05").campaign
    apply(books, tolerant(before.campaign.rubric))
    after = read(books).campaign
    assert after.rubric == expected.rubric
    assert after.readings == expected.readings
    assert [v.version for v in after.versions] == [1, 2]
    assert after.log[-1].event == "rescore"


def test_only_cells_of_ours_are_named(books):
    before = read(books)
    outcome = outcome_of(before.campaign, tolerant(before.campaign.rubric), date="2026-12-05")
    patch = campaign_patch(before, outcome.campaign, log=[], translate=EN)
    found = before.grades
    ours = {"version", *(c.id for c in outcome.campaign.rubric.criteria), "total", "verdict", "state"}
    columns = {found.columns[key] for key in ours}
    rows = {r.place.row for r in before.campaign.readings}
    data = [place for place in patch.cells[found.sheet.name] if place[0] > found.header]
    assert {column for _, column in data} <= columns
    assert {row for row, _ in data} <= rows
    assert "Tickets" not in patch.cells
    assert patch.grown == {}


def test_formulas_show_what_they_compute_even_where_columns_were_moved(books):
    """The grading table is found by names: moved one column to the right, every formula follows."""
    moved = books.read(BOOK)
    sheet = next(s for s in moved.sheets if layout.GRADES_NAME in s.tables)
    area = sheet.tables[layout.GRADES_NAME]
    sheet.rows = [[None, *row] for row in sheet.rows]
    sheet.tables = {layout.GRADES_NAME: area._replace(left=area.left + 1, right=area.right + 1)}
    sheet.marks = {(row, column + 1): mark for (row, column), mark in sheet.marks.items()}
    books.books[BOOK] = moved
    apply(books, tolerant(shipped()))
    now = read(books)
    for reading in now.campaign.readings:
        complete = sum(level for level in reading.grades.values())
        assert now.grades.value(reading.place.row, "total") == complete
    _, patch = books.patches[-1]
    total = now.grades.columns["total"]
    rewritten = {
        row: cell.formula
        for (row, column), cell in patch.cells[now.grades.sheet.name].items()
        if column == total
    }
    assert len(rewritten) == 2
    assert all(str(row) in formula for row, formula in rewritten.items())


def test_rows_whose_grades_stay_only_get_the_new_version(books):
    apply(books, tolerant(shipped()))
    now = read(books)
    _, patch = books.patches[-1]
    changed = {r.place.row for r in now.campaign.readings if "fence" in r.codes}
    for row, column in patch.cells[now.grades.sheet.name]:
        if row > now.grades.header and row not in changed:
            assert column == now.grades.columns["version"]


def test_the_log_grows_when_its_spare_rows_are_used_up(books):
    found = find_table(books.read(BOOK), layout.LOG_TABLE, ())
    rows = [{"when": "t", "who": "w", "event": "e", "detail": str(n)} for n in range(layout.LOG_TABLE.spare)]
    patch = BookPatch()
    add_rows(patch, books.read(BOOK), layout.LOG_TABLE, rows)
    books.patch(BOOK, patch)
    before = found.sheet.tables[layout.LOG_TABLE.name].bottom
    apply(books, tolerant(shipped()))
    assert find_table(books.read(BOOK), layout.LOG_TABLE, ()).last == before + 1
    assert read(books).campaign.log[-1].event == "rescore"


# -- the Rubric sheet ------------------------------------------------------------------------------------------------------


def tone():
    levels = tuple(Anchor(level=n, description=Words(en=f"level {n}")) for n in range(2))
    return Criterion(
        id="tone", kind=CriterionKind.PLAIN, name=Words(en="Tone"), question=Words(), anchors=levels
    )


EMOJI = IssueCode(id="emoji", label=Words(en="emoji"), caps=(CodeCap(criterion="format", cap=1),))


@pytest.mark.parametrize(
    "edited",
    [
        tolerant,
        lambda r: replace(r, codes=(*r.codes, EMOJI)),
        lambda r: replace(r, codes=(EMOJI, *r.codes)),
        lambda r: replace(r, codes=r.codes[1:]),
        lambda r: replace(r, codes=r.codes[::-1]),
        lambda r: replace(r, criteria=(*r.criteria, tone())),
        lambda r: replace(r, criteria=r.criteria[::-1]),
        lambda r: replace(r, verdict=r.verdict[-1:]),
    ],
    ids=[
        "cap",
        "added last",
        "added first",
        "removed",
        "turned round",
        "criterion",
        "criteria turned",
        "rule",
    ],
)
def test_the_rubric_sheet_comes_back_whatever_was_edited(edited):
    """The sheet shows the edited rubric; restored, it shows the former one, to the fingerprint."""
    rubric = shipped()
    made = InMemoryBooks()
    other = edited(rubric)
    names = {c.id for c in other.criteria}
    codes = tuple(c for c in other.codes if all(cap.criterion in names for cap in c.caps))
    one = replace(campaign(BASE), rubric=replace(other, codes=codes))
    if names != {c.id for c in rubric.criteria}:
        one = replace(one, readings=tuple(replace(r, grades=dict.fromkeys(names)) for r in one.readings))
    made.write(build_campaign(one, EN), BOOK)
    patch = BookPatch()
    restore_rubric(patch, made.read(BOOK), rubric)
    made.patch(BOOK, patch)
    assert sheet_rubric(made.read(BOOK), rubric).fingerprint == rubric.fingerprint


def test_a_row_that_stays_keeps_what_stands_beside_it(books):
    """Own columns of a coordinator lie beside the tables; undo of an added row moves nothing."""
    found = find_table(books.read(BOOK), layout.CODES, ())
    patch = BookPatch()
    add_rows(patch, books.read(BOOK), layout.CODES, [{"code": "emoji", "criterion": "format", "cap": 1}])
    books.patch(BOOK, patch)
    back = BookPatch()
    restore_rubric(back, books.read(BOOK), shipped())
    assert {row for row, _ in back.cells[found.sheet.name]} == {found.last + 1}


def test_nothing_to_restore_is_nothing(books):
    patch = BookPatch()
    restore_rubric(patch, books.read(BOOK), shipped())
    assert patch.is_empty


# -- the table of changes --------------------------------------------------------------------------------------------------


def test_kinds_are_understood_in_both_languages():
    assert [kind_named(t) for t in ("Wording only", "formulation SEULEMENT", "covered", "?", "")] == [
        "wording",
        "wording",
        "covered",
        "",
        "",
    ]


def test_what_a_person_typed_is_never_overwritten(books):
    patch = BookPatch()
    add_rows(patch, books.read(BOOK), layout.CHANGES, [{"author": "Amira", "reason": "Mine."}])
    books.patch(BOOK, patch)
    pending, problems = pending_changes(books.read(BOOK))
    assert problems == []
    patch = BookPatch()
    rows = [
        {"version": 2, "author": "Grace", "reason": "Hers.", "criterion": "format", "effect": "a"},
        {"version": 2, "author": "Grace", "reason": "Hers.", "criterion": "accuracy", "effect": "b"},
    ]
    write_changes(patch, books.read(BOOK), rows, pending, {"version": 2})
    books.patch(BOOK, patch)
    found = find_table(books.read(BOOK), layout.CHANGES, ())
    said = [
        [found.text(row, key) for key in ("version", "author", "reason", "effect")] for row in found.rows()
    ]
    assert said == [["2", "Amira", "Mine.", "a"], ["2", "Grace", "Hers.", "b"]]
    assert pending_changes(books.read(BOOK)) == ([], [])


# -- history ---------------------------------------------------------------------------------------------------------------


def test_a_long_record_is_kept_in_pieces_and_read_again():
    changes = tuple(((f"r{n:08}", "reader-1", 1), "format", 1, 2) for n in range(2_000))
    record = Record(version=2, former=1, changes=changes)
    entries = record_entries(record, "2026-12-05T10:00:00", "Grace")
    assert len(entries) > 2
    assert all(len(entry.detail) <= layout.CELL_LIMIT for entry in entries)
    assert kept_records(entries) == [record]


def test_a_record_that_lost_a_piece_is_left_out():
    record = Record(version=2, former=1)
    (entry,) = record_entries(record, "t", "w")
    assert kept_records([replace(entry, detail=entry.detail[:-5])]) == []
    assert kept_records([LogEntry(when="t", who="w", event=RECORD, detail="[]")]) == []


def test_seals_are_renewed_for_what_a_rule_changed_and_kept_for_what_a_hand_changed():
    before = campaign(BASE)
    log = tuple(sealed_entries(before, "2026-12-01", "w", 30_000))
    by_hand = replace(before.readings[0], grades={**before.readings[0].grades, "format": 0})
    now = replace(before, log=log, readings=(by_hand, *before.readings[1:]))
    after = replace(
        now, readings=tuple(replace(r, grades={**r.grades, "abstention": 0}) for r in now.readings)
    )
    (entry,) = seal_entries(now, after, "2026-12-02", "w")
    fresh, old = sealed([entry]), sealed(log)
    first = f"{by_hand.response}|g1|1"
    assert fresh[first] == old[first]
    assert all(fresh[key] != old[key] for key in old if key != first)


def test_without_a_seal_none_is_made():
    assert seal_entries(campaign(BASE), campaign(BASE), "t", "w") == []


# -- discussions -----------------------------------------------------------------------------------------------------------


def discuss_row(books):
    return find_table(books.read(BOOK), layout.DISCUSS_TABLE, ())


def type_into(books, **values):
    found = discuss_row(books)
    row = next(iter(found.rows()))
    patch = BookPatch()
    for key, value in values.items():
        patch.set(found.sheet.name, row, found.columns[key], value)
    books.patch(BOOK, patch)


@pytest.mark.parametrize(
    ("typed", "agreed", "told"),
    [
        ({"outcome": "anchor kept", "agreed": 2}, {"format": 2}, []),
        ({"outcome": "repère maintenu", "agreed": 1}, {"format": 1}, []),
        ({"agreed": 2}, {"format": 2}, []),
        ({"outcome": "anchor sharpened", "agreed": 2}, None, []),
        ({"outcome": "anchor kept"}, None, ["discussion_unclear"]),
        ({"outcome": "anchor kept", "agreed": "1,5"}, None, ["discussion_unclear"]),
        ({"outcome": "average", "agreed": 1}, None, ["discussion_unclear"]),
    ],
)
def test_how_a_discussion_ended_is_read_from_its_row(books, typed, agreed, told):
    type_into(books, **typed)
    now = read(books)
    assert now.campaign.agreed.get("k01-d") == agreed
    assert [p.code for p in now.problems] == told
    assert all(p.cell for p in now.problems)


def test_an_agreed_grade_counts_for_the_response_and_not_for_the_agreement(books):
    from lark_sheets.core.scoring import agreement_of_readings, counted_grades

    type_into(books, outcome="anchor kept", agreed=2)
    now = read(books).campaign
    owner = next(r for r in now.owners() if r.response == "k01-d")
    assert (owner.grades["format"], counted_grades(now, owner)["format"]) == (1, 2)
    assert agreement_of_readings(now).criteria["format"].equal == 1


def test_disagreements_that_arrive_later_get_a_row_once(books):
    now = read(books)
    changed = tuple(
        replace(r, grades={**r.grades, "accuracy": 1}) if r.grader == "g2" and r.response == "k02-a" else r
        for r in now.campaign.readings
    )
    after = replace(now.campaign, readings=changed)
    patch = BookPatch()
    assert add_disagreements(patch, now.book, after) == 1
    books.patch(BOOK, patch)
    assert len(list(discuss_row(books).rows())) == 2
    assert add_disagreements(BookPatch(), books.read(BOOK), after) == 0


def test_a_revision_moves_agreed_grades_on_the_sheet(books):
    type_into(books, outcome="anchor kept", agreed=1)
    before = read(books)
    outcome = outcome_of(before.campaign, tolerant(shipped()), date="2026-12-05")
    moved = {(a.response, a.criterion): (a.old, a.new) for a in outcome.agreed}
    assert moved == {("k01-d", "format"): (1, 2)}
    books.patch(BOOK, campaign_patch(before, outcome.campaign, log=[], agreed=moved, translate=EN))
    now = read(books)
    assert now.campaign.agreed == {"k01-d": {"format": 2}}
    found = discuss_row(books)
    row = next(iter(found.rows()))
    assert (found.value(row, "first_grade"), found.value(row, "second_grade")) == (2, 2)
    back = {key: (new, old) for key, (old, new) in moved.items()}
    books.patch(BOOK, campaign_patch(now, before.campaign, log=[], agreed=back, translate=EN))
    assert read(books).campaign.agreed == {"k01-d": {"format": 1}}


def test_a_voided_agreement_opens_the_discussion_again_and_undo_closes_it(books):
    type_into(books, outcome="anchor kept", agreed=0)
    before = read(books)
    outcome = outcome_of(before.campaign, tolerant(shipped()), date="2026-12-05")
    moved = {(a.response, a.criterion): (a.old, a.new) for a in outcome.agreed}
    assert moved == {("k01-d", "format"): (0, None)}
    books.patch(BOOK, campaign_patch(before, outcome.campaign, log=[], agreed=moved, translate=EN))
    assert read(books).campaign.agreed == {}
    assert read_discussions(books.read(BOOK), shipped()) == ([], [])
    back = {key: (new, old) for key, (old, new) in moved.items()}
    books.patch(BOOK, campaign_patch(read(books), before.campaign, log=[], agreed=back, translate=EN))
    assert read(books).campaign.agreed == {"k01-d": {"format": 0}}
