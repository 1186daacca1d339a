"""A table is read verbatim, whatever program exported it: no word is taken for a missing value, no number is rewritten."""

import csv
import io
import json

import openpyxl
import pytest
from hypothesis import given, settings, strategies as st

from lark_sheets.adapters.books import FileBooks
from lark_sheets.adapters.books.cell_xml import storable
from lark_sheets.adapters.tables import FileTables
from lark_sheets.core.text import clean_id
from lark_sheets.errors import DataError, LarkError, UsageError
from tests.adapters.making import workbook_file, worksheet

tables = FileTables(FileBooks())


def read(tmp_path, content: str | bytes, name: str = "table.csv"):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return tables.read(path)


def told(tmp_path, content: str | bytes, name: str = "table.csv", kind: type[LarkError] = DataError):
    """The problems of a refusal: code and parameters."""
    with pytest.raises(kind) as caught:
        read(tmp_path, content, name)
    return [(problem.code, problem.parameters) for problem in caught.value.problems]


# -- separators and encodings --------------------------------------------------------------------------------------------

ROWS = [{"item": "S01", "text": 'a;b, "c"\nd\te é œ €'}, {"item": "S02", "text": "plain"}]


def written(separator: str, line: str = "\r\n") -> str:
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, ["item", "text"], delimiter=separator, lineterminator=line)
    writer.writeheader()
    writer.writerows(ROWS)
    return buffer.getvalue()


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("line", ["\n", "\r\n"])
def test_every_usual_spelling_gives_the_same_rows(tmp_path, separator, encoding, line):
    assert read(tmp_path, written(separator, line).encode(encoding)) == ROWS


def test_old_line_ends_are_line_ends(tmp_path):
    assert read(tmp_path, "item,text\rS01,a\rS02,b\r") == [
        {"item": "S01", "text": "a"},
        {"item": "S02", "text": "b"},
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("item;text\nS01;1,5\nS02;2,5\n", {"item": "S01", "text": "1,5"}),
        ('a,b\n"x;y;z","1;2;3"\n', {"a": "x;y;z", "b": "1;2;3"}),
        ("sep=;\nitem;text\nS01;x\n", {"item": "S01", "text": "x"}),
        ("item\nS01\n", {"item": "S01"}),
        ("id,text;more\n1,a;b\n", {"id": "1", "text;more": "a;b"}),
        ('item,text\nS01,5" tube\n', {"item": "S01", "text": '5" tube'}),
    ],
)
def test_the_separator_is_the_one_that_fits_all_rows(tmp_path, content, expected):
    assert read(tmp_path, content)[0] == expected


def test_the_name_decides_for_tabs(tmp_path):
    assert read(tmp_path, "item\ttext, more\nS01\ta, b\n", "t.tsv") == [{"item": "S01", "text, more": "a, b"}]


def test_case_05_what_a_french_excel_exports(shared):
    folder = shared / "cases" / "05-csv-from-french-excel"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    for name in expected["file"]:
        rows = tables.read(folder / name)
        assert [row["id"] for row in rows] == list(expected["expect"]["totals"])
        totals = {
            row["id"]: sum(
                float(row[key].replace(",", "."))
                for key in ("accuracy", "completeness", "format", "abstention")
            )
            for row in rows
        }
        assert totals == expected["expect"]["totals"]
        assert rows[0]["response"].replace("\r\n", "\n") == expected["response_K01_A"]


# -- values stay verbatim ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "word",
    [
        "None",
        "NA",
        "n/a",
        "null",
        "nan",
        "NaN",
        "N/A",
        "-",
        "#N/A",
        "=1+1",
        "007",
        "1.50",
        "1e5",
        "TRUE",
        " x ",
    ],
)
@pytest.mark.parametrize("kind", ["csv", "jsonl", "xlsx"])
def test_words_stay_words(tmp_path, word, kind):
    if kind == "csv":
        rows = read(tmp_path, f'item,text\nS01,"{word}"\n')
    elif kind == "jsonl":
        rows = read(tmp_path, json.dumps({"item": "S01", "text": word}), "t.jsonl")
    else:
        book = openpyxl.Workbook()
        book.active.append(["item", "text"])
        book.active.append(["S01", "x"])
        book.active["B2"].value, book.active["B2"].data_type = word, "s"
        book.save(tmp_path / "t.xlsx")
        rows = tables.read(tmp_path / "t.xlsx")
    assert rows == [{"item": "S01", "text": word}]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("null", "null"),
        ("", ""),
        (2, "2"),
        (1.5, "1.5"),
        (True, "true"),
        ({"b": [1, None], "a": "é"}, '{"a":"é","b":[1,null]}'),
        ([], "[]"),
        ("a\ud83d b", "a\ufffd b"),
        ("\u0000\u0007", "\u0000\u0007"),
    ],
)
def test_values_of_json_lines(tmp_path, value, text):
    rows = read(
        tmp_path,
        json.dumps({"item": "S01", "value": value}) + "\n\n" + json.dumps({"item": "S02"}),
        "t.jsonl",
    )
    assert rows == [{"item": "S01", "value": text}, {"item": "S02", "value": ""}]


@pytest.mark.parametrize(
    "content", ['[{"a": 1}, {"a": "x"}]', '[\n {"a": 1},\n {"a": "x"}\n]', '{"a": 1}\r\n{"a": "x"}\r\n']
)
def test_json_in_an_array_or_in_lines(tmp_path, content):
    assert read(tmp_path, content, "t.json") == [{"a": "1"}, {"a": "x"}]


def test_a_workbook_gives_its_first_sheet_that_holds_something(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.create_sheet("data")
    for cells in (
        [None, "item", "number", "flag", "day"],
        [None, "S01", 2, True, None],
        [],
        [None, "S02", 1.5, False, "x"],
    ):
        sheet.append(cells)
    book.save(tmp_path / "t.xlsx")
    assert tables.read(tmp_path / "t.xlsx") == [
        {"item": "S01", "number": "2", "flag": "TRUE", "day": ""},
        {"item": "S02", "number": "1.5", "flag": "FALSE", "day": "x"},
    ]


def test_header_names_lose_what_the_eye_cannot_see(tmp_path):
    rows = read(tmp_path, "\ufeffitem\u00a0,\u200b text , \nS01,x,\n".encode())
    assert rows == [{"item": "S01", "text": "x"}]


def test_blank_rows_are_left_out_and_blank_cells_are_empty(tmp_path):
    assert read(tmp_path, "\n\nitem,text\n,\nS01,\n \u00a0,\t\n\nS02,x\n") == [
        {"item": "S01", "text": ""},
        {"item": "S02", "text": "x"},
    ]


def test_a_long_response_is_whole(tmp_path):
    long = "é" * 400_000
    assert read(tmp_path, f"item,text\nS01,{long}\n")[0]["text"] == long


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), max_size=30),
        min_size=1,
        max_size=6,
    ),
    separator=st.sampled_from([",", ";", "\t"]),
)
def test_what_a_spreadsheet_writes_is_read_back(tmp_path_factory, texts, separator):
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=separator, quoting=csv.QUOTE_ALL)
    writer.writerows([["item", "text", "more"], *[[f"S{n}", text, "x"] for n, text in enumerate(texts)]])
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_bytes(buffer.getvalue().encode())
    assert [row["text"] for row in tables.read(path)] == [storable(text) for text in texts]


# -- refusals by place ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        ("", [("empty_file", {})]),
        (" \n\t\n", [("empty_file", {})]),
        ("item,text\n", [("no_rows", {})]),
        ("item,item\nS01,x\n", [("ambiguous_column", {})]),
        ("item,\u200bitem \nS01,x\n", [("ambiguous_column", {})]),
        (
            "a,b\n1,2,3\n4,5\n6\n",
            [("uneven_row", {"row": 2, "columns": 2}), ("uneven_row", {"row": 4, "columns": 2})],
        ),
        ('a,b\n1,"open\n2,3\n', [("broken_quotes", {"row": 2})]),
        ('a,b\n1,"x"y\n', [("broken_quotes", {"row": 2})]),
        (b"item,text\nS01,caf\xc3\xa9\nS02,\xff\xfe\n", [("undecodable_text", {"row": 25})]),
        (b"item,text\nS01,\x81\n", [("undecodable_text", {"row": 15})]),
        (b"item,text\nS01,\x00\n" + b"x" * 5000, [("undecodable_text", {"row": 15})]),
        ("<html><table><tr><td>item</td></tr></table></html>", [("not_a_table", {})]),
        ("%PDF-1.7 ...", [("not_a_table", {})]),
        ('{"a": 1}\n{"a": }\n[1]\n', [("bad_json_line", {"row": 2}), ("bad_json_line", {"row": 3})]),
        ('{"a": 1, "a": 2}\n{"b": 1}', [("bad_json_line", {"row": 1})]),
        ('{"a": 1, " a": 2}', [("ambiguous_column", {})]),
        ('{"a": null}\n{}', [("no_rows", {})]),
        ('[{"a":' + "[" * 100_000, [("bad_json_line", {"row": 1})]),
    ],
)
def test_what_is_no_table_is_refused_by_place(tmp_path, content, problems):
    found = told(tmp_path, content)
    assert [code for code, _ in found] == [code for code, _ in problems]
    for (_, parameters), (_, expected) in zip(found, problems, strict=True):
        assert {key: parameters[key] for key in expected} == expected


def test_a_missing_file_is_wrong_usage(tmp_path):
    with pytest.raises(UsageError):
        tables.read(tmp_path / "absent.csv")


def test_cells_of_a_workbook_without_a_value_are_told_by_address(tmp_path):
    rows = (
        '<row r="1"><c r="A1" t="str"><v>item</v></c><c r="B1" t="str"><v>text</v></c></row>'
        '<row r="2"><c r="A2" t="str"><v>S01</v></c><c r="B2"><f>1+1</f></c></row>'
        '<row r="3"><c r="A3" t="str"><v>S02</v></c><c r="B3" t="e"><v>#NAME?</v></c></row>'
    )
    path = workbook_file(tmp_path, worksheet(rows))
    with pytest.raises(DataError) as caught:
        tables.read(path)
    assert [(p.code, p.sheet, p.cell, p.found) for p in caught.value.problems] == [
        ("uncomputed_cell", "S1", "B2", ""),
        ("error_cell", "S1", "B3", "#NAME?"),
    ]


def test_values_beyond_the_header_are_told(tmp_path):
    rows = '<row r="1"><c r="A1" t="str"><v>item</v></c></row><row r="2"><c r="A2"><v>1</v></c><c r="C2"><v>2</v></c></row>'
    with pytest.raises(DataError) as caught:
        tables.read(workbook_file(tmp_path, worksheet(rows)))
    assert [(p.code, p.parameters["row"]) for p in caught.value.problems] == [("uneven_row", 2)]


@settings(max_examples=150, deadline=None)
@given(
    content=st.one_of(
        st.binary(max_size=200), st.text(max_size=100).map(lambda text: text.encode("utf-8", "surrogatepass"))
    )
)
def test_any_bytes_are_a_table_or_a_clear_refusal(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("any") / "any.csv"
    path.write_bytes(content)
    try:
        rows = tables.read(path)
    except LarkError as refusal:
        told_of = refusal.problems
    else:
        told_of = rows
        assert all(isinstance(value, str) for row in rows for value in row.values())
        assert all(key == clean_id(key) for row in rows for key in row)
    assert told_of
