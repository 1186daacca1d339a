"""The commands a user types, against the stub: dataset -> respond -> new -> judge -> recompute, and what stands in the files."""

import json
import shutil

import pytest

from lark_sheets.cli.running import run
from tests.adapters.judge.fixtures import server
from tests.adapters.judge.stub import KEY, Play, fault

ITEMS = """item,text,type,difficulty,language
T1,List the buckets.,python,easy,en
T2,Write a policy.,json,hard,en
T3,Match an ARN.,regex,hard,fr
"""


def surroundings(patch, folder):
    patch.chdir(folder)
    patch.setenv("ANTHROPIC_API_KEY", KEY)
    patch.setenv("LARK_SHEETS_JUDGE_URL", server().url)
    patch.setenv("LARK_SHEETS_LANG", "en")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A campaign of three collected responses, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "items.csv").write_text(ITEMS, "utf-8")
    (folder / "prompt.txt").write_text("Request: {text}", "utf-8")
    collect = [
        "respond",
        "items.csv",
        "--prompt",
        "prompt.txt",
        "--model",
        "candidate",
        "--out",
        "responses.jsonl",
        "--yes",
    ]
    build = [
        "new",
        "--rubric",
        "aws-assistant",
        "--items",
        "items.csv",
        "--responses",
        "responses.jsonl",
        "--out",
        "spring",
    ]
    server().script.reset()
    with pytest.MonkeyPatch.context() as patch:
        surroundings(patch, folder)
        assert run(collect) == 0
        assert run(build) == 0
    return folder


@pytest.fixture
def campaign(made, tmp_path, monkeypatch, stub):
    folder = tmp_path / "copy"
    shutil.copytree(made, folder)
    surroundings(monkeypatch, folder)
    return folder / "spring"


def kept(campaign):
    return json.loads((campaign / "judge.json").read_text("utf-8"))["judge"]


def test_the_whole_chain(campaign, stub, capsys):
    """Three responses, three repeats: one is never gradable, one is weak; means by type, the weakest first, coverage 2 of 3."""
    stub.by_response["Write a policy"] = [Play(grades={"format": 0, "validity": 1})] * 3
    stub.by_response["Match an ARN"] = [Play(text="sorry")] * 6
    assert run(["judge", "spring", "--model", "judge-1", "--yes"]) == 0
    assert len(stub.asked) == 3 + 3 + 6
    block = kept(campaign)
    assert [(g["group"], g["mean"]) for g in block["by_type"]] == [
        ("json", 4.0),
        ("python", 10.0),
        ("regex", None),
    ]
    assert (block["unscored"], block["impossible"]) == ({"not_json": 3}, 1)
    assert [w["item"] for w in block["weakest"]] == ["T2", "T1"]
    assert run(["recompute", "spring", "--json", "results.json"]) == 0
    results = json.loads((campaign.parent / "results.json").read_text("utf-8"))
    assert results["graded_by"] == "judge"
    assert (results["coverage"]["graded"], results["coverage"]["incomplete"]) == (2, 1)
    assert (results["overall"]["points"], results["overall"]["points_max"]) == (14, 20)
    assert results["judge"]["unscored"] == {"not_json": 3}
    capsys.readouterr()


def test_a_second_press_asks_nothing_and_leaves_the_same_bytes(campaign, stub):
    assert run(["judge", "spring", "--model", "judge-1", "--yes"]) == 0
    before, asked = (campaign / "judge.json").read_bytes(), len(stub.asked)
    assert run(["judge", "spring", "--model", "judge-1", "--yes"]) == 0
    assert (campaign / "judge.json").read_bytes() == before
    assert len(stub.asked) == asked


def test_all_failed_is_exit_1_and_no_grade_in_the_workbook(campaign, stub, capsys):
    stub.default = Play(content=[], stop="refusal")
    assert run(["judge", "spring", "--model", "judge-1", "--yes"]) == 1
    assert "no grade at all" in capsys.readouterr().err
    assert run(["recompute", "spring", "--json", "results.json"]) == 0
    results = json.loads((campaign.parent / "results.json").read_text("utf-8"))
    assert (results["coverage"]["graded"], results["overall"]["points"], results["overall"]["score_10"]) == (
        0,
        0,
        None,
    )


@pytest.mark.parametrize(
    ("play", "code"),
    [(fault(401, "authentication_error"), 3), (fault(404, "not_found_error", "no such model"), 2)],
)
def test_a_service_that_refuses_is_told_without_a_traceback(campaign, stub, capsys, play, code):
    stub.default = play
    assert run(["judge", "spring", "--model", "judge-1", "--yes"]) == code
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert KEY not in said


def test_without_a_key_it_is_a_missing_piece(campaign, monkeypatch, capsys):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("LARK_SHEETS_HOME", str(campaign / "home"))
    assert run(["judge", "spring", "--model", "judge-1", "--yes"]) == 3
    assert "ANTHROPIC_API_KEY" in capsys.readouterr().err


def test_no_file_holds_the_key(campaign, stub):
    assert run(["judge", "spring", "--model", "judge-1", "--yes"]) == 0
    for path in campaign.parent.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path


def test_the_candidates_name_is_in_no_request_of_the_judge(campaign, stub):
    assert run(["judge", "spring", "--model", "judge-1", "--yes"]) == 0
    assert stub.asked
    assert not any("candidate" in json.dumps(sent.body) for sent in stub.asked)
