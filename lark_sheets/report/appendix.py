"""The appendix: every response with its grades, and its text where that may be shown; nothing is cut without saying so."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from lark_sheets.core.results import ReadingResult, Results
from lark_sheets.report.parts import Block, Card, Cell, Column, Row, Section, Table, number, table_block, text
from lark_sheets.report.quoting import brief_text, shortened
from lark_sheets.report.words import Phrases

BUDGET = 2_000_000
"""Characters of responses that one report prints, some 400 pages; beyond, long texts are shortened and say by how much."""
REASON = 300
ROWS_PER_TABLE = 200
"""Rows of one table: laying out one endless table takes more than linear time."""


def appendix_section(results: Results, phrases: Phrases, *, full: bool) -> Section | None:
    """Return the appendix with texts (``full``) or grades only; None when there is nothing to show."""
    translate = phrases.translate
    owned = [reading for reading in results.readings if reading.owner]
    if not owned:
        return None
    order = {item.id: place for place, item in enumerate(phrases.campaign.items)}
    runs: dict[str | None, int] = {run.run: place for place, run in enumerate(results.runs)}
    owned.sort(key=lambda r: (order.get(r.item, len(order)), runs.get(r.run, 0), r.label))
    if full:
        limit = text_limit([len(phrases.response[reading.id].text) for reading in owned], BUDGET)
        blocks = [
            _ticket(item, list(readings), phrases, limit)
            for item, readings in groupby(owned, lambda r: r.item)
        ]
        take = translate("Each ticket, then each answer as it was given, with its grades and why.")
    else:
        blocks = [
            table_block(_scores(owned[start : start + ROWS_PER_TABLE], phrases))
            for start in range(0, len(owned), ROWS_PER_TABLE)
        ]
        take = translate("Each response with its grades; the texts are in the campaign's workbook.")
    return Section(
        id="appendix",
        title=translate.count("Appendix: the {n} response", "Appendix: the {n} responses", len(owned)),
        take=take,
        blocks=tuple(blocks),
        new_page=False,
    )


def text_limit(lengths: Sequence[int], budget: int) -> int | None:
    """Return how many characters of each text can be shown so that all together stay within ``budget``; None: all of each.

    Short texts stay whole and leave their share to the long ones.
    """
    if sum(lengths) <= budget:
        return None
    left, share = budget, 0
    for place, length in enumerate(sorted(lengths)):
        share = left // (len(lengths) - place)
        if length > share:
            return max(share, 200)
        left -= length
    return share


def _line(reading: ReadingResult, phrases: Phrases) -> str:
    """Return grades, total and decision of a response in one line."""
    rubric = phrases.results.rubric
    parts = [
        f"{c.name.in_(phrases.language)} {phrases.level(c.id, reading.scores.get(c.id))}"
        for c in rubric.criteria
    ]
    line = ", ".join(parts)
    if reading.total is not None and len(parts) > 1:
        line += phrases.translate(" = {total}", total=reading.total)
    return line


def _ticket(item_id: str, readings: Sequence[ReadingResult], phrases: Phrases, limit: int | None) -> Block:
    translate = phrases.translate
    item = phrases.item[item_id]
    asked = shortened(phrases, item.text, limit, item.language)
    intro = Card(
        title="",
        text=asked.text,
        code=asked.code,
        shortened=asked.shortened,
        language=asked.language,
        note=phrases.colon(translate("Answer key"), item.reference) if item.reference else "",
        look="asked",
    )
    heading = translate("Ticket {item}", item=item_id)
    return Block(
        kind="cards",
        heading=heading,
        cards=(intro, *(_answer(reading, phrases, limit) for reading in readings)),
    )


def _answer(reading: ReadingResult, phrases: Phrases, limit: int | None) -> Card:
    translate, rubric = phrases.translate, phrases.results.rubric
    response = phrases.response[reading.id]
    shown = shortened(phrases, response.text, limit, response.language)
    codes = [code.label.in_(phrases.language) if (code := rubric.code(c)) else c for c in reading.codes]
    verdict = phrases.verdict(reading.verdict, corrected=reading.corrected) if rubric.verdict else ""
    sentences = []
    why = reading.reason or ", ".join(codes)
    if why:
        sentences.append(why if limit is None else brief_text(phrases, why, limit))
    if not response.text.strip():
        sentences.append(translate("The model answered nothing."))
    if reading.stale:
        sentences.append(translate("Graded under an older rubric."))
    return Card(
        title=f"{reading.item} {reading.label} · {reading.run}"
        if reading.run
        else f"{reading.item} {reading.label}",
        tag=verdict,
        grades=_line(reading, phrases),
        sentences=tuple(sentences),
        text=shown.text,
        code=shown.code,
        shortened=shown.shortened,
        language=shown.language,
        look="answered",
    )


def _scores(readings: Sequence[ReadingResult], phrases: Phrases) -> Table:
    translate, rubric = phrases.translate, phrases.results.rubric
    graded = [c for c in rubric.criteria if not c.is_category]
    named = [c for c in rubric.criteria if c.is_category]
    decided = bool(rubric.verdict)
    rows, previous = [], ""
    for reading in readings:
        cells = [text(f"{reading.item} {reading.label}", "name"), text(reading.run or "–")]
        for criterion in graded:
            level = reading.scores.get(criterion.id)
            top = level == criterion.top
            cells.append(
                number(phrases.level(criterion.id, level), zero=top, strong=level == criterion.levels[0])
            )
        cells += [text(phrases.level(c.id, reading.scores.get(c.id))) for c in named]
        if graded:
            cells.append(number("–" if reading.total is None else str(reading.total)))
        if decided:
            cells.append(text(phrases.verdict(reading.verdict, corrected=reading.corrected)))
        codes = [code.label.in_(phrases.language) if (code := rubric.code(c)) else c for c in reading.codes]
        cells.append(Cell(text=brief_text(phrases, ", ".join(codes) or reading.reason, REASON), kind="muted"))
        rows.append(Row(cells=tuple(cells), starts=reading.item != previous))
        previous = reading.item
    return Table(
        caption="",
        columns=(
            Column(text=translate("Ticket"), kind="name", width="15mm"),
            Column(text=translate("Run"), width="38mm"),
            *(Column(text=phrases.brief(c.id, 6), kind="number", width="10mm") for c in graded),
            *(Column(text=c.name.in_(phrases.language), width="34mm") for c in named),
            *((Column(text=translate("Total"), kind="number", width="10mm"),) if graded else ()),
            *((Column(text=translate("Decision"), width="34mm"),) if decided else ()),
            Column(text=translate("Issues or reason")),
        ),
        rows=tuple(rows),
        look="scores",
    )
