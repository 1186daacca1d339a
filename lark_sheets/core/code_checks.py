"""What a program can see in a response: issue codes it proposes, never a grade.

The checks look for a code fence, text around the JSON object, invalid JSON, six sentences or more, a reply (or a sentence of it) in the
wrong language, and an empty answer. They read like a first filter: a program finds marks, a person understands. Used where a rule would
raise a grade, so that a fault nobody recorded is looked at by a person first, and beside a judge.

Limits, told on purpose: a response without any brace is taken for plain text, so nothing is said about its JSON. Language is told by common
words of French and English alone; a sentence with fewer than two such words is left undecided, quoted words are not read, and no grammar
is checked. A sentence ends with . ! ? or … before a blank; common abbreviations do not end one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, NoReturn

from lark_sheets.core.common_words import ABBREVIATIONS, ENGLISH, FRENCH, SHARED
from lark_sheets.core.text import folded

FENCE, AROUND, INVALID, LONG = "fence", "text_around_json", "invalid_json", "six_sentences"
ENGLISH_PHRASE, WRONG_LANGUAGE, EMPTY = "english_phrase", "wrong_language", "empty"
CHECKED = (FENCE, AROUND, INVALID, LONG, ENGLISH_PHRASE, WRONG_LANGUAGE, EMPTY)
"""The issue codes that these checks can propose; a rubric without one of them is not asked about it."""

TOO_MANY_SENTENCES = 6
REPLY_KEY = "reply"

_FENCE_LINE = re.compile(r"^[ \t]*(?:```+|~~~+)[^\n`]*$", re.MULTILINE)
_REPLY = re.compile(rf'"{REPLY_KEY}"\s*:\s*"((?:[^"\\]|\\.)*)"', re.DOTALL)
_QUOTED = re.compile(r"«[^»]*»|“[^”]*”|\"[^\"]*\"")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SENTENCE_END = re.compile(r"[.!?…]+[»”\")’]*(?=\s|$)")
_FRENCH_LETTERS = re.compile("[àâçèêëîïôûùœé]")


class Seen(NamedTuple):
    """One thing a check saw: the issue code it proposes, and what it saw (a sentence, a count) for the person who looks."""

    code: str
    what: str = ""


def seen_in(text: str, language: str = "") -> tuple[Seen, ...]:
    """Return what the checks see in a response.

    ``language`` is that of the reply expected ("fr" or "en"); without it nothing is said about languages. Each code is
    proposed at most once.
    """
    if not text.strip():
        return (Seen(EMPTY),)
    reply, found = _unwrapped(text)
    if not reply.strip():
        return (*found, Seen(EMPTY)) if not found or found[-1].code != INVALID else tuple(found)
    sentences = sentences_of(reply)
    if len(sentences) >= TOO_MANY_SENTENCES:
        found.append(Seen(LONG, str(len(sentences))))
    foreign = _foreign_sentences(sentences, language)
    if foreign and len(foreign) * 2 > len(sentences):
        found.append(Seen(WRONG_LANGUAGE, foreign[0]))
    elif foreign and language == "fr":
        found.append(Seen(ENGLISH_PHRASE, foreign[0]))
    return tuple(found)


def proposed_codes(text: str, language: str = "") -> frozenset[str]:
    """Return only the ids of the codes that :func:`seen_in` proposes."""
    return frozenset(seen.code for seen in seen_in(text, language))


def reply_of(text: str) -> str:
    """Return the words meant for the customer: the reply inside a JSON object, else the text without its fence lines.

    A broken object is returned whole: where its reply ends is then a guess (a quotation mark inside it may be what broke it).
    """
    reply, found = _unwrapped(text)
    return _FENCE_LINE.sub("", text).strip() if any(seen.code == INVALID for seen in found) else reply


def object_of(text: str) -> Mapping[str, Any] | None:
    """Return the JSON object in a response, fenced or not, or None when there is none that can be read."""
    bare = _FENCE_LINE.sub("", text)
    opening, closing = bare.find("{"), bare.rfind("}")
    try:
        data = json.loads(bare[opening : closing + 1], parse_constant=_no_constant) if opening >= 0 else None
    except ValueError:
        return None
    return data if isinstance(data, Mapping) else None


def _unwrapped(text: str) -> tuple[str, list[Seen]]:
    """Return the words meant for the customer, and what wrapping them was seen."""
    found: list[Seen] = []
    bare = _FENCE_LINE.sub("", text)
    if bare != text:
        found.append(Seen(FENCE))
    opening, closing = bare.find("{"), bare.rfind("}")
    if opening < 0:
        return bare, found
    around = bare[:opening] + (bare[closing + 1 :] if closing >= 0 else "")
    if around.strip():
        found.append(Seen(AROUND, around.strip()))
    body = bare[opening : closing + 1] if closing >= 0 else bare[opening:]
    try:
        data = json.loads(body, parse_constant=_no_constant)
    except ValueError as error:
        found.append(Seen(INVALID, str(error)))
        match = _REPLY.search(body)
        return (match[1] if match else ""), found
    return _prose(data), found


def _no_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity: Python reads them, JSON has none."""
    raise ValueError(name)


def _prose(data: Any) -> str:
    """Return the reply of a JSON object: the field of that name, else its longest text."""
    if not isinstance(data, Mapping):
        return ""
    if isinstance(data.get(REPLY_KEY), str):
        return str(data[REPLY_KEY])
    texts = [value for value in data.values() if isinstance(value, str)]
    return max(texts, key=len, default="")


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, in order; abbreviations and decimals do not end one."""
    sentences: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        before = text[start : match.start()]
        last = folded(before.rsplit(None, 1)[-1]) if before.split() else ""
        if match[0].startswith(".") and (last.lstrip("(«“") in ABBREVIATIONS or _is_initial(before)):
            continue
        if _WORD.search(before):
            sentences.append(text[start : match.end()].strip())
            start = match.end()
    if _WORD.search(text[start:]):
        sentences.append(text[start:].strip())
    return sentences


def _is_initial(before: str) -> bool:
    """Say whether a full stop follows a single capital letter, as in "J. Tremblay"."""
    last = before.rsplit(None, 1)[-1] if before.split() else ""
    return len(last) == 1 and last.isupper() and last not in "AIÀYO"


def language_of(sentence: str) -> Literal["fr", "en", ""]:
    """Return the language of a sentence by its common words, or "" when they do not decide.

    English needs two common words and at least twice as many as French ones (and the reverse); a letter with a French accent counts
    as one French word. Quoted words are not read.
    """
    bare = folded(_QUOTED.sub(" ", sentence))
    words = [w for w in _WORD.findall(bare.replace("'", " ")) if w not in SHARED]
    french = sum(w in FRENCH or bool(_FRENCH_LETTERS.search(w)) for w in words)
    english = sum(w in ENGLISH for w in words)
    if english >= 2 and english >= 2 * french:
        return "en"
    if french >= 2 and french >= 2 * english:
        return "fr"
    return ""


def _foreign_sentences(sentences: list[str], language: str) -> list[str]:
    if language not in ("fr", "en"):
        return []
    return [s for s in sentences if language_of(s) not in ("", language)]
