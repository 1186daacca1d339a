"""What each revision in force changed, for results and report: counts, and by run once the runs have names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from lark_sheets.core.campaign import Campaign
from lark_sheets.core.language import half_up
from lark_sheets.core.rescoring.affected import Key
from lark_sheets.core.rescoring.record import Record, lineage, waiting


@dataclass(slots=True, kw_only=True)
class RunChange:
    """What one revision changed by rule in one run's readings that count; ``score`` is the change of its note on 10."""

    grades_changed: int = 0
    points: int = 0
    ready: int = 0
    score: Fraction | None = None

    def to_plain(self) -> dict[str, object]:
        """Return the change as ``results.json`` holds it."""
        score = None if self.score is None else half_up(self.score, 2)
        return {
            "grades_changed": self.grades_changed,
            "points": self.points,
            "ready": self.ready,
            "score_10": score,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Revised:
    """One revision in force: how many readings were looked at, what changed by rule, what still waits for its grader."""

    record: Record
    waiting: int
    grades_changed: int
    runs: Mapping[str, RunChange] = field(default_factory=dict)

    def to_plain(self) -> dict[str, object]:
        """Return the revision as ``results.json`` holds it; ``agreement_before`` are plain counts, equal of n."""
        return {
            "version": self.record.version,
            "former": self.record.former,
            "oversight": self.record.oversight or None,
            "rescored": self.record.looked,
            "grades_changed": self.grades_changed,
            "decisions_changed": len(self.record.decisions),
            "graded_again": len({key for keys in self.record.work.values() for key in keys}),
            "waiting": self.waiting,
            "agreement_before": dict(self.record.figures),
            "runs": {run: change.to_plain() for run, change in self.runs.items()},
        }


def revised(
    campaign: Campaign, records: Iterable[Record], run_of: Mapping[str, str] | None = None
) -> list[Revised]:
    """Return the revisions that led to today's rubric, oldest first; those that were undone are in the log alone."""
    records = list(records)
    pending = {key for keys in waiting(records, campaign).values() for key in keys}
    owners = {reading.key for reading in campaign.readings if reading.owner}
    found = []
    for record in lineage(records, campaign):
        asked = {key for keys in record.work.values() for key in keys}
        found.append(
            Revised(
                record=record,
                waiting=len(asked & pending),
                grades_changed=len(record.changes),
                runs=_by_run(campaign, record, owners, run_of or {}),
            )
        )
    return found


def _by_run(
    campaign: Campaign, record: Record, owners: set[Key], run_of: Mapping[str, str]
) -> dict[str, RunChange]:
    runs = {run: RunChange() for run in dict.fromkeys(run_of.values())}
    responses = {run: sum(name == run for name in run_of.values()) for run in runs}
    for key, _, old, new in record.changes:
        if key in owners and key[0] in run_of:
            change = runs[run_of[key[0]]]
            change.grades_changed += 1
            if isinstance(old, int) and isinstance(new, int):
                change.points += new - old
    favourable = campaign.rubric.favourable
    for response, before, after in record.decisions:
        if response in run_of:
            runs[run_of[response]].ready += (after == favourable) - (before == favourable)
    maximum = campaign.rubric.total_max
    for run, change in runs.items():
        change.score = Fraction(10 * change.points, maximum * responses[run]) if maximum else None
    return runs
