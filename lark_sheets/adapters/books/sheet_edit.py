"""Change named cells of one worksheet part, as bytes: what is not named stays byte for byte.

Linear in the size of the part. New rows and cells are put where they belong; ranges that end with a table grow with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lark_sheets.adapters.books.cell_xml import cell_xml, formula_xml
from lark_sheets.adapters.books.sheet_view import (
    ADDRESS,
    TYPE,
    Blocked,
    Cell,
    Place,
    Row,
    SheetView,
    comparable,
    plain,
)
from lark_sheets.core.bookplan import PatchedCell
from lark_sheets.core.cells import Area, address, area_address, column_number, parse_area

_PHONETIC = re.compile(rb"""\sph=["'][^"']*["']""")
_SPANS = re.compile(rb"""\sspans=["'][^"']*["']""")
_GROUP = re.compile(rb"""\ssi=["']([0-9]+)["']""")
_REF = re.compile(rb"""\sref=["']([^"']*)["']""")
_ANY = rb"(?:[A-Za-z_][\w.-]*:)?"
_FOLLOWING = (
    re.compile(
        rb"""<%b(?:dataValidation|conditionalFormatting|protectedRange|ignoredError)\s[^>]*?\bsqref=["']([^"']*)["']"""
        % _ANY
    ),
    re.compile(rb"<%bsqref>([^<]*)</" % _ANY),
)


@dataclass(slots=True)
class SheetEdit(SheetView):
    """A worksheet part being changed; ``data`` is its content now."""

    def set_cells(self, wanted: Mapping[Place, PatchedCell]) -> None:
        """Put values and formulas in place; cells that hold them already are left alone.

        Raises:
            Blocked: a person's formula stands where a value should go, or the part is not laid out as spreadsheets do.
        """
        rows = self.rows()
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
                pieces += [self.data[position:place], self._new_row(number, by_row[number], styles)]
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
        self, wanted: Mapping[Place, PatchedCell], by_number: Mapping[int, Row]
    ) -> dict[Place, bytes]:
        """Return the looks that new cells take from others."""
        found: dict[Place, bytes] = {}
        places = {cell.style_of for cell in wanted.values() if cell.style_of is not None}
        for number in {row for row, _ in places}:
            if number in by_number:
                for cell in self.cells(by_number[number]):
                    if (number, cell.column) in places:
                        found[number, cell.column] = cell.style
        return found

    def _shared_groups(self, wanted: Mapping[Place, PatchedCell]) -> dict[bytes, bool]:
        """Return for every group of shared formulas whether all its cells are being changed."""
        opening = b"<%bc " % self.prefix
        whole: dict[bytes, bool] = {}
        for match in self.xml.shared.finditer(self.data, self.start, self.end):
            group = _GROUP.search(match[0])
            given = ADDRESS.search(
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
        row: Row,
        wanted: Mapping[int, PatchedCell],
        styles: Mapping[Place, bytes],
        groups: Mapping[bytes, bool],
    ) -> bytes:
        cells = self.named_cells(row, wanted)
        if cells is None:
            cells = self.cells(row)
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

    def _changed_cell(self, row: int, cell: Cell, wanted: PatchedCell, groups: Mapping[bytes, bool]) -> bytes:
        formula = self.xml.formula.search(cell.inside)
        if formula is not None and not wanted.formula:
            raise Blocked("formula_in_the_way", (row, cell.column), "=" + plain(formula[2] or b""))
        element = b""
        if wanted.formula:
            element = formula_xml(self.prefix, wanted.formula)
            if formula is not None and self._keeps(formula, element, (row, cell.column), groups):
                element = formula[0]
        if self._already(cell, wanted, formula, element):
            return self.data[cell.start : cell.end]
        phonetic = _PHONETIC.search(cell.attributes)
        style = cell.style + (phonetic[0] if phonetic else b"")
        place = address(row, cell.column).encode()
        return cell_xml(self.prefix, place, style, wanted.value, element) or b'<%bc r="%b"/>' % (
            self.prefix,
            place,
        )

    def _keeps(self, old: re.Match[bytes], new: bytes, place: Place, groups: Mapping[bytes, bool]) -> bool:
        """Say whether the formula that stands there stays: it is the same, or shared with cells that are not being changed."""
        wanted = new[len(self.prefix) + 3 : -len(self.prefix) - 4]
        same = old[2] is not None and plain(old[2]) == plain(wanted)
        kind = TYPE.search(old[1])
        if kind is None or kind[1] == b"normal":
            return same
        if kind[1] == b"shared":
            group = _GROUP.search(old[1])
            if group and groups.get(group[1]):
                return False
            if same or not old[2]:
                return True
            raise Blocked("formula_in_the_way", place, "=" + plain(old[2]))
        area = _REF.search(old[1])
        if area and b":" not in area[1]:
            return same
        raise Blocked("formula_in_the_way", place, "{=" + plain(old[2] or b"") + "}")

    def _already(
        self, cell: Cell, wanted: PatchedCell, formula: re.Match[bytes] | None, element: bytes
    ) -> bool:
        if (formula is None) != (not wanted.formula) or (formula is not None and formula[0] != element):
            return False
        return self.value_of(cell) == comparable(
            "" if wanted.formula and wanted.value is None else wanted.value
        )

    # -- ranges -------------------------------------------------------------------------------------------------------

    def _widen_dimension(self, wanted: Mapping[Place, PatchedCell]) -> None:
        pattern = re.compile(rb"""<%bdimension\s[^>]*?ref=["']([^"']*)""" % re.escape(self.prefix))
        places = [place for place, cell in wanted.items() if cell.value is not None or cell.formula]
        match = pattern.search(self.data, 0, self.start)
        if match is None or not places:
            return
        try:
            area = parse_area(match[1].decode())
        except ValueError:
            return
        rows, columns = [row for row, _ in places], [column for _, column in places]
        low = min(area.top, *rows), min(area.left, *columns)
        wide = Area(*low, max(area.bottom, *rows), max(area.right, *columns))
        if wide != area:
            self._splice(match.start(1), match.end(1), area_address(wide).encode())

    def grow(self, old: Area, new: Area) -> None:
        """Let lists, conditional formats and editable ranges that ended with a table's last row go on to its new last row."""
        spots = [match for pattern in _FOLLOWING for match in pattern.finditer(self.data, self.end)]
        spots = [match for match in spots if not self._is_sparkline(match.start())]
        for match in sorted(spots, key=lambda match: match.start(1), reverse=True):
            ranges = match[1].decode().split()
            grown = [_grown(text, old, new) for text in ranges]
            if grown != ranges:
                self._splice(match.start(1), match.end(1), " ".join(grown).encode())

    def _is_sparkline(self, place: int) -> bool:
        """Say whether a range belongs to a sparkline, which has one cell and never grows."""
        parents = (b"sparkline", b"conditionalFormatting", b"dataValidation")
        nearest = max(parents, key=lambda word: self.data.rfind(word, self.end, place))
        return nearest == b"sparkline" and self.data.find(b"sparkline", self.end, place) >= 0

    def _splice(self, start: int, end: int, new: bytes) -> None:
        self.data = self.data[:start] + new + self.data[end:]
        if end <= self.start:
            shift = len(new) - (end - start)
            self.start, self.end = self.start + shift, self.end + shift


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
