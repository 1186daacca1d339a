"""The parts of the add-in's workbook file: small XML written by hand, zipped without a date, so that the same input gives the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from lark_sheets.addin.build.theme import theme

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
ADDIN_TYPE = "application/vnd.ms-excel.addin.macroEnabled.main+xml"
MACRO_TYPE = "application/vnd.ms-excel.sheet.macroEnabled.main+xml"
RIBBON_RELATION = "http://schemas.microsoft.com/office/2006/relationships/ui/extensibility"
_FIRST_MOMENT = (1980, 1, 1, 0, 0, 0)
Value = str | bool


class Button(NamedTuple):
    """A form button: its caption, the macro it runs, the 0-based row and column where it stands, and over how many columns."""

    caption: str
    macro: str
    row: int
    column: int
    width: int = 2


class Sheet(NamedTuple):
    """A sheet: its name, the name its module has, its cells by 1-based row and column, buttons, whether it shows."""

    name: str
    code_name: str
    cells: Mapping[tuple[int, int], Value]
    buttons: Sequence[Button] = ()
    visible: bool = True
    widths: Sequence[float] = ()


def workbook_file(sheets: Sequence[Sheet], project: bytes, *, content_type: str, ribbon: str = "") -> bytes:
    """Return the bytes of a macro-enabled workbook or add-in; ``ribbon`` is its customUI part."""
    strings = _strings(sheets)
    parts: dict[str, bytes] = {
        "[Content_Types].xml": _content_types(sheets, content_type).encode(),
        "_rels/.rels": _relations(
            [(f"{_OFFICE}/officeDocument", "xl/workbook.xml")]
            + ([(RIBBON_RELATION, "customUI/customUI.xml")] if ribbon else [])
        ).encode(),
        "xl/workbook.xml": _workbook(sheets, hidden=content_type == ADDIN_TYPE).encode(),
        "xl/_rels/workbook.xml.rels": _relations(
            [(f"{_OFFICE}/worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1)]
            + [
                (f"{_OFFICE}/theme", "theme/theme1.xml"),
                (f"{_OFFICE}/styles", "styles.xml"),
                (f"{_OFFICE}/sharedStrings", "sharedStrings.xml"),
                ("http://schemas.microsoft.com/office/2006/relationships/vbaProject", "vbaProject.bin"),
            ]
        ).encode(),
        "xl/theme/theme1.xml": theme().encode(),
        "xl/styles.xml": _STYLES.encode(),
        "xl/sharedStrings.xml": _shared_strings(sheets, strings).encode(),
        "xl/vbaProject.bin": project,
    }
    if ribbon:
        parts["customUI/customUI.xml"] = ribbon.encode()
    for number, sheet in enumerate(sheets, 1):
        parts[f"xl/worksheets/sheet{number}.xml"] = _worksheet(sheet, strings).encode()
        if sheet.buttons:
            drawing = f"../drawings/vmlDrawing{number}.vml"
            relations = _relations([(f"{_OFFICE}/vmlDrawing", drawing)])
            parts[f"xl/worksheets/_rels/sheet{number}.xml.rels"] = relations.encode()
            parts[f"xl/drawings/vmlDrawing{number}.vml"] = _buttons(sheet, number).encode()
    return _zipped(parts)


def _zipped(parts: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in parts.items():
            member = zipfile.ZipInfo(name, _FIRST_MOMENT)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 0
            archive.writestr(member, data)
    return file.getvalue()


def part(data: bytes, name: str) -> bytes:
    """Return one part of a file; ``KeyError`` where it has none of that name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name)


def _relations(relations: Sequence[tuple[str, str]]) -> str:
    lines = "".join(
        f'<Relationship Id="rId{number}" Type="{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(relations, 1)
    )
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}">{lines}</Relationships>'


def _content_types(sheets: Sequence[Sheet], content_type: str) -> str:
    overrides = {"/xl/workbook.xml": content_type, "/xl/styles.xml": f"{_TYPES}.styles+xml"}
    overrides["/xl/theme/theme1.xml"] = "application/vnd.openxmlformats-officedocument.theme+xml"
    overrides["/xl/sharedStrings.xml"] = f"{_TYPES}.sharedStrings+xml"
    overrides |= {
        f"/xl/worksheets/sheet{n}.xml": f"{_TYPES}.worksheet+xml" for n in range(1, len(sheets) + 1)
    }
    overrides["/xl/vbaProject.bin"] = "application/vnd.ms-office.vbaProject"
    defaults = {"rels": "application/vnd.openxmlformats-package.relationships+xml", "xml": "application/xml"}
    if any(sheet.buttons for sheet in sheets):
        defaults["vml"] = "application/vnd.openxmlformats-officedocument.vmlDrawing"
    lines = [f'<Default Extension="{ext}" ContentType="{kind}"/>' for ext, kind in defaults.items()]
    lines += [f'<Override PartName="{part}" ContentType="{kind}"/>' for part, kind in overrides.items()]
    namespace = "http://schemas.openxmlformats.org/package/2006/content-types"
    return f'{_HEAD}<Types xmlns="{namespace}">{"".join(lines)}</Types>'


def _workbook(sheets: Sequence[Sheet], *, hidden: bool) -> str:
    listed = "".join(
        f'<sheet name={quoteattr(sheet.name)} sheetId="{n}"{"" if sheet.visible else " state=" + quoteattr("hidden")} r:id="rId{n}"/>'
        for n, sheet in enumerate(sheets, 1)
    )
    view = '<workbookView visibility="hidden"/>' if hidden else "<workbookView/>"
    return (
        f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><workbookPr codeName="ThisWorkbook"/>'
        f"<bookViews>{view}</bookViews><sheets>{listed}</sheets></workbook>"
    )


_STYLES = (
    f'{_HEAD}<styleSheet xmlns="{_MAIN}"><fonts count="2"><font><sz val="10"/><name val="Calibri"/><family val="2"/></font>'
    '<font><b/><sz val="16"/><name val="Calibri"/><family val="2"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def _strings(sheets: Sequence[Sheet]) -> dict[str, int]:
    """Return every text of the sheets with its number."""
    texts = (v for sheet in sheets for _, v in sorted(sheet.cells.items()) if isinstance(v, str))
    return {text: number for number, text in enumerate(dict.fromkeys(texts))}


def _shared_strings(sheets: Sequence[Sheet], strings: Mapping[str, int]) -> str:
    count = sum(isinstance(value, str) for sheet in sheets for value in sheet.cells.values())
    items = "".join(f'<si><t xml:space="preserve">{escape(text)}</t></si>' for text in strings)
    return f'{_HEAD}<sst xmlns="{_MAIN}" count="{count}" uniqueCount="{len(strings)}">{items}</sst>'


def _worksheet(sheet: Sheet, strings: Mapping[str, int]) -> str:
    rows: dict[int, list[tuple[int, Value]]] = {}
    for (row, column), value in sorted(sheet.cells.items()):
        rows.setdefault(row, []).append((column, value))
    data = "".join(
        f'<row r="{row}">{"".join(_cell(row, column, value, strings) for column, value in cells)}</row>'
        for row, cells in rows.items()
    )
    columns = "".join(
        f'<col min="{n}" max="{n}" width="{width}" customWidth="1"/>'
        for n, width in enumerate(sheet.widths, 1)
    )
    drawing = '<legacyDrawing r:id="rId1"/>' if sheet.buttons else ""
    return (
        f'{_HEAD}<worksheet xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheetPr codeName={quoteattr(sheet.code_name)}/>'
        f'<sheetViews><sheetView showGridLines="0" workbookViewId="0"/></sheetViews>'
        f"{f'<cols>{columns}</cols>' if columns else ''}<sheetData>{data}</sheetData>{drawing}</worksheet>"
    )


def _cell(row: int, column: int, value: Value, strings: Mapping[str, int]) -> str:
    place = f"{chr(64 + column)}{row}"
    style = ' s="1"' if (row, column) == (1, 1) and isinstance(value, str) else ""
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    return f'<c r="{place}"{style} t="s"><v>{strings[value]}</v></c>'


def _buttons(sheet: Sheet, number: int) -> str:
    """Return the drawing of form buttons, in the markup that Excel has used for them since 1997."""
    shapes = "".join(_button(button, 1024 * number + n) for n, button in enumerate(sheet.buttons, 1))
    return (
        '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
        ' xmlns:x="urn:schemas-microsoft-com:office:excel">'
        f'<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="{number}"/></o:shapelayout>'
        '<v:shapetype id="_x0000_t201" coordsize="21600,21600" o:spt="201" path="m,l,21600r21600,l21600,xe">'
        '<v:stroke joinstyle="miter"/><v:path shadowok="f" o:extrusionok="f" strokeok="f" fillok="f" o:connecttype="rect"/>'
        f'<o:lock v:ext="edit" shapetype="t"/></v:shapetype>{shapes}</xml>'
    )


def _button(button: Button, number: int) -> str:
    right, bottom = button.column + button.width, button.row + 2
    anchor = f"{button.column}, 0, {button.row}, 0, {right}, 0, {bottom}, 0"
    return (
        f'<v:shape id="_x0000_s{number}" type="#_x0000_t201" style="position:absolute;z-index:{number}" o:button="t"'
        ' fillcolor="buttonFace [67]" strokecolor="windowText [64]" o:insetmode="auto">'
        '<v:fill color2="buttonFace [67]" o:detectmouseclick="t"/><o:lock v:ext="edit" rotation="t"/>'
        '<v:textbox style="mso-direction-alt:auto" o:singleclick="f"><div style="text-align:center">'
        f'<font face="Calibri" size="220" color="#000000">{escape(button.caption)}</font></div></v:textbox>'
        f'<x:ClientData ObjectType="Button"><x:Anchor>{anchor}</x:Anchor><x:PrintObject>False</x:PrintObject>'
        f"<x:AutoFill>False</x:AutoFill><x:FmlaMacro>[0]!{escape(button.macro)}</x:FmlaMacro>"
        "<x:TextHAlign>Center</x:TextHAlign><x:TextVAlign>Center</x:TextVAlign></x:ClientData></v:shape>"
    )
