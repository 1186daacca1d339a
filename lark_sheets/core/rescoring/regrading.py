"""Readings that go back to their grader: what is asked of them, and how the answer joins what stands.

A grader is asked about the touched criteria only. The rubric of a work-list holds these criteria and their codes, nothing else, so that no
other grade can change on the way, and no old grade is in the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from lark_sheets.core.campaign import Campaign, Reading
from lark_sheets.core.rescoring.affected import Key
from lark_sheets.core.rescoring.record import Record, waiting
from lark_sheets.core.rubric import IssueCode, Rubric

BETWEEN = " · "


def asked_again(
    campaign: Campaign, records: Iterable[Record]
) -> dict[str, dict[tuple[str, ...], tuple[Key, ...]]]:
    """Return the readings that wait, by grader and by the criteria asked (in the rubric's order), in the order of the rows."""
    pending = waiting(records, campaign)
    asked: dict[str, dict[tuple[str, ...], list[Key]]] = {}
    for reading in campaign.readings:
        criteria = tuple(c.id for c in campaign.rubric.criteria if reading.key in pending[c.id])
        if criteria:
            asked.setdefault(reading.grader, {}).setdefault(criteria, []).append(reading.key)
    return {g: {c: tuple(keys) for c, keys in groups.items()} for g, groups in asked.items()}


def rubric_of(rubric: Rubric, criteria: Collection[str]) -> Rubric:
    """Return the part of a rubric that grades only some criteria: their anchors and codes, no decision."""
    codes = [
        IssueCode(id=code.id, label=code.label, caps=caps)
        for code in rubric.codes
        if (caps := tuple(cap for cap in code.caps if cap.criterion in criteria))
    ]
    return replace(
        rubric,
        criteria=tuple(c for c in rubric.criteria if c.id in criteria),
        codes=tuple(codes),
        verdict=(),
        outcomes={},
        favourable="",
        main_label=rubric.main_label
        if any(c.is_category for c in rubric.criteria if c.id in criteria)
        else "",
    )


def worklist(campaign: Campaign, criteria: Sequence[str], keys: Collection[Key]) -> Campaign:
    """Return the campaign that a work-list holds: these readings without a grade, and the part of the rubric they are asked about."""
    part = rubric_of(campaign.rubric, criteria)
    readings = tuple(
        replace(
            reading,
            grades=dict.fromkeys(c.id for c in part.criteria),
            codes=(),
            reason="",
            discuss=False,
            refused=(),
            version=part.version,
        )
        for reading in campaign.readings
        if reading.key in keys
    )
    named = {reading.response for reading in readings}
    responses = tuple(r for r in campaign.responses if r.id in named)
    items = {r.item for r in responses}
    return replace(
        campaign,
        rubric=part,
        readings=readings,
        responses=responses,
        items=tuple(item for item in campaign.items if item.id in items),
        versions=(part,),
        agreed={},
        log=(),
        lost=0,
    )


def is_answer(known: Reading, new: Reading) -> bool:
    """Say whether ``new`` answers for a reading that went back to its grader: a newer version, or only some of the criteria."""
    if new.is_blank:
        return False
    return set(new.grades) < set(known.grades) or (not known.is_blank and new.version > known.version)


def rejoined(known: Reading, new: Reading, rubric: Rubric) -> Reading:
    """Return a reading with the answers of its grader in place.

    The criteria that ``new`` grades take its grades and codes; every other grade, and the codes that speak of another criterion, stay.
    The reading carries the new version only when everything asked was answered; until then nothing of it counts and ``known`` is
    returned.
    """
    if not new.is_complete or new.refused:
        return known
    asked = set(new.grades)
    kept = tuple(c for c in known.codes if not _touches_only(rubric, c, asked) and c not in new.codes)
    codes = new.codes if asked >= set(known.grades) else (*kept, *new.codes)
    same = dict.fromkeys((*known.codes, *codes))
    return replace(
        known,
        grades={**known.grades, **new.grades},
        # The order in which codes were recorded says nothing: keep it, so that gathering twice changes nothing.
        codes=tuple(c for c in same if c in codes),
        reason=_joined(known.reason, new.reason),
        discuss=known.discuss or new.discuss,
        refused=tuple(c for c in known.refused if c not in asked),
        version=max(known.version, new.version),
    )


def _touches_only(rubric: Rubric, code: str, criteria: Collection[str]) -> bool:
    found = rubric.code(code)
    return found is not None and all(cap.criterion in criteria for cap in found.caps)


def _joined(old: str, new: str) -> str:
    """Return both reasons, the new one first; what people typed is never lost, and nothing is said twice."""
    if not new or new == old or old.startswith(new + BETWEEN):
        return old
    return BETWEEN.join(part for part in (new, old) if part)


def still_asked(campaign: Campaign, records: Iterable[Record]) -> Mapping[str, int]:
    """Return how many readings of each grader wait."""
    groups = asked_again(campaign, records)
    return {grader: len({key for keys in by.values() for key in keys}) for grader, by in groups.items()}
