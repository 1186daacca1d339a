"""Where a number would mislead alone: notes by id and parameters, put into words by the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from lark_sheets.core.agreement.readers import ReaderKind
from lark_sheets.core.agreement.states import State
from lark_sheets.core.agreement.summary import Agreement

FEW = 20
"""Fewer shared items than this is a small sample: 20 of 20 still allows 84 %."""
HIGH_SHARE = Fraction(7, 10)
NOTABLE_EFFECT = 1.1
"""A design effect below this changes no digit that is read."""
PARADOX = Fraction(3, 10)
"""AC1 above kappa by this much, at a raw agreement of HIGH_SHARE or more: one level prevails."""


class NoteId(StrEnum):
    """Keys to translate; the parameters of each stand beside it."""

    NOT_READ_TWICE = "not_read_twice"
    """once, items"""
    SMALL_SAMPLE = "small_sample"
    """n"""
    UNDEFINED = "undefined"
    """coefficient, state, equal, n"""
    ONE_READER_CONSTANT = "one_reader_constant"
    """reader, level, equal, n: kappa is exactly 0 whatever the agreement"""
    PREVALENCE = "prevalence"
    """level, share (of readings at that level), equal, n, coefficient, value, ac1"""
    BELOW_CHANCE = "below_chance"
    """coefficient, value"""
    ALL_EQUAL = "all_equal"
    """n, low: full agreement seen, at worst `low`"""
    INTERVAL_DECIDES_NOTHING = "interval_decides_nothing"
    """gate, low, high"""
    WIDE_GAPS = "wide_gaps"
    """items: differences of two levels or more; widest: in levels"""
    ORDINAL_ALPHA_FLATTERS = "ordinal_alpha_flatters"
    """ordinal, nominal"""
    MORE_THAN_TWO_READERS = "more_than_two_readers"
    """readers: equal = all equal, no kappa"""
    NOT_PERSONS = "not_persons"
    """readers"""
    MODEL_READER = "model_reader"
    """reader"""
    MODEL_OF_CANDIDATE_FAMILY = "model_of_candidate_family"
    """reader"""
    READ_NOTHING = "read_nothing"
    """reader: no shared item"""
    SAME_TICKETS = "same_tickets"
    """design_effect: answers to one ticket resemble each other"""
    AFTER_DISCUSSION = "after_discussion"
    """before, after, n: agreement after discussion is not independent"""


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to say beside a number. Coefficients are exact, so that they round as they do beside it."""

    id: NoteId
    parameters: Mapping[str, int | float | Fraction | str] = field(default_factory=dict)


def notes_on(
    found: Agreement,
    *,
    gate: Fraction | None = None,
    readers: Mapping[str, ReaderKind] | None = None,
    design_effect: float | None = None,
) -> tuple[Note, ...]:
    """Say what a reader of the numbers must know, most general first.

    Args:
        found: the agreement.
        gate: level of kappa on which something depends (0.6), if any.
        readers: what each reader of the campaign is; those who read no shared item are told, unless nobody did.
        design_effect: from `by_ticket`, when several responses answer the same ticket.
    """
    notes = (
        [Note(NoteId.NOT_READ_TWICE, {"once": found.read_once, "items": found.items})] if found.items else []
    )
    notes += _on_readers(found, readers or {})
    if found.state is not State.DEFINED:
        notes.append(
            Note(
                NoteId.UNDEFINED,
                {
                    "coefficient": found.headline,
                    "state": found.state,
                    "equal": found.equal,
                    "n": found.n,
                },
            )
        )
    if 0 < found.n < FEW:
        notes.append(Note(NoteId.SMALL_SAMPLE, {"n": found.n}))
    if found.interval and found.equal == found.n:
        notes.append(Note(NoteId.ALL_EQUAL, {"n": found.n, "low": found.interval.low}))
    if design_effect is not None and design_effect >= NOTABLE_EFFECT:
        notes.append(Note(NoteId.SAME_TICKETS, {"design_effect": design_effect}))
    return (*notes, *_on_kappa(found, gate), *_on_gaps(found))


def notes_on_passes(before: Agreement, after: Agreement) -> tuple[Note, ...]:
    """Say that agreement after a discussion or a correction is not that of independent readers; both are kept."""
    return (Note(NoteId.AFTER_DISCUSSION, {"before": before.equal, "after": after.equal, "n": after.n}),)


def _on_readers(found: Agreement, readers: Mapping[str, ReaderKind]) -> list[Note]:
    notes = []
    if not found.persons:
        notes.append(Note(NoteId.NOT_PERSONS, {"readers": found.readers}))
    if found.readers > 2:
        notes.append(Note(NoteId.MORE_THAN_TWO_READERS, {"readers": found.readers}))
    for name, kind in readers.items():
        if name not in found.reader_names:
            if found.n:
                notes.append(Note(NoteId.READ_NOTHING, {"reader": name}))
        elif kind is ReaderKind.MODEL:
            notes.append(Note(NoteId.MODEL_READER, {"reader": name}))
        elif kind is ReaderKind.MODEL_OF_CANDIDATE_FAMILY:
            notes.append(Note(NoteId.MODEL_OF_CANDIDATE_FAMILY, {"reader": name}))
    return notes


def _on_kappa(found: Agreement, gate: Fraction | None) -> list[Note]:
    notes: list[Note] = []
    name = "kappa" if found.kappa.defined else "alpha_nominal"
    corrected = found.kappa if found.kappa.defined else found.alpha_nominal
    value, ac1 = corrected.exact, found.ac1.exact
    if value is None or ac1 is None:
        return notes
    for reader, level in found.constant_readers.items() if found.kappa.defined else ():
        notes.append(
            Note(
                NoteId.ONE_READER_CONSTANT,
                {"reader": reader, "level": str(level), "equal": found.equal, "n": found.n},
            )
        )
    if found.prevailing and found.equal >= HIGH_SHARE * found.n and ac1 - value >= PARADOX:
        level, share = found.prevailing
        notes.append(
            Note(
                NoteId.PREVALENCE,
                {
                    "level": str(level),
                    "share": share,
                    "equal": found.equal,
                    "n": found.n,
                    "coefficient": name,
                    "value": value,
                    "ac1": ac1,
                },
            )
        )
    if value < 0:
        notes.append(Note(NoteId.BELOW_CHANCE, {"coefficient": name, "value": value}))
    bounds = found.kappa_interval
    if gate is not None and bounds and bounds.low < gate <= bounds.high:
        notes.append(
            Note(
                NoteId.INTERVAL_DECIDES_NOTHING, {"gate": float(gate), "low": bounds.low, "high": bounds.high}
            )
        )
    return notes


def _on_gaps(found: Agreement) -> list[Note]:
    notes = []
    wide = {gap: items for gap, items in found.gaps.items() if gap >= 2}
    if wide:
        notes.append(Note(NoteId.WIDE_GAPS, {"items": sum(wide.values()), "widest": max(wide)}))
    ordinal, nominal = found.alpha_ordinal.exact, found.alpha_nominal.exact
    if ordinal is not None and nominal is not None and ordinal - nominal >= 0.2:
        notes.append(Note(NoteId.ORDINAL_ALPHA_FLATTERS, {"ordinal": ordinal, "nominal": nominal}))
    return notes
