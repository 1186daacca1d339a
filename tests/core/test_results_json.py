"""``results.json`` has exactly the keys of its contract, whole numbers as they are, and never a NaN."""

import json
import math
from fractions import Fraction

import pytest

from lark_sheets.core.agreement import State
from lark_sheets.core.problems import problem
from lark_sheets.core.results_json import batch_dict, dumps, plain, results_dict
from lark_sheets.locales import translator
from tests.report.factory import demo, demo_results, shipped_rubric, tiny

EN = translator("en")

TOP = ["schema", "campaign", "revealed", "graded_by", "block", "rubric", "coverage", "overall", "runs", "responses", "agreement", "judge", "key", "problems"]  # fmt: skip
RUN = ["run", "responses", "graded", "ready", "ready_interval", "points", "points_max", "score_10", "zeros", "verdicts", "labels", "rates", "ranked", "why_unranked"]  # fmt: skip
RESPONSE = [
    "id",
    "item",
    "label",
    "run",
    "grader",
    "owner",
    "scores",
    "codes",
    "total",
    "ready",
    "verdict",
    "stale",
]
STAT = ["equal", "n", "interval", "kappa", "kappa_interval", "kappa_linear", "kappa_quadratic", "ac1", "alpha_ordinal", "alpha_nominal", "fleiss", "state"]  # fmt: skip


@pytest.fixture(scope="module")
def document() -> dict:
    results, _ = demo_results()
    return results_dict(results, EN)


def test_every_key_of_the_contract_is_there(document):
    assert set(TOP) <= set(document)
    assert document["schema"] == "lark-sheets/results/1"
    assert set(document["coverage"]) == {"expected", "graded", "incomplete", "stale"}
    for run in (document["overall"], *document["runs"]):
        assert set(RUN) <= set(run)
    assert all(set(RESPONSE) <= set(response) for response in document["responses"])
    stats = [document["agreement"]["decision"], *document["agreement"]["criteria"].values()]
    assert all(set(STAT) <= set(stat) for stat in stats)
    assert set(document["key"]) == {"commitment", "matches"}


def test_the_demo_stands_in_it_to_the_unit(document):
    runs = document["runs"]
    assert [run["ready"] for run in runs] == [24, 22, 24, 24, 24, 6, 12, 14]
    assert [run["points"] for run in runs] == [189, 190, 192, 191, 190, 111, 143, 125]
    assert [run["score_10"] for run in runs] == [
        "9.84", "9.90", "10.00", "9.95", "9.90", "5.78", "7.45", "6.51",
    ]  # fmt: skip
    assert document["agreement"]["all_criteria"]["equal"] == 24
    assert document["agreement"]["decision"]["equal"] == 28
    assert len(document["responses"]) == 192 + 28


def test_before_the_reveal_no_name_of_a_run_is_in_it():
    campaign, _, runs = demo(revealed=False)
    results, _ = demo_results(campaign)
    text = dumps(results_dict(results, EN))
    assert json.loads(text)["runs"] == []
    assert all(response["run"] is None for response in json.loads(text)["responses"])
    assert not any(run in text for run in runs)


def test_an_undefined_coefficient_is_null_with_its_name():
    rubric = shipped_rubric("larkfield")
    top = {c.id: c.top for c in rubric.criteria}
    results, _ = tiny(rubric, {"one": [top, top, top]}, second={"one": [top, top, top]})
    stat = results_dict(results, EN)["agreement"]["criteria"]["accuracy"]
    assert (stat["equal"], stat["n"], stat["kappa"], stat["kappa_interval"]) == (3, 3, None, None)
    assert stat["state"] == str(State.ONE_VALUE_ONLY)


def test_nothing_read_twice_leaves_no_number_but_the_counts():
    rubric = shipped_rubric("larkfield")
    top = {c.id: c.top for c in rubric.criteria}
    results, _ = tiny(rubric, {"one": [top]})
    agreement = results_dict(results, EN)["agreement"]
    assert agreement["shared"] == 0
    assert agreement["criteria"]["accuracy"]["interval"] is None


def test_numbers_that_are_none_become_null_and_exact_fractions_become_floats():
    value = {
        "nan": math.nan,
        "inf": [math.inf],
        "third": Fraction(1, 4),
        "state": State.NO_ORDER,
        "flag": True,
    }
    assert plain(value) == {
        "nan": None, "inf": [None], "third": 0.25, "state": "undefined: levels have no order", "flag": True,
    }  # fmt: skip
    assert "NaN" not in dumps({"judge": {"kappa": math.nan}})


def test_a_problem_says_where_what_expected_and_what_to_do_in_the_readers_language():
    blank = problem(
        "missing_grade", sheet="Grading", cell="G14", item="S07", criterion="Accuracy", levels="0, 1, 2"
    )
    results, _ = demo_results(problems=[blank])
    told = results_dict(results, EN)["problems"][0]
    assert (told["severity"], told["code"], told["sheet"], told["cell"], told["item"]) == (
        "warning", "missing_grade", "Grading", "G14", "S07",
    )  # fmt: skip
    assert told["found"] == "Accuracy is not graded, the other criteria are"
    assert told["expected"] == "one of 0, 1, 2"
    assert told["remedy"]


def test_several_campaigns_and_what_could_not_be_read_make_one_document(document):
    batch = batch_dict([document], [{"workbook": "broken.xlsx"}])
    assert (batch["schema"], len(batch["results"]), batch["failed"]) == (
        "lark-sheets/batch/1", 1, [{"workbook": "broken.xlsx"}],
    )  # fmt: skip
