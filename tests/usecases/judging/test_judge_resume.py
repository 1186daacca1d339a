"""A run that dies goes on where it stopped: nothing that was paid for is asked again, what may have been billed is told."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from fractions import Fraction

import pytest

from lark_sheets.core.judging.reasons import Reason
from lark_sheets.usecases.judge_block import judge_block
from lark_sheets.usecases.judge_plan import JudgeOptions
from tests.adapters.judge.fixtures import server
from tests.adapters.judge.stub import BAD, BROKEN, KEY, OVERLOADED, RATE, Play
from tests.conftest import ROOT
from tests.core.judging.samples import config, rubric, subject, subjects
from tests.usecases.judging.bench import Bench, codes, one


def start(ledger, count, *, threads=4, consent="yes"):
    words = [
        sys.executable,
        "-m",
        "tests.usecases.judging.child",
        str(ledger),
        server().url,
        str(count),
        str(threads),
        consent,
    ]
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert child.stdout.readline() == "ready\n"
    return child


def go(child):
    child.stdin.write("\n")
    child.stdin.flush()


def outcome(child):
    out, _ = child.communicate()
    assert child.returncode == 0
    return json.loads(out)


def states(ledger):
    with closing(sqlite3.connect(ledger)) as database:
        return dict(database.execute("SELECT state, count(*) FROM attempts GROUP BY state").fetchall())


def test_kill_9_at_two_moments_of_100_calls(tmp_path, stub):
    """Killed while the 20th, then the 60th request is in flight; the third run makes exactly the missing calls.

    Requests without an answer are in the ledger as sent. Without consent they are told and not asked again; with it, they are asked,
    and what the lost ones may have cost stays held.
    """
    ledger = tmp_path / "ledger.sqlite"
    answered, lost, before = 0, 0, 0
    for held_up in (20, 60):
        stub.queue = [Play()] * (held_up - before - 1) + [Play(cut="silent")]
        child = start(ledger, 100)
        go(child)
        while len(stub.asked) < held_up + 6:
            assert child.poll() is None
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()
        found = states(ledger)
        answered = found["scored"]
        in_flight = found["sent"]
        assert in_flight >= 1
        lost += in_flight
        before = len(stub.asked)
        assert (
            answered + found.get("lost", 0) + in_flight >= before
        )  # every request that left was written before
    stub.queue = []
    child = start(ledger, 100, consent="no")
    go(child)
    shy = outcome(child)
    assert len(stub.asked) - before == 100 - answered - in_flight
    assert shy["reasons"] == {"interrupted": 1}
    assert shy["problems"]["judge_interrupted"] == in_flight
    before = len(stub.asked)
    child = start(ledger, 100)
    go(child)
    got = outcome(child)
    assert len(stub.asked) - before == in_flight
    assert (got["scored"], got["reasons"]) == (100, {})
    assert states(ledger) == {"scored": 100, "lost": lost}
    assert got["problems"]["judge_may_be_billed"] == lost == got["spent"]["may_be_billed"]


def test_two_commands_at_once_share_the_work(tmp_path, stub):
    """Both start together on one ledger: each of the 40 responses is asked once, and both end with all 40 grades."""
    ledger = tmp_path / "ledger.sqlite"
    children = [start(ledger, 40) for _ in range(2)]
    for child in children:
        go(child)
    results = [outcome(child) for child in children]
    assert [r["scored"] for r in results] == [40, 40]
    assert len(stub.asked) == 40
    assert states(ledger) == {"scored": 40}


def test_a_second_press_asks_nothing_and_gives_the_same(bench, stub):
    settings = config(repeats=3)
    first = bench.run(settings=settings)
    assert len(stub.asked) == 6
    second = bench.run(settings=settings)
    assert len(stub.asked) == 6
    assert judge_block(second) == judge_block(first)
    assert json.dumps(judge_block(second)) == json.dumps(judge_block(first))


def test_a_ledger_opened_anew_serves_another_command(bench, stub, judge):
    bench.run()
    other = Bench(bench.path, judge)
    other.run()
    other.close()
    assert len(stub.asked) == 2


def test_repeats_are_calls_of_their_own(bench, stub):
    """Three repeats behind a cache that forgets their number would be one call shown three times."""
    stub.by_response["K01-A"] = [Play(grades={"format": v}) for v in (2, 0, 2)]
    run = bench.run(("K01-A",), settings=config(repeats=3))
    assert len(stub.asked) == 3
    assert run.summaries[0].criteria["format"].values == (2, 0, 2)
    assert run.summaries[0].divergent
    assert "judge_divergent" in codes(run.problems)


def test_case_22_429_529_and_resume(bench, stub, shared):
    """Eight responses, the run dies after the fifth: 13 requests in all, 7 grades, one response without one, one request
    that may have been billed for nothing; the third run asks nothing and gives the same bytes."""
    case = json.loads((shared / "cases" / "22-judge-429-529-and-resume" / "expected.json").read_text("utf-8"))
    names = ["K01-A", "K01-B", "K01-C", "K01-D", "K02-A", "K02-B", "K02-C", "K02-D"]
    plays = {
        "K01-B": [RATE],  # retry-after: 2
        "K01-C": [OVERLOADED, OVERLOADED],
        "K01-D": [BROKEN],
        "K02-B": [BAD],
        "K02-C": [Play(cut="before")],
    }
    for name, script in plays.items():
        stub.by_response[name] = script
    bench.run(names[:5])
    asked_before = len(stub.asked)
    second = bench.run(names)
    per_id = {name: sum(name in sent.data["response"] for sent in stub.asked) for name in names}
    assert per_id | {"total": len(stub.asked)} == case["http_requests"]
    later = {
        name for name in names if any(name in sent.data["response"] for sent in stub.asked[asked_before:])
    }
    assert later == set(case["second_run"]["items_asked"])
    assert bench.pace.waits[0] >= case["waits"][0]["at_least_s"]
    scored = [s.id for s in second.summaries if s.scored]
    assert len(scored) == case["scored"]
    assert [(s.id, dict(s.reasons)) for s in second.summaries if not s.scored] == [
        ("K02-B", {Reason.BAD_REQUEST: 1})
    ]
    assert second.spent["may_be_billed"] == case["possibly_billed_lost"]
    assert one(second.problems, "judge_no_score").parameters["count"] == 1
    third = bench.run(names)
    assert len(stub.asked) == case["http_requests"]["total"]
    assert json.dumps(judge_block(third)).encode() == json.dumps(judge_block(second)).encode()
    assert len(third.summaries) == 8


def edited(name):
    from lark_sheets.core.rubric import to_plain
    from lark_sheets.core.rubric_reading import from_plain

    plain = to_plain(rubric())
    if name == "word":
        plain["criteria"][0]["anchors"][0]["description"]["en"] += " indeed"
    else:
        plain["criteria"][3]["anchors"].append(
            {"level": 3, "description": {"en": "beyond"}, "name": {}, "example": {}}
        )
    return from_plain(plain)


def test_case_23_what_is_asked_again(bench, stub, shared, monkeypatch):
    """Fourteen runs over one response, each with one change: nine calls, exactly where the change may alter a judgement."""
    from lark_sheets.core.judging import prompting

    case = json.loads((shared / "cases" / "23-judge-cache-key" / "expected.json").read_text("utf-8"))
    text = "Line one.\nLine two."
    base = subject(response=text)
    runs = [
        {},
        {},
        {"of": edited("word")},
        {},
        {"settings": config(model="judge-model-2")},
        {"inputs": (subject(response=text + "!"),)},
        {"inputs": (subject(response=text.replace("\n", "\r\n")),)},
        {"inputs": (subject(response=text, ticket="Another ticket or policy."),)},
        {"inputs": (subject(response=text, label="B", id="renamed"),)},
        {},  # a reason or a human grade changed: neither is among a judge's inputs
        "prompt",
        {"of": edited("level")},
        {"settings": config(repeats=2)},
        {"inputs": (subject("K09-A", response=text),)},
    ]
    calls = []
    for number, change in enumerate(runs):
        before = len(stub.asked)
        with monkeypatch.context() as patch:
            if change == "prompt":
                patch.setattr(prompting, "INSTRUCTIONS", prompting.INSTRUCTIONS + " Be careful.")
                change = {}
            run = bench.run(**{"inputs": (base,)} | change)
        assert all(s.scored for s in run.summaries), number
        calls.append(len(stub.asked) - before)
    assert calls == case["calls"]
    assert sum(calls) == case["calls_total"]


def test_the_key_is_in_no_file_and_no_message(bench, stub, tmp_path):
    """Even when the service repeats it in its errors and its replies."""
    from tests.adapters.judge.stub import fault

    stub.queue = [
        fault(400, "invalid_request_error", f"Bearer {KEY} is odd"),
        Play(),
        fault(500, "api_error", KEY),
    ]
    run = bench.run()
    bench.close()
    for path in tmp_path.iterdir():
        assert KEY.encode() not in path.read_bytes(), path
    assert KEY not in json.dumps(judge_block(run)) + str(run.problems) + "".join(bench.progress.steps)


def test_no_runs_name_is_in_any_request(bench, stub):
    """A campaign's responses as the judge gets them: letters, texts, nothing of where they come from."""
    from lark_sheets.core.campaign import Campaign, Item, Response
    from lark_sheets.usecases.judge_plan import inputs_of

    runs = ["Claude Haiku 5.5", "Gemma 3 4B", "Mistral 7B"]
    campaign = Campaign(
        id="c",
        rubric=rubric(),
        language="en",
        items=(Item(id="S01", text="Where is it?", type="standard", fields={"origin": "shop"}),),
        responses=tuple(
            Response(id=f"r{n}", item="S01", label="ABC"[n], text=f"Answer {n}.") for n, _ in enumerate(runs)
        ),
        readings=(),
        graders=(),
        commitments=(),
    )
    bench.run(inputs=inputs_of(campaign), settings=config(repeats=2))
    assert len(stub.asked) == 6
    for sent in stub.asked:
        whole = json.dumps(sent.body) + str(sent.headers)
        assert not any(run.split()[0].casefold() in whole.casefold() for run in runs)
        assert set(sent.body) == {"model", "max_tokens", "system", "messages", "output_config"}


def test_what_programs_can_decide_is_told_as_settled(bench, stub):
    from lark_sheets.core.campaign import Campaign, Item, Response
    from lark_sheets.usecases.judge_plan import inputs_of

    campaign = Campaign(
        id="c",
        rubric=rubric(),
        language="en",
        items=(Item(id="S01", text="Where is it?", language="en"),),
        responses=(
            Response(id="r", item="S01", label="A", text='```json\n{"reply": "It left today."}\n```'),
        ),
        readings=(),
        graders=(),
        commitments=(),
    )
    bench.run(inputs=inputs_of(campaign))
    facts = stub.asked[0].data["established_by_program"]
    assert facts == {
        "fence": "yes",
        "text_around_json": "no",
        "invalid_json": "no",
        "six_sentences": "no",
        "empty": "no",
    }


class TestMoney:
    @pytest.mark.parametrize("threads", [1, 4])
    def test_the_budget_is_never_passed(self, bench, stub, threads):
        """Each call reserves its worst case (about 0.047) and costs 0.00088: under a cap of 0.06 some fifteen calls fit, also
        where four threads would reserve three times the cap at once; the run stops before the cap and says so."""
        budget = Fraction(6, 100)
        run = bench.run(
            [f"K{n:02}-A" for n in range(30)], options=JudgeOptions(concurrency=threads, budget=budget)
        )
        spend = bench.ledger.spend("USD")
        assert 10 <= len(stub.asked) < 25
        assert spend.settled + spend.held <= budget * 10**9
        told = one(run.problems, "judge_budget")
        assert told.parameters["count"] == 30 - len(stub.asked)
        assert run.exit_code == 1
        assert {r for s in run.summaries for r in s.reasons} == {Reason.BUDGET}

    def test_a_budget_without_a_price_is_refused_before_anything_is_sent(self, tmp_path, judge, stub):
        from lark_sheets.errors import DataError

        poor = Bench(tmp_path / "l.sqlite", judge, prices=())
        with pytest.raises(DataError) as caught:
            poor.run(options=JudgeOptions(budget=Fraction(5)))
        assert caught.value.problems[0].code == "judge_price_unknown"
        assert stub.asked == []
        poor.close()

    def test_without_a_price_tokens_are_told_and_calls_counted(self, tmp_path, judge, stub):
        poor = Bench(tmp_path / "l.sqlite", judge, prices=())
        run = poor.run()
        assert (run.spent["settled"], run.spent["unpriced"]) == (0, 2)
        assert one(run.problems, "judge_unpriced").parameters["count"] == 2
        poor.close()

    def test_what_a_call_costs_is_what_was_billed(self, bench, stub):
        """100 x 2 + 900 x 0.2 + 50 x 10 per million = 0.00088 a call."""
        run = bench.run()
        assert run.spent["settled"] == 2 * 880_000
        assert judge_block(run)["spend"]["settled"] == pytest.approx(0.00176)

    def test_progress_tells_the_running_spend(self, bench, stub):
        bench.run()
        assert bench.progress.steps == ["1 of 2, 0.0009 USD spent so far", "2 of 2, 0.0018 USD spent so far"]

    def test_an_estimate_sends_no_message(self, bench, stub):
        from lark_sheets.usecases.judge_plan import estimate_run

        options = JudgeOptions()
        plan = bench.plan(settings=config(repeats=3), options=options)
        got = estimate_run(plan, options, bench.needs)
        assert stub.asked == []
        assert (got.calls, got.cached, got.counted, got.at_most) == (6, 0, True, True)
        assert got.prompt_tokens == 6 * 1234
        assert 0 < got.low < got.high

    def test_an_estimate_knows_what_is_cached(self, bench, stub):
        from lark_sheets.usecases.judge_plan import estimate_run

        stub.by_response["K01-B"] = [Play(content=[], stop="refusal")]
        bench.run()
        options = JudgeOptions(count=False)
        got = estimate_run(bench.plan(("K01-A", "K01-B", "K02-A"), options=options), options, bench.needs)
        assert (got.calls, got.cached, got.settled, got.counted) == (1, 1, 1, False)

    def test_an_estimate_without_a_counting_service_guesses(self, bench, stub):
        from lark_sheets.usecases.judge_plan import estimate_run

        stub.tokens = None
        options = JudgeOptions()
        got = estimate_run(bench.plan(options=options), options, bench.needs)
        assert not got.counted
        assert got.prompt_tokens > 1000


class TestSample:
    def test_only_the_sample_is_asked(self, bench, stub):
        inputs = subjects(*(f"K{n:02}-A" for n in range(20)), language="en") + subjects(
            *(f"F{n:02}-A" for n in range(10)), language="fr"
        )
        run = bench.run(inputs=inputs, options=JudgeOptions(concurrency=1, sample=6, seed=3))
        assert len(stub.asked) == len(run.summaries) == 6
        assert sum(i.language == "fr" for i in run.plan.inputs) == 2

    @pytest.mark.parametrize(
        ("options", "settings"),
        [
            (JudgeOptions(sample=0), config()),
            (JudgeOptions(concurrency=0), config()),
            (JudgeOptions(), config(repeats=0)),
            (JudgeOptions(), config(max_tokens=10)),
            (JudgeOptions(), config(model="")),
        ],
    )
    def test_impossible_numbers_are_wrong_usage(self, bench, options, settings):
        from lark_sheets.errors import UsageError

        with pytest.raises(UsageError):
            bench.run(options=options, settings=settings)


def test_ctrl_c_leaves_a_ledger_that_can_go_on(bench, stub):
    """The first interrupt stops the run; what is in flight ends, what came is kept, the rest is told."""

    class Interrupting:
        def __init__(self, inner):
            self.inner, self.count = inner, 0

        def step(self, text):
            self.count += 1
            if self.count == 3:
                raise KeyboardInterrupt
            self.inner.step(text)

    from dataclasses import replace

    names = [f"K{n:02}-A" for n in range(12)]
    calm = bench.needs
    bench.needs = replace(calm, progress=Interrupting(bench.progress))
    run = bench.run(names, options=JudgeOptions(concurrency=2))
    bench.needs = calm
    asked = len(stub.asked)
    assert asked < 12
    told = one(run.problems, "judge_stopped_by_hand")
    assert told.parameters["count"] == 12 - asked
    again = bench.run(names)
    assert len(stub.asked) == 12
    assert all(s.scored for s in again.summaries)


def test_a_ledger_that_fails_stops_the_run_and_is_told(bench, stub, monkeypatch):
    """A disk that fills up while eight threads work: one error, no hang."""
    from lark_sheets.core.problems import problem
    from lark_sheets.errors import MissingPiece

    real = bench.ledger.settle

    def settle(attempt):
        if len(stub.asked) >= 5:
            raise MissingPiece(problem("ledger_disk", found="full"))
        real(attempt)

    monkeypatch.setattr(bench.ledger, "settle", settle)
    with pytest.raises(MissingPiece):
        bench.run([f"K{n:02}-A" for n in range(40)], options=JudgeOptions(concurrency=8))
    assert len(stub.asked) < 40
