"""Small workbooks made by hand, part by part, so that a test controls every byte."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"

TYPES = (
    f'<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    "{overrides}</Types>"
)
SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"


def relations(*targets: tuple[str, str]) -> str:
    inside = "".join(
        f'<Relationship Id="rId{n}" Type="{OFFICE}/{kind}" Target="{to}"/>'
        for n, (kind, to) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{inside}</Relationships>'


def worksheet(rows: str, before: str = "", after: str = "", namespace: str = MAIN) -> str:
    return f'<worksheet xmlns="{namespace}" xmlns:r="{OFFICE}">{before}<sheetData>{rows}</sheetData>{after}</worksheet>'


def parts_of(
    *sheets: str | bytes,
    names: tuple[str, ...] = (),
    extra: dict[str, str | bytes] | None = None,
    book: str = "",
    namespace: str = MAIN,
) -> dict[str, str | bytes]:
    """The parts of a workbook with these worksheet parts; ``extra`` adds or replaces parts, ``book`` goes behind the sheets."""
    names = names or tuple(f"S{number}" for number in range(1, len(sheets) + 1))
    listed = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>' for n, name in enumerate(names, 1))
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{SHEET_TYPE}"/>'
        for n in range(1, len(sheets) + 1)
    )
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": TYPES.format(overrides=overrides),
        "_rels/.rels": relations(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{namespace}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets>{book}</workbook>',
        "xl/_rels/workbook.xml.rels": relations(
            *(("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1))
        ),
    }
    parts |= {f"xl/worksheets/sheet{n}.xml": content for n, content in enumerate(sheets, 1)}
    return parts | (extra or {})


def packed(parts: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6)), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def workbook_file(folder: Path, *sheets: str | bytes, name: str = "book.xlsx", **options) -> Path:
    path = folder / name
    path.write_bytes(packed(parts_of(*sheets, **options)))
    return path


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}
