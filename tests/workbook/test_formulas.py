"""The formulas themselves: only what every spreadsheet computes, wherever rows and columns stand."""

import re

import pytest

from lark_sheets.core.campaign import Reading
from lark_sheets.core.cells import column_number
from lark_sheets.core.rubric_reading import from_plain
from lark_sheets.locales import translator
from lark_sheets.workbook import layout
from lark_sheets.workbook.formulas import (
    GradingPlace,
    RowState,
    is_level,
    outcome_words,
    quoted,
    row_formulas,
    summary_formulas,
)
from tests.workbook.factory import SHIPPED, shipped

PORTABLE = {
    "AND", "OR", "IF", "TYPE", "COUNT", "COUNTBLANK", "LOWER", "SUMPRODUCT", "REPT", "INT", "MAX", "MIN", "IFERROR",
    "MATCH", "HYPERLINK", "FALSE", "TRUE",
}  # fmt: skip
FUNCTION = re.compile(r"([A-Z][A-Z0-9.]*)\(")
LONGEST = 8192


def reading(rubric, grades, **more):
    blank = dict.fromkeys(c.id for c in rubric.criteria)
    return Reading(response="r1", grader="reader-a", owner=True, grades=blank | grades, version=1, **more)


def columns_of(rubric, shift=0):
    return {c.key: n + shift for n, c in enumerate(layout.grades_table(rubric).columns, 1)}


def bare(formula):
    """A formula without its texts."""
    return re.sub(r'"(?:[^"]|"")*"', '""', formula)


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_only_portable_functions_and_plain_references(name, language):
    """Structured references are text to Gnumeric, newer functions unknown to LibreOffice."""
    rubric = shipped(name)
    formulas = row_formulas(columns_of(rubric), 9, rubric, language, reading(rubric, {}))
    place = GradingPlace(
        sheet="À l'œuvre", first=6, last=90, columns=columns_of(rubric), jump=rubric.criteria[0].id
    )
    formulas |= summary_formulas(place, [RowState("reader-a", "done")], ["reader-a"], translator(language))
    for key, (formula, _) in formulas.items():
        assert formula.startswith("="), key
        assert set(FUNCTION.findall(bare(formula))) <= PORTABLE, key
        assert "[" not in bare(formula)
        assert len(formula) <= LONGEST


def test_the_cell_test_is_the_measured_one():
    criterion = shipped("larkfield").criterion("accuracy")
    assert is_level("H8", criterion) == "IF(AND(TYPE(H8)=1,COUNT(H8)=1),OR(H8=0,H8=1,H8=2),FALSE)"


def test_a_row_looks_only_at_itself():
    """Formulas are made for any row, so that rows can be added under a table."""
    rubric = shipped("larkfield")
    for row in (6, 7, 2048):
        for formula, _ in row_formulas(columns_of(rubric), row, rubric, "fr", reading(rubric, {})).values():
            assert {int(n) for n in re.findall(r"\b[A-Z]{1,3}(\d+)\b", bare(formula))} == {row}


def test_columns_may_stand_anywhere():
    rubric = shipped("larkfield")
    mixed = {key: 60 - place for key, place in columns_of(rubric).items()}
    formula = row_formulas(mixed, 8, rubric, "en", reading(rubric, {}))["total"].formula
    used = {column_number(letters) for letters in re.findall(r"\b([A-Z]{1,3})8\b", formula)}
    assert used == {mixed[c.id] for c in rubric.criteria}


def test_a_column_that_was_removed_gets_no_formula():
    rubric = shipped("larkfield")
    columns = {k: v for k, v in columns_of(rubric).items() if k not in ("verdict", "code_2", "reason")}
    formulas = row_formulas(columns, 8, rubric, "en", reading(rubric, {}))
    assert set(formulas) == {"total", "state"}


@pytest.mark.parametrize(
    ("grades", "more", "expected"),
    [
        ({}, {}, ("", "", "à noter")),
        ({"accuracy": 0}, {}, ("", "", "commencé")),
        (
            dict.fromkeys(("accuracy", "completeness", "format", "abstention"), 0),
            {"reason": "x"},
            (0, "non", "fait"),
        ),
        ({"accuracy": 2, "completeness": 2, "format": 1, "abstention": 1}, {}, (6, "oui", "raison ?")),
        (
            {"accuracy": 1, "completeness": 2, "format": 2, "abstention": 2},
            {"codes": ("small_error",)},
            (7, "non", "fait"),
        ),
        (
            {"accuracy": 2, "completeness": 2, "format": 2},
            {"refused": ("abstention",)},
            ("", "", "à vérifier"),
        ),
    ],
)
def test_values_that_go_with_the_formulas(grades, more, expected):
    rubric = shipped("larkfield")
    formulas = row_formulas(columns_of(rubric), 8, rubric, "fr", reading(rubric, grades, **more))
    assert tuple(formulas[key].value for key in ("total", "verdict", "state")) == expected


def test_outcomes_by_name_where_the_question_is_not_ready():
    assert outcome_words(shipped("larkfield"), "fr") == {"ready": "oui", "not_ready": "non"}
    assert outcome_words(shipped("support-verdict"), "fr") == {
        "acceptable": "acceptable",
        "unacceptable": "inacceptable",
    }


@pytest.mark.parametrize(
    ("text", "written"),
    [("a", '"a"'), ('say "a"', '"say ""a"""'), ("", '""'), ("x" * 251, '"' + "x" * 250 + '"&"x"')],
)
def test_texts_in_formulas(text, written):
    assert quoted(text) == written


def test_the_largest_rubric_stays_within_a_formula():
    """Twelve criteria with eleven levels each, a verdict that counts them all."""
    rubric = from_plain(
        {
            "id": "large",
            "criteria": [
                {"id": f"c{n}", "anchors": [{"level": level, "description": "x"} for level in range(11)]}
                for n in range(12)
            ],
            "outcomes": {"yes": "yes", "no": "no"},
            "verdict": [
                {
                    "outcome": "no",
                    "combine": "ANY",
                    "tests": [
                        {"kind": "count", "target": "all", "level": 0, "operator": ">=", "number": 1},
                        {"kind": "total", "operator": "<=", "number": 40},
                    ],
                },
                {"outcome": "yes", "combine": "OTHERWISE"},
            ],
        }
    )
    for formula, _ in row_formulas(columns_of(rubric), 8, rubric, "fr", reading(rubric, {})).values():
        assert len(formula) <= LONGEST


def test_counts_are_per_grader_too():
    rubric = shipped("larkfield")
    place = GradingPlace(sheet="Grading", first=6, last=20, columns=columns_of(rubric), jump="accuracy")
    rows = [RowState("a", "done"), RowState("a", "to_grade"), RowState("b", "done")]
    summary = summary_formulas(place, rows, ["a", "b"], translator("en"))
    assert {key: summary[key].value for key in ("rows", "count/done", "count/done/a", "count/done/b", "count/to_grade/b")} == {
        "rows": 3, "count/done": 2, "count/done/a": 1, "count/done/b": 1, "count/to_grade/b": 0,
    }  # fmt: skip
    assert summary["progress"].value == "Graded: 2 of 3  " + "■" * 16 + "□" * 8
    assert summary["next"].value == "Go to the next response to grade"


def test_no_rows_is_no_division_by_zero():
    rubric = shipped("larkfield")
    place = GradingPlace(sheet="Grading", first=6, last=20, columns=columns_of(rubric), jump="accuracy")
    summary = summary_formulas(place, [], [], translator("fr"))
    assert summary["progress"].value == "Notées\u00a0: 0 sur 0  " + "□" * 24
    assert summary["next"].value == "Tout est noté\u00a0: merci"
