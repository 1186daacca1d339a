"""A test of the spreadsheet itself: values of every kind are written into a new workbook, read back, and compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lark_sheets.adapters.live_book import at_rest
from lark_sheets.adapters.live_book.native import native
from lark_sheets.adapters.live_book.reading import read_book
from lark_sheets.adapters.live_book.writing import Change, comparable
from lark_sheets.core.bookplan import BookPatch, Scalar
from lark_sheets.core.cells import Mark, address, shown
from lark_sheets.core.problems import problem
from lark_sheets.errors import Problem

if TYPE_CHECKING:
    import xlwings

VALUES: tuple[Scalar, ...] = (
    0,
    2,
    1.5,
    True,
    False,
    "2",
    "2,0",
    "1-2",
    "TRUE",
    "=1+1",
    "+1",
    "-1",
    "@x",
    "'quoted",
    "two\nlines",
    "é « à » ’ 漢 🙂",
    "x" * 9_000,
    "=" * 300,
)
"""What may stand in a cell and must come back as it was; above all texts that a spreadsheet would like to understand."""
FORMULAS = {"=1+1": (2, Mark.FORMULA), '=IF(1=1,"","x")': ("", Mark.FORMULA), "=NA()": ("#N/A", Mark.ERROR)}


def probe(app: xlwings.App) -> list[Problem]:
    """Return what the spreadsheet did not give back as it was written, or one note that it gave back all of it."""
    book = app.books.add()
    try:
        sheet = book.sheets[0].name
        patch = BookPatch()
        for row, value in enumerate(VALUES, 1):
            patch.set(sheet, row, 1, value)
        for row, formula in enumerate(FORMULAS, 1):
            patch.set(sheet, row, 2, None, formula=formula)
        change = Change.of(book, patch)
        with at_rest(app):
            change.make(native(app))
        app.calculate()
        book.sheets[0].range("C1").number_format = "yyyy-mm-dd"
        book.sheets[0].range("C1").value = 1
        found = read_book(book).sheets[0]
    finally:
        book.close()
    told = [
        _differs(f"A{row}", found.value(row, 1), value)
        for row, value in enumerate(VALUES, 1)
        if comparable(found.value(row, 1)) != comparable(value)
    ]
    for row, (formula, (result, mark)) in enumerate(FORMULAS.items(), 1):
        now = found.value(row, 2), found.marks.get((row, 2))
        if comparable(now[0]) != comparable(result) or now[1] is not mark:
            told.append(_differs(formula, f"{shown(now[0])} ({now[1]})", result))
    if (found.value(1, 3), found.marks.get((1, 3))) != (1, Mark.DATE):
        told.append(_differs(address(1, 3), f"{shown(found.value(1, 3))} ({found.marks.get((1, 3))})", 1))
    count = len(VALUES) + len(FORMULAS) + 1
    version = f"{app.engine.name} {app.version}, {count}"
    return told or [problem("addin_probe_fine", found=version)]


def _differs(what: str, found: object, expected: object) -> Problem:
    return problem(
        "addin_probe", found=str(found)[:40], expected=str(expected)[:40], what=what, cell=what[:20]
    )
