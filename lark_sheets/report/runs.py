"""The results page: every run with its interval, score, points and zeros; the levels of each criterion; who can be told apart."""

from __future__ import annotations

from lark_sheets.core.results import Results, RunSummary
from lark_sheets.core.rubric import Criterion
from lark_sheets.report.apart import Standing, score_intervals
from lark_sheets.report.charts import interval_mark, scale, stacked_bar
from lark_sheets.report.decision import cell_number, out_of_ten, run_sentence
from lark_sheets.report.parts import Block, Cell, Column, Row, Section, Span, Table, number, table_block, text
from lark_sheets.report.words import Phrases

MATRIX_LIMIT = 14
"""Runs that the matrix of pairs can hold; above, only the pairs told apart are listed."""


def runs_section(results: Results, phrases: Phrases, standing: Standing, warning: str) -> Section:
    """Return the results page; without a reveal it holds the row of all responses only."""
    translate = phrases.translate
    blocks = [table_block(_table(results, phrases, standing))]
    graded = [c for c in results.rubric.criteria if not c.is_category]
    if graded:
        blocks.append(table_block(_levels(results, phrases, graded)))
    if len(results.runs) > 1:
        blocks.append(_pairs(results, phrases, standing))
    return Section(
        id="runs",
        title=translate("Results by run"),
        take=_take(results, phrases),
        blocks=tuple(blocks),
        warning=warning,
    )


def shown_runs(results: Results) -> tuple[RunSummary, ...]:
    """Return the runs, or the one summary of all responses while they are blind."""
    return results.runs or (results.overall,)


def _take(results: Results, phrases: Phrases) -> str:
    translate = phrases.translate
    if not results.runs:
        return translate("All runs together: their names are still sealed.")
    lost = [(run.points_max or 0) - (run.points or 0) for run in results.runs]
    maximum = max(run.points_max or 0 for run in results.runs)
    if not maximum:
        return ""
    return (
        translate(
            "From {least} to {most} points lost of {maximum}; a zero costs the customer, a lost point rarely does.",
            least=min(lost),
            most=max(lost),
            maximum=maximum,
        )
        if results.rubric.id == "larkfield"
        else translate(
            "From {least} to {most} points lost of {maximum}.",
            least=min(lost),
            most=max(lost),
            maximum=maximum,
        )
    )


def _table(results: Results, phrases: Phrases, standing: Standing) -> Table:
    translate, rubric = phrases.translate, results.rubric
    runs = shown_runs(results)
    decided = bool(rubric.favourable)
    alike = len({run.graded for run in runs}) == 1
    n = runs[0].graded
    maxima = {run.points_max for run in runs}
    zeros = [c for c in rubric.criteria if not c.is_category and 0 in c.levels]
    columns = [Column(text=translate("Run"), kind="name", width="36mm")]
    spans = [Span(text="", columns=1)]
    if decided:
        columns += [
            Column(
                text=translate("{ready} of {n}", ready=phrases.ready_title, n=n)
                if alike
                else phrases.ready_title,
                kind="number",
                width="14mm",
            ),
            Column(text="", kind="mark", width="34mm", scale=scale(("0", "50", translate.percent(1)))),
            Column(text=translate("95% interval"), kind="number", width="23mm"),
        ]
        spans.append(Span(text="", columns=3))
    intervals = score_intervals(results)
    if rubric.total_max is not None:
        columns += [
            Column(text=translate("Score of 10"), kind="number", width="13mm"),
            Column(
                text=translate("Points of {n}", n=maxima.copy().pop())
                if len(maxima) == 1
                else translate("Points"),
                kind="number",
                width="15mm",
            ),
        ]
        spans.append(Span(text="", columns=2))
    if intervals:
        columns += [
            Column(text="", kind="mark", width="34mm", scale=scale(("0", "5", "10"))),
            Column(text=translate("95% interval"), kind="number", width="23mm"),
        ]
        spans.append(Span(text="", columns=2))
    letters = max(4, min(7, 26 // max(len(zeros), 1)))
    columns += [Column(text=phrases.brief(c.id, letters), kind="number") for c in zeros]
    if zeros:
        spans.append(Span(text=translate("Responses at 0"), columns=len(zeros)))
    rows = []
    for run in runs:
        cells = [text(phrases.run(run.run), "name")]
        if decided:
            mark = interval_mark(
                (run.ready or 0) / run.graded if run.graded else None,
                run.ready_interval,
                alt=run_sentence(run, phrases),
                filled=run.run not in standing.behind,
            )
            cells += [
                number(str(run.ready) if alike else f"{run.ready}/{run.graded}"),
                Cell(kind="mark", mark=mark),
                text(phrases.between(run.ready_interval), "number"),
            ]
        if rubric.total_max is not None:
            points = str(run.points) if len(maxima) == 1 else f"{run.points}/{run.points_max}"
            cells += [number("–" if run.score is None else translate.decimal(run.score)), number(points)]
        if intervals:
            found = intervals.get(run.run)
            mark = interval_mark(
                None if run.score is None else float(run.score) / 10,
                found,
                alt=run_sentence(run, phrases, found),
                filled=run.run not in standing.behind,
            )
            cells += [Cell(kind="mark", mark=mark), text(out_of_ten(found, phrases), "number")]
        cells += [cell_number(run.zeros.get(c.id, 0), hot=True) for c in zeros]
        rows.append(Row(cells=tuple(cells)))
    return Table(
        caption=translate.count(
            "The {n} graded response, one rubric",
            "The {n} graded responses, one rubric",
            results.coverage.graded,
        ),
        columns=tuple(columns),
        rows=tuple(rows),
        spans=tuple(spans) if zeros else (),
        note=_table_note(results, phrases, decided=decided, behind=bool(standing.behind)),
        look="runs",
    )


def _table_note(results: Results, phrases: Phrases, *, decided: bool, behind: bool) -> str:
    translate = phrases.translate
    notes = []
    rule = results.rubric.rule.in_(phrases.language)
    if rule:
        notes.append(rule)
    if results.rubric.total_max is not None:
        notes.append(
            translate(
                "Score: mean total of complete responses ÷ {maximum} × 10.", maximum=results.rubric.total_max
            )
        )
    if decided:
        notes.append(
            translate("Intervals: Wilson, 95%; they tell the chance of the sample, not errors of grading.")
        )
    elif results.runs:
        notes.append(
            translate(
                "Intervals: 95%, over the tickets; they tell the chance of the sample, not errors of grading."
            )
        )
    if (decided or results.runs) and behind:
        notes.append(translate("Hollow dot: fewer than the leaders, beyond chance."))
    return " ".join(notes)


def _levels(results: Results, phrases: Phrases, graded: list[Criterion]) -> Table:
    translate = phrases.translate
    runs = shown_runs(results)
    width = f"{(174 - 50) / len(graded):.1f}mm"
    rows = []
    for run in runs:
        cells = [text(phrases.run(run.run), "name")]
        for criterion in graded:
            counts = [run.levels[criterion.id].get(level, 0) for level in criterion.levels]
            alt = phrases.colon(
                f"{phrases.run(run.run)}, {criterion.name.in_(phrases.language)}",
                ", ".join(
                    translate("{count} at {level}", count=count, level=phrases.level(criterion.id, level))
                    for level, count in zip(criterion.levels, counts, strict=True)
                ),
            )
            cells.append(
                Cell(
                    kind="mark",
                    bar=stacked_bar(counts, alt=alt, width=420 / len(graded) / 1.05, height=13, room=9),
                )
                if sum(counts)
                else text("–", "muted")
            )
        rows.append(Row(cells=tuple(cells)))
    scales = {c.levels for c in graded}
    levels = ", ".join(str(level) for level in graded[0].levels)
    note = translate(
        "From dark to light: the levels from lowest to highest; the lightest, the top level, carries no number."
    )
    if len(scales) == 1:
        note = translate("From dark to light: {levels}; the top level carries no number.", levels=levels)
    return Table(
        caption=translate("Responses at each level, by criterion"),
        columns=(
            Column(text=translate("Run"), kind="name", width="50mm"),
            *(Column(text=c.name.in_(phrases.language), kind="mark", width=width) for c in graded),
        ),
        rows=tuple(rows),
        note=note,
        look="levels",
    )


def _pairs(results: Results, phrases: Phrases, standing: Standing) -> Block:
    translate = phrases.translate
    test = (
        translate("exact McNemar test on the same tickets")
        if results.rubric.favourable
        else translate("exact paired permutation test of the totals")
    )
    apart = [pair for pair in standing.pairs if pair.told_apart]
    note = translate.count(
        "Method: {test}; told apart when p < {level}. "
        "“Not told apart” does not mean equal: these tickets are too few to say.",
        "Method: {test}, p adjusted by Holm over all {n} pairs; told apart when p < {level}. "
        "“Not told apart” does not mean equal: these tickets are too few to say.",
        len(standing.pairs),
        test=test,
        level=translate.decimal(0.05, 2),
    )
    heading = translate("Which runs can be told apart")
    runs = [run.run for run in results.runs]
    if len(runs) > MATRIX_LIMIT:
        lines = tuple(
            _apart_line(pair.first, pair.second, pair.adjusted, phrases) for pair in apart[:40]
        ) or (translate("No pair can be told apart."),)
        return Block(kind="list", heading=heading, lines=lines, note=note)
    letters = [chr(ord("a") + place) for place in range(len(runs))]
    rows = []
    for line, run in enumerate(runs):
        cells = [text(f"{letters[line]}  {run}", "name")]
        for place, other in enumerate(runs):
            pair = standing.pair(run, other)
            if place == line or pair is None:
                cells.append(text("", "muted"))
            elif pair.adjusted is None:
                cells.append(text("–", "muted"))
            else:
                cells.append(
                    number(p_value(pair.adjusted, phrases), zero=not pair.told_apart, strong=pair.told_apart)
                )
        rows.append(Row(cells=tuple(cells)))
    table = Table(
        caption="",
        columns=(
            Column(text=translate("Adjusted p"), kind="name", width="52mm"),
            *(Column(text=letter, kind="number") for letter in letters),
        ),
        rows=tuple(rows),
        note=note,
        look="matrix",
    )
    return table_block(table, heading)


def p_value(p: float, phrases: Phrases) -> str:
    """Return a p-value with three decimals; what would round to 0 is "< 0.001", what is 1 is "1"."""
    if p < 0.001:
        return f"< {phrases.translate.decimal(0.001, 3)}"
    return "1" if p >= 0.9995 else phrases.translate.decimal(p, 3)


def _apart_line(first: str, second: str, p: float | None, phrases: Phrases) -> str:
    return phrases.translate(
        "{first} and {second}: p = {p}", first=first, second=second, p=p_value(p or 0.0, phrases)
    )
