"""Runs compared pair by pair in the results workbook: which cannot be told apart, and every test behind it."""

from __future__ import annotations

from lark_sheets.core.bookplan import SheetPlan
from lark_sheets.core.comparisons import Family
from lark_sheets.core.results import Results
from lark_sheets.workbook import layout, results_layout as tables
from lark_sheets.workbook.results_writer import ResultsWriter, Row, high_end, low_end


def write_comparisons(sheet: SheetPlan, row: int, results: Results, writer: ResultsWriter) -> None:
    """Write, from a row on, the groups of runs that cannot be told apart and the table of all pairs; nothing before the reveal."""
    translate = writer.translate
    families = _families(results, writer)
    rows = [line for measure, family in families.items() for line in _rows(family, measure, writer)]
    if not rows:
        return
    writer.heading(sheet, row, translate("Runs compared two by two on the same tickets"))
    row += 1
    for measure, family in families.items():
        for group in family.groups:
            if len(group) > 1:
                text = translate("{name}: {value}", name=measure, value=", ".join(group))
                writer.note(sheet, row, translate("Cannot be told apart. {what}", what=text))
                row += 1
    writer.note(
        sheet,
        row,
        translate(
            "Exact paired tests, p adjusted over all pairs of a measure (Holm); the intervals are 95% ones of one difference each."
        ),
    )
    writer.table(sheet, tables.APART_TABLE, row + 1, rows)


def _families(results: Results, writer: ResultsWriter) -> dict[str, Family]:
    """Return the families of tests by what they compare: ready responses, totals, the main label in each stratum."""
    translate, rubric, found = writer.translate, results.rubric, results.comparisons
    families: dict[str, Family] = {}
    if found and found.ready:
        outcome = rubric.outcomes.get(rubric.favourable)
        families[outcome.in_(writer.language) if outcome else rubric.favourable] = found.ready
    if found and found.total:
        families[translate("Total")] = found.total
    for stratum, family in results.label_comparisons.items():
        shown = rubric.strata[stratum].in_(writer.language) if stratum in rubric.strata else stratum
        families[shown] = family
    return families


def _rows(family: Family, measure: str, writer: ResultsWriter) -> list[Row]:
    yes, no = layout.YES.in_(writer.language), layout.NO.in_(writer.language)
    return [
        {
            "run": pair.first,
            "other": pair.second,
            "measure": measure,
            "tickets": pair.n,
            "better_first": pair.better_first,
            "better_second": pair.better_second,
            "difference": None if pair.difference is None else float(pair.difference),
            "difference_low": low_end(pair.interval),
            "difference_high": high_end(pair.interval),
            "p": pair.p,
            "adjusted": pair.adjusted,
            "told_apart": writer.translate(str(pair.state.value))
            if pair.p is None
            else yes
            if pair.told_apart
            else no,
        }
        for pair in family.pairs
    ]
