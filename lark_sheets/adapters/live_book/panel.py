"""Where a person reads what became of a button: a sheet for messages in the open workbook, the status bar, a message box."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lark_sheets.adapters.live_book.native import native
from lark_sheets.adapters.live_book.reading import area_of, values_of
from lark_sheets.adapters.live_book.writing import as_input, comparable

if TYPE_CHECKING:
    import xlwings

WIDTHS = (30, 44, 62, 62, 20, 20)
"""Widths of the columns of the sheet for messages, in characters."""
CELL = "A2"
"""The message cell: the outcome of the last button, in one line."""
PROGRAM = "Lark Sheets"


class StatusBarProgress:
    """Says in the spreadsheet's status bar what begins (implements :class:`lark_sheets.ports.Progress`)."""

    def __init__(self, app: xlwings.App) -> None:
        self.app = app
        self.thread = threading.get_ident()

    def step(self, text: str) -> None:
        """Show one step; a spreadsheet that is busy goes without.

        So does work in another thread: a spreadsheet speaks with the thread that found it only, and would wait for ever.
        """
        if threading.get_ident() != self.thread:
            return
        with contextlib.suppress(Exception):
            self.app.status_bar = f"{PROGRAM}: {text} …"


def clear_status(app: xlwings.App) -> None:
    """Give the status bar back to the spreadsheet."""
    with contextlib.suppress(Exception):
        app.status_bar = False


def show_messages(book: xlwings.Book, name: str, lines: Sequence[Sequence[str]]) -> None:
    """Put lines of texts on the workbook's sheet for messages, made when it is not there, and show that sheet.

    What stood there goes; when it says the same already, nothing is touched. Raises ``OSError`` when the workbook takes no message, or
    whatever the spreadsheet raises, such as for one whose structure is protected; then no sheet is left behind.
    """
    app = book.app
    if native(app).is_read_only(book):
        raise OSError(f"{book.name} is open read-only")
    width = max(map(len, lines), default=1)
    rows: list[list[Any]] = [[*line, *[""] * (width - len(line))] for line in lines]
    names = [sheet.name for sheet in book.sheets]
    if name in names and _shows(book.sheets[name], rows):
        book.sheets[name].activate()
        return
    with app.properties(screen_updating=False, enable_events=False, display_alerts=False):
        if name not in names:
            sheet = book.sheets.add(name, after=book.sheets[len(book.sheets) - 1])
            for column, size in enumerate(WIDTHS, 1):
                sheet.range((1, column)).column_width = size
        sheet = book.sheets[name]
        with native(app).unprotected(sheet):
            sheet.clear_contents()
            block = sheet.range((1, 1), (len(rows), width))
            block.value = [[as_input(text or None) for text in row] for row in rows]
            if len(rows) > HEAD:
                sheet.range((HEAD + 1, 1), (len(rows), width)).wrap_text = True
        if not _shows(sheet, rows):
            if name not in names:
                sheet.delete()
            raise OSError(f"{book.name} takes no message")
    sheet.activate()


HEAD = 4
"""Lines above the list (title, outcome, hint, a blank one): they are not wrapped."""


def _shows(sheet: xlwings.Sheet, rows: Sequence[Sequence[Any]]) -> bool:
    """Say whether a sheet shows these lines and nothing else."""
    used = area_of(sheet.used_range)
    bottom, right = max(used.bottom, len(rows)), max(used.right, *map(len, rows))
    return _filled(values_of(sheet.range((1, 1), (bottom, right)))) == _filled(rows)


def _filled(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return rows in a form to compare, without their blank ends."""
    found = [[comparable(value) for value in row] for row in rows]
    for row in found:
        while row and row[-1] is None:
            row.pop()
    while found and not found[-1]:
        found.pop()
    return found


def ask(app: xlwings.App, text: str) -> bool:
    """Ask a person yes or no in a message box; the spreadsheet shows itself meanwhile."""
    with app.properties(screen_updating=True):
        return app.alert(text, PROGRAM, "yes_no", "info") == "yes"


def tell(app: xlwings.App, text: str, *, fault: bool) -> None:
    """Tell a person in a message box."""
    app.alert(text, PROGRAM, "ok", "critical" if fault else "info")
