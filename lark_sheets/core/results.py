"""Results as plain frozen values, and their one JSON form (``lark-sheets/results/1``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from lark_sheets.core.agreement import Agreement, ByTicket, PlacedNote, ReaderKind
from lark_sheets.core.comparisons import Comparisons, Family
from lark_sheets.core.intervals import Interval
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.errors import Problem

SCHEMA = "lark-sheets/results/1"
BATCH_SCHEMA = "lark-sheets/batch/1"
UNSTRATIFIED = "all"
"""Stratum of the items that name none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How many owners' readings are expected, complete, incomplete (blank, partly graded, refused) and stale; the three add up."""

    expected: int
    graded: int
    incomplete: int
    stale: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """k of n responses carry a label, with the Wilson interval (None when n = 0)."""

    k: int
    n: int
    interval: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """One run (or all responses together): counts over the owners' complete readings, and zeros that were written.

    ``points`` is the sum of totals over ``graded`` complete readings, ``points_max`` what they could reach. ``score`` is
    the mean total of complete rows / maximum x 10 as an exact fraction, ``score_interval`` its interval over the tickets (None
    with fewer than two). ``levels`` counts, per criterion, the readings at each level.
    """

    run: str
    responses: int
    graded: int
    ready: int | None
    ready_interval: Interval | None
    points: int | None
    points_max: int | None
    score: Fraction | None
    zeros: Mapping[str, int]
    levels: Mapping[str, Mapping[Level, int]]
    verdicts: Mapping[str, int]
    labels: Mapping[str, Mapping[str, int]]
    rates: Mapping[str, Mapping[str, Rate]]
    score_interval: Interval | None = None
    ranked: bool = False
    why_unranked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingResult:
    """One reading as results show it; ``run`` is None before the reveal."""

    id: str
    item: str
    label: str
    run: str | None
    grader: str
    owner: bool
    scores: Mapping[str, Level | None]
    codes: tuple[str, ...]
    reason: str
    total: int | None
    ready: bool | None
    verdict: str | None
    stale: bool
    corrected: bool
    """Ready below the top total: "ready after a correction"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSummary:
    """Who a reader is, how many responses it read completely under today's rubric, and how many of them another read too."""

    name: str
    model: str
    kind: ReaderKind
    read: int
    shared: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementSummary:
    """Agreement over the responses that two or more graders read completely.

    ``read`` counts the responses that at least one grader read completely, ``tickets`` those behind the shared responses. The
    intervals by ticket are there where a ticket has several shared responses, or where there are enough to redraw them. ``pairs``
    holds each pair of readers where more than two read shared responses.
    """

    shared: int
    all_equal: int
    all_n: int
    all_interval: Interval | None
    decision: Agreement | None
    criteria: Mapping[str, Agreement]
    read: int = 0
    tickets: int = 0
    all_by_ticket: Interval | None = None
    decision_by_ticket: ByTicket | None = None
    criteria_by_ticket: Mapping[str, ByTicket] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], AgreementSummary] = field(default_factory=dict)

    @property
    def once(self) -> int:
        """Responses that one grader alone read: nothing here speaks of them."""
        return self.read - self.shared

    @property
    def measured(self) -> list[tuple[str, Agreement]]:
        """The decision under an empty key, if there is one, then each criterion under its id."""
        decision = [("", self.decision)] if self.decision is not None else []
        return [*decision, *self.criteria.items()]

    @property
    def is_clustered(self) -> bool:
        """Whether answers to one ticket resemble each other enough to widen an interval visibly."""
        found = (self.of_tickets(key) for key, _ in self.measured)
        return any(one and one.is_notable for one in found)

    def of_tickets(self, key: str) -> ByTicket | None:
        """Return the agreement by ticket of a measure named as in :attr:`measured`."""
        return self.criteria_by_ticket.get(key) if key else self.decision_by_ticket


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Everything a campaign's grades say, ready for JSON, the results workbook and the report."""

    campaign: str
    revealed: bool
    graded_by: str
    block: int | None
    rubric: Rubric
    coverage: Coverage
    overall: RunSummary
    runs: tuple[RunSummary, ...]
    readings: tuple[ReadingResult, ...]
    agreement: AgreementSummary
    agreement_by_run: Mapping[str, AgreementSummary]
    graders: Mapping[str, str]
    """Every reader and the family of the model it is, or "" for a person."""
    commitment: str
    key_matches: bool | None
    problems: tuple[Problem, ...] = ()
    judge: Mapping[str, object] | None = None
    mixed: bool = False
    """Whether stale grades were let in by --allow-mixed."""
    revealed_early: str = ""
    """Why the names were revealed before all was graded, or an empty string."""
    not_double_read: int = 0
    """Responses that only one reader read completely under today's rubric."""
    readers: tuple[ReaderSummary, ...] = ()
    """Who the readers are; that a model reads its own family is known after the reveal only."""
    agreement_notes: tuple[PlacedNote, ...] = ()
    """What must be read beside the numbers on agreement."""
    agreement_discussed: AgreementSummary | None = None
    """Agreement with the grades that readers agreed on in discussions; never in place of ``agreement``."""
    comparisons: Comparisons | None = None
    """Every pair of runs on the same tickets, after the reveal."""
    label_comparisons: Mapping[str, Family] = field(default_factory=dict)
    """By stratum, the runs that may be ranked, compared on the main label, after the reveal."""
    extra: Mapping[str, object] = field(default_factory=dict)
