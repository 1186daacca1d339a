"""Means by type of ticket, and the weakest answers: for rubrics that compare rather than decide, and wherever tickets have types."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from lark_sheets.core.results import ReadingResult, Results
from lark_sheets.report.parts import Block, Card, Column, Row, Table, number, table_block, text
from lark_sheets.report.quoting import brief_text, quoted
from lark_sheets.report.words import Phrases

WEAKEST = 3
MOST_TYPES = 8
QUOTE = 330
REASON = 700


def type_blocks(results: Results, phrases: Phrases) -> list[Block]:
    """Return the table of mean totals by type and run; nothing when tickets have no type, or too many."""
    types = list(dict.fromkeys(item.type for item in phrases.campaign.items if item.type))
    if not 1 < len(types) <= MOST_TYPES or results.rubric.total_max is None:
        return []
    translate = phrases.translate
    sums: dict[tuple[str, str], list[int]] = defaultdict(list)
    for reading in results.readings:
        if reading.owner and reading.total is not None:
            sums[reading.run or "", phrases.item[reading.item].type].append(reading.total)
    names = [run.run for run in results.runs] or [""]
    counts = {kind: sum(item.type == kind for item in phrases.campaign.items) for kind in types}
    rows = []
    for run in names:
        cells = [text(phrases.run(run), "name")]
        for kind in types:
            totals = sums[run, kind]
            mean = translate.decimal(Fraction(sum(totals), len(totals))) if totals else "–"
            partial = len(totals) != counts[kind] and bool(run)
            cells.append(number(mean + (f" ({len(totals)})" if partial else "")))
        rows.append(Row(cells=tuple(cells)))
    table = Table(
        caption="",
        columns=(
            Column(text=translate("Run"), kind="name", width="52mm"),
            *(
                Column(text=translate("{type} ({n})", type=kind, n=counts[kind]), kind="number")
                for kind in types
            ),
        ),
        rows=tuple(rows),
        note=translate(
            "Mean total of complete responses, of {maximum}; in brackets the tickets. A few tickets of a type tell little: differences between types are not tested.",
            maximum=results.rubric.total_max,
        ),
        look="types",
    )
    return [table_block(table, translate("By type of ticket"))]


def weakest(results: Results) -> list[ReadingResult]:
    """Return the three responses with the lowest totals, and every other one tied with the third."""
    owned = sorted(
        (r for r in results.readings if r.owner and r.total is not None),
        key=lambda r: (r.total or 0, r.item, r.label),
    )
    if len(owned) <= WEAKEST:
        return owned
    limit = owned[WEAKEST - 1].total or 0
    return [reading for reading in owned if (reading.total or 0) <= limit]


def weakest_block(results: Results, phrases: Phrases, *, quotes: bool) -> Block | None:
    """Return the weakest answers as cards; ties beyond six are counted, not shown."""
    translate, maximum = phrases.translate, results.rubric.total_max
    found = weakest(results)
    if not found or maximum is None:
        return None
    shown = found[: 2 * WEAKEST]
    cards = []
    for reading in shown:
        quote = quoted(phrases, reading.id, QUOTE) if quotes else None
        grades = ", ".join(
            f"{phrases.criterion(c)} {phrases.level(c, level)}" for c, level in reading.scores.items()
        )
        cards.append(
            Card(
                title=f"{reading.item} · {reading.run or reading.label}",
                tag=translate("{total} of {maximum}", total=reading.total, maximum=maximum),
                sentences=tuple(
                    part for part in (grades, brief_text(phrases, reading.reason, REASON)) if part
                ),
                text=quote.text if quote else "",
                code=bool(quote and quote.code),
                shortened=quote.shortened if quote else "",
                language=quote.language if quote else "",
            )
        )
    left = len(found) - len(shown)
    return Block(
        kind="cards",
        heading=translate("The weakest answers: read these first"),
        cards=tuple(cards),
        note=translate.count("{n} more has the same total.", "{n} more have the same total.", left)
        if left
        else "",
    )
