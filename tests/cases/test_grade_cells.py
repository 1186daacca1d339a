"""Cases 01 to 04 and 11: what people type, paste and leave empty in grade cells. Expected figures are those of the handed cases."""

import datetime as dt
from pathlib import Path

from tests.cases.kit import bench
from tests.desk import told
from tests.factories import BASE


def test_case_01_numbers_typed_as_text_count(tmp_path: Path) -> None:
    """Twelve guises of an exact level: nothing is lost, and eleven are told (one is a number already)."""
    b = bench(tmp_path)
    raw = {
        ("K01-A", "accuracy"): "2 ",
        ("K01-A", "completeness"): "2,0",
        ("K01-A", "format"): "２",
        ("K01-A", "abstention"): "2\u00a0",
        ("K01-B", "accuracy"): "2.0",
        ("K01-B", "completeness"): "\u202f1",
        ("K01-B", "format"): "02",
        ("K01-B", "abstention"): " 1",
        ("K02-D", "format"): "0 ",
        ("K02-D", "accuracy"): 2.0,
        ("K02-C", "accuracy"): "+2",
        ("K02-C", "format"): "2\n",
    }
    for (name, criterion), typed in raw.items():
        cell = b.cell(name, criterion)
        cell.value = typed
        cell.number_format = "@"
    found = b.results()
    overall = found["overall"]
    assert (overall["graded"], overall["points"], overall["ready"], overall["score_10"]) == (8, 49, 4, "7.66")
    assert overall["zeros"] == {"accuracy": 1, "completeness": 2, "format": 1, "abstention": 0}
    assert len(told(found, "normalized_grade")) == 11


def test_case_02_a_blank_is_not_zero(tmp_path: Path) -> None:
    """Truly empty, an empty string, spaces, NBSP: four rows without total and decision, out of the mean."""
    b = bench(tmp_path)
    blanks = {
        ("K01-A", "format"): None,
        ("K01-D", "accuracy"): "",
        ("K02-B", "abstention"): "  ",
        ("K02-C", "completeness"): "\u00a0",
    }
    for (name, criterion), typed in blanks.items():
        b.cell(name, criterion).value = typed
    found = b.results()
    overall = found["overall"]
    assert (overall["graded"], overall["points"], overall["ready"], overall["score_10"]) == (4, 24, 1, "7.50")
    assert overall["zeros"] == {"accuracy": 0, "completeness": 2, "format": 1, "abstention": 0}
    ready = {
        "K01-A": None,
        "K01-B": True,
        "K01-C": False,
        "K01-D": None,
        "K02-A": False,
        "K02-B": None,
        "K02-C": None,
        "K02-D": False,
    }
    assert b.by_name(found, "ready") == ready
    cells = {b.address(*place) for place in blanks}
    assert {p["cell"] for p in told(found, "missing_grade")} == cells
    assert all(p["severity"] == "warning" for p in found["problems"])


def test_case_03_hesitations_are_refused_by_cell_all_at_once(tmp_path: Path) -> None:
    b = bench(tmp_path)
    typed = {
        ("K01-A", "accuracy"): "1,5",
        ("K01-B", "completeness"): "O",
        ("K01-C", "format"): "2?",
        ("K01-D", "abstention"): "-",
        ("K02-A", "accuracy"): 3,
        ("K02-B", "completeness"): -1,
        ("K02-C", "format"): "1 ou 2",
        ("K02-D", "abstention"): "n/a",
    }
    for (name, criterion), value in typed.items():
        b.cell(name, criterion).value = value
    found = b.results()
    assert {(p["cell"], p["found"]) for p in told(found, "unreadable_grade")} == {
        (b.address(*place), str(value)) for place, value in typed.items()
    }
    overall = found["overall"]
    assert (overall["graded"], overall["points"], overall["score_10"], overall["ready"]) == (0, 0, None, 0)
    assert overall["zeros"] == {"accuracy": 1, "completeness": 2, "format": 1, "abstention": 0}


def test_case_04_a_formula_without_a_value_is_named_and_our_own_totals_do_not_matter(tmp_path: Path) -> None:
    """Saved by openpyxl, no formula of the workbook has a value: totals come from the grades, one grade is refused."""
    b = bench(tmp_path)
    b.cell("K01-B", "format").value = "=1+1"
    found = b.results()
    assert [p["cell"] for p in told(found, "formula_without_value")] == [b.address("K01-B", "format")]
    assert "save it once" in told(found, "formula_without_value")[0]["remedy"]
    totals = {
        "K01-A": 8,
        "K01-B": None,
        "K01-C": 7,
        "K01-D": 2,
        "K02-A": 5,
        "K02-B": 7,
        "K02-C": 8,
        "K02-D": 6,
    }
    assert b.by_name(found, "total") == totals
    overall = found["overall"]
    assert (overall["graded"], overall["points"], overall["score_10"], overall["ready"]) == (7, 43, "7.68", 3)


def test_case_11_dates_are_refused_and_a_level_merely_shown_as_one_counts(tmp_path: Path) -> None:
    b = bench(tmp_path)
    for place, day in {
        ("K01-A", "accuracy"): dt.datetime(2026, 2, 1),
        ("K01-B", "completeness"): dt.datetime(2026, 2, 2),
    }.items():
        b.cell(*place).value = day
        b.cell(*place).number_format = "d-mmm"
    b.cell("K02-B", "format").value = 1
    b.cell("K02-B", "format").number_format = "dd/mm/yyyy"
    b.cell("K02-C", "abstention").value = 46054
    lost = b.cell("K01-D", "id")
    lost.value, lost.number_format = dt.datetime(2026, 2, 1), "d-mmm"
    found = b.results()
    dates = {b.address("K01-A", "accuracy"), b.address("K01-B", "completeness")}
    assert {p["cell"] for p in told(found, "date_in_grade")} == dates
    assert [(p["cell"], p["found"]) for p in told(found, "unreadable_grade")] == [
        (b.address("K02-C", "abstention"), "46054")
    ]
    assert [p["cell"] for p in told(found, "date_in_id")] == [lost.coordinate]
    assert [p["cell"] for p in told(found, "normalized_grade")] == [b.address("K02-B", "format")]
    overall = found["overall"]
    assert (overall["graded"], overall["points"], overall["score_10"], overall["ready"]) == (4, 25, "7.81", 1)
    assert overall["zeros"] == {"accuracy": 0, "completeness": 1, "format": 1, "abstention": 0}
    assert found["coverage"] == {"expected": 8, "graded": 4, "incomplete": 4, "stale": 0}


def test_the_untouched_workbook_gives_the_base_figures(tmp_path: Path) -> None:
    found = bench(tmp_path).results()
    assert found["coverage"]["graded"] == len(BASE)
    assert found["overall"]["score_10"] == "7.66"
    assert not [p for p in found["problems"] if p["severity"] == "error"]
