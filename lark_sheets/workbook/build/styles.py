"""How our workbooks look: one ink, one blue, yellow for what may be typed; and how tall a row must be for its text.

No meaning hangs on colour alone: a grade is a digit, a state a word. Every pair of text and ground has a contrast of 4.5 or more.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from lark_sheets.core.bookplan import Style

INK, BLUE, GREY = "14202B", "0B4F8A", "5B6770"
YELLOW, BAND, RULE = "FFF8DC", "EEF3F7", "C9D3DA"
ASKING = "FFE08A"
LOWEST, MIDDLE, TOP = "23507C", "A9C7E4", "FFFFFF"
ALARM, ALARM_GROUND = "8A1C1C", "FBE9E7"

TITLE = Style(bold=True, size=16, colour=INK, vertical="center")
HEADING = Style(bold=True, size=12, colour=INK, vertical="bottom")
TEXT = Style(wrap=True)
PLAIN = Style()
QUIET = Style(size=9, colour=GREY, wrap=True)
QUIET_LINE = replace(QUIET, wrap=False, vertical="center")
LINK = Style(colour=BLUE, underline=True, vertical="top")
LINK_LINE = replace(LINK, vertical="center")
BOLD_LINE = Style(bold=True, vertical="center")
HEADER = Style(bold=True, size=10, fill=BAND, border="bottom", vertical="bottom", wrap=True)
HEADER_CENTRED = replace(HEADER, horizontal="center")
ANCHOR = Style(size=9, colour=INK, fill=BAND, wrap=True, border="thin")
HINT = replace(ANCHOR, colour=GREY)
READ = Style(wrap=True, border="thin")
READ_CENTRED = replace(READ, horizontal="center")
LABEL = replace(READ_CENTRED, bold=True, size=11)
RESULT = replace(READ_CENTRED, vertical="center")
GRADE = Style(
    bold=True, size=12, horizontal="center", vertical="center", fill=YELLOW, border="thin", locked=False
)
TYPED = Style(wrap=True, fill=YELLOW, border="thin", locked=False)
TYPED_CENTRED = replace(TYPED, horizontal="center", vertical="center")
OPEN = Style(wrap=True, border="thin", locked=False)
HIDDEN = Style(size=8, colour=GREY)
COUNT = Style(bold=True, size=12, horizontal="left", vertical="center")
STEP = Style(bold=True, size=14, colour=BLUE, horizontal="center")

LINE = 13.2
"""Points that one line of 10-point text takes, with the room that wider fonts need."""
MOST = 409.0
"""The tallest row that a spreadsheet allows, in points."""
LEAST = 34.0


@lru_cache(maxsize=4_096)
def lines(text: str, width: float, size: float = 10) -> int:
    """Return how many lines a wrapped text takes in a column ``width`` characters wide.

    Words are not split unless they are longer than a line. Wide characters (Chinese, Japanese, Korean, emoji) count double. The
    estimate was measured with Calibri in Excel's metrics and with the wide font that stands in for it elsewhere.
    """
    room = max(3.0, width * 10 / size * 1.08)
    return sum(_wrapped(line, room) for line in text.replace("\r\n", "\n").split("\n")) if text else 0


def _wrapped(line: str, room: float) -> int:
    count, used = 1, 0.0
    for word in line.split(" "):
        length = len(word) if word.isascii() and word.islower() else sum(map(_columns, word))
        if used and used + length > room:
            count, used = count + 1, 0.0
        if length > room:
            breaks = int((used + length - 0.01) // room)
            count, used = count + breaks, used + length - breaks * room + 1
        else:
            used += length + 1
    return count


def _columns(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 2.0
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0.0
    return 1.15 if character.isupper() or character in "—…" else 1.0


def height(cells: Iterable[tuple[str, float, float]], least: float = LEAST) -> float:
    """Return the height of a row in points from its wrapped cells: text, column width, font size."""
    needed = max(
        (lines(text, width, size) * LINE * size / 10 + 6 for text, width, size in cells), default=0.0
    )
    return round(min(MOST, max(least, needed)), 1)


def fits(text: str, width: float, size: float = 10) -> bool:
    """Say whether a text can be seen whole in the tallest row."""
    return lines(text, width, size) * LINE * size / 10 + 6 <= MOST
