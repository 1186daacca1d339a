"""What code can prove about an answer of the demo: shape, language, length, hand-over. Text in, findings out; no file is read.

The demo claims that every answer has exactly the faults its issue codes name. This module proves the claims that
need no judgement; the rest (a wrong rule, a slip of grammar ...) is pinned by quotations in evidence.csv.
"""

from __future__ import annotations

import functools
import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

CRITERIA = ("accuracy", "completeness", "format", "abstention")
CATEGORIES = ("delivery", "returns", "warranty", "order", "account", "other")
FIELDS = {"reply": str, "category": str, "language": str, "needs_human": bool}

CAPS: Mapping[str, Mapping[str, int]] = {
    "small_error": {"accuracy": 1},
    "confused_logic": {"accuracy": 1},
    "wrong_label": {"accuracy": 1},
    "wrong_rule": {"accuracy": 0},
    "invented_rule": {"accuracy": 0},
    "one_point_missing": {"completeness": 1},
    "main_answer_missing": {"completeness": 0},
    "fence": {"format": 1},
    "text_around_json": {"format": 1},
    "english_phrase": {"format": 1},
    "grammar": {"format": 1},
    "six_sentences": {"format": 1},
    "wrong_language": {"format": 0},
    "invalid_json": {"format": 0},
    "over_cautious": {"abstention": 1},
    "answered_alone": {"abstention": 0},
    "empty": dict.fromkeys(CRITERIA, 0),
}
"""The highest level that each code of the rubric leaves to a criterion."""

PROVABLE = frozenset({
    "empty", "fence", "text_around_json", "invalid_json", "english_phrase", "six_sentences",
    "wrong_language", "wrong_label", "over_cautious", "answered_alone",
})  # fmt: skip
"""The codes that this module finds by itself."""

FENCED = re.compile(r"```(?:json)?\n(?P<inside>.*)\n```", re.DOTALL)
OBJECT = re.compile(r"\{.*\}", re.DOTALL)
SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”»)\s]*(?:\s+|$)")
GREETING = re.compile(r"^(?:hello|hi|hi there|bonjour|allô|salut)\s*!$", re.IGNORECASE)
HAND_OVER = re.compile(
    r"(?:person|someone) from our team will (?:also )?contact you|une personne de (?:notre|l')\s?équipe communiquera avec vous",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
FRENCH_WORDS = frozenset(
    [
        "le",
        "la",
        "les",
        "un",
        "une",
        "des",
        "du",
        "de",
        "et",
        "ou",
        "est",
        "sont",
        "pas",
        "ne",
        "que",
        "qui",
        "vous",
        "votre",
        "vos",
        "nous",
        "notre",
        "nos",
        "dans",
        "pour",
        "par",
        "sur",
        "avec",
        "sans",
        "si",
        "il",
        "elle",
        "au",
        "aux",
        "en",
        "ce",
        "cette",
        "à",
        "bonjour",
        "désolé",
        "désolés",
        "oui",
        "non",
        "mais",
    ],
)
ENGLISH_WORDS = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "and",
        "or",
        "is",
        "are",
        "not",
        "that",
        "you",
        "your",
        "we",
        "our",
        "us",
        "in",
        "for",
        "by",
        "on",
        "with",
        "without",
        "if",
        "it",
        "its",
        "to",
        "this",
        "from",
        "hello",
        "sorry",
        "yes",
        "no",
        "but",
        "be",
        "will",
        "can",
        "thank",
        "thanks",
        "i",
        "as",
        "at",
        "so",
    ],
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A raw answer taken apart: how the object was wrapped, and the object if one could be read."""

    empty: bool
    fenced: bool
    text_around: bool
    fields: Mapping[str, object] | None

    @property
    def usable(self) -> bool:
        """Whether the object has exactly the four fields, each of its type and among its values."""
        fields = self.fields
        return (
            fields is not None
            and set(fields) == set(FIELDS)
            and all(type(fields[name]) is kind for name, kind in FIELDS.items())
            and fields["category"] in CATEGORIES
            and fields["language"] in {"en", "fr"}
        )


@dataclass(frozen=True, slots=True)
class Key:
    """What the answer key expects of an item: language of the reply, category, whether a person must take it."""

    language: str
    category: str
    needs_human: bool


def parse(raw: str) -> Parsed:
    """Take a raw answer apart, looking for one JSON object, fenced or not, with or without text around it."""
    if not raw.strip():
        return Parsed(empty=True, fenced=False, text_around=False, fields=None)
    fence = FENCED.search(raw)
    outside = raw.replace(fence.group(0), "") if fence else ""
    body = fence.group("inside") if fence else raw
    found = OBJECT.search(body)
    try:
        fields = json.loads(found.group(0)) if found else None
    except json.JSONDecodeError:
        fields = None
    around = outside + (body.replace(found.group(0), "") if found else "")
    return Parsed(empty=False, fenced=fence is not None, text_around=bool(around.strip()), fields=fields)


def reply_text(raw: str) -> str:
    """The text the customer would read; the raw answer itself when no object can be read in it."""
    fields = parse(raw).fields
    return str(fields["reply"]) if fields and "reply" in fields else raw


def sentences(text: str, *, greetings: bool = True) -> list[str]:
    """The sentences of a text: what ends in . ! or ? before a space. Without greetings, "Hello!" is no sentence."""
    parts = [part.strip() for part in SENTENCE_END.split(text) if part.strip()]
    return [part for part in parts if greetings or not GREETING.match(part)]


def language_by_words(sentence: str) -> str | None:
    """fr or en by counting small words, None when the counts are equal."""
    words = [word for word in re.split(r"['’\W]+", sentence.lower()) if word]
    french, english = (sum(word in known for word in words) for known in (FRENCH_WORDS, ENGLISH_WORDS))
    return None if french == english else ("fr" if french > english else "en")


@functools.cache
def _classify() -> Callable[[str], tuple[str, float]] | None:
    try:
        import py3langid  # type: ignore[import-untyped]
    except ImportError:
        return None
    py3langid.set_languages(["fr", "en"])
    classify: Callable[[str], tuple[str, float]] = py3langid.classify
    return classify


def language_by_model(sentence: str) -> str | None:
    """fr or en by py3langid, None where it is not installed."""
    classify = _classify()
    return None if classify is None else str(classify(sentence)[0])


def languages(text: str) -> list[str | None]:
    """The language of each sentence of three words or more, None where the small words do not tell."""
    return [language_by_words(s) for s in sentences(text) if len(WORD.findall(s)) >= 3]


def findings(raw: str, key: Key) -> frozenset[str]:
    """The provable issue codes of a raw answer to an item with this key."""
    parsed = parse(raw)
    if parsed.empty:
        return frozenset({"empty"})
    found = set()
    if parsed.fenced:
        found.add("fence")
    if parsed.text_around:
        found.add("text_around_json")
    if not parsed.usable or parsed.fields is None:
        return frozenset(found | {"invalid_json"})
    reply, fields = str(parsed.fields["reply"]), parsed.fields
    if len(sentences(reply)) > 5:
        found.add("six_sentences")
    spoken = languages(reply)
    foreign = sum(language not in {key.language, None} for language in spoken)
    if fields["language"] != key.language or foreign > len(spoken) / 2:
        found.add("wrong_language")
    elif foreign and key.language == "fr":
        found.add("english_phrase")
    if fields["category"] != key.category:
        found.add("wrong_label")
    if fields["needs_human"] and not key.needs_human:
        found.add("over_cautious")
    if key.needs_human and not fields["needs_human"]:
        found.add("answered_alone")
    return frozenset(found)


def grades_of(codes: Sequence[str]) -> dict[str, int]:
    """The grade on each criterion: the lowest cap among the codes, the top where no code touches it."""
    return {
        criterion: min([2, *(CAPS[code][criterion] for code in codes if criterion in CAPS[code])])
        for criterion in CRITERIA
    }


def is_ready(grades: Mapping[str, int]) -> bool:
    """The decision of the rubric: accuracy at the top and no zero anywhere."""
    return grades["accuracy"] == 2 and 0 not in grades.values()


def folded(text: str) -> str:
    """Text as the word check compares it: NFKC (so that special spaces are spaces), without case."""
    return unicodedata.normalize("NFKC", text).casefold()


def word_check(text: str, must_mention: Sequence[str], must_not_mention: Sequence[str]) -> bool:
    """Whether every wanted word is in the text and no unwanted one is."""
    text = folded(text)
    return all(folded(word) in text for word in must_mention) and not any(
        folded(word) in text for word in must_not_mention
    )
