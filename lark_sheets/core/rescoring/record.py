"""What brings the state before a revision back: kept in the workbook, read again by ``--undo``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lark_sheets.core.campaign import Campaign, Reading
from lark_sheets.core.problems import problem
from lark_sheets.core.rescoring.affected import Key
from lark_sheets.core.rubric import Level
from lark_sheets.core.text import canonical_json, sha256
from lark_sheets.errors import Problem

RECORD_SCHEMA = 1
MOST_NAMED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One revision as it was applied.

    ``changes`` are the grades written (key, criterion, old, new); ``work`` by criterion the readings sent to people, with the grade they
    had; ``stamps`` the former version of the readings that were stamped anew and did not carry ``former``; ``agreed`` the grades agreed in a
    discussion that were moved or voided (response, criterion, old, new or None); ``graded`` a seal, by touched criterion, over which readings had a
    grade. ``oversight`` is the code of a correction, empty for an edit. ``looked`` counts the readings looked at, ``decisions`` are those that
    changed by rule (response, before, after). ``figures`` keeps the agreement before it, as plain counts.
    """

    version: int
    former: int
    changes: tuple[tuple[Key, str, Level, Level], ...] = ()
    work: Mapping[str, Mapping[Key, Level | None]] = field(default_factory=dict)
    stamps: Mapping[Key, int] = field(default_factory=dict)
    agreed: tuple[tuple[str, str, Level, Level | None], ...] = ()
    graded: Mapping[str, str] = field(default_factory=dict)
    oversight: str = ""
    new_workbook: bool = False
    looked: int = 0
    decisions: tuple[tuple[str, str | None, str | None], ...] = ()
    figures: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the record as one canonical line of JSON."""
        return canonical_json(
            {
                "schema": RECORD_SCHEMA,
                "version": self.version,
                "former": self.former,
                "changes": [[*key, criterion, old, new] for key, criterion, old, new in self.changes],
                "work": {c: [[*key, grade] for key, grade in keys.items()] for c, keys in self.work.items()},
                "stamps": [[*key, version] for key, version in self.stamps.items()],
                "agreed": [list(entry) for entry in self.agreed],
                "graded": dict(self.graded),
                "oversight": self.oversight,
                "new_workbook": self.new_workbook,
                "looked": self.looked,
                "decisions": [list(entry) for entry in self.decisions],
                "figures": dict(self.figures),
            }
        )


def record_from_plain(plain: Mapping[str, Any]) -> Record:
    """Return the record that a JSON object describes; ``ValueError`` when it describes none."""
    if plain.get("schema") != RECORD_SCHEMA:
        raise ValueError(str(plain.get("schema")))
    try:
        return Record(
            version=int(plain["version"]),
            former=int(plain["former"]),
            changes=tuple(
                ((str(r), str(g), int(n)), str(c), old, new) for r, g, n, c, old, new in plain["changes"]
            ),
            work={
                str(c): {(str(r), str(g), int(n)): grade for r, g, n, grade in keys}
                for c, keys in plain["work"].items()
            },
            stamps={(str(r), str(g), int(n)): int(v) for r, g, n, v in plain["stamps"]},
            agreed=tuple((str(r), str(c), old, new) for r, c, old, new in plain["agreed"]),
            graded={str(c): str(seal) for c, seal in plain["graded"].items()},
            oversight=str(plain.get("oversight", "")),
            new_workbook=bool(plain.get("new_workbook")),
            looked=int(plain.get("looked", 0)),
            decisions=tuple((str(r), before, after) for r, before, after in plain.get("decisions", ())),
            figures=dict(plain.get("figures", {})),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(str(error)) from error


def seal_of_graded(readings: Iterable[Reading], criterion: str) -> str:
    """Return a short seal over which readings have a grade on a criterion, whatever the grade and the order."""
    keys = sorted(reading.key for reading in readings if reading.grades.get(criterion) is not None)
    return sha256(canonical_json(keys))[:16]


def in_force(records: Iterable[Record], campaign: Campaign) -> Record | None:
    """Return the record of the revision that made today's rubric, None for a campaign never revised or undone back to its start."""
    mine = [record for record in records if record.version == campaign.rubric.version]
    return mine[-1] if mine else None


def lineage(records: Iterable[Record], campaign: Campaign) -> list[Record]:
    """Return the revisions that led to today's rubric, oldest first; revisions that were undone are not among them."""
    by_version = {record.version: record for record in records}
    line: list[Record] = []
    version = campaign.rubric.version
    while version in by_version and by_version[version].former < version:
        line.append(by_version[version])
        version = by_version[version].former
    return line[::-1]


def waiting(records: Iterable[Record], campaign: Campaign) -> dict[str, set[Key]]:
    """Return, by criterion, the readings that a revision sent to their grader and that have not come back.

    A reading that is stale for a reason no record tells waits on every criterion.
    """
    pending: dict[str, set[Key]] = {criterion.id: set() for criterion in campaign.rubric.criteria}
    line = lineage(records, campaign)
    for reading in campaign.readings:
        if not campaign.is_stale(reading):
            continue
        named = {
            criterion
            for record in line
            if record.version > reading.version
            for criterion, keys in record.work.items()
            if reading.key in keys
        }
        for criterion in named & set(pending) or set(pending):
            pending[criterion].add(reading.key)
    return pending


def asked_before(records: Iterable[Record], campaign: Campaign, code: str) -> set[Key]:
    """Return the readings that were on a work-list for an overlooked code before."""
    return {
        key
        for record in lineage(records, campaign)
        if record.oversight == code
        for keys in record.work.values()
        for key in keys
    }


def undone(campaign: Campaign, record: Record | None) -> tuple[Campaign, tuple[Problem, ...]]:
    """Return the campaign as it was before ``record``, and the problems that forbid it.

    Refused when there is no revision to undo, when it made a new workbook, or when a grade that it touched was changed since: by hand, or because a
    work-list came back. With problems the campaign is returned as it is.
    """
    if record is None or record.version != campaign.rubric.version:
        return campaign, (problem("nothing_to_undo"),)
    if record.new_workbook:
        return campaign, (problem("undo_other_workbook", version=record.version),)
    former = next((r for r in campaign.versions if r.version == record.former), None)
    if former is None:
        return campaign, (problem("undo_without_version", version=record.former),)
    touched = _changed_since(campaign, record)
    if touched:
        shown = ", ".join(touched[:MOST_NAMED]) + (
            f" (+{len(touched) - MOST_NAMED})" if len(touched) > MOST_NAMED else ""
        )
        return campaign, (problem("undo_refused", found=shown, count=len(touched), version=record.version),)
    old = {(key, criterion): level for key, criterion, level, _ in record.changes}
    readings = tuple(_former(reading, old, record) for reading in campaign.readings)
    agreed = {response: dict(levels) for response, levels in campaign.agreed.items()}
    for response, criterion, level, _ in record.agreed:
        agreed.setdefault(response, {})[criterion] = level
    return replace(campaign, rubric=former, readings=readings, agreed=agreed), ()


def _former(reading: Reading, old: Mapping[tuple[Key, str], Level], record: Record) -> Reading:
    grades = {c: old.get((reading.key, c), level) for c, level in reading.grades.items()}
    stamped = reading.version == record.version
    version = record.stamps.get(reading.key, record.former) if stamped else reading.version
    return replace(reading, grades=grades, version=version)


def _changed_since(campaign: Campaign, record: Record) -> list[str]:
    """Return the names of the readings whose touched grade is not what the revision left."""
    by_key = {reading.key: reading for reading in campaign.readings}
    responses = campaign.response()
    left: dict[tuple[Key, str], Level | None] = {(k, c): new for k, c, _, new in record.changes}
    left |= {(key, c): grade for c, keys in record.work.items() for key, grade in keys.items()}
    names: dict[str, None] = {}
    for (key, criterion), grade in left.items():
        reading = by_key.get(key)
        if reading is None or reading.grades.get(criterion) != grade:
            response = responses.get(key[0])
            names[f"{response.item}-{response.label} ({key[1]})" if response else key[0]] = None
    if not names:
        names |= {
            criterion: None
            for criterion, seal in record.graded.items()
            if seal_of_graded(campaign.readings, criterion) != seal
        }
    agreed_now = campaign.agreed
    for response_id, criterion, _, new in record.agreed:
        if agreed_now.get(response_id, {}).get(criterion) != new:
            response = responses.get(response_id)
            names[f"{response.item}-{response.label}" if response else response_id] = None
    return list(names)
