"""Grades agreed in a discussion, when a revision touches them: each follows the reader whose grade it was."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from lark_sheets.core.campaign import Campaign, Reading
from lark_sheets.core.rescoring.affected import Affected, Why, Work
from lark_sheets.core.rubric import Level


class AgreedChange(NamedTuple):
    """A grade agreed in a discussion that follows the reader whose grade it was, or is voided (``new`` None)."""

    response: str
    criterion: str
    old: Level
    new: Level | None


def follow_agreed(campaign: Campaign, affected: Affected) -> tuple[Affected, tuple[AgreedChange, ...]]:
    """Let an agreed grade follow the reader whose grade it was; where nobody's codes carry it, it is voided and its owner grades again."""
    by_response: dict[str, list[Reading]] = {}
    for reading in campaign.readings:
        by_response.setdefault(reading.response, []).append(reading)
    new = {(c.key, c.criterion): c.new for c in affected.changes}
    again = {(w.key, w.criterion) for w in affected.work}
    moved: list[AgreedChange] = []
    extra: list[Work] = []
    for response, given in campaign.agreed.items():
        for criterion, level in given.items():
            readings = [r for r in by_response.get(response, []) if not r.is_blank]
            places = [(r.key, criterion) for r in readings]
            if not any(place in new or place in again for place in places):
                continue
            theirs = [(r.key, criterion) for r in readings if r.grades.get(criterion) == level]
            later = {new.get(place, level) for place in theirs}
            if theirs and len(later) == 1 and not any(place in again for place in theirs):
                (level_now,) = later
                if level_now != level:
                    moved.append(AgreedChange(response, criterion, level, level_now))
                continue
            moved.append(AgreedChange(response, criterion, level, None))
            extra += [
                Work(r.key, criterion, Why.DISCUSSED)
                for r in readings
                if r.owner and (r.key, criterion) not in again and r.grades.get(criterion) is not None
            ]
    if not extra:
        return affected, tuple(moved)
    people = {(work.key, work.criterion) for work in extra}
    order = {reading.key: n for n, reading in enumerate(campaign.readings)}
    return (
        replace(
            affected,
            changes=tuple(c for c in affected.changes if (c.key, c.criterion) not in people),
            work=tuple(sorted((*affected.work, *extra), key=lambda w: order[w.key])),
        ),
        tuple(moved),
    )
