"""Page 1: which run, how sure, what next; or, in place of a verdict, what forbids one."""

from __future__ import annotations

from dataclasses import dataclass

from lark_sheets.core.intervals import Interval
from lark_sheets.core.results import Results, RunSummary
from lark_sheets.report.apart import Standing, score_intervals
from lark_sheets.report.charts import interval_mark, scale
from lark_sheets.report.no_verdict import Statement, no_verdict
from lark_sheets.report.parts import Cell, Column, Fact, Row, Table, number, text
from lark_sheets.report.words import Phrases

ROWS_ON_PAGE_1 = 14
"""Runs that page 1 shows one by one; the results page shows all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing to do next, and the section of the report that says more."""

    text: str
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Page 1. Either ``lead`` and ``sure`` (a verdict), or ``statements`` (why there is none); never both."""

    title: str
    about: str
    lead: str
    sure: str
    statements: tuple[Statement, ...]
    facts: tuple[Fact, ...]
    table: Table | None
    next_heading: str
    next: tuple[Step, ...]


def decision_page(results: Results, phrases: Phrases, standing: Standing) -> Decision:
    """Return page 1 of a rubric with grades (or of one with labels only, whose verdict is made of rates elsewhere)."""
    translate = phrases.translate
    statements = no_verdict(results, phrases)
    if statements:
        return without_verdict(results, phrases, statements)
    decided = bool(results.rubric.favourable)
    return Decision(
        title=_title(phrases, standing),
        about=about(phrases),
        lead=_lead(results, phrases, standing) if decided else _lead_scores(results, phrases, standing),
        sure=_sure(results, phrases, standing),
        statements=(),
        facts=trust(results, phrases),
        table=_table(results, phrases, standing),
        next_heading=translate("What next"),
        next=_next(results, phrases, standing),
    )


def about(phrases: Phrases) -> str:
    """Return the line under the title: how much was graded with which rubric."""
    translate, results = phrases.translate, phrases.results
    return translate(
        "{tickets} tickets, rubric version {version}",
        tickets=len(phrases.campaign.items),
        version=results.rubric.version,
    )


def without_verdict(results: Results, phrases: Phrases, statements: tuple[Statement, ...]) -> Decision:
    """Return page 1 where there is no verdict: the statements in its place."""
    translate = phrases.translate
    return Decision(
        title=translate("No verdict"),
        about=about(phrases),
        lead="",
        sure="",
        statements=statements,
        facts=trust(results, phrases),
        table=None,
        next_heading="",
        next=(),
    )


def _title(phrases: Phrases, standing: Standing) -> str:
    translate = phrases.translate
    whole = len(standing.top) + len(standing.behind)
    if whole == 1:
        return translate("One run, nothing to compare with")
    if not standing.behind:
        return translate("The {n} runs cannot be told apart", n=whole)
    if len(standing.top) == 1:
        return translate("{run} leads", run=standing.top[0])
    return translate("{top} runs of {n} lead, tied", top=len(standing.top), n=whole)


def _runs(results: Results, names: tuple[str, ...]) -> list[RunSummary]:
    return [run for run in results.runs if run.run in names]


def _lead(results: Results, phrases: Phrases, standing: Standing) -> str:
    translate = phrases.translate
    top = _runs(results, standing.top)
    behind = _runs(results, standing.behind)
    n = max(run.graded for run in results.runs)
    ready = phrases.spread([run.ready or 0 for run in top])
    if not behind:
        return translate("Responses {ready}: {top} of {n}.", ready=phrases.ready, top=ready, n=n)
    return translate(
        "Responses {ready}: {top} of {n}, against {behind} elsewhere.",
        ready=phrases.ready,
        top=ready,
        n=n,
        behind=phrases.spread([run.ready or 0 for run in behind]),
    )


def _lead_scores(results: Results, phrases: Phrases, standing: Standing) -> str:
    translate = phrases.translate

    def scores(names: tuple[str, ...]) -> str:
        known = [run.score for run in _runs(results, names) if run.score is not None]
        if not known:
            return "–"
        return phrases.to(translate.decimal(min(known)), translate.decimal(max(known)))

    if not standing.behind:
        return translate("Scores out of 10: {top}.", top=scores(standing.top))
    return translate(
        "Scores out of 10: {top}, against {behind} elsewhere.",
        top=scores(standing.top),
        behind=scores(standing.behind),
    )


def _sure(results: Results, phrases: Phrases, standing: Standing) -> str:
    translate = phrases.translate
    tickets = len(phrases.campaign.items)
    if len(results.runs) == 1:
        return translate("{n} tickets say how good it is, not whether another is better.", n=tickets)
    if not standing.behind:
        return translate("{n} tickets show no winner: the gaps may be chance.", n=tickets)
    if len(standing.top) == 1:
        return translate("Its lead is more than chance.")
    return translate(
        "Their gap to the others is more than chance; {n} tickets show no winner among them.", n=tickets
    )


def trust(results: Results, phrases: Phrases) -> tuple[Fact, ...]:
    """Return the four figures that say whether to trust the rest: complete, same decision, same grades, up to date."""
    translate, coverage, agreement = phrases.translate, results.coverage, results.agreement
    by = translate("graded by a judge") if results.graded_by == "judge" else translate("graded")
    facts = [Fact(figure=f"{coverage.graded}/{coverage.expected}", meaning=by)]
    if agreement.shared:
        persons = translate("person and model") if any(results.graders.values()) else translate("two readers")
        if len(results.graders) > 2:
            persons = translate("{n} readers", n=len(results.graders))
        if agreement.decision is not None:
            facts.append(
                Fact(
                    figure=f"{agreement.decision.equal}/{agreement.decision.n}",
                    meaning=translate("same decision, {readers}", readers=persons),
                )
            )
        facts.append(
            Fact(figure=f"{agreement.all_equal}/{agreement.all_n}", meaning=translate("same grades"))
        )
    else:
        facts.append(Fact(figure=translate("not measured"), meaning=translate("agreement: one reader only")))
    current = not coverage.stale and not results.mixed
    facts.append(
        Fact(
            figure=translate("current") if current else translate("not current"),
            meaning=translate("one rubric") if current else translate("several rubrics"),
        )
    )
    return tuple(facts)


def _table(results: Results, phrases: Phrases, standing: Standing) -> Table:
    translate = phrases.translate
    decided = bool(results.rubric.favourable)
    intervals = score_intervals(results)
    n = max(run.graded for run in results.runs)
    runs = sorted(
        results.runs,
        key=lambda run: (run.run in standing.behind, -(run.ready or 0) if decided else -(run.score or 0)),
    )
    top_score = translate.decimal(10, 0)
    heads = ("0", "5", top_score) if not decided else ("0", str(n)) if n % 2 else ("0", str(n // 2), str(n))
    rows = []
    for run in runs[:ROWS_ON_PAGE_1]:
        lead = run.run not in standing.behind
        share = (run.ready or 0) / run.graded if decided and run.graded else float(run.score or 0) / 10
        figure = str(run.ready) if decided else "–" if run.score is None else translate.decimal(run.score)
        rows.append(
            Row(
                cells=(
                    text(phrases.run(run.run), "name"),
                    Cell(text=figure, kind="strong" if lead else "number"),
                    Cell(
                        kind="mark",
                        mark=interval_mark(
                            share if run.graded else None,
                            run.ready_interval if decided else intervals.get(run.run),
                            alt=run_sentence(run, phrases, intervals.get(run.run)),
                            width=330,
                            height=20,
                            steps=len(heads) - 1,
                            filled=lead,
                        ),
                    ),
                )
            )
        )
    return Table(
        caption="",
        columns=(
            Column(text="", kind="name", width="58mm"),
            Column(text=phrases.ready_title if decided else translate("Score"), kind="number", width="23mm"),
            Column(text="", kind="mark", width="93mm", scale=scale(heads, width=330)),
        ),
        rows=tuple(rows),
        look="decision",
    )


def run_sentence(run: RunSummary, phrases: Phrases, interval: Interval | None = None) -> str:
    """Return a run's main figure as a sentence, for those who do not see its drawing; ``interval`` is that of its score."""
    translate = phrases.translate
    if run.ready is not None:
        return translate(
            "{run}: {count} {ready}; 95% interval {interval}",
            run=phrases.run(run.run),
            count=phrases.of(run.ready, run.graded),
            ready=phrases.ready,
            interval=phrases.between(run.ready_interval),
        )
    score = "–" if run.score is None else translate.decimal(run.score)
    return translate(
        "{run}: {score} out of 10; 95% interval {interval}",
        run=phrases.run(run.run),
        score=score,
        interval=out_of_ten(interval, phrases),
    )


def out_of_ten(interval: Interval | None, phrases: Phrases) -> str:
    """Return the interval of a score as "7.9 to 9.2", or a dash."""
    if interval is None:
        return "–"
    low, high = (phrases.translate.decimal(bound * 10, 1) for bound in interval)
    return phrases.to(low, high)


def _next(results: Results, phrases: Phrases, standing: Standing) -> tuple[Step, ...]:
    translate = phrases.translate
    if len(standing.top) > 1:
        first = translate(
            "Choose among the {n} by cost or speed, or grade more tickets.", n=len(standing.top)
        )
    elif len(results.runs) > 1:
        first = translate("Try {run} where a person still reads every answer.", run=standing.top[0])
    else:
        first = translate("Grade another run on the same tickets.")
    steps = [Step(text=first, target="runs")]
    agreement = results.agreement
    if not agreement.shared:
        steps.append(Step(text=translate("Have a second person read a shared sample."), target="agreement"))
    elif 2 * agreement.all_equal < agreement.all_n:
        sharpen = translate(
            "Sharpen the anchors first: readers differ on {k} of {n}.",
            k=agreement.all_n - agreement.all_equal,
            n=agreement.all_n,
        )
        steps.insert(0, Step(text=sharpen, target="agreement"))
    elif agreement.all_equal < agreement.all_n:
        settle = translate.count(
            "Settle {n} difference between readers.",
            "Settle {n} differences between readers.",
            agreement.all_n - agreement.all_equal,
        )
        steps.append(Step(text=settle, target="agreement"))
    return tuple(steps)


def cell_number(value: int, *, hot: bool) -> Cell:
    """Return a count of zeros: none recedes, some stand out."""
    return number(str(value), zero=value == 0, strong=hot and value > 0)
