"""The container of a VBA project: a compound file of version 3 (MS-CFB), written from a tree of names to bytes."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Tree = Mapping[str, "bytes | Tree"]
SECTOR, MINI_SECTOR, MINI_LIMIT = 512, 64, 4096
_FREE, _END, _FAT, _NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
_STORAGE, _STREAM, _ROOT = 1, 2, 5
_RED, _BLACK = 0, 1
_FATS_IN_HEADER = 109
_PER_SECTOR = SECTOR // 4


@dataclass(slots=True, kw_only=True)
class _Entry:
    """One entry of the directory."""

    name: str
    kind: int
    data: bytes = b""
    left: int = _NONE
    right: int = _NONE
    child: int = _NONE
    colour: int = _BLACK
    start: int = _END
    size: int = 0

    def packed(self) -> bytes:
        name = self.name.encode("utf-16-le") + b"\0\0"
        return (
            name.ljust(64, b"\0")
            + struct.pack("<HBBIII", len(name), self.kind, self.colour, self.left, self.right, self.child)
            + bytes(36)  # class, state and times: none, so that the same sources give the same bytes
            + struct.pack("<IQ", self.start, self.size)
        )


def compound_file(tree: Tree) -> bytes:
    """Return the bytes of a compound file with these streams and storages.

    ``ValueError`` above about 7 MB: a longer file would need sectors that this writer does not make.
    """
    entries = [_Entry(name="Root Entry", kind=_ROOT)]
    entries[0].child = _add(entries, tree)
    return _Sectors(entries).whole()


def _add(entries: list[_Entry], tree: Tree) -> int:
    """Add a storage's content to the directory; return the root of its red-black tree."""
    numbers = []
    for name, content in tree.items():
        is_stream = isinstance(content, bytes)
        number = len(entries)
        entry = _Entry(name=name, kind=_STREAM if is_stream else _STORAGE)
        entries.append(entry)
        if isinstance(content, bytes):
            entry.data, entry.size = content, len(content)
        else:
            entry.start = 0
            entry.child = _add(entries, content)
        numbers.append(number)
    numbers.sort(key=lambda n: (len(entries[n].name.encode("utf-16-le")), entries[n].name.upper()))
    top = _balanced(entries, numbers, depth=len(numbers).bit_length() - 1)
    if top != _NONE:
        entries[top].colour = _BLACK
    return top


def _balanced(entries: list[_Entry], numbers: Sequence[int], depth: int) -> int:
    """Link sorted entries into a balanced tree; those of the last, incomplete level are red, so that it is a red-black tree."""
    if not numbers:
        return _NONE
    middle = len(numbers) // 2
    entry = entries[numbers[middle]]
    entry.colour = _RED if depth == 0 else _BLACK
    entry.left = _balanced(entries, numbers[:middle], depth - 1)
    entry.right = _balanced(entries, numbers[middle + 1 :], depth - 1)
    return numbers[middle]


class _Sectors:
    """Lays streams into sectors and keeps the allocation table."""

    def __init__(self, entries: list[_Entry]) -> None:
        self.entries = entries
        self.sectors: list[bytes] = []
        self.table: list[int] = []

    def whole(self) -> bytes:
        mini = bytearray()
        mini_table: list[int] = []
        for entry in self.entries:
            if entry.kind != _STREAM or not entry.data:
                continue
            if entry.size >= MINI_LIMIT:
                entry.start = self._chain(entry.data)
                continue
            count = -(-entry.size // MINI_SECTOR)
            entry.start = len(mini_table)
            mini_table += [entry.start + n for n in range(1, count)] + [_END]
            mini += entry.data.ljust(count * MINI_SECTOR, b"\0")
        root = self.entries[0]
        root.start, root.size = self._chain(bytes(mini)), len(mini)
        mini_table_start, mini_table_sectors = self._mini_table(mini_table)
        directory = self._chain(self._directory())
        fats = self._fats()
        first = len(self.sectors)
        self.table += [_FAT] * fats
        self.table += [_FREE] * (fats * _PER_SECTOR - len(self.table))
        header = self._header(first, fats, directory, mini_table_start, mini_table_sectors)
        return header + b"".join(self.sectors) + struct.pack(f"<{len(self.table)}I", *self.table)

    def _chain(self, data: bytes) -> int:
        count, start = -(-len(data) // SECTOR), len(self.sectors)
        for number in range(count):
            self.sectors.append(data[number * SECTOR : (number + 1) * SECTOR].ljust(SECTOR, b"\0"))
            self.table.append(start + number + 1 if number < count - 1 else _END)
        return start if count else _END

    def _mini_table(self, table: list[int]) -> tuple[int, int]:
        packed = struct.pack(f"<{len(table)}I", *table)
        count = -(-len(packed) // SECTOR)
        return self._chain(packed.ljust(count * SECTOR, b"\xff")), count

    def _directory(self) -> bytes:
        packed = b"".join(entry.packed() for entry in self.entries)
        unused = bytes(68) + struct.pack("<III", _NONE, _NONE, _NONE) + bytes(48)
        return packed + unused * (-len(self.entries) % (SECTOR // 128))

    def _fats(self) -> int:
        fats = 1
        while fats * _PER_SECTOR < len(self.sectors) + fats:
            fats += 1
        if fats > _FATS_IN_HEADER:
            raise ValueError("too large for a compound file without further allocation sectors")
        return fats

    def _header(self, first: int, fats: int, directory: int, mini_start: int, mini_sectors: int) -> bytes:
        header = bytes.fromhex("D0CF11E0A1B11AE1") + bytes(16)
        header += struct.pack("<HHHHH", 0x003E, 0x0003, 0xFFFE, 9, 6) + bytes(6)
        header += struct.pack("<III", 0, fats, directory)
        header += struct.pack("<III", 0, MINI_LIMIT, mini_start)
        header += struct.pack("<III", mini_sectors, _END, 0)
        places = [first + n if n < fats else _FREE for n in range(_FATS_IN_HEADER)]
        return header + struct.pack(f"<{_FATS_IN_HEADER}I", *places)
