"""The agreement page: would another reader give the same grade? Counts first, coefficients beside them, undefined ones by name."""

from __future__ import annotations

from dataclasses import dataclass

from lark_sheets.core.agreement import Agreement, ByTicket, NoteId
from lark_sheets.core.agreement_words import methods_in_words, notes_in_words
from lark_sheets.core.intervals import Interval
from lark_sheets.core.results import Results
from lark_sheets.report.charts import interval_mark, scale
from lark_sheets.report.discuss import discuss_block
from lark_sheets.report.parts import Block, Cell, Column, Row, Section, Table, number, table_block, text
from lark_sheets.report.words import Phrases

HALF = 0.5
"""Where the axis starts when every interval lies above it."""


def agreement_section(results: Results, phrases: Phrases, *, quotes: bool) -> Section:
    """Return the agreement page, or the plain statement that nothing was read twice."""
    translate, agreement = phrases.translate, results.agreement
    title = translate("Agreement between readers")
    if not agreement.shared:
        return Section(
            id="agreement",
            title=title,
            new_page=False,
            take=translate("Not measured: no response was read by two readers."),
            blocks=(
                Block(
                    kind="notes",
                    lines=(
                        *_notes(results, phrases),
                        translate(
                            "Nobody knows yet whether another person would give these grades. "
                            "Share a sample of responses between two readers."
                        ),
                    ),
                ),
            ),
        )
    blocks = [table_block(_table(results, phrases))]
    blocks.append(Block(kind="notes", lines=tuple(_notes(results, phrases))))
    pairs = _pairs(results, phrases)
    if pairs is not None:
        blocks.append(table_block(pairs))
    methods = methods_in_words(agreement, translate, brief=True)
    blocks.append(Block(kind="notes", heading=translate("How it was computed"), lines=tuple(methods)))
    cards = discuss_block(results, phrases, quotes=quotes)
    if cards is not None:
        blocks.append(cards)
    return Section(
        id="agreement", title=title, take=_take(results, phrases), blocks=tuple(blocks), new_page=False
    )


def _take(results: Results, phrases: Phrases) -> str:
    translate, agreement = phrases.translate, results.agreement
    least = min(agreement.criteria.items(), key=lambda pair: pair[1].equal / pair[1].n if pair[1].n else 1.0)
    if agreement.decision is not None:
        first = translate.count(
            "The readers took the same decision on {n} of {all} responses",
            "The readers took the same decision on {n} of {all} responses",
            agreement.decision.equal,
            all=agreement.decision.n,
        )
    else:
        first = translate.count(
            "The readers gave the same grades to {n} of {all} responses",
            "The readers gave the same grades to {n} of {all} responses",
            agreement.all_equal,
            all=agreement.all_n,
        )
    if least[1].equal == least[1].n:
        return translate("{first}, and agree on every criterion.", first=first)
    return translate("{first}; least sure: {criterion}.", first=first, criterion=phrases.criterion(least[0]))


def _table(results: Results, phrases: Phrases) -> Table:
    translate, agreement = phrases.translate, results.agreement
    measured = [*([agreement.decision] if agreement.decision else []), *agreement.criteria.values()]
    two = all(found.persons and found.readers <= 2 for found in measured)
    gaps = any(found.gaps for found in measured)
    lowest = min(
        [m.interval.low for m in measured if m.interval] + [_low(agreement.all_interval)], default=0.0
    )
    start = HALF if lowest >= HALF else 0.0
    draw = _Drawing(phrases, start=start, two=two, gaps=gaps)
    rows = []
    if agreement.decision is not None:
        rows.append(draw.row(translate("Decision"), agreement.decision, agreement.decision_by_ticket))
    rows.append(
        draw.counted(
            translate("All criteria"),
            agreement.all_equal,
            agreement.all_n,
            agreement.all_interval,
            agreement.all_by_ticket if agreement.is_clustered else None,
        )
    )
    rows += [
        draw.row(phrases.criterion(criterion), found, agreement.criteria_by_ticket.get(criterion))
        for criterion, found in agreement.criteria.items()
    ]
    coefficients = (
        (
            Column(text=translate("Kappa"), kind="number", width="12mm"),
            Column(text=translate("its interval"), kind="number", width="22mm"),
        )
        if two
        else (
            Column(text=translate("Fleiss' kappa"), kind="number", width="14mm"),
            Column(text=translate("Alpha"), kind="number", width="14mm"),
        )
    )
    return Table(
        caption=translate.count(
            "{n} response read by two readers or more",
            "{n} responses read by two readers or more",
            agreement.shared,
        ),
        columns=(
            Column(text="", kind="name", width="33mm"),
            Column(text=translate("Same"), kind="number", width="20mm"),
            Column(
                text="",
                kind="mark",
                width="37mm",
                scale=scale(
                    (translate.percent(start), translate.percent((1 + start) / 2), translate.percent(1)),
                    width=130,
                ),
            ),
            Column(text=translate("95% interval"), kind="number", width="24mm"),
            *coefficients,
            Column(text="AC1", kind="number"),
            *(
                (
                    Column(text=translate("Gap of {n}", n=1), kind="number"),
                    Column(text=translate("Gap ≥ 2"), kind="number"),
                )
                if gaps
                else ()
            ),
        ),
        rows=tuple(rows),
        look="agreement",
    )


def _low(interval: Interval | None) -> float:
    return 0.0 if interval is None else interval.low


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Draws the rows of one agreement table: where its axis starts, which coefficients it shows, whether gaps are counted."""

    phrases: Phrases
    start: float
    two: bool
    gaps: bool

    def counted(
        self, name: str, equal: int, n: int, interval: Interval | None, of_tickets: Interval | None
    ) -> Row:
        """Return a row of counts without coefficients."""
        counts = self._counts(name, equal, n, interval, of_tickets)
        return Row(cells=(*counts, *([text("", "muted")] * (5 if self.gaps else 3))))

    def row(self, name: str, found: Agreement, of_tickets: ByTicket | None) -> Row:
        """Return a row with its coefficients; undefined ones are a dash, and the notes name them.

        The intervals by ticket stand under the others where answers to one ticket resemble each other.
        """
        phrases = self.phrases
        notable = of_tickets is not None and of_tickets.is_notable
        share, kappa = (
            (of_tickets.interval, of_tickets.kappa_interval) if of_tickets and notable else (None, None)
        )
        if self.two:
            coefficients = [
                number(phrases.coefficient(found.kappa.value)),
                self._bounds(
                    phrases.coefficients(found.kappa_interval), phrases.coefficients(kappa) if kappa else ""
                ),
            ]
        else:
            alpha = found.alpha_ordinal if found.ordinal else found.alpha_nominal
            coefficients = [
                number(phrases.coefficient(found.fleiss.value)),
                number(phrases.coefficient(alpha.value)),
            ]
        cells = [
            *self._counts(name, found.equal, found.n, found.interval, share),
            *coefficients,
            number(phrases.coefficient(found.ac1.value)),
        ]
        if self.gaps:
            one, larger = found.gaps.get(1, 0), sum(n for gap, n in found.gaps.items() if gap > 1)
            cells += (
                [number(str(one), zero=not one), number(str(larger), zero=not larger)]
                if found.ordinal
                else [text("", "muted")] * 2
            )
        return Row(cells=tuple(cells))

    def _bounds(self, shown: str, by_ticket: str) -> Cell:
        """Return an interval, with the one by ticket under it where the two are read differently."""
        second = self.phrases.translate("by ticket {interval}", interval=by_ticket)
        return Cell(text=shown, kind="number", second=second if by_ticket not in ("", shown) else "")

    def _counts(
        self, name: str, equal: int, n: int, interval: Interval | None, of_tickets: Interval | None
    ) -> list[Cell]:
        phrases = self.phrases
        alt = phrases.translate(
            "{name}: the same {count} times; 95% interval {interval}",
            name=name,
            count=phrases.of(equal, n),
            interval=phrases.between(interval),
        )
        mark = interval_mark(equal / n if n else None, interval, alt=alt, width=130, start=self.start)
        return [
            text(name, "name"),
            number(phrases.of(equal, n)),
            Cell(kind="mark", mark=mark),
            self._bounds(phrases.between(interval), phrases.between(of_tickets) if of_tickets else ""),
        ]


def _notes(results: Results, phrases: Phrases) -> list[str]:
    """Say who the readers are, how much was read once, and where a number would mislead alone."""
    readers = phrases.listing([phrases.reader(name) for name in results.graders])
    shows_alpha = any(found.headline != "kappa" for _, found in results.agreement.measured)
    without = () if shows_alpha else (NoteId.ORDINAL_ALPHA_FLATTERS,)
    return [
        phrases.translate("Readers: {readers}.", readers=readers),
        *notes_in_words(results, phrases.translate, without),
    ]


def _pairs(results: Results, phrases: Phrases) -> Table | None:
    """Return the pairs of readers that share responses, where there are more than two readers."""
    translate = phrases.translate
    shared = {pair: found for pair, found in results.agreement.pairs.items() if found.shared}
    if not shared:
        return None
    decided = results.agreement.decision is not None
    rows = []
    for (first, second), found in shared.items():
        cells = [
            text(f"{first} / {second}", "name"),
            number(phrases.of(found.all_equal, found.all_n)),
            text(phrases.between(found.all_interval), "number"),
        ]
        if found.decision is not None:
            cells += [
                number(phrases.of(found.decision.equal, found.decision.n)),
                number(phrases.coefficient(found.decision.kappa.value)),
                text(phrases.coefficients(found.decision.kappa_interval), "number"),
            ]
        rows.append(Row(cells=tuple(cells)))
    columns = [
        Column(text="", kind="name", width="45mm"),
        Column(text=translate("Same grades"), kind="number"),
        Column(text=translate("95% interval"), kind="number"),
    ]
    if decided:
        columns += [
            Column(text=translate("Same decision"), kind="number"),
            Column(text=translate("Kappa"), kind="number"),
            Column(text=translate("its interval"), kind="number"),
        ]
    return Table(
        caption=translate("Pair by pair"), columns=tuple(columns), rows=tuple(rows), look="agreement"
    )
