"""What the ports give in other people's tests: workbooks and files in memory, a clock that stands still."""

from __future__ import annotations

import copy
import datetime as dt
import fnmatch
from collections.abc import Sequence
from pathlib import Path

from lark_sheets.core.bookplan import BookPatch, BookPlan, CellPlan, PatchedCell, SheetPlan
from lark_sheets.core.cells import Area, BookData, Mark, SheetData, Value
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError, UsageError


def sheet_as_read(plan: SheetPlan) -> SheetData:
    """A planned sheet as a reader would give it: values from A1 on, formulas with their values marked."""
    height = max((row for row, _ in plan.cells), default=0)
    width = max((column for _, column in plan.cells), default=0)
    rows: list[list[Value]] = [[None] * width for _ in range(height)]
    marks: dict[tuple[int, int], Mark] = {}
    for (row, column), cell in plan.cells.items():
        rows[row - 1][column - 1] = _as_read(cell)
        if cell.formula:
            marks[row, column] = Mark.FORMULA
    return SheetData(
        name=plan.name,
        rows=rows,
        marks=marks,
        tables={table.name: table.area for table in plan.tables},
        merged=list(plan.merged),
        hidden_rows=frozenset(plan.hidden_rows),
        hidden_columns=frozenset(number for number, column in plan.columns.items() if column.hidden),
        visible=plan.visible,
    )


def _as_read(cell: CellPlan | PatchedCell) -> Value:
    value = cell.value
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return "" if value is None and cell.formula else value


class InMemoryBooks:
    """Workbooks that live in a dictionary by path (implements :class:`lark_sheets.ports.Books`).

    ``plans`` keeps what was written, ``patches`` what was changed, in order, ``backups`` what stood there before.
    """

    def __init__(self, **books: BookData) -> None:
        self.books: dict[Path, BookData] = {Path(name): book for name, book in books.items()}
        self.plans: dict[Path, BookPlan] = {}
        self.patches: list[tuple[Path, BookPatch]] = []
        self.backups: dict[Path, BookData] = {}

    def read(self, path: Path) -> BookData:
        if path not in self.books:
            raise UsageError(problem("missing_file", file=path.name, found=str(path)))
        return copy.deepcopy(self.books[path])

    def write(self, plan: BookPlan, path: Path) -> None:
        self.plans[path] = plan
        self.books[path] = BookData(name=path.name, sheets=[sheet_as_read(sheet) for sheet in plan.sheets])

    def patch(self, path: Path, patch: BookPatch) -> Path | None:
        before = self.read(path)
        after = self.read(path)
        for name, cells in patch.cells.items():
            sheet = next((sheet for sheet in after.sheets if sheet.name == name), None)
            if sheet is None:
                raise DataError(problem("no_such_sheet", file=path.name, found=name))
            for (row, column), cell in cells.items():
                _put(sheet, row, column, cell)
        for sheet in after.sheets:
            sheet.tables = {name: patch.grown.get(name, area) for name, area in sheet.tables.items()}
        if after == before:
            return None
        self.books[path] = after
        self.patches.append((path, patch))
        number = 1 + sum(backup.name.startswith(f"{path.stem}.backup-") for backup in self.backups)
        backup = path.parent / "backups" / f"{path.stem}.backup-{number}{path.suffix}"
        self.backups[backup] = before
        return backup


def _put(sheet: SheetData, row: int, column: int, cell: PatchedCell) -> None:
    rows = [list(cells) for cells in sheet.rows]
    while len(rows) < row:
        rows.append([])
    rows[row - 1].extend([None] * (column - len(rows[row - 1])))
    rows[row - 1][column - 1] = _as_read(cell)
    sheet.rows = rows
    marks = {place: mark for place, mark in sheet.marks.items() if place != (row, column)}
    sheet.marks = marks | ({(row, column): Mark.FORMULA} if cell.formula else {})


def sheet_of(name: str, rows: Sequence[Sequence[Value]], *, table: str = "") -> SheetData:
    """A sheet from plain rows; ``table`` names all of it, header included."""
    area = Area(1, 1, len(rows), max(map(len, rows), default=0))
    return SheetData(name=name, rows=[list(cells) for cells in rows], tables={table: area} if table else {})


class InMemoryTables:
    """Input tables that live in a dictionary by path (implements :class:`lark_sheets.ports.Tables`)."""

    def __init__(self, tables: dict[Path, list[dict[str, str]]] | None = None) -> None:
        self.tables = dict(tables or {})

    def read(self, path: Path) -> list[dict[str, str]]:
        if path not in self.tables:
            raise UsageError(problem("missing_file", file=path.name, found=str(path)))
        return copy.deepcopy(self.tables[path])


class InMemoryFiles:
    """Text files that live in a dictionary by path (implements :class:`lark_sheets.ports.Files`); ``private`` holds the guarded ones."""

    def __init__(self, texts: dict[Path, str] | None = None) -> None:
        self.texts = dict(texts or {})
        self.private: set[Path] = set()

    def exists(self, path: Path) -> bool:
        return path in self.texts or any(path in known.parents for known in self.texts)

    def read_text(self, path: Path) -> str:
        if path not in self.texts:
            raise UsageError(problem("missing_file", file=path.name, found=str(path)))
        return self.texts[path]

    def write_text(self, path: Path, text: str, *, private: bool = False) -> None:
        self.texts[path] = text
        (self.private.add if private else self.private.discard)(path)

    def list(self, folder: Path, pattern: str) -> list[Path]:
        return sorted(
            path
            for path in self.texts
            if path.parent == folder
            and fnmatch.fnmatch(path.name, pattern)
            and not path.name.startswith(("~$", ".~lock."))
        )


class FixedClock:
    """A clock that shows one moment, or moves on by ``step`` each time it is looked at (implements :class:`lark_sheets.ports.Clock`)."""

    def __init__(self, moment: dt.datetime | None = None, step: dt.timedelta = dt.timedelta()) -> None:
        self.moment = moment or dt.datetime(2026, 3, 2, 9, 0, tzinfo=dt.UTC)
        self.step = step

    def now(self) -> dt.datetime:
        moment = self.moment
        self.moment += self.step
        return moment


class SilentProgress:
    """Keeps what it was told (implements :class:`lark_sheets.ports.Progress`)."""

    def __init__(self) -> None:
        self.steps: list[str] = []

    def step(self, text: str) -> None:
        self.steps.append(text)
