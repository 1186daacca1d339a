"""What counts as a grade, cell by cell (contract: only a level counts, everything else is refused, a blank is a blank)."""

import datetime as dt

import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.cells import Mark
from lark_sheets.core.grades import ReadGrade, date_serial, read_grade
from tests.factories import shipped

ACCURACY = shipped().criterion("accuracy")
CATEGORY = shipped("refusals").criterion("category")


@pytest.mark.parametrize("typed", [0, 1, 2, 0.0, 1.0, 2.0])
def test_a_level_as_a_number_counts(typed: float) -> None:
    assert read_grade(typed, ACCURACY) == ReadGrade(int(typed))


@pytest.mark.parametrize(
    ("typed", "level"),
    [
        ("2", 2),
        ("2 ", 2),
        (" 1\u00a0", 1),
        ("2,0", 2),
        ("2.0", 2),
        ("２", 2),
        ("0 ", 0),
        ("\u200b1", 1),
        ("+1", 1),
    ],
)
def test_text_that_is_exactly_a_level_counts_and_is_told(typed: str, level: int) -> None:
    assert read_grade(typed, ACCURACY) == ReadGrade(level, "normalized_grade")


@pytest.mark.parametrize("typed", [None, "", "   ", "\u00a0", "\u200b"])
def test_a_blank_is_a_blank_and_no_problem(typed: str | None) -> None:
    assert read_grade(typed, ACCURACY) == ReadGrade(None)


@pytest.mark.parametrize(
    "typed",
    [1.5, 3, -1, 46054, "1,5", "O", "2?", "-", "1 ou 2", "n/a", "two", "None", "NaN", True, False, 2.0000001],
)
def test_all_else_is_refused_never_rounded_or_clipped(typed: object) -> None:
    got = read_grade(typed, ACCURACY)  # type: ignore[arg-type]
    assert got.level is None
    assert got.refused


def test_a_formula_without_a_value_and_an_error_are_refused_by_name() -> None:
    assert read_grade(None, ACCURACY, Mark.UNCOMPUTED) == ReadGrade(None, "formula_without_value")
    assert read_grade("#N/A", ACCURACY, Mark.ERROR) == ReadGrade(None, "error_in_grade")


@pytest.mark.parametrize(
    ("typed", "mark", "expected"),
    [
        (dt.datetime(2026, 2, 1), None, ReadGrade(None, "date_in_grade")),  # somebody typed 1-2
        (dt.date(2026, 12, 1), None, ReadGrade(None, "date_in_grade")),
        (1.0, Mark.DATE, ReadGrade(1, "normalized_grade")),  # the number 1, merely shown as a date
        (dt.datetime(1900, 1, 1), None, ReadGrade(1, "normalized_grade")),
        (dt.time(0, 0), None, ReadGrade(0, "normalized_grade")),
    ],
)
def test_a_real_date_is_refused_and_a_level_shown_as_one_counts(
    typed: object, mark: Mark | None, expected: ReadGrade
) -> None:
    assert read_grade(typed, ACCURACY, mark) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("day", "serial"),
    [
        (dt.datetime(1900, 1, 1), 1),
        (dt.datetime(1900, 2, 28), 59),
        (dt.datetime(1900, 3, 1), 61),
        (dt.date(2026, 2, 1), 46054),
    ],
)
def test_the_number_behind_a_date_is_what_the_spreadsheet_stores(day: dt.date, serial: float) -> None:
    assert date_serial(day) == serial


@pytest.mark.parametrize("typed", ["full_refusal", "Full refusal", "refus complet", " REFUS COMPLET "])
def test_a_label_counts_by_id_or_by_its_name_in_either_language(typed: str) -> None:
    names = CATEGORY.anchor("full_refusal").name
    assert {names.fr.casefold(), names.en.casefold()} == {"refus complet", "full refusal"}
    assert read_grade(typed, CATEGORY) == ReadGrade("full_refusal")


@pytest.mark.parametrize("typed", ["refusal", 1, True, dt.datetime(2026, 1, 1)])
def test_what_is_no_label_is_refused(typed: object) -> None:
    assert read_grade(typed, CATEGORY).refused  # type: ignore[arg-type]


@given(st.one_of(st.floats(), st.integers(), st.text(), st.booleans(), st.none(), st.datetimes()))
def test_whatever_stands_in_a_cell_gives_a_level_a_blank_or_a_refusal(typed: object) -> None:
    """Nothing ever crashes, and nothing outside the levels comes out."""
    got = read_grade(typed, ACCURACY)  # type: ignore[arg-type]
    assert got.level in (None, 0, 1, 2)
    assert type(got.level) in (int, type(None))
