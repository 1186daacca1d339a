"""Change named cells of an existing workbook file and nothing else: every other part stays byte for byte, and that is checked.

Libraries that load and save a workbook drop what they do not know (comments in threads, slicers, sparklines, lists on another
sheet ...). Here only the parts that hold the named cells are rewritten, as bytes; a backup is kept; the file is replaced whole.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import struct
import zipfile
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

from lark_sheets.adapters import disk_faults_told, free_backup, replace_whole
from lark_sheets.adapters.books.cell_xml import unescaped
from lark_sheets.adapters.books.package import (
    Kind,
    SheetPart,
    Workbook,
    find_part,
    read_bytes,
    read_part,
    recognise,
    refuse_odd_xml,
    relationships,
    workbook_of,
    xml_of,
)
from lark_sheets.adapters.books.raw_zip import fingerprints, rewrite
from lark_sheets.adapters.books.sheet_edit import SheetEdit
from lark_sheets.adapters.books.sheet_view import Blocked, overlap
from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.cells import Area, address, area_address, parse_area
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError, LarkError, MissingPiece, Problem


def patch(path: Path, changes: BookPatch) -> Path | None:
    """Change the named cells of an xlsx or xlsm file in place; returns the backup, or None when the file holds all of it already.

    Formulas are written with their value; the shared strings are not touched; an existing cell keeps its look. Tables named in
    ``grown`` reach further down, with the lists and conditional formats that ended with them. Programs recalculate on opening.

    Raises:
        UsageError: there is no such file.
        MissingPiece: the file is locked or open elsewhere, or the disk does not answer.
        DataError: encrypted, damaged, of another kind, or something stands in the way (by sheet and cell). Nothing is changed.
    """
    data = read_bytes(path)
    kind, archive = recognise(data, path.name)
    if kind is not Kind.XLSX or archive is None:
        raise DataError(problem("read_only_format", file=path.name, found=kind.value))
    _refuse_open_elsewhere(path)
    fresh = io.BytesIO()
    try:
        changed = _Patch(archive, path.name, changes).changed_parts()
        if not changed:
            return None
        rewrite(archive, fresh, changed)
    except (zipfile.BadZipFile, ValueError, IndexError, RecursionError, struct.error) as fault:
        words = " ".join(str(fault).split())[:120]
        raise DataError(problem("damaged_file", file=path.name, found=words)) from fault
    _verify(archive, fresh.getvalue(), changed, path.name)
    target = Path(os.path.realpath(path))
    backup = _keep_backup(target, data)
    try:
        replace_whole(target, lambda file: file.write(fresh.getvalue()), check=lambda: _still(target, data))
        _verify(archive, read_bytes(target), changed, path.name)
    except LarkError:
        with contextlib.suppress(OSError):
            if target.read_bytes() == data:
                backup.unlink()
                backup.parent.rmdir()  # only when nothing else lies there
        raise
    return backup


def _refuse_open_elsewhere(path: Path) -> None:
    target = Path(os.path.realpath(path))
    for name in (f"~${target.name}", f".~lock.{target.name}#"):
        if (target.parent / name).exists():
            raise MissingPiece(problem("open_elsewhere", file=path.name, found=name))


def _still(target: Path, before: bytes) -> None:
    """Check that nobody changed the file meanwhile, and that no program holds it: then opening it to write fails."""
    with target.open("r+b") as file:
        if file.read() != before:
            raise DataError(problem("file_changed", file=target.name))


def _verify(before: zipfile.ZipFile, data: bytes, changed: dict[str, bytes], name: str) -> None:
    """Check that the members are the same, in the same order, and the untouched ones equal by SHA-256. ``damaged_file`` otherwise."""
    with zipfile.ZipFile(io.BytesIO(data)) as after:
        old, new = list(fingerprints(before)), list(fingerprints(after))
        alike = [part for part, _ in old] == [part for part, _ in new]
        intact = all(one == other or one[0] in changed for one, other in zip(old, new, strict=False))
        written = alike and all(after.read(part) == content for part, content in changed.items())
    if not (alike and intact and written):
        raise DataError(problem("damaged_file", file=name, found="SHA-256"))


def _keep_backup(target: Path, data: bytes) -> Path:
    """Keep the file as it was under ``backups/``, with a number, never over another backup."""
    while True:
        backup = free_backup(target)
        with disk_faults_told(backup):
            try:
                with backup.open("xb") as file:
                    backup.chmod(target.stat().st_mode & 0o777)
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
            except FileExistsError:
                continue
            except OSError:
                backup.unlink(missing_ok=True)
                raise
        return backup


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of the workbook: the part that describes it, the sheet it lies on, its area, whether a row of totals ends it."""

    part: str
    sheet: SheetPart
    area: Area
    totals: int


@dataclass(slots=True)
class _Patch:
    """The parts of one workbook that a patch changes."""

    archive: zipfile.ZipFile
    name: str
    changes: BookPatch
    workbook: Workbook = field(init=False)
    strings: SharedStrings | None = None
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.workbook = workbook_of(self.archive, self.name)
        if self.workbook.strict:
            raise DataError(problem("strict_workbook", file=self.name))
        if any(part.startswith("_xmlsignatures/") for part in self.archive.NameToInfo):
            raise DataError(problem("read_only_format", file=self.name, found="_xmlsignatures"))

    def changed_parts(self) -> dict[str, bytes]:
        """Return the new content of every part that changes; nothing when the workbook holds all of it already."""
        by_name = {sheet.name: sheet for sheet in self.workbook.sheets}
        changed: dict[str, bytes] = {}
        tables = self._tables() if self.changes.grown else {}
        grown_sheets = {tables[name].sheet.name for name in self.changes.grown if name in tables}
        for name in self.changes.grown:
            if name not in tables:
                self.problems.append(
                    problem(
                        "missing_sheet", file=self.name, table=name, found=", ".join(sorted(tables)), sheet=""
                    )
                )
        wanted = [name for name, cells in self.changes.cells.items() if cells] + sorted(grown_sheets)
        for name in dict.fromkeys(wanted):
            if name not in by_name:
                self.problems.append(problem("no_such_sheet", file=self.name, sheet=name, found=name))
                continue
            changed |= self._sheet(by_name[name], tables)
        if self.problems:
            raise DataError(*self.problems)
        if changed:
            content = read_part(self.archive, self.workbook.part, self.name)
            recalculating = recalculated_on_load(content)
            if recalculating != content:
                changed[find_part(self.archive, self.workbook.part) or ""] = recalculating
        return changed

    def _sheet(self, sheet: SheetPart, tables: dict[str, _Table]) -> dict[str, bytes]:
        part = find_part(self.archive, sheet.part) or sheet.part
        content = read_part(self.archive, sheet.part, self.name)
        refuse_odd_xml(content, sheet.part, self.name)
        changed: dict[str, bytes] = {}
        try:
            edit = SheetEdit(content, self._string)
            for name, area in self.changes.grown.items():
                if name in tables and tables[name].sheet == sheet and area != tables[name].area:
                    changed |= self._grow(edit, name, tables, area)
            edit.set_cells(self.changes.cells.get(sheet.name, {}))
        except Blocked as blocked:
            cell = address(*blocked.place) if blocked.place else None
            self.problems.append(
                problem(
                    blocked.code,
                    file=self.name,
                    sheet=sheet.name,
                    cell=cell,
                    found=blocked.found,
                    **blocked.parameters,
                )
            )
            return {}
        if edit.data != content:
            changed[part] = edit.data
        return changed

    def _grow(self, edit: SheetEdit, name: str, tables: dict[str, _Table], area: Area) -> dict[str, bytes]:
        table = tables[name]
        old = table.area
        if (area.top, area.left, area.right) != (old.top, old.left, old.right) or area.bottom < old.bottom:
            raise ValueError(
                f"a table grows downwards only: {name} from {area_address(old)} to {area_address(area)}"
            )
        fresh = Area(old.bottom + 1, old.left, area.bottom, old.right)
        if table.totals:
            raise Blocked(
                "no_room_below", (old.bottom, old.left), table=name, found=address(old.bottom, old.left)
            )
        if (place := edit.filled(fresh)) is not None:
            raise Blocked("no_room_below", place, table=name, found=address(*place))
        if (merged := edit.merged_within(fresh)) is not None:
            raise Blocked("no_room_below", (merged.top, merged.left), table=name, found=area_address(merged))
        for other, neighbour in tables.items():
            if other != name and neighbour.sheet == table.sheet and overlap(neighbour.area, fresh):
                raise Blocked(
                    "no_room_below", (neighbour.area.top, neighbour.area.left), table=name, found=other
                )
        edit.grow(old, area)
        content = read_part(self.archive, table.part, self.name)
        return {find_part(self.archive, table.part) or "": _with_reference(content, old, area)}

    def _tables(self) -> dict[str, _Table]:
        found: dict[str, _Table] = {}
        for sheet in self.workbook.sheets:
            for kind, target in relationships(self.archive, sheet.part, self.name).values():
                if kind == "table":
                    root = xml_of(read_part(self.archive, target, self.name), target, self.name)
                    title = root.get("displayName") or root.get("name") or target
                    totals = int(root.get("totalsRowCount", "0"))
                    found[title] = _Table(target, sheet, parse_area(root.get("ref", "")), totals)
        return found

    def _string(self, index: int) -> str | None:
        """Return a shared string, None when there is none of that number; they are looked at when a cell first asks."""
        if self.strings is None:
            targets = relationships(self.archive, self.workbook.part, self.name).values()
            part = next((target for kind, target in targets if kind == "sharedStrings"), "")
            known = part and find_part(self.archive, part)
            self.strings = SharedStrings(read_part(self.archive, part, self.name) if known else b"")
        return self.strings.text(index)


class SharedStrings:
    """The shared strings of a workbook, found by number without decoding the others."""

    _START = re.compile(rb"<(?:\w+:)?si[\s/>]")
    _TEXT = re.compile(rb"<(?:\w+:)?t(?:\s[^>]*)?>([^<]*)</")
    _FORMATTED = re.compile(rb"<!|<(?:\w+:)?(?:r|rPh)[\s>]")

    def __init__(self, data: bytes) -> None:
        self._data = data
        """Note where each string starts; in a part with comments or CDATA, which no spreadsheet writes, nothing is known."""
        self._starts = [] if b"<!" in data else [match.start() for match in self._START.finditer(data)]
        self._starts.append(len(data))

    def text(self, index: int) -> str | None:
        """Return the text of a number, or None when there is none or when it has formats inside."""
        if not 0 <= index < len(self._starts) - 1:
            return None
        inside = self._data[self._starts[index] : self._starts[index + 1]]
        if self._FORMATTED.search(inside):
            return None
        return unescaped(unescape(b"".join(self._TEXT.findall(inside)).decode("utf-8", "replace")))


_CALCULATION = re.compile(rb"<((?:\w+:)?)calcPr(\s[^>]*?)?(/?)>")
_BEFORE_CALCULATION = re.compile(
    rb"</(?:\w+:)?(?:sheets|functionGroups|externalReferences|definedNames)>|<(?:\w+:)?(?:functionGroups|definedNames)\s*/>"
)
_ON_LOAD = re.compile(rb"""\sfullCalcOnLoad=["'][^"']*["']""")


def recalculated_on_load(data: bytes) -> bytes:
    """Return the main part with the wish to recalculate everything on opening; unchanged when it is there."""
    match = _CALCULATION.search(data)
    if match is not None:
        attributes = match[2] or b""
        if re.search(rb"""\sfullCalcOnLoad=["'](?:1|true)["']""", attributes):
            return data
        tag = b'<%bcalcPr%b fullCalcOnLoad="1"%b>' % (
            match[1],
            _ON_LOAD.sub(b"", attributes).rstrip(),
            match[3],
        )
        return data[: match.start()] + tag + data[match.end() :]
    places = list(_BEFORE_CALCULATION.finditer(data))
    if not places:
        return data
    prefix = re.match(rb"</?((?:\w+:)?)", places[-1][0])
    tag = b'<%bcalcPr fullCalcOnLoad="1"/>' % (prefix[1] if prefix else b"")
    return data[: places[-1].end()] + tag + data[places[-1].end() :]


def _with_reference(data: bytes, old: Area, new: Area) -> bytes:
    """Return a table part that reaches to ``new``: its own range and its filter's."""

    def widened(match: re.Match[bytes]) -> bytes:
        return (
            match[1] + area_address(new).encode() + match[3]
            if parse_area(match[2].decode()) == old
            else match[0]
        )

    return re.sub(
        rb"""(<(?:\w+:)?(?:table|autoFilter)\s(?:[^>]*?\s)?ref=["'])([^"']+)(["'])""", widened, data
    )
