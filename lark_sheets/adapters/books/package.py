"""The outside of a workbook file: what kind it is (by content, never by name), its parts, and the limits it must keep.

Standard library only. Nothing here trusts the file: sizes are checked before anything unfolds, and what is no workbook is
refused with one clear problem.
"""

from __future__ import annotations

import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from xml.etree import ElementTree as ET

from lark_sheets.adapters import disk_faults_told
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError, UsageError

MAX_FILE = 512 * 2**20
MAX_UNFOLDED = 2**30
"""Bytes that all parts but pictures may unfold to: 500,000 rows of 30 columns fit."""
MAX_PARTS = 20_000
MAX_SHEETS = 512
MAX_CELLS = 20_000_000
"""Cells of the rectangle from A1 to the last value of a sheet: the reader holds all of them (about 1 GB)."""
MAX_ROWS, MAX_COLUMNS = 2**20, 2**14

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".emf", ".wmf", ".bmp", ".tif", ".tiff", ".svg")


class Kind(Enum):
    """Kinds of workbook files, by content."""

    XLSX = "xlsx"
    XLSB = "xlsb"
    ODS = "ods"
    XLS = "xls"


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A worksheet of a package: its name, its part, whether people see it."""

    name: str
    part: str
    visible: bool


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes. Raises a told problem when it is missing, a folder, empty, too large or locked."""
    with disk_faults_told(path):
        if path.is_dir():
            raise UsageError(problem("missing_file", file=path.name, found=str(path)))
        size = path.stat().st_size
        if size > MAX_FILE:
            raise DataError(
                problem("too_large", file=path.name, found=_mebibytes(size), limit=_mebibytes(MAX_FILE))
            )
        data = path.read_bytes()
    if not data:
        raise DataError(problem("empty_file", file=path.name))
    return data


def recognise(data: bytes, name: str) -> tuple[Kind, zipfile.ZipFile | None]:
    """Return what kind of workbook the bytes are, and the open archive when they are one.

    Raises :class:`~lark_sheets.errors.DataError`: ``encrypted_file``, ``not_a_workbook``, ``damaged_file``, ``too_large``.
    """
    if data.startswith(_OLE):
        return _recognise_ole(data, name), None
    if data.startswith(b"PK"):
        return _recognise_archive(data, name)
    raise DataError(problem("not_a_workbook", file=name, found=_text_kind(data)))


def _recognise_ole(data: bytes, name: str) -> Kind:
    entries = set(_ole_entries(data))
    if "EncryptedPackage" in entries or "EncryptionInfo" in entries:
        raise DataError(problem("encrypted_file", file=name))
    if entries & {"Workbook", "Book", "WORKBOOK", "BOOK"}:
        return Kind.XLS
    found = (
        "Word" if "WordDocument" in entries else "PowerPoint" if "PowerPoint Document" in entries else "OLE"
    )
    raise DataError(problem("not_a_workbook", file=name, found=found))


def _ole_entries(data: bytes) -> Iterator[str]:
    """Yield the names that directory entries of a compound file may hold: 128 bytes each, on 128-byte borders."""
    for match in re.finditer(rb"(?:[\x20-\x7e]\x00){4,31}\x00\x00", data):
        if match.start() % 128 == 0:
            yield match[0].decode("utf-16-le").rstrip("\0")


def _recognise_archive(data: bytes, name: str) -> tuple[Kind, zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        infos = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeDecodeError) as fault:
        raise DataError(problem("damaged_file", file=name, found="ZIP")) from fault
    _check_limits(infos, name)
    names = {info.filename for info in infos}
    if any(info.flag_bits & 0x1 for info in infos):
        raise DataError(problem("encrypted_file", file=name))
    if "mimetype" in names and "content.xml" in names:
        return _recognise_open_document(archive, names, name), archive
    lower = {part.lower() for part in names}
    if "[content_types].xml" not in lower:
        raise DataError(problem("not_a_workbook", file=name, found="ZIP"))
    if any(re.fullmatch(r"xl/workbook\d*\.bin", part) for part in lower):
        return Kind.XLSB, archive
    if any(part.startswith("xl/") for part in lower):
        return Kind.XLSX, archive
    found = (
        "Word"
        if any(p.startswith("word/") for p in lower)
        else "PowerPoint"
        if any(p.startswith("ppt/") for p in lower)
        else "ZIP"
    )
    raise DataError(problem("not_a_workbook", file=name, found=found))


def _recognise_open_document(archive: zipfile.ZipFile, names: set[str], name: str) -> Kind:
    kind = read_part(archive, "mimetype", name)
    if not kind.startswith(b"application/vnd.oasis.opendocument.spreadsheet"):
        raise DataError(
            problem(
                "not_a_workbook", file=name, found=kind[:80].decode("ascii", "replace").rpartition(".")[2]
            )
        )
    if "META-INF/manifest.xml" in names and b"encryption-data" in read_part(
        archive, "META-INF/manifest.xml", name
    ):
        raise DataError(problem("encrypted_file", file=name))
    return Kind.ODS


def _text_kind(data: bytes) -> str:
    head = data[:4096].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").replace(b"\0", b"").lower()
    for start, kind in (
        (b"%pdf", "PDF"),
        (b"{\\rtf", "RTF"),
        (b"<!doctype html", "HTML"),
        (b"<html", "HTML"),
        (b"<table", "HTML"),
        (b"<?xml", "XML"),
        (b"<", "HTML/XML"),
    ):
        if head.startswith(start):
            return kind
    return "?" if any(byte < 9 for byte in head) else "CSV / TXT"


def _check_limits(infos: list[zipfile.ZipInfo], name: str) -> None:
    if len(infos) > MAX_PARTS:
        raise DataError(problem("too_large", file=name, found=f"{len(infos)} ZIP", limit=str(MAX_PARTS)))
    unfolded = sum(info.file_size for info in infos if not info.filename.lower().endswith(_PICTURES))
    if unfolded > MAX_UNFOLDED:
        raise DataError(
            problem("too_large", file=name, found=_mebibytes(unfolded), limit=_mebibytes(MAX_UNFOLDED))
        )
    seen: set[str] = set()
    for info in infos:
        if info.filename in seen:
            raise DataError(problem("damaged_file", file=name, found=info.filename))
        seen.add(info.filename)


def read_part(archive: zipfile.ZipFile, part: str, name: str) -> bytes:
    """Return a part unfolded, never more than its declared size. Raises ``damaged_file`` when it is missing or broken."""
    try:
        info = archive.getinfo(find_part(archive, part) or part)
        if info.compress_type not in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
            raise NotImplementedError(info.compress_type)  # noqa: TRY301
        folded = folded_bytes(archive, info)
        if info.compress_type == zipfile.ZIP_STORED:
            data = folded
        else:
            unfold = zlib.decompressobj(-15)
            data = unfold.decompress(folded, info.file_size + 1)
        if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
            raise zipfile.BadZipFile(part)  # noqa: TRY301
    except (
        KeyError,
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        ValueError,
        OSError,
        struct.error,
    ) as fault:
        raise DataError(problem("damaged_file", file=name, found=part)) from fault
    return data


def folded_bytes(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return a member's bytes as they lie in the archive, still compressed. Raises ``zipfile.BadZipFile`` when they are not all there."""
    file = archive.fp
    if file is None:
        raise zipfile.BadZipFile(info.filename)
    file.seek(info.header_offset)
    header = file.read(30)
    if len(header) < 30 or not header.startswith(b"PK\3\4"):
        raise zipfile.BadZipFile(info.filename)
    file.seek(sum(struct.unpack("<HH", header[26:])), io.SEEK_CUR)
    folded = file.read(info.compress_size)
    if len(folded) != info.compress_size:
        raise zipfile.BadZipFile(info.filename)
    return folded


def find_part(archive: zipfile.ZipFile, part: str) -> str | None:
    """Return a part's name as the archive spells it (some writers change case or slashes), or None when it is not there."""
    if part in archive.NameToInfo:
        return part
    wanted = part.lower()
    return next((name for name in archive.NameToInfo if name.replace("\\", "/").lower() == wanted), None)


def xml_of(data: bytes, part: str, name: str) -> ET.Element:
    """Parse a small XML part. Documents with a DTD are refused: no spreadsheet writes one, attackers do."""
    refuse_odd_xml(data, part, name)
    try:
        return ET.fromstring(data)  # noqa: S314  (no DTD, so no entities)
    except (ET.ParseError, ValueError, LookupError) as fault:
        raise DataError(problem("damaged_file", file=name, found=part)) from fault


_ODD_ENCODING = re.compile(
    rb"""\A(?:\xef\xbb\xbf)?<\?xml[^>]*\sencoding\s*=\s*["'](?!(?:utf-?8|us-ascii)["'])""", re.IGNORECASE
)


def refuse_odd_xml(data: bytes, part: str, name: str) -> None:
    """Refuse XML with a DTD, or in another encoding than UTF-8: other readers would take it for an empty sheet."""
    head = data[:1024]
    if (
        b"<!DOCTYPE" in head
        or b"<!ENTITY" in head
        or head.startswith((b"\xff\xfe", b"\xfe\xff"))
        or b"\0" in head
        or _ODD_ENCODING.match(head)
    ):
        raise DataError(problem("damaged_file", file=name, found=part))


def relationships(archive: zipfile.ZipFile, part: str, name: str) -> dict[str, tuple[str, str]]:
    """Return a part's inner relationships: id -> (last word of the type, target part); none when it has no file of them."""
    folder, _, file = part.rpartition("/")
    rels = f"{folder}/_rels/{file}.rels".lstrip("/")
    if find_part(archive, rels) is None:
        return {}
    found = {}
    for element in xml_of(read_part(archive, rels, name), rels, name).iter(_RELATIONSHIP):
        target = element.get("Target", "")
        if element.get("TargetMode") != "External":
            whole = (
                target.lstrip("/")
                if target.startswith("/")
                else posixpath.normpath(posixpath.join(folder, target))
            )
            found[element.get("Id", "")] = (element.get("Type", "").rpartition("/")[2], whole)
    return found


def workbook_part(archive: zipfile.ZipFile, name: str) -> str:
    """Return the path of the main part. Raises ``not_a_workbook`` when the package names none."""
    for kind, target in relationships(archive, "", name).values():
        if kind == "officeDocument":
            return target
    raise DataError(problem("not_a_workbook", file=name, found="_rels/.rels"))


@dataclass(frozen=True, slots=True)
class Workbook:
    """What the main part of an xlsx package tells: its sheets in order, and how its dates count."""

    part: str
    sheets: tuple[SheetPart, ...]
    epoch_1904: bool
    strict: bool


def workbook_of(archive: zipfile.ZipFile, name: str) -> Workbook:
    """Read the main part of an xlsx package; sheets that hold no cells (charts, dialogs, macros) are left out."""
    part = workbook_part(archive, name)
    root = xml_of(read_part(archive, part, name), part, name)
    targets = relationships(archive, part, name)
    namespace = root.tag.partition("}")[0] + "}"
    sheets, seen = [], set()
    for element in root.iterfind(f"{namespace}sheets/{namespace}sheet"):
        identifier = next((value for key, value in element.attrib.items() if key.endswith("}id")), "")
        kind, target = targets.get(identifier, ("", ""))
        title = element.get("name", "")
        if title in seen or not kind:
            raise DataError(problem("damaged_file", file=name, found=title or part))
        seen.add(title)
        if kind == "worksheet":
            sheets.append(SheetPart(title, target, element.get("state", "visible") == "visible"))
    if len(sheets) > MAX_SHEETS:
        raise DataError(problem("too_large", file=name, found=str(len(sheets)), limit=str(MAX_SHEETS)))
    properties = root.find(f"{namespace}workbookPr")
    dates = properties is not None and properties.get("date1904", "0") in ("1", "true")
    return Workbook(part, tuple(sheets), dates, strict="purl.oclc.org" in namespace)


def binary_sheets(archive: zipfile.ZipFile, name: str) -> dict[str, str]:
    """Return the worksheet parts of an .xlsb package by sheet name ([MS-XLSB] 2.4.313: BrtBundleSh)."""
    from lark_sheets.adapters.books.biff_scan import sheets_of_xlsb

    part = workbook_part(archive, name)
    targets = relationships(archive, part, name)
    named = sheets_of_xlsb(read_part(archive, part, name))
    found = {title: targets.get(identifier, ("", "")) for title, identifier in named.items()}
    return {title: target for title, (kind, target) in found.items() if kind == "worksheet"}


def _mebibytes(size: int) -> str:
    return f"{size / 2**20:.0f} MiB"
