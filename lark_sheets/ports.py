"""What the use cases need from outside, as protocols; adapters implement them, tests have fakes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from lark_sheets.core.bookplan import BookPatch, BookPlan
from lark_sheets.core.cells import BookData

if TYPE_CHECKING:
    from lark_sheets.core.judging.attempts import Attempt, BatchRow, Claim
    from lark_sheets.core.judging.calibration import Calibration
    from lark_sheets.core.judging.exchange import Answer, BatchAnswer, BatchStatus, Fault, ModelRequest
    from lark_sheets.core.judging.money import Spend
    from lark_sheets.core.judging.reasons import Purpose, Reason
    from lark_sheets.core.tidy import Column, Value


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


class Embeddings(Protocol):
    """Texts as vectors, so that their likeness can be measured."""

    name: str
    """The model, as records should say it."""
    remote: str
    """The address that texts are sent to, or "" when they stay on this machine."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector a text, in their order. Raises :class:`~lark_sheets.errors.MissingPiece` where something is lacking."""
        ...


class Frames(Protocol):
    """Tables for analysts, as files."""

    def write(self, rows: Sequence[Mapping[str, Value]], columns: Sequence[Column], path: Path) -> None:
        """Write a table in the format of its file's name. Raises :class:`~lark_sheets.errors.MissingPiece` for a library that is lacking."""
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


class Judge(Protocol):
    """A language model behind a service: asked to judge, and to answer tickets. Asking never raises for what a service does."""

    provider: str
    recorded: bool
    """Whether replies were recorded earlier and are only replayed."""
    batches: bool
    """Whether the provider takes batches."""

    def ask(self, request: ModelRequest) -> Answer:
        """Send one request, once, and return the reply or the fault. Safe to call from several threads."""
        ...

    def count_tokens(self, request: ModelRequest) -> int | None:
        """Return the service's own count of a request's prompt tokens, or None where it gives none."""
        ...

    def conditions(self) -> Mapping[str, str]:
        """Return what a record of the run should say of the service: provider, API version, library."""
        ...

    def submit(self, requests: Mapping[str, ModelRequest]) -> BatchStatus | Fault:
        """Send a batch, each request under its id."""
        ...

    def batch(self, remote: str) -> BatchStatus | Fault:
        """Ask how a batch stands."""
        ...

    def recent_batches(self, since: str) -> Sequence[BatchStatus] | Fault:
        """Return the batches that the service received since an ISO time."""
        ...

    def results(self, remote: str) -> Sequence[BatchAnswer] | Fault:
        """Return the answers of an ended batch, as they come."""
        ...


class Ledger(Protocol):
    """What was sent, what came back, what it cost: written before a request leaves, safe for two runs at once.

    Every method may raise :class:`~lark_sheets.errors.LarkError` when the file is damaged, foreign or locked.
    """

    def start(self, purpose: Purpose) -> str:
        """Register a run and return its id; it counts as alive until it finishes, dies or falls silent."""
        ...

    def finish(self, run: str) -> None:
        """Say that a run has ended by itself."""
        ...

    def history(self, keys: Sequence[str]) -> Mapping[str, Sequence[Attempt]]:
        """Return all attempts at these keys, oldest first; keys never asked are absent."""
        ...

    def claim(self, attempt: Attempt, *, budget: int | None, currency: str) -> Claim:
        """Write an attempt as sent, unless it is scored, busy, or would pass the budget (billionths of ``currency``)."""
        ...

    def settle(self, attempt: Attempt) -> None:
        """Write what became of an attempt."""
        ...

    def give_up(self, keys: Sequence[str]) -> int:
        """Mark what dead runs sent live as lost, so that it may be asked again; return how many."""
        ...

    def spend(self, currency: str) -> Spend:
        """Return what all runs of this ledger have cost in one currency."""
        ...

    def reply_length(self, model: str, purpose: Purpose) -> int | None:
        """Return the 95th percentile of a model's reply lengths in tokens, None below 20 replies."""
        ...

    def open_batch(
        self, run: str, attempts: Sequence[Attempt], *, budget: int | None, currency: str
    ) -> tuple[BatchRow, Sequence[Attempt]]:
        """Write a batch and its attempts as submitting, as many as are free and the budget allows."""
        ...

    def batch_sent(self, batch: BatchRow, remote: str) -> None:
        """Write the service's id of a batch: its attempts are sent."""
        ...

    def batch_refused(self, batch: BatchRow, reason: Reason, detail: str) -> None:
        """Write that a batch never arrived: its attempts have no grade and cost nothing."""
        ...

    def batches(self, purpose: Purpose) -> Sequence[tuple[BatchRow, Sequence[Attempt]]]:
        """Return the batches of one purpose whose results have not all been written, with their open attempts."""
        ...

    def known_batches(self) -> Collection[str]:
        """Return the service's ids of all batches ever sent from here."""
        ...

    def keep_calibration(self, calibration: Calibration) -> None:
        """Keep a calibration that was made."""
        ...

    def calibrations(self) -> Sequence[Calibration]:
        """Return all calibrations, oldest first."""
        ...


class Pace(Protocol):
    """Waiting, so that a test need not wait."""

    def time(self) -> float:
        """Return seconds on a clock that only moves forward."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...
