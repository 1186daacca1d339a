"""``lark-sheets agreement``: the demo's figures as a person reads them, French too, before the reveal without names."""

import ast
import json
import re
import shutil
from pathlib import Path

import openpyxl
import pytest
from babel.messages.pofile import read_po

from lark_sheets.cli import main
from lark_sheets.cli.agreement_output import agreement_plain, agreement_text, plan_text
from lark_sheets.cli.output import agreement_table, apart_text, runs_table
from lark_sheets.core.scoring import summarise
from lark_sheets.locales import FOLDER, translator
from lark_sheets.workbook import layout
from tests.conftest import ROOT
from tests.core.test_reader_agreement import DEGENERATE
from tests.factories import BASE, campaign
from tests.report.factory import demo, demo_results, shipped_rubric, tiny

EN, FR = translator("en"), translator("fr")


def line(text: str, start: str) -> list[str]:
    """Return the cells of the first line that starts so."""
    return re.split(r"\s{2,}", next(one for one in text.splitlines() if one.startswith(start)))


def test_counts_come_first_with_their_interval_then_kappa_with_its_own():
    """26 of 28 on accuracy: 77-98 %, kappa 0.720 (0.11-0.92), both differences one level wide."""
    text = agreement_text(demo_results()[0], EN)
    assert line(text, "Accuracy") == [
        "Accuracy", "26/28", "77% to 98%", "77% to 98%", "0.720", "0.11 to 0.92", "0.11 to 0.92", "2", "0",
    ]  # fmt: skip
    assert line(text, "All criteria") == ["All criteria", "24/28", "69% to 94%", "69% to 94%"]
    assert text.index("Equal") < text.index("Coefficients")


def test_every_coefficient_stands_in_a_table_and_a_dash_has_its_state():
    text = agreement_text(demo_results()[0], EN)
    rows = [re.split(r"\s{2,}", one) for one in text.splitlines()]
    assert ["Coefficients", "Kappa", "linear", "quadratic", "AC1", "AC2", "Fleiss", "Alpha", "ordinal", "interval"] in rows  # fmt: skip
    assert ["Accuracy", "0.720", "0.811", "0.885", "0.918", "0.976", "0.720", "0.725", "0.994", "0.887"] in rows  # fmt: skip
    assert "– undefined: levels have no order: Decision" in text


def test_who_the_readers_are_and_what_was_read_once_stand_above_everything():
    head = agreement_text(demo_results()[0], EN).split("\n\n")[0].splitlines()
    assert head[1:] == [
        "  reader-1 (person), 192 read, 28 of them shared",
        "  reader-2 (model of a candidate's family: claude), 28 read, 28 of them shared",
        "28 of 192 responses were read twice or more (18 tickets); read once: 164 (85%)",
    ]


def test_confusion_tables_count_the_shared_responses():
    results, _ = demo_results()
    text = agreement_text(results, EN)
    assert "Responses by grade: rows reader-1, columns reader-2" in text
    for found in (results.agreement.decision, *results.agreement.criteria.values()):
        assert sum(map(sum, found.table)) == 28


def test_before_the_reveal_no_run_and_no_family_of_a_run_is_named():
    made, _, runs = demo(revealed=False)
    results, _ = demo_results(made)
    text = (
        agreement_text(results, EN) + json.dumps(agreement_plain(results, 0.2, EN)) + apart_text(results, EN)
    )
    assert not any(run in text for run in runs)
    assert "reader-2 (model: claude)" in text
    assert "family" not in text


def test_three_readers_have_alpha_and_a_table_of_pairs():
    second = dict.fromkeys(BASE, (2, 2, 2, 2))
    text = agreement_text(summarise(campaign(more={"g2": second, "g3": BASE})), EN)
    assert line(text, "Agreement")[4] == "Alpha"
    assert line(text, "g1 + g3")[:2] == ["g1 + g3", "8/8"]
    assert "– undefined: more than two readers: Decision, Accuracy" in text


def test_redrawn_intervals_are_shown_where_the_sample_is_large_enough():
    rubric = shipped_rubric("larkfield")
    rows = {
        r: [{c.id: (n + k) % 3 for c in rubric.criteria} for n in range(24)] for k, r in enumerate("abcd")
    }
    other = {r: [g if n % 6 else dict.fromkeys(g, 0) for n, g in enumerate(of)] for r, of in rows.items()}
    results, _ = tiny(rubric, rows, second=other)
    text = agreement_text(results, EN)
    drawn = results.agreement.criteria_by_ticket["format"].resampled["kappa_linear"].interval
    assert f"{drawn.low:.2f} to {drawn.high:.2f}" in line(text.split("tickets redrawn")[1], "Format")
    assert "2,000 redrawn samples" in text


def test_agreement_before_and_after_discussion_stand_apart():
    second = dict(BASE) | {"K01-C": (2, 2, 2, 2)}
    results = summarise(campaign(more={"g2": second}, agreed={"k01-c": {"accuracy": 1}}))
    assert line(agreement_text(results, EN).split("before discussion")[1], "Accuracy") == [
        "Accuracy",
        "7/8",
        "8/8",
    ]


def test_runs_that_cannot_be_told_apart_are_groups_never_ranks():
    results, _ = demo_results()
    ready = next(one for one in apart_text(results, EN).splitlines() if "“ready”" in one)
    groups = ready.split(": ", 1)[1].split(" | ")
    assert len(groups) == 3
    assert sum("Mistral 7B (local)" in group for group in groups) == 2


def test_the_short_table_says_who_read_too():
    results, _ = demo_results()
    last = agreement_table(results.agreement, results, EN).splitlines()[-1]
    assert last.startswith("Readers: reader-1 (person), 192 read, 28 of them shared; reader-2 (model of")


def test_a_rubric_that_decides_nothing_has_the_interval_of_its_score():
    rubric = shipped_rubric("aws-assistant")
    rows = [{c.id: level for c in rubric.criteria} for level in (3, 2, 3, 1)]
    results, _ = tiny(rubric, {"a": rows, "b": rows})
    bounds = results.runs[0].score_interval
    assert f"{EN.decimal(bounds.low)} to {EN.decimal(bounds.high)}" in runs_table(results, EN)


@pytest.mark.parametrize("made", DEGENERATE.values(), ids=DEGENERATE)
def test_what_cannot_be_measured_can_be_printed(made):
    results = summarise(made)
    for t in (EN, FR):
        text = agreement_text(results, t) + plan_text(results, 0.2, t)
        assert not re.search(r"\bnan\b|\{\w+\}", text, re.IGNORECASE)
        json.dumps(agreement_plain(results, 0.2, t), allow_nan=False)


def test_a_width_beyond_any_campaign_is_said():
    text = plan_text(demo_results()[0], 0.0005, EN)
    assert "more than 1,000,000 !" in text
    assert "! more than the 192 responses of the campaign" in text


@pytest.mark.xdist_group("demo")
def test_the_command_prints_what_results_json_holds(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agreement", str(demo), "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    results = json.loads((demo / "results.json").read_text(encoding="utf-8"))
    assert plain == {"campaign": results["campaign"], "agreement": results["agreement"]}
    assert main(["agreement", str(demo), "--lang", "fr"]) == 0
    assert "Exactitude" in capsys.readouterr().out


@pytest.mark.xdist_group("demo")
def test_grades_agreed_in_the_sheet_to_discuss_stand_beside_those_given_alone(
    demo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both differences on format are settled: 28 of 28 after, and still 26 of 28 as the agreement of two readers."""
    folder = tmp_path / "campaign"
    shutil.copytree(demo, folder)
    book = openpyxl.load_workbook(folder / "campaign.xlsx")
    sheet = next(ws for ws in book.worksheets if layout.DISCUSS_TABLE.name in ws.tables)
    header = next(row for row in sheet.iter_rows() if row[0].value == "Id")
    places = {cell.value: cell.column for cell in header}
    for row in sheet.iter_rows(min_row=header[0].row + 1):
        if row[places["Criterion (id)"] - 1].value == "format":
            sheet.cell(row[0].row, places["Agreed grade"]).value = 2
    book.save(folder / "campaign.xlsx")
    main(["agreement", str(folder), "--json", "--lang", "en"])
    found = json.loads(capsys.readouterr().out)["agreement"]
    assert (
        found["criteria"]["format"]["equal"],
        found["after_discussion"]["criteria"]["format"]["equal"],
    ) == (26, 28)
    (text,) = [n["text"] for n in found["notes"] if n["id"] == "after_discussion"]
    assert text.startswith("Format: after discussions 28 of 28 are equal, before them 26:")
    main(["agreement", str(folder), "--lang", "en"])
    assert line(capsys.readouterr().out.split("before discussion")[1], "Format") == [
        "Format",
        "26/28",
        "28/28",
    ]


def test_everything_the_command_says_is_in_the_french_catalogue():
    known = set()
    for path in (FOLDER / "fr").glob("*.po"):
        with path.open("rb") as stream:
            known |= {
                text
                for m in read_po(stream, locale="fr")
                if m.string
                for text in ([m.id] if isinstance(m.id, str) else m.id)
            }
    said = set()
    for name in ("cli/agreement_output.py", "cli/output.py", "core/agreement_words.py"):
        for node in ast.walk(ast.parse((ROOT / "lark_sheets" / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                called = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if called in ("t", "N_") or (called == "count" and len(node.args) > 2):
                    said.add(node.args[0].value)
    assert len(said) > 70
    assert sorted(said - known) == []
