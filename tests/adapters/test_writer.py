"""What a plan says is what the file holds, for every reader; the same plan gives the same bytes."""

import datetime as dt
import hashlib
import re
import zipfile

import openpyxl
import pytest
from hypothesis import given, settings, strategies as st
from lxml import etree
from openxml_audit import FileFormat, OpenXmlValidator

from lark_sheets.adapters.books import FileBooks
from lark_sheets.adapters.books.cell_xml import storable
from lark_sheets.adapters.books.openpyxl_writer import workbook_bytes
from lark_sheets.core.bookplan import (
    BookPlan,
    CellPlan,
    ChartPlan,
    ColumnPlan,
    ConditionPlan,
    ListPlan,
    SheetPlan,
    Style,
    TablePlan,
)
from lark_sheets.core.cells import Area, Mark
from lark_sheets.errors import DataError, MissingPiece
from tests.adapters.making import members

books = FileBooks()

HARMLESS = ("no populated `xl/sharedStrings.xml`",)
"""Findings that are allowed: texts stand in their cells; Excel moves them to a shared list when it saves, which changes nothing."""


def faults(path) -> list[str]:
    """What the validator of Office files finds, but for what is known to be harmless."""
    result = OpenXmlValidator(file_format=FileFormat.MICROSOFT_365, max_errors=0).validate(str(path))
    found = [*result.errors, *getattr(result, "warnings", ())]
    return [
        f"{each.part_uri} {each.description}"
        for each in found
        if not any(word in each.description for word in HARMLESS)
    ]


def full_plan() -> BookPlan:
    """A plan that uses everything a plan can say."""
    sheet = SheetPlan(
        name="Notation é",
        protected=True,
        freeze=(3, 2),
        tab_colour="1F5F8B",
        repeated_rows=(1, 2),
        print_area=Area(1, 1, 12, 6),
        hidden_rows={11},
        row_heights={2: 30},
        zoom=90,
    )
    header, typed = (
        Style(bold=True, fill="DDEEFF", border="thin", wrap=True),
        Style(locked=False, border="thin", horizontal="center"),
    )
    for column, text in enumerate(["id", "text\nrep", "acc", "total", "state", "x"], 1):
        sheet.put(2, column, text, header)
        sheet.columns[column] = ColumnPlan(width=12 + column, hidden=column == 6)
    for row in range(3, 13):
        grade = None if row == 3 else row % 3
        sheet.put(row, 1, f"K{row}")
        sheet.put(row, 2, "=1+1" if row == 3 else "plain", Style(wrap=True, italic=True, indent=1))
        sheet.put(row, 3, grade, typed)
        sheet.put(row, 4, "" if grade is None else grade * 2, formula=f'=IF(C{row}="","",C{row}*2)')
        sheet.put(row, 5, "a <&> b", formula=f'=IF(C{row}<9,"a <&> b","")')
        sheet.put(row, 6, True, formula="=1=1")
    sheet.put(1, 1, "go", Style(underline=True, colour="0000FF", size=14), link="#'Notation é'!C5")
    sheet.put(1, 3, 1.5, Style(number_format="0.00", vertical="center", horizontal="right"))
    sheet.put(1, 4, False)
    sheet.put(1, 5, None, Style(fill="EEEEEE"))
    sheet.merged.append(Area(1, 5, 1, 6))
    sheet.tables.append(TablePlan(name="tblGrades", area=Area(2, 1, 12, 6), banded=True))
    sheet.lists += [
        ListPlan(
            areas=[Area(3, 3, 12, 3)],
            values=["0", "1", '2 "deux"'],
            error="0, 1 ou 2",
            error_title="Note",
            prompt="choisir",
            prompt_title="Note",
        ),
        ListPlan(areas=[Area(3, 2, 12, 2), Area(1, 2, 1, 2)], source="=Listes!$A$1:$A$3", strict=False),
    ]
    sheet.conditions += [
        ConditionPlan(area=Area(3, 3, 12, 3), formula="=C3=0", fill="FFDDDD", colour="AA0000", bold=True),
        ConditionPlan(area=Area(3, 4, 12, 4), formula="=D3>3", fill="DDFFDD"),
    ]
    names = "'Notation é'!$A$3:$A$12"
    series = [("note", "'Notation é'!$C$3:$C$12"), ("total", "'Notation é'!$D$3:$D$12")]
    sheet.charts += [
        ChartPlan(
            kind="bar",
            title="Prêtes",
            anchor="H2",
            categories=names,
            series=series,
            alt='Dix "barres" <ok>',
            stacked=True,
        ),
        ChartPlan(
            kind="column", title="Notes", anchor="H20", categories=names, series=series[:1], alt="second"
        ),
    ]
    lists = SheetPlan(name="Listes", visible=False, landscape=False, show_grid=True)
    for row, text in enumerate(["un", "deux", "trois"], 1):
        lists.put(row, 1, text)
    properties, defined = {"lark": "x é", "other": "_x000D_"}, {"poids": "=Listes!$A$1:$A$2"}
    return BookPlan(
        sheets=[lists, sheet], title="Essai", language="fr-CA", properties=properties, names=defined
    )


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    path = tmp_path_factory.mktemp("full") / "full.xlsx"
    books.write(full_plan(), path)
    return path


def plan_of(*cells: tuple[int, int, object], **options) -> BookPlan:
    sheet = SheetPlan(name="S", **options)
    for row, column, value in cells:
        sheet.put(row, column, value)
    return BookPlan(sheets=[sheet])


# -- what every reader sees ----------------------------------------------------------------------------------------------


def test_the_reader_gets_back_what_the_plan_says(full):
    lists, sheet = books.read(full).sheets
    plan = full_plan().sheets[1]
    for (row, column), cell in plan.cells.items():
        assert sheet.value(row, column) == (None if cell.value == "" else cell.value), (row, column)
        assert sheet.marks.get((row, column)) is (Mark.FORMULA if cell.formula else None)
    assert sheet.tables == {"tblGrades": Area(2, 1, 12, 6)}
    assert list(sheet.merged) == plan.merged
    assert (sheet.hidden_rows, sheet.hidden_columns) == ({11}, {6})
    assert (sheet.visible, lists.visible) == (True, False)


def test_the_parts_say_what_the_plan_says(full):
    sheet = openpyxl.load_workbook(full)["Notation é"]
    assert sheet.freeze_panes == "B3"
    assert (sheet.sheet_view.zoomScale, sheet.sheet_view.showGridLines) == (90, False)
    assert sheet.sheet_properties.tabColor.rgb == "FF1F5F8B"
    assert (sheet.print_title_rows, sheet.print_area) == ("$1:$2", "'Notation é'!$A$1:$F$12")
    assert (sheet.page_setup.orientation, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (
        "landscape",
        1,
        0,
    )
    assert sheet.sheet_properties.pageSetUpPr.fitToPage is True
    assert (sheet.column_dimensions["B"].width, sheet.row_dimensions[2].height) == (14, 30)
    assert sheet["A1"].hyperlink.location == "'Notation é'!C5"
    assert sheet["A1"].hyperlink.target is None
    assert sheet["D4"].value == '=IF(C4="","",C4*2)'
    look = sheet["A1"].font
    assert (look.sz, look.u, look.color.rgb, sheet["B2"].font.b) == (14, "single", "FF0000FF", True)
    assert (sheet["C1"].number_format, sheet["C1"].alignment.horizontal) == ("0.00", "right")
    assert sheet["E1"].fill.fgColor.rgb == "FFEEEEEE"
    assert [sheet[cell].protection.locked for cell in ("A3", "C3")] == [True, False]
    first, second = sheet.data_validations.dataValidation
    assert (first.formula1, str(first.sqref), first.errorStyle, first.showErrorMessage) == (
        '"0,1,2 ""deux"""',
        "C3:C12",
        "stop",
        True,
    )
    assert (first.error, first.errorTitle, first.prompt, first.promptTitle) == (
        "0, 1 ou 2",
        "Note",
        "choisir",
        "Note",
    )
    assert (second.formula1, str(second.sqref), second.showErrorMessage) == (
        "Listes!$A$1:$A$3",
        "B1 B3:B12",
        False,
    )
    rules = {str(area.sqref): rule for area in sheet.conditional_formatting for rule in area.rules}
    assert [rules[key].formula for key in ("C3:C12", "D3:D12")] == [["C3=0"], ["D3>3"]]
    assert rules["C3:C12"].dxf.fill.bgColor.rgb == "FFFFDDDD"
    assert (rules["C3:C12"].dxf.font.b, rules["C3:C12"].dxf.font.color.rgb) == (True, "FFAA0000")
    book = openpyxl.load_workbook(full)
    assert book.active.title == "Notation é"
    assert {each.name: each.value for each in book.custom_doc_props} == {
        "lark": "x é",
        "other": "_x005F_x000D_",
    }
    assert book.defined_names["poids"].attr_text == "Listes!$A$1:$A$2"


def test_protection_needs_no_password_and_leaves_widths_and_filters_free(full):
    protection = openpyxl.load_workbook(full)["Notation é"].protection
    assert (protection.sheet, protection.password) == (True, None)
    assert not any([protection.formatColumns, protection.formatRows, protection.autoFilter, protection.sort])
    assert all(
        [protection.formatCells, protection.insertRows, protection.deleteRows, protection.insertColumns]
    )


def test_charts_are_native_and_carry_their_text(full):
    parts = members(full)
    drawing = etree.fromstring(parts["xl/drawings/drawing1.xml"])
    texts = [each.get("descr") for each in drawing.iter("{*}cNvPr")]
    assert texts == ['Dix "barres" <ok>', "second"]
    first = etree.fromstring(parts["xl/charts/chart1.xml"])
    assert [each.get("val") for each in first.iter("{*}barDir")] == ["bar"]
    assert [each.get("val") for each in first.iter("{*}grouping")] == ["stacked"]
    assert [each.text for each in first.iter("{*}f") if "C" in each.text] == ["'Notation é'!$C$3:$C$12"]
    assert [each.get("val") for each in first.iter("{*}delete")] == ["0", "0"]


def test_a_table_keeps_its_header_cells(full):
    table = etree.fromstring(members(full)["xl/tables/table1.xml"])
    assert [column.get("name") for column in table.iter("{*}tableColumn")] == [
        "id",
        "text_x000a_rep",
        "acc",
        "total",
        "state",
        "x",
    ]
    assert [each.get("ref") for each in table.iter("{*}autoFilter")] == ["A2:F12"]


def test_the_validator_of_office_files_finds_nothing(full):
    assert faults(full) == []


def test_formulas_carry_their_values_and_programs_recalculate(full):
    parts = members(full)
    sheet = parts["xl/worksheets/sheet2.xml"].decode()
    assert '<c r="D4"' in sheet
    assert re.search(r'<c r="D4"[^>]*><f>IF\(C4="","",C4\*2\)</f><v>2</v></c>', sheet)
    assert re.search(r'<c r="D3"[^>]* t="str"><f>[^<]*</f><v></v></c>', sheet)
    assert re.search(r'<c r="F4"[^>]* t="b"><f>1=1</f><v>1</v></c>', sheet)
    assert b'fullCalcOnLoad="1"' in parts["xl/workbook.xml"]


# -- texts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+33 1",
        "-",
        "@support",
        "\t=1+1",
        "\r=1",
        "#N/A",
        "TRUE",
        "1",
        "2026-02-01",
        "_x000D_",
        "_x0041_x0042_",
        "a\r\nb\rc\n",
        " x ",
        "\x00\x07\x1b[31m",
        "<a href='x'>&amp;</a>",
        "]]>",
        "é\u0301\u00a0\u202f\u200b",
        "\U0001f600",
        "{{ 7*7 }}",
    ],
)
def test_text_is_text_whatever_it_looks_like(tmp_path, text):
    path = tmp_path / "t.xlsx"
    books.write(plan_of((1, 1, text)), path)
    sheet = books.read(path).sheets[0]
    assert (sheet.value(1, 1), sheet.marks) == (text, {})
    assert b"<f" not in members(path)["xl/worksheets/sheet1.xml"]


def test_a_text_that_looks_like_a_formula_stays_text_when_it_is_edited(tmp_path):
    path = tmp_path / "t.xlsx"
    books.write(plan_of((1, 1, "=1+1"), (1, 2, "plain")), path)
    sheet = openpyxl.load_workbook(path).active
    assert [bool(sheet[cell].quotePrefix) for cell in ("A1", "B1")] == [True, False]


texts = st.text(alphabet=st.characters(codec=None), max_size=60)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**15), 10**15),
    st.floats(allow_nan=False, allow_infinity=False),
    texts,
)


@settings(max_examples=60, deadline=None)
@given(
    cells=st.dictionaries(
        st.tuples(st.integers(1, 30), st.integers(1, 20)),
        st.tuples(scalars, st.booleans()),
        min_size=1,
        max_size=12,
    )
)
def test_any_text_and_number_comes_back(tmp_path_factory, cells):
    """Control characters, line ends, quotes, escapes: what is written is what is read. Only what Unicode itself calls no text
    (half surrogate pairs and two non-characters) becomes U+FFFD."""
    path = tmp_path_factory.mktemp("any") / "any.xlsx"
    sheet = SheetPlan(name="S")
    for place, (value, computed) in cells.items():
        sheet.cells[place] = CellPlan(value=value, formula='="x"' if computed else "")
    books.write(BookPlan(sheets=[sheet]), path)
    read = books.read(path).sheets[0]
    for (row, column), (value, _) in cells.items():
        expected = (storable(value) or None) if isinstance(value, str) else value
        assert read.value(row, column) == expected


def test_a_text_longer_than_a_cell_is_refused_by_place_never_cut(tmp_path):
    plan = plan_of((1, 1, "x" * 32_767), (2, 3, "x" * 32_768), (4, 1, "\U0001f600" * 16_384))
    with pytest.raises(DataError) as caught:
        books.write(plan, tmp_path / "t.xlsx")
    assert [(p.code, p.sheet, p.cell, p.found) for p in caught.value.problems] == [
        ("text_too_long", "S", "C2", "32768"),
        ("text_too_long", "S", "A4", "32768"),
    ]
    assert not (tmp_path / "t.xlsx").exists()
    books.write(plan_of((1, 1, "_x000D_" * 4_681)), tmp_path / "t.xlsx")
    assert books.read(tmp_path / "t.xlsx").sheets[0].value(1, 1) == "_x000D_" * 4_681


# -- plans that no spreadsheet takes -------------------------------------------------------------------------------------

TWO = Area(1, 1, 2, 1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"lists": [ListPlan(areas=[TWO], values=["x" * 200, "y" * 55])]}, "255"),
        ({"lists": [ListPlan(areas=[TWO], values=["a,b"])]}, "comma"),
        ({"lists": [ListPlan(areas=[TWO], values=["a"], error="x" * 226)]}, "225"),
        ({"lists": [ListPlan(areas=[TWO], values=["a"], error_title="x" * 33)]}, "32"),
        ({"lists": [ListPlan(areas=[TWO], values=["a"], prompt="x" * 256)]}, "255"),
        ({"tables": [TablePlan(name="t", area=Area(1, 1, 1, 1))]}, "no row"),
        ({"tables": [TablePlan(name="t", area=Area(1, 1, 2, 2))]}, "head"),
        ({"tables": [TablePlan(name="t", area=TWO), TablePlan(name="T", area=TWO)]}, "names"),
        ({"cells": {(1, 1): CellPlan(value=float("nan"))}}, "nan"),
        ({"cells": {(1, 1): CellPlan(value=1, formula="1+1")}}, "starts with ="),
        ({"cells": {(1, 1): CellPlan(value="x", link="https://example.org")}}, "same workbook"),
    ],
)
def test_a_plan_that_no_spreadsheet_takes_is_a_fault_of_ours(tmp_path, options, words):
    sheet = SheetPlan(name="S", **({"cells": {(1, 1): CellPlan(value="h")}} | options))
    with pytest.raises(ValueError, match=words):
        books.write(BookPlan(sheets=[sheet]), tmp_path / "t.xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("names", [["a", "A"], ["x" * 32], [""], ["a/b"], ["'a"]])
def test_sheet_names_that_no_spreadsheet_takes_are_a_fault_of_ours(tmp_path, names):
    with pytest.raises(ValueError, match="name"):
        books.write(BookPlan(sheets=[SheetPlan(name=name) for name in names]), tmp_path / "t.xlsx")


# -- the same bytes, whole or not at all ---------------------------------------------------------------------------------


def test_the_same_plan_gives_the_same_bytes_on_any_day(monkeypatch):
    first = workbook_bytes(full_plan(), "x")

    class Later(dt.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2031, 7, 8, tzinfo=tz)

    for module in ("openpyxl.packaging.core", "openpyxl.writer.excel"):
        monkeypatch.setattr(
            f"{module}.datetime",
            __import__("types").SimpleNamespace(datetime=Later, timezone=dt.timezone),
            raising=True,
        )
    monkeypatch.setenv("USER", "somebody")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert hashlib.sha256(workbook_bytes(full_plan(), "x")).digest() == hashlib.sha256(first).digest()


def test_no_name_and_no_time_of_making_stands_in_the_file(full):
    core = members(full)["docProps/core.xml"].decode()
    assert set(re.findall(r"\d{4}-\d\d-\d\dT[^<]*", core)) == {"2000-01-01T00:00:00Z"}
    properties = {etree.QName(each).localname: each.text for each in etree.fromstring(core.encode())}
    assert (properties["creator"], properties["language"], properties["title"]) == (
        "Lark Sheets",
        "fr-CA",
        "Essai",
    )
    assert "lastModifiedBy" not in core
    with zipfile.ZipFile(full) as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_file_that_cannot_be_replaced_stays_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "t.xlsx"
    books.write(plan_of((1, 1, "old")), path)
    before = path.read_bytes()
    monkeypatch.setattr(
        type(path), "replace", lambda *_: (_ for _ in ()).throw(PermissionError(13, "in use"))
    )
    with pytest.raises(MissingPiece) as caught:
        books.write(plan_of((1, 1, "new")), path)
    assert [problem.code for problem in caught.value.problems] == ["file_locked"]
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["t.xlsx"]
