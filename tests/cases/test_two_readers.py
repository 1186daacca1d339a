"""Cases 18 and 19 and their kind: what two or more readers agree on, through real workbooks and the command a person types."""

import json
import re
import warnings
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from lark_sheets.cli import main
from lark_sheets.usecases.importing import import_table
from tests.cases.kit import Bench, bench
from tests.desk import desk, results, told, write_csv
from tests.factories import BASE, CRITERIA

Levels = tuple[int | None, ...]
TOP = (2, 2, 2, 2)

# Case 18: a constant pair, one constant reader, agreement below chance; completeness agrees everywhere.
FORMAT_2 = (2, 2, 2, 2, 1, 1, 2, 2)
ACCURACY_1, ACCURACY_2 = (2, 2, 2, 2, 2, 2, 2, 1), (2, 2, 2, 2, 2, 2, 1, 2)
CASE_18_FIRST = {n: (a, g[1], 2, 2) for (n, g), a in zip(BASE.items(), ACCURACY_1, strict=True)}
CASE_18_SECOND = {n: (a, g[1], f, 2) for (n, g), a, f in zip(BASE.items(), ACCURACY_2, FORMAT_2, strict=True)}

# Case 19: the second reader read five of the first's seven responses, in another order, and one that the first never had.
CASE_19_FIRST = {name: levels for name, levels in BASE.items() if name != "K02-D"}
CASE_19_SECOND = {
    "K02-C": TOP,
    "K01-D": (0, 1, 1, 1),
    "K02-D": (2, 2, 0, 2),
    "K01-A": TOP,
    "K02-A": (2, 0, 2, 1),
    "K01-C": TOP,
}


@pytest.fixture(autouse=True)
def no_warning():
    """No command here may warn: a person would see it on the terminal."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def read_by(folder: Path, readers: Mapping[str, Mapping[str, Levels]]) -> Bench:
    """Return the two tickets' workbook in which each reader graded what is given; all other rows stay blank."""
    b = bench(folder, graders=tuple(readers), grades={})
    for grader, rows in readers.items():
        fill(b, grader, rows)
    return b


def fill(b: Bench, grader: str, rows: Mapping[str, Levels]) -> None:
    for name, levels in rows.items():
        for criterion, level in zip(CRITERIA, levels, strict=True):
            b.cell(name, criterion, grader).value = level


def equal(found: Mapping[str, Any]) -> dict[str, str]:
    return {c: f"{s['equal']}/{s['n']}" for c, s in found["agreement"]["criteria"].items()}


def kappas(found: Mapping[str, Any]) -> dict[str, float | None]:
    return {c: s["kappa"] for c, s in found["agreement"]["criteria"].items()}


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Run a command; nothing may be told but errors of the data, and no number may be none."""
    code = main(list(words))
    out = capsys.readouterr()
    assert "Traceback" not in out.err
    assert "warning" not in out.err.casefold()
    assert not re.search(r"\b(nan|inf|None(?! of))\b", out.out)
    return code, out.out


# --- case 18 -------------------------------------------------------------------------------------------------------------


def test_case_18_a_pair_of_constant_readers_has_no_kappa_and_no_other_coefficient(tmp_path: Path) -> None:
    found = read_by(tmp_path, {"g1": CASE_18_FIRST, "g2": CASE_18_SECOND}).results()
    assert equal(found) == {"accuracy": "6/8", "completeness": "8/8", "format": "6/8", "abstention": "8/8"}
    assert kappas(found) == {
        "accuracy": float(Fraction(-1, 7)), "completeness": 1.0, "format": 0.0, "abstention": None,
    }  # fmt: skip
    abstention = found["agreement"]["criteria"]["abstention"]
    assert abstention["state"] == "undefined: one value only"
    assert set(abstention["states"].values()) == {"undefined: one value only"}
    assert [abstention[name] for name in abstention["states"]] == [None] * 9
    assert abstention["kappa_interval"] is None


def test_case_18_the_notes_say_why_kappa_is_low_where_grades_are_equal(tmp_path: Path) -> None:
    notes = read_by(tmp_path, {"g1": CASE_18_FIRST, "g2": CASE_18_SECOND}).results()["agreement"]["notes"]
    about = {note["id"]: note["about"] for note in notes}
    assert about["undefined"] == ["abstention"]
    assert about["one_reader_constant"] == ["format"]
    assert about["below_chance"] == ["accuracy"]
    assert set(about["prevalence"]) <= {"accuracy", "format"}
    assert about["small_sample"] == []


def test_case_18_the_terminal_prints_a_dash_with_its_state_and_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = read_by(tmp_path, {"g1": CASE_18_FIRST, "g2": CASE_18_SECOND}).save()
    code, out = printed(capsys, "agreement", str(path), "--lang", "en")
    assert code == 0
    rows = [line.split() for line in out.splitlines()]
    assert ["Abstention", *["–"] * 9] in rows
    assert "– undefined: one value only: Abstention" in out
    counts = next(line for line in out.splitlines() if line.startswith("Accuracy") and "6/8" in line)
    assert "-0.143" in counts
    assert "Accuracy: kappa is below 0 (-0.14)" in out


# --- case 19 -------------------------------------------------------------------------------------------------------------

EXPECTED_19 = {"accuracy": "4/5", "completeness": "4/5", "format": "5/5", "abstention": "5/5"}


def assert_case_19(found: Mapping[str, Any], b: Bench) -> None:
    agreement = found["agreement"]
    assert equal(found) == EXPECTED_19
    assert (agreement["shared"], agreement["read_once"]) == (5, 3)
    assert (agreement["all_criteria"]["equal"], agreement["all_criteria"]["n"]) == (3, 5)
    assert (agreement["decision"]["equal"], agreement["decision"]["n"]) == (4, 5)
    assert kappas(found) == pytest.approx(
        {"accuracy": 7 / 12, "completeness": 9 / 14, "format": 1.0, "abstention": 1.0}
    )


def test_case_19_readings_are_joined_by_id_and_absent_ones_are_no_disagreement(tmp_path: Path) -> None:
    b = read_by(tmp_path, {"g1": CASE_19_FIRST, "g2": CASE_19_SECOND})
    found = b.results()
    assert_case_19(found, b)
    coverage = found["coverage"]
    assert coverage["expected"] == coverage["graded"] + coverage["incomplete"] + coverage["stale"] == 8
    assert found["agreement"]["readers"] == {
        "g1": {"kind": "person", "model": "", "read": 7, "shared": 5},
        "g2": {"kind": "person", "model": "", "read": 6, "shared": 5},
    }


def test_case_19_the_order_of_rows_changes_nothing(tmp_path: Path) -> None:
    """The second reader's block of rows is turned round, whole rows at a time."""
    b = read_by(tmp_path, {"g1": CASE_19_FIRST, "g2": CASE_19_SECOND})
    rows = sorted(b.row(name, "g2") for name in BASE)
    typed = [[cell.value for cell in b.sheet[row]] for row in rows]
    for row, values in zip(rows, reversed(typed), strict=True):
        for column, value in enumerate(values, 1):
            if not (isinstance(value, str) and value.startswith("=")):
                b.sheet.cell(row, column).value = value
    found = b.results()
    assert not [p for p in found["problems"] if p["severity"] == "error"]
    assert_case_19(found, b)


def test_case_19_two_files_are_joined_like_two_blocks(tmp_path: Path) -> None:
    """The second reader's own workbook beside the campaign's, in which those rows are blank."""
    b = read_by(tmp_path, {"g1": CASE_19_FIRST, "g2": {}})
    campaign = b.save()
    path = campaign.parent / "graders" / "g2.xlsx"
    second = Bench(path=path, key=b.key, ids=b.ids, book=openpyxl.load_workbook(path))
    fill(second, "g2", CASE_19_SECOND)
    assert_case_19(results(campaign, second.save(), key=b.key), b)


def test_case_19_a_table_of_grades_is_joined_by_item_and_run(tmp_path: Path) -> None:
    """The second reader's grades come as a table, in an order of its own, by a person the campaign did not know."""
    b = bench(tmp_path, grades=CASE_19_FIRST)
    rows = [
        {"grader": "g2", "item": name[:3], "run": f"run {name[-1]}"}
        | dict(zip(CRITERIA, levels, strict=True))
        for name, levels in CASE_19_SECOND.items()
    ]
    campaign = b.save()
    filled = import_table(campaign, write_csv(tmp_path / "second.csv", rows), desk(), key=b.key)
    assert filled.written == 6
    found = results(campaign, key=b.key)
    assert_case_19(found, b)
    assert (
        found["overall"]["graded"] == 7
    )  # K02-D was read by the second reader alone, and is not the owner's


# --- their kind ----------------------------------------------------------------------------------------------------------

BLANK: dict[str, Levels] = {}
KIND: dict[str, dict[str, Mapping[str, Levels]]] = {
    "nobody graded": {"g1": BLANK, "g2": BLANK},
    "nothing shared": {
        "g1": {"K01-A": TOP, "K01-B": BASE["K01-B"]},
        "g2": {"K02-A": TOP, "K02-B": TOP},
    },
    "one shared response": {"g1": BASE, "g2": {"K01-A": (1, 2, 2, 2)}},
    "a reader who graded nothing": {"g1": BASE, "g2": BASE, "g3": BLANK},
    "a reader who finished nothing": {"g1": BASE, "g2": dict.fromkeys(BASE, (2, 2, None, 2))},
    "three readers with gaps": {
        "g1": BASE,
        "g2": dict.fromkeys(list(BASE)[:6], TOP),
        "g3": {name: BASE[name] for name in list(BASE)[4:]},
    },
    "everything top": {"g1": dict.fromkeys(BASE, TOP), "g2": dict.fromkeys(BASE, TOP)},
    "one reader constant": {"g1": BASE, "g2": dict.fromkeys(BASE, TOP)},
}


@pytest.mark.parametrize("readers", KIND.values(), ids=KIND)
def test_what_cannot_be_measured_is_said_without_a_warning(
    readers: Mapping[str, Mapping[str, Levels]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = read_by(tmp_path, readers).save()
    for language in ("en", "fr"):
        code, out = printed(capsys, "agreement", str(path), "--plan", "20%", "--lang", language)
        assert code == 0
        assert all(name in out for name in readers)
    code, text = printed(capsys, "agreement", str(path), "--json", "--lang", "fr")
    plain = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} in JSON"))
    for stat in (plain["agreement"]["decision"], *plain["agreement"]["criteria"].values()):
        for name, state in stat["states"].items():
            assert (stat[name] is None) == (state != "defined")


def test_nothing_shared_is_a_state_and_opens_nothing(tmp_path: Path) -> None:
    agreement = read_by(tmp_path, KIND["nothing shared"]).results()["agreement"]
    assert (agreement["shared"], agreement["share_read_once"]) == (0, 1.0)
    assert {s["state"] for s in agreement["criteria"].values()} == {"undefined: no shared responses"}
    assert all(s["interval"] is None for s in agreement["criteria"].values())


def test_one_shared_response_gives_counts_and_no_coefficient(tmp_path: Path) -> None:
    agreement = read_by(tmp_path, KIND["one shared response"]).results()["agreement"]
    assert {s["state"] for s in agreement["criteria"].values()} == {"undefined: one response only"}
    assert (agreement["decision"]["equal"], agreement["decision"]["n"]) == (0, 1)
    assert agreement["criteria"]["accuracy"]["gaps"] == {"1": 1}


def test_a_third_reader_without_grades_leaves_kappa_to_the_two(tmp_path: Path) -> None:
    found = read_by(tmp_path, KIND["a reader who graded nothing"]).results()
    assert found["agreement"]["criteria"]["accuracy"]["kappa"] == 1
    assert found["agreement"]["pairs"] == []
    assert [n["text"] for n in found["agreement"]["notes"] if n["id"] == "read_nothing"] == [
        "g3 read no response that another reader read too."
    ]


def test_three_readers_with_gaps_are_told_together_and_by_pair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    b = read_by(tmp_path, KIND["three readers with gaps"])
    found = b.results()
    accuracy = found["agreement"]["criteria"]["accuracy"]
    assert (accuracy["kappa"], accuracy["states"]["kappa"]) == (None, "undefined: more than two readers")
    assert accuracy["alpha_nominal"] is not None
    pairs = {tuple(p["readers"]): p for p in found["agreement"]["pairs"]}
    assert {pair: p["shared"] for pair, p in pairs.items()} == {
        ("g1", "g2"): 6, ("g1", "g3"): 4, ("g2", "g3"): 2,
    }  # fmt: skip
    assert pairs["g1", "g3"]["criteria"]["accuracy"]["state"] == "undefined: one value only"
    assert pairs["g1", "g2"]["criteria"]["accuracy"]["kappa"] == 0
    _, out = printed(capsys, "agreement", str(b.path), "--lang", "en")
    assert "g1 + g3" in out
    assert "Responses by grade: rows g1, columns g2" in out


def test_a_refused_cell_is_told_and_leaves_the_sample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """1.5 is no grade: the command says so, exits 1, and compares the seven responses that are whole."""
    b = read_by(tmp_path, {"g1": BASE, "g2": BASE})
    b.cell("K01-A", "accuracy", "g2").value = 1.5
    path = b.save()
    code = main(["agreement", str(path), "--lang", "en"])
    out = capsys.readouterr()
    assert code == 1
    assert b.address("K01-A", "accuracy", "g2") in out.err
    assert told(results(path), "unreadable_grade")
    assert "7 of 8 responses were read twice or more" in out.out


def test_a_plan_in_json_and_a_width_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = read_by(tmp_path, {"g1": BASE, "g2": BASE}).save()
    _, text = printed(capsys, "agreement", str(path), "--json", "--plan", "0,2")
    plan = json.loads(text)["plan"]
    assert [p["shared"] for p in plan if p["for"] == "share"] == [16, 37, 93]
    assert [p["possible"] for p in plan if p["for"] == "share"] == [False] * 3
    for width in ("0", "1", "150%", "wide"):
        assert main(["agreement", str(path), "--plan", width]) == 2
    assert "0.05, 0.2, 20%" in capsys.readouterr().err
