"""Native charts: bars that stay live in the spreadsheet."""

from __future__ import annotations

from typing import Any

from lark_sheets.core.bookplan import ChartPlan

_COLOURS = ("1F5F8B", "E08E2B", "5B8C5A", "A23B4A", "6C6F93", "8A6D3B")


def chart_of(plan: ChartPlan) -> Any:
    """Return the openpyxl chart of a plan: first category on top, values written on the bars, a legend only for several series."""
    from openpyxl.chart import BarChart, Reference, Series
    from openpyxl.chart.label import DataLabelList
    from openpyxl.chart.shapes import GraphicalProperties

    chart: Any = BarChart()
    chart.type = "bar" if plan.kind == "bar" else "col"
    chart.title = plan.title
    chart.width, chart.height = plan.width_cm, plan.height_cm
    chart.grouping = "stacked" if plan.stacked else "clustered"
    chart.overlap = 100 if plan.stacked else None
    chart.gapWidth = 60
    for number, (title, values) in enumerate(plan.series):
        series: Any = Series(_reference(Reference, values), title=title)
        series.graphicalProperties = GraphicalProperties(solidFill=_COLOURS[number % len(_COLOURS)])
        chart.series.append(series)
    chart.set_categories(_reference(Reference, plan.categories))
    chart.dataLabels = DataLabelList(
        showVal=True, showSerName=False, showCatName=False, showLegendKey=False, showPercent=False
    )
    chart.legend = chart.legend if len(plan.series) > 1 else None
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.y_axis.majorGridlines = None
    chart.y_axis.scaling.min = 0  # a bar that does not start at 0 exaggerates
    if plan.stacked:
        chart.dataLabels.numFmt = "0;;;"  # the zeros of a stack would be written over each other
    if plan.kind == "bar":
        chart.x_axis.scaling.orientation = "maxMin"
    return chart


def _reference(maker: Any, text: str) -> Any:
    return maker(range_string=text.removeprefix("="))
