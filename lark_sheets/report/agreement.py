"""The agreement page: would another reader give the same grade? Counts first, coefficients beside them, undefined ones by name."""

from __future__ import annotations

from collections.abc import Iterable

from lark_sheets.core.agreement import Agreement
from lark_sheets.core.intervals import Interval
from lark_sheets.core.results import Results
from lark_sheets.report.charts import interval_mark, scale
from lark_sheets.report.discuss import discuss_block
from lark_sheets.report.parts import Block, Cell, Column, Row, Section, Table, number, table_block, text
from lark_sheets.report.words import Phrases

AXIS_FROM = 0.5


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
        first = translate(
            "The readers took the same decision {k} times of {n}",
            k=agreement.decision.equal,
            n=agreement.decision.n,
        )
    else:
        first = translate(
            "The readers gave the same grades {k} times of {n}", k=agreement.all_equal, n=agreement.all_n
        )
    if least[1].equal == least[1].n:
        return translate("{first}, and agree on every criterion.", first=first)
    return translate("{first}; least sure: {criterion}.", first=first, criterion=phrases.criterion(least[0]))


def _table(results: Results, phrases: Phrases) -> Table:
    translate, agreement = phrases.translate, results.agreement
    ordinal = any(found.ordinal for found in agreement.criteria.values())
    gaps = sorted({gap for found in agreement.criteria.values() for gap in found.gaps}) or [1]
    rows = []
    if agreement.decision is not None:
        rows.append(_row(translate("Decision"), agreement.decision, gaps if ordinal else [], phrases))
    rows.append(
        _raw_row(
            translate("All criteria"),
            agreement.all_equal,
            agreement.all_n,
            agreement.all_interval,
            len(gaps),
            phrases,
            ordinal=ordinal,
        )
    )
    rows += [
        _row(phrases.criterion(criterion), found, gaps if ordinal else [], phrases)
        for criterion, found in agreement.criteria.items()
    ]
    return Table(
        caption=translate.count(
            "{n} response read by two readers or more",
            "{n} responses read by two readers or more",
            agreement.shared,
        ),
        columns=(
            Column(text="", kind="name", width="38mm"),
            Column(text=translate("Same"), kind="number", width="19mm"),
            Column(
                text="",
                kind="mark",
                width="38mm",
                scale=scale(
                    (translate.percent(AXIS_FROM), translate.percent(0.75), translate.percent(1)), width=130
                ),
            ),
            Column(text=translate("95% interval"), kind="number", width="25mm"),
            Column(text=translate("Kappa"), kind="number", width="14mm"),
            Column(text=translate("its interval"), kind="number", width="23mm"),
            Column(text="AC1", kind="number"),
            *(
                Column(text=translate.count("Gap of {n}", "Gap of {n}", gap), kind="number")
                for gap in (gaps if ordinal else [])
            ),
        ),
        rows=tuple(rows),
        look="agreement",
    )


def _mark(name: str, equal: int, n: int, interval: Interval | None, phrases: Phrases) -> Cell:
    alt = phrases.translate(
        "{name}: the same {count} times; 95% interval {interval}",
        name=name,
        count=phrases.of(equal, n),
        interval=phrases.between(interval),
    )
    share = equal / n if n else None
    return Cell(kind="mark", mark=interval_mark(share, interval, alt=alt, width=130, start=AXIS_FROM))


def _raw_row(
    name: str, equal: int, n: int, interval: Interval | None, gaps: int, phrases: Phrases, *, ordinal: bool
) -> Row:
    blank = text("", "muted")
    return Row(
        cells=(
            text(name, "name"),
            number(phrases.of(equal, n)),
            _mark(name, equal, n, interval, phrases),
            text(phrases.between(interval), "number"),
            *([blank] * (3 + (gaps if ordinal else 0))),
        )
    )


def _row(name: str, found: Agreement, gaps: Iterable[int], phrases: Phrases) -> Row:
    kappa = found.kappa if found.persons and found.readers <= 2 else found.alpha_nominal
    return Row(
        cells=(
            text(name, "name"),
            number(phrases.of(found.equal, found.n)),
            _mark(name, found.equal, found.n, found.interval, phrases),
            text(phrases.between(found.interval), "number"),
            number(phrases.coefficient(found.kappa.value)),
            text(phrases.coefficients(found.kappa_interval) if kappa.defined else "–", "number"),
            number(phrases.coefficient(found.ac1.value)),
            *(
                number(str(found.gaps.get(gap, 0)), zero=not found.gaps.get(gap, 0))
                if found.ordinal
                else text("", "muted")
                for gap in gaps
            ),
        )
    )


def _notes(results: Results, phrases: Phrases) -> list[str]:
    translate, agreement = phrases.translate, results.agreement
    readers = phrases.listing([phrases.reader(name) for name in results.graders])
    notes = [
        translate("Readers: {readers}.", readers=readers),
        translate.count(
            "{n} response was read by one reader only: nothing here speaks of it.",
            "{n} responses were read by one reader only: nothing here speaks of them.",
            results.not_double_read,
        ),
    ]
    if any(results.graders.values()):
        notes.append(
            translate(
                "A model as reader may share the blind spots of the runs of its own family: this is not agreement between two persons."
            )
        )
    named = {**({"": agreement.decision} if agreement.decision else {}), **agreement.criteria}
    for criterion, found in named.items():
        if not found.kappa.defined:
            name = phrases.criterion(criterion) if criterion else translate("Decision")
            notes.append(
                translate(
                    "{name}: kappa is {state}; the readers agree {count} times.",
                    name=name,
                    state=translate(str(found.kappa.state.value)),
                    count=phrases.of(found.equal, found.n),
                )
            )
        elif (
            found.n
            and found.equal / found.n >= 0.85
            and found.kappa.value is not None
            and found.kappa.value < 0.6
        ):
            notes.append(
                translate(
                    "{name}: kappa is low although the readers nearly always agree, because almost all grades are the same; read the counts and AC1.",
                    name=phrases.criterion(criterion) if criterion else translate("Decision"),
                )
            )
    notes.append(
        translate(
            "Kappa: Cohen, unweighted, with the Wilson bounds of raw agreement mapped through it (chance held fixed). AC1: Gwet. "
            "Intervals of {n} responses are wide; they say nothing of responses not read twice.",
            n=agreement.shared,
        )
    )
    return notes
