"""What binary workbooks (.xls, .xlsb) tell and the reader of values does not: errors, formulas, hidden rows, how far cells reach.

Both are sequences of records: a number, a length, the content. Only the few records that matter are looked at. Sources: [MS-XLS]
2.4 (BIFF8 records), [MS-XLSB] 2.4 (BIFF12 records), [MS-CFB] 2 (the file around BIFF8).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from lark_sheets.adapters.books.sheet_scan import SheetScan
from lark_sheets.core.cells import Mark

_ERRORS = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}

# -- .xlsb ---------------------------------------------------------------------------------------------------------------

_ROW12, _BLANK12, _ERROR12, _FIRST_FORMULA12, _ERROR_FORMULA12, _COLUMN12, _SHEET12 = 0, 1, 3, 8, 11, 60, 156


def sheets_of_xlsb(data: bytes) -> dict[str, str]:
    """Return the relationship of every sheet by its name, from the main part. ``ValueError`` when its records do not fit."""
    sheets = {}
    for number, content in _records12(data):
        if number == _SHEET12:
            identifier, place = _wide_text(content, 8)
            sheets[_wide_text(content, place)[0]] = identifier
    return sheets


def _wide_text(content: bytes, place: int) -> tuple[str, int]:
    end = place + 4 + 2 * int.from_bytes(content[place : place + 4], "little")
    return content[place + 4 : end].decode("utf-16-le", "replace"), end


def scan_xlsb_sheet(data: bytes) -> SheetScan:
    """Return the facts of one worksheet part of an .xlsb package. ``ValueError`` when its records do not fit."""
    scan, row = SheetScan(), 0
    for number, content in _records12(data):
        if number == _ROW12 and len(content) >= 12:
            row = int.from_bytes(content[:4], "little") + 1
            if content[11] & 0x10:
                scan.hidden_rows.add(row)
        elif _BLANK12 < number <= _ERROR_FORMULA12 and len(content) >= 8:
            column = int.from_bytes(content[:4], "little") + 1
            scan.last_row, scan.last_column = max(scan.last_row, row), max(scan.last_column, column)
            if number in (_ERROR12, _ERROR_FORMULA12):
                _mark_error(scan, (row, column), content[8] if len(content) > 8 else 0x0F)
            elif number >= _FIRST_FORMULA12:
                scan.marks[row, column] = Mark.FORMULA
        elif number == _COLUMN12 and len(content) >= 18:
            low, high = struct.unpack_from("<2L", content)
            if content[16] & 0x01:
                scan.hidden_columns.append((low + 1, min(high, 16_383) + 1))
    return scan


def _records12(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (number, content): numbers take one or two bytes, lengths up to four, seven bits each."""
    place = 0
    while place < len(data):
        number, place = _seven_bits(data, place, 2)
        length, place = _seven_bits(data, place, 4)
        if place + length > len(data):
            raise ValueError("a record is cut off")
        yield number, data[place : place + length]
        place += length


def _seven_bits(data: bytes, place: int, most: int) -> tuple[int, int]:
    value = 0
    for count in range(most):
        if place >= len(data):
            raise ValueError("a record is cut off")
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << 7 * count
        if not byte & 0x80:
            break
    return value, place


# -- .xls ----------------------------------------------------------------------------------------------------------------

_SHEET8, _ROW8, _COLUMN8, _FORMULA8, _ERROR8, _END8 = 0x85, 0x208, 0x7D, 0x06, 0x205, 0x0A
_CELLS8 = {_FORMULA8, _ERROR8, 0x203, 0x27E, 0x204, 0xFD, 0xD6, 0xBD}


def scan_xls(data: bytes) -> dict[str, SheetScan]:
    """Return the facts of every worksheet of an .xls file, by name. ``ValueError`` when the file is not laid out as it should."""
    stream = _workbook_stream(data)
    sheets: dict[str, SheetScan] = {}
    for number, content in _records8(stream, 0):
        if number == _SHEET8 and len(content) >= 8 and content[5] == 0:
            sheets[_short_text(content[6:])] = _scan_xls_sheet(stream, int.from_bytes(content[:4], "little"))
        elif number == _END8:
            break
    return sheets


def _scan_xls_sheet(stream: bytes, start: int) -> SheetScan:
    scan = SheetScan()
    for number, content in _records8(stream, start):
        if number == _END8:
            break
        if number == _ROW8 and len(content) >= 16:
            if content[12] & 0x20:
                scan.hidden_rows.add(int.from_bytes(content[:2], "little") + 1)
        elif number == _COLUMN8 and len(content) >= 10:
            low, high = struct.unpack_from("<2H", content)
            if content[8] & 0x01:
                scan.hidden_columns.append((low + 1, min(high, 255) + 1))
        elif number in _CELLS8 and len(content) >= 6:
            row, column = (value + 1 for value in struct.unpack_from("<2H", content))
            last = int.from_bytes(content[-2:], "little") + 1 if number == 0xBD else column
            scan.last_row, scan.last_column = max(scan.last_row, row), max(scan.last_column, last)
            if number == _ERROR8 and len(content) >= 8 and content[7]:
                _mark_error(scan, (row, column), content[6])
            elif number == _FORMULA8 and len(content) >= 14:
                if content[12:14] == b"\xff\xff" and content[6] == 2:
                    _mark_error(scan, (row, column), content[8])
                else:
                    scan.marks[row, column] = Mark.FORMULA
    return scan


def _records8(stream: bytes, place: int) -> Iterator[tuple[int, bytes]]:
    while place + 4 <= len(stream):
        number, length = struct.unpack_from("<2H", stream, place)
        yield number, stream[place + 4 : place + 4 + length]
        place += 4 + length


def _short_text(data: bytes) -> str:
    length, wide = data[0], data[1] & 0x01
    return (
        data[2 : 2 + 2 * length].decode("utf-16-le", "replace")
        if wide
        else data[2 : 2 + length].decode("latin-1")
    )


def _workbook_stream(data: bytes) -> bytes:
    """Return the stream "Workbook" of a compound file, following its chains of sectors; small streams lie in the mini stream."""
    if len(data) < 512:
        raise ValueError("no compound file")
    size, mini_size = 1 << data[30], 1 << data[32]
    first_directory, cutoff, first_mini, first_extra = (
        int.from_bytes(data[at : at + 4], "little") for at in (48, 56, 60, 68)
    )
    if size not in (512, 4096) or mini_size != 64:
        raise ValueError("sector size")

    def sector(index: int) -> bytes:
        return data[(index + 1) * size : (index + 2) * size]

    listed = list(struct.unpack_from("<109L", data, 76))
    seen: set[int] = set()
    while first_extra < 0xFFFFFFFA and first_extra not in seen:
        seen.add(first_extra)
        extra = struct.unpack(f"<{size // 4}L", sector(first_extra).ljust(size, b"\xff"))
        listed += extra[:-1]
        first_extra = extra[-1]
    table = [
        entry
        for index in listed
        if index < 0xFFFFFFFA
        for entry in struct.unpack(f"<{size // 4}L", sector(index).ljust(size, b"\xff"))
    ]

    def chain(index: int, links: list[int], piece: int, source: bytes | None = None) -> bytes:
        pieces, passed = [], set()
        while index < len(links) and index not in passed:
            passed.add(index)
            pieces.append(sector(index) if source is None else source[index * piece : (index + 1) * piece])
            index = links[index]
        return b"".join(pieces)

    directory = chain(first_directory, table, size)
    root = b""
    for place in range(0, len(directory) - 127, 128):
        entry = directory[place : place + 128]
        name = entry[: max(int.from_bytes(entry[64:66], "little") - 2, 0)].decode("utf-16-le", "replace")
        start, length = int.from_bytes(entry[116:120], "little"), int.from_bytes(entry[120:124], "little")
        if entry[66] == 5:
            root = chain(start, table, size)
        elif name.upper() in ("WORKBOOK", "BOOK"):
            if length >= cutoff:
                return chain(start, table, size)[:length]
            links = chain(first_mini, table, size)
            return chain(start, list(struct.unpack(f"<{len(links) // 4}L", links)), mini_size, root)[:length]
    raise ValueError("no workbook stream")


def _mark_error(scan: SheetScan, place: tuple[int, int], code: int) -> None:
    scan.marks[place] = Mark.ERROR
    scan.errors[place] = _ERRORS.get(code, "#VALUE!")
