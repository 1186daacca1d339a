"""Whether a response parses as what it should be: JSON, Python or a regular expression. Nothing is ever run.

The code is the first fenced block, else the whole text. What parses may still be wrong; that is for a person to say.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable

from lark_sheets.core.text import folded

_BLOCK = re.compile(
    r"^[ \t]*(?:```+|~~~+)[^\n`]*\n(.*?)^[ \t]*(?:```+|~~~+)[ \t]*$", re.MULTILINE | re.DOTALL
)
LONGEST = 200_000
"""Characters above which nothing is parsed: no answer is that long, and a parser's memory has an end."""


def code_in(text: str) -> str:
    """Return the code in a response: its first fenced block, else the whole text."""
    found = _BLOCK.search(text)
    return found[1] if found else text.strip()


def syntax_fault(text: str, kind: str) -> str:
    """Return why the code in a response does not parse as its kind (json, python, regex), or "" when it does or the kind is another."""
    parse = _PARSERS.get(folded(kind))
    code = code_in(text)
    if parse is None or len(code) > LONGEST:
        return ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parse(code)
    except (SyntaxError, ValueError, re.error, OverflowError) as fault:
        return f"{folded(kind)}: {fault}"
    except (RecursionError, MemoryError):
        return f"{folded(kind)}: nested too deeply to be read"
    return ""


_PARSERS: dict[str, Callable[[str], object]] = {
    "json": json.loads,
    "python": ast.parse,
    "regex": lambda code: re.compile(code.strip()),
    "regular expression": lambda code: re.compile(code.strip()),
}
