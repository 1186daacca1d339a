"""What a revision leaves in the log: a line for people, and the record that brings the former state back."""

from __future__ import annotations

import json
from collections.abc import Iterable

from lark_sheets.core.campaign import Campaign, LogEntry
from lark_sheets.core.rescoring.record import Record, record_from_plain
from lark_sheets.core.sealing import SEAL, seal_of, sealed
from lark_sheets.core.text import canonical_json
from lark_sheets.workbook.marks import chunks

RESCORED = "rescore"
CORRECTED = "correction"
UNDONE = "rescore_undone"
RECORD = "rescore_record"


def record_entries(record: Record, when: str, who: str) -> list[LogEntry]:
    """Return the log lines that keep a record, in pieces that fit a cell."""
    return [
        LogEntry(when=when, who=who, event=RECORD, detail=piece, version=record.version)
        for piece in chunks(record.to_json())
    ]


def kept_records(log: Iterable[LogEntry]) -> list[Record]:
    """Return the revisions that the log keeps, oldest first; a record that is not whole any more is left out."""
    pieces: dict[tuple[str, int], list[str]] = {}
    for entry in log:
        if entry.event == RECORD:
            pieces.setdefault((entry.when, entry.version), []).append(entry.detail)
    records = []
    for parts in pieces.values():
        try:
            plain = json.loads("".join(parts))
            records.append(record_from_plain(plain))
        except (ValueError, AttributeError):
            continue
    return records


def seal_entries(before: Campaign, after: Campaign, when: str, who: str) -> list[LogEntry]:
    """Return the log lines that seal the grades anew once names are revealed: what a rule changed is no change by hand.

    A reading that had been changed by hand before keeps its former seal, so that it stays marked.
    """
    kept = sealed(before.log)
    if not kept:
        return []
    then = {f"{r.response}|{r.grader}|{r.number}": seal_of(r) for r in before.readings}
    now = {f"{r.response}|{r.grader}|{r.number}": seal_of(r) for r in after.readings}
    fresh = {key: now[key] if key in now and then.get(key) == seal else seal for key, seal in kept.items()}
    return [
        LogEntry(when=when, who=who, event=SEAL, detail=piece, version=after.rubric.version)
        for piece in chunks(canonical_json(fresh))
    ]
