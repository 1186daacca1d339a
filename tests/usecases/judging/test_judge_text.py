"""What the commands print, in both languages: figures with their intervals, unknowns by name, nothing left untranslated."""

import csv
import re
from pathlib import Path

import pytest

from lark_sheets.adapters.recorded_judge import RecordedJudge, replies_of_rows
from lark_sheets.core.judge_problems import JUDGE_PROBLEMS
from lark_sheets.core.judging import words
from lark_sheets.locales import translator
from lark_sheets.usecases import judge_text
from lark_sheets.usecases.calibrating import calibrate
from lark_sheets.usecases.calibration_set import read_cases
from lark_sheets.usecases.judge_plan import JudgeOptions, estimate_run
from tests.adapters.judge.stub import Play
from tests.conftest import ROOT
from tests.core.judging.samples import config, rubric
from tests.usecases.judging.bench import Bench

EN, FR = translator("en"), translator("fr")


def text(lines):
    return {line.label: line.value for line in lines}


@pytest.fixture
def demo(tmp_path):
    rows = list(csv.DictReader((ROOT / "workbooks/demo/calibration.csv").read_text("utf-8").splitlines()))
    ours = rubric("support-verdict")
    bench = Bench(tmp_path / "l.sqlite", RecordedJudge(replies_of_rows(ours, rows), served="recorded"))
    run = calibrate(read_cases(rows, ours, "c.csv"), ours, config(), JudgeOptions(), bench.needs)
    yield run
    bench.close()


def test_a_calibration(demo):
    got = text(judge_text.calibration_lines(demo.calibration, demo.measures, EN))
    assert got["Labels, judged"] == "22/22"
    assert got["Outcome agrees"] == "21/22 [78.2%, 99.2%]"
    assert got["Kappa"] == "0.904 [0.541, 0.983]"
    assert (got["Gate"], got["Conclusive"]) == ("blocking", "no")
    assert got["Confusion"] == "both yes 13, both no 8, only people yes 0, only judge yes 1"
    assert got["Sensitivity"].startswith("13/13")
    assert got["Specificity"].startswith("8/9")
    assert [label for label in got if label.startswith("Disagreement")] == ["Disagreement C15"]


def test_a_calibration_in_french(demo):
    got = text(judge_text.calibration_lines(demo.calibration, demo.measures, FR))
    assert got["Kappa"] == "0,904 [0,541, 0,983]"
    assert got["Décision concordante"] == "21/22 [78,2\u00a0%, 99,2\u00a0%]"
    assert (got["Porte"], got["Concluant"]) == ("bloquante", "non")


def test_an_estimate(bench, stub):
    options = JudgeOptions()
    got = text(judge_text.estimate_lines(estimate_run(bench.plan(options=options), options, bench.needs), EN))
    assert got["Calls to make"] == "2"
    assert got["Tokens"] == "2,468 in, 8,192 out (counted by the service)"
    assert re.fullmatch(r"0\.08\d\d USD to 0\.08\d\d USD", got["Cost"])
    assert got["Length of replies"].startswith("taken at the limit")


def test_an_unknown_price_is_said(tmp_path, judge, stub):
    poor = Bench(tmp_path / "l.sqlite", judge, prices=())
    options = JudgeOptions(count=False)
    got = text(judge_text.estimate_lines(estimate_run(poor.plan(options=options), options, poor.needs), FR))
    assert got["Coût"] == "prix inconnu"
    run = poor.run()
    assert (
        text(judge_text.run_lines(run, EN))["Cost so far"] == "0.0000 USD, without 2 calls of unknown price"
    )
    poor.close()


def test_a_run(bench, stub):
    stub.by_response["K01-A"] = [Play(content=[], stop="refusal")]
    got = text(judge_text.run_lines(bench.run(), EN))
    assert got["Responses graded"] == "1/2"
    assert got["Without a grade"] == "the judge refused 1"
    assert got["Gate"] == "never calibrated"
    assert got["Mean total"] == "8.00/8 (1/2)"
    assert got["To be read by a person"] == "K01-A (no grade)"


def test_a_judge_graded_run_where_everything_failed_has_no_mean(bench, stub):
    stub.default = Play(text="no")
    got = text(judge_text.run_lines(bench.run(of=rubric("aws-assistant"), graded_by_judge=True), EN))
    assert got["Mean total"] == "no grade"


def messages(path):
    return re.findall(r"""\bt\(\s*"([^"]+)\"""", path.read_text("utf-8"))


def test_every_sentence_has_its_french():
    """Found in the sources, so that a new one cannot be forgotten; few words are the same in both languages."""
    sources = [
        ROOT / "lark_sheets" / "usecases" / f"{name}.py"
        for name in ("judge_text", "asking", "asking_live", "judge_problems", "judging")
    ]
    found = (
        {m for path in sources for m in messages(path)}
        | set(words.ALL)
        | {s for w in JUDGE_PROBLEMS.values() for s in w[1:]}
    )
    alike = {"Kappa", "kappa", "Confusion", "indicative", "{allowed}", "{how}"}
    assert sorted(m for m in found - alike if FR.single(m) == m) == []
    assert len(found) > 150
    assert Path(sources[0]).exists()
