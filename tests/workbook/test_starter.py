"""The starter workbook: tickets, responses and a rubric are pasted into it, and ``new`` makes the campaign from it."""

import json
import shutil

import pytest
from openpyxl import load_workbook

from lark_sheets.adapters.books import FileBooks
from lark_sheets.errors import DataError
from lark_sheets.locales import translator
from lark_sheets.usecases.creating import NewCampaign, create
from lark_sheets.workbook.codec import read_campaign
from lark_sheets.workbook.starter import (
    build_starter,
    is_starter,
    starter_items,
    starter_responses,
    starter_rubric,
)
from tests.desk import desk
from tests.workbook.factory import ROOT, SHIPPED, campaign, shipped

BOOKS = FileBooks()
FOLDER = ROOT / "workbooks"


def paste(path, sheet, header, rows, *, top=5, formulas=False):
    """Type rows under the headers of a sheet, as a person would; further columns go to the right."""
    book = load_workbook(path)
    page = book[sheet]
    places = {cell.value: cell.column for cell in page[top - 1] if cell.value}
    for name in header:
        if name not in places:
            places[name] = max(places.values()) + 1
            page.cell(top - 1, places[name]).value = name
    for number, row in enumerate(rows, top):
        for name, value in zip(header, row, strict=True):
            cell = page.cell(number, places[name])
            cell.value = value
            if not formulas and isinstance(value, str):
                cell.data_type = "s"
    book.save(path)


@pytest.fixture(params=["fr", "en"])
def language(request):
    return request.param


@pytest.fixture
def filled(language, tmp_path):
    """The shipped starter workbook with two tickets and two runs, an own column, and another id for the rubric."""
    path = tmp_path / "start.xlsx"
    shutil.copy(FOLDER / f"starter_{language}.xlsx", path)
    fr = language == "fr"
    tickets, responses, rubric = (
        ("Billets", "Réponses", "Grille") if fr else ("Tickets", "Responses", "Rubric")
    )
    paste(
        path,
        tickets,
        ["Billet" if fr else "Ticket", "Message", "shop"],
        [["T1", "Where is it?", "north"], ["T2", "=and now?", ""]],
    )
    header = ["Billet", "Exécution", "Réponse"] if fr else ["Ticket", "Run", "Response"]
    rows = [[item, run, f"{run} says {item}"] for item in ("T1", "T2") for run in ("alpha", "beta")]
    paste(path, responses, header, rows)
    book = load_workbook(path)
    cell = next(c for row in book[rubric].iter_rows() for c in row if c.value == "larkfield")
    cell.value = "my-own"
    book.save(path)
    return path


def test_what_was_pasted_is_read(filled):
    book = BOOKS.read(filled)
    assert is_starter(book)
    assert [(r["item"], r["text"], r["shop"]) for r in starter_items(book)] == [
        ("T1", "Where is it?", "north"),
        ("T2", "=and now?", ""),
    ]
    assert [(r["item"], r["run"], r["response"]) for r in starter_responses(book)][1] == (
        "T1",
        "beta",
        "beta says T1",
    )
    rubric = starter_rubric(book)
    assert rubric.id == "my-own"
    assert rubric.criteria == shipped("larkfield").criteria


def test_new_makes_a_campaign_from_it(filled, language, tmp_path):
    request = NewCampaign(
        rubric=str(filled), items=filled, responses=filled, out=tmp_path / "out", language=language
    )
    made = create(request, desk(language))
    read = read_campaign(BOOKS.read(tmp_path / "out" / "campaign.xlsx")).campaign
    assert read.rubric.id == "my-own"
    assert sorted(r.text for r in read.responses) == [
        "alpha says T1",
        "alpha says T2",
        "beta says T1",
        "beta says T2",
    ]
    assert read.item()["T1"].fields == {"shop": "north"}
    assert made.campaign.runs_expected == 2


@pytest.mark.parametrize("name", SHIPPED)
def test_any_rubric_comes_back_from_a_starter_workbook(name, tmp_path):
    rubric = shipped(name)
    BOOKS.write(build_starter(rubric, translator("fr")), tmp_path / "start.xlsx")
    assert starter_rubric(BOOKS.read(tmp_path / "start.xlsx")) == rubric


def test_an_empty_starter_has_no_rows(language):
    book = BOOKS.read(FOLDER / f"starter_{language}.xlsx")
    assert starter_items(book) == []
    assert starter_responses(book) == []


def test_the_shipped_files_are_what_the_plan_gives(language, tmp_path):
    """After a change of the layout or the rubric: python workbooks/make_starters.py."""
    path = tmp_path / f"starter_{language}.xlsx"
    BOOKS.write(build_starter(shipped("larkfield"), translator(language)), path)
    assert BOOKS.read(path).sheets == BOOKS.read(FOLDER / path.name).sheets


def test_faults_of_the_rubric_sheet_are_told(language, tmp_path):
    path = tmp_path / "start.xlsx"
    shutil.copy(FOLDER / f"starter_{language}.xlsx", path)
    book = load_workbook(path)
    page = book["Grille" if language == "fr" else "Rubric"]
    for row in page.iter_rows():
        for cell in row:
            if cell.value == "OTHERWISE":
                cell.value = "ALL"
    book.save(path)
    with pytest.raises(DataError) as caught:
        starter_rubric(BOOKS.read(path))
    assert any("verdict" in str(p.item) for p in caught.value.problems)


def test_a_campaign_is_no_starter(tmp_path):
    from lark_sheets.workbook.build import build_campaign

    BOOKS.write(build_campaign(campaign(shipped("larkfield")), translator("en")), tmp_path / "c.xlsx")
    assert not is_starter(BOOKS.read(tmp_path / "c.xlsx"))


def test_a_starter_without_its_sheet_says_so(filled, language):
    book = load_workbook(filled)
    del book["Billets" if language == "fr" else "Tickets"]
    book.save(filled)
    with pytest.raises(DataError) as caught:
        starter_items(BOOKS.read(filled))
    assert json.dumps(caught.value.problems[0].parameters).count("tblTickets") == 1


def test_a_formula_that_nobody_computed_is_refused_by_cell(filled, language):
    """Read as a blank, it would be a ticket without a text."""
    fr = language == "fr"
    paste(filled, "Billets" if fr else "Tickets", ["Message"], [["=A1&A2"]], formulas=True)
    with pytest.raises(DataError) as caught:
        starter_items(BOOKS.read(filled))
    assert [(p.code, p.cell) for p in caught.value.problems] == [("uncomputed_cell", "B5")]
