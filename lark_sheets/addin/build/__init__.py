"""Building the add-in and the workbook with buttons from their sources; the same sources give the same bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from xml.sax.saxutils import escape, unescape

from lark_sheets.addin import CONFIGURATION_SHEET, MODULES, XLWINGS_VERSION, source
from lark_sheets.addin.build.parts import (
    ADDIN_TYPE,
    MACRO_TYPE,
    Button,
    Sheet,
    Value,
    part,
    workbook_file,
)
from lark_sheets.addin.build.vba_project import SHEET_CLASS, WORKBOOK_CLASS, Module, vba_project
from lark_sheets.core.language import Language, Translator
from lark_sheets.locales import translator

SETTINGS: Mapping[str, Value] = {
    "INTERPRETER_WIN": "",
    "INTERPRETER_MAC": "",
    "PYTHONPATH": "",
    "ADD_WORKBOOK_TO_PYTHONPATH": False,
    "CONDA PATH": "",
    "CONDA ENV": "",
    "UDF MODULES": "",
    "DEBUG UDFS": False,
    "USE UDF SERVER": False,
    "SHOW CONSOLE": False,
    "LICENSE_KEY": "",
    "ONEDRIVE_CONSUMER_WIN": "",
    "ONEDRIVE_COMMERCIAL_WIN": "",
    "SHAREPOINT_WIN": "",
    "ONEDRIVE_CONSUMER_MAC": "",
    "ONEDRIVE_COMMERCIAL_MAC": "",
    "SHAREPOINT_MAC": "",
}
"""Every setting that xlwings' module asks for. All stand in the add-in's own sheet, which is asked first, so that neither a workbook
nor a file beside one can say which program is run. A .py file beside a workbook is never imported."""
_TRANSLATED = re.compile(r'(\s(?:label|screentip|supertip)=")([^"]*)(")')
_ENTITIES = {"&quot;": '"', "&apos;": "'"}
TAB_NAME = "Lark"


def build_addin(language: Language, project: bytes | None = None, interpreter: str = "python") -> bytes:
    """Return the ribbon add-in (.xlam) in a language.

    As it is shipped, it runs the Python found on PATH; ``addin install`` names another ``interpreter`` and hands over the ``project``
    of the shipped file, so that the macros are the tested ones, byte for byte.
    """
    return workbook_file(
        [_configuration(interpreter, "Sheet1", visible=True)],
        project or vba_project(modules(["Sheet1"])),
        content_type=ADDIN_TYPE,
        ribbon=ribbon(translator(language)),
    )


def build_panel(language: Language, project: bytes | None = None, interpreter: str = "python") -> bytes:
    """Return the workbook with form buttons (.xlsm) in a language; it works on the campaign in whose folder it lies."""
    return workbook_file(
        [_panel(translator(language)), _configuration(interpreter, "Sheet2", visible=False)],
        project or vba_project(modules(["Sheet1", "Sheet2"])),
        content_type=MACRO_TYPE,
    )


def project_of(data: bytes) -> bytes:
    """Return the VBA project of a built file."""
    return part(data, "xl/vbaProject.bin")


def modules(sheets: Sequence[str], runner: str | None = None) -> list[Module]:
    """Return the modules of a project with these sheets: the documents', ours, and xlwings' own two.

    ``runner`` is another module that gives ``RunPython``, for tests in a program that cannot run xlwings'.
    """
    found = [Module.document("ThisWorkbook", WORKBOOK_CLASS)]
    found += [Module.document(sheet, SHEET_CLASS) for sheet in sheets]
    found += [Module(name=name, text=source(f"{name}.bas")) for name in MODULES]
    if runner is not None:
        return [*found, Module(name="xlwings", text=runner)]
    return [
        *found,
        Module(name="Dictionary", text=_of_xlwings("addin/Dictionary.cls"), kind="class"),
        Module(name="xlwings", text=_of_xlwings("xlwings.bas")),
    ]


def _of_xlwings(name: str) -> str:
    """Return a source file of the installed xlwings, which must be of the version that the add-in is built with."""
    text = files("xlwings").joinpath(name).read_text("utf-8-sig")
    if name.endswith(".bas") and f'XLWINGS_VERSION As String = "{XLWINGS_VERSION}"' not in text:
        raise ValueError(f"the add-in is built with xlwings {XLWINGS_VERSION}, another version is installed")
    return text


def ribbon(translate: Translator) -> str:
    """Return the ribbon with its texts in a language."""

    def one(match: re.Match[str]) -> str:
        text = unescape(match[2], _ENTITIES)
        said = text if text == TAB_NAME else translate(text)
        return match[1] + escape(said, {'"': "&quot;"}) + match[3]

    return _TRANSLATED.sub(one, source("ribbon.xml"))


def texts_of_ribbon() -> list[str]:
    """Return the texts of the ribbon in English, for the catalogue."""
    found = [unescape(match[2], _ENTITIES) for match in _TRANSLATED.finditer(source("ribbon.xml"))]
    return [text for text in dict.fromkeys(found) if text != TAB_NAME]


def _configuration(interpreter: str, code_name: str, *, visible: bool) -> Sheet:
    settings = {**SETTINGS, "INTERPRETER_WIN": interpreter, "INTERPRETER_MAC": interpreter}
    cells: dict[tuple[int, int], Value] = {}
    for row, (key, value) in enumerate(settings.items(), 1):
        cells[row, 1] = key
        if value != "":
            cells[row, 2] = value
    return Sheet(CONFIGURATION_SHEET, code_name, cells, visible=visible, widths=(32, 60))


def _panel(translate: Translator) -> Sheet:
    rows = (
        (translate("New"), "LarkNew", 0),
        (translate("Update"), "LarkUpdate", 1),
        (translate("Preview"), "LarkPreview", 2),
        (translate("Apply"), "LarkApply", 2),
        (translate("Undo"), "LarkUndo", 2),
        (translate("Estimate"), "LarkEstimate", 3),
        (translate("Calibrate"), "LarkCalibrate", 3),
        (translate("Start"), "LarkJudge", 3),
        (translate("API key"), "LarkStoreKey", 3),
        (translate("Report"), "LarkReport", 4),
        (translate("Help"), "LarkSelfTest", 5),
    )
    names = ("", "", translate("Re-score"), translate("Judge"), "", "")
    cells: dict[tuple[int, int], Value] = {
        (1, 1): "Lark Sheets",
        (2, 1): translate(
            "Put this workbook into the campaign’s folder, open it, allow its macros, and press a button. The ribbon add-in does the same without it."
        ),
    }
    buttons, places = [], dict.fromkeys(range(len(names)), 1)
    for caption, macro, line in rows:
        column = places[line]
        buttons.append(Button(caption, f"LarkButtons.{macro}", 3 + 3 * line, column))
        places[line] = column + 2
    for line, name in enumerate(names):
        if name:
            cells[4 + 3 * line, 1] = name
    return Sheet(TAB_NAME, "Sheet1", cells, buttons, widths=(18, *[11.0] * 8))
