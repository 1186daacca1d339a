"""Words, numbers and dates in the reader's language, French or English."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

Language = Literal["fr", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
DEFAULT_LANGUAGE: Language = "en"
NBSP = "\u00a0"


@dataclass(frozen=True, slots=True)
class Words:
    """One text in both languages, as rubrics carry them."""

    fr: str = ""
    en: str = ""

    def in_(self, language: str) -> str:
        """Return the text in ``language``, or the other one where it is missing."""
        return (self.fr or self.en) if language == "fr" else (self.en or self.fr)

    def both(self) -> tuple[str, ...]:
        """Return the texts that are there, without repeats."""
        return tuple(dict.fromkeys(text for text in (self.fr, self.en) if text))


@dataclass(frozen=True, slots=True)
class Translator:
    """The catalogue in one language, handed to whatever writes for people.

    ``single`` and ``plural`` are gettext's own functions; English is the language of the keys.
    """

    language: Language
    single: Callable[[str], str]
    plural: Callable[[str, str, int], str]
    contextual: Callable[[str, str], str]

    def __call__(self, message: str, **values: object) -> str:
        """Translate ``message`` and fill its ``{names}``."""
        text = self.single(message)
        return text.format(**values) if values else text

    def count(self, one: str, many: str, n: int, **values: object) -> str:
        """Translate a message that depends on a count; ``{n}`` is filled too."""
        return self.plural(one, many, n).format(n=n, **values)

    def short(self, context: str, message: str) -> str:
        """Translate a short label whose meaning depends on where it stands ("sheet", "column", "state")."""
        return self.contextual(context, message)

    def decimal(self, value: Fraction | float, places: int = 2) -> str:
        """Write a number with its language's decimal mark, rounded half up from the exact value."""
        text = half_up(value, places)
        return text.replace(".", ",") if self.language == "fr" else text

    def whole(self, value: int) -> str:
        """Write an integer with its language's thousands mark (5 000 / 5,000)."""
        return f"{value:,}".replace(",", NBSP) if self.language == "fr" else f"{value:,}"

    def percent(self, value: Fraction | float, places: int = 0) -> str:
        """Write a share of 1 as a percentage (86 % / 86%)."""
        return self.decimal(Fraction(value) * 100, places) + (f"{NBSP}%" if self.language == "fr" else "%")

    def date(self, day: dt.date) -> str:
        """Write a date as an ISO day: the same in both languages, and it sorts."""
        return day.isoformat()[:10]


def half_up(value: Fraction | float, places: int) -> str:
    """Round half up from the exact value and write it with a point: ``half_up(Fraction(315, 32), 2) == "9.84"``."""
    exact = Fraction(value)
    scaled = abs(exact) * 10**places
    units = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    digits = str(units).rjust(places + 1, "0")
    sign = "-" if exact < 0 and units else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)
