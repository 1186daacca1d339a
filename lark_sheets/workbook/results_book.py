"""The results workbook: what the campaign's grades say, as tables and native charts, ready to be written.

Cells hold numbers, never rounded text; a statistic without a value leaves its cell blank and says why beside it.
"""

from __future__ import annotations

import datetime as dt

from lark_sheets.core.bookplan import BookPlan, ChartPlan, Scalar, SheetPlan
from lark_sheets.core.campaign import Campaign
from lark_sheets.core.cells import Area, address
from lark_sheets.core.language import Translator
from lark_sheets.core.results import Results, RunSummary
from lark_sheets.core.rubric import Rubric
from lark_sheets.workbook import layout, results_layout as tables
from lark_sheets.workbook.layout import Table
from lark_sheets.workbook.results_agreement import agreement_sheet
from lark_sheets.workbook.results_apart import write_comparisons
from lark_sheets.workbook.results_sheets import detail_sheet, judge_sheet
from lark_sheets.workbook.results_writer import (
    CHART_HEIGHT,
    CHART_ROWS,
    ResultsWriter,
    Row,
    column_range,
    high_end,
    low_end,
    style_of,
)


def plan_results_book(
    results: Results, campaign: Campaign, translate: Translator, *, produced: dt.datetime, texts: bool = True
) -> BookPlan:
    """Return the plan of ``results.xlsx``: sheets Results, Agreement, Judge, Detail.

    ``texts`` False leaves the responses' texts out and shows their fingerprints only. Names of runs stand in it only
    when the results were made after the reveal.
    """
    writer = ResultsWriter(results, translate, produced)
    return BookPlan(
        sheets=[
            _results_sheet(results, writer),
            agreement_sheet(results, writer),
            judge_sheet(results, writer),
            detail_sheet(results, campaign, writer, texts=texts),
        ],
        title=translate("Results of {campaign}", campaign=results.campaign),
        language=translate.language,
    )


# -- Results -----------------------------------------------------------------------------------------------------------


def _results_sheet(results: Results, writer: ResultsWriter) -> SheetPlan:
    translate, rubric = writer.translate, results.rubric
    sheet = writer.sheet(layout.RESULTS, translate("Results by run"))
    table = tables.results_table(rubric)
    whole = _run_row(results.overall, rubric) | {"run": translate("All responses")}
    rows = [_run_row(run, rubric) for run in results.runs] if results.runs else [whole]
    area = writer.table(sheet, table, 4, rows)
    below = area.bottom + 2
    if results.runs:
        for number, column in enumerate(table.columns, 1):
            value = whole.get(column.key)
            sheet.put(area.bottom + 1, number, value, style_of(column.key, value))
        below += 1
    else:
        writer.note(sheet, below, translate("The names of the runs are shown after the reveal."))
        below += 2
    chart_row = below
    _run_charts(sheet, table, area, results, writer, chart_row)
    below += CHART_ROWS if sheet.charts else 0
    if rubric.total_max is not None:
        writer.heading(sheet, below, translate("Responses at each level"))
        written = writer.table(sheet, tables.levels_table(rubric), below + 1, _level_rows(results, writer))
        below = written.bottom + 3
    if any(run.rates for run in (results.overall, *results.runs)):
        writer.heading(sheet, below, translate("Rates by stratum, with their 95% interval"))
        written = writer.table(sheet, tables.RATES, below + 1, _rate_rows(results, writer))
        below = written.bottom + 3
    write_comparisons(sheet, below, results, writer)
    return sheet


def _run_row(run: RunSummary, rubric: Rubric) -> dict[str, Scalar]:
    return {
        "run": run.run,
        "responses": run.responses,
        "graded": run.graded,
        "ready": run.ready,
        "ready_low": low_end(run.ready_interval),
        "ready_high": high_end(run.ready_interval),
        "points": run.points,
        "points_max": run.points_max,
        "score": None if run.score is None else float(run.score),
        "score_low": low_end(run.score_interval),
        "score_high": high_end(run.score_interval),
        **{f"zero_{c.id}": run.zeros.get(c.id) for c in rubric.criteria if not c.is_category},
    }


def _run_charts(
    sheet: SheetPlan, table: Table, area: Area, results: Results, writer: ResultsWriter, row: int
) -> None:
    """Add the charts of ready responses and of zeros; no chart for a single row."""
    translate, rubric = writer.translate, results.rubric
    if len(results.runs) < 2:
        return
    names = column_range(sheet, table, area, "run")
    if rubric.favourable:
        outcome = rubric.outcomes[rubric.favourable].in_(writer.language)
        figures = "; ".join(f"{run.run}: {run.ready}/{run.graded}" for run in results.runs)
        sheet.charts.append(
            ChartPlan(
                kind="bar",
                title=translate("Responses that are “{outcome}”, by run", outcome=outcome),
                anchor=address(row, 1),
                categories=names,
                series=[(outcome, column_range(sheet, table, area, "ready"))],
                alt=figures,
                height_cm=CHART_HEIGHT,
            )
        )
    graded = [c for c in rubric.criteria if not c.is_category]
    if graded:
        figures = "; ".join(
            f"{run.run}: "
            + ", ".join(f"{c.name.in_(writer.language)} {run.zeros.get(c.id, 0)}" for c in graded)
            for run in results.runs
        )
        sheet.charts.append(
            ChartPlan(
                kind="bar",
                title=translate("Responses at 0, by criterion"),
                anchor=address(row, 6 if rubric.favourable else 1),
                categories=names,
                series=[
                    (c.name.in_(writer.language), column_range(sheet, table, area, f"zero_{c.id}"))
                    for c in graded
                ],
                alt=figures,
                stacked=True,
                height_cm=CHART_HEIGHT,
            )
        )


def _level_rows(results: Results, writer: ResultsWriter) -> list[Row]:
    graded = [c for c in results.rubric.criteria if not c.is_category]
    return [
        {"run": run.run or writer.translate("All responses")}
        | {
            tables.level_column(c, level).key: run.levels[c.id].get(level, 0)
            for c in graded
            for level in c.levels
        }
        for run in (results.runs or (results.overall,))
    ]


def _rate_rows(results: Results, writer: ResultsWriter) -> list[Row]:
    rubric, everything = results.rubric, writer.translate("All responses")
    names = {
        str(anchor.level): anchor.name.in_(writer.language) or str(anchor.level)
        for criterion in rubric.criteria
        if criterion.is_category
        for anchor in criterion.anchors
    }
    return [
        {
            "run": run.run or everything,
            "stratum": rubric.strata[stratum].in_(writer.language) if stratum in rubric.strata else stratum,
            "label": names.get(label, label),
            "count": rate.k,
            "of": rate.n,
            "share": rate.k / rate.n if rate.n else None,
            "low": low_end(rate.interval),
            "high": high_end(rate.interval),
        }
        for run in (results.runs or (results.overall,))
        for label, strata in run.rates.items()
        for stratum, rate in strata.items()
    ]
