"""The language of each sentence as a hint for a person: French, English, both mixed, or unsure. Never a grade.

A sentence is told by words that belong to one language alone (articles, pronouns, greetings, a few words of shops and parcels),
by contractions ("don't", "l'article") and by accents inside a sentence. Quoted words are not read: a French sentence may name
an English link. Names of streets and people count like other words, and grammar is not read at all, so a French sentence with
one English word stays French and an English verb with a French ending ("réfunder") is not seen. The sentences on which this
errs are kept in docs/protocols/code-checks.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from lark_sheets.core.code_checks import sentences_of
from lark_sheets.core.common_words import ENGLISH, FRENCH, SHARED
from lark_sheets.core.text import folded


class Hint(StrEnum):
    """What a sentence seems to be written in."""

    FRENCH = "fr"
    ENGLISH = "en"
    MIXED = "mixed"
    UNSURE = "unsure"


class Sentence(NamedTuple):
    """One sentence and its hint."""

    text: str
    hint: Hint


_MORE_FRENCH = frozenset([
    "ai", "allô", "allo", "astheure", "bonsoir", "bientôt", "ça", "celle", "celui", "chaque", "chu", "coudonc",
    "courriel", "depuis", "dois", "envoyer", "faque", "faut", "icitte", "jamais", "jour", "jours",
    "là", "magasiner", "moi", "ni", "non", "oui", "pantoute", "peut", "peux", "pis", "plus", "pourquoi", "puis",
    "quand", "quel", "quelle", "quelques", "rien", "salut", "semaine", "soir", "suis", "tantôt", "toi", "toujours", "tsé",
    "va", "vais", "vont", "veut", "veux", "voici", "voilà", "reçu", "livraison", "remboursement", "colis", "commande",
    "garantie", "bienvenue", "bonne", "beaucoup", "fin",
])  # fmt: skip
_MORE_ENGLISH = frozenset([
    "account", "again", "already", "another", "arrive", "arrived", "arrives", "asap", "asked", "available", "back", "backorder",
    "bought", "box", "broken", "business", "call", "came", "cancel", "cart", "check", "checkout", "cheers", "contact", "customer",
    "damaged", "days", "deal", "deliver", "delivered", "delivery", "feedback", "filled", "free", "full", "give", "going", "good",
    "got", "great", "hey", "i", "item", "items", "late", "leave", "link", "lost", "missing", "money", "morning", "need", "never",
    "new", "now", "okay", "old", "online", "opened", "order", "ordered", "orders", "overnight", "package", "paid", "parcel", "password",
    "pick", "pickup", "policy", "price", "received", "refund", "refunded", "replace", "reply", "return", "returned", "returns", "send", "sent",
    "ship", "shipped", "shipping", "shop", "show", "soon", "store", "still", "tell", "team", "today", "tomorrow", "too", "track", "tracking",
    "try", "until", "update", "very", "wait", "waiting", "want", "warranty", "website", "week", "weekend", "welcome", "why",
    "working", "write", "wrong", "yet", "yesterday",
])  # fmt: skip
_BOTH = SHARED | {"s", "n", "d", "l", "c", "j", "m", "t"}
_ONLY_FRENCH = (FRENCH | _MORE_FRENCH) - _BOTH
_ONLY_ENGLISH = (ENGLISH | _MORE_ENGLISH) - _BOTH

_QUOTED = re.compile(r"«[^»]*»|“[^”]*”|\"[^\"]*\"")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_ENGLISH_SHORTENED = re.compile(
    r"\b(?:i'm|(?:i|you|we|they|he|she|it|that|there|who|what)'(?:re|ve|ll|d|s)|let's|[a-z]+n't)\b"
)
_FRENCH_ELIDED = re.compile(r"\b(?:j|l|d|c|n|s|m|t|y|qu|jusqu|lorsqu|puisqu|quelqu|aujourd)'(?=[^\W\d_]{2})")
_ACCENTED = re.compile("[àâçèéêëîïôûùœ]")

FEW_WORDS = 5
"""Up to so many words one telling word decides; a longer sentence needs two."""
MIXING = 2
"""Telling words of both languages from which a sentence is mixed."""
DOMINATING = 4
"""How many times the words of one language must outnumber the other's for the sentence to count as that one all the same."""


def hint_of(sentence: str) -> Hint:
    """Return the hint for one sentence, by its telling words.

    With at least two telling words of each language it is mixed, unless one language has more than four times as many. Otherwise the
    language with at least two telling words (one, in up to five words) and at least twice as many as the other; else unsure.
    """
    bare = _QUOTED.sub(" ", sentence)
    text, shortened = _ENGLISH_SHORTENED.subn(" ", folded(bare))
    text, elided = _FRENCH_ELIDED.subn(" ", text)
    words = _WORD.findall(text)
    accented = {folded(w) for w in _WORD.findall(bare) if w[0].islower() and _ACCENTED.search(w)}
    french = elided + sum(w in _ONLY_FRENCH or w in accented for w in words)
    english = shortened + sum(w in _ONLY_ENGLISH for w in words)
    fewer, more = sorted((french, english))
    if fewer >= MIXING and more <= DOMINATING * fewer:
        return Hint.MIXED
    needed = 1 if len(words) + shortened <= FEW_WORDS else 2
    if more < needed or more < 2 * fewer:
        return Hint.UNSURE
    return Hint.FRENCH if french > english else Hint.ENGLISH


def hints(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text, in order, each with its hint."""
    return tuple(Sentence(sentence, hint_of(sentence)) for sentence in sentences_of(text))


def together(sentences: Iterable[Sentence]) -> Hint:
    """Return the hint for a whole text: the language of all sentences that are sure, mixed when they differ."""
    sure = {sentence.hint for sentence in sentences} - {Hint.UNSURE}
    return Hint.UNSURE if not sure else sure.pop() if len(sure) == 1 else Hint.MIXED
