"""420 summaries of 7 systems by three reader slots, through the commands a user types (JUDGE-BENCH copy of Newsroom, Apache-2.0)."""

import csv
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from lark_sheets.cli import main
from lark_sheets.core.language import half_up
from lark_sheets.usecases.loading import load_one
from tests.desk import desk, write_csv

CRITERIA = ("informativeness", "relevance", "fluency", "coherence")
RUBRIC = Path(__file__).with_name("newsroom.toml")


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


pytestmark = pytest.mark.xdist_group("newsroom")


@pytest.fixture(scope="module")
def newsroom(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the data's folder and a campaign made of it: new, import, reveal, recompute, report."""
    data, folder = shared / "data" / "newsroom", tmp_path_factory.mktemp("newsroom")
    out = folder / "campaign"
    grades = [
        {"grader": f"slot-{r['rater_slot']}", "response_id": r["response_id"], **{c: r[c] for c in CRITERIA}}
        for r in rows_of(data / "scores.csv")
    ]
    table = write_csv(folder / "grades.csv", grades)
    graders = ["--graders", "slot-1:slot"]
    new = [
        "new",
        "--rubric",
        str(RUBRIC),
        "--items",
        str(data / "items.csv"),
        "--responses",
        str(data / "responses.csv"),
    ]
    assert main([*new, "--out", str(out), *graders, "--lang", "en"]) == 0
    assert main(["import", str(out), "--grades", str(table)]) == 0
    assert main(["reveal", str(out)]) == 0
    assert main(["recompute", str(out)]) == 0
    assert main(["report", str(out), "--appendix", "scores"]) == 0
    return data, out


def results(out: Path) -> dict[str, Any]:
    """Return results.json."""
    found: dict[str, Any] = json.loads((out / "results.json").read_text(encoding="utf-8"))
    return found


def test_all_texts_are_intact(newsroom: tuple[Path, Path]) -> None:
    data, out = newsroom
    given = Counter(r["response"].replace("\r\n", "\n").strip() for r in rows_of(data / "responses.csv"))
    campaign = load_one(out, desk()).campaign
    assert Counter(r.text.strip() for r in campaign.responses) == given


def test_points_of_each_system_are_those_of_the_table(newsroom: tuple[Path, Path]) -> None:
    """The owner is slot 1; sums, means and levels straight from the CSV."""
    data, out = newsroom
    run_of = {r["response_id"]: r["run"] for r in rows_of(data / "responses.csv")}
    sums: Counter[str] = Counter()
    for row in rows_of(data / "scores.csv"):
        if row["rater_slot"] == "1":
            sums[run_of[row["response_id"]]] += sum(int(row[c]) for c in CRITERIA)
    runs = {run["run"]: run for run in results(out)["runs"]}
    assert len(runs) == 7
    for name, run in runs.items():
        assert (run["graded"], run["points"], run["points_max"]) == (60, sums[name], 60 * 20)
        assert run["score_10"] == half_up(Fraction(sums[name] * 10, 60 * 20), 2)
        assert run["ready"] is None


def test_agreement_of_three_slots_has_the_published_alphas_and_no_cohen_kappa(
    newsroom: tuple[Path, Path],
) -> None:
    """Ordinal Krippendorff alpha as published by JUDGE-BENCH: .28487 .11512 -.01581 .06497."""
    _, out = newsroom
    criteria = results(out)["agreement"]["criteria"]
    published = {"informativeness": 0.28487, "relevance": 0.11512, "fluency": -0.01581, "coherence": 0.06497}
    for name, alpha in published.items():
        assert round(criteria[name]["alpha_ordinal"], 5) == alpha
        assert criteria[name]["kappa"] is None
        assert criteria[name]["n"] == 420


def test_the_report_was_written(newsroom: tuple[Path, Path]) -> None:
    _, out = newsroom
    assert (out / "report.pdf").read_bytes().startswith(b"%PDF-1")
