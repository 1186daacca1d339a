"""The reveal: when it is allowed, and what it fixes, so that a grade changed by hand afterwards is seen."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from lark_sheets.core.campaign import Campaign, LogEntry, Reading
from lark_sheets.core.scoring import counted_grades
from lark_sheets.core.text import canonical_json, sha256

REVEALED = "revealed"
FORCED = "revealed_early"
SEAL = "grades_sealed"
SEAL_LENGTH = 10


def unfinished(campaign: Campaign) -> list[str]:
    """Return the responses (ticket-letter) whose owner's grades are missing, refused or stale."""
    responses = campaign.response()
    names = []
    for reading in campaign.owners():
        grades = counted_grades(campaign, reading)
        if campaign.is_stale(reading) or any(level is None for level in grades.values()):
            names.append(f"{responses[reading.response].item}-{responses[reading.response].label}")
    return names + ["?"] * campaign.lost


def seal_of(reading: Reading) -> str:
    """Return a short digest of one reading's grades and version."""
    grades = canonical_json({"grades": dict(reading.grades), "version": reading.version})
    return sha256(grades)[:SEAL_LENGTH]


def seals(readings: Iterable[Reading]) -> dict[str, str]:
    """Return the digests of readings by response and grader."""
    return {f"{r.response}|{r.grader}|{r.number}": seal_of(r) for r in readings if not r.is_blank}


def sealed_entries(campaign: Campaign, when: str, who: str, chunk: int) -> list[LogEntry]:
    """Return the log lines that keep the grades' digests as they stand, in pieces of at most ``chunk`` characters."""
    text = canonical_json(seals(campaign.readings))
    pieces = [text[start : start + chunk] for start in range(0, len(text), chunk)]
    return [
        LogEntry(when=when, who=who, event=SEAL, detail=piece, version=campaign.rubric.version)
        for piece in pieces
    ]


def sealed(log: Iterable[LogEntry]) -> Mapping[str, str]:
    """Return the digests that the log keeps, the latest seal only; empty before the reveal."""
    pieces: dict[str, list[str]] = {}
    for entry in log:
        if entry.event == SEAL:
            pieces.setdefault(entry.when, []).append(entry.detail)
    if not pieces:
        return {}
    try:
        kept = json.loads("".join(pieces[max(pieces)]))
    except ValueError:
        return {}
    return {str(k): str(v) for k, v in kept.items()} if isinstance(kept, dict) else {}


def changed_since(campaign: Campaign) -> list[str]:
    """Return the readings (ticket-letter, grader) whose grades are not those of the last seal."""
    kept = sealed(campaign.log)
    if not kept:
        return []
    responses = campaign.response()
    names = []
    for reading in campaign.readings:
        key = f"{reading.response}|{reading.grader}|{reading.number}"
        if key in kept and kept[key] != seal_of(reading):
            response = responses[reading.response]
            names.append(f"{response.item}-{response.label} ({reading.grader})")
    return names


def early_reason(log: Iterable[LogEntry]) -> str:
    """Return why the names were revealed before all was graded, or an empty string."""
    return next((entry.detail for entry in log if entry.event == FORCED), "")
