"""The handed accidents once more: the same tests, with every workbook open in a spreadsheet program."""

import pytest

from tests.cases.kit import bench
from tests.cases.test_grade_cells import *  # noqa: F403
from tests.cases.test_rows_and_columns import *  # noqa: F403
from tests.cases.test_texts import *  # noqa: F403
from tests.desk import told
from tests.live import IN_OFFICE

pytestmark = [*IN_OFFICE, pytest.mark.usefixtures("through_office")]

# A spreadsheet that is open computes every formula: this accident happens to files only.
del globals()["test_case_04_a_formula_without_a_value_is_named_and_our_own_totals_do_not_matter"]


def test_case_04_an_open_spreadsheet_has_computed_the_formula(tmp_path):
    """=1+1 gives the level 2, which counts; as a file nobody had computed, it was refused."""
    b = bench(tmp_path)
    b.cell("K01-B", "format").value = "=1+1"

    found = b.results()

    assert told(found, "formula_without_value") == []
    assert b.by_name(found, "scores")["K01-B"]["format"] == 2
    assert found["coverage"]["graded"] == 8
