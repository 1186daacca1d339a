"""The agreement page: would another reader give the same grade? Counts first, coefficients beside them, undefined ones by name."""

from __future__ import annotations

from dataclasses import dataclass

from lark_sheets.core.agreement import Agreement
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
        rows.append(draw.row(translate("Decision"), agreement.decision))
    rows.append(
        draw.counted(translate("All criteria"), agreement.all_equal, agreement.all_n, agreement.all_interval)
    )
    rows += [draw.row(phrases.criterion(criterion), found) for criterion, found in agreement.criteria.items()]
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

    def counted(self, name: str, equal: int, n: int, interval: Interval | None) -> Row:
        """Return a row of counts without coefficients."""
        return Row(
            cells=(*self._counts(name, equal, n, interval), *([text("", "muted")] * (5 if self.gaps else 3)))
        )

    def row(self, name: str, found: Agreement) -> Row:
        """Return a row with its coefficients; undefined ones are a dash, and the notes name them."""
        phrases = self.phrases
        if self.two:
            coefficients = [
                number(phrases.coefficient(found.kappa.value)),
                text(phrases.coefficients(found.kappa_interval), "number"),
            ]
        else:
            alpha = found.alpha_ordinal if found.ordinal else found.alpha_nominal
            coefficients = [
                number(phrases.coefficient(found.fleiss.value)),
                number(phrases.coefficient(alpha.value)),
            ]
        cells = [
            *self._counts(name, found.equal, found.n, found.interval),
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

    def _counts(self, name: str, equal: int, n: int, interval: Interval | None) -> list[Cell]:
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
            text(phrases.between(interval), "number"),
        ]


def _notes(results: Results, phrases: Phrases) -> list[str]:
    translate = phrases.translate
    readers = phrases.listing([phrases.reader(name) for name in results.graders])
    notes = [translate("Readers: {readers}.", readers=readers)]
    if results.not_double_read:
        notes.append(
            translate.count(
                "{n} response was read by one reader only: nothing here speaks of it.",
                "{n} responses were read by one reader only: nothing here speaks of them.",
                results.not_double_read,
            )
        )
    if any(results.graders.values()):
        notes.append(
            translate(
                "A model as reader may share the blind spots of the runs of its own family: this is not agreement between two persons."
            )
        )
    return [*notes, *_undefined(results, phrases), *_misleading(results, phrases), _methods(results, phrases)]


def _named(results: Results, phrases: Phrases) -> dict[str, Agreement]:
    agreement = results.agreement
    decision = {phrases.translate("Decision"): agreement.decision} if agreement.decision else {}
    return decision | {phrases.criterion(criterion): found for criterion, found in agreement.criteria.items()}


def _undefined(results: Results, phrases: Phrases) -> list[str]:
    """Name every coefficient that has no value, with the counts; one sentence when the reason is the same for all."""
    translate, named = phrases.translate, _named(results, phrases)
    lacking = {name: found for name, found in named.items() if not found.kappa.defined}
    states = {found.kappa.state for found in lacking.values()}
    if len(lacking) == len(named) and len(states) == 1 and len(named) > 1:
        return [
            translate(
                "Cohen's kappa is {state}, for every criterion.", state=translate(str(states.pop().value))
            )
        ]
    return [
        translate(
            "{name}: kappa is {state}; the readers agree {count} times.",
            name=name,
            state=translate(str(found.kappa.state.value)),
            count=phrases.of(found.equal, found.n),
        )
        for name, found in lacking.items()
    ]


def _misleading(results: Results, phrases: Phrases) -> list[str]:
    """Say where kappa is low only because nearly all grades are the same."""
    return [
        phrases.translate(
            "{name}: kappa is low although the readers nearly always agree, because almost all grades are the same; read the counts and AC1.",
            name=name,
        )
        for name, found in _named(results, phrases).items()
        if found.kappa.value is not None
        and found.kappa.value < 0.6
        and found.n
        and found.equal / found.n >= 0.85
    ]


def _methods(results: Results, phrases: Phrases) -> str:
    translate, agreement = phrases.translate, results.agreement
    two = all(found.persons and found.readers <= 2 for found in agreement.criteria.values())
    if two:
        return translate(
            "Kappa: Cohen, unweighted, with the Wilson bounds of raw agreement mapped through it (chance held fixed). AC1: Gwet. "
            "Intervals of {n} responses are wide; they say nothing of responses not read twice.",
            n=agreement.shared,
        )
    return (
        translate(
            "Same: all readers gave one grade. Alpha: Krippendorff, ordinal for graded criteria, else nominal. AC1: Gwet. "
            "Positions of readers are not persons: who read first differs from response to response."
        )
        if not all(found.persons for found in agreement.criteria.values())
        else translate(
            "Same: all readers gave one grade. Alpha: Krippendorff, ordinal for graded criteria, else nominal. AC1: Gwet."
        )
    )
