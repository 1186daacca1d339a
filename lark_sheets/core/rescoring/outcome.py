"""The difference a revision makes, old beside new: what the preview shows, what ``--apply`` writes, what the history keeps."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from lark_sheets.core.campaign import Campaign, Reading
from lark_sheets.core.code_checks import CHECKED
from lark_sheets.core.reader_agreement import agreement_of_readings
from lark_sheets.core.rescoring import record as records_of
from lark_sheets.core.rescoring.affected import (
    Affected,
    Change,
    Checks,
    Key,
    Work,
    affected_by,
    overlooked,
)
from lark_sheets.core.rescoring.agreed import AgreedChange, follow_agreed
from lark_sheets.core.rescoring.edits import NOTHING_DECLARED, Declared, Edit, EditKind, compare
from lark_sheets.core.rescoring.record import Record, seal_of_graded
from lark_sheets.core.results import AgreementSummary, RunSummary
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.scoring import counted_grades, summarise_run, total


class Compared(NamedTuple):
    """A run's figures before and after (all responses together under an empty name)."""

    run: str
    before: RunSummary
    after: RunSummary
    changed: int
    """Owners' grades that change by rule."""
    waiting: int
    """Owners' responses that a person grades again, and that count nowhere until then."""


class Decision(NamedTuple):
    """A decision that changes by rule."""

    response: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Everything a revision does. ``former`` is the campaign as it stands, ``campaign`` as it would be."""

    former: Campaign
    campaign: Campaign
    edits: tuple[Edit, ...]
    affected: Affected
    agreed: tuple[AgreedChange, ...]
    whole: Compared
    runs: tuple[Compared, ...]
    agreement_before: AgreementSummary
    agreement_after: AgreementSummary
    decisions: tuple[Decision, ...]
    totals_changed: int
    record: Record

    @property
    def is_nothing(self) -> bool:
        """Say whether there is nothing to do: no edit and nothing overlooked."""
        return not self.edits

    @property
    def changes(self) -> tuple[Change, ...]:
        """Return the grades that change by rule."""
        return self.affected.changes

    @property
    def owner_changes(self) -> tuple[Change, ...]:
        """Return those of the readings whose grades count."""
        owners = {reading.key for reading in self.former.readings if reading.owner}
        return tuple(change for change in self.changes if change.key in owners)

    @property
    def work(self) -> tuple[Work, ...]:
        """Return the grades that people give again."""
        return self.affected.work

    def work_by_grader(self) -> dict[str, tuple[Work, ...]]:
        """Return the work-list of each grader, in the order of the campaign's graders and of the rows."""
        lists: dict[str, list[Work]] = {grader.name: [] for grader in self.former.graders}
        for work in self.work:
            lists.setdefault(work.key[1], []).append(work)
        return {grader: tuple(works) for grader, works in lists.items() if works}

    @property
    def needs_new_workbook(self) -> bool:
        """Say whether the grading sheet's columns or lists no longer fit."""
        return self.record.new_workbook


def outcome_of(
    campaign: Campaign,
    sheet: Rubric,
    *,
    date: str,
    declared: Declared = NOTHING_DECLARED,
    records: Sequence[Record] = (),
    checks: Checks = lambda response: (),
    run_of: Mapping[str, str] | None = None,
) -> Outcome:
    """Return what the edits of ``sheet`` against the campaign's rubric do.

    ``date`` (ISO) is the new version's; its number is one above every version ever kept. ``records`` are the revisions applied before,
    ``checks`` the codes that a program sees in a response, ``run_of`` the runs by response once they are revealed.
    """
    edits = compare(campaign.rubric, sheet, declared)
    new = replace(sheet, version=_next_version(campaign), date=date) if edits else campaign.rubric
    affected = affected_by(campaign, new, edits, waiting=records_of.waiting(records, campaign), checks=checks)
    touched = {edit.criterion for edit in edits if edit.kind in _TOUCHING and edit.criterion}
    return _outcome(campaign, new, edits, affected, touched, run_of=run_of)


def oversight_of(
    campaign: Campaign,
    code: str,
    *,
    date: str,
    records: Sequence[Record] = (),
    checks: Checks = lambda response: (),
    run_of: Mapping[str, str] | None = None,
) -> Outcome:
    """Return what correcting an overlooked code does: its set, for every run, goes back to its graders.

    The rubric's content stays; its version goes up by one so that corrected and uncorrected readings are told apart. With nothing left
    to correct the outcome is nothing.
    """
    pending = records_of.waiting(records, campaign)
    asked = records_of.asked_before(records, campaign, code) | {
        key for keys in pending.values() for key in keys
    }
    affected = overlooked(campaign, code, checks=checks, asked=asked, checkable=code in CHECKED)
    if not affected.work:
        return _outcome(campaign, campaign.rubric, (), affected, set(), run_of=run_of)
    new = replace(campaign.rubric, version=_next_version(campaign), date=date)
    touched = {work.criterion for work in affected.work}
    edits = tuple(
        Edit(kind=EditKind.OVERSIGHT, criterion=c.id, target=code)
        for c in campaign.rubric.criteria
        if c.id in touched
    )
    return _outcome(campaign, new, edits, affected, touched, run_of=run_of, oversight=code)


_TOUCHING = frozenset(EditKind) - {EditKind.WORDING, EditKind.VERDICT, EditKind.THRESHOLD, EditKind.COVERED}


def _next_version(campaign: Campaign) -> int:
    return max([campaign.rubric.version, *(rubric.version for rubric in campaign.versions)]) + 1


def _outcome(
    campaign: Campaign,
    new: Rubric,
    edits: tuple[Edit, ...],
    affected: Affected,
    touched: Collection[str],
    *,
    run_of: Mapping[str, str] | None,
    oversight: str = "",
) -> Outcome:
    affected, agreed = follow_agreed(campaign, affected)
    after = _after(campaign, new, affected, agreed) if edits else campaign
    counted = {r.key: r for r in after.readings}
    decisions, totals = [], 0
    for reading in campaign.owners():
        later = counted[reading.key]
        if campaign.is_stale(reading) or after.is_stale(later):
            continue
        old, fresh = counted_grades(campaign, reading), counted_grades(after, later)
        before, now = campaign.rubric.decide(old), new.decide(fresh)
        if before != now:
            decisions.append(Decision(reading.response, before, now))
        totals += total(campaign.rubric, old) != total(new, fresh)
    names = run_of if campaign.revealed and run_of else {}
    record = Record(
        version=new.version,
        former=campaign.rubric.version,
        changes=tuple((c.key, c.criterion, c.old, c.new) for c in affected.changes),
        work=_work_of(campaign, affected),
        stamps={
            r.key: r.version
            for r in campaign.readings
            if counted[r.key].version == new.version and r.version != campaign.rubric.version
        },
        agreed=tuple((a.response, a.criterion, a.old, a.new) for a in agreed),
        graded={c: seal_of_graded(campaign.readings, c) for c in sorted(touched)},
        oversight=oversight,
        looked=len(affected.carriers | {work.key for work in affected.work}),
        decisions=tuple((d.response, d.before, d.after) for d in decisions),
        new_workbook=any(_needs_new_workbook(edit, campaign.language) for edit in edits),
    )
    before_agreement = agreement_of_readings(campaign)
    return Outcome(
        former=campaign,
        campaign=after,
        edits=edits,
        affected=affected,
        agreed=agreed,
        whole=_compared("", campaign, after, affected, None),
        runs=tuple(
            _compared(run, campaign, after, affected, {r for r, name in names.items() if name == run})
            for run in dict.fromkeys(names.values())
        ),
        agreement_before=before_agreement,
        agreement_after=agreement_of_readings(after) if edits else before_agreement,
        decisions=tuple(decisions),
        totals_changed=totals,
        record=replace(record, figures=figures(before_agreement)),
    )


def _needs_new_workbook(edit: Edit, language: str) -> bool:
    """Say whether an edit changes a column, its heading or its list: what a patch of cells cannot do."""
    named_on_screen = bool(edit.criterion) and edit.field == f"name_{language}"
    return edit.kind.needs_new_workbook or named_on_screen


def figures(agreement: AgreementSummary) -> dict[str, object]:
    """Return an agreement as plain counts, for the history: equal of n, by criterion, on all criteria, on the decision."""
    return {
        "criteria": {c: [a.equal, a.n] for c, a in agreement.criteria.items()},
        "all": [agreement.all_equal, agreement.all_n],
        "decision": [agreement.decision.equal, agreement.decision.n] if agreement.decision else None,
    }


def _work_of(campaign: Campaign, affected: Affected) -> dict[str, dict[Key, Level | None]]:
    grades = {reading.key: reading.grades for reading in campaign.readings}
    work: dict[str, dict[Key, Level | None]] = {}
    for item in affected.work:
        work.setdefault(item.criterion, {})[item.key] = grades[item.key].get(item.criterion)
    return work


def _after(campaign: Campaign, new: Rubric, affected: Affected, agreed: Sequence[AgreedChange]) -> Campaign:
    derived: dict[Key, dict[str, Level | None]] = {}
    for change in affected.changes:
        derived.setdefault(change.key, {})[change.criterion] = change.new
    again = {work.key for work in affected.work}
    ids = [criterion.id for criterion in new.criteria]

    levels_of = {criterion.id: criterion.levels for criterion in new.criteria}

    def revised(reading: Reading) -> Reading:
        given = {c: derived.get(reading.key, {}).get(c, reading.grades.get(c)) for c in ids}
        grades = {c: level if level in levels_of[c] else None for c, level in given.items()}
        blank = all(level is None for level in grades.values()) and not reading.refused
        keeps = not blank and (reading.key in again or campaign.is_stale(reading))
        refused = tuple(c for c in reading.refused if c in grades)
        return replace(
            reading, grades=grades, refused=refused, version=reading.version if keeps else new.version
        )

    levels = {response: dict(given) for response, given in campaign.agreed.items()}
    for moved in agreed:
        if moved.new is None:
            del levels[moved.response][moved.criterion]
        else:
            levels[moved.response][moved.criterion] = moved.new
    kept = campaign.versions if new in campaign.versions else (*campaign.versions, new)
    return replace(
        campaign,
        rubric=new,
        readings=tuple(map(revised, campaign.readings)),
        versions=kept,
        agreed={response: given for response, given in levels.items() if given},
    )


def _compared(
    run: str, campaign: Campaign, after: Campaign, affected: Affected, responses: Collection[str] | None
) -> Compared:
    def mine(of: Campaign) -> list[Reading]:
        return [r for r in of.owners() if responses is None or r.response in responses]

    owners = {reading.key for reading in mine(campaign)}
    return Compared(
        run=run,
        before=summarise_run(campaign, run, mine(campaign)),
        after=summarise_run(after, run, mine(after)),
        changed=sum(change.key in owners for change in affected.changes),
        waiting=len({work.key for work in affected.work} & owners),
    )
