"""The table of changes on the Rubric sheet: what the coordinator says of edits before pressing the button, and what stands there after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from lark_sheets.core.bookplan import BookPatch, BookPlan, CellPlan
from lark_sheets.core.cells import Area, BookData, address
from lark_sheets.core.problems import problem
from lark_sheets.core.rescoring.edits import Declared
from lark_sheets.core.text import clean_id, folded
from lark_sheets.errors import Problem
from lark_sheets.workbook import layout
from lark_sheets.workbook.journal import free_row
from lark_sheets.workbook.locate import FoundTable, maybe_table

TYPED = ("author", "kind", "criterion", "reason")
Row = Mapping[str, str | int]


class Pending(NamedTuple):
    """One row without a version: who, what the edit of which criterion means, and why."""

    row: int
    author: str
    kind: str
    criterion: str
    reason: str


def pending_changes(book: BookData) -> tuple[list[Pending], list[Problem]]:
    """Return the rows of tblChanges that wait for a version, and the kinds that are none."""
    found = maybe_table(book, layout.CHANGES)
    waiting: list[Pending] = []
    problems: list[Problem] = []
    for row in found.rows() if found else ():
        if found is None or found.text(row, "version") or not any(found.text(row, key) for key in TYPED):
            continue
        typed = found.text(row, "kind")
        kind = kind_named(typed)
        if typed.strip() and not kind:
            allowed = ", ".join(word for words in layout.CHANGE_KINDS.values() for word in words.both())
            cell = address(row, found.columns["kind"])
            problems.append(
                problem(
                    "change_kind_unknown",
                    file=book.name,
                    sheet=found.sheet.name,
                    cell=cell,
                    found=typed,
                    allowed=allowed,
                )
            )
        waiting.append(
            Pending(
                row=row,
                author=found.text(row, "author").strip(),
                kind=kind,
                criterion=clean_id(found.text(row, "criterion")),
                reason=found.text(row, "reason").strip(),
            )
        )
    return waiting, problems


def kind_named(typed: str) -> str:
    """Return the key of a kind of edit that a person named in either language, "" for none."""
    wanted = folded(typed)
    for key, words in layout.CHANGE_KINDS.items():
        if wanted in (folded(key), *map(folded, words.both())):
            return key
    return ""


def declared_by(
    pending: Iterable[Pending], wording: Iterable[str] = (), covered: Iterable[str] = ()
) -> Declared:
    """Return what the pending rows and the command's options declare together."""
    rows = [p for p in pending if p.criterion]
    return Declared(
        wording=frozenset([*wording, *(p.criterion for p in rows if p.kind == "wording")]),
        covered=frozenset([*covered, *(p.criterion for p in rows if p.kind == "covered")]),
    )


def write_changes(
    patch: BookPatch, book: BookData, rows: Sequence[Row], pending: Sequence[Pending], stamp: Row
) -> None:
    """Write one row an edit: into the pending row of its criterion, else into any pending row, else below.

    What a person typed is never overwritten; ``stamp`` (version, date) also goes into pending rows that no edit used.
    """
    found = maybe_table(book, layout.CHANGES)
    if found is None:
        return
    free = list(pending)
    below: list[Row] = []
    for row in rows:
        mine = next((p for p in free if p.criterion == row.get("criterion")), None)
        mine = mine or next((p for p in free if not p.criterion), None)
        if mine is None:
            below.append(row)
            continue
        free.remove(mine)
        _fill(patch, found, mine.row, row)
    for left in free:
        _fill(patch, found, left.row, stamp)
    first = free_row(found)
    for place, row in enumerate(below, first):
        _fill(patch, found, place, row)
    area = found.sheet.tables.get(layout.CHANGES.name)
    last = first + len(below) - 1
    if area and below and last > area.bottom:
        patch.grown[layout.CHANGES.name] = Area(area.top, area.left, last, area.right)


def _fill(patch: BookPatch, found: FoundTable, place: int, row: Row) -> None:
    for key, value in row.items():
        column = found.columns.get(key)
        if column is not None and value != "" and not found.text(place, key):
            patch.set(found.sheet.name, place, column, value, style_of=(found.header + 1, column))


def changes_in_plan(plan: BookPlan, rows: Sequence[Row]) -> None:
    """Write rows of changes into a workbook that is being planned, from the first row of its empty table on."""
    for sheet in plan.sheets:
        for table in sheet.tables:
            if table.name == layout.CHANGES.name:
                columns = {c.key: table.area.left + n for n, c in enumerate(layout.CHANGES.columns)}
                for place, row in enumerate(rows, table.area.top + 1):
                    for key, value in row.items():
                        known = sheet.cells.get((place, columns[key]), CellPlan())
                        sheet.cells[place, columns[key]] = CellPlan(value=value, style=known.style)


def changes_kept(book: BookData) -> list[Row]:
    """Return the rows of changes that carry a version, as they stand."""
    found = maybe_table(book, layout.CHANGES)
    if found is None:
        return []
    return [
        {c.key: text for c in layout.CHANGES.columns if (text := found.text(row, c.key))}
        for row in found.rows()
        if found.text(row, "version")
    ]
