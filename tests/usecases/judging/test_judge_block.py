"""The judge's part of results.json: the contract's keys, plain JSON, nothing invented, nothing that gives a run away."""

import json
from dataclasses import replace

import pytest

from lark_sheets.core.judging.bias import compared, order_bias
from lark_sheets.usecases.judge_block import bias_block, judge_block
from lark_sheets.usecases.judge_plan import JudgeOptions
from tests.adapters.judge.stub import Play
from tests.core.judging.samples import config, rubric, subject, subjects
from tests.usecases.judging.bench import one

LARK = rubric()


def whole(run, **options):
    return json.loads(json.dumps(judge_block(run, **options), allow_nan=False))


@pytest.fixture
def run(bench, stub):
    stub.by_response["K01-A"] = [Play(grades={"format": v}) for v in (2, 0, 2)]
    stub.by_response["K01-B"] = [Play(content=[], stop="refusal")] * 3
    return bench.run(("K01-A", "K01-B", "K02-A"), settings=config(repeats=3))


def test_the_keys_of_the_contract_come_first(run):
    assert list(judge_block(run))[:5] == ["model", "gate", "conclusive", "calibration", "unscored"]
    block = whole(run)
    assert (block["model"], block["gate"], block["conclusive"], block["calibration"]) == (
        "judge-model-1",
        "none",
        None,
        {},
    )
    assert block["unscored"] == {"refusal": 3}


def test_what_was_asked_and_what_came(run):
    block = whole(run)
    assert (block["responses"], block["graded"], block["planned"], block["scored"], block["repeats"]) == (
        3,
        2,
        9,
        6,
        3,
    )
    assert block["conditions"]["temperature"] == "not sent"
    assert block["conditions"]["effort"] == "not sent"
    assert block["served"] == ["served-model-1"]
    assert block["spend"]["requests"] == 9


def test_each_response_with_its_repeats(run):
    first, second, third = whole(run)["items"]
    assert (first["scores"]["format"], first["means"]["format"], first["ranges"]["format"]) == (
        2,
        pytest.approx(4 / 3),
        [0, 2],
    )
    assert (first["total"], first["total_range"], first["divergent"]) == (pytest.approx(22 / 3), [6, 8], True)
    assert (second["total"], second["verdict"], second["unscored"]) == (None, None, {"refusal": 3})
    assert set(second["scores"].values()) == {None}
    assert (third["verdict"], third["stand"]) == ("ready", "beside")
    assert first["remarks"]["format"] == {"finding": "as seen", "evidence": "quoted"}


def test_who_has_to_look(run):
    assert [(q["id"], q["why"]) for q in whole(run)["queue"]] == [
        ("K01-A", ["divergent"]),
        ("K01-B", ["no_grade"]),
    ]


def test_steadiness_is_alpha_over_repeats(run):
    block = whole(run)
    assert block["consistency"]["format"]["n"] == 2
    assert block["consistency"]["format"]["kappa"] is None
    assert block["consistency"]["accuracy"]["state"].startswith("undefined")


def test_a_file_that_unfinished_graders_may_open_holds_none_of_it(run):
    """Their column stays hidden: neither grades, nor reasons, nor which responses stand out."""
    block = whole(run, with_items=False)
    assert not {"items", "queue", "weakest", "blocking", "waiting"} & set(block)
    assert "K01" not in json.dumps(block)


def test_a_rubric_without_totals_has_no_means(bench, stub):
    block = whole(bench.run(of=rubric("refusals")))
    assert not {"mean_total", "by_type"} & set(block)
    assert block["items"][0]["scores"] == {"category": "substantive"}


def test_leanings_are_measured_against_people(bench, stub):
    """Own family one point too high, others right: the difference is 1; the criteria asked in another order as steady as ever."""
    inputs = subjects(*(f"K{n:02}-A" for n in range(8)), *(f"K{n:02}-B" for n in range(8)))
    straight = bench.run(inputs=inputs, settings=config(repeats=2))
    permuted = bench.run(
        inputs=inputs, settings=config(order=("abstention", "format", "completeness", "accuracy"))
    )
    people = {
        one.id: dict.fromkeys(("accuracy", "completeness", "format", "abstention"), 2)
        | ({"format": 1} if one.label == "A" else {})
        for one in inputs
    }
    families = {one.id: "own" if one.label == "A" else "other" for one in inputs}
    rows = compared(LARK, inputs, straight.summaries, people, families)
    block = json.loads(
        json.dumps(
            bias_block(rows, "own", order_bias(straight.summaries, permuted.summaries)), allow_nan=False
        )
    )
    assert (block["own_family"]["difference"], block["own_family"]["own"]) == (1.0, 8)
    assert block["order"]["permuted"] == {
        "k": 64,
        "n": 64,
        "interval": block["order"]["permuted"]["interval"],
    }
    assert block["length"]["n"] == 16
    schema = stub.asked[-1].body["output_config"]["format"]["schema"]
    assert list(schema["properties"]["criteria"]["properties"]) == [
        "abstention",
        "format",
        "completeness",
        "accuracy",
    ]


def test_responses_that_people_did_not_grade_are_no_evidence_of_a_leaning(bench, stub):
    inputs = subjects("K01-A", "K01-B")
    run = bench.run(inputs=inputs)
    blank = {"K01-A": {"accuracy": 2, "completeness": None, "format": 2, "abstention": 2}}
    assert compared(LARK, inputs, run.summaries, blank, {}) == []


def test_injected_texts_are_only_data_in_the_block(bench, stub):
    """What the judge quotes may be anything; it stays a string."""
    stub.queue = [Play(extra={"weaknesses": "=HYPERLINK(1)</script>\x00\ud800"})]
    inputs = (subject(response="=1+1"),)
    block = whole(bench.run(inputs=inputs))
    assert block["weakest"][0]["weaknesses"] == "=HYPERLINK(1)</script>\x00\ufffd"


def test_problems_are_told_in_french_too(tmp_path, judge, stub):
    from lark_sheets.core.problems import told
    from lark_sheets.locales import translator
    from tests.usecases.judging.bench import Bench

    bench = Bench(tmp_path / "l.sqlite", judge, language="fr")
    stub.by_response["K01-A"] = [Play(text="{", stop="max_tokens")] * 2
    run = bench.run()
    sentence = told(one(run.problems, "judge_no_score"), translator("fr"))
    assert "jugements sans note\u00a0: 1 sur 2 (réponse coupée à la limite de jetons 1)" in sentence
    bench.close()


def test_options_are_what_the_command_line_says():
    from fractions import Fraction

    from lark_sheets.core.judging.reasons import Mode, Purpose

    options = JudgeOptions(budget=Fraction(5, 2), concurrency=3, again=True, batch=True)
    terms = options.terms(config(max_tokens=99), Purpose.JUDGE)
    assert (terms.budget, terms.concurrency, terms.again, options.mode) == (
        2_500_000_000,
        3,
        True,
        Mode.BATCH,
    )
    assert replace(options, batch=False).mode is Mode.LIVE
