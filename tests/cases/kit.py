"""Accidents that happened to real people, done again to a grading workbook of ours.

Two tickets with four responses each, graded with the base table; an accident changes the workbook through openpyxl as a person would
in a spreadsheet, and the results are read from the command a person would run.
"""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import openpyxl

from lark_sheets.core.campaign import Grader
from lark_sheets.core.language import Language
from lark_sheets.usecases.creating import NewCampaign, create
from lark_sheets.workbook import layout
from tests.desk import desk, results, write_csv
from tests.factories import BASE, CRITERIA, shipped

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

TEXTS = {name: f"Réponse {name} de l’essai." for name in BASE}


@dataclass(slots=True)
class Bench:
    """A grading workbook on the bench: its rows by case id ("K01-A"), its columns by key."""

    path: Path
    key: Path
    ids: dict[str, str]
    book: openpyxl.Workbook

    @property
    def sheet(self) -> Worksheet:
        """Return the grading sheet."""
        return next(ws for ws in self.book.worksheets if layout.GRADES_NAME in ws.tables)

    @property
    def header(self) -> int:
        """Return the header's row."""
        return int("".join(c for c in self.sheet.tables[layout.GRADES_NAME].ref.split(":")[0] if c.isdigit()))

    def column(self, key: str) -> int:
        """Return a column's place by key."""
        column = next(c for c in layout.grades_table(shipped()).columns if c.key == key)
        for cell in self.sheet[self.header]:
            if cell.value in column.header.both():
                return int(cell.column)
        raise KeyError(key)

    def row(self, name: str, grader: str | None = None) -> int:
        """Return the row of a response, of one grader where several read it."""
        for row in range(self.header + 1, self.sheet.max_row + 1):
            who = self.sheet.cell(row, self.column("grader")).value
            if self.sheet.cell(row, self.column("id")).value == self.ids[name] and grader in (None, who):
                return row
        raise KeyError(name)

    def cell(self, name: str, key: str, grader: str | None = None) -> Any:
        """Return a cell of a response's row."""
        return self.sheet.cell(self.row(name, grader), self.column(key))

    def address(self, name: str, key: str, grader: str | None = None) -> str:
        """Return a cell's address."""
        return str(self.cell(name, key, grader).coordinate)

    def save(self) -> Path:
        """Save the workbook as a spreadsheet would."""
        self.book.save(self.path)
        return self.path

    def results(self) -> dict[str, Any]:
        """Save, and return the results."""
        return results(self.save())

    def by_name(self, found: Mapping[str, Any], key: str, grader: str | None = None) -> dict[str, Any]:
        """Return a value of every reading by case id."""
        names = {ours: name for name, ours in self.ids.items()}
        return {names[r["id"]]: r[key] for r in found["responses"] if grader in (None, r["grader"])}


def bench(
    folder: Path,
    *,
    texts: Mapping[str, str] = TEXTS,
    graders: tuple[str, ...] = ("g1",),
    grades: Mapping[str, tuple[int | None, ...]] = BASE,
    language: Language = "en",
) -> Bench:
    """Return a campaign of the two tickets with the base grades filled in (for every grader), in ``folder``."""
    issued = _issued(tuple(texts.items()), graders, tuple(grades.items()), language)
    shutil.copytree(issued, folder, dirs_exist_ok=True)
    root = folder / "campaign"
    key = next((root / "key").glob("*.json"))
    ids = {
        r["given_id"]: ours for ours, r in json.loads(key.read_text(encoding="utf-8"))["responses"].items()
    }
    path = root / "campaign.xlsx"
    return Bench(path=path, key=key, ids=ids, book=openpyxl.load_workbook(path))


@cache
def _issued(
    texts: tuple[tuple[str, str], ...],
    graders: tuple[str, ...],
    grades: tuple[tuple[str, tuple[int | None, ...]], ...],
    language: Language,
) -> Path:
    """Issue a campaign once for all tests that want it, and fill it in."""
    folder = Path(tempfile.mkdtemp(prefix="lark-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    items = write_csv(folder / "items.csv", [{"item": i, "text": f"Message {i}"} for i in ("K01", "K02")])
    rows = [
        {"item": name[:3], "run": f"run {name[-1]}", "response": text, "response_id": name}
        for name, text in texts
    ]
    made = create(
        NewCampaign(
            rubric="larkfield",
            items=items,
            responses=write_csv(folder / "responses.csv", rows),
            out=folder / "campaign",
            language=language,
            graders=tuple(Grader(name=g) for g in graders),
            shared=2 if len(graders) > 1 else 0,
        ),
        desk(language),
    )
    plain = json.loads(made.key.read_text(encoding="utf-8"))
    ids = {r["given_id"]: ours for ours, r in plain["responses"].items()}
    path = made.workbooks[0]
    done = Bench(path=path, key=made.key, ids=ids, book=openpyxl.load_workbook(path))
    for name, levels in grades:
        for grader in graders:
            for criterion, level in zip(CRITERIA, levels, strict=True):
                done.cell(name, criterion, grader).value = level
            done.cell(name, "reason", grader).value = f"note {name}"
    done.save()
    return folder
