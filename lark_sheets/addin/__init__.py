"""The add-in for Excel: the sources of its macros and its ribbon, the built files, and what both are called.

``LarkButtons.bas``, ``LarkRibbon.bas`` and ``ribbon.xml`` are what people read and change; ``python -m lark_sheets.addin`` builds the files
in ``built`` from them, the same bytes every time. Nothing here is imported by a button.
"""

from __future__ import annotations

from pathlib import Path

from lark_sheets.core.language import Language

FOLDER = Path(__file__).parent
BUILT = FOLDER / "built"
MODULES = ("LarkButtons", "LarkRibbon")
"""Our own macros, one file each."""
XLWINGS_VERSION = "0.37.8"
"""The version of xlwings whose own modules stand in the built files (BSD licence); the Mac's script bears it in its name."""
CONFIGURATION_SHEET = "xlwings.conf"
"""The sheet in which xlwings' module looks for its settings before any other place; it knows no other workbook's."""


def addin_name(language: Language) -> str:
    """Return the file name of the built add-in in a language."""
    return f"lark_sheets-{language}.xlam"


def panel_name(language: Language) -> str:
    """Return the file name of the built workbook with form buttons in a language."""
    return f"lark_buttons-{language}.xlsm"


def source(name: str) -> str:
    """Return the text of a source file of ours."""
    return (FOLDER / name).read_text("utf-8")


def built(name: str) -> bytes:
    """Return the bytes of a built file."""
    return (BUILT / name).read_bytes()
