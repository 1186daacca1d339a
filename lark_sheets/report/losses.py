"""Where points go: the heat map of totals, the tickets that trip most runs, three responses that show how."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lark_sheets.core.results import ReadingResult, Results
from lark_sheets.report.charts import Value, heat_map
from lark_sheets.report.parts import Block, Card, Column, Row, Section, Table, number, table_block, text
from lark_sheets.report.quoting import brief_text, quoted, shortened
from lark_sheets.report.types import type_blocks, weakest_block
from lark_sheets.report.words import Phrases

ACROSS = 32
"""Tickets in one band of the heat map."""
MOST_TICKETS = 128
"""Above this, the map would say nothing more: only the hardest tickets are listed."""
HARDEST = 6
QUOTED = 3
QUOTE = 360
EXCERPT = 62
REASON = 700


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketLoss:
    """What one ticket cost: how many runs were not ready, points lost, and per criterion how many points."""

    item: str
    graded: int
    not_ready: int
    lost: int
    by_criterion: Mapping[str, int]


def losses_section(results: Results, phrases: Phrases, *, quotes: bool) -> Section | None:
    """Return the page, or None for a rubric of labels only, or while runs are blind and nothing was lost."""
    translate, rubric = phrases.translate, results.rubric
    if rubric.total_max is None:
        return None
    owned = [reading for reading in results.readings if reading.owner]
    blocks = heat_blocks(results, phrases, owned)
    losses = sorted(ticket_losses(results, owned), key=lambda t: (-t.not_ready, -t.lost))
    hard = [ticket for ticket in losses if ticket.lost][:HARDEST]
    if hard:
        blocks.append(table_block(_hardest(results, phrases, hard), translate("Tickets that trip most runs")))
    blocks += type_blocks(results, phrases)
    if not rubric.favourable:
        weak = weakest_block(results, phrases, quotes=quotes)
        blocks += [weak] if weak else []
    shown = telling(results, owned) if rubric.favourable else []
    if shown:
        blocks.append(
            Block(
                kind="cards",
                heading=translate.count(
                    "{n} response to understand", "{n} responses to understand", len(shown)
                ),
                cards=tuple(
                    _card(reading, criterion, phrases, quotes=quotes) for reading, criterion in shown
                ),
            )
        )
    return Section(
        id="losses",
        title=translate("Where points are lost"),
        take=_take(phrases, losses),
        blocks=tuple(blocks),
    )


def ticket_losses(results: Results, owned: Sequence[ReadingResult]) -> list[TicketLoss]:
    """Return what each ticket cost, over its graded responses, in the campaign's order."""
    graded = [c for c in results.rubric.criteria if not c.is_category]
    by_item: dict[str, list[ReadingResult]] = defaultdict(list)
    for reading in owned:
        if reading.total is not None:
            by_item[reading.item].append(reading)
    losses = []
    for item, readings in by_item.items():
        lost: Counter[str] = Counter()
        for reading in readings:
            for criterion in graded:
                level, top = reading.scores.get(criterion.id), criterion.top
                if isinstance(level, int) and isinstance(top, int):
                    lost[criterion.id] += top - level
        losses.append(
            TicketLoss(
                item=item,
                graded=len(readings),
                not_ready=sum(reading.ready is False for reading in readings),
                lost=lost.total(),
                by_criterion=dict(lost),
            )
        )
    return losses


def _take(phrases: Phrases, losses: Sequence[TicketLoss]) -> str:
    translate = phrases.translate
    lost: Counter[str] = Counter()
    for ticket in losses:
        lost.update(ticket.by_criterion)
    whole = lost.total()
    if not whole:
        return translate("No point was lost anywhere.")
    criterion, most = lost.most_common(1)[0]
    take = translate(
        "{criterion} costs most: {k} of {n} points lost.",
        criterion=phrases.criterion(criterion),
        k=most,
        n=whole,
    )
    clean = sum(not ticket.lost for ticket in losses)
    if clean:
        take += " " + translate.count(
            "{n} ticket cost nobody a point.", "{n} tickets cost nobody a point.", clean
        )
    return take


def heat_blocks(results: Results, phrases: Phrases, owned: Sequence[ReadingResult]) -> list[Block]:
    """Return the heat map in bands of tickets, one row a run (or one row of letters' worst while they are blind)."""
    translate = phrases.translate
    items = [item.id for item in phrases.campaign.items]
    runs = [run.run for run in results.runs]
    if not runs or len(items) > MOST_TICKETS:
        return []
    totals = {(reading.run, reading.item): Value(reading.total, reading.ready) for reading in owned}
    maximum = results.rubric.total_max or 0
    label = min(200.0, 14.0 + 4.4 * max(len(run) for run in runs))
    bands = [items[start : start + ACROSS] for start in range(0, len(items), ACROSS)]
    blocks = []
    for place, band in enumerate(bands):
        rows = [(run, [totals.get((run, item)) for item in band]) for run in runs]
        chart = heat_map(
            band, rows, maximum=maximum, alt=_heat_sentence(phrases, rows, maximum), width=657, label=label
        )
        last = place == len(bands) - 1
        blocks.append(
            Block(
                kind="heat",
                heading=translate("Total of each response, of {maximum}", maximum=maximum)
                if not place
                else "",
                heat=chart,
                note=_heat_note(results, phrases) if last else "",
            )
        )
    return blocks


def _heat_note(results: Results, phrases: Phrases) -> str:
    translate = phrases.translate
    note = translate("A number stands where points were lost; darker: more lost.")
    if results.rubric.favourable:
        note += " " + translate(
            "A line under it: not {ready}.", ready=phrases.outcome(results.rubric.favourable)
        )
    return note


def _heat_sentence(phrases: Phrases, rows: Sequence[tuple[str, Sequence[Value | None]]], maximum: int) -> str:
    parts = []
    for run, values in rows:
        known = [v for v in values if v is not None and v.points is not None]
        below = sum((v.points or 0) < maximum for v in known)
        failed = sum(v.ready is False for v in known)
        parts.append(
            phrases.translate(
                "{run}: {below} of {n} below {maximum}, {failed} not passed",
                run=run,
                below=below,
                n=len(known),
                maximum=maximum,
                failed=failed,
            )
        )
    return "; ".join(parts) + "."


def _hardest(results: Results, phrases: Phrases, hard: Sequence[TicketLoss]) -> Table:
    translate = phrases.translate
    decided = bool(results.rubric.favourable)
    rows = []
    for ticket in hard:
        criterion = max(ticket.by_criterion, key=lambda c: ticket.by_criterion[c])
        message = shortened(phrases, " ".join(phrases.item[ticket.item].text.split()), EXCERPT)
        cells = [text(ticket.item, "name")]
        if decided:
            cells.append(number(phrases.of(ticket.not_ready, ticket.graded)))
        cells += [
            number(str(ticket.lost)),
            text(phrases.criterion(criterion)),
            text(message.text + ("…" if message.shortened else ""), "muted"),
        ]
        rows.append(Row(cells=tuple(cells)))
    not_ready = translate("Not {ready}", ready=phrases.ready)
    return Table(
        caption="",
        columns=(
            Column(text=translate("Ticket"), kind="name", width="16mm"),
            *((Column(text=not_ready, kind="number", width="23mm"),) if decided else ()),
            Column(text=translate("Points lost"), kind="number", width="17mm"),
            Column(text=translate("Mostly on"), width="34mm"),
            Column(text=translate("What was asked")),
        ),
        rows=tuple(rows),
        look="hardest",
    )


def telling(results: Results, owned: Sequence[ReadingResult]) -> list[tuple[ReadingResult, str]]:
    """Choose the responses that teach most, by rule: at the lowest level on the criterion where most are, then on the next.

    For each criterion, by falling number of responses at its lowest level, the one with a written reason, then the fewest
    other faults; never two of one ticket, nor two of one run while another can do. No random choice, no judgement.
    """
    graded = [c for c in results.rubric.criteria if not c.is_category]
    lowest = {
        c.id: [r for r in owned if r.total is not None and r.scores.get(c.id) == c.levels[0]] for c in graded
    }
    chosen: list[tuple[ReadingResult, str]] = []
    for criterion in sorted(graded, key=lambda c: -len(lowest[c.id])):
        runs, items = {r.run for r, _ in chosen}, {r.item for r, _ in chosen}
        free = [r for r in lowest[criterion.id] if r.item not in items]
        if free and len(chosen) < QUOTED:
            best = min(free, key=lambda r: (r.run in runs, not r.reason, -(r.total or 0), r.item, r.label))
            chosen.append((best, criterion.id))
    return chosen


def _card(reading: ReadingResult, criterion: str, phrases: Phrases, *, quotes: bool) -> Card:
    translate, rubric = phrases.translate, phrases.results.rubric
    quote = quoted(phrases, reading.id, QUOTE) if quotes else None
    codes = [code.label.in_(phrases.language) for c in reading.codes if (code := rubric.code(c))]
    reason = reading.reason or (", ".join(codes) if codes else "")
    message = shortened(phrases, " ".join(phrases.item[reading.item].text.split()), 220)
    decision = phrases.verdict(reading.verdict, corrected=reading.corrected) if rubric.verdict else ""
    tag = " · ".join(
        part
        for part in (
            f"{phrases.criterion(criterion)} {phrases.level(criterion, reading.scores.get(criterion))}",
            decision,
        )
        if part
    )
    sentences = (
        [phrases.colon(translate("Asked"), message.text + ("…" if message.shortened else ""))]
        if quotes
        else []
    )
    if reason:
        sentences.append(phrases.colon(translate("Grader"), brief_text(phrases, reason, REASON)))
    empty = quotes and not phrases.response[reading.id].text.strip()
    if empty:
        sentences.append(translate("The model answered nothing."))
    return Card(
        title=f"{reading.item} · {reading.run or reading.label}",
        tag=tag,
        sentences=tuple(sentences),
        text=quote.text if quote else "",
        code=bool(quote and quote.code),
        shortened=quote.shortened if quote else "",
        language=quote.language if quote else "",
    )
