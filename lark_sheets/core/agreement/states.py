"""The names of what a statistic can be: a number, or undefined for a reason that people can read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class State(StrEnum):
    """Why a statistic has a number or has none. The value is the text of results.json, `id` the key to translate."""

    DEFINED = "defined"
    NO_SHARED_ITEMS = "undefined: no shared responses"
    ONE_ITEM_ONLY = "undefined: one response only"
    ONE_VALUE_ONLY = "undefined: one value only"
    MORE_THAN_TWO_READERS = "undefined: more than two readers"
    NOT_PERSONS = "undefined: reader slots are not persons"
    NO_ORDER = "undefined: levels have no order"

    @property
    def id(self) -> str:
        """Language-free key, for example `one_value_only`."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Statistic:
    """One number that may be undefined, by name.

    `exact` is the same number without rounding; `chance` the agreement, from 0 to 1, that chance alone would give.
    """

    value: float | None
    state: State
    exact: Fraction | None = None
    chance: Fraction | None = None

    @classmethod
    def of(cls, exact: Fraction, chance: Fraction | None = None) -> Statistic:
        """A defined statistic."""
        return cls(float(exact), State.DEFINED, exact, chance)

    @classmethod
    def undefined(cls, state: State) -> Statistic:
        """A statistic without a number, and why."""
        return cls(None, state)

    @property
    def defined(self) -> bool:
        """Whether there is a number."""
        return self.value is not None
