"""What is left to run is told as commands; whatever is forgotten stays in the list and changes nothing silently."""

from dataclasses import replace

import pytest

from lark_sheets.adapters.ledger import SqliteLedger
from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.judging.prompting import prompt_for
from lark_sheets.core.rerun import Facts, steps
from lark_sheets.workbook import layout
from lark_sheets.workbook.locate import find_table
from tests.core.judging.calibrations import lesson_003
from tests.core.judging.samples import config
from tests.desk import NOW, desk as needs
from tests.factories import shipped
from tests.systems.conftest import json_of, run

VERDICT = shipped("support-verdict")
CRITERIA = ("promise", "invention", "request", "next_step", "tone")
FINE = Facts(
    edited=False,
    stale=0,
    incomplete=0,
    judge_stale=0,
    judge_model="",
    changed=None,
    results="new",
    revealed=True,
)


def test_nothing_is_left_when_everything_is_up_to_date():
    assert steps(FINE, "spring") == ()
    assert steps(replace(FINE, judge_model="m", changed=()), "spring") == ()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({"results": "none"}, ["recompute", "report"], id="nothing computed"),
        pytest.param({"revealed": False}, ["reveal", "recompute", "report"], id="all graded"),
        pytest.param(
            {"incomplete": 3, "revealed": False}, ["gather", "recompute", "report"], id="grades missing"
        ),
        pytest.param({"stale": 2}, ["gather", "recompute", "report"], id="grades of an older version"),
        pytest.param({"edited": True}, ["rescore", "recompute", "report"], id="rubric edited, no judge"),
        pytest.param(
            {"edited": True, "judge_model": "m", "changed": ()},
            ["rescore", "calibrate", "judge", "recompute", "report"],
            id="rubric edited, with a judge",
        ),
        pytest.param(
            {"judge_model": "m", "changed": ("rubric",), "judge_stale": 4},
            ["calibrate", "judge", "recompute", "report"],
            id="re-scored, judge forgotten",
        ),
    ],
)
def test_what_each_state_asks_for(changes, expected):
    assert [s.command.split()[0] for s in steps(replace(FINE, **changes), "spring")] == expected


def test_a_recorded_judge_is_named_by_its_file():
    found = steps(replace(FINE, judge_model="recorded: calibration.csv", changed=("rubric",)), "spring")
    assert found[0].command == "calibrate spring --set LABELS --recorded calibration.csv"


# --- the case that the rule did not see -------------------------------------------------------------------------------


def campaign(desk):
    """A fraud answered with a password link (people: unacceptable, the written rule: acceptable), and a curt but right answer."""
    items = [
        {"item": "C15", "text": "Someone paid with my card on your site.", "language": "en"},
        {"item": "C30", "text": "Where is it?"},
    ]
    responses = [
        {
            "item": "C15",
            "run": "Tulip",
            "response": "To choose a new password, follow the link on the sign-in page.",
        },
        {"item": "C30", "run": "Tulip", "response": "Monday."},
    ]
    grades = [
        {"grader": "ana", "item": "C15", "run": "Tulip", **dict.fromkeys(CRITERIA, 1), "request": 0, "codes": "beside_the_point"},
        {"grader": "ana", "item": "C30", "run": "Tulip", **dict.fromkeys(CRITERIA, 1), "tone": 0, "codes": "wrong_tone"},
    ]  # fmt: skip
    book = desk.campaign("spring", "support-verdict", items, responses, grades)
    ledger = SqliteLedger(book / "ledger.sqlite", lambda: NOW)
    kept = replace(lesson_003(), conditions=prompt_for(VERDICT, config()).conditions, date=NOW.isoformat())
    ledger.keep_calibration(kept)
    ledger.close()
    return book


def verdicts(book):
    assert run("recompute", book, "--json", book / "r.json") == 0
    return {r["item"]: r["verdict"] for r in json_of(book / "r.json")["responses"]}


def forbid(book):
    """Type one more test under the first row of the decision: a failed request is enough."""
    books, path = needs().books, book / "campaign.xlsx"
    table = find_table(books.read(path), layout.VERDICT, ())
    patch, row = BookPatch(), max(table.rows()) + 1
    typed = {
        "order": 1,
        "outcome": "unacceptable",
        "combine": "ANY",
        "test": "level",
        "target": "request",
        "operator": "=",
        "number": 0,
    }
    for column, value in typed.items():
        patch.set(table.sheet.name, row, table.columns[column], value)
    books.patch(path, patch)


def left(book, capsys):
    assert run("next", book, "--json", book / "n.json", "--lang", "en") == 0
    shown = capsys.readouterr().out
    found = json_of(book / "n.json")
    return [s["command"].split()[0] for s in found["steps"]], found["gate"], shown


def test_one_secondary_failure_is_acceptable_by_the_shipped_rule(desk):
    assert verdicts(campaign(desk)) == {"C15": "acceptable", "C30": "acceptable"}


def test_mending_the_rubric_makes_the_calibration_stale_and_lists_what_to_run(desk, capsys):
    """Rule edited: C15 turns, C30 stays; the calibration is of another rubric, so the judge only indicates until it is made again.

    Each command that is forgotten is still told, and nothing else changes by itself.
    """
    book = campaign(desk)
    assert run("recompute", book) == 0
    capsys.readouterr()
    assert left(book, capsys)[:2] == ([], "blocking")

    forbid(book)
    commands, gate, shown = left(book, capsys)
    assert commands == ["rescore", "calibrate", "judge", "recompute", "report"]
    assert gate == "stale"
    assert "the judge only indicates" in shown
    assert verdicts(book) == {
        "C15": "acceptable",
        "C30": "acceptable",
    }  # the kept version applies until re-scored

    assert (
        run("rescore", book, "--apply", "--author", "Grace", "--reason", "A fraud is no password matter.")
        == 0
    )
    assert verdicts(book) == {"C15": "unacceptable", "C30": "acceptable"}
    capsys.readouterr()
    commands, gate, shown = left(book, capsys)
    assert commands == ["calibrate", "recompute", "report"]
    assert gate == "stale"
    assert "another rubric" in shown

    # Forgetting to calibrate: recomputing again and again leaves it in the list.
    assert run("recompute", book) == 0
    capsys.readouterr()
    commands, gate, _ = left(book, capsys)
    assert "calibrate" in commands
    assert gate == "stale"

    # Taking the edit back makes the calibration valid again.
    assert run("rescore", book, "--undo") == 0
    assert verdicts(book) == {"C15": "acceptable", "C30": "acceptable"}
    capsys.readouterr()
    assert left(book, capsys)[1] == "blocking"


def test_results_of_other_grades_are_old(desk, capsys):
    book = desk.campaign(
        "c",
        "support-verdict",
        [{"item": "a", "text": "x"}],
        [{"item": "a", "run": "r", "response": "y"}],
        [{"grader": "ana", "item": "a", "run": "r", **dict.fromkeys(CRITERIA, 1)}],
    )
    assert run("recompute", book) == 0
    capsys.readouterr()
    assert left(book, capsys)[0] == []
    path = book / "results.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"tone": 1', '"tone": 0'), encoding="utf-8")
    assert left(book, capsys)[0] == ["recompute", "report"]
    path.write_text("not json", encoding="utf-8")
    assert left(book, capsys)[0] == ["recompute", "report"]


def test_nothing_is_changed_by_looking(desk):
    book = campaign(desk)
    before = {p: p.read_bytes() for p in book.rglob("*.xlsx")}
    assert run("next", book) == 0
    assert {p: p.read_bytes() for p in book.rglob("*.xlsx")} == before
