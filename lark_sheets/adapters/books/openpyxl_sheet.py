"""One sheet of a plan put into an openpyxl worksheet: cells, tables, lists, formats, page, protection."""

from __future__ import annotations

from typing import Any

from lark_sheets.adapters.books.cell_xml import escaped, number_text
from lark_sheets.adapters.books.openpyxl_chart import chart_of
from lark_sheets.core.bookplan import CellPlan, ConditionPlan, ListPlan, SheetPlan, Style, TablePlan
from lark_sheets.core.cells import address, area_address, column_letters

FONT = "Calibri"
_LINE = "C9D1D6"
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_LIST_LIMIT, _ERROR_LIMIT, _PROMPT_LIMIT, _TITLE_LIMIT = 255, 225, 255, 32


class Styles:
    """Looks, each made once: openpyxl finds a style by comparing, which costs more than the cell itself."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self._scratch = book.create_sheet("scratch")
        self._made: dict[tuple[Style, bool], Any] = {}

    def remove_scratch(self) -> None:
        """Take away the sheet on which the looks were made."""
        self._book.remove(self._scratch)

    def of(self, style: Style, *, text_like_formula: bool) -> Any:
        """Return a look in the form that a cell carries; ``text_like_formula`` keeps a text starting with = a text when it is edited."""
        key = (style, text_like_formula)
        if key not in self._made:
            self._made[key] = self._make(style, text_like_formula=text_like_formula)
        return self._made[key]

    def _make(self, style: Style, *, text_like_formula: bool) -> Any:
        from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side

        cell = self._scratch.cell(1, 1)
        cell.style = "Normal"
        underline: Any = "single" if style.underline else None
        cell.font = Font(
            name=FONT,
            size=style.size,
            bold=style.bold,
            italic=style.italic,
            underline=underline,
            color="FF" + style.colour,
        )
        if style.fill:
            cell.fill = PatternFill("solid", fgColor="FF" + style.fill)
        cell.alignment = Alignment(
            horizontal=style.horizontal,
            vertical=style.vertical,
            wrap_text=style.wrap or None,
            indent=style.indent,
        )
        if style.border:
            side: Any = Side(style="thin", color="FF" + _LINE)
            sides = ("left", "right", "top", "bottom") if style.border == "thin" else (style.border,)
            cell.border = Border(**dict.fromkeys(sides, side))
        cell.number_format = style.number_format
        cell.protection = Protection(locked=style.locked)
        cell.quotePrefix = text_like_formula
        made = cell._style  # noqa: SLF001  (the form that openpyxl itself copies)
        self._scratch._cells.clear()  # noqa: SLF001
        return made


def fill_sheet(worksheet: Any, plan: SheetPlan, styles: Styles) -> None:
    """Put everything that a sheet's plan says into an empty worksheet. ``ValueError`` when no spreadsheet takes it."""
    for (row, column), cell in sorted(plan.cells.items()):
        _put(worksheet, row, column, cell, styles)
    for area in plan.merged:
        worksheet.merged_cells.add(area_address(area))
    for table in plan.tables:
        worksheet.add_table(_table(table, plan))
    for drop_down in plan.lists:
        worksheet.add_data_validation(_validation(drop_down))
    for condition in plan.conditions:
        worksheet.conditional_formatting.add(area_address(condition.area), _rule(condition))
    for chart in plan.charts:
        worksheet.add_chart(chart_of(chart), chart.anchor)
    _lay_out(worksheet, plan)
    _set_page(worksheet, plan)
    if plan.protected:
        _protect(worksheet)


def _put(worksheet: Any, row: int, column: int, plan: CellPlan, styles: Styles) -> None:
    cell = worksheet.cell(row, column)
    value = plan.value
    if plan.formula:
        if not plan.formula.startswith("="):
            raise ValueError(f"a formula starts with =: {plan.formula!r}")
        cell.value = plan.formula
        cell.data_type = "f"
    elif isinstance(value, str):
        cell._value = escaped(value)  # noqa: SLF001  (the setter would guess at formulas and cut long texts)
        cell.data_type = "s"
    elif value is not None:
        if isinstance(value, bool):
            cell.value = value
        else:
            cell._value = number_text(value)  # noqa: SLF001  (openpyxl would round to sixteen digits)
            cell.data_type = "n"
    like_formula = not plan.formula and isinstance(value, str) and value.startswith(_FORMULA_STARTS)
    cell._style = styles.of(plan.style, text_like_formula=like_formula)  # noqa: SLF001
    if plan.link:
        from openpyxl.worksheet.hyperlink import Hyperlink

        if not plan.link.startswith("#"):
            raise ValueError(f"links lead to a place in the same workbook: {plan.link!r}")
        place = address(row, column)
        cell._hyperlink = Hyperlink(ref=place, location=plan.link[1:])  # noqa: SLF001
        worksheet._hyperlinks.append(cell._hyperlink)  # noqa: SLF001


def _table(table: TablePlan, plan: SheetPlan) -> Any:
    from openpyxl.worksheet.filters import AutoFilter
    from openpyxl.worksheet.table import Table, TableColumn, TableStyleInfo

    area, reference = table.area, area_address(table.area)
    if area.bottom <= area.top:
        raise ValueError(f"the table {table.name} has no row under its header")
    made: Any = Table(
        displayName=table.name, name=table.name, ref=reference, autoFilter=AutoFilter(ref=reference)
    )
    seen: set[str] = set()
    for number, column in enumerate(range(area.left, area.right + 1), 1):
        cell = plan.cells.get((area.top, column), CellPlan())
        if not isinstance(cell.value, str) or not cell.value or cell.value.casefold() in seen:
            raise ValueError(
                f"the table {table.name} needs a different text at the head of each column ({column_letters(column)})"
            )
        seen.add(cell.value.casefold())
        made.tableColumns.append(TableColumn(id=number, name=escaped(cell.value).replace("\n", "_x000a_")))
    if table.banded:
        made.tableStyleInfo = TableStyleInfo(name="TableStyleLight1", showRowStripes=True)
    return made


def _validation(plan: ListPlan) -> Any:
    from openpyxl.worksheet.datavalidation import DataValidation

    if plan.values and any("," in value for value in plan.values):
        raise ValueError(f"a written list cannot hold a comma: {plan.values!r}")
    formula = plan.source.removeprefix("=") or '"' + ",".join(plan.values).replace('"', '""') + '"'
    if not plan.source and len(formula) - 2 > _LIST_LIMIT:
        raise ValueError(
            f"a written list holds {_LIST_LIMIT} characters, not {len(formula) - 2}: put it in cells"
        )
    limits = (
        (plan.error, _ERROR_LIMIT),
        (plan.prompt, _PROMPT_LIMIT),
        (plan.error_title, _TITLE_LIMIT),
        (plan.prompt_title, _TITLE_LIMIT),
    )
    for text, limit in limits:
        if len(text) > limit:
            raise ValueError(f"a list's message holds {limit} characters, not {len(text)}: {text!r}")
    return DataValidation(
        type="list",
        formula1=formula,
        sqref=" ".join(area_address(area) for area in plan.areas),
        allow_blank=True,
        errorStyle="stop" if plan.strict else "information",
        showErrorMessage=plan.strict,
        showInputMessage=bool(plan.prompt),
        errorTitle=plan.error_title or None,
        error=plan.error or None,
        promptTitle=plan.prompt_title or None,
        prompt=plan.prompt or None,
    )


def _rule(plan: ConditionPlan) -> Any:
    from openpyxl.formatting.rule import Rule
    from openpyxl.styles import Font, PatternFill
    from openpyxl.styles.differential import DifferentialStyle

    font = (
        Font(bold=plan.bold or None, color="FF" + plan.colour if plan.colour else None)
        if plan.bold or plan.colour
        else None
    )
    fill = PatternFill("solid", bgColor="FF" + plan.fill) if plan.fill else None
    return Rule(
        type="expression",
        dxf=DifferentialStyle(font=font, fill=fill),
        formula=[plan.formula.removeprefix("=")],
    )


def _lay_out(worksheet: Any, plan: SheetPlan) -> None:
    for number, column in plan.columns.items():
        dimension = worksheet.column_dimensions[column_letters(number)]
        dimension.width = column.width
        dimension.hidden = column.hidden
    for row, height in plan.row_heights.items():
        worksheet.row_dimensions[row].height = height
    for row in plan.hidden_rows:
        worksheet.row_dimensions[row].hidden = True
    if plan.freeze:
        worksheet.freeze_panes = address(*plan.freeze)
    worksheet.sheet_state = "visible" if plan.visible else "hidden"
    worksheet.sheet_view.zoomScale = plan.zoom
    worksheet.sheet_view.showGridLines = plan.show_grid
    if plan.tab_colour:
        worksheet.sheet_properties.tabColor = "FF" + plan.tab_colour


def _set_page(worksheet: Any, plan: SheetPlan) -> None:
    from openpyxl.worksheet.page import PageMargins
    from openpyxl.worksheet.properties import PageSetupProperties

    worksheet.page_margins = PageMargins(left=0.4, right=0.4, top=0.5, bottom=0.5, header=0.25, footer=0.25)
    if plan.paper:
        worksheet.page_setup.paperSize = {"A4": 9, "A3": 8}[plan.paper]
    worksheet.page_setup.orientation = "landscape" if plan.landscape else "portrait"
    worksheet.page_setup.fitToWidth = 1
    worksheet.page_setup.fitToHeight = 0
    worksheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    if plan.repeated_rows:
        worksheet.print_title_rows = "{}:{}".format(*plan.repeated_rows)
    if plan.print_area:
        worksheet.print_area = area_address(plan.print_area)


def _protect(worksheet: Any) -> None:
    """Lock the locked cells, without a password: widths, heights and filters stay free, as does copying."""
    protection = worksheet.protection
    protection.sheet = True
    protection.formatColumns = protection.formatRows = protection.autoFilter = protection.sort = (
        False  # False allows
    )
