"""Cells as XML: what a value or a formula looks like in a worksheet part, and text that XML cannot hold as it is."""

from __future__ import annotations

import math
import re

from lark_sheets.core.bookplan import Scalar

TEXT_LIMIT = 32_767
"""UTF-16 units that a cell holds."""

_LITERAL_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f]")  # carriage return too: XML would turn it into a line feed
_UNSTORABLE = re.compile("[\ud800-\udfff\ufffe\uffff]")
_NUMBERED = re.compile("_x([0-9A-Fa-f]{4})_")


def storable(text: str) -> str:
    """Return a text as a spreadsheet can hold it: half surrogate pairs and non-characters become U+FFFD, all else stays."""
    return _UNSTORABLE.sub("\ufffd", text) if _UNSTORABLE.search(text) else text


def escaped(text: str) -> str:
    """Return a text in the spelling of spreadsheet XML: control characters as ``_x000D_``, a literal ``_x000D_`` as ``_x005F_x000D_``."""
    text = storable(text)
    if "_x" in text:
        text = _LITERAL_ESCAPE.sub("_x005F_", text)
    return _CONTROL.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def unescaped(text: str) -> str:
    """Return the text behind the spelling of spreadsheet XML."""
    return _NUMBERED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def utf16_length(text: str) -> int:
    """Return how many UTF-16 units a text takes: what spreadsheets count as characters."""
    return len(text) + sum(character > "\uffff" for character in text)


def xml_text(text: str) -> bytes:
    """Return a text for the inside of an element."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").encode("utf-8")


def number_text(value: float) -> str:
    """Return a number as spreadsheets store it: 2.0 as "2". ``ValueError`` for infinity and NaN, which no cell can hold."""
    if not math.isfinite(value):
        raise ValueError(f"a cell cannot hold {value!r}")
    return (
        repr(int(value))
        if isinstance(value, int) or (value.is_integer() and abs(value) < 1e15)
        else repr(value)
    )


def cell_xml(prefix: bytes, place: bytes, style: bytes, value: Scalar, formula: bytes = b"") -> bytes:
    """Return one cell: ``place`` is its address, ``style`` its ``s`` attribute (with a leading blank) or nothing, ``formula`` a whole element.

    Texts are inline; the text result of a formula is ``t="str"``. A formula without value counts as empty text, not as uncomputed.
    """
    head = b"<" + prefix + b"c r=" + b'"' + place + b'"' + style
    if formula and value is None:
        value = ""
    if value is None:
        return head + b"/>" if style else b""
    tail = b"</" + prefix + b"c>"
    open_value, close_value = formula + b"<" + prefix + b"v>", b"</" + prefix + b"v>" + tail
    if isinstance(value, bool):
        return head + b' t="b">' + open_value + (b"1" if value else b"0") + close_value
    if isinstance(value, int | float):
        return head + b">" + open_value + number_text(value).encode() + close_value
    text = xml_text(escaped(value))
    if formula:
        return head + b' t="str">' + open_value + text + close_value
    inline = b'<%bis><%bt xml:space="preserve">%b</%bt></%bis>' % (prefix, prefix, text, prefix, prefix)
    return head + b' t="inlineStr">' + inline + tail


def formula_xml(prefix: bytes, formula: str) -> bytes:
    """Return a formula ("=A1+1") as an element, without its sign of equality."""
    return b"<%bf>%b</%bf>" % (prefix, xml_text(storable(formula.removeprefix("="))), prefix)
