"""Grades as a table for others: one row a grade, a missing grade missing, no name before the reveal, no output of a refusal campaign ever."""

import json

import pytest
from openpyxl import load_workbook

from tests.systems.conftest import rows_of, run

ITEMS = [{"item": "a", "text": "=1+1", "type": "T", "stratum": "licit"}, {"item": "b", "text": "NA"}]
RESPONSES = [{"item": i, "run": r, "response": f"@answer {i} {r}"} for i in "ab" for r in ("Tulip", "Fern")]
NAMES = ("accuracy", "completeness", "format", "abstention")
GRADES = [
    {"grader": "ana", "item": "a", "run": "Tulip", **dict.fromkeys(NAMES, 2), "format": 1, "codes": "fence", "reason": "=HYPERLINK(1)"},
    {"grader": "ana", "item": "b", "run": "Tulip", **dict.fromkeys(NAMES, 0), "accuracy": "", "codes": "", "reason": "None"},
    {"grader": "ben", "item": "a", "run": "Tulip", **dict.fromkeys(NAMES, 2), "codes": "", "reason": ""},
]  # fmt: skip


@pytest.fixture
def book(desk):
    return desk.campaign("c", "larkfield", ITEMS, RESPONSES, GRADES, reveal=False)


def exported(desk, book, name, *words):
    assert run("export", book, "--to", desk.folder / name, "--lang", "en", *words) == 0
    return desk.folder / name


def jsonl(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_one_row_for_each_grade_of_each_reader(desk, book):
    """Four responses of the owner and one second reading, four criteria each; a blank grade is null and its total too."""
    rows = jsonl(exported(desk, book, "g.jsonl"))
    assert len(rows) == 4 * (4 + 1)
    assert {r["grader"] for r in rows} == {"ana", "ben"}
    fenced = [r for r in rows if r["codes"] == "fence"]
    assert [(r["criterion"], r["level"], r["total"], r["verdict"]) for r in fenced] == [
        ("format", 1, 7, "ready")
    ]
    blank = [r for r in rows if r["item"] == "b" and r["reason"] == "None"]
    assert {r["criterion"]: r["level"] for r in blank} == dict.fromkeys(NAMES, 0) | {"accuracy": None}
    assert {r["total"] for r in blank} == {None}


def test_no_run_is_named_before_the_reveal(desk, book):
    path = exported(desk, book, "g.jsonl")
    assert "Tulip" not in path.read_text(encoding="utf-8")
    assert {r["run"] for r in jsonl(path)} == {None}
    assert run("reveal", book, "--force", "--reason", "test") == 0
    assert {r["run"] for r in jsonl(exported(desk, book, "h.jsonl"))} == {"Tulip", "Fern"}


def test_csv_holds_words_as_words(desk, book):
    """A text that a spreadsheet would compute gets an apostrophe; the words None and NA stay words; whole numbers stay whole."""
    rows = rows_of(exported(desk, book, "g.csv", "--texts"))
    bare = {k.removeprefix("\ufeff"): k for k in rows[0]}
    assert {r["reason"] for r in rows} == {"'=HYPERLINK(1)", "None", ""}
    assert {r["message"] for r in rows} == {"'=1+1", "NA"}
    assert {r["response"][:2] for r in rows} == {"'@"}
    assert {r["level"] for r in rows} <= {"0", "1", "2", ""}
    assert "campaign" in bare


def test_json_lines_and_parquet_hold_the_text_itself(desk, book):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    rows = jsonl(exported(desk, book, "g.jsonl", "--texts"))
    frame = pandas.read_parquet(exported(desk, book, "g.parquet", "--texts"))
    assert list(frame.columns) == list(rows[0])
    assert frame["message"].tolist() == [r["message"] for r in rows]
    assert set(frame["message"]) == {"=1+1", "NA"}
    assert [None if pandas.isna(v) else int(v) for v in frame["level"]] == [r["level"] for r in rows]


def test_a_workbook_holds_strings_not_formulas(desk, book):
    sheet = load_workbook(exported(desk, book, "g.xlsx", "--texts")).worksheets[0]
    header = [cell.value for cell in sheet[1]]
    place = header.index("message")
    kinds = {(row[place].value, row[place].data_type) for row in sheet.iter_rows(min_row=2)}
    assert kinds == {("=1+1", "s"), ("NA", "s")}
    assert len(sheet.tables) == 1
    levels = {row[header.index("level")].value for row in sheet.iter_rows(min_row=2)}
    assert levels == {0, 1, 2, None}


def test_an_agreed_grade_is_marked(desk, book):
    """Nothing was agreed here, so no row says so."""
    assert {r["agreed"] for r in jsonl(exported(desk, book, "g.jsonl"))} == {False}


def test_no_output_of_a_refusal_campaign_leaves(desk, capsys):
    """Neither texts nor reasons (they quote): fingerprints; asking for texts is refused."""
    grades = [
        {"grader": "ana", "item": "a", "run": "Tulip", "category": "substantive", "reason": "says @answer"}
    ]
    book = desk.campaign("r", "refusals", ITEMS, RESPONSES, grades, reveal=False)
    for name in ("g.csv", "g.jsonl", "g.tsv"):
        text = exported(desk, book, name).read_text(encoding="utf-8")
        assert "answer" not in text
        assert "1+1" not in text
    rows = jsonl(desk.folder / "g.jsonl")
    assert {len(r["response_sha256"]) for r in rows} == {64}
    assert [r["category"] for r in rows if r["category"]] == ["substantive"]
    assert run("export", book, "--to", desk.folder / "x.csv", "--texts", "--lang", "en") == 2
    assert "never exported" in capsys.readouterr().err
    assert not (desk.folder / "x.csv").exists()


def test_a_format_that_is_none_is_wrong_usage(desk, book, capsys):
    assert run("export", book, "--to", desk.folder / "g.docx", "--lang", "en") == 2
    assert ".parquet" in capsys.readouterr().err


def test_parquet_without_its_library_says_how_to_get_it(desk, book, capsys, monkeypatch):
    import pandas as pd

    def lacking(*_, **__):
        raise ImportError("Unable to find a usable engine")

    monkeypatch.setattr(pd.DataFrame, "to_parquet", lacking)
    assert run("export", book, "--to", desk.folder / "g.parquet", "--lang", "en") == 3
    assert "pip install pyarrow" in capsys.readouterr().err
    assert not (desk.folder / "g.parquet").exists()


def test_the_default_place_is_the_campaigns_folder_and_a_second_press_changes_nothing(book):
    assert run("export", book) == 0
    first = (book / "grades.csv").read_bytes()
    assert run("export", book) == 0
    assert (book / "grades.csv").read_bytes() == first
