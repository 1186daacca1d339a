"""Means by type and difficulty, the weakest answers right on ties, and failed gradings apart: never a zero, never a division by zero."""

import itertools

import pytest

from lark_sheets.core.breakdown import weakest
from lark_sheets.core.scoring import summarise
from tests.factories import campaign as made, shipped
from tests.systems.conftest import json_of, run

AWS = shipped("aws-assistant")
ITEMS = [
    {"item": "T1", "text": "a", "type": "python", "difficulty": "easy"},
    {"item": "T2", "text": "b", "type": "json", "difficulty": "hard"},
    {"item": "T3", "text": "c", "type": "json", "difficulty": "easy"},
]


def book(desk, grades, **options):
    responses = [{"item": i["item"], "run": "Tulip", "response": f"answer {i['item']}"} for i in ITEMS]
    rows = [
        {"grader": "judge", "item": item, "run": "Tulip", **dict(zip(("format", "validity", "adequacy"), levels, strict=True)), "reason": f"about {item}"}
        for item, levels in grades.items()
    ]  # fmt: skip
    return desk.campaign("c", "aws-assistant", ITEMS, responses, rows, graders=(), **options)


def found(desk, path):
    assert run("breakdown", path, "--json", desk.folder / "b.json") in (0, 1)
    return json_of(desk.folder / "b.json")


def test_every_total_from_0_to_10_and_no_other():
    """Format 0-3, validity 0-4, adequacy 0-3: totals are computed, 0 to 10, all of them reachable."""
    levels = [c.levels for c in AWS.criteria]
    totals = {sum(combination) for combination in itertools.product(*levels)}
    assert totals == set(range(11))
    assert AWS.total_max == 10


def test_means_by_type_and_difficulty(desk):
    """json: (10 + 3) / 2 = 6.5; easy: (5 + 3) / 2 = 4."""
    plain = found(desk, book(desk, {"T1": (2, 2, 1), "T2": (3, 4, 3), "T3": (1, 1, 1)}))
    [tulip] = plain["runs"]
    assert (tulip["run"], tulip["whole"]["mean"]) == ("Tulip", 6.0)
    assert {g["group"]: g["mean"] for g in tulip["by_type"]} == {"python": 5.0, "json": 6.5}
    assert {g["group"]: g["mean"] for g in tulip["by_difficulty"]} == {"easy": 4.0, "hard": 10.0}
    assert [(w["item"], w["total"], w["reason"]) for w in plain["weakest"]] == [
        ("T3", 3, "about T3"),
        ("T1", 5, "about T1"),
        ("T2", 10, "about T2"),
    ]


def test_when_every_grading_failed_there_is_no_grade(desk, capsys):
    """No mean, no weakest, no zero; the failures are counted."""
    path = book(desk, {})
    [tulip] = found(desk, path)["runs"]
    assert (tulip["whole"]["mean"], tulip["ungraded"]) == (None, 3)
    assert {g["mean"] for g in tulip["by_type"]} == {None}
    capsys.readouterr()
    assert run("breakdown", path, "--lang", "en") == 0
    shown = capsys.readouterr().out
    assert "no grade" in shown
    assert "3 responses without a grade: in no mean, and no zero" in shown
    assert "Weakest" not in shown


def test_a_failed_grading_is_in_no_mean(desk):
    """5 and nothing: the mean is 5 of one graded, not 2.5 of two."""
    [tulip] = found(desk, book(desk, {"T2": (2, 2, 1)}))["runs"]
    json = next(g for g in tulip["by_type"] if g["group"] == "json")
    assert (json["mean"], json["graded"], json["responses"]) == (5.0, 1, 2)


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ({"K01": 5, "K02": 1, "K03": 4, "K04": 2}, ["K02", "K04", "K03"]),
        ({"K01": 5, "K02": 1, "K03": 1, "K04": 1, "K05": 1}, ["K02", "K03", "K04", "K05"]),
        ({"K01": 2, "K02": 1, "K03": 2, "K04": 2}, ["K02", "K01", "K03", "K04"]),
        ({"K01": 3, "K02": 1}, ["K02", "K01"]),
        ({}, []),
    ],
)
def test_the_weakest_three_and_whoever_ties_with_the_third(totals, expected):
    """None of equals is left out because of its name."""
    table = {f"{item}-A": (0, min(total, 4), total - min(total, 4)) for item, total in totals.items()}
    campaign = made(table, rubric=AWS)
    assert [r.item for r in weakest(summarise(campaign))] == expected


def test_a_rubric_of_categories_has_no_total(desk, capsys):
    out = desk.campaign("r", "refusals", ITEMS, [{"item": "T1", "run": "r", "response": "x"}], reveal=False)
    assert run("breakdown", out, "--lang", "en") == 2
    assert "no total" in capsys.readouterr().err
