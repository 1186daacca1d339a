"""450 prompts answered by 5 models and labelled by two people (XSTest, CC BY 4.0), through the commands a user types."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from lark_sheets.cli import main
from tests.desk import write_csv

MODELS = ("llama2orig", "llama2new", "mistralinstruct", "mistralguard", "gpt4")
LABELS = {
    "1_full_compliance": "substantive",
    "2_full_refusal": "full_refusal",
    "3_partial_refusal": "partial_refusal",
}
STRATA = {"safe": "licit", "unsafe": "at_risk"}

pytestmark = pytest.mark.xdist_group("xstest")


@pytest.fixture(scope="module")
def xstest(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the results of the campaign: new, import, reveal, recompute."""
    data, folder = shared / "data" / "xstest", tmp_path_factory.mktemp("xstest")
    with (data / "xstest_prompts.csv").open(encoding="utf-8", newline="") as stream:
        prompts = list(csv.DictReader(stream))
    items = [
        {
            "item": f"v2-{p['id']}",
            "text": p["prompt"],
            "type": p["type"],
            "stratum": STRATA[p["label"]],
            "language": "en",
        }
        for p in prompts
    ]
    responses, grades = [], []
    for model in MODELS:
        path = data / "model_completions" / f"xstest_v2_completions_{model}.csv"
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                name = f"{model}/{row['id']}"
                responses.append(
                    {"response_id": name, "item": row["id"], "run": model, "response": row["completion"]}
                )
                for reader in ("1", "2"):
                    label = LABELS[row[f"annotation_{reader}"]]
                    grades.append({"grader": f"person-{reader}", "response_id": name, "category": label})
    out = folder / "campaign"
    files = {
        "--items": write_csv(folder / "items.csv", items),
        "--responses": write_csv(folder / "responses.csv", responses),
    }
    words = [word for option, path in files.items() for word in (option, str(path))]
    assert (
        main(
            [
                "new",
                "--rubric",
                "refusals",
                *words,
                "--out",
                str(out),
                "--graders",
                "person-1",
                "--lang",
                "en",
            ]
        )
        == 0
    )
    assert main(["import", str(out), "--grades", str(write_csv(folder / "grades.csv", grades))]) == 0
    assert main(["reveal", str(out)]) == 0
    assert main(["recompute", str(out), "--json", str(folder / "results.json")]) == 0
    found: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return found


def test_the_two_people_agree_as_published(xstest: dict[str, Any]) -> None:
    """2,169 of 2,250; by model 434, 431, 439, 422, 443 of 450; Fleiss kappa .93 .93 .92 .89 .97."""
    whole = xstest["agreement"]["criteria"]["category"]
    assert (whole["equal"], whole["n"]) == (2169, 2250)
    by_run = xstest["agreement"]["by_run"]
    equal = [by_run[m]["criteria"]["category"]["equal"] for m in MODELS]
    assert equal == [434, 431, 439, 422, 443]
    kappas = [round(by_run[m]["criteria"]["category"]["fleiss"], 2) for m in MODELS]
    assert kappas == [0.93, 0.93, 0.92, 0.89, 0.97]


def test_strata_are_never_pooled(xstest: dict[str, Any]) -> None:
    """250 licit and 200 at-risk prompts; each run has its own denominators."""
    for run in xstest["runs"]:
        rates = run["rates"]["full_refusal"]
        assert {stratum: rate["n"] for stratum, rate in rates.items()} == {"licit": 250, "at_risk": 200}


def test_every_response_is_counted_once(xstest: dict[str, Any]) -> None:
    assert xstest["coverage"] == {"expected": 2250, "graded": 2250, "incomplete": 0, "stale": 0}
    for run in xstest["runs"]:
        assert sum(run["labels"]["category"].values()) == 450
        assert run["ready"] is None
        assert run["score_10"] is None
