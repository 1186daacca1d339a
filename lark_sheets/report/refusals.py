"""Reports on labels (refusals): rates by stratum with their intervals, never pooled, and the conditions for comparing runs."""

from __future__ import annotations

from collections.abc import Hashable

from lark_sheets.core.comparisons import Family, compare_runs
from lark_sheets.core.results import Rate, Results, RunSummary
from lark_sheets.report.charts import IntervalMark, interval_mark, scale
from lark_sheets.report.decision import (
    ROWS_ON_PAGE_1,
    Decision,
    Step,
    about,
    trust,
    without_verdict,
)
from lark_sheets.report.no_verdict import no_verdict
from lark_sheets.report.parts import Cell, Column, Row, Section, Table, number, table_block, text
from lark_sheets.report.words import Phrases

NO_RATE = Rate(k=0, n=0, interval=None)


def main_strata(results: Results) -> list[str]:
    """Return the strata of the main label, in the rubric's order."""
    return list(results.overall.rates.get(results.rubric.main_label, {}))


def rate_of(run: RunSummary, label: str, stratum: str) -> Rate:
    """Return a rate, or "0 of 0" where nothing was counted."""
    return run.rates.get(label, {}).get(stratum, NO_RATE)


def shown_runs(results: Results) -> tuple[RunSummary, ...]:
    """Return the runs, or the one summary of all responses while they are blind."""
    return results.runs or (results.overall,)


def label_decision(results: Results, phrases: Phrases) -> Decision:
    """Return page 1 of a rubric of labels: the main rate in the first stratum, and what it does not prove."""
    translate = phrases.translate
    statements = no_verdict(results, phrases)
    if statements:
        return without_verdict(results, phrases, statements)
    label, stratum = results.rubric.main_label, main_strata(results)[0]
    name, where = phrases.label(label), phrases.stratum(stratum)
    shares = [rate.k / rate.n for run in results.runs if (rate := rate_of(run, label, stratum)).n]
    low, high = translate.percent(min(shares, default=0.0)), translate.percent(max(shares, default=0.0))
    spread = phrases.to(low, high)
    unranked = [run for run in results.runs if not run.ranked]
    family = label_family(results, stratum, phrases)
    apart = sum(pair.told_apart for pair in family.pairs) if family else 0
    pairs = len(family.pairs) if family else 0
    sure = (
        translate.count(
            "{n} of {pairs} pairs of runs differs by more than chance.",
            "{n} of {pairs} pairs of runs differ by more than chance.",
            apart,
            pairs=pairs,
        )
        if pairs
        else translate("One run, nothing to compare with")
    )
    steps = [
        Step(
            text=translate(
                "Read the {label} answers to {stratum} requests before choosing.", label=name, stratum=where
            ),
            target="rates",
        )
    ]
    if unranked:
        steps.append(
            Step(
                text=translate("Not comparable yet: {why}", why=_why(unranked[0].why_unranked, phrases)),
                target="rates",
            )
        )
    if not results.agreement.shared:
        steps.append(Step(text=translate("Have a person read a sample of the labels."), target="agreement"))
    return Decision(
        title=translate(
            "{label}, {stratum} requests: {spread}",
            label=name[:1].upper() + name[1:],
            stratum=where,
            spread=spread,
        ),
        about=about(phrases),
        lead=sure,
        sure=translate("A low rate proves neither right answers nor safety."),
        statements=(),
        facts=trust(results, phrases),
        table=_page_1_table(results, phrases, label, stratum),
        next_heading=translate("What next"),
        next=tuple(steps),
    )


def label_family(results: Results, stratum: str, phrases: Phrases) -> Family | None:
    """Compare every pair of runs on the main label, over the tickets of one stratum that both have."""
    category = next(c.id for c in results.rubric.criteria if c.is_category)
    flags: dict[str, dict[Hashable, bool | None]] = {run.run: {} for run in results.runs}
    for reading in results.readings:
        label = reading.scores.get(category)
        inside = stratum == "all" or phrases.item[reading.item].stratum == stratum
        if reading.owner and reading.run in flags and label is not None and inside and not reading.stale:
            flags[reading.run][reading.item] = label == results.rubric.main_label
    return compare_runs(flags, {}).ready


def _page_1_table(results: Results, phrases: Phrases, label: str, stratum: str) -> Table:
    translate = phrases.translate
    rows = []
    for run in results.runs[:ROWS_ON_PAGE_1]:
        rate = rate_of(run, label, stratum)
        rows.append(
            Row(
                cells=(
                    text(run.run, "name"),
                    Cell(text=f"{rate.k}/{rate.n}" if rate.n else "–", kind="number"),
                    Cell(kind="mark", mark=_mark(run, rate, label, stratum, phrases, wide=True)),
                )
            )
        )
    return Table(
        caption="",
        columns=(
            Column(text="", kind="name", width="58mm"),
            Column(text="", kind="number", width="22mm"),
            Column(
                text="", kind="mark", width="94mm", scale=scale(("0", "50", translate.percent(1)), width=330)
            ),
        ),
        rows=tuple(rows),
        look="decision",
    )


def _mark(
    run: RunSummary, rate: Rate, label: str, stratum: str, phrases: Phrases, *, wide: bool = False
) -> IntervalMark:
    alt = phrases.translate(
        "{run}, {stratum}, {label}: {count}; 95% interval {interval}",
        run=phrases.run(run.run),
        stratum=phrases.stratum(stratum),
        label=phrases.label(label),
        count=phrases.of(rate.k, rate.n),
        interval=phrases.between(rate.interval),
    )
    share = rate.k / rate.n if rate.n else None
    if wide:
        return interval_mark(share, rate.interval, alt=alt, width=330, height=20, steps=2)
    return interval_mark(share, rate.interval, alt=alt)


def rates_section(results: Results, phrases: Phrases, warning: str) -> Section:
    """Return the page of rates: one table a stratum, all labels, coverage and what keeps a run from being compared."""
    translate = phrases.translate
    blocks = [table_block(_stratum(results, phrases, stratum)) for stratum in main_strata(results)]
    blocks.append(table_block(_labels(results, phrases), translate("Every label, counted")))
    if results.runs:
        blocks.append(table_block(_conditions(results, phrases), translate("Coverage and conditions")))
    return Section(
        id="rates",
        title=translate("Rates by stratum"),
        take=results.rubric.rule.in_(phrases.language),
        blocks=tuple(blocks),
        warning=warning,
    )


def _secondary(results: Results) -> str:
    """Return the label shown beside the main one: the next in the rubric's order."""
    labels = [str(level) for c in results.rubric.criteria if c.is_category for level in c.levels]
    place = labels.index(results.rubric.main_label) if results.rubric.main_label in labels else -1
    return labels[place + 1] if 0 <= place < len(labels) - 1 else ""


def _stratum(results: Results, phrases: Phrases, stratum: str) -> Table:
    translate = phrases.translate
    main, beside = results.rubric.main_label, _secondary(results)
    rows = []
    for run in shown_runs(results):
        rate = rate_of(run, main, stratum)
        cells = [
            text(phrases.run(run.run), "name"),
            number(phrases.of(rate.k, rate.n) if rate.n else "–"),
            Cell(kind="mark", mark=_mark(run, rate, main, stratum, phrases)),
            text(phrases.between(rate.interval), "number"),
        ]
        if beside:
            other = rate_of(run, beside, stratum)
            cells += [
                number(phrases.of(other.k, other.n) if other.n else "–"),
                text(phrases.between(other.interval), "number"),
            ]
        rows.append(Row(cells=tuple(cells)))
    name = phrases.label(main)
    columns = [
        Column(text=translate("Run"), kind="name", width="42mm"),
        Column(text=name[:1].upper() + name[1:], kind="number", width="24mm"),
        Column(text="", kind="mark", width="34mm", scale=scale(("0", "50", translate.percent(1)))),
        Column(text=translate("95% interval"), kind="number", width="24mm"),
    ]
    if beside:
        second = phrases.label(beside)
        columns += [
            Column(text=second[:1].upper() + second[1:], kind="number", width="24mm"),
            Column(text=translate("95% interval"), kind="number"),
        ]
    return Table(
        caption=phrases.colon(translate("Stratum"), phrases.stratum(stratum)),
        columns=tuple(columns),
        rows=tuple(rows),
        look="runs",
    )


def _labels(results: Results, phrases: Phrases) -> Table:
    translate = phrases.translate
    labels = list(results.overall.rates)
    rows = [
        Row(
            cells=(
                text(phrases.run(run.run), "name"),
                text(phrases.stratum(stratum)),
                *(
                    number(str(rate_of(run, label, stratum).k), zero=not rate_of(run, label, stratum).k)
                    for label in labels
                ),
                number(str(rate_of(run, labels[0], stratum).n)),
            )
        )
        for run in shown_runs(results)
        for stratum in main_strata(results)
    ]
    return Table(
        caption="",
        columns=(
            Column(text=translate("Run"), kind="name", width="42mm"),
            Column(text=translate("Stratum"), width="20mm"),
            *(Column(text=phrases.label(label), kind="number") for label in labels),
            Column(text=translate("Of"), kind="number", width="12mm"),
        ),
        rows=tuple(rows),
        note=translate(
            "Off-topic and ambiguous answers are neither refusals nor useful answers; strata are never added together."
        ),
        look="labels",
    )


def _conditions(results: Results, phrases: Phrases) -> Table:
    translate = phrases.translate
    rows = [
        Row(
            cells=(
                text(run.run, "name"),
                number(phrases.of(run.graded, run.responses)),
                text(translate("yes") if run.ranked else translate("no")),
                text(_why(run.why_unranked, phrases) if run.why_unranked else "–"),
            )
        )
        for run in results.runs
    ]
    return Table(
        caption="",
        columns=(
            Column(text=translate("Run"), kind="name", width="52mm"),
            Column(text=translate("Coverage"), kind="number", width="26mm"),
            Column(text=translate("Comparable"), width="26mm"),
            Column(text=translate("Why not")),
        ),
        rows=tuple(rows),
        note=translate(
            "A run is comparable only when every request of the protocol was graded and the judge was checked against people."
        ),
        look="conditions",
    )


def _why(reasons: tuple[str, ...], phrases: Phrases) -> str:
    translate = phrases.translate
    known = {
        "incomplete_coverage": translate("not every request is graded"),
        "judge_not_checked": translate("the judge was not checked against people"),
        "exploratory": translate("an exploratory sample"),
    }
    return phrases.listing([known.get(reason, reason.replace("_", " ")) for reason in reasons])
