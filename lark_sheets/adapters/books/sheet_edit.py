"""Change named cells of one worksheet part, as bytes: what is not named stays byte for byte.

Two passes of a regular expression, linear in the size of the part; no tree is built. Rows and cells that lack an address are
counted, new ones are put where they belong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from itertools import pairwise
from typing import NamedTuple

from lark_sheets.adapters.books.cell_xml import cell_xml, formula_xml, number_text, storable, unescaped
from lark_sheets.core.bookplan import PatchedCell, Scalar
from lark_sheets.core.cells import Area, address, area_address, column_number, parse_area

Place = tuple[int, int]

_ROW_NUMBER = re.compile(rb"""\sr=["']([0-9]{1,7})["']""")
_ADDRESS = re.compile(rb"""\sr=["']([A-Z]{1,3})([0-9]{1,7})["']""")
_STYLE = re.compile(rb"""\ss=["'][0-9]+["']""")
_PHONETIC = re.compile(rb"""\sph=["'][^"']*["']""")
_TYPE = re.compile(rb"""\st=["'](\w+)["']""")
_SPANS = re.compile(rb"""\sspans=["'][^"']*["']""")
_GROUP = re.compile(rb"""\ssi=["']([0-9]+)["']""")
_REF = re.compile(rb"""\sref=["']([^"']*)["']""")
_ROOT = re.compile(rb"<((?:[A-Za-z_][\w.-]*:)?)worksheet[\s>]")


class Blocked(Exception):
    """The sheet cannot be changed as asked: ``code`` of the catalogue, ``place`` and what was ``found`` there."""

    def __init__(self, code: str, place: Place | None = None, found: str = "", **parameters: str) -> None:
        super().__init__(code, place, found)
        self.code, self.place, self.found, self.parameters = code, place, found, parameters


class _Cell(NamedTuple):
    """A cell as it stands: column, attributes, inside (b"" when it is closed at once), first and last byte."""

    column: int
    attributes: bytes
    inside: bytes
    start: int
    end: int

    @property
    def style(self) -> bytes:
        """The ``s`` attribute with its leading blank, or nothing."""
        match = _STYLE.search(self.attributes)
        return match[0] if match else b""


class _Row(NamedTuple):
    """A row as it stands: number, attributes, where it starts, where its inside starts and ends, where it ends."""

    number: int
    attributes: bytes
    start: int
    inside: int
    inside_end: int
    end: int


@dataclass(frozen=True, slots=True)
class _Patterns:
    """The expressions for one namespace prefix."""

    row: re.Pattern[bytes]
    cell: re.Pattern[bytes]
    formula: re.Pattern[bytes]
    value: re.Pattern[bytes]
    text: re.Pattern[bytes]
    formatted: re.Pattern[bytes]
    something: re.Pattern[bytes]
    shared: re.Pattern[bytes]


@lru_cache(maxsize=8)
def _patterns(prefix: bytes) -> _Patterns:
    p = re.escape(prefix)
    return _Patterns(
        row=re.compile(rb"<%brow((?:\s[^>]*?)?)(?:/>|>)" % p),
        cell=re.compile(rb"<%bc((?:\s[^>]*?)?)(?:/>|>(.*?)</%bc>)" % (p, p), re.DOTALL),
        formula=re.compile(rb"<%bf((?:\s[^>]*?)?)(?:/>|>([^<]*)</%bf>)" % (p, p)),
        value=re.compile(rb"<%bv(?:\s[^>]*?)?(?:/>|>([^<]*)</%bv>)" % (p, p)),
        text=re.compile(rb"<%bt(?:\s[^>]*)?>([^<]*)</%bt>" % (p, p)),
        formatted=re.compile(rb"<%b(?:r|rPh)[\s>]" % p),
        something=re.compile(rb"<%b(?:v|f|is)[\s>]" % p),
        shared=re.compile(rb"""<%bf\s[^>]*?\bt=["']shared["'][^>]*>""" % p),
    )


def _no_string(_: int) -> None:
    """Know no shared string."""


@dataclass(slots=True)
class SheetEdit:
    """A worksheet part being changed. ``string`` gives a shared string by number, asked only to see that a cell already holds a text."""

    data: bytes
    string: Callable[[int], str | None] = _no_string
    prefix: bytes = field(init=False)
    _xml: _Patterns = field(init=False)
    start: int = field(init=False)
    end: int = field(init=False)

    def __post_init__(self) -> None:
        root = _ROOT.search(self.data, 0, 4096)
        if root is None:
            raise Blocked("damaged_file", found="worksheet")
        self.prefix, self._xml = root[1], _patterns(root[1])
        self._find_cells()

    def _find_cells(self) -> None:
        opened = re.compile(rb"<%bsheetData(?:\s[^>]*?)?(/?)>" % re.escape(self.prefix)).search(self.data)
        if opened is None:
            raise Blocked("damaged_file", found="sheetData")
        if opened[1]:
            tag = b"<%bsheetData></%bsheetData>" % (self.prefix, self.prefix)
            self.data = self.data[: opened.start()] + tag + self.data[opened.end() :]
            self._find_cells()
            return
        self.start, self.end = opened.end(), self.data.rfind(b"</%bsheetData>" % self.prefix)
        if self.end < self.start or self.data.find(b"<!", self.start, self.end) >= 0:
            raise Blocked("damaged_file", found="sheetData")

    # -- reading ------------------------------------------------------------------------------------------------------

    def _rows(self) -> list[_Row]:
        pattern, closing = self._xml.row, b"</%brow>" % self.prefix
        rows: list[_Row] = []
        number, position = 0, self.start
        while match := pattern.search(self.data, position, self.end):
            given = _ROW_NUMBER.search(match[1])
            number = int(given[1]) if given else number + 1
            if rows and rows[-1].number >= number:
                raise Blocked("damaged_file", (number, 1), "row")
            if self.data[match.end() - 2 : match.end()] == b"/>":
                inside_end = position = match.end()
            else:
                inside_end = self.data.find(closing, match.end(), self.end)
                if inside_end < 0:
                    raise Blocked("damaged_file", (number, 1), "row")
                position = inside_end + len(closing)
            rows.append(_Row(number, match[1], match.start(), match.end(), inside_end, position))
        return rows

    def _cells(self, row: _Row) -> list[_Cell]:
        cells: list[_Cell] = []
        column = 0
        for match in self._xml.cell.finditer(self.data, row.inside, row.inside_end):
            given = _ADDRESS.search(match[1])
            column = column_number(given[1].decode()) if given else column + 1
            if (given and int(given[2]) != row.number) or (cells and cells[-1].column >= column):
                raise Blocked("damaged_file", (row.number, column), "c")
            cells.append(_Cell(column, match[1], match[2] or b"", match.start(), match.end()))
        return cells

    def _named_cells(self, row: _Row, columns: Iterable[int]) -> list[_Cell] | None:
        """Return just the cells of some columns, or None when one is not there or not spelled as usual: then all must be looked at."""
        cells = []
        for column in sorted(columns):
            opening = b'<%bc r="%b"' % (self.prefix, address(row.number, column).encode())
            place = self.data.find(opening, row.inside, row.inside_end)
            match = self._xml.cell.match(self.data, place, row.inside_end) if place >= 0 else None
            if match is None or self.data.find(opening, match.end(), row.inside_end) >= 0:
                return None
            cells.append(_Cell(column, match[1], match[2] or b"", match.start(), match.end()))
        in_order = all(one.end <= other.start for one, other in pairwise(cells))
        return cells if in_order else None

    def filled(self, area: Area) -> Place | None:
        """Return the first cell of an area that holds a value or a formula, or None when all are blank."""
        for row in self._rows():
            if area.top <= row.number <= area.bottom:
                for cell in self._cells(row):
                    if area.left <= cell.column <= area.right and self._xml.something.search(cell.inside):
                        return row.number, cell.column
        return None

    # -- changing -----------------------------------------------------------------------------------------------------

    def set_cells(self, wanted: Mapping[Place, PatchedCell]) -> None:
        """Put values and formulas in place; cells that hold them already are left alone.

        Raises:
            Blocked: a person's formula stands where a value should go, or the part is not laid out as spreadsheets do.
        """
        rows = self._rows()
        by_number = {row.number: row for row in rows}
        styles = self._styles(wanted, by_number)
        groups = self._shared_groups(wanted) if b'"shared"' in self.data or b"'shared'" in self.data else {}
        by_row: dict[int, dict[int, PatchedCell]] = {}
        for (row_number, column), cell in wanted.items():
            by_row.setdefault(row_number, {})[column] = cell
        pieces, position, index = [], self.start, 0
        for number in sorted(by_row):
            row = by_number.get(number)
            if row is None:
                while index < len(rows) and rows[index].number < number:
                    index += 1
                place = rows[index].start if index < len(rows) else self.end
                new = self._new_row(number, by_row[number], styles)
                pieces += [self.data[position:place], new]
                position = place
            else:
                pieces += [
                    self.data[position : row.start],
                    self._changed_row(row, by_row[number], styles, groups),
                ]
                position = row.end
        pieces.append(self.data[position : self.end])
        changed = b"".join(pieces)
        if changed != self.data[self.start : self.end]:
            self.data = self.data[: self.start] + changed + self.data[self.end :]
            self.end = self.start + len(changed)
            self._widen_dimension(wanted)

    def _styles(
        self, wanted: Mapping[Place, PatchedCell], by_number: Mapping[int, _Row]
    ) -> dict[Place, bytes]:
        found: dict[Place, bytes] = {}
        places = {cell.style_of for cell in wanted.values() if cell.style_of is not None}
        for number in {row for row, _ in places}:
            if number in by_number:
                for cell in self._cells(by_number[number]):
                    if (number, cell.column) in places:
                        found[number, cell.column] = cell.style
        return found

    def _shared_groups(self, wanted: Mapping[Place, PatchedCell]) -> dict[bytes, bool]:
        """Return for every group of shared formulas whether all its cells are being changed."""
        opening = b"<%bc " % self.prefix
        whole: dict[bytes, bool] = {}
        for match in self._xml.shared.finditer(self.data, self.start, self.end):
            group = _GROUP.search(match[0])
            given = _ADDRESS.search(
                self.data, self.data.rfind(opening, self.start, match.start()), match.start()
            )
            if group is None or given is None:
                raise Blocked("damaged_file", found="f")
            place = (int(given[2]), column_number(given[1].decode()))
            whole[group[1]] = whole.get(group[1], True) and place in wanted
        return whole

    def _new_row(
        self, number: int, wanted: Mapping[int, PatchedCell], styles: Mapping[Place, bytes]
    ) -> bytes:
        cells = b"".join(
            self._new_cell((number, column), wanted[column], styles) for column in sorted(wanted)
        )
        return b'<%brow r="%d">%b</%brow>' % (self.prefix, number, cells, self.prefix) if cells else b""

    def _new_cell(self, place: Place, cell: PatchedCell, styles: Mapping[Place, bytes]) -> bytes:
        style = styles.get(cell.style_of, b"") if cell.style_of else b""
        formula = formula_xml(self.prefix, cell.formula) if cell.formula else b""
        return cell_xml(self.prefix, address(*place).encode(), style, cell.value, formula)

    def _changed_row(
        self,
        row: _Row,
        wanted: Mapping[int, PatchedCell],
        styles: Mapping[Place, bytes],
        groups: Mapping[bytes, bool],
    ) -> bytes:
        cells = self._named_cells(row, wanted) or self._cells(row)
        pieces, position, left = [], row.inside, sorted(wanted)
        for cell in cells:
            while left and left[0] < cell.column:
                column = left.pop(0)
                pieces += [
                    self.data[position : cell.start],
                    self._new_cell((row.number, column), wanted[column], styles),
                ]
                position = cell.start
            if left and left[0] == cell.column:
                left.pop(0)
                new = self._changed_cell(row.number, cell, wanted[cell.column], groups)
                pieces += [self.data[position : cell.start], new]
                position = cell.end
        pieces.append(self.data[position : row.inside_end])
        pieces += [self._new_cell((row.number, column), wanted[column], styles) for column in left]
        inside = b"".join(pieces)
        if inside == self.data[row.inside : row.inside_end]:
            return self.data[row.start : row.end]
        attributes = row.attributes
        if not {cell.column for cell in cells} >= set(wanted):
            attributes = _SPANS.sub(b"", attributes)
        return b"<%brow%b>%b</%brow>" % (self.prefix, attributes, inside, self.prefix)

    def _changed_cell(
        self, row: int, cell: _Cell, wanted: PatchedCell, groups: Mapping[bytes, bool]
    ) -> bytes:
        old = self.data[cell.start : cell.end]
        formula = self._xml.formula.search(cell.inside)
        if formula is not None and not wanted.formula:
            raise Blocked(
                "formula_in_the_way",
                (row, cell.column),
                "=" + unescape(formula[2].decode("utf-8", "replace")),
            )
        element = b""
        if wanted.formula:
            element = formula_xml(self.prefix, wanted.formula)
            if formula is not None and self._keeps(formula, element, (row, cell.column), groups):
                element = formula[0]
        if self._already(cell, wanted, formula, element):
            return old
        phonetic = _PHONETIC.search(cell.attributes)
        style = cell.style + (phonetic[0] if phonetic else b"")
        new = cell_xml(self.prefix, address(row, cell.column).encode(), style, wanted.value, element)
        return new or cell_xml(self.prefix, address(row, cell.column).encode(), b' s="0"', None)

    def _keeps(self, old: re.Match[bytes], new: bytes, place: Place, groups: Mapping[bytes, bool]) -> bool:
        """Say whether the formula that stands there stays: it is the same, or shared with cells that are not being changed."""
        wanted = new[len(self.prefix) + 3 : -len(self.prefix) - 4]
        same = old[2] is not None and unescape(old[2].decode("utf-8", "replace")) == unescape(wanted.decode())
        kind = _TYPE.search(old[1])
        if kind is None or kind[1] == b"normal":
            return same
        if kind[1] == b"shared":
            group = _GROUP.search(old[1])
            if group and groups.get(group[1]):
                return False
            if same or old[2] is None or not old[2]:
                return True
            raise Blocked("formula_in_the_way", place, "=" + unescape(old[2].decode("utf-8", "replace")))
        area = _REF.search(old[1])
        if area and b":" not in area[1]:
            return same
        raise Blocked(
            "formula_in_the_way", place, "{=" + unescape((old[2] or b"").decode("utf-8", "replace")) + "}"
        )

    def _already(
        self, cell: _Cell, wanted: PatchedCell, formula: re.Match[bytes] | None, element: bytes
    ) -> bool:
        if (formula is None) != (not wanted.formula) or (formula is not None and formula[0] != element):
            return False
        return self._value_of(cell) == _comparable(
            "" if wanted.formula and wanted.value is None else wanted.value
        )

    def _value_of(self, cell: _Cell) -> tuple[str, str] | None:
        """Return what a cell holds in the form that :func:`_comparable` gives; ("?", ...) equals nothing that is written."""
        kind_match = _TYPE.search(cell.attributes)
        kind = kind_match[1].decode() if kind_match else "n"
        if kind == "inlineStr":
            if self._xml.formatted.search(cell.inside):
                return "?", ""
            return "s", unescaped(_plain(b"".join(self._xml.text.findall(cell.inside))))
        value = self._xml.value.search(cell.inside)
        if value is None:
            return ("?", "") if cell.inside else None
        raw = _plain(value[1] or b"")
        if kind == "s":
            text = self.string(int(raw)) if raw.isdigit() else None
            return ("?", raw) if text is None else ("s", text)
        if kind == "str":
            return "s", unescaped(raw)
        if kind == "n":
            try:
                return "n", number_text(float(raw))
            except ValueError:
                return "?", raw
        return kind, raw

    # -- ranges that grow with a table -----------------------------------------------------------------------------------

    def _widen_dimension(self, wanted: Mapping[Place, PatchedCell]) -> None:
        match = re.compile(rb"""(<%bdimension\s[^>]*?ref=["'])([^"']*)""" % re.escape(self.prefix)).search(
            self.data, 0, self.start
        )
        if match is None:
            return
        try:
            area = parse_area(match[2].decode())
        except ValueError:
            return
        places = [place for place, cell in wanted.items() if cell.value is not None or cell.formula]
        rows, columns = [row for row, _ in places], [column for _, column in places]
        wide = (
            Area(
                min(area.top, *rows),
                min(area.left, *columns),
                max(area.bottom, *rows),
                max(area.right, *columns),
            )
            if places
            else area
        )
        if wide != area:
            self._splice(match.start(2), match.end(2), area_address(wide).encode())

    def grow(self, old: Area, new: Area) -> None:
        """Let lists and conditional formats that ended with a table's last row go on to its new last row."""
        p = rb"(?:[A-Za-z_][\w.-]*:)?"
        attribute = re.compile(
            rb"""<%b(?:dataValidation|conditionalFormatting)\s[^>]*?\bsqref=["']([^"']*)["']""" % p
        )
        element = re.compile(rb"<%bsqref>([^<]*)</" % p)
        spots = [match for pattern in (attribute, element) for match in pattern.finditer(self.data, self.end)]
        for match in sorted(spots, key=lambda match: match.start(1), reverse=True):
            ranges = match[1].decode().split()
            grown = [_grown(text, old, new) for text in ranges]
            if grown != ranges:
                self._splice(match.start(1), match.end(1), " ".join(grown).encode())

    def merged_within(self, area: Area) -> Area | None:
        """Return a merged range that touches an area, or None."""
        for match in re.finditer(
            rb"""<(?:\w+:)?mergeCell\s[^>]*?ref=["']([^"']*)["']""", self.data[self.end :]
        ):
            merged = parse_area(match[1].decode())
            if overlap(merged, area):
                return merged
        return None

    def _splice(self, start: int, end: int, new: bytes) -> None:
        self.data = self.data[:start] + new + self.data[end:]
        if end <= self.start:
            shift = len(new) - (end - start)
            self.start, self.end = self.start + shift, self.end + shift


def overlap(one: Area, other: Area) -> bool:
    """Say whether two areas share a cell."""
    return (
        one.top <= other.bottom
        and other.top <= one.bottom
        and one.left <= other.right
        and other.left <= one.right
    )


def _plain(data: bytes) -> str:
    return unescape(data.decode("utf-8", "replace")) if b"&" in data else data.decode("utf-8", "replace")


def _comparable(value: Scalar) -> tuple[str, str] | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "b", "1" if value else "0"
    if isinstance(value, int | float):
        return "n", number_text(value)
    return "s", storable(value)


def _grown(text: str, old: Area, new: Area) -> str:
    try:
        area = parse_area(text)
    except ValueError:
        return text
    ends_with_it = (
        area.bottom == old.bottom
        and area.top >= old.top
        and area.left >= old.left
        and area.right <= old.right
    )
    return area_address(area._replace(bottom=new.bottom)) if ends_with_it else text
