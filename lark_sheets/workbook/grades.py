"""The grading table, row by row: what is read, what is refused and why, every cell by its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from lark_sheets.core.campaign import Place, Reading, Response, row_fingerprint
from lark_sheets.core.cells import Area, Mark, SheetData, Value, address, area_address, shown
from lark_sheets.core.grades import date_serial, read_grade
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Criterion, Level, Rubric
from lark_sheets.core.states import below_top
from lark_sheets.core.text import clean_id, folded
from lark_sheets.errors import Problem
from lark_sheets.workbook import layout
from lark_sheets.workbook.locate import FoundTable

REQUIRED = ("id", "fingerprint", "item", "label", "response")
CODE_COLUMNS = tuple(f"code_{n}" for n in range(1, layout.CODE_COLUMNS + 1))
_SEPARATORS = re.compile(r"[,;\n]")
_TRUE = {folded(word) for word in (*layout.YES.both(), "x", "1", "true", "vrai", "o", "y")}
MOST_NAMED = 12
"""How many rows a message names before it only counts."""


@dataclass(slots=True)
class GradesRead:
    """What the grading table gave: responses and readings in the order of the rows, and everything to tell."""

    responses: dict[str, Response] = field(default_factory=dict)
    readings: list[Reading] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What a row means where a column was removed: whose it is, and under which version it was given."""

    grader: str
    version: int
    texts: Mapping[str, str] = field(default_factory=dict)
    """Whole texts that are kept outside the grading table, by response id."""
    older: tuple[Rubric, ...] = ()
    """Former versions of the rubric, the newest first: a code that was renamed or removed since is still understood."""


def read_grades(found: FoundTable, rubric: Rubric, defaults: Defaults, file: str) -> GradesRead:
    """Read all rows of a grading table; bad cells are refused by place, good rows still count."""
    reader = _RowReader(found, rubric, defaults, file)
    for row in found.rows():
        reader.read(row)
    reader.settle_duplicates()
    reader.tell_what_is_hidden()
    return reader.result


class _RowReader:
    """Reads one table; holds what the rows share."""

    def __init__(self, found: FoundTable, rubric: Rubric, defaults: Defaults, file: str) -> None:
        self.found = found
        self.sheet: SheetData = found.sheet
        self.rubric = rubric
        self.defaults = defaults
        self.file = file
        self.result = GradesRead()
        self.cleaned: list[str] = []
        self.merged_grades: dict[Area, list[int]] = {}
        self.covered = _merged_cells(found)
        self.by_key: dict[tuple[str, str, int], list[Reading]] = {}

    def tell(
        self,
        code: str,
        *,
        row: int = 0,
        column: str = "",
        item: str | None = None,
        found: object = "",
        **more: object,
    ) -> None:
        """Add a problem at a cell of the table."""
        place = self.found.columns.get(column) if column else None
        cell = address(row, place) if row and place else None
        self.result.problems.append(
            problem(code, file=self.file, sheet=self.sheet.name, cell=cell, item=item, found=found, **more)
        )

    def value(self, row: int, key: str) -> Value:
        """Return a context cell's value; inside a merged block, the block's."""
        column = self.found.columns.get(key)
        if column is None:
            return None
        top = self.covered.get((row, column))
        return self.sheet.value(*(top or (row, column)))

    def mark(self, row: int, key: str) -> Mark | None:
        column = self.found.columns.get(key)
        return self.sheet.marks.get((row, column)) if column else None

    # -- one row ----------------------------------------------------------------------------------------------------

    def read(self, row: int) -> None:
        """Read one row into a reading, or tell why it is refused."""
        raw = self.value(row, "id")
        if date_serial(raw) is not None:
            self.tell("date_in_id", row=row, column="id", found=shown(raw))
            return
        name = clean_id(shown(raw)).casefold()
        if not name:
            if any(self.sheet.value(row, self.found.columns[c.id]) is not None for c in self.rubric.criteria):
                self.tell("unknown_row", row=row, column="id", found=shown(raw))
            return
        if shown(raw) != name:
            self.cleaned.append(address(row, self.found.columns["id"]))
        response = self._response(row, name)
        if response is None:
            return
        self.result.responses.setdefault(name, response)
        self._remember(self._reading(row, response))

    def _response(self, row: int, name: str) -> Response | None:
        item = clean_id(shown(self.value(row, "item")))
        label = clean_id(shown(self.value(row, "label")))
        text_value = self.value(row, "response")
        text = self.defaults.texts.get(name, shown(text_value))
        seal = clean_id(shown(self.value(row, "fingerprint")))
        mark = self.mark(row, "response")
        spoiled = mark in (Mark.FORMULA, Mark.UNCOMPUTED, Mark.ERROR) and name not in self.defaults.texts
        if mark is Mark.ERROR:
            self.tell(
                "response_is_error",
                row=row,
                column="response",
                item=f"{item}-{label}",
                found=shown(text_value),
            )
        elif spoiled:
            self.tell("response_is_formula", row=row, column="response", item=f"{item}-{label}")
        elif seal != row_fingerprint(name, item, label, text):
            known = self.result.responses.get(name)
            self.tell(
                "row_identity_broken",
                row=row,
                column="id",
                item=f"{known.item}-{known.label}" if known else None,
                found=f"{item}-{label}",
            )
            return None
        return Response(
            id=name,
            item=item,
            label=label,
            text="" if spoiled else text,
            language=shown(self.value(row, "language")),
            fields=parse_fields(shown(self.value(row, "fields"))),
        )

    def _reading(self, row: int, response: Response) -> Reading:
        name = f"{response.item}-{response.label}"
        grades: dict[str, Level | None] = {}
        refused: list[str] = []
        for criterion in self.rubric.criteria:
            level, bad = self._grade(row, criterion, name)
            grades[criterion.id] = level
            if bad:
                refused.append(criterion.id)
        codes = self._codes(row, name)
        stamp = self.value(row, "version")
        version = int(stamp) if isinstance(stamp, int | float) else self.defaults.version
        if version > self.rubric.version:  # nobody can have graded under a version that is not there yet
            self.tell(
                "version_above",
                row=row,
                column="version",
                item=name,
                found=version,
                version=self.rubric.version,
            )
            version = 0
        number = self.value(row, "reading")
        reading = Reading(
            response=response.id,
            grader=clean_id(shown(self.value(row, "grader"))) or self.defaults.grader,
            owner="owner" not in self.found.columns or _is_true(self.value(row, "owner")),
            grades=grades,
            version=version,
            number=int(number) if isinstance(number, int | float) else 1,
            codes=codes,
            reason=shown(self.value(row, "reason")).strip(),
            discuss=_is_true(self.value(row, "discuss")),
            refused=tuple(refused),
            place=Place(self.file, self.sheet.name, row),
        )
        self._tell_gaps(row, reading, name)
        return reading

    def _grade(self, row: int, criterion: Criterion, name: str) -> tuple[Level | None, bool]:
        column = self.found.columns[criterion.id]
        block = self.covered.get((row, column))
        if block and block != (row, column):
            area = next(a for a in self.sheet.merged if a.holds(row, column))
            self.merged_grades.setdefault(area, []).append(row)
            return None, True
        value = self.sheet.value(row, column)
        mark = self.sheet.marks.get((row, column))
        got = read_grade(value, criterion, mark)
        if got.problem:
            levels = ", ".join(criterion.shown(level, "en") for level in criterion.levels)
            extra = {"level": got.level} if got.level is not None else {"levels": levels}
            self.tell(
                got.problem,
                row=row,
                column=criterion.id,
                item=name,
                found=shown(value),
                criterion=criterion.id,
                **extra,
            )
        return got.level, got.refused

    def _codes(self, row: int, name: str) -> tuple[str, ...]:
        codes: dict[str, None] = {}
        for key in CODE_COLUMNS:
            known, unknown = split_codes(shown(self.value(row, key)), self.rubric)
            codes |= dict.fromkeys(known)
            for piece in unknown:
                former = next((c for r in self.defaults.older if (c := r.code_named(piece))), None)
                if former is not None:
                    codes[former.id] = None
                    continue
                allowed = ", ".join(c.id for c in self.rubric.codes)
                self.tell("unknown_code", row=row, column=key, item=name, found=piece, codes=allowed)
        return tuple(codes)

    def _tell_gaps(self, row: int, reading: Reading, name: str) -> None:
        missing = [
            c for c in self.rubric.criteria if reading.grades[c.id] is None and c.id not in reading.refused
        ]
        if reading.is_blank:
            return
        for criterion in missing:
            levels = ", ".join(criterion.shown(level, "en") for level in criterion.levels)
            self.tell(
                "missing_grade",
                row=row,
                column=criterion.id,
                item=name,
                criterion=criterion.id,
                levels=levels,
            )
        if not reading.codes and not reading.reason and below_top(self.rubric, reading.grades):
            self.tell("missing_reason", row=row, column="reason", item=name)

    # -- the table as a whole -----------------------------------------------------------------------------------------

    def _remember(self, reading: Reading) -> None:
        same = self.by_key.setdefault(reading.key, [])
        same.append(reading)

    def settle_duplicates(self) -> None:
        """Count identical copies once, and none of two that differ; keep the order of the rows."""
        for same in self.by_key.values():
            first = same[0]
            if len(same) > 1:
                response = self.result.responses[first.response]
                rows = ", ".join(str(r.place.row) for r in same)
                identical = all(_said(r) == _said(first) for r in same)
                code = "duplicate_row_same" if identical else "duplicate_row_conflict"
                place = {
                    "row": same[1].place.row,
                    "column": "id",
                    "item": f"{response.item}-{response.label}",
                }
                self.tell(code, **place, rows=rows, grader=first.grader, found=rows)  # type: ignore[arg-type]
                if not identical:
                    blank: dict[str, Level | None] = dict.fromkeys(first.grades)
                    first = replace(first, grades=blank, codes=(), reason="", refused=tuple(first.grades))
            self.result.readings.append(first)

    def tell_what_is_hidden(self) -> None:
        """Tell hidden rows and columns (they count), merged grades, cleaned ids and columns that are not ours."""
        found, sheet = self.found, self.sheet
        rows = sorted(r for r in sheet.hidden_rows if found.header < r <= found.last)
        if rows:
            self.tell("hidden_rows_counted", found=named(rows), count=len(rows), rows=named(rows))
        typed = [c.id for c in self.rubric.criteria if found.columns[c.id] in sheet.hidden_columns]
        if typed:
            self.tell("hidden_columns_counted", found=", ".join(typed))
        for area in self.merged_grades:
            self.result.problems.append(
                problem(
                    "merged_grade_cells",
                    file=self.file,
                    sheet=sheet.name,
                    cell=address(area.top, area.left),
                    found=area_address(area),
                )
            )
        if self.cleaned:
            self.tell("id_cleaned", found=named(self.cleaned), count=len(self.cleaned))
        if found.foreign:
            self.tell("unknown_column", found=", ".join(found.foreign))
        blanks = [r for r in self.result.readings if r.is_blank]
        if blanks:
            names = [self.result.responses[r.response] for r in blanks]
            self.tell("not_graded", found=named([f"{n.item}-{n.label}" for n in names]), count=len(blanks))


def split_codes(text: str, rubric: Rubric) -> tuple[tuple[str, ...], list[str]]:
    """Return the issue codes that a cell names (after commas, semicolons or line ends), and the pieces that name none."""
    codes: dict[str, None] = {}
    unknown = []
    for piece in _SEPARATORS.split(text):
        if clean_id(piece):
            code = rubric.code_named(piece)
            if code is None:
                unknown.append(piece.strip())
            else:
                codes[code.id] = None
    return tuple(codes), unknown


def _merged_cells(found: FoundTable) -> dict[tuple[int, int], tuple[int, int]]:
    cells = {}
    for area in found.sheet.merged:
        if area.bottom <= found.header or area.top > found.last:
            continue
        for row in range(area.top, area.bottom + 1):
            for column in range(area.left, area.right + 1):
                cells[row, column] = (area.top, area.left)
    return cells


def _said(reading: Reading) -> tuple[object, ...]:
    return (dict(reading.grades), reading.codes, reading.reason, reading.refused)


def _is_true(value: Value) -> bool:
    return value is True or folded(shown(value)) in _TRUE


def named(things: Iterable[object]) -> str:
    """Return a list for a message: the first dozen, then how many more."""
    texts = [str(thing) for thing in things]
    more = len(texts) - MOST_NAMED
    return ", ".join(texts[:MOST_NAMED]) + (f" (+{more})" if more > 0 else "")


FIELD_SEPARATOR = "\n"
LINE_BREAK = " ↵ "
"""Stands for a line break within one field."""


def show_fields(fields: Mapping[str, str]) -> str:
    """Return a response's other fields as people read them: one "name: value" a line."""
    shown_fields = (
        (name, value.replace("\r\n", "\n").replace("\n", LINE_BREAK)) for name, value in fields.items()
    )
    return FIELD_SEPARATOR.join(f"{name}: {value}" for name, value in shown_fields if value)


def parse_fields(text: str) -> dict[str, str]:
    """Read back what :func:`show_fields` wrote."""
    pairs = (line.partition(":") for line in text.replace("\r\n", "\n").split(FIELD_SEPARATOR) if ":" in line)
    return {name.strip(): value.strip().replace(LINE_BREAK, "\n") for name, _, value in pairs}


__all__ = [
    "CODE_COLUMNS",
    "REQUIRED",
    "Defaults",
    "GradesRead",
    "named",
    "parse_fields",
    "read_grades",
    "show_fields",
    "split_codes",
]
