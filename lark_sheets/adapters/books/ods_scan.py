"""What an OpenDocument spreadsheet tells and the reader of values does not: errors, formulas, hidden rows, merges, tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.parsers import expat

from lark_sheets.adapters.books.sheet_scan import SheetFacts
from lark_sheets.core.cells import Area, Mark, parse_area

_TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
_EXTENSION = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"
_RANGE = re.compile(
    r"\$?('(?:[^']|'')+'|[^.']+)\.(\$?[A-Z]+\$?[0-9]+):(?:\$?(?:'(?:[^']|'')+'|[^.']+))?\.(\$?[A-Z]+\$?[0-9]+)"
)
_MOST_REPEATS = 100_000
_BOOLEANS = {"of:=TRUE()": True, "of:=FALSE()": False}


class TooManyMarks(Exception):
    """A marked cell or hidden row is repeated more often than anybody would."""


@dataclass(slots=True)
class _Cell:
    """A cell being read: its attributes, and the text shown (None when it shows nothing at all)."""

    attributes: dict[str, str]
    covered: bool
    text: list[str] | None = None


class _Reader:
    """Follows the document from start to end; counts rows and columns with their repeats."""

    def __init__(self) -> None:
        self.sheets: dict[str, SheetFacts] = {}
        self._sheet: SheetFacts | None = None
        self._row = self._rows = self._column = self._listed = 0
        self._cell: _Cell | None = None
        self._note = self._paragraph = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, tag = name.rpartition(" ")
        if namespace == _OFFICE and tag == "annotation":
            self._note += 1
        elif namespace == _TEXT and tag == "p" and self._cell and not self._note:
            self._cell.text = [] if self._cell.text is None else [*self._cell.text, "\n"]
            self._paragraph += 1
        elif namespace != _TABLE:
            return
        elif tag == "table":
            self._sheet = self.sheets.setdefault(attributes.get(f"{_TABLE} name", ""), SheetFacts())
            self._row = self._listed = 0
        elif tag == "database-range":
            self._take_range(attributes)
        elif self._sheet is None:
            return
        elif tag == "table-column":
            repeated = _repeats(attributes, "columns")
            if attributes.get(f"{_TABLE} visibility", "visible") != "visible":
                self._sheet.scan.hidden_columns.append((self._listed + 1, self._listed + repeated))
            self._listed += repeated
        elif tag == "table-row":
            self._rows, self._column = _repeats(attributes, "rows"), 0
            if attributes.get(f"{_TABLE} visibility", "visible") != "visible":
                self._sheet.scan.hidden_rows.update(
                    range(self._row + 1, self._row + 1 + min(self._rows, _MOST_REPEATS))
                )
        elif tag in ("table-cell", "covered-table-cell"):
            self._cell = _Cell(attributes, tag.startswith("covered"))

    def text(self, data: str) -> None:
        if self._cell and self._paragraph and not self._note and self._cell.text is not None:
            self._cell.text.append(data)

    def end(self, name: str) -> None:
        namespace, _, tag = name.rpartition(" ")
        if namespace == _OFFICE and tag == "annotation":
            self._note -= 1
        elif namespace == _TEXT and tag == "p" and self._paragraph and not self._note:
            self._paragraph -= 1
        elif namespace != _TABLE or self._sheet is None:
            return
        elif tag in ("table-cell", "covered-table-cell") and self._cell:
            repeated = _repeats(self._cell.attributes, "columns")
            self._take_cell(self._sheet, self._cell, repeated)
            self._column += repeated
            self._cell, self._paragraph = None, 0
        elif tag == "table-row":
            self._row += self._rows
        elif tag == "table":
            self._sheet = None

    def _take_cell(self, sheet: SheetFacts, cell: _Cell, repeated: int) -> None:
        attributes = cell.attributes
        formula = attributes.get(f"{_TABLE} formula")
        error = attributes.get(f"{_EXTENSION} value-type") == "error"
        down, right = (
            int(attributes.get(f"{_TABLE} number-{what}-spanned", "1")) for what in ("rows", "columns")
        )
        if down > 1 or right > 1:
            sheet.merged.append(Area(self._row + 1, self._column + 1, self._row + down, self._column + right))
        if formula is None and not error:
            return
        if repeated * self._rows > _MOST_REPEATS:
            raise TooManyMarks
        computed = f"{_OFFICE} value-type" in attributes or cell.text is not None
        for row in range(self._row + 1, self._row + self._rows + 1):
            for column in range(self._column + 1, self._column + repeated + 1):
                if error:
                    sheet.scan.marks[row, column] = Mark.ERROR
                    sheet.scan.errors[row, column] = "".join(cell.text or []) or "#VALUE!"
                elif formula in _BOOLEANS:
                    sheet.booleans[row, column] = _BOOLEANS[formula]
                else:
                    sheet.scan.marks[row, column] = Mark.FORMULA if computed else Mark.UNCOMPUTED

    def _take_range(self, attributes: dict[str, str]) -> None:
        name = attributes.get(f"{_TABLE} name", "")
        match = _RANGE.fullmatch(attributes.get(f"{_TABLE} target-range-address", ""))
        if match and name and not name.startswith("__Anonymous"):
            title = match[1]
            title = title[1:-1].replace("''", "'") if title.startswith("'") else title
            if title in self.sheets:
                self.sheets[title].tables[name] = parse_area(f"{match[2]}:{match[3]}")


def _repeats(attributes: dict[str, str], what: str) -> int:
    return max(int(attributes.get(f"{_TABLE} number-{what}-repeated", "1")), 1)


def scan_content(data: bytes) -> dict[str, SheetFacts]:
    """Return the facts of every sheet of a content part, by sheet name.

    Raises:
        TooManyMarks: marked cells are repeated without measure.
        ValueError: the part is no XML of a spreadsheet.
    """
    reader, parser = _Reader(), expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(data, True)
    except expat.ExpatError as fault:
        raise ValueError(str(fault)) from fault
    return reader.sheets
