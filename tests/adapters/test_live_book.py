"""The open workbook, through xlwings on LibreOffice, is read and changed as its file would be."""

import dataclasses
import datetime as dt
import shutil
import threading

import openpyxl
import pytest
from hypothesis import given, strategies as st
from openpyxl.worksheet.protection import SheetProtection

from lark_sheets.adapters.books import FileBooks
from lark_sheets.adapters.live_book import LiveBooks
from lark_sheets.adapters.live_book.panel import StatusBarProgress
from lark_sheets.adapters.live_book.writing import as_input, comparable_formula, rectangles
from lark_sheets.core.bookplan import BookPatch, BookPlan, ColumnPlan, ListPlan, SheetPlan, Style, TablePlan
from lark_sheets.core.cells import Area, Mark
from lark_sheets.errors import DataError, MissingPiece
from tests.live import IN_OFFICE

FILES = FileBooks()
OPEN = Style(locked=False)
TEXTS = [
    "plain",
    "=1+1",
    "+1",
    "-1",
    "@x",
    "2",
    "2,0",
    "TRUE",
    "1-2",
    "2026-03-04",
    "'quoted",
    "two\nlines",
    "é ’ “ ２",
    "#N/A",
]


LAYOUT = ("name", "rows", "tables", "merged", "hidden_rows", "hidden_columns", "visible")


@pytest.fixture
def path(tmp_path):
    """A workbook with all that a cell may hold: a protected sheet with a table, merged and hidden cells, a hidden sheet."""
    sheet = SheetPlan(name="Grades of é", protected=True)
    for column, title in enumerate(["Id", "Text", "Level", "Total", "Note"], 1):
        sheet.put(3, column, title)
    for row, text in enumerate(TEXTS, 4):
        sheet.put(row, 1, f"r{row}")
        sheet.put(row, 2, text)
        if row % 3:
            sheet.put(row, 3, row % 2 or 0.5, OPEN)
        total = row % 3 and (row % 2 or 0.5) + 1
        sheet.put(row, 4, total or "", formula=f'=IF(C{row}="","",C{row}+1)')
        sheet.put(row, 5, None, OPEN)
    last = 3 + len(TEXTS)
    sheet.tables.append(TablePlan(name="tblThing", area=Area(3, 1, last, 5)))
    sheet.put(1, 1, "merged")
    sheet.merged.append(Area(1, 1, 1, 3))
    sheet.put(1, 5, 1, Style(number_format="yyyy-mm-dd"))
    sheet.put(2, 5, 45_000, Style(number_format="yyyy-mm-dd"))
    sheet.put(2, 6, True, formula="=A1<>A2")
    sheet.put(2, 7, True)
    sheet.hidden_rows = {5, 6, 9}
    sheet.columns = {1: ColumnPlan(width=9, hidden=True), 2: ColumnPlan(width=30)}
    sheet.lists.append(ListPlan(areas=[Area(4, 3, last, 3)], values=("0", "1")))
    other = SheetPlan(name="Other", visible=False)
    other.put(2, 2, "far", OPEN)
    other.put(3, 3, 1.5, formula="='Grades of é'!C4+1")
    target = tmp_path / "book.xlsx"
    FILES.write(BookPlan(sheets=[sheet, other]), target)
    return target


@pytest.fixture
def live(app):
    return LiveBooks(app, FILES)


def plain(book):
    """What was read, in a form to compare: a blank is None, an empty text too, blank ends are dropped."""
    sheets = []
    for sheet in book.sheets:
        rows = [[sheet.value(r, c) for c in range(1, len(row) + 1)] for r, row in enumerate(sheet.rows, 1)]
        for row in rows:
            while row and row[-1] is None:
                row.pop()
        while rows and not rows[-1]:
            rows.pop()
        facts = dataclasses.asdict(sheet) | {
            "rows": rows,
            "marks": dict(sheet.marks),
            "merged": sorted(sheet.merged),
        }
        sheets.append(facts | {"hidden_rows": {r for r in sheet.hidden_rows if r <= len(rows)}})
    return sheets


class TestReading:
    pytestmark = IN_OFFICE

    def test_an_open_book_reads_as_its_file(self, app, live, path):
        """Values, marks, tables, merged and hidden cells, hidden sheets: all alike."""
        app.books.open(str(path))

        assert plain(live.read(path)) == plain(FILES.read(path))

    def test_it_holds_what_the_fixture_put_there(self, app, live, path):
        """The comparison above would hold for two empty readings."""
        app.books.open(str(path))
        sheet = live.read(path).sheets[0]

        assert [sheet.value(row, 2) for row in range(4, 4 + len(TEXTS))] == TEXTS
        assert sheet.marks[1, 5] is Mark.DATE
        assert sheet.value(1, 5) == 1
        assert sheet.value(2, 5) == dt.date(2023, 3, 15)
        assert sheet.value(2, 7) is True
        assert sheet.hidden_rows == {5, 6, 9}
        assert sheet.tables == {"tblThing": Area(3, 1, 3 + len(TEXTS), 5)}

    def test_an_error_is_told_from_a_text_that_looks_like_one(self, app, live, path):
        book = app.books.open(str(path))
        book.sheets[1].range("A1").value = "=NA()"
        book.sheets[1].range("A2").value = "'#N/A"
        sheet = live.read(path).sheets[1]

        assert [sheet.value(1, 1), sheet.value(2, 1)] == ["#N/A", "#N/A"]
        assert [sheet.marks.get((1, 1)), sheet.marks.get((2, 1))] == [Mark.ERROR, None]

    def test_what_is_typed_and_not_saved_is_read(self, app, live, path):
        book = app.books.open(str(path))
        book.sheets[0].range("E4").value = "typed just now"

        assert live.read(path).sheets[0].value(4, 5) == "typed just now"
        assert FILES.read(path).sheets[0].value(4, 5) is None

    def test_a_book_that_is_not_open_is_read_as_a_file(self, app, live, path, tmp_path):
        """Another book of the same name, elsewhere, is another book."""
        other = tmp_path / "elsewhere" / path.name
        other.parent.mkdir()
        shutil.copy(path, other)
        app.books.open(str(other)).sheets[0].range("E4").value = "elsewhere"

        assert live.find(path) is None
        assert live.read(path).sheets[0].value(4, 5) is None

    def test_formats_alone_do_not_make_a_sheet_long(self, app, live, path):
        book = app.books.open(str(path))
        book.sheets[1].range("A1:AD400000").color = (255, 255, 0)

        assert len(live.read(path).sheets[1].rows) == 3


def patch_of(texts):
    patch = BookPatch()
    for row, text in enumerate(texts, 4):
        patch.set("Grades of é", row, 5, text)
        patch.set("Grades of é", row, 3, 1)
    patch.set("Grades of é", 4, 4, 2, formula='=IF(C4="","",C4+1)')
    patch.set("Grades of é", 5, 4, 4, formula='=IF(C5="","",C5+3)')
    patch.set("Other", 3, 3, 2, formula="='Grades of é'!C4+1")
    patch.set("Other", 9, 1, 2.5)
    patch.set("Other", 2, 2, None)
    return patch


class TestPatching:
    pytestmark = IN_OFFICE

    def test_an_open_book_is_changed_as_its_file(self, app, live, path, tmp_path):
        """The same patch on the file and on the open book gives the same book; what the spreadsheet saved reads alike."""
        copy = tmp_path / "copy" / path.name
        copy.parent.mkdir()
        shutil.copy(path, copy)
        FILES.patch(copy, patch_of(TEXTS))
        app.books.open(str(path))

        backup = live.patch(path, patch_of(TEXTS))

        changed = plain(live.read(path))
        assert changed[1]["rows"] == plain(FILES.read(copy))[1]["rows"]
        assert [row[4] for row in changed[0]["rows"][3:]] == TEXTS
        for read, saved in zip(changed, plain(FILES.read(path)), strict=True):
            assert [read[key] for key in LAYOUT] == [saved[key] for key in LAYOUT]
        assert plain(FILES.read(backup))[0]["rows"][3][:3] == ["r4", "plain", 0.5]

    def test_a_second_time_nothing_changes(self, app, live, path):
        app.books.open(str(path))
        live.patch(path, patch_of(TEXTS))
        before = path.read_bytes()

        assert live.patch(path, patch_of(TEXTS)) is None
        assert path.read_bytes() == before

    def test_the_backup_holds_what_was_typed_and_not_saved(self, app, live, path):
        app.books.open(str(path)).sheets[0].range("E9").value = "unsaved"

        backup = live.patch(path, patch_of(TEXTS[:2]))

        assert FILES.read(backup).sheets[0].value(9, 5) == "unsaved"
        assert FILES.read(path).sheets[0].value(9, 5) == "unsaved"

    def test_the_same_protection_stands_afterwards(self, app, live, path):
        app.books.open(str(path))
        live.patch(path, patch_of(TEXTS))

        saved = openpyxl.load_workbook(path)["Grades of é"].protection
        assert saved.sheet
        assert not saved.sort
        assert saved.insertRows
        assert app.books[0].sheets[0].api.isProtected()

    def test_a_persons_formula_is_never_overwritten(self, app, live, path):
        """Every one is told, and nothing else is changed either."""
        app.books.open(str(path))
        before = plain(live.read(path))
        patch = patch_of(TEXTS)
        patch.set("Grades of é", 6, 4, 3)
        patch.set("Other", 3, 3, None)
        patch.set("Nowhere", 1, 1, 1)

        with pytest.raises(DataError) as told:
            live.patch(path, patch)

        assert [(p.code, p.sheet, p.cell) for p in told.value.problems] == [
            ("formula_in_the_way", "Grades of é", "D6"),
            ("formula_in_the_way", "Other", "C3"),
            ("no_such_sheet", "Nowhere", None),
        ]
        assert plain(live.read(path)) == before

    def test_a_table_grows_with_its_looks_and_lists(self, app, live, path):
        book = app.books.open(str(path))
        last = 3 + len(TEXTS)
        patch = BookPatch(grown={"tblThing": Area(3, 1, last + 2, 5)})
        patch.set("Grades of é", last + 1, 1, "new", style_of=(4, 1))
        patch.set("Grades of é", last + 2, 3, 1, style_of=(4, 3))

        live.patch(path, patch)

        read = live.read(path).sheets[0]
        assert read.tables["tblThing"].bottom == last + 2
        assert [read.value(last + 1, c) for c in range(1, 6)] == ["new", None, None, None, None]
        assert read.value(last + 2, 3) == 1
        kept = openpyxl.load_workbook(path)["Grades of é"]
        assert not kept.cell(last + 2, 3).protection.locked
        assert any(kept.cell(last + 2, 3).coordinate in v.sqref for v in kept.data_validations.dataValidation)
        assert book.app.cut_copy_mode is None

    def test_a_table_does_not_grow_over_what_stands_below(self, app, live, path):
        book = app.books.open(str(path))
        last = 3 + len(TEXTS)
        book.sheets["Grades of é"].api.unprotect("")
        book.sheets["Grades of é"].range((last + 2, 2)).value = "mine"

        with pytest.raises(DataError) as told:
            live.patch(path, BookPatch(grown={"tblThing": Area(3, 1, last + 2, 5)}))

        assert [(p.code, p.cell) for p in told.value.problems] == [("no_room_below", f"B{last + 2}")]

    def test_a_sheet_with_a_password_is_left_alone(self, app, live, path):
        book = openpyxl.load_workbook(path)
        book["Grades of é"].protection = SheetProtection(sheet=True, password="secret")
        book.save(path)
        app.books.open(str(path))
        before = plain(live.read(path))

        with pytest.raises(MissingPiece) as told:
            live.patch(path, patch_of(TEXTS))

        assert [(p.code, p.sheet) for p in told.value.problems] == [("sheet_locked", "Grades of é")]
        assert plain(live.read(path)) == before

    def test_a_book_open_read_only_is_left_alone(self, app, live, path):
        app.books.open(str(path), read_only=True)
        before = path.read_bytes()

        with pytest.raises(MissingPiece) as told:
            live.patch(path, patch_of(TEXTS))

        assert [p.code for p in told.value.problems] == ["book_read_only"]
        assert path.read_bytes() == before
        assert not (path.parent / "backups").exists()

    @pytest.mark.parametrize("fault", ["while writing", "not kept"])
    def test_whatever_happens_the_book_and_the_screen_are_as_before(
        self, app, live, path, monkeypatch, fault
    ):
        book = app.books.open(str(path))
        before = plain(live.read(path))
        cells = type(book.sheets[0].range("A1").impl)
        written = cells.raw_value.fset
        calls = []

        def failing(self, value):
            calls.append(value)
            if len(calls) == 2:
                if fault == "while writing":
                    raise RuntimeError("the spreadsheet went away")
                return
            written(self, value)

        monkeypatch.setattr(cells, "raw_value", cells.raw_value.setter(failing))
        with pytest.raises(RuntimeError if fault == "while writing" else DataError):
            live.patch(path, patch_of(TEXTS))
        monkeypatch.undo()

        assert plain(live.read(path)) == before
        assert (app.screen_updating, app.calculation, app.enable_events) == (True, "automatic", True)
        assert book.sheets["Grades of é"].api.isProtected()


class TestWriting:
    pytestmark = IN_OFFICE

    def plan(self, text):
        sheet = SheetPlan(name="Results")
        sheet.put(1, 1, text)
        return BookPlan(sheets=[sheet])

    def test_an_open_book_is_closed_and_written_anew(self, app, live, tmp_path):
        """What somebody typed into it is kept aside."""
        target = tmp_path / "results.xlsx"
        live.write(self.plan("first"), target)
        app.books.open(str(target)).sheets[0].range("B2").value = "my note"

        live.write(self.plan("second"), target)

        assert live.find(target) is None
        assert FILES.read(target).sheets[0].value(1, 1) == "second"
        assert FILES.read(tmp_path / "backups" / "results.backup-1.xlsx").sheets[0].value(2, 2) == "my note"

    def test_a_book_open_to_be_read_leaves_no_copy(self, app, live, tmp_path):
        target = tmp_path / "results.xlsx"
        live.write(self.plan("first"), target)
        app.books.open(str(target), read_only=True)

        live.write(self.plan("second"), target)

        assert FILES.read(target).sheets[0].value(1, 1) == "second"
        assert not (tmp_path / "backups").exists()


# -- rules -----------------------------------------------------------------------------------------------------------


@given(st.sets(st.tuples(st.integers(1, 12), st.integers(1, 8)), max_size=60))
def test_rectangles_hold_each_cell_once_and_no_other(places):
    covered = [
        (row, column)
        for area in rectangles(places)
        for row in range(area.top, area.bottom + 1)
        for column in range(area.left, area.right + 1)
    ]

    assert sorted(covered) == sorted(places)


def test_a_full_block_is_one_rectangle():
    assert rectangles((row, column) for row in range(2, 9) for column in (3, 4, 5)) == [Area(2, 3, 8, 5)]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_handed_over_so_that_it_stays_a_text(text):
    assert as_input(text) == "'" + text


@pytest.mark.parametrize(
    ("value", "given_over"),
    [(2, 2), (2.5, 2.5), (True, True), (None, None), ("", None), ("x" * 300, "x" * 300)],
)
def test_other_values_are_handed_over_as_they_are(value, given_over):
    assert as_input(value) == given_over


def test_a_long_text_like_a_formula_is_kept_a_text():
    assert as_input("=" + "x" * 300).startswith("'=")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("=IF(A1, TRUE, 2)", "=if(a1,true(),2)", True),
        ("='Grades'!A1", "=Grades!A1", True),
        ('=A1&" x"', '=A1&"x"', False),
        ("=A1+1", "=A1+2", False),
    ],
)
def test_formulas_are_compared_as_spreadsheets_write_them(one, other, same):
    assert (comparable_formula(one) == comparable_formula(other)) is same


class Spoken:
    """An application that notes what its status bar was told."""

    def __init__(self):
        self.said = []

    def __setattr__(self, name, value):
        if name == "status_bar":
            self.said.append(value)
        else:
            super().__setattr__(name, value)


def test_only_the_thread_that_found_the_spreadsheet_speaks_with_it():
    """COM objects belong to their thread, and LibreOffice waits for the one that is in a macro: another one would never return."""
    app = Spoken()
    progress = StatusBarProgress(app)
    other = threading.Thread(target=progress.step, args=("from elsewhere",))
    other.start()
    other.join()
    progress.step("from here")

    assert app.said == ["Lark Sheets: from here …"]
