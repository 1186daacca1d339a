"""How text is compared, cleaned and sealed: one form for fingerprints, ids and typed words."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from typing import Any

_INVISIBLE: dict[int, str | None] = {
    **dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"), None),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212"), "-"),
}
_SPACES = re.compile(r"\s+")


def canonical(text: str) -> str:
    """Return the form of a text that a fingerprint sees.

    Unicode NFC, line ends as LF (Excel saves LF as CRLF), no blanks at either end or before a line
    end. What a person would call the same text has one canonical form.
    """
    unified = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(line.rstrip() for line in unified.split("\n")).strip()


def clean_id(text: str) -> str:
    """Return an identifier without what the eye cannot see or tell apart.

    Outer blanks, NBSP and zero-width characters go, every hyphen is the plain one (mail programs change them).
    """
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text).translate(_INVISIBLE)).strip()


def folded(text: str) -> str:
    """Return a word as people match it: NFKC, no case, single spaces, straight apostrophes."""
    straight = unicodedata.normalize("NFKC", text).translate(_INVISIBLE).replace("’", "'")
    return _SPACES.sub(" ", straight).strip().casefold()


def squeezed(text: str) -> str:
    """Return only the letters and digits of a text, without case or accents.

    ``Mistral_7B``, ``mistral-7b`` and ``Mistral 7B`` are one name in this form.
    """
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in decomposed if character.isalnum())


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys and no blanks: equal values give equal text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def sha256(text: str) -> str:
    """Return the SHA-256 of a text's UTF-8 bytes, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
