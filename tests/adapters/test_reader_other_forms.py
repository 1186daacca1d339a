"""OpenDocument and binary workbooks tell the same as .xlsx: errors, formulas, what is hidden, merged or a table."""

import datetime as dt
import json
import random
import shutil
import struct
from pathlib import Path

import pytest
import xlsxwriter
from hypothesis import given, settings, strategies as st

from lark_sheets.adapters.books import FileBooks, apart
from lark_sheets.adapters.books.calamine_reader import read
from lark_sheets.core.cells import Area, Mark
from lark_sheets.errors import DataError, LarkError
from tests.adapters.making import packed, relations
from tests.workbook import office

ODS = "urn:oasis:names:tc:opendocument:xmlns"
HEAD = (
    f'<office:document-content xmlns:office="{ODS}:office:1.0" xmlns:table="{ODS}:table:1.0" xmlns:text="{ODS}:text:1.0" '
    'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"><office:body><office:spreadsheet>'
)
TAIL = "</office:spreadsheet></office:body></office:document-content>"
NUMBER = 'office:value-type="float" office:value="2"'


def ods(folder: Path, rows: str, after: str = "", name: str = "S") -> Path:
    path = folder / "book.ods"
    content = f'{HEAD}<table:table table:name="{name}">{rows}</table:table>{after}{TAIL}'
    parts = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content}
    path.write_bytes(packed(parts | {"META-INF/manifest.xml": "<manifest/>"}))
    return path


def row(*cells: str, attributes: str = "") -> str:
    return f"<table:table-row {attributes}>{''.join(cells)}</table:table-row>"


def cell(attributes: str = "", text: str | None = None) -> str:
    return f"<table:table-cell {attributes}>{'' if text is None else f'<text:p>{text}</text:p>'}</table:table-cell>"


# -- OpenDocument --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("xml", "value", "mark"),
    [
        (cell(NUMBER, "2"), 2, None),
        (cell(f'table:formula="of:=1+1" {NUMBER}', "2"), 2, Mark.FORMULA),
        (cell('table:formula="of:=1+1"'), None, Mark.UNCOMPUTED),
        (cell('table:formula="of:=&quot;&quot;"', ""), None, Mark.FORMULA),
        (
            cell(
                'table:formula="of:=NA()" office:value-type="string" office:string-value="" calcext:value-type="error"',
                "#N/A",
            ),
            "#N/A",
            Mark.ERROR,
        ),
        (cell('office:value-type="string" calcext:value-type="error"'), "#VALUE!", Mark.ERROR),
        (cell('table:formula="of:=TRUE()" office:value-type="float" office:value="1"', "TRUE"), True, None),
        (cell('office:value-type="boolean" office:boolean-value="false"', "FALSE"), False, None),
        (cell('office:value-type="date" office:date-value="1899-12-31"', "31/12/99"), 1, Mark.DATE),
        (cell('office:value-type="date" office:date-value="1899-12-30"', "30/12/99"), 0, Mark.DATE),
        (cell('office:value-type="date" office:date-value="2026-02-01"', "1-2"), dt.date(2026, 2, 1), None),
        (cell('office:value-type="string"', "None"), "None", None),
    ],
)
def test_a_cell_of_an_open_document_is_told_apart_from_its_look_alikes(tmp_path, xml, value, mark):
    sheet = read(ods(tmp_path, row(xml, cell(NUMBER, "2")))).sheets[0]
    assert sheet.value(1, 1) == value
    assert isinstance(sheet.value(1, 1), bool) is isinstance(value, bool)
    assert sheet.marks.get((1, 1)) is mark
    assert sheet.value(1, 2) == 2


def test_repeats_hidden_merged_and_notes_of_an_open_document(tmp_path):
    error = 'office:value-type="string" calcext:value-type="error"'
    note = "<office:annotation><text:p>a note</text:p></office:annotation>"
    rows = (
        '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>'
        + row(
            cell(NUMBER, "2"),
            cell(f'{error} table:number-columns-repeated="2"', "#REF!"),
            attributes='table:number-rows-repeated="2"',
        )
        + row(cell(NUMBER, "2"), attributes='table:visibility="filter"')
        + "<table:table-row-group>"
        + row(
            cell(f'{NUMBER} table:number-columns-spanned="2" table:number-rows-spanned="3"', "2"),
            "<table:covered-table-cell/>",
            f"<table:table-cell {error}>{note}<text:p>#N/A</text:p></table:table-cell>",
        )
        + "</table:table-row-group>"
        + row(
            cell('table:number-columns-repeated="16384"'),
            attributes='table:number-rows-repeated="1048571" table:visibility="collapse"',
        )
    )
    sheet = read(ods(tmp_path, rows)).sheets[0]
    assert sheet.marks == dict.fromkeys([(1, 2), (1, 3), (2, 2), (2, 3), (4, 3)], Mark.ERROR)
    assert [sheet.value(*place) for place in ((2, 3), (4, 3))] == ["#REF!", "#N/A"]
    assert (sheet.hidden_rows, sheet.hidden_columns) == ({3}, {3})
    assert list(sheet.merged) == [Area(4, 1, 6, 2)]


def test_tables_of_an_open_document_are_its_named_database_ranges(tmp_path):
    ranges = (
        "<table:database-ranges>"
        '<table:database-range table:name="tblGrades" table:target-range-address="&apos;l\'&apos;&apos;un&apos;.A1:&apos;l\'&apos;&apos;un&apos;.B9"/>'
        '<table:database-range table:name="__Anonymous_Sheet_DB__0" table:target-range-address="S.A1:S.B9"/>'
        '<table:database-range table:name="tblElse" table:target-range-address="Other.A1:Other.B9"/>'
        "</table:database-ranges>"
    )
    ranges = ranges.replace("l'&apos;&apos;un", "l&apos;&apos;un")
    sheet = read(ods(tmp_path, row(cell(NUMBER, "2")), ranges, name="l'un")).sheets[0]
    assert sheet.tables == {"tblGrades": Area(1, 1, 9, 2)}


@pytest.mark.parametrize(
    "rows",
    [
        row(
            cell(f'{NUMBER} table:number-columns-repeated="16384"', "2"),
            attributes='table:number-rows-repeated="1048576"',
        ),
        row(cell(NUMBER))
        + row(cell(), attributes='table:number-rows-repeated="1048570"')
        + row(cell('table:number-columns-repeated="16000"'), cell(NUMBER)),
        row(
            cell('table:formula="of:=1" table:number-columns-repeated="16384"'),
            attributes='table:number-rows-repeated="1048576"',
        ),
        "<!DOCTYPE a>",
        row(cell('table:number-columns-repeated="x"')),
        row(cell(NUMBER))[:-5],
    ],
)
def test_an_open_document_that_would_not_end_well_is_refused(tmp_path, rows):
    with pytest.raises(DataError) as caught:
        read(ods(tmp_path, rows))
    assert caught.value.problems[0].code in ("too_large", "damaged_file")


# -- .xlsb ---------------------------------------------------------------------------------------------------------------


def record(number: int, content: bytes = b"") -> bytes:
    """A BIFF12 record: number and length in groups of seven bits."""

    def grouped(value: int) -> bytes:
        out = b""
        while value > 0x7F:
            out += bytes([value & 0x7F | 0x80])
            value >>= 7
        return out + bytes([value])

    return grouped(number) + grouped(len(content)) + content


def wide(text: str) -> bytes:
    return struct.pack("<L", len(text)) + text.encode("utf-16-le")


def place(column: int) -> bytes:
    return struct.pack("<2L", column - 1, 0)


def begin_row(number: int, *, hidden: bool = False) -> bytes:
    return record(0, struct.pack("<2LHBBBL", number - 1, 0, 300, 0, 0x10 if hidden else 0, 0, 0))


def xlsb(folder: Path, cells: bytes, columns: bytes = b"") -> Path:
    path = folder / "book.xlsb"
    sheet = (
        record(129)
        + record(148, struct.pack("<4L", 0, 9, 0, 9))
        + columns
        + record(145)
        + cells
        + record(146)
        + record(130)
    )
    listed = struct.pack("<2L", 0, 1) + wide("rId1") + wide("Notes é")
    book = record(131) + record(143) + record(156, listed) + record(144) + record(132)
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("officeDocument", "xl/workbook.bin")),
        "xl/workbook.bin": book,
        "xl/_rels/workbook.bin.rels": relations(("worksheet", "worksheets/sheet1.bin")),
        "xl/worksheets/sheet1.bin": sheet,
    }
    path.write_bytes(packed(parts))
    return path


def test_a_binary_workbook_tells_errors_formulas_and_what_is_hidden(tmp_path):
    formula = struct.pack("<HL", 0, 0) + struct.pack("<L", 0)
    cells = (
        begin_row(1)
        + record(5, place(1) + struct.pack("<d", 2))
        + record(6, place(2) + wide("texte"))
        + record(3, place(3) + b"\x2a")
        + begin_row(3, hidden=True)
        + record(9, place(1) + struct.pack("<d", 8) + formula)
        + record(11, place(2) + b"\x07" + formula)
        + record(4, place(3) + b"\x01")
    )
    hidden_column = record(60, struct.pack("<4LH", 1, 1, 2304, 0, 1))
    sheet = read(xlsb(tmp_path, cells, record(390) + hidden_column + record(391))).sheets[0]
    assert sheet.name == "Notes é"
    assert [list(each) for each in sheet.rows] == [[2, "texte", "#N/A"], ["", "", ""], [8, "#DIV/0!", True]]
    assert sheet.marks == {(1, 3): Mark.ERROR, (3, 1): Mark.FORMULA, (3, 2): Mark.ERROR}
    assert (sheet.hidden_rows, sheet.hidden_columns) == ({3}, {2})


def test_far_corners_of_a_binary_workbook_are_refused(tmp_path):
    number = struct.pack("<d", 2)
    cells = (
        begin_row(1) + record(5, place(1) + number) + begin_row(1_048_576) + record(5, place(16_384) + number)
    )
    with pytest.raises(DataError) as caught:
        read(xlsb(tmp_path, cells))
    assert [(problem.code, problem.found) for problem in caught.value.problems] == [
        ("too_large", "XFD1048576")
    ]


@pytest.mark.parametrize("cells", [b"\x00", b"\x05\xff\xff\xff\x7f", begin_row(1)[:-3]])
def test_a_binary_workbook_cut_off_is_refused(tmp_path, cells):
    path = xlsb(tmp_path, b"")
    path.write_bytes(path.read_bytes())
    with pytest.raises(DataError) as caught:
        read(xlsb(tmp_path, cells + b"\xff\xff"))
    assert caught.value.problems[0].code == "damaged_file"


# -- .xls, and mutations of all --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def saved_by_libreoffice(tmp_path_factory) -> Path:
    if office.soffice() is None:
        pytest.skip("LibreOffice is not installed: python3 run.py test installs it")
    folder = tmp_path_factory.mktemp("forms")
    book = xlsxwriter.Workbook(folder / "source.xlsx")
    sheet = book.add_worksheet("Notes é")
    for number in range(1, 8):
        sheet.write_row(number, 0, [f"K{number}", number % 3, 2, 1])
    for reference, formula, value in (
        ("B3", "=NA()", "#N/A"),
        ("C3", "=1/0", "#DIV/0!"),
        ("D3", "=1+1", 2),
        ("D5", "=foo(1)", "#NAME?"),
    ):
        sheet.write_formula(reference, formula, None, value)
    sheet.write_boolean("D6", True)
    sheet.set_row(4, None, None, {"hidden": True})
    sheet.set_column("C:C", None, None, {"hidden": True})
    sheet.merge_range("A10:A12", "merged")
    sheet.add_table("F1:G4", {"name": "tblX"})
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    sheet.write_number("B8", 1, day)
    sheet.write_number("C8", 46054, day)
    book.add_worksheet("second").hide()
    book.close()
    for form in ("ods", "xls", "xlsx"):
        (folder / form).mkdir()
        office.convert([folder / "source.xlsx"], folder / form, form)
    return folder


@pytest.mark.office
@pytest.mark.xdist_group("office")
@pytest.mark.parametrize("form", ["ods", "xls", "xlsx"])
def test_every_form_that_libreoffice_saves_tells_the_same(saved_by_libreoffice, form):
    first, second = read(saved_by_libreoffice / form / f"source.{form}").sheets
    assert (first.name, first.visible, second.visible) == ("Notes é", True, False)
    errors = {key: first.value(*key) for key, mark in first.marks.items() if mark is Mark.ERROR}
    assert errors == {(3, 2): "#N/A", (3, 3): "#DIV/0!", (5, 4): "#NAME?"}
    assert (first.marks[3, 4], first.value(3, 4)) == (Mark.FORMULA, 2)
    assert first.value(6, 4) is True
    assert (first.marks[8, 2], first.value(8, 2)) == (Mark.DATE, 1)
    assert first.value(8, 3) == dt.date(2026, 2, 1)
    assert (first.hidden_rows, first.hidden_columns) == ({5}, {3})
    assert list(first.merged) == [Area(10, 1, 12, 1)]
    assert first.tables == ({} if form == "xls" else {"tblX": Area(1, 6, 4, 7)})


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_mutated_binary_workbook_is_read_or_refused(tmp_path_factory, seed):
    rng = random.Random(seed)
    cells = (
        begin_row(1)
        + b"".join(record(5, place(n) + struct.pack("<d", n)) for n in range(1, 9))
        + begin_row(2)
        + record(3, place(1) + b"\x2a")
    )
    content = bytearray(cells)
    for _ in range(rng.randint(1, 5)):
        content[rng.randrange(len(content))] = rng.randrange(256)
    path = xlsb(tmp_path_factory.mktemp("mutated"), bytes(content))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lark_sheets.adapters.books.calamine_values.MAX_CELLS", 100_000)
        try:
            told = FileBooks().read(path).sheets
        except LarkError as refusal:
            told = refusal.problems
    assert told


def test_a_mutated_old_workbook_is_read_or_refused(shared, tmp_path):
    original = (shared / "cases" / "26-ods-and-xls" / "grading.xls").read_bytes()
    rng, path = random.Random(20_260_301), tmp_path / "m.xls"
    for _ in range(25):
        content = bytearray(original)
        for _ in range(rng.randint(1, 8)):
            content[rng.randrange(len(content))] = rng.randrange(256)
        path.write_bytes(bytes(content))
        try:
            told = FileBooks().read(path).sheets
        except LarkError as refusal:
            told = refusal.problems
        assert told


@pytest.mark.parametrize("program", ["false", "true", "not a program"])
def test_the_end_of_the_reading_process_is_one_more_told_problem(tmp_path, monkeypatch, program):
    """The library may end its process on a damaged binary file; this process goes on."""
    monkeypatch.setattr("lark_sheets.adapters.books.apart.sys.executable", shutil.which(program) or program)
    path = xlsb(tmp_path, begin_row(1) + record(5, place(1) + struct.pack("<d", 2)))
    with pytest.raises(DataError) as caught:
        read(path)
    assert [problem.code for problem in caught.value.problems] == ["damaged_file"]


def test_what_the_reading_process_refuses_is_told_with_the_name_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("lark_sheets.adapters.books.calamine_reader._facts", lambda *_: {})
    number = struct.pack("<d", 2)
    cells = begin_row(1) + record(5, place(1) + number) + begin_row(1_000_000) + record(5, place(21) + number)
    with pytest.raises(DataError) as caught:
        read(xlsb(tmp_path, cells))
    (problem,) = caught.value.problems
    assert (problem.code, problem.file, problem.sheet, problem.found) == (
        "too_large",
        "book.xlsb",
        "Notes é",
        "U1000000",
    )


def test_dates_come_back_from_the_reading_process_as_dates():
    moments = [
        dt.datetime(2026, 2, 1, 6),
        dt.date(2026, 2, 1),
        dt.time(12, 30),
        dt.timedelta(days=-1, seconds=5),
    ]
    assert [
        apart._value(json.loads(json.dumps(value, default=apart._spelled)))
        for value in [*moments, 2.5, "x", True]
    ] == [
        *moments,
        2.5,
        "x",
        True,
    ]
