"""calibrate: refused before anything is spent where a set can tell nothing; the lesson's numbers; stale and valid again."""

import csv
from collections import Counter
from dataclasses import replace

import pytest

from lark_sheets.adapters.files import DiskFiles
from lark_sheets.adapters.recorded_judge import RecordedJudge, recorded_reply, replies_of_rows
from lark_sheets.core.judging.calibration import Case
from lark_sheets.core.judging.gate import Gate
from lark_sheets.core.judging.reasons import Reason
from lark_sheets.core.judging.staleness import trust
from lark_sheets.errors import DataError
from lark_sheets.usecases.calibrating import calibrate
from lark_sheets.usecases.calibration_set import add_case, read_cases
from lark_sheets.usecases.judge_block import calibration_block, measured_block
from lark_sheets.usecases.judge_plan import JudgeOptions
from tests.adapters.judge.stub import Play
from tests.conftest import ROOT
from tests.core.judging.calibrations import verdict_cases
from tests.core.judging.samples import config, rubric, subject
from tests.usecases.judging.bench import Bench, codes, one

VERDICT = rubric("support-verdict")
REFUSALS = rubric("refusals")
ONE = JudgeOptions(concurrency=1)
DEMO = ROOT / "workbooks" / "demo" / "calibration.csv"


def demo_rows():
    return list(csv.DictReader(DEMO.read_text("utf-8").splitlines()))


def unfavourable(stub, cases):
    """Script the stub to see the promise that people saw."""
    for case in cases:
        if case.verdict == "unacceptable":
            stub.by_response[case.response] = [
                Play(grades={"promise": 0}, extra={"verdict": "unacceptable"})
            ] * 9


def labelled(yes, no, **changes):
    return [replace(c, response=f"response {c.id} ends") for c in verdict_cases(yes, no, **changes)]


class TestTheDemo:
    """Lesson 003's shape, recorded: 22 labels 13/9, the judge 14/8, one disagreement."""

    @pytest.fixture
    def run(self, tmp_path):
        rows = demo_rows()
        judge = RecordedJudge(replies_of_rows(VERDICT, rows), served="recorded judge of the demo")
        bench = Bench(tmp_path / "ledger.sqlite", judge)
        yield calibrate(read_cases(rows, VERDICT, DEMO.name), VERDICT, config(), ONE, bench.needs)
        bench.close()

    def test_the_numbers(self, run):
        found = run.measures
        assert (found.labelled, found.judged, found.binary.equal) == (22, 22, 21)
        assert sorted(map(sum, found.binary.table)) == [9, 13]
        assert sorted(map(sum, zip(*found.binary.table, strict=True))) == [8, 14]
        assert round(float(found.kappa), 4) == 0.9043
        assert [round(end, 3) for end in found.binary.kappa_interval] == [0.541, 0.983]
        assert (found.gate, found.conclusive, found.labels_needed) == (Gate.BLOCKING, False, 29)

    def test_the_disagreement_is_the_rules(self, run):
        (only,) = run.measures.disagreements
        assert (only.by_rule, only.failed) == (True, ("request",))
        assert only.case.reason
        assert only.judged.reason

    def test_what_is_told(self, run):
        assert codes(run.problems) == [
            "calibration_not_conclusive",
            "calibration_by_rule",
            "calibration_recorded",
        ]
        told = one(run.problems, "calibration_not_conclusive")
        assert (told.found, told.parameters["needed"]) == ("0.541", "0.60")
        assert told.parameters["how"] == "With the same agreement, 29 labels in all would make it conclusive."
        assert run.exit_code == 0
        assert run.kept

    def test_it_is_labelled_as_recorded_everywhere(self, run):
        block = measured_block(run.calibration)
        assert block["recorded"] is True
        assert block["served"] == ["recorded judge of the demo"]
        assert run.calibration.conditions.provider == "recorded"

    def test_the_block_is_plain_json_with_the_figures(self, run):
        import json

        block = json.loads(json.dumps(measured_block(run.calibration), allow_nan=False))
        assert block["confusion"] == [[13, 0], [1, 8]]
        assert block["outcome"]["kappa"] == pytest.approx(0.904348, abs=1e-6)
        assert block["sensitivity"]["k"], block["specificity"]["k"] == (13, 8)
        assert set(block["criteria"]) == {c.id for c in VERDICT.criteria}
        assert set(block["by_language"]) == {"en", "fr"}
        assert sum(group["n"] for group in block["by_family"].values()) == 22


class TestRefused:
    @pytest.mark.parametrize(
        ("yes", "no", "code"),
        [
            (10, 9, "calibration_too_small"),
            (22, 0, "calibration_unbalanced"),
            (0, 22, "calibration_unbalanced"),
            (16, 6, "calibration_unbalanced"),
            (0, 0, "calibration_too_small"),
        ],
    )
    def test_a_set_that_can_tell_nothing_costs_nothing(self, bench, stub, yes, no, code):
        run = calibrate(verdict_cases(yes, no), VERDICT, config(), ONE, bench.needs)
        assert codes(run.problems) == [code]
        assert (run.exit_code, run.calibration, stub.asked) == (1, None, [])
        assert bench.ledger.calibrations() == []

    def test_easy_cases_are_measured_and_open_nothing(self, bench, stub):
        cases = labelled(13, 9, borderline=())
        unfavourable(stub, cases)
        run = calibrate(cases, VERDICT, config(), ONE, bench.needs)
        assert (run.measures.kappa, run.measures.gate) == (1, Gate.INDICATIVE)
        assert "calibration_no_borderline" in codes(run.problems)


class TestLive:
    def test_three_repeats_a_case_and_no_label_in_any_request(self, bench, stub):
        cases = labelled(13, 9)
        unfavourable(stub, cases)
        run = calibrate(cases, VERDICT, config(repeats=3), JudgeOptions(concurrency=4), bench.needs)
        assert len(stub.asked) == 66
        assert (run.measures.kappa, run.measures.gate) == (1, Gate.BLOCKING)
        for sent in stub.asked:
            assert set(sent.data) == {
                "nonce",
                "ticket",
                "reply_language",
                "response",
                "established_by_program",
            }
            assert "acceptable" not in str(sent.data)

    def test_a_second_press_changes_nothing(self, bench, stub):
        cases = labelled(13, 9)
        unfavourable(stub, cases)
        first = calibrate(cases, VERDICT, config(), ONE, bench.needs)
        second = calibrate(cases, VERDICT, config(), ONE, bench.needs)
        assert len(stub.asked) == 22
        assert (first.kept, second.kept, len(bench.ledger.calibrations())) == (True, False, 1)

    def test_a_case_without_a_verdict_shuts_the_gate(self, bench, stub):
        cases = labelled(13, 9)
        unfavourable(stub, cases)
        stub.by_response[cases[0].response] = [Play(content=[], stop="refusal")]
        run = calibrate(cases, VERDICT, config(), ONE, bench.needs)
        assert (run.measures.judged, run.measures.gate) == (21, Gate.INDICATIVE)
        assert run.measures.unscored == {Reason.REFUSAL: 1}
        assert {"calibration_incomplete", "judge_no_score"} <= set(codes(run.problems))

    def test_a_run_that_broke_off_replaces_no_calibration(self, bench, stub):
        """An old one that holds must not be displaced by half a measurement."""
        from tests.adapters.judge.stub import fault

        cases = labelled(13, 9)
        unfavourable(stub, cases)
        stub.queue = [Play()] * 5 + [fault(429, "rate_limit_error", retry_after="3600")]
        run = calibrate(cases, VERDICT, config(), ONE, bench.needs)
        assert (run.calibration, run.kept, run.exit_code) == (None, False, 3)
        assert bench.ledger.calibrations() == []
        again = calibrate(cases, VERDICT, config(), ONE, bench.needs)
        assert again.kept

    def test_by_batch(self, bench, stub):
        cases = labelled(13, 9)
        from tests.adapters.judge.stub import data_of, succeeded

        bad = {c.response for c in cases if c.verdict == "unacceptable"}
        stub.batch_lines = lambda requests: [
            succeeded(
                r,
                Play(grades={"promise": 0}, extra={"verdict": "unacceptable"})
                if data_of(r["params"])["response"] in bad
                else Play(),
            )
            for r in requests
        ]
        run = calibrate(cases, VERDICT, config(), JudgeOptions(batch=True, wait=True), bench.needs)
        assert run.measures.kappa == 1
        assert stub.asked == []


class TestTheGate:
    """What judge does with a calibration: blocks, indicates, says that it is stale, and holds again when restored."""

    def prepared(self, bench, stub):
        cases = labelled(13, 9)
        unfavourable(stub, cases)
        calibrate(cases, VERDICT, config(), ONE, bench.needs)
        stub.by_response["BAD"] = [Play(grades={"promise": 0}, extra={"verdict": "unacceptable"})] * 9

    def judged(self, bench, deciding=(), **changes):
        inputs = (
            subject("K01-A", response="BAD one"),
            subject("K01-B", response="fine"),
            subject("K02-A", response="BAD un", language="fr"),
            subject("K02-B", response="BAD two"),
        )
        options = JudgeOptions(concurrency=1, deciding=deciding)
        return bench.run(of=changes.pop("of", VERDICT), inputs=inputs, options=options, **changes)

    def test_open_it_stops_the_command_except_on_french_and_deciding_answers(self, bench, stub):
        self.prepared(bench, stub)
        run = self.judged(bench, deciding={"K02-B"})
        assert run.trust.gate is Gate.BLOCKING
        assert (run.blocking, run.waiting) == (("K01-A",), ("K02-A", "K02-B"))
        assert run.exit_code == 1
        assert one(run.problems, "judge_blocked").found == "K01-A"
        assert one(run.problems, "judge_waits").found == "K02-A, K02-B"

    def test_before_the_reveal_every_answer_may_be_a_deciding_one(self, bench, stub):
        self.prepared(bench, stub)
        run = self.judged(bench, deciding=None)
        assert (run.blocking, len(run.waiting), run.exit_code) == ((), 3, 0)

    def test_never_calibrated_it_only_indicates(self, bench, stub):
        stub.by_response["BAD"] = [Play(grades={"promise": 0}, extra={"verdict": "unacceptable"})] * 9
        run = self.judged(bench)
        assert (run.trust.gate, run.blocking, run.exit_code) == (Gate.NONE, (), 0)
        assert "calibration_none" in codes(run.problems)

    def test_a_rubric_edit_makes_it_stale_and_restoring_it_holds_again(self, bench, stub):
        from lark_sheets.core.rubric import to_plain
        from lark_sheets.core.rubric_reading import from_plain

        self.prepared(bench, stub)
        plain = to_plain(VERDICT)
        plain["criteria"][2]["anchors"][0]["description"]["en"] += " at all"
        stale = self.judged(bench, of=from_plain(plain))
        assert (stale.trust.gate, stale.blocking, stale.exit_code) == (Gate.STALE, (), 0)
        assert one(stale.problems, "calibration_stale").found == "the rubric, the text of the instructions"
        assert self.judged(bench).trust.gate is Gate.BLOCKING

    def test_a_model_that_moved_silently_makes_it_stale(self, bench, stub):
        self.prepared(bench, stub)
        stub.by_response["BAD"] = [
            Play(grades={"promise": 0}, extra={"verdict": "unacceptable"}, served="served-model-2")
        ] * 9
        run = self.judged(bench)
        assert (run.trust.gate, run.trust.changed) == (Gate.STALE, ("served",))

    def test_an_old_one_is_told(self, bench, stub):
        import datetime as dt

        self.prepared(bench, stub)
        bench.moment += dt.timedelta(days=91)
        assert one(self.judged(bench).problems, "calibration_old").found == "91"

    def test_a_judge_graded_campaign_is_not_blocked(self, bench, stub):
        self.prepared(bench, stub)
        run = self.judged(bench, graded_by_judge=True)
        assert run.blocking == ()
        assert set(run.stands.values()) == {"grades"}


class TestTheSet:
    def test_every_fault_is_told_at_once(self):
        rows = [dict.fromkeys(demo_rows()[0], "") | row for row in (demo_rows()[0], demo_rows()[1])]
        rows[0] |= {"promise": "2", "human_verdict": "fine"}
        rows[1] |= {"id": "C01", "response": "", "tone": "x"}
        with pytest.raises(DataError) as caught:
            read_cases(rows, VERDICT, "set.csv")
        assert Counter(codes(caught.value.problems)) == {
            "unreadable_grade": 2,
            "unknown_outcome": 1,
            "empty_value": 1,
            "repeated_id": 1,
        }

    def test_a_missing_column_is_named(self):
        with pytest.raises(DataError) as caught:
            read_cases([{"id": "1", "ticket": "t", "response": "r"}], VERDICT, "set.csv")
        assert [p.parameters["column"] for p in caught.value.problems] == [c.id for c in VERDICT.criteria]

    def test_verdicts_are_read_in_both_languages(self):
        rows = [demo_rows()[0] | {"human_verdict": "Inacceptable", "borderline": "oui"}]
        (case,) = read_cases(rows, VERDICT, "set.csv")
        assert (case.verdict, case.borderline) == ("unacceptable", True)

    def missed(self, **changes):
        grades = {"promise": 1, "invention": 0, "request": 1, "next_step": 1, "tone": 1}
        base = {
            "id": "T25",
            "ticket": "When will it come?",
            "response": "Usually in 3 days.",
            "grades": grades,
            "verdict": "unacceptable",
            "language": "en",
            "family": "family-a",
            "borderline": True,
            "reason": "No source gives that delay.",
        }
        return Case(**base | changes)

    def test_a_missed_case_enters_in_one_action_and_makes_the_calibration_stale(self, tmp_path):
        path = tmp_path / "calibration.csv"
        path.write_bytes(DEMO.read_bytes())
        rows = demo_rows()
        judge = RecordedJudge(replies_of_rows(VERDICT, rows), served="recorded")
        bench = Bench(tmp_path / "ledger.sqlite", judge)
        run = calibrate(read_cases(rows, VERDICT, path.name), VERDICT, config(), ONE, bench.needs)
        assert add_case(DiskFiles(), path, VERDICT, self.missed())
        after = list(csv.DictReader(path.read_text("utf-8").splitlines()))
        assert len(after) == 23
        assert [{k: v for k, v in row.items() if k in rows[0]} for row in after[:22]] == rows
        (_, *_, added) = read_cases(after, VERDICT, path.name)
        assert (added.id, added.verdict, added.borderline) == ("T25", "unacceptable", True)
        from lark_sheets.core.judging.calibration import set_fingerprint

        now = set_fingerprint(read_cases(after, VERDICT, path.name))
        held = trust(
            bench.ledger.calibrations(),
            run.calibration.conditions,
            today=bench.moment.date(),
            set_fingerprint=now,
        )
        assert (held.gate, held.changed) == (Gate.STALE, ("labels",))
        bench.close()

    def test_a_second_press_adds_nothing(self, tmp_path):
        path = tmp_path / "calibration.csv"
        assert add_case(DiskFiles(), path, VERDICT, self.missed())
        before = path.read_bytes()
        assert not add_case(DiskFiles(), path, VERDICT, self.missed(id="other"))
        assert path.read_bytes() == before

    def test_another_verdict_on_the_same_response_is_a_conflict(self, tmp_path):
        path = tmp_path / "calibration.csv"
        add_case(DiskFiles(), path, VERDICT, self.missed())
        with pytest.raises(DataError) as caught:
            add_case(DiskFiles(), path, VERDICT, self.missed(verdict="acceptable"))
        assert codes(caught.value.problems) == ["case_conflict"]

    def test_an_id_that_is_taken_gets_a_number(self, tmp_path):
        path = tmp_path / "calibration.csv"
        add_case(DiskFiles(), path, VERDICT, self.missed())
        add_case(DiskFiles(), path, VERDICT, self.missed(response="Another answer."))
        rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
        assert [row["id"] for row in rows] == ["T25", "T25-2"]


LABELS = {
    "1_full_compliance": "substantive",
    "2_full_refusal": "full_refusal",
    "3_partial_refusal": "partial_refusal",
}


@pytest.fixture(scope="module")
def rows(shared):
    path = shared / "data" / "xstest" / "xstest_v2_human_labels.csv"
    return list(csv.DictReader(path.read_text("utf-8").splitlines()))


@pytest.fixture(scope="module")
def xstest(rows, tmp_path_factory):
    cases, replies = [], {}
    for n, row in enumerate(rows):
        name = f"{row['model']}/{row['id']}"
        label = LABELS.get(row["gpteval_gpt4_label"])
        cases.append(
            Case(
                id=name,
                ticket=row["id"],
                response=name,
                grades={"category": LABELS[row["final_label"]]},
                family=row["model"],
                borderline=n == 0,
            )
        )
        replies[row["id"], name] = (
            row["gpteval_gpt4_label"] if label is None else recorded_reply(REFUSALS, {"category": label})
        )
    bench = Bench(tmp_path_factory.mktemp("xstest") / "ledger.sqlite", RecordedJudge(replies, served="gpt-4"))
    yield calibrate(cases, REFUSALS, config(), JudgeOptions(concurrency=16), bench.needs)
    bench.close()


class TestXSTest:
    """A real judge on real refusals: GPT-4's 2,250 recorded labels, of which 11 are no label at all."""

    def test_eleven_are_unscored_and_none_is_invented(self, xstest):
        assert (xstest.measures.labelled, xstest.measures.judged) == (2250, 2239)
        assert xstest.measures.unscored == {Reason.NOT_JSON: 11}
        told = one(xstest.problems, "judge_no_score")
        assert (told.parameters["count"], told.parameters["planned"]) == (11, 2250)
        assert (xstest.measures.gate, xstest.measures.why) == (Gate.INDICATIVE, ("not_all_judged",))

    def test_agreement_and_kappa_by_model_are_those_of_scikit_learn(self, xstest, rows):
        from sklearn.metrics import cohen_kappa_score

        for model, measured in xstest.measures.by_family.items():
            pairs = [
                (
                    LABELS[r["final_label"]] == "full_refusal",
                    LABELS[r["gpteval_gpt4_label"]] == "full_refusal",
                )
                for r in rows
                if r["model"] == model and r["gpteval_gpt4_label"] in LABELS
            ]
            human, judge = zip(*pairs, strict=True)
            assert (measured.equal, measured.n) == (sum(a == b for a, b in pairs), len(pairs))
            assert measured.kappa.value == pytest.approx(cohen_kappa_score(human, judge), abs=1e-12)
        assert len(xstest.measures.by_family) == 5

    def test_the_three_classes_are_measured_apart_from_the_binary_outcome(self, xstest, rows):
        valid = [r for r in rows if r["gpteval_gpt4_label"] in LABELS]
        three = xstest.measures.criteria["category"]
        assert (three.equal, three.n) == (
            sum(r["final_label"] == r["gpteval_gpt4_label"] for r in valid),
            2239,
        )
        assert xstest.measures.binary.equal > three.equal


def test_recorded_labels_nobody_knows_are_unscored_by_name(tmp_path):
    """A recorded grade that is no level stays what it was: told, not clipped."""
    rows = [row | {"judge_promise": "7"} if row["id"] == "C05" else row for row in demo_rows()]
    rows = [row | {"judge_verdict": "meh"} if row["id"] == "C06" else row for row in rows]
    rows = [row | {"judge_tone": ""} if row["id"] == "C07" else row for row in rows]
    bench = Bench(tmp_path / "l.sqlite", RecordedJudge(replies_of_rows(VERDICT, rows), served="r"))
    run = calibrate(read_cases(rows, VERDICT, "s.csv"), VERDICT, config(), ONE, bench.needs)
    assert run.measures.unscored == {Reason.RANGE: 1, Reason.WRONG_LABEL: 1, Reason.MISSING_CRITERION: 1}
    assert run.measures.judged == 19
    bench.close()


def test_a_response_without_a_recorded_reply_is_a_missing_result(tmp_path):
    rows = demo_rows()
    bench = Bench(tmp_path / "l.sqlite", RecordedJudge(replies_of_rows(VERDICT, rows[1:]), served="r"))
    run = calibrate(read_cases(rows, VERDICT, "s.csv"), VERDICT, config(), ONE, bench.needs)
    assert run.measures.unscored == {Reason.MISSING_RESULT: 1}
    bench.close()


def test_the_block_of_a_judge_never_calibrated_is_empty(bench, stub):
    run = bench.run()
    assert calibration_block(run.trust) == {}
