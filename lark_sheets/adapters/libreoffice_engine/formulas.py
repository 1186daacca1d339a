"""Formula texts between Excel's writing and the one of LibreOffice's interface.

Excel writes ``Sheet!A1`` and commas, LibreOffice's interface ``$Sheet.A1`` and semicolons, and FALSE as FALSE(). Texts and quoted sheet
names are left alone; inline arrays ({1,2;3,4}) are met too. Names of functions are the same in the English both use.
"""

from __future__ import annotations

import re
from functools import lru_cache

_QUOTED = re.compile(r"""("(?:[^"]|"")*"|'(?:[^']|'')*')""")
_SHEET_EXCEL = re.compile(r"\b([^\W\d]\w*)!(?=\$?[A-Za-z])")
_SHEET_OFFICE = re.compile(r"\$?\b([^\W\d]\w*)\.(?=\$?[A-Z]{1,3}\$?\d)")
_PREFIXES = re.compile(r"\b_xlfn\.(?:_xlws\.)?|\b_xlpm\.")
_TRUTH = re.compile(r"\b(TRUE|FALSE)\(\)")
_ARRAY = re.compile(r"[{}]")


def to_office(formula: str) -> str:
    """Return an Excel formula as LibreOffice's interface takes it."""
    pieces = _QUOTED.split(formula)
    depth = 0
    for index in range(0, len(pieces), 2):
        text = _SHEET_EXCEL.sub(r"$\1.", _PREFIXES.sub("", pieces[index]))
        if index and pieces[index - 1].startswith("'") and text.startswith("!"):
            pieces[index - 1], text = "$" + pieces[index - 1], "." + text[1:]
        pieces[index], depth = _separators(text, depth, {",": ";"}, {",": ";", ";": "|"})
    return "".join(pieces)


@lru_cache(maxsize=4096)
def to_excel(formula: str) -> str:
    """Return a formula of LibreOffice's interface as Excel writes it."""
    pieces = _QUOTED.split(formula)
    depth = 0
    for index in range(0, len(pieces), 2):
        text = _SHEET_OFFICE.sub(r"\1!", pieces[index])
        if index and pieces[index - 1].startswith("'") and text.startswith("."):
            text = "!" + text[1:]
        if index + 1 < len(pieces) and pieces[index + 1].startswith("'"):
            text = text.removesuffix("$")
        pieces[index], depth = _separators(text, depth, {";": ","}, {";": ",", "|": ";"})
    return (
        _TRUTH.sub(r"\1", "".join(pieces)) if "TRUE()" in formula or "FALSE()" in formula else "".join(pieces)
    )


def _separators(text: str, depth: int, outside: dict[str, str], inside: dict[str, str]) -> tuple[str, int]:
    """Exchange separators, those within braces apart; ``depth`` says how many braces are open."""
    if depth == 0 and not _ARRAY.search(text):
        for old, new in outside.items():
            text = text.replace(old, new)
        return text, 0
    out = []
    for character in text:
        depth += {"{": 1, "}": -1}.get(character, 0)
        out.append((inside if depth else outside).get(character, character))
    return "".join(out), depth
