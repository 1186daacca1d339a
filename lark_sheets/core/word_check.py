"""The word check: wanted words there, unwanted words not there; and how often that errs, against what people found.

It looks for characters, not for meaning. So it rejects a right answer that says the same in other words, or that holds an
unwanted phrase only to deny it, and it accepts an invented rule, because no list of words can forbid what nobody thought of. The table of
its errors is the reason why a person reads: it decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from lark_sheets.core.code_checks import sentences_of
from lark_sheets.core.text import folded

LIST_SEPARATOR = ";"

_NEGATIONS = re.compile(
    r"\b(?:n'|ne\b|pas\b|jamais\b|aucune?\b|sans\b|ni\b|impossible\b|not\b|never\b|cannot\b|without\b|nor\b|no\b|unable\b|\w+n't\b)"
)


class Kind(StrEnum):
    """Why the check rejects a response, or that it has nothing to look for."""

    MISSING = "missing"
    """A wanted word is not there."""
    UNWANTED = "unwanted"
    """An unwanted word is there, in a sentence without a negation."""
    NEGATED = "negated"
    """An unwanted word is there, only in sentences that hold a negation before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordCheck:
    """What the check found in one response. ``asked`` is False where the ticket lists no word at all: it then passes unread."""

    missing: tuple[str, ...]
    unwanted: tuple[str, ...]
    negated: tuple[str, ...]
    asked: bool

    @property
    def passed(self) -> bool:
        """Say whether every wanted word is there and no unwanted one is, denied or not: the check knows no meaning."""
        return not (self.missing or self.unwanted or self.negated)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Return why it rejects; empty when it passes."""
        found = ((Kind.MISSING, self.missing), (Kind.UNWANTED, self.unwanted), (Kind.NEGATED, self.negated))
        return tuple(kind for kind, words in found if words)


def words_of(listed: str) -> tuple[str, ...]:
    """Return the words of a list as an item's cell holds them, separated by semicolons."""
    return tuple(word for part in listed.split(LIST_SEPARATOR) if (word := part.strip()))


def check_words(reply: str, must_mention: Sequence[str], must_not_mention: Sequence[str]) -> WordCheck:
    """Look for words in a reply: case, kind of space and kind of apostrophe are ignored, nothing else is.

    ``must_mention`` must all be there, ``must_not_mention`` must not. An unwanted word counts as negated when every sentence that
    holds it has a negation before it; that is told, and still rejects.
    """
    text = folded(reply)
    here = [word for word in must_not_mention if folded(word) in text]
    negated = [word for word in here if _denied(reply, folded(word))]
    return WordCheck(
        missing=tuple(word for word in must_mention if folded(word) not in text),
        unwanted=tuple(word for word in here if word not in negated),
        negated=tuple(negated),
        asked=bool(must_mention or must_not_mention),
    )


def _denied(reply: str, word: str) -> bool:
    holding = [text for sentence in sentences_of(reply) if word in (text := folded(sentence))]
    return bool(holding) and all(_NEGATIONS.search(text[: text.index(word)]) for text in holding)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One response as the check and a person saw it: ``right`` is the person's finding, None where nobody graded it yet.

    ``codes`` are the issue codes that the person recorded.
    """

    id: str
    run: str
    found: WordCheck
    right: bool | None
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WordErrors:
    """The check against people over some responses.

    ``right`` and ``wrong`` count people's findings, ``rejected_right`` and ``accepted_wrong`` the check's errors. ``for_missing``,
    ``for_unwanted`` and ``for_negated`` count the false rejects by cause (one response may have several). ``waiting`` are responses
    that nobody graded: the check is not held against anything there.
    """

    right: int
    wrong: int
    rejected_right: tuple[Checked, ...]
    accepted_wrong: tuple[Checked, ...]
    waiting: int

    @property
    def for_missing(self) -> int:
        """Count right responses rejected because they use other words."""
        return self._count(Kind.MISSING)

    @property
    def for_unwanted(self) -> int:
        """Count right responses rejected for an unwanted word that nothing denies."""
        return self._count(Kind.UNWANTED)

    @property
    def for_negated(self) -> int:
        """Count right responses rejected for an unwanted word that they deny."""
        return self._count(Kind.NEGATED)

    def _count(self, kind: Kind) -> int:
        return sum(kind in checked.found.kinds for checked in self.rejected_right)


def word_errors(checked: Iterable[Checked]) -> WordErrors:
    """Hold the check against people, response by response."""
    rows = list(checked)
    known = [row for row in rows if row.right is not None]
    return WordErrors(
        right=sum(row.right is True for row in known),
        wrong=sum(row.right is False for row in known),
        rejected_right=tuple(row for row in known if row.right and not row.found.passed),
        accepted_wrong=tuple(row for row in known if row.right is False and row.found.passed),
        waiting=len(rows) - len(known),
    )


def by_group(checked: Sequence[Checked], group: Callable[[Checked], str]) -> dict[str, WordErrors]:
    """Return the errors group by group, in the order in which groups appear."""
    names = dict.fromkeys(map(group, checked))
    return {name: word_errors(row for row in checked if group(row) == name) for name in names}
