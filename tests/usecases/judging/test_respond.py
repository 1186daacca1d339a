"""respond: one fresh conversation per item, conditions as they were sent, and the whole chain from a dataset to weakest cases."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from lark_sheets.core.judging.exchange import Reply
from lark_sheets.core.judging.prompting import JudgeInput
from lark_sheets.core.judging.reasons import Reason
from lark_sheets.errors import DataError, UsageError
from lark_sheets.usecases.judge_block import judge_block
from lark_sheets.usecases.judge_plan import JudgeOptions
from lark_sheets.usecases.responding import estimate_responses, filled, items_table, plan_responses, respond
from tests.adapters.judge.stub import BAD, Play, fault
from tests.core.judging.samples import config, rubric
from tests.usecases.judging.bench import Bench, codes, one, price

ROWS = [
    {"item": "T1", "input": "List the buckets.", "type": "python", "difficulty": "easy", "context": "S3"},
    {"item": "T2", "input": "Write a policy.", "type": "json", "difficulty": "hard", "context": "IAM"},
    {"item": "T3", "input": "Match an ARN.", "type": "regex", "difficulty": "hard", "context": "ARN"},
]
TEMPLATE = "You are an expert.\nContext: {context}\nType: {type}\nRequest: {input}"
ONE = JudgeOptions(concurrency=1)


def collect(bench, rows=ROWS, template=TEMPLATE, *, options=ONE, system="", **changes):
    plan = plan_responses(rows, template, config(**changes), bench.needs, system=system)
    return respond(plan, options, bench.needs)


class TestTheTemplate:
    def test_columns_are_filled_in(self):
        assert (
            filled(TEMPLATE, ROWS[0])
            == "You are an expert.\nContext: S3\nType: python\nRequest: List the buckets."
        )

    @pytest.mark.parametrize(
        ("template", "text"),
        [
            ("{{not a place}} {a}", "{not a place} x"),
            ('{{"k": "{a}"}}', '{"k": "x"}'),
            ("{ a }", "x"),
            ("no place", "no place"),
            ('{"k": 1}', '{"k": 1}'),
            ("{a.__class__} {a[0]} {0}", "{a.__class__} {a[0]} {0}"),
            ("{a", "{a"),
        ],
    )
    def test_only_plain_names_are_places(self, template, text):
        """No attribute, no index, no format: what is no plain name stays as it is."""
        assert filled(template, {"a": "x"}) == text

    def test_what_is_filled_in_is_never_looked_at_again(self):
        assert filled("{a} {b}", {"a": "{b}", "b": "{a} {secret}"}) == "{b} {a} {secret}"

    def test_every_unknown_name_is_told(self):
        with pytest.raises(UsageError) as caught:
            filled("{inputs} {kind} {inputs}", {"input": "", "type": ""})
        assert [p.found for p in caught.value.problems] == ["inputs", "kind"]
        assert caught.value.problems[0].parameters["columns"] == "input, type"


class TestCollecting:
    def test_one_fresh_conversation_per_item(self, bench, stub):
        run = collect(bench)
        assert [sent.body["messages"] for sent in stub.asked] == [
            [{"role": "user", "content": filled(TEMPLATE, row)}] for row in ROWS
        ]
        assert all(set(sent.body) == {"model", "max_tokens", "messages"} for sent in stub.asked)
        assert [r["response"] for r in run.responses] == [
            f"Answer to: {filled(TEMPLATE, row)}" for row in ROWS
        ]
        assert run.exit_code == 0

    def test_conditions_are_recorded_as_they_were_sent(self, bench, stub):
        """002 asks for temperature 0 and a seed; current models take neither: the record says so instead of pretending."""
        run = collect(bench, system="At most 100 words.", max_tokens=1024)
        got = run.conditions
        assert (got["temperature"], got["seed"], got["top_p"], got["effort"]) == ("not sent",) * 4
        assert (got["system"], got["max_tokens"], got["model"], got["served"]) == (
            "At most 100 words.",
            "1024",
            "judge-model-1",
            "served-model-1",
        )
        assert got["conversation"] == "one fresh conversation per item"
        assert stub.asked[0].body["system"][0]["text"] == "At most 100 words."

    def test_a_second_press_asks_nothing_and_gives_the_same_bytes(self, bench, stub):
        first = collect(bench)
        second = collect(bench)
        assert len(stub.asked) == 3
        assert second.jsonl() == first.jsonl()
        assert [json.loads(line)["item"] for line in second.jsonl().splitlines()] == ["T1", "T2", "T3"]

    def test_another_template_asks_again(self, bench, stub):
        collect(bench)
        collect(bench, template=TEMPLATE + " Be brief.")
        assert len(stub.asked) == 6

    def test_equal_prompts_are_conversations_of_their_own(self, bench, stub):
        rows = [{"item": "A", "text": "same"}, {"item": "B", "text": "same"}]
        collect(bench, rows=rows, template="{text}")
        assert len(stub.asked) == 2

    @pytest.mark.parametrize(
        ("play", "text", "stop"),
        [
            (Play(content=[], stop="refusal"), "", "refusal"),
            (Play(text="half an ans", stop="max_tokens"), "half an ans", "max_tokens"),
            (Play(text=""), "", "end_turn"),
        ],
    )
    def test_what_the_model_gave_is_its_response(self, bench, stub, play, text, stop):
        """A refusal, a cut answer and silence are answers of the model: they are graded, not asked again until they look better."""
        stub.queue = [play]
        run = collect(bench)
        assert (run.responses[0]["response"], run.responses[0]["stop_reason"]) == (text, stop)
        assert len(stub.asked) == 3
        collect(bench)
        assert len(stub.asked) == 3

    def test_an_item_the_service_failed_on_has_no_response_and_is_asked_by_the_next_run(self, bench, stub):
        stub.queue = [Play(), fault(500, "api_error", x_should_retry="false")]
        run = collect(bench)
        assert [r["item"] for r in run.responses] == ["T1", "T3"]
        assert run.missing["T2"].reason is Reason.SERVER
        told = one(run.problems, "respond_failed")
        assert (told.parameters["count"], told.parameters["planned"], run.exit_code) == (1, 3, 1)
        again = collect(bench)
        assert (len(stub.asked), len(again.responses), again.exit_code) == (4, 3, 0)

    def test_by_batch(self, bench, stub):
        run = collect(bench, options=JudgeOptions(batch=True, wait=True))
        assert len(run.responses) == 3
        assert stub.asked == []
        assert run.spent["settled"] == 3 * 440_000

    def test_a_cut_response_from_a_batch_is_a_response(self, bench, stub):
        from tests.adapters.judge.stub import succeeded

        stub.batch_lines = lambda requests: [
            succeeded(r, Play(text="half", stop="max_tokens")) for r in requests
        ]
        run = collect(bench, options=JudgeOptions(batch=True, wait=True))
        assert {r["response"] for r in run.responses} == {"half"}

    def test_a_wrong_configuration_stops_after_two(self, bench, stub):
        stub.default = BAD
        run = collect(bench)
        assert (len(stub.asked), run.exit_code) == (2, 2)

    def test_an_estimate_sends_nothing(self, bench, stub):
        plan = plan_responses(ROWS, TEMPLATE, config(), bench.needs)
        got = estimate_responses(plan, ONE, bench.needs)
        assert (got.calls, stub.journal) == (3, [])
        assert got.high > got.low > 0

    def test_a_budget_needs_a_price(self, tmp_path, judge, stub):
        poor = Bench(tmp_path / "l.sqlite", judge, prices=())
        with pytest.raises(DataError):
            collect(poor, options=replace(ONE, budget=Fraction(1)))
        poor.close()

    @pytest.mark.parametrize(
        ("rows", "error"),
        [([], DataError), ([{"item": "A", "text": "x"}, {"item": "A", "text": "y"}], DataError)],
    )
    def test_an_impossible_dataset_is_told(self, bench, rows, error):
        with pytest.raises(error):
            plan_responses(rows, "{text}", config(), bench.needs)

    def test_a_model_must_be_named(self, bench):
        with pytest.raises(UsageError):
            plan_responses(ROWS, TEMPLATE, config(model=""), bench.needs)

    def test_rows_without_an_id_are_numbered(self, bench, stub):
        run = collect(bench, rows=[{"input": "a"}, {"input": "b"}], template="{input}")
        assert [r["item"] for r in run.responses] == ["T001", "T002"]

    def test_the_dataset_becomes_the_items_of_a_campaign(self, bench):
        table = items_table(plan_responses(ROWS, TEMPLATE, config(), bench.needs))
        assert table[0] == {
            "item": "T1",
            "text": "List the buckets.",
            "input": "List the buckets.",
            "type": "python",
            "difficulty": "easy",
            "context": "S3",
        }


class TestTheWholeChain:
    """001: dataset -> responses -> judge, three repeats -> means by type and difficulty, the weakest three, the impossible."""

    @pytest.fixture
    def run(self, bench, stub):
        bench.needs = replace(bench.needs, prices=(price(), price(model="judge-model-2")))
        collected = collect(bench)
        answers = {r["item"]: r["response"] for r in collected.responses}
        inputs = tuple(
            JudgeInput(
                id=f"r-{row['item']}",
                item=row["item"],
                ticket=row["input"],
                response=answers[row["item"]],
                type=row["type"],
                difficulty=row["difficulty"],
            )
            for row in ROWS
        )
        stub.journal.clear()
        stub.by_response["List the buckets"] = [Play(grades=g) for g in ({}, {"validity": 3}, {})]
        stub.by_response["Write a policy"] = [Play(grades={"format": 0, "validity": 1})] * 3
        stub.by_response["Match an ARN"] = [Play(text="sorry")] * 6
        return bench.run(
            of=rubric("aws-assistant"),
            inputs=inputs,
            settings=config(model="judge-model-2", repeats=3),
            graded_by_judge=True,
        )

    def test_the_tables(self, run, stub):
        block = judge_block(run)
        assert len(stub.asked) == 3 + 3 + 6
        assert [(g["group"], g["mean"], g["graded"]) for g in block["by_type"]] == [
            ("json", 4.0, 1),
            ("python", pytest.approx(29 / 3), 1),
            ("regex", None, 0),
        ]
        assert [(g["group"], g["mean"], g["graded"], g["responses"]) for g in block["by_difficulty"]] == [
            ("easy", pytest.approx(29 / 3), 1, 1),
            ("hard", 4.0, 1, 2),
        ]
        assert block["mean_total"]["mean"] == pytest.approx((29 / 3 + 4) / 2)
        assert (block["total_max"], block["impossible"], block["graded"]) == (10, 1, 2)

    def test_the_weakest_with_their_weaknesses(self, run):
        got = judge_block(run)["weakest"]
        assert [(w["item"], w["weaknesses"]) for w in got] == [("T2", "thin"), ("T1", "thin")]

    def test_what_failed_is_counted_apart(self, run):
        block = judge_block(run)
        assert block["unscored"] == {"not_json": 3}
        assert (block["planned"], block["scored"]) == (9, 6)
        assert {"judge_no_score", "calibration_none"} <= set(codes(run.problems))

    def test_nothing_is_blocked_and_the_grades_are_the_judges(self, run):
        assert set(run.stands.values()) == {"grades"}
        assert (run.blocking, run.exit_code) == ((), 0)


def test_a_fresh_conversation_holds_nothing_of_another_item(bench, stub):
    """Twelve items through four threads: each request holds its own item and no other's."""
    rows = [{"item": f"T{n}", "text": f"marker-{n:02}"} for n in range(12)]
    collect(bench, rows=rows, template="{text}", options=JudgeOptions(concurrency=4))
    for sent in stub.asked:
        assert sum(row["text"] in json.dumps(sent.body) for row in rows) == 1


def test_a_reply_needs_no_form(bench):
    plan = plan_responses(ROWS, TEMPLATE, config(), bench.needs)
    assert plan.tasks[0].read(Reply(text="anything", stop_reason="whatever", served="m")) is None
