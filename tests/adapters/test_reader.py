"""What a reader must tell of a workbook: each value as it was typed, and what the bare value does not tell."""

import datetime as dt
import io
import math
import zipfile

import openpyxl
import pytest
import xlsxwriter

from lark_sheets.adapters.books.calamine_reader import read
from lark_sheets.core.cells import Area, Mark
from lark_sheets.core.grades import read_grade
from tests.adapters.making import MAIN, OFFICE, STRICT, packed, parts_of, relations, workbook_file, worksheet
from tests.factories import shipped


def cell(reference: str, inside: str, kind: str = "") -> str:
    return f'<c r="{reference}"{f" t={kind!r}" if kind else ""}>{inside}</c>'


def one(tmp_path, rows: str, **options):
    """The only sheet of a workbook with these rows."""
    return read(workbook_file(tmp_path, worksheet(rows, **options))).sheets[0]


# -- marks ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("xml", "value", "mark"),
    [
        ('<c r="A1"><v>2</v></c>', 2.0, None),
        ('<c r="A1" t="b"><v>1</v></c>', True, None),
        ('<c r="A1" t="str"><v>text</v></c>', "text", None),
        ('<c r="A1" t="inlineStr"><is><t>#N/A</t></is></c>', "#N/A", None),
        ('<c r="A1" t="e"><v>#N/A</v></c>', "#N/A", Mark.ERROR),
        ("<c r='A1' t='e'><v>#DIV/0!</v></c>", "#DIV/0!", Mark.ERROR),
        ('<c r="A1" t="e"><f>NA()</f><v>#N/A</v></c>', "#N/A", Mark.ERROR),
        ('<c r="A1" s="0" t="e"><v></v></c>', "#VALUE!", Mark.ERROR),
        ('<c r="A1"><f>1+1</f><v>2</v></c>', 2.0, Mark.FORMULA),
        ('<c r="A1"><f>1+1</f></c>', None, Mark.UNCOMPUTED),
        ('<c r="A1"><f>1+1</f><v></v></c>', None, Mark.UNCOMPUTED),
        ('<c r="A1"><f>1+1</f><v/></c>', None, Mark.UNCOMPUTED),
        ('<c r="A1"><f>1+1</f><v /></c>', None, Mark.UNCOMPUTED),
        ('<c r="A1"><f t="shared" si="0"/></c>', None, Mark.UNCOMPUTED),
        ('<c r="A1"><f t="shared" si="0"/><v>0</v></c>', 0.0, Mark.FORMULA),
        ('<c r="A1" t="str"><f>""</f><v></v></c>', None, Mark.FORMULA),
        ('<c r="A1" t="str"><f>"yes"</f><v>yes</v></c>', "yes", Mark.FORMULA),
        ('<c r="A1"><f>IF(B1&lt;3,"a&gt;b",1)</f>\n <v>1</v></c>', 1.0, Mark.FORMULA),
        ('<c r="A1"><v>NaN</v></c>', "nan", None),
        ('<c r="A1"><v>1e999</v></c>', "inf", None),
    ],
)
@pytest.mark.parametrize("walk", [False, True], ids=["quick", "walk"])
def test_a_cell_is_told_apart_from_its_look_alikes(tmp_path, xml, value, mark, walk):
    """A blank, an error, and a formula that nobody computed look alike to the library; they are three things here.

    The second way is the thorough one, forced by a neighbour whose address is left out.
    """
    neighbour = "<c><v>9</v></c>" if walk else '<c r="B1"><v>9</v></c>'
    sheet = one(tmp_path, f'<row r="1">{xml}{neighbour}</row>')
    assert sheet.value(1, 1) == value
    assert sheet.marks.get((1, 1)) is mark
    assert sheet.value(1, 2) == 9
    assert set(sheet.marks) <= {(1, 1)}


def test_words_that_look_like_xml_inside_a_text_are_text(tmp_path):
    words = 't="e" hidden="1" <f>1</f> <c r="XFD9"/>'
    written = words.replace("<", "&lt;").replace(">", "&gt;")
    text = f'<c r="A1" t="inlineStr"><is><t>{written}</t></is></c><c r="B1" t="inlineStr"><is><t><![CDATA[{words}]]></t></is></c>'
    sheet = one(
        tmp_path,
        f'<row r="1">{text}</row><!-- <row r="9" hidden="1"><c r="A9" t="e"><v>#N/A</v></c></row> -->',
    )
    assert (sheet.value(1, 1), sheet.value(1, 2)) == (words, words)
    assert sheet.marks == {}
    assert sheet.hidden_rows == frozenset()


def test_a_namespace_prefix_changes_nothing(tmp_path):
    rows = '<x:row r="1" hidden="1"><x:c r="A1"><x:f>1</x:f></x:c><x:c r="B1" t="e"><x:v>#N/A</x:v></x:c><x:c r="C1"><x:v>3</x:v></x:c></x:row>'
    part = f'<x:worksheet xmlns:x="{MAIN}"><x:cols><x:col min="2" max="2" hidden="1"/></x:cols><x:sheetData>{rows}</x:sheetData></x:worksheet>'
    sheet = read(workbook_file(tmp_path, part)).sheets[0]
    assert sheet.marks == {(1, 1): Mark.UNCOMPUTED, (1, 2): Mark.ERROR}
    assert (sheet.value(1, 2), sheet.value(1, 3)) == ("#N/A", 3)
    assert (sheet.hidden_rows, sheet.hidden_columns) == ({1}, {2})


def test_addresses_left_out_are_counted(tmp_path):
    rows = '<row><c><v>1</v></c><c t="e"><v>#N/A</v></c></row><row/><row hidden="true"><c r="C3"><f>1</f></c><c><v>4</v></c></row>'
    sheet = one(tmp_path, rows)
    assert [list(cells) for cells in sheet.rows] == [[1, "#N/A", "", ""], [""] * 4, ["", "", "", 4]]
    assert sheet.marks == {(1, 2): Mark.ERROR, (3, 3): Mark.UNCOMPUTED}
    assert sheet.hidden_rows == {3}


def test_the_quick_and_the_thorough_way_agree(tmp_path):
    rows = "".join(
        f'<row r="{n}"{" hidden=" + chr(34) + "1" + chr(34) if n % 5 == 0 else ""}>'
        f'<c r="A{n}"><v>{n}</v></c><c r="B{n}" s="1"/><c r="AB{n}" t="str"><f>"x"</f>{"<v>x</v>" if n % 3 else ""}</c>'
        + (f'<c r="AC{n}" t="e"><v>#REF!</v></c>' if n % 7 == 0 else "")
        + "</row>"
        for n in range(1, 200)
    )
    quick = one(tmp_path, rows)
    thorough = one(tmp_path, rows + '<row r="200"><c><v>1</v></c></row>')
    assert quick.marks == thorough.marks
    assert quick.hidden_rows == thorough.hidden_rows
    assert [list(cells) for cells in quick.rows] == [list(cells) for cells in thorough.rows][:-1]


# -- dates ---------------------------------------------------------------------------------------------------------------


def dated(
    tmp_path, *numbers: float, formats: tuple[str, ...] = ("yyyy-mm-dd", "d-mmm", "h:mm", "[h]:mm"), **options
):
    path = tmp_path / "dates.xlsx"
    book = xlsxwriter.Workbook(path, options)
    sheet = book.add_worksheet()
    for column, number_format in enumerate(formats):
        style = book.add_format({"num_format": number_format})
        for row, number in enumerate(numbers):
            sheet.write_number(row, column, number, style)
    book.close()
    return read(path).sheets[0]


@pytest.mark.parametrize("epoch_1904", [False, True])
def test_a_small_whole_number_that_shows_as_a_date_is_the_number(tmp_path, epoch_1904):
    """A level typed into a cell formatted as a date stays that level; -1 is not 0, and 60 is not 59."""
    numbers = [0, 1, 2, 3, 4, -1, 59, 60, 61, 366]
    sheet = dated(tmp_path, *numbers, date_1904=epoch_1904)
    for row, number in enumerate(numbers, 1):
        for column in range(1, 5):
            assert sheet.value(row, column) == number, (number, column)
            assert sheet.marks[row, column] is Mark.DATE


def test_a_real_date_or_time_stays_one(tmp_path):
    sheet = dated(tmp_path, 46054, 46054.25, 0.5, formats=("yyyy-mm-dd", "[h]:mm"))
    assert sheet.value(1, 1) == dt.date(2026, 2, 1)
    assert sheet.value(2, 1) == dt.datetime(2026, 2, 1, 6, 0)
    assert sheet.value(3, 1) == dt.time(12)
    assert sheet.value(1, 2) == dt.timedelta(days=46054)
    assert sheet.marks == {}


# -- hidden, merged, tables ----------------------------------------------------------------------------------------------


def test_hidden_and_filtered_rows_and_columns_are_told_and_read(tmp_path):
    path = tmp_path / "hidden.xlsx"
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet()
    for row in range(6):
        sheet.write_row(row, 0, [row, row * 2, row * 3])
    sheet.set_row(2, None, None, {"hidden": True})
    sheet.set_row(5, 30, None, {"hidden": True})
    sheet.set_column("B:B", 4, None, {"hidden": True})
    sheet.set_column("F:XFD", None, None, {"hidden": True})
    book.add_worksheet("secret").hide()
    book.add_worksheet("very").very_hidden()
    book.close()
    first, second, third = read(path).sheets
    assert (first.hidden_rows, first.hidden_columns) == ({3, 6}, {2})
    assert first.value(3, 2) == 4
    assert [first.visible, second.visible, third.visible] == [True, False, False]


def test_merged_ranges_are_told_and_only_the_first_cell_holds_the_value(tmp_path):
    path = tmp_path / "merged.xlsx"
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["B2"] = "K01"
    sheet.merge_cells("B2:B5")
    sheet.merge_cells("D1:E1")
    book.save(path)
    read_sheet = read(path).sheets[0]
    assert list(read_sheet.merged) == [Area(1, 4, 1, 5), Area(2, 2, 5, 2)]
    assert [read_sheet.value(row, 2) for row in range(2, 6)] == ["K01", None, None, None]


def test_a_table_comes_with_its_header_and_without_its_totals(tmp_path):
    path = tmp_path / "tables.xlsx"
    book = xlsxwriter.Workbook(path)
    first, second = book.add_worksheet("a"), book.add_worksheet("b")
    first.add_table("B3:D6", {"name": "tblGrades", "total_row": True})
    first.add_table("F3:G9", {"name": "tblCodes"})
    second.add_table("A1:A2", {"name": "tblLog", "columns": [{"header": "quand\nle"}]})
    book.close()
    sheets = read(path).sheets
    assert sheets[0].tables == {"tblGrades": Area(3, 2, 5, 4), "tblCodes": Area(3, 6, 9, 7)}
    assert sheets[1].tables == {"tblLog": Area(1, 1, 2, 1)}
    assert sheets[1].value(1, 1) == "quand\nle"


def test_sheets_without_cells_are_left_out(tmp_path):
    path = tmp_path / "chart.xlsx"
    book = xlsxwriter.Workbook(path)
    book.add_worksheet("data").write("A1", 3)
    chart = book.add_chart({"type": "column"})
    chart.add_series({"values": "=data!$A$1:$A$1"})
    book.add_chartsheet("picture").set_chart(chart)
    book.add_worksheet("more").write("A1", 4)
    book.close()
    assert [(sheet.name, sheet.value(1, 1)) for sheet in read(path).sheets] == [("data", 3), ("more", 4)]


# -- texts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("a_x000D_b", "a\rb"),
        ("a\nb", "a\nb"),
        ("_x005F_x000D_", "_x000D_"),
        ("_x005f_x0041_", "_x0041_"),
        ("x_x000d__x000A_y", "x\r\ny"),
        ("_xZZZZ_ _x00_", "_xZZZZ_ _x00_"),
        ("&lt;b&gt; &amp; &#233; &quot;", '<b> & é "'),
        ("e\u0301", "e\u0301"),
    ],
)
def test_a_text_is_read_as_it_was_typed(tmp_path, written, text):
    strings = f'<sst xmlns="{MAIN}"><si><t>{written}</t></si></sst>'
    rels = relations(("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml"))
    rows = f'<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>{written}</t></is></c><c r="C1" t="str"><v>{written}</v></c></row>'
    path = workbook_file(
        tmp_path, worksheet(rows), extra={"xl/sharedStrings.xml": strings, "xl/_rels/workbook.xml.rels": rels}
    )
    assert list(read(path).sheets[0].rows[0]) == [text] * 3


# -- odd but honest files ------------------------------------------------------------------------------------------------


def test_a_strict_workbook_is_read(tmp_path):
    path = workbook_file(
        tmp_path,
        worksheet(
            '<row r="1"><c r="A1" t="d"><v>2026-02-01</v></c><c r="B1"><v>2</v></c></row>', namespace=STRICT
        ),
        namespace=STRICT,
    )
    assert list(read(path).sheets[0].rows[0]) == [dt.date(2026, 2, 1), 2]


def test_a_wrong_dimension_is_not_believed(tmp_path):
    rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="300"><c r="AZ300" t="e"><v>#N/A</v></c><c r="BC300"><v>5</v></c></row>'
    sheet = one(tmp_path, rows, before='<dimension ref="A1"/>')
    assert sheet.value(300, 55) == 5
    assert sheet.marks == {(300, 52): Mark.ERROR}
    huge = one(tmp_path, '<row r="1"><c r="A1"><v>1</v></c></row>', before='<dimension ref="A1:XFD1048576"/>')
    assert [list(cells) for cells in huge.rows] == [[1]]


def test_rows_that_are_merely_formatted_hold_nothing(tmp_path):
    styled = "".join(f'<row r="{n}" s="1" customFormat="1"><c r="A{n}" s="1"/></row>' for n in range(2, 5000))
    far = '<row r="1048576"><c r="XFD1048576" s="1"/></row>'
    sheet = one(tmp_path, f'<row r="1"><c r="A1"><v>1</v></c></row>{styled}{far}')
    assert [list(cells) for cells in sheet.rows] == [[1]]


def test_the_spelling_of_part_names_does_not_matter(tmp_path):
    parts = parts_of(worksheet('<row r="1"><c r="A1"><v>1</v></c></row>'))
    parts["xl/worksheets/Sheet1.xml"] = parts.pop("xl/worksheets/sheet1.xml")
    path = tmp_path / "case.xlsx"
    path.write_bytes(packed(parts))
    assert read(path).sheets[0].value(1, 1) == 1


def test_an_empty_sheet_is_an_empty_sheet(tmp_path):
    path = workbook_file(
        tmp_path, f'<worksheet xmlns="{MAIN}"><sheetData/></worksheet>', worksheet(""), names=("a", "b")
    )
    assert [list(sheet.rows) for sheet in read(path).sheets] == [[], []]


def test_an_error_behind_the_last_value_is_not_lost(tmp_path):
    sheet = one(
        tmp_path, '<row r="1"><c r="A1"><v>1</v></c></row><row r="3"><c r="C3" t="e"><v>#NAME?</v></c></row>'
    )
    assert (sheet.value(3, 3), sheet.marks) == ("#NAME?", {(3, 3): Mark.ERROR})


# -- the handed cases ----------------------------------------------------------------------------------------------------

SCORES = {"K01-A": (2, 2, 2, 2), "K01-B": (2, 1, 2, 1), "K01-C": (1, 2, 2, 2), "K01-D": (0, 0, 1, 1)} | {
    "K02-A": (2, 0, 2, 1),
    "K02-B": (2, 2, 1, 2),
    "K02-C": (2, 2, 2, 2),
    "K02-D": (2, 2, 0, 2),
}


@pytest.mark.parametrize(
    "name",
    [
        *(
            f"26-ods-and-xls/{file}"
            for file in ("grading.ods", "grading.xls", "grading.xlsx", "resaved_by_libreoffice.xlsx")
        ),
        "26-ods-and-xls/xls_named.xlsx",
        "26-ods-and-xls/xlsx_named.xls",
        "14-a-million-formatted-rows/input.xlsx",
        "14-a-million-formatted-rows/input_60k_styled.xlsx",
        "25-password-protected/sheet_protected.xlsx",
        "09-hidden-and-filtered-rows/input.xlsx",
    ],
)
def test_the_same_table_is_read_from_every_kind_of_file(shared, name):
    sheet = read(shared / "cases" / name).sheets[0]
    rows = [list(cells) for cells in sheet.rows[1:] if any(value != "" for value in cells)]
    found = {cells[0]: tuple(2 if value == "2,0" else value for value in cells[4:8]) for cells in rows}
    assert found == SCORES


def test_case_11_dates_are_told_apart_from_levels(shared):
    sheet = read(shared / "cases" / "11-dates-eaten" / "input.xlsx").sheets[0]
    criterion = shipped().criteria[0]
    told = {}
    for row in range(2, len(sheet.rows) + 1):
        for column in range(5, 9):
            grade = read_grade(sheet.value(row, column), criterion, sheet.marks.get((row, column)))
            if grade.problem:
                told[row, column] = (grade.problem, grade.level)
    assert told == {
        (2, 5): ("date_in_grade", None),
        (3, 6): ("date_in_grade", None),
        (7, 7): ("normalized_grade", 1),
        (8, 8): ("unreadable_grade", None),
    }
    assert isinstance(sheet.value(5, 1), dt.date)


def test_case_24_line_breaks_and_escapes(shared):
    sheet = read(shared / "cases" / "24-line-breaks-x000d" / "input.xlsx").sheets[0]
    texts = [sheet.value(row, 4) for row in range(2, 7)]
    assert [text.replace("\r\n", "\n").replace("\r", "\n") for text in texts] == [
        *["Bonjour,\nvoici la suite."] * 3,
        "le code _x000D_ est un texte",
        "mot_x0041_mot",
    ]


def test_numbers_are_numbers_and_nothing_is_nan(shared):
    for path in sorted((shared / "cases").glob("*/input*.xlsx")):
        for sheet in read(path).sheets:
            assert not any(
                isinstance(value, float) and math.isnan(value) for cells in sheet.rows for value in cells
            )


def test_reading_changes_no_byte(tmp_path):
    path = workbook_file(tmp_path, worksheet('<row r="1"><c r="A1"><v>1</v></c></row>'))
    before = path.read_bytes()
    read(path)
    assert path.read_bytes() == before
    assert zipfile.is_zipfile(io.BytesIO(before))
    assert OFFICE
