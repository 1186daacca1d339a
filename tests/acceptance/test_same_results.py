"""One campaign, two doors: as files, and open in a spreadsheet program. Results, grades and history are the same, byte for byte."""

import dataclasses
import json
from pathlib import Path

import pytest

from lark_sheets import wiring
from lark_sheets.adapters.books import FileBooks
from lark_sheets.core.campaign import Grader
from lark_sheets.usecases.creating import NewCampaign, create
from lark_sheets.usecases.demo import FIRST_GRADED, build_demo
from lark_sheets.usecases.gathering import gather_books
from lark_sheets.usecases.importing import import_table
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.recomputing import recompute
from lark_sheets.usecases.results_files import results_text
from lark_sheets.usecases.revealing import reveal
from tests.acceptance.door import ThroughOffice
from tests.desk import desk, write_csv
from tests.live import IN_OFFICE
from tests.real_data.test_newsroom import CRITERIA, RUBRIC, rows_of

pytestmark = IN_OFFICE


class NoReport:
    """Lays out nothing: the report does not depend on the door."""

    def html(self, view: object) -> str:
        return ""

    def pdf(self, view: object, path: Path, attachments: object) -> None:
        path.write_bytes(b"")


def through(books, **changes):
    return dataclasses.replace(desk(), books=books, **changes)


def cells(path):
    """Every sheet of a saved workbook as a reader of files sees it, without blank ends."""
    found = {}
    for sheet in FileBooks().read(path).sheets:
        rows = [[sheet.value(r, c) for c in range(1, len(row) + 1)] for r, row in enumerate(sheet.rows, 1)]
        for row in rows:
            while row and row[-1] is None:
                row.pop()
        while rows and not rows[-1]:
            rows.pop()
        found[sheet.name] = (rows, dict(sheet.tables), sheet.hidden_columns, sheet.visible)
    return found


def test_the_demo_is_the_same(app, tmp_path):
    """Created, graded, gathered, read a second time, revealed, computed: 192 responses, 220 readings."""
    made = {}
    for door, books in {"files": FileBooks(), "office": ThroughOffice()}.items():
        out = tmp_path / door
        needs = wiring.needs("en", quiet=True, clock=wiring.FixedTime(FIRST_GRADED))
        build_demo(out, dataclasses.replace(needs, books=books, who=""), NoReport())
        made[door] = out

    texts = [(out / "results.json").read_text("utf-8") for out in made.values()]
    assert texts[0] == texts[1]
    assert json.loads(texts[0])["coverage"] == {"expected": 192, "graded": 192, "incomplete": 0, "stale": 0}
    for name in ("campaign.xlsx", "graders/reader-1.xlsx", "graders/reader-2.xlsx"):
        assert cells(made["files"] / name) == cells(made["office"] / name)


def test_newsroom_is_the_same(app, tmp_path, shared):
    """420 summaries with three readings each, levels from 1 to 5: a rubric, texts and sizes unlike the demo's."""
    data = shared / "data" / "newsroom"
    scores = [
        {"grader": f"slot-{r['rater_slot']}", "response_id": r["response_id"], **{c: r[c] for c in CRITERIA}}
        for r in rows_of(data / "scores.csv")
    ]
    table = write_csv(tmp_path / "grades.csv", scores)
    texts, books_of = [], {}
    for door, books in {"files": FileBooks(), "office": ThroughOffice()}.items():
        needs, out = through(books), tmp_path / door
        create(
            NewCampaign(
                rubric=str(RUBRIC),
                items=data / "items.csv",
                responses=data / "responses.csv",
                out=out,
                language="en",
                graders=(Grader(name="slot-1", is_position=True),),
            ),
            needs,
        )
        import_table(out, table, needs)
        reveal(out, needs)
        texts.append(results_text(recompute([out], needs).computed[0].results, needs))
        books_of[door] = cells(out / "campaign.xlsx")

    assert texts[0] == texts[1]
    assert json.loads(texts[0])["agreement"]["shared"] == 420
    assert books_of["files"] == books_of["office"]


@pytest.fixture
def open_campaign(app, tmp_path):
    """A campaign of two graders, one response in French, with grades typed in their workbooks; campaign.xlsx is open."""
    items = write_csv(tmp_path / "items.csv", [{"item": i, "text": f"Message {i}"} for i in ("K1", "K2")])
    rows = [
        {"item": i, "run": f"run {n}", "response": f"=réponse {i} «{n}»\n+2"}
        for i in ("K1", "K2")
        for n in (1, 2)
    ]
    responses = write_csv(tmp_path / "responses.csv", rows)
    request = NewCampaign(
        rubric="larkfield",
        items=items,
        responses=responses,
        out=tmp_path / "campaign",
        language="fr",
        graders=(Grader(name="ana"), Grader(name="ben")),
        shared=1,
    )
    create(request, desk("fr"))
    return request.out


def test_a_gather_into_the_open_book_keeps_what_was_typed_there(app, open_campaign):
    """The coordinator has typed a reason and not saved; a grader's file comes in; both stand in the book and in its file."""
    live = ThroughOffice().live
    needs = dataclasses.replace(desk("fr"), books=live)
    grader = open_campaign / "graders" / "ana.xlsx"
    loaded = load_one(grader, desk("fr"))
    mine = [r for r in loaded.campaign.readings if r.grader == "ana"]
    graded = write_csv(
        open_campaign.parent / "grades.csv",
        [
            {
                "grader": "ana",
                "response_id": r.response,
                "accuracy": 2,
                "completeness": 2,
                "format": 2,
                "abstention": 2,
            }
            for r in mine
        ],
    )
    import_table(grader, graded, desk("fr"))
    book = app.books.open(str(open_campaign / "campaign.xlsx"))
    read = load_one(open_campaign, desk("fr")).read
    row = next(r.place.row for r in read.campaign.readings if r.grader == "ben")
    column = read.grades.columns["reason"]
    book.sheets[read.grades.sheet.name].range((row, column)).value = "'=ma raison"

    done = gather_books(open_campaign, [grader], needs)

    assert (done.written, done.refused) == (len(mine), 0)
    saved = load_one(open_campaign, desk("fr")).campaign
    assert [r.reason for r in saved.readings if r.place.row == row] == ["=ma raison"]
    assert all(set(r.grades.values()) == {2} for r in saved.readings if r.grader == "ana")
    assert [entry.event for entry in saved.log] == ["created", "gather"]
    assert gather_books(open_campaign, [grader], needs).written == 0
