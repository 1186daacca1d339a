"""Everything that can go wrong, in one tree.

::

    LarkError
    ├── DataError      exit 1  the data hold a problem of severity "error", or a gate says no
    ├── UsageError     exit 2  wrong words on the command line, or an input path that is not there
    └── MissingPiece   exit 3  a library, application, key, network or unlocked file is lacking

An error carries :class:`Problem` values: where, what was found, what is expected, what to do. The same
values stand in ``results.json`` and are printed to people; their words come from the catalogue in
:mod:`lark_sheets.core.problems`, so that they exist in French and in English.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Severity(StrEnum):
    """How much a problem weighs: an error refuses something, a warning lowers coverage, a note only tells."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing a person should know, by place.

    ``code`` names the kind in the catalogue; ``found`` is what stands there, verbatim; ``parameters``
    fill the catalogue's sentences. ``sheet`` and ``cell`` say where ("Grading", "G14"), ``file`` which
    workbook when several were read, ``item`` which ticket or response.
    """

    code: str
    severity: Severity = Severity.ERROR
    file: str | None = None
    sheet: str = ""
    cell: str | None = None
    item: str | None = None
    found: str = ""
    parameters: dict[str, str | int] = field(default_factory=dict)


class LarkError(Exception):
    """Base of every error that a person is told about; ``problems`` holds all of them at once."""

    exit_code = 1

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(f"{p.code}: {p.found}" for p in problems))
        self.problems = problems


class DataError(LarkError):
    """The data cannot be used as they are."""

    exit_code = 1


class UsageError(LarkError):
    """The command was called with wrong words, or a path it needs is not there."""

    exit_code = 2


class MissingPiece(LarkError):
    """Something outside the data is lacking: a library, an application, a key, a network, an unlocked file."""

    exit_code = 3
