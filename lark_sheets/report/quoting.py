"""Texts of responses as the report shows them: verbatim, or shortened with the exact number of characters left out."""

from __future__ import annotations

import re
from typing import NamedTuple

from lark_sheets.report.words import Phrases

_CODE = re.compile(r"^(```|\t| {4,}\S)", re.MULTILINE)


NEAR = 1.3
"""A text that is only a little longer than the limit is shown whole: cutting a line off would help nobody."""


class Quote(NamedTuple):
    """A text, whether it is laid out as code (blanks and lines matter), and what tells how much is left out."""

    text: str
    code: bool
    shortened: str
    language: str


def quoted(phrases: Phrases, response_id: str, limit: int | None) -> Quote:
    """Return a response's text, at most ``limit`` characters of it (None: all)."""
    response = phrases.response[response_id]
    return shortened(phrases, response.text, limit, response.language)


def shortened(phrases: Phrases, text: str, limit: int | None, language: str = "") -> Quote:
    """Return a text of at most ``limit`` characters, cut at a blank where one is near, and the note that says so."""
    code = bool(_CODE.search(text))
    if limit is None or len(text) <= limit * NEAR:
        return Quote(text, code, "", language)
    cut = text.rfind(" ", limit - 40, limit)
    kept = text[: cut if cut > 0 else limit]
    note = phrases.translate(
        "… ({count} characters not shown, see the workbook)",
        count=phrases.translate.whole(len(text) - len(kept)),
    )
    return Quote(kept, code, note, language)


def brief_text(phrases: Phrases, text: str, limit: int) -> str:
    """Return a text of at most ``limit`` characters in one piece, with the note of what is left out, if anything."""
    quote = shortened(phrases, text, limit)
    return f"{quote.text} {quote.shortened}" if quote.shortened else text
