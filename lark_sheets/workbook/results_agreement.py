"""The sheet of agreement: who the readers are, counts and coefficients, what must be read beside them, pairs, confusions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lark_sheets.core.agreement import Agreement, ByTicket
from lark_sheets.core.agreement_words import (
    KINDS,
    level_name,
    measure_name,
    methods_in_words,
    notes_in_words,
)
from lark_sheets.core.bookplan import ChartPlan, Scalar, SheetPlan
from lark_sheets.core.cells import Area, address
from lark_sheets.core.language import Translator
from lark_sheets.core.results import AgreementSummary, ReaderSummary, Results
from lark_sheets.core.rubric import Rubric
from lark_sheets.workbook import layout, results_layout as tables
from lark_sheets.workbook.layout import Table
from lark_sheets.workbook.results_writer import (
    CHART_ROWS,
    STAMP,
    ResultsWriter,
    Row,
    column_range,
    high_end,
    low_end,
)


def agreement_sheet(results: Results, writer: ResultsWriter) -> SheetPlan:
    """Return the sheet of agreement: all responses first, then each run that was read twice, then what stands behind them."""
    translate = writer.translate
    sheet = writer.sheet(layout.AGREEMENT, translate("Agreement between readers"))
    readers = ", ".join(_reader(reader, translate) for reader in results.readers)
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
    notes = area.bottom + 2
    sheet.put(
        5,
        1,
        translate("What to read beside the numbers stands from row {row} on.", row=notes),
        replace(STAMP, underline=True),
        link=f"#'{sheet.name}'!{address(notes, 1)}",
    )
    below = _lines(
        sheet,
        notes,
        translate("To read beside the numbers"),
        notes_in_words(results, translate),
        writer,
    )
    if results.agreement.shared:
        _chart(sheet, area._replace(bottom=area.top + len(whole)), below, whole, translate)
        below += CHART_ROWS
    _behind(sheet, below, results, writer)
    return sheet


def _chart(sheet: SheetPlan, shown: Area, row: int, whole: Sequence[Row], translate: Translator) -> None:
    table = tables.AGREEMENT_TABLE
    sheet.charts.append(
        ChartPlan(
            kind="bar",
            title=translate("Same grade from both readers, by criterion"),
            anchor=address(row, 1),
            categories=column_range(sheet, table, shown, "what"),
            series=[(translate("Share"), column_range(sheet, table, shown, "share"))],
            alt="; ".join(f"{row['what']}: {row['equal']}/{row['of']}" for row in whole),
        )
    )


def _reader(reader: ReaderSummary, translate: Translator) -> str:
    return (
        translate("{reader} (model: {model})", reader=reader.name, model=reader.model)
        if reader.model
        else reader.name
    )


def _behind(sheet: SheetPlan, row: int, results: Results, writer: ResultsWriter) -> None:
    """Write what stands behind the numbers: readers, pairs, grades before and after discussions, confusions, methods."""
    translate = writer.translate
    parts: list[tuple[str, Table, list[Row]]] = [
        (translate("Who read"), tables.READERS_TABLE, _reader_rows(results, translate)),
        (
            translate("Intervals from redrawn tickets"),
            tables.REDRAWN_TABLE,
            _redrawn_rows(results, translate),
        ),
        (translate("Pair by pair"), tables.PAIRS_TABLE, _pair_rows(results, translate)),
        (
            translate(
                "Before and after discussions: grades that were talked over are not those of independent readers"
            ),
            tables.DISCUSSED_TABLE,
            _discussed_rows(results, translate),
        ),
        (
            translate("Shared responses by the grades of two readers"),
            tables.CONFUSION_TABLE,
            _confusion_rows(results, translate),
        ),
    ]
    for heading, table, rows in parts:
        if rows:
            writer.heading(sheet, row, heading)
            row = writer.table(sheet, table, row + 1, rows).bottom + 3
    if results.agreement.shared:
        _lines(
            sheet,
            row,
            translate("How it was computed"),
            methods_in_words(results.agreement, translate),
            writer,
        )


def _lines(sheet: SheetPlan, row: int, heading: str, lines: Sequence[str], writer: ResultsWriter) -> int:
    """Write sentences under a heading; return the row where the next part may begin."""
    if not lines:
        return row
    writer.heading(sheet, row, heading)
    for line in lines:
        row += 1
        writer.note(sheet, row, line)
    return row + 2


def agreement_rows(summary: AgreementSummary, rubric: Rubric, translate: Translator) -> list[Row]:
    """Return the rows of an agreement table: the decision, all criteria together, each criterion."""
    rows: list[Row] = []
    if summary.decision is not None:
        of_tickets = summary.decision_by_ticket
        rows.append({"what": translate("Decision"), **_statistics(summary.decision, of_tickets, translate)})
    rows.append(
        {
            "what": translate("All criteria"),
            "equal": summary.all_equal,
            "of": summary.all_n,
            "share": summary.all_equal / summary.all_n if summary.all_n else None,
            "low": low_end(summary.all_interval),
            "high": high_end(summary.all_interval),
            "ticket_low": low_end(summary.all_by_ticket),
            "ticket_high": high_end(summary.all_by_ticket),
            "state": translate("counted, no coefficient"),
            "alpha_state": translate("counted, no coefficient"),
        }
    )
    for criterion in rubric.criteria:
        found = summary.criteria.get(criterion.id)
        if found is not None:
            of_tickets = summary.criteria_by_ticket.get(criterion.id)
            name = criterion.name.in_(translate.language)
            rows.append({"what": name, **_statistics(found, of_tickets, translate)})
    return rows


def _statistics(found: Agreement, of_tickets: ByTicket | None, translate: Translator) -> dict[str, Scalar]:
    return {
        "equal": found.equal,
        "of": found.n,
        "share": found.equal / found.n if found.n else None,
        "low": low_end(found.interval),
        "high": high_end(found.interval),
        "ticket_low": low_end(of_tickets.interval) if of_tickets else None,
        "ticket_high": high_end(of_tickets.interval) if of_tickets else None,
        "kappa": found.kappa.value,
        "kappa_low": low_end(found.kappa_interval),
        "kappa_high": high_end(found.kappa_interval),
        "kappa_ticket_low": low_end(of_tickets.kappa_interval) if of_tickets else None,
        "kappa_ticket_high": high_end(of_tickets.kappa_interval) if of_tickets else None,
        "kappa_linear": found.kappa_linear.value,
        "kappa_quadratic": found.kappa_quadratic.value,
        "ac1": found.ac1.value,
        "ac1_low": low_end(found.ac1_interval),
        "ac1_high": high_end(found.ac1_interval),
        "ac2_quadratic": found.ac2_quadratic.value,
        "fleiss": found.fleiss.value,
        "alpha_nominal": found.alpha_nominal.value,
        "alpha_ordinal": found.alpha_ordinal.value,
        "alpha_interval": found.alpha_interval.value,
        "gap_1": found.gaps.get(1, 0) if found.ordinal else None,
        "gap_2": sum(n for gap, n in found.gaps.items() if gap > 1) if found.ordinal else None,
        "state": translate(str(found.kappa.state.value)),
        "alpha_state": translate(str(found.alpha_nominal.state.value)),
    }


def _reader_rows(results: Results, translate: Translator) -> list[Row]:
    return [
        {
            "reader": reader.name,
            "kind": translate("{name}: {value}", name=translate(KINDS[reader.kind]), value=reader.model)
            if reader.model
            else translate(KINDS[reader.kind]),
            "read": reader.read,
            "shared": reader.shared,
        }
        for reader in results.readers
    ]


def _redrawn_rows(results: Results, translate: Translator) -> list[Row]:
    return [
        {
            "measure": measure_name(key, results.rubric, translate),
            "coefficient": tables.coefficient_name(field).in_(translate.language),
            "drawn_value": getattr(found, field).value,
            "drawn_low": low_end(drawn.interval),
            "drawn_high": high_end(drawn.interval),
            "undefined": drawn.undefined,
        }
        for key, found in results.agreement.measured
        if (of_tickets := results.agreement.of_tickets(key))
        for field, drawn in of_tickets.resampled.items()
    ]


def _pair_rows(results: Results, translate: Translator) -> list[Row]:
    return [
        {"pair": f"{first} / {second}", **row}
        for (first, second), summary in results.agreement.pairs.items()
        for row in agreement_rows(summary, results.rubric, translate)
    ]


def _discussed_rows(results: Results, translate: Translator) -> list[Row]:
    before, after = results.agreement, results.agreement_discussed
    if after is None:
        return []
    later = dict(after.measured)
    rows: list[Row] = [
        {
            "measure": measure_name(key, results.rubric, translate),
            "before": found.equal,
            "after": later[key].equal,
            "of": found.n,
        }
        for key, found in before.measured
    ]
    everything = translate("All criteria")
    return [
        *rows,
        {"measure": everything, "before": before.all_equal, "after": after.all_equal, "of": before.all_n},
    ]


def _confusion_rows(results: Results, translate: Translator) -> list[Row]:
    """Return how many shared responses got which two grades; combinations that nobody gave are left out."""
    agreement = results.agreement
    return [
        {
            "pair": " / ".join(found.reader_names),
            "what": measure_name(key, results.rubric, translate),
            "first_level": _level(key, first, results.rubric, translate),
            "second_level": _level(key, second, results.rubric, translate),
            "count": count,
        }
        for summary in (agreement.pairs.values() if agreement.pairs else [agreement])
        for key, found in summary.measured
        for first, line in zip(found.levels, found.table or (), strict=bool(found.table))
        for second, count in zip(found.levels, line, strict=True)
        if count
    ]


def _level(key: str, level: object, rubric: Rubric, translate: Translator) -> Scalar:
    return level if isinstance(level, int) else level_name(key, level, rubric, translate)
