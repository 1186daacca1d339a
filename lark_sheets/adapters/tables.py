"""Input tables as text: CSV, TSV, JSONL and workbooks, read verbatim; the words None, NA and null stay words."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lark_sheets.adapters import disk_faults_told
from lark_sheets.core.cells import Mark, SheetData, address, shown
from lark_sheets.core.problems import problem
from lark_sheets.core.text import canonical_json, clean_id
from lark_sheets.errors import DataError, Problem, UsageError
from lark_sheets.ports import Books

Row = dict[str, str]

_SEPARATORS = (",", ";", "\t", "|")
_SAMPLE_ROWS = 200
_MOST_TOLD = 50
"""Problems of one file that are told; a file with more has one cause."""
_WORKBOOK_STARTS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_UNSTORABLE = re.compile("[\ud800-\udfff\ufffe\uffff]")
_MAX_BYTES = 512 * 2**20


class FileTables:
    """Tables as files on this machine (implements :class:`lark_sheets.ports.Tables`); workbooks are read through ``books``."""

    def __init__(self, books: Books) -> None:
        self._books = books

    def read(self, path: Path) -> list[Row]:
        """Return the rows as text by column name, in order; blank cells are empty strings, rows with nothing but blanks are left out.

        The kind is seen from the content: a workbook (its first sheet with a header), JSON lines, or text separated by commas,
        semicolons or tabs in UTF-8 (with or without byte order mark), UTF-16 or Windows-1252. Values stay verbatim: no word is
        taken for "missing", no number is rewritten. Only half surrogate pairs and non-characters, which no file can hold, become
        U+FFFD.

        Raises:
            UsageError: there is no such file.
            MissingPiece: the file is locked.
            DataError: the file is no table; every faulty row is told at once.
        """
        with disk_faults_told(path):
            if path.is_dir():
                raise UsageError(problem("missing_file", file=path.name, found=str(path)))
            if path.stat().st_size > _MAX_BYTES:
                found, limit = f"{path.stat().st_size / 2**20:.0f} MiB", f"{_MAX_BYTES // 2**20} MiB"
                raise DataError(problem("too_large", file=path.name, found=found, limit=limit))
            data = path.read_bytes()
        if not data.strip():
            raise DataError(problem("empty_file", file=path.name))
        if data.startswith(_WORKBOOK_STARTS):
            return _from_sheets(self._books.read(path).sheets, path.name)
        text = _decoded(data, path.name)
        if not text.strip():
            raise DataError(problem("empty_file", file=path.name))
        if re.match(r"\s*(?:\[\s*)?\{", text):
            return _from_json(text, path.name)
        if kind := re.match(r"\s*(?:%(PDF)|(<)|\{\\(rtf))", text, re.IGNORECASE):
            raise DataError(
                problem(
                    "not_a_table", file=path.name, found="HTML" if kind[2] else (kind[1] or kind[3]).upper()
                )
            )
        return _from_separated(text, path.name)


# -- text ----------------------------------------------------------------------------------------------------------------


def _decoded(data: bytes, name: str) -> str:
    """Return a text file's content: by its byte order mark, else UTF-8, else UTF-16 when every other byte is zero, else Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif 4 * data[1:4096:2].count(0) > len(data[1:4096:2]):
        encoding = "utf-16-le"
    elif 4 * data[0:4096:2].count(0) > len(data[0:4096:2]):
        encoding = "utf-16-be"
    else:
        encoding = "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as fault:
        # Accents that are good UTF-8 before the fault: a damaged UTF-8 file, which Windows-1252 would turn into "Ã©".
        if encoding != "utf-8-sig" or not data[: fault.start].isascii():
            raise DataError(
                problem("undecodable_text", file=name, row=fault.start + 1, found=encoding)
            ) from fault
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError as other:
            raise DataError(
                problem("undecodable_text", file=name, row=other.start + 1, found="UTF-8, Windows-1252")
            ) from other
    if "\0" in text:
        raise DataError(problem("undecodable_text", file=name, row=text.index("\0") + 1, found="U+0000"))
    return text


def _from_separated(text: str, name: str) -> list[Row]:
    if match := re.match(r"sep=(.)\r?\n", text):
        text, separator = text[match.end() :], match[1]
    elif name.lower().endswith((".tsv", ".tab")):
        separator = "\t"
    else:
        separator = _separator(text)
    lines: list[tuple[int, list[str]]] = []
    try:
        lines.extend(enumerate(_records(text, separator), 1))
    except csv.Error as fault:
        raise DataError(
            problem("broken_quotes", file=name, row=len(lines) + 1, found=_short(fault))
        ) from fault
    return _rows_under_header(lines, name)


def _records(text: str, separator: str) -> Iterator[list[str]]:
    """Yield the records of a text; ``csv.Error`` where a quotation mark is not closed, instead of guessing."""
    # The csv module stops at fields of 131,072 characters unless told otherwise; a response may be longer.
    csv.field_size_limit(2**31 - 1)
    return iter(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))


def _separator(text: str) -> str:
    """Return the separator: the one that gives the first rows as many columns as the header, and the most of them.

    Line breaks and separators inside quotation marks are read as a spreadsheet reads them, so that a comma in a response counts
    for nothing. A single column has no separator; a comma then does no harm.
    """
    best, best_score = ",", (0.0, 0)
    for separator in _SEPARATORS:
        widths: list[int] = []
        with contextlib.suppress(csv.Error):
            for cells in _records(text, separator):
                if any(cell.strip() for cell in cells):
                    widths.append(len(cells))
                if len(widths) == _SAMPLE_ROWS:
                    break
        if widths and widths[0] > 1:
            alike = sum(width == widths[0] for width in widths) / len(widths)
            best, best_score = max(
                (best, best_score), (separator, (round(alike, 2), widths[0])), key=lambda each: each[1]
            )
    return best


def _from_json(text: str, name: str) -> list[Row]:
    """Read JSON lines (or one JSON array of objects): null is empty, text stays, all else is canonical JSON."""
    problems: list[Problem] = []
    objects: list[tuple[int, dict[str, Any]]] = []
    lines = _json_whole(text)
    if lines is None:
        lines = []
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                try:
                    lines.append((number, _json_value(line)))
                except (ValueError, RecursionError) as fault:
                    problems.append(problem("bad_json_line", file=name, row=number, found=_short(fault)))
    for number, value in lines:
        if isinstance(value, dict):
            objects.append((number, value))
        else:
            problems.append(problem("bad_json_line", file=name, row=number, found=str(value)[:40]))
    if problems:
        raise DataError(*problems[:_MOST_TOLD])
    columns: dict[str, str] = {}
    for _, value in objects:
        for key in value:
            columns.setdefault(key, clean_id(key))
    _refuse_repeats(list(columns.values()), name)
    rows = [
        {columns[key]: "" for key in columns}
        | {columns[key]: _json_text(item) for key, item in value.items()}
        for _, value in objects
    ]
    return _with_content(rows, name)


def _json_whole(text: str) -> list[tuple[int, Any]] | None:
    """Return the objects of a file that is one JSON value over several lines (an array, or one object), or None when it is lines."""
    first = text.lstrip()
    if not first.startswith("["):
        with contextlib.suppress(ValueError, RecursionError):
            _json_value(first.partition("\n")[0])
            return None
    try:
        whole = _json_value(text)
    except (ValueError, RecursionError):
        return None
    return list(enumerate(whole if isinstance(whole, list) else [whole], 1))


def _json_value(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_without_repeats)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        repeated = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"“{repeated}” × 2")
    return found


def _json_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):  # noqa: PLR0124
        return str(value)
    try:
        return _UNSTORABLE.sub("\ufffd", canonical_json(value))
    except ValueError:
        return _UNSTORABLE.sub("\ufffd", json.dumps(value, ensure_ascii=False, sort_keys=True))


def _short(fault: BaseException) -> str:
    return " ".join(str(fault).split())[:120] or type(fault).__name__


# -- workbooks -----------------------------------------------------------------------------------------------------------


def _from_sheets(sheets: Sequence[SheetData], name: str) -> list[Row]:
    for sheet in sheets:
        if sheet.visible and any(value not in (None, "") for cells in sheet.rows for value in cells):
            return _from_sheet(sheet, name)
    raise DataError(problem("empty_file", file=name))


def _from_sheet(sheet: SheetData, name: str) -> list[Row]:
    problems = [
        problem(
            "error_cell", file=name, sheet=sheet.name, cell=address(*place), found=shown(sheet.value(*place))
        )
        if mark is Mark.ERROR
        else problem("uncomputed_cell", file=name, sheet=sheet.name, cell=address(*place))
        for place, mark in sorted(sheet.marks.items())
        if mark in (Mark.ERROR, Mark.UNCOMPUTED)
    ]
    if problems:
        raise DataError(*problems[:_MOST_TOLD])
    width = max(map(len, sheet.rows))
    lines = [
        (number, [_cell_text(value) for value in cells] + [""] * (width - len(cells)))
        for number, cells in enumerate(sheet.rows, 1)
    ]
    return _rows_under_header(lines, name, sheet=sheet.name)


def _cell_text(value: Any) -> str:
    return value if isinstance(value, str) else shown(value)


# -- rows ----------------------------------------------------------------------------------------------------------------


def _rows_under_header(lines: list[tuple[int, list[str]]], name: str, sheet: str = "") -> list[Row]:
    filled = [(number, cells) for number, cells in lines if any(clean_id(cell) for cell in cells)]
    if not filled:
        raise DataError(problem("empty_file", file=name, sheet=sheet))
    _, header = filled[0]
    columns = [clean_id(cell) for cell in header]
    while columns and not columns[-1]:
        columns.pop()
    _refuse_repeats([column for column in columns if column], name, sheet)
    problems, rows = [], []
    for number, cells in filled[1:]:
        extra = [
            cell for position, cell in enumerate(cells) if position >= len(columns) or not columns[position]
        ]
        short = len(cells) < len(columns)
        if any(clean_id(cell) for cell in extra) or (short and not sheet):
            problems.append(
                problem(
                    "uneven_row",
                    file=name,
                    sheet=sheet,
                    row=number,
                    found=str(len(cells)),
                    columns=len(columns),
                )
            )
            continue
        padded = cells + [""] * (len(columns) - len(cells))
        rows.append(
            {
                column: _UNSTORABLE.sub("\ufffd", cell)
                for column, cell in zip(columns, padded, strict=False)
                if column
            }
        )
    if problems:
        raise DataError(*problems[:_MOST_TOLD])
    if not rows:
        raise DataError(problem("no_rows", file=name, sheet=sheet))
    return rows


def _with_content(rows: list[Row], name: str) -> list[Row]:
    kept = [row for row in rows if any(clean_id(value) for value in row.values())]
    if not kept:
        raise DataError(problem("no_rows", file=name))
    return kept


def _refuse_repeats(columns: list[str], name: str, sheet: str = "") -> None:
    repeated = [column for column, count in Counter(columns).items() if count > 1]
    if repeated:
        raise DataError(
            *(problem("ambiguous_column", file=name, sheet=sheet, found=column) for column in repeated)
        )
