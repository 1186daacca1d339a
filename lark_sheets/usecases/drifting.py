"""``drift``: what the order of the rows tells of graders and of their agreement; the readers' disagreements and how they ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lark_sheets.core.campaign import Campaign, LogEntry
from lark_sheets.core.discussion import Disagreement, agreement_after, disagreements
from lark_sheets.core.reader_agreement import agreement_of_readings
from lark_sheets.core.rescoring.drift import Drift, drift
from lark_sheets.core.rescoring.record import Record, lineage
from lark_sheets.core.results import AgreementSummary
from lark_sheets.errors import Problem
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook.history import CORRECTED, RESCORED, UNDONE, kept_records

DATED = frozenset({"gather", "import", RESCORED, CORRECTED, UNDONE})
"""Events of the log that put a date to grades or to the rubric; a workbook without macros records no other time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftFound:
    """The series tested, and the dated events to read them by."""

    campaign: Campaign
    drift: Drift
    dates: tuple[LogEntry, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Discussed:
    """What readers see differently, and agreement before and after their discussions, kept apart."""

    campaign: Campaign
    disagreements: tuple[Disagreement, ...]
    before: AgreementSummary
    after: AgreementSummary


def find_drift(book: Path, needs: Needs) -> DriftFound:
    """Look for shifts along the rows of a campaign or a grader's workbook."""
    loaded = load_one(book, needs)
    campaign = loaded.campaign
    return DriftFound(
        campaign=campaign,
        drift=drift(campaign, touched=touched_by(kept_records(campaign.log), campaign)),
        dates=tuple(entry for entry in campaign.log if entry.event in DATED),
        problems=tuple(loaded.problems),
    )


def touched_by(records: Sequence[Record], campaign: Campaign) -> dict[str, list[int]]:
    """Return, by criterion, the versions in force whose revision touched it."""
    touched: dict[str, list[int]] = {}
    for record in lineage(records, campaign):
        for criterion in record.graded:
            touched.setdefault(criterion, []).append(record.version)
    return touched


def find_discussed(book: Path, needs: Needs) -> Discussed:
    """Return the disagreements of a campaign, and its agreement with and without the grades agreed on."""
    campaign = load_one(book, needs).campaign
    return Discussed(
        campaign=campaign,
        disagreements=tuple(disagreements(campaign)),
        before=agreement_of_readings(campaign),
        after=agreement_after(campaign),
    )
