"""The results workbook: what the campaign's grades say, as tables and native charts, ready to be written.

Cells hold numbers, never rounded text; a statistic without a value leaves its cell blank and says why beside it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lark_sheets.core.agreement import Agreement
from lark_sheets.core.bookplan import BookPlan, ChartPlan, ColumnPlan, Scalar, SheetPlan, Style, TablePlan
from lark_sheets.core.campaign import Campaign
from lark_sheets.core.cells import Area, address, column_letters
from lark_sheets.core.intervals import Interval
from lark_sheets.core.language import Translator
from lark_sheets.core.results import AgreementSummary, Results, RunSummary
from lark_sheets.core.rubric import Rubric
from lark_sheets.workbook import layout, results_layout as tables
from lark_sheets.workbook.layout import Sheet, Table

TITLE = Style(bold=True, size=16, colour="0B4F8A")
STAMP = Style(colour="5A6672", size=9)
HEADING = Style(bold=True, size=12)
HEADER = Style(bold=True, wrap=True, vertical="center", border="bottom", fill="EEF2F5")
HEADER_RIGHT = replace(HEADER, horizontal="right")
WORDS = {
    "run",
    "what",
    "stratum",
    "label",
    "state",
    "item",
    "grader",
    "owner",
    "verdict",
    "stale",
    "codes",
    "reason",
    "id",
    "fingerprint",
    "response",
    "value",
}
"""Columns that hold words; the headings of all others stand over numbers."""
PLAIN = Style()
SHARE = Style(number_format="0%", horizontal="right")
COEFFICIENT = Style(number_format="0.00", horizontal="right")
NUMBER = Style(number_format="0", horizontal="right")
ZERO = Style(number_format="0", horizontal="right", colour="8A949E")
NAME = Style(bold=True)
WRAPPED = Style(wrap=True)
FORMATS = {
    "share": SHARE, "low": SHARE, "high": SHARE, "ready_low": SHARE, "ready_high": SHARE,
    "score": COEFFICIENT, "kappa": COEFFICIENT, "kappa_low": COEFFICIENT, "kappa_high": COEFFICIENT,
    "kappa_linear": COEFFICIENT, "kappa_quadratic": COEFFICIENT, "ac1": COEFFICIENT,
    "alpha_nominal": COEFFICIENT, "alpha_ordinal": COEFFICIENT, "run": NAME, "what": NAME, "reason": WRAPPED,
    "response": WRAPPED, "codes": WRAPPED,
}  # fmt: skip
CHART_HEIGHT = 9.5
CHART_ROWS = 22
"""Rows that a chart of that height covers."""
Row = Mapping[str, Scalar]


def plan_results_book(
    results: Results, campaign: Campaign, translate: Translator, *, produced: dt.datetime, texts: bool = True
) -> BookPlan:
    """Return the plan of ``results.xlsx``: sheets Results, Agreement, Judge, Detail.

    ``texts`` False leaves the responses' texts out and shows their fingerprints only. Names of runs stand in it only
    when the results were made after the reveal.
    """
    writer = _Writer(results, translate, produced)
    return BookPlan(
        sheets=[
            _results_sheet(results, writer),
            _agreement_sheet(results, writer),
            _judge_sheet(results, writer),
            _detail_sheet(results, campaign, writer, texts=texts),
        ],
        title=translate("Results of {campaign}", campaign=results.campaign),
        language=translate.language,
    )


class _Writer:
    """Puts titles and tables into sheets in one language."""

    def __init__(self, results: Results, translate: Translator, produced: dt.datetime) -> None:
        self.translate = translate
        self.language = translate.language
        coverage = results.coverage
        self.stamp = translate(
            "{campaign}, rubric version {version}, {graded} of {expected} responses graded, made {date}",
            campaign=results.campaign,
            version=results.rubric.version,
            graded=coverage.graded,
            expected=coverage.expected,
            date=translate.date(produced),
        )

    def sheet(self, of: Sheet, title: str) -> SheetPlan:
        sheet = SheetPlan(name=of.name.in_(self.language), freeze=(5, 2))
        sheet.row_heights[1] = 26
        sheet.put(1, 1, title, TITLE)
        sheet.put(2, 1, self.stamp, STAMP)
        return sheet

    def heading(self, sheet: SheetPlan, row: int, text: str) -> None:
        sheet.put(row, 1, text, HEADING)

    def note(self, sheet: SheetPlan, row: int, text: str) -> None:
        sheet.put(row, 1, text, STAMP)

    def table(self, sheet: SheetPlan, table: Table, top: int, rows: Sequence[Row]) -> Area:
        """Write a table whose header stands in row ``top``; returns its area (header included)."""
        for number, column in enumerate(table.columns, 1):
            header = HEADER if column.key in WORDS else HEADER_RIGHT
            sheet.put(top, number, column.header.in_(self.language), header)
            known = sheet.columns.get(number)
            sheet.columns[number] = ColumnPlan(width=max(column.width, known.width if known else 0))
        for offset, row in enumerate(rows, 1):
            for number, column in enumerate(table.columns, 1):
                value = row.get(column.key)
                sheet.put(top + offset, number, value, _style(column.key, value))
        area = Area(top, 1, top + max(len(rows), 1), len(table.columns))
        sheet.tables.append(TablePlan(name=table.name, area=area))
        sheet.row_heights[top] = 32
        return area


def _style(key: str, value: Scalar) -> Style:
    if key in FORMATS:
        return FORMATS[key]
    if isinstance(value, int) and not isinstance(value, bool):
        return ZERO if value == 0 else NUMBER
    return PLAIN


def _range(sheet: SheetPlan, table: Table, area: Area, key: str) -> str:
    """Return the cells of a column of a written table, as a chart names them."""
    column = next(number for number, c in enumerate(table.columns, 1) if c.key == key)
    first, last = (f"${column_letters(column)}${row}" for row in (area.top + 1, area.bottom))
    return f"'{sheet.name}'!{first}:{last}"


def _low(interval: Interval | None) -> float | None:
    return None if interval is None else interval.low


def _high(interval: Interval | None) -> float | None:
    return None if interval is None else interval.high


# -- Results -----------------------------------------------------------------------------------------------------------


def _results_sheet(results: Results, writer: _Writer) -> SheetPlan:
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
            sheet.put(area.bottom + 1, number, value, _style(column.key, value))
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
        writer.table(sheet, tables.RATES, below + 1, _rate_rows(results, writer))
    return sheet


def _run_row(run: RunSummary, rubric: Rubric) -> dict[str, Scalar]:
    return {
        "run": run.run,
        "responses": run.responses,
        "graded": run.graded,
        "ready": run.ready,
        "ready_low": _low(run.ready_interval),
        "ready_high": _high(run.ready_interval),
        "points": run.points,
        "points_max": run.points_max,
        "score": None if run.score is None else float(run.score),
        **{f"zero_{c.id}": run.zeros.get(c.id) for c in rubric.criteria if not c.is_category},
    }


def _run_charts(
    sheet: SheetPlan, table: Table, area: Area, results: Results, writer: _Writer, row: int
) -> None:
    """Add the charts of ready responses and of zeros; no chart for a single row."""
    translate, rubric = writer.translate, results.rubric
    if len(results.runs) < 2:
        return
    names = _range(sheet, table, area, "run")
    if rubric.favourable:
        outcome = rubric.outcomes[rubric.favourable].in_(writer.language)
        figures = "; ".join(f"{run.run}: {run.ready}/{run.graded}" for run in results.runs)
        sheet.charts.append(
            ChartPlan(
                kind="bar",
                title=translate("Responses that are “{outcome}”, by run", outcome=outcome),
                anchor=address(row, 1),
                categories=names,
                series=[(outcome, _range(sheet, table, area, "ready"))],
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
                    (c.name.in_(writer.language), _range(sheet, table, area, f"zero_{c.id}")) for c in graded
                ],
                alt=figures,
                stacked=True,
                height_cm=CHART_HEIGHT,
            )
        )


def _level_rows(results: Results, writer: _Writer) -> list[Row]:
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


def _rate_rows(results: Results, writer: _Writer) -> list[Row]:
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
            "low": _low(rate.interval),
            "high": _high(rate.interval),
        }
        for run in (results.runs or (results.overall,))
        for label, strata in run.rates.items()
        for stratum, rate in strata.items()
    ]


# -- Agreement ---------------------------------------------------------------------------------------------------------


def _agreement_sheet(results: Results, writer: _Writer) -> SheetPlan:
    translate = writer.translate
    sheet = writer.sheet(layout.AGREEMENT, translate("Agreement between readers"))
    readers = ", ".join(
        translate("{reader} (model: {model})", reader=name, model=model) if model else name
        for name, model in results.graders.items()
    )
    writer.note(
        sheet,
        3,
        translate(
            "Readers: {readers}. {shared} responses were read twice or more, {once} by one reader only.",
            readers=readers,
            shared=results.agreement.shared,
            once=results.not_double_read,
        ),
    )
    whole = agreement_rows(results.agreement, results.rubric, translate)
    by_run = [
        {"run": run, **row}
        for run, summary in results.agreement_by_run.items()
        if summary.shared
        for row in agreement_rows(summary, results.rubric, translate)
    ]
    if by_run:
        writer.note(
            sheet, 4, translate("The rows of single runs rest on few responses each: read them with care.")
        )
    everything = translate("All responses")
    rows = [*({"run": everything, **row} for row in whole), *by_run]
    area = writer.table(sheet, tables.AGREEMENT_TABLE, 6, rows)
    sheet.freeze = (7, 3)
    if results.agreement.shared:
        shown = area._replace(bottom=area.top + len(whole))
        what = _range(sheet, tables.AGREEMENT_TABLE, shown, "what")
        sheet.charts.append(
            ChartPlan(
                kind="bar",
                title=translate("Same grade from both readers, by criterion"),
                anchor=address(area.bottom + 2, 1),
                categories=what,
                series=[(translate("Share"), _range(sheet, tables.AGREEMENT_TABLE, shown, "share"))],
                alt="; ".join(f"{row['what']}: {row['equal']}/{row['of']}" for row in whole),
            )
        )
    return sheet


def agreement_rows(summary: AgreementSummary, rubric: Rubric, translate: Translator) -> list[Row]:
    """Return the rows of an agreement table: the decision, all criteria together, each criterion."""
    rows: list[Row] = []
    if summary.decision is not None:
        rows.append({"what": translate("Decision"), **_statistics(summary.decision, translate)})
    rows.append(
        {
            "what": translate("All criteria"),
            "equal": summary.all_equal,
            "of": summary.all_n,
            "share": summary.all_equal / summary.all_n if summary.all_n else None,
            "low": _low(summary.all_interval),
            "high": _high(summary.all_interval),
            "state": translate("counted, no coefficient"),
        }
    )
    for criterion in rubric.criteria:
        found = summary.criteria.get(criterion.id)
        if found is not None:
            rows.append({"what": criterion.name.in_(translate.language), **_statistics(found, translate)})
    return rows


def _statistics(found: Agreement, translate: Translator) -> dict[str, Scalar]:
    return {
        "equal": found.equal,
        "of": found.n,
        "share": found.equal / found.n if found.n else None,
        "low": _low(found.interval),
        "high": _high(found.interval),
        "kappa": found.kappa.value,
        "kappa_low": _low(found.kappa_interval),
        "kappa_high": _high(found.kappa_interval),
        "kappa_linear": found.kappa_linear.value,
        "kappa_quadratic": found.kappa_quadratic.value,
        "ac1": found.ac1.value,
        "alpha_nominal": found.alpha_nominal.value,
        "alpha_ordinal": found.alpha_ordinal.value,
        "state": translate(str(found.kappa.state.value)),
    }


# -- Judge -------------------------------------------------------------------------------------------------------------


def _judge_sheet(results: Results, writer: _Writer) -> SheetPlan:
    translate = writer.translate
    sheet = writer.sheet(layout.JUDGE, translate("Automatic judge"))
    if results.judge is None:
        writer.note(sheet, 4, translate("No automatic judge was used in this campaign."))
        return sheet
    writer.table(sheet, tables.JUDGE_TABLE, 4, [{"what": k, "value": v} for k, v in _flat(results.judge)])
    return sheet


def _flat(tree: Mapping[str, object], prefix: str = "") -> list[tuple[str, Scalar]]:
    """Return the leaves of nested mappings as dotted paths with plain values."""
    leaves: list[tuple[str, Scalar]] = []
    for key, value in tree.items():
        path = f"{prefix}.{key}" if prefix else str(key)
        if isinstance(value, Mapping):
            leaves.extend(_flat(value, path))
        elif value is None or isinstance(value, str | int | float | bool):
            leaves.append((path, value))
        else:
            leaves.append((path, str(value)))
    return leaves


# -- Detail ------------------------------------------------------------------------------------------------------------


def _detail_sheet(results: Results, campaign: Campaign, writer: _Writer, *, texts: bool) -> SheetPlan:
    translate, rubric = writer.translate, results.rubric
    sheet = writer.sheet(layout.DETAIL, translate("Every reading"))
    table = tables.detail_table(rubric)
    if texts:
        table = Table(table.name, table.sheet, (*table.columns, tables.RESPONSE))
    response = campaign.response()
    yes, no = layout.YES.in_(writer.language), layout.NO.in_(writer.language)
    rows: list[Row] = []
    for reading in results.readings:
        text = response[reading.id].text
        outcome = rubric.outcomes.get(reading.verdict or "")
        rows.append(
            {
                "id": reading.id,
                "item": reading.item,
                "label": reading.label,
                "run": reading.run,
                "grader": reading.grader,
                "owner": yes if reading.owner else no,
                **{
                    c.id: _shown(c.id, reading.scores.get(c.id), rubric, writer.language)
                    for c in rubric.criteria
                },
                "total": reading.total,
                "verdict": outcome.in_(writer.language) if outcome else reading.verdict,
                "stale": yes if reading.stale else no,
                "codes": ", ".join(
                    code.label.in_(writer.language) if (code := rubric.code(c)) else c for c in reading.codes
                ),
                "reason": reading.reason,
                "fingerprint": response[reading.id].fingerprint,
                "response": fitting(text, translate),
            }
        )
    writer.table(sheet, table, 4, rows)
    sheet.freeze = (5, 4)
    sheet.repeated_rows = (4, 4)
    return sheet


def _shown(criterion: str, level: int | str | None, rubric: Rubric, language: str) -> Scalar:
    return (
        level
        if level is None or isinstance(level, int)
        else rubric.criterion(criterion).shown(level, language)
    )


def fitting(text: str, translate: Translator) -> str:
    """Return a text that a cell can hold; what is left out is told, with its exact number of characters."""
    if len(text.encode("utf-16-le", "surrogatepass")) // 2 <= layout.CELL_LIMIT:
        return text
    kept = text[: layout.CELL_LIMIT // 2]
    return kept + translate(
        "… ({count} characters not shown, see the campaign's workbook)", count=len(text) - len(kept)
    )
