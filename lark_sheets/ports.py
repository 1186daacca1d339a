"""What the use cases need from outside, as protocols; adapters implement them, tests have fakes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from lark_sheets.core.bookplan import BookPatch, BookPlan
from lark_sheets.core.cells import BookData


class Books(Protocol):
    """Workbooks: read whole, written from a plan when they are ours, otherwise changed cell by cell."""

    def read(self, path: Path) -> BookData:
        """Read every sheet of a workbook. Raises :class:`~lark_sheets.errors.LarkError` when it is none."""
        ...

    def write(self, plan: BookPlan, path: Path) -> None:
        """Write a new workbook, whole or not at all."""
        ...

    def patch(self, path: Path, patch: BookPatch) -> Path | None:
        """Change the cells of an existing workbook in place; every other part stays byte for byte.

        Returns the backup that was kept, or None when there was nothing to change. Refuses rather than lose anything.
        """
        ...


class Tables(Protocol):
    """Input tables: CSV, TSV, JSONL or xlsx."""

    def read(self, path: Path) -> Sequence[Mapping[str, str]]:
        """Return the rows as text by column name, in order; blank cells are empty strings.

        Raises :class:`~lark_sheets.errors.LarkError` when the file is no table.
        """
        ...


class Reports(Protocol):
    """The report as files."""

    def html(self, view: object) -> str:
        """Return the report as one self-contained HTML page."""
        ...

    def pdf(self, view: object, path: Path, attachments: Mapping[str, bytes]) -> None:
        """Write the report as a PDF. Raises :class:`~lark_sheets.errors.MissingPiece` where Pango is lacking."""
        ...


class Files(Protocol):
    """Plain files, written whole or not at all."""

    def exists(self, path: Path) -> bool:
        """Say whether a path is there."""
        ...

    def read_text(self, path: Path) -> str:
        """Return a text file's content."""
        ...

    def read_bytes(self, path: Path) -> bytes:
        """Return a file's bytes."""
        ...

    def remove(self, path: Path) -> None:
        """Remove a file; one that is not there is no fault."""
        ...

    def write_text(self, path: Path, text: str, *, private: bool = False) -> None:
        """Write a text file, whole or not at all; ``private`` files are readable by their owner only."""
        ...

    def list(self, folder: Path, pattern: str) -> Sequence[Path]:
        """Return the files of a folder that match a pattern, sorted, without those a spreadsheet leaves while it is open."""
        ...


class Clock(Protocol):
    """The time, so that a test can fix it."""

    def now(self) -> dt.datetime:
        """Return the time, with its zone."""
        ...


class Progress(Protocol):
    """Tells a person that long work goes on."""

    def step(self, text: str) -> None:
        """Say what begins now."""
        ...
