"""Notes on several measures of one sample: said once each, with what they are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lark_sheets.core.agreement.notes import Note, notes_on, notes_on_passes
from lark_sheets.core.agreement.readers import ReaderKind
from lark_sheets.core.agreement.summary import Agreement


@dataclass(frozen=True, slots=True)
class PlacedNote:
    """A note and the measures it is about, by key; none when it is about all of them."""

    about: tuple[str, ...]
    note: Note


def place_notes(
    measured: Sequence[tuple[str, Agreement]],
    *,
    gates: Mapping[str, Fraction] | None = None,
    readers: Mapping[str, ReaderKind] | None = None,
    design_effects: Mapping[str, float | None] | None = None,
    after: Mapping[str, Agreement] | None = None,
) -> tuple[PlacedNote, ...]:
    """Say what must be read beside the numbers of several measures, the same thing only once.

    Args:
        measured: the measures by key, in their order.
        gates: levels of kappa on which something depends, by key.
        readers: what each reader of the campaign is.
        design_effects: from `by_ticket`, by key.
        after: the measures after discussions, where they changed anything.
    """
    about: dict[tuple[object, ...], list[str]] = {}
    notes: dict[tuple[object, ...], Note] = {}
    for key, found in measured:
        said = notes_on(
            found,
            gate=(gates or {}).get(key),
            readers=readers,
            design_effect=(design_effects or {}).get(key),
        )
        later = (after or {}).get(key)
        if later is not None and later.equal != found.equal:
            said += notes_on_passes(found, later)
        for note in said:
            same = (note.id, *note.parameters.items())
            notes[same] = note
            about.setdefault(same, []).append(key)
    everywhere = [key for key, _ in measured]
    return tuple(
        PlacedNote(() if keys == everywhere else tuple(keys), notes[same]) for same, keys in about.items()
    )
