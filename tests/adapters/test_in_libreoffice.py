"""LibreOffice opens what we write and what we patch, sees the same values, and gives back workbooks that we read."""

import shutil
from pathlib import Path

import pytest

from lark_sheets.adapters.books import FileBooks
from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.cells import Area
from tests.adapters.rich import FIRST, LAST, rich_workbook
from tests.adapters.test_writer import full_plan
from tests.workbook import office

pytestmark = [pytest.mark.office, pytest.mark.xdist_group("office")]
books = FileBooks()


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Our files, and what LibreOffice makes of them: one start of the program for each form."""
    if office.soffice() is None:
        pytest.skip("LibreOffice is not installed: python3 run.py test installs it")
    folder = tmp_path_factory.mktemp("office")
    books.write(full_plan(), folder / "plan.xlsx")
    rich_workbook(folder / "rich.xlsx")
    change = BookPatch(grown={"tblScores": Area(5, 1, LAST + 1, 7)})
    for row in (FIRST, LAST + 1):
        change.set("Grading", row, 1, f"S{row} <é> _x000D_\n=1", style_of=(LAST, 1))
        change.set("Grading", row, 3, 2, style_of=(LAST, 3))
        change.set("Grading", row, 7, 99, formula=f"=SUM(C{row}:F{row})", style_of=(LAST, 7))
    books.patch(folder / "rich.xlsx", change)
    for form in ("xlsx", "ods", "xls"):
        out = folder / form
        out.mkdir()
        office.convert([folder / "plan.xlsx", folder / "rich.xlsx"], out, form)
    shutil.rmtree(folder / "backups")
    return folder


@pytest.mark.parametrize("form", ["xlsx", "ods", "xls"])
def test_a_planned_workbook_survives_a_save_in_libreoffice(folder, form):
    before, after = books.read(folder / "plan.xlsx"), books.read(folder / form / f"plan.{form}")
    assert [sheet.name for sheet in after.sheets] == [sheet.name for sheet in before.sheets]
    assert [sheet.visible for sheet in after.sheets] == [False, True]
    for old, new in zip(before.sheets, after.sheets, strict=True):
        for row in range(1, len(old.rows) + 1):
            for column in range(1, 7):
                assert new.value(row, column) == old.value(row, column), (form, row, column)
    if form == "xlsx":
        assert after.sheets[1].tables == before.sheets[1].tables
        assert after.sheets[1].hidden_rows == {11}
        assert after.sheets[1].marks.items() >= before.sheets[1].marks.items()


def test_formulas_of_a_patched_workbook_are_computed_anew(folder):
    """The patch wrote 99 as their value; LibreOffice, told to recalculate, finds the sum."""
    sheet = books.read(folder / "xlsx" / "rich.xlsx").sheets[0]
    assert sheet.value(FIRST, 1) == f"S{FIRST} <é> _x000D_\n=1"
    assert [sheet.value(row, 7) for row in (FIRST, FIRST + 1)] == [2 + 2 + 2 + 2, 1 + 2 + 2 + 2]
    assert sheet.value(LAST + 1, 7) == 2
    assert sheet.tables["tblScores"] == Area(5, 1, LAST + 1, 7)
    assert sheet.value(LAST + 1, 1) == f"S{LAST + 1} <é> _x000D_\n=1"
