"""To discuss: two readings that differ, how the talk ended, and agreement before and after. No average anywhere.

A discussion ends in one of two ways. The anchor is kept: the readers agree on one of the criterion's levels for this response. Or the
anchor is sharpened: its text is edited, a revision opens, and every response it touches is graded again. What each reader graded stays as it
was; only the grade that counts for the response is the agreed one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from lark_sheets.core.campaign import Campaign, Reading, by_response
from lark_sheets.core.reader_agreement import agreement_of_readings
from lark_sheets.core.results import AgreementSummary
from lark_sheets.core.rubric import Level, Rubric


class HowEnded(StrEnum):
    """How a discussion ended."""

    KEPT = "kept"
    SHARPENED = "sharpened"


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """Two first readings of one response that differ on a criterion, the owner's first.

    ``decides`` says whether the two readings also lead to different decisions.
    """

    criterion: str
    first: Reading
    second: Reading
    decides: bool

    @property
    def response(self) -> str:
        """Return the response both read."""
        return self.first.response

    @property
    def gap(self) -> int | None:
        """Return how many levels lie between the grades; None for labels."""
        grades = self.first.grades[self.criterion], self.second.grades[self.criterion]
        if all(isinstance(grade, int) for grade in grades):
            return abs(int(grades[0] or 0) - int(grades[1] or 0))
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A discussion that ended: the response, the criterion, how, and the agreed level where the anchor was kept."""

    response: str
    criterion: str
    how: HowEnded
    agreed: Level | None = None


def disagreements(campaign: Campaign) -> list[Disagreement]:
    """Return every disagreement between readings under today's rubric, in the order of the responses; those of one response by criterion."""
    fresh = [reading for reading in campaign.readings if not campaign.is_stale(reading)]
    return [
        d for readers in by_response(fresh).values() for d in _of(campaign.rubric, list(readers.values()))
    ]


def _of(rubric: Rubric, readings: list[Reading]) -> Iterator[Disagreement]:
    first, *others = sorted(readings, key=lambda reading: not reading.owner)
    for other in others:
        verdicts = rubric.decide(first.grades), rubric.decide(other.grades)
        for criterion in rubric.criteria:
            one, two = first.grades.get(criterion.id), other.grades.get(criterion.id)
            if one is not None and two is not None and one != two:
                yield Disagreement(
                    criterion=criterion.id,
                    first=first,
                    second=other,
                    decides=None not in verdicts and verdicts[0] != verdicts[1],
                )


def settled(campaign: Campaign, ended: Iterable[Ended]) -> Campaign:
    """Return the campaign with the grades that readers agreed on; a sharpened anchor settles nothing yet."""
    agreed = {response: dict(levels) for response, levels in campaign.agreed.items()}
    for one in ended:
        if one.how is HowEnded.KEPT and one.agreed is not None:
            agreed.setdefault(one.response, {})[one.criterion] = one.agreed
    return replace(campaign, agreed=agreed)


def sharpened(ended: Iterable[Ended]) -> dict[str, tuple[str, ...]]:
    """Return the criteria whose anchor is to be sharpened, with the responses that showed it."""
    found: dict[str, list[str]] = {}
    for one in ended:
        if one.how is HowEnded.SHARPENED:
            found.setdefault(one.criterion, []).append(one.response)
    return {criterion: tuple(responses) for criterion, responses in found.items()}


def not_yet_sharpened(ended: Iterable[Ended], sheet: Rubric, versions: Iterable[Rubric]) -> tuple[str, ...]:
    """Return the criteria that a discussion wants sharper and whose anchors read as they did in every kept version."""
    kept = tuple(versions)
    return tuple(
        criterion
        for criterion in sharpened(ended)
        if all(_anchors(version, criterion) == _anchors(sheet, criterion) for version in kept)
    )


def _anchors(rubric: Rubric, criterion: str) -> tuple[object, ...] | None:
    found = next((c for c in rubric.criteria if c.id == criterion), None)
    return None if found is None else tuple((a.level, a.description, a.example) for a in found.anchors)


def agreement_after(campaign: Campaign) -> AgreementSummary:
    """Return agreement as the discussions left it: where readers agreed on a grade, all of them stand behind it.

    Shown beside the agreement of what they graded on their own, never in place of it: talking until two grades are equal says nothing
    about what two people do alone.
    """
    readings = tuple(
        replace(reading, grades={**reading.grades, **levels})
        if (levels := campaign.agreed.get(reading.response)) and not reading.is_blank
        else reading
        for reading in campaign.readings
    )
    return agreement_of_readings(replace(campaign, readings=readings))
