"""A campaign: items, blind responses, and what each rater read in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from lark_sheets.core.language import Language
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.text import canonical, clean_id, sha256

FINGERPRINT_LENGTH = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One ticket put to every run; ``fields`` keeps the input file's other columns."""

    id: str
    text: str
    language: str = ""
    type: str = ""
    difficulty: str = ""
    stratum: str = ""
    reference: str = ""
    must_mention: str = ""
    must_not_mention: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One answer to grade, under its blind letter; nothing in it says which run wrote it.

    ``id`` is random, ``label`` the letter within its item ("C", or "2C" in the second block), ``language`` that of
    the reply expected, ``fields`` what the application returned beside the text.
    """

    id: str
    item: str
    label: str
    text: str
    language: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """Return the seal of id, ticket, label and text; a row sorted apart or pasted over no longer fits it."""
        return row_fingerprint(self.id, self.item, self.label, self.text)


def row_fingerprint(response: str, item: str, label: str, text: str) -> str:
    """Return 16 hexadecimal digits of SHA-256 over what makes a row itself: cleaned ids and the canonical text."""
    parts = (clean_id(response).casefold(), clean_id(item), clean_id(label), canonical(text))
    return sha256("\x1f".join(parts))[:FINGERPRINT_LENGTH]


class RaterKind(StrEnum):
    """A person, or a model used as a judge."""

    HUMAN = "human"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grader:
    """A rater of the campaign: ``languages`` it reads (none: all), ``model`` the family when the reader is a model.

    ``is_position`` marks a slot that is no person: the first reading, the second reading, by whomever.
    """

    name: str
    languages: tuple[str, ...] = ()
    model: str = ""
    is_position: bool = False

    @property
    def kind(self) -> RaterKind:
        """Say whether the reader is a person."""
        return RaterKind.JUDGE if self.model else RaterKind.HUMAN


class Place(NamedTuple):
    """Where a reading stands: file, sheet and row (1-based, 0 when it stands in no sheet)."""

    file: str = ""
    sheet: str = ""
    row: int = 0


NOWHERE = Place()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One grader's grades of one response.

    ``grades`` maps every criterion to a level, or to None where nothing was given. ``version`` is the rubric
    version the grades were given under; ``number`` tells a second reading by the same grader from the first.
    """

    response: str
    grader: str
    owner: bool
    grades: Mapping[str, Level | None]
    version: int
    number: int = 1
    codes: tuple[str, ...] = ()
    reason: str = ""
    discuss: bool = False
    refused: tuple[str, ...] = ()
    place: Place = NOWHERE

    @property
    def key(self) -> tuple[str, str, int]:
        """Return what makes the reading one: response, grader, number."""
        return (self.response, self.grader, self.number)

    @property
    def is_blank(self) -> bool:
        """Say whether nobody has typed a grade yet."""
        return not self.refused and all(grade is None for grade in self.grades.values())

    @property
    def is_complete(self) -> bool:
        """Say whether every criterion has a grade."""
        return all(grade is not None for grade in self.grades.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """One line of the log: when (ISO 8601), who, what happened, in figures and words."""

    when: str
    who: str
    event: str
    detail: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """Everything a campaign's workbook holds, without the names of the runs.

    ``commitments`` are the SHA-256 of the key files; ``block`` the letters per block, if any; ``agreed`` the grades
    that two readers agreed on after a discussion, by response.
    """

    id: str
    rubric: Rubric
    language: Language
    items: tuple[Item, ...]
    responses: tuple[Response, ...]
    readings: tuple[Reading, ...]
    graders: tuple[Grader, ...]
    commitments: tuple[str, ...]
    runs_expected: int = 0
    block: int | None = None
    graded_by: str = "people"
    revealed: bool = False
    versions: tuple[Rubric, ...] = ()
    log: tuple[LogEntry, ...] = ()
    agreed: Mapping[str, Mapping[str, Level]] = field(default_factory=dict)
    lost: int = 0
    """Owners' rows that were handed out and can no longer be told apart in the file: expected, never graded."""

    def response(self) -> dict[str, Response]:
        """Return the responses by id."""
        return {response.id: response for response in self.responses}

    def item(self) -> dict[str, Item]:
        """Return the items by id."""
        return {item.id: item for item in self.items}

    def owners(self) -> list[Reading]:
        """Return the readings whose grades count: those of each response's owner."""
        return [reading for reading in self.readings if reading.owner]

    def is_stale(self, reading: Reading) -> bool:
        """Say whether a graded reading was given under an older rubric version than today's."""
        return not reading.is_blank and reading.version < self.rubric.version


def by_response(readings: Iterable[Reading]) -> dict[str, dict[str, Reading]]:
    """Return first readings as response -> grader -> reading, in the order they stand."""
    table: dict[str, dict[str, Reading]] = {}
    for reading in readings:
        if reading.number == 1:
            table.setdefault(reading.response, {})[reading.grader] = reading
    return table
