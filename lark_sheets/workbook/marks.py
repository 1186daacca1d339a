"""The mark block: what makes a workbook ours, in two hidden columns of the guide sheet (key, value).

Plain cells survive every spreadsheet program, where document properties and defined names do not. The rubric in force is kept
whole beside the marks, as canonical JSON in chunks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lark_sheets.core.campaign import Campaign, Grader
from lark_sheets.core.cells import BookData, SheetData, shown
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Rubric, to_plain
from lark_sheets.core.rubric_reading import from_plain
from lark_sheets.core.text import canonical_json, clean_id
from lark_sheets.errors import DataError
from lark_sheets.workbook import layout

CONTENT = "content"
MOST_MARK_ROWS = 2_000
"""No guide sheet is longer; a sheet that is holds grades, and is not searched for marks."""


def mark_block(campaign: Campaign, *, kind: str, grader: str = "", rows: int) -> list[tuple[str, str]]:
    """Return the mark block of a workbook, key and value, in order.

    ``kind`` is "campaign" or "grader", ``rows`` the number of grading rows handed out in this file.
    """
    values = {
        "layout": str(layout.LAYOUT_VERSION),
        "kind": kind,
        "campaign": campaign.id,
        "language": campaign.language,
        "rubric": campaign.rubric.id,
        "version": str(campaign.rubric.version),
        "fingerprint": campaign.rubric.fingerprint,
        "commitments": " ".join(campaign.commitments),
        "block": str(campaign.block or ""),
        "graded_by": campaign.graded_by,
        "graders": graders_mark(campaign.graders),
        "grader": grader,
        "runs": str(campaign.runs_expected),
        "revealed": "yes" if campaign.revealed else "",
        "rows": str(rows),
        "owned": str(sum(r.owner and (kind == "campaign" or r.grader == grader) for r in campaign.readings)),
    }
    block = [(layout.MARK + key, values[key]) for key in layout.MARKS]
    content = chunks(canonical_json(to_plain(campaign.rubric)))
    return block + [(f"{layout.MARK}{CONTENT}/{n}", text) for n, text in enumerate(content, 1)]


def graders_mark(graders: Iterable[Grader]) -> str:
    """Return the graders as one mark: name, languages, model, whether a position."""
    return canonical_json([[g.name, list(g.languages), g.model, g.is_position] for g in graders])


def chunks(text: str) -> list[str]:
    """Return a long text in pieces that fit a cell."""
    return [text[start : start + layout.CHUNK] for start in range(0, len(text), layout.CHUNK)] or [""]


class Marks(NamedTuple):
    """The mark block as read: the values by key, and where each value stands."""

    values: Mapping[str, str]
    sheet: str
    cells: Mapping[str, tuple[int, int]]

    def number(self, key: str) -> int:
        """Return a mark as a whole number, 0 when it is none."""
        text = self.values.get(key, "")
        return int(text) if text.isdecimal() else 0

    def graders(self) -> tuple[Grader, ...]:
        """Return the graders the workbook knows."""
        try:
            rows = json.loads(self.values.get("graders") or "[]")
            return tuple(
                Grader(name=str(n), languages=tuple(map(str, ls)), model=str(m), is_position=bool(p))
                for n, ls, m, p in rows
            )
        except (ValueError, TypeError):
            return ()

    def rubric(self) -> Rubric | None:
        """Return the rubric kept beside the marks, or None where it is gone."""
        parts = [
            self.values[k] for k in sorted((k for k in self.values if k.startswith(f"{CONTENT}/")), key=_part)
        ]
        try:
            return from_plain(json.loads("".join(parts)), source=self.sheet)
        except ValueError:
            return None


def _part(key: str) -> int:
    number = key.partition("/")[2]
    return int(number) if number.isdecimal() else 0


def read_marks(book: BookData) -> Marks:
    """Find the mark block. Raises :class:`DataError` when there is none, or when its layout is newer than ours."""
    guides = layout.GUIDE.name.both()
    for sheet in sorted(book.sheets, key=lambda s: s.name not in guides):
        marks = _marks_of(sheet)
        if "layout" in marks.values:
            if marks.number("layout") > layout.LAYOUT_VERSION:
                found = marks.values["layout"]
                raise DataError(
                    problem("layout_newer", file=book.name, found=found, supported=layout.LAYOUT_VERSION)
                )
            return marks
    raise DataError(problem("not_ours", file=book.name))


def _marks_of(sheet: SheetData) -> Marks:
    values: dict[str, str] = {}
    cells: dict[str, tuple[int, int]] = {}
    for r, row in enumerate(sheet.rows if len(sheet.rows) <= MOST_MARK_ROWS else (), 1):
        for c, value in enumerate(row, 1):
            if isinstance(value, str) and value.startswith(layout.MARK):
                key = clean_id(value)[len(layout.MARK) :]
                values[key] = shown(sheet.value(r, c + 1))
                cells[key] = (r, c + 1)
    return Marks(values, sheet.name, cells)
