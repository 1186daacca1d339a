"""The demo is the published table, to the unit, and the files of the contract."""

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from lark_sheets.cli import main
from lark_sheets.core.text import squeezed

pytestmark = pytest.mark.xdist_group("demo")

PUBLISHED = {
    # run: ready, note, points, zeros of accuracy, completeness, format, abstention (the course's published table)
    "Claude Haiku 5.5": (24, "9.84", 189, 0, 0, 0, 0),
    "Claude Sonnet 5.5": (22, "9.90", 190, 0, 0, 0, 0),
    "Claude Opus 5.5": (24, "10.00", 192, 0, 0, 0, 0),
    "Gemini 3.5 Flash": (24, "9.95", 191, 0, 0, 0, 0),
    "Gemini 3.1 Pro (preview)": (24, "9.90", 190, 0, 0, 0, 0),
    "Gemma 3 4B (local)": (6, "5.78", 111, 6, 6, 2, 0),
    "Mistral 7B (local)": (12, "7.45", 143, 4, 2, 1, 0),
    "Qwen3 4B, 4000-token limit (local)": (14, "6.51", 125, 6, 6, 4, 4),
}
AGREEMENT = {"accuracy": 26, "completeness": 27, "format": 26, "abstention": 28}


@pytest.fixture(scope="module")
def found(demo: Path) -> dict[str, Any]:
    """Return the demo's results.json."""
    plain: dict[str, Any] = json.loads((demo / "results.json").read_text(encoding="utf-8"))
    return plain


def test_the_files_of_the_contract_are_there(demo: Path) -> None:
    names = {str(p.relative_to(demo)) for p in demo.rglob("*") if p.is_file() and "backups" not in p.parts}
    key = next(n for n in names if n.startswith("key"))
    assert names == {
        "campaign.xlsx",
        "graders/reader-1.xlsx",
        "graders/reader-2.xlsx",
        key,
        "results.json",
        "results.xlsx",
        "report.pdf",
    }
    assert (demo / "report.pdf").read_bytes().startswith(b"%PDF-1")


@pytest.mark.parametrize("run", PUBLISHED)
def test_each_run_has_its_published_figures(found: dict[str, Any], run: str) -> None:
    row = next(r for r in found["runs"] if r["run"] == run)
    zeros = [row["zeros"][c] for c in AGREEMENT]
    assert (row["ready"], row["score_10"], row["points"], *zeros) == PUBLISHED[run]
    assert (row["responses"], row["graded"], row["points_max"]) == (24, 24, 192)


def test_the_runs_stand_in_the_order_they_were_given(found: dict[str, Any]) -> None:
    assert [r["run"] for r in found["runs"]] == list(PUBLISHED)


def test_the_shared_sample_agrees_as_published(found: dict[str, Any]) -> None:
    """24 of 28 on all four, 26 27 26 28 by criterion, 28 of 28 on the decision."""
    agreement = found["agreement"]
    assert (agreement["shared"], agreement["all_criteria"]["equal"], agreement["all_criteria"]["n"]) == (
        28,
        24,
        28,
    )
    assert {c: s["equal"] for c, s in agreement["criteria"].items()} == AGREEMENT
    assert (agreement["decision"]["equal"], agreement["decision"]["n"]) == (28, 28)


def test_results_json_keeps_its_contract(found: dict[str, Any]) -> None:
    assert found["schema"] == "lark-sheets/results/1"
    assert (found["revealed"], found["graded_by"], found["block"]) == (True, "people", None)
    assert found["coverage"] == {"expected": 192, "graded": 192, "incomplete": 0, "stale": 0}
    assert found["key"]["matches"] is True
    assert len(found["responses"]) == 220
    assert sum(r["owner"] for r in found["responses"]) == 192
    assert found["overall"]["points"] == 1331
    assert not [p for p in found["problems"] if p["severity"] == "error"]


def test_a_second_recompute_gives_the_same_bytes(demo: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert main(["recompute", str(demo), "--json", str(tmp_path / name), "--lang", "en"]) == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_graders_files_beside_the_campaign_are_no_duplicates(demo: Path, tmp_path: Path) -> None:
    books = [str(demo / "campaign.xlsx"), *map(str, sorted((demo / "graders").glob("*.xlsx")))]
    assert main(["recompute", *books, "--json", str(tmp_path / "r.json"), "--lang", "en"]) == 0
    merged = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert merged["overall"]["points"] == 1331
    assert len(merged["responses"]) == 220


def test_nothing_handed_out_holds_a_runs_name(demo: Path) -> None:
    """Every part of every workbook but the results, in every encoding, squeezed to letters and digits."""
    names = {squeezed(run) for run in PUBLISHED}
    books = [demo / "campaign.xlsx", *(demo / "graders").glob("*.xlsx"), *(demo / "backups").glob("*.xlsx")]
    for book in books:
        with zipfile.ZipFile(book) as archive:
            for part in archive.namelist():
                data = archive.read(part)
                for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
                    text = squeezed(data.decode(encoding, "ignore"))
                    assert not any(name in text for name in names), (book.name, part)


def test_a_second_demo_replaces_the_first(demo: Path, tmp_path: Path) -> None:
    """An earlier demo is known by its public salt; the same demo comes out, workbook for workbook."""
    out = tmp_path / "again"
    shutil.copytree(demo, out)
    (out / "graders" / "reader-2.xlsx").write_bytes(b"spoilt")
    assert main(["demo", "--out", str(out), "--lang", "en"]) == 0
    for name in ("graders/reader-2.xlsx", "results.json"):
        assert (out / name).read_bytes() == (demo / name).read_bytes()


def test_the_demo_never_replaces_a_campaign_of_somebody_else(demo: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine"
    (out / "key").mkdir(parents=True)
    (out / "campaign.xlsx").write_bytes(b"somebody's work")
    assert main(["demo", "--out", str(out)]) == 2
    assert (out / "campaign.xlsx").read_bytes() == b"somebody's work"
