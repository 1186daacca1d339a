"""Responses that two readers graded differently: both grades, both reasons, the anchor concerned. No average anywhere."""

from __future__ import annotations

from lark_sheets.core.results import ReadingResult, Results
from lark_sheets.report.parts import Block, Card, Opinion
from lark_sheets.report.quoting import brief_text, quoted
from lark_sheets.report.words import Phrases

CARDS = 12
QUOTE = 330
REASON = 700


def disagreements(results: Results) -> list[list[ReadingResult]]:
    """Return the readings of every response whose complete readings differ somewhere, the owner's first."""
    by_id: dict[str, list[ReadingResult]] = {}
    for reading in results.readings:
        if all(grade is not None for grade in reading.scores.values()) and not reading.stale:
            by_id.setdefault(reading.id, []).append(reading)
    groups = [sorted(group, key=lambda r: not r.owner) for group in by_id.values() if len(group) > 1]
    return [group for group in groups if any(dict(r.scores) != dict(group[0].scores) for r in group[1:])]


def discuss_block(results: Results, phrases: Phrases, *, quotes: bool) -> Block | None:
    """Return the cards of what is left to discuss, those that change a decision first; None when nothing is."""
    translate = phrases.translate
    found = sorted(disagreements(results), key=_urgency)
    if not found:
        return None
    left = len(found) - CARDS
    return Block(
        kind="cards",
        heading=translate.count("To discuss: {n} response", "To discuss: {n} responses", len(found)),
        cards=tuple(_card(group, phrases, quotes=quotes) for group in found[:CARDS]),
        note=translate.count(
            "{n} more stands in the sheet Detail of the results workbook.",
            "{n} more stand in the sheet Detail of the results workbook.",
            left,
        )
        if left > 0
        else "",
    )


def _urgency(group: list[ReadingResult]) -> tuple[bool, int]:
    """Order what changes a decision first, then the widest gap between totals."""
    totals = [reading.total or 0 for reading in group]
    return len({reading.verdict for reading in group}) < 2, min(totals) - max(totals)


def _card(group: list[ReadingResult], phrases: Phrases, *, quotes: bool) -> Card:
    translate, rubric = phrases.translate, phrases.results.rubric
    first = group[0]
    differing = [c for c in rubric.criteria if len({r.scores.get(c.id) for r in group}) > 1]
    opinions = []
    for reading in group:
        grades = ", ".join(
            f"{c.name.in_(phrases.language)} {phrases.level(c.id, reading.scores.get(c.id))}"
            for c in differing
        )
        codes = [
            code.label.in_(phrases.language)
            for code_id in reading.codes
            if (code := rubric.code(code_id)) and any(code.touches(c.id) for c in differing)
        ]
        reason = reading.reason or (", ".join(codes) if codes else translate("no reason given"))
        opinions.append(
            Opinion(
                reader=phrases.reader(reading.grader),
                grade=grades,
                reason=brief_text(phrases, reason, REASON),
            )
        )
    anchors = []
    for criterion in differing:
        for level in sorted({r.scores[criterion.id] for r in group}, key=str):
            if level is not None:
                name = f"{criterion.name.in_(phrases.language)} {phrases.level(criterion.id, level)}"
                anchors.append(phrases.colon(name, criterion.anchor(level).description.in_(phrases.language)))
    same = len({r.verdict for r in group}) == 1
    decision = (
        (translate("Decision unchanged.") if same else translate("The decision changes with the reader."))
        if rubric.verdict
        else ""
    )
    agreed = (
        translate("Grades agreed on after a discussion count.") if first.id in phrases.campaign.agreed else ""
    )
    quote = quoted(phrases, first.id, QUOTE) if quotes else None
    return Card(
        title=f"{first.item} · {first.run or first.label}",
        tag=", ".join(
            f"{c.name.in_(phrases.language)} "
            + " / ".join(phrases.level(c.id, r.scores.get(c.id)) for r in group)
            for c in differing
        ),
        opinions=tuple(opinions),
        text=quote.text if quote else "",
        code=quote.code if quote else False,
        shortened=quote.shortened if quote else "",
        note=" ".join(
            part
            for part in (translate("Anchors: {anchors}.", anchors="; ".join(anchors)), decision, agreed)
            if part
        ),
    )
