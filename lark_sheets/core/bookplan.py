"""A workbook to be written, described as plain values; an adapter turns the plan into a file.

The plan knows cells, styles, tables, lists and protection, and nothing of any spreadsheet library. A formula carries its
computed value, so that readers that do not compute see the same figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lark_sheets.core.cells import Area

Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a cell looks; colours are RRGGBB. ``locked`` cells cannot be typed into on a protected sheet."""

    bold: bool = False
    italic: bool = False
    size: float = 10
    colour: str = "14202B"
    fill: str = ""
    horizontal: Literal["general", "left", "center", "right"] = "general"
    vertical: Literal["top", "center", "bottom"] = "top"
    wrap: bool = False
    border: Literal["", "thin", "bottom", "top"] = ""
    number_format: str = "General"
    locked: bool = True
    underline: bool = False
    indent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CellPlan:
    """One cell: a value, or a formula (starting with "=") with the value it computes to; ``link`` jumps to a place ("#'Grading'!H8").

    Text is always written as text, even when it starts with = + - or @.
    """

    value: Scalar = None
    formula: str = ""
    style: Style = Style()
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnPlan:
    """A column's width in characters."""

    width: float
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """A named table over cells that are written anyway; its first row holds the headers."""

    name: str
    area: Area
    banded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPlan:
    """A drop-down list on cells: ``source`` is a formula ("=Rubric!$B$5:$B$20") or ``values`` are written out.

    ``strict`` refuses anything else with the error text; otherwise other text may be typed.
    """

    areas: Sequence[Area]
    source: str = ""
    values: Sequence[str] = ()
    strict: bool = True
    error_title: str = ""
    error: str = ""
    prompt_title: str = ""
    prompt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionPlan:
    """A format that applies where a formula (relative to the area's first cell) is true."""

    area: Area
    formula: str
    fill: str = ""
    colour: str = ""
    bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPlan:
    """A native chart: series and categories are ranges of its own book; ``alt`` carries the figures in words."""

    kind: Literal["bar", "column"]
    title: str
    anchor: str
    categories: str
    series: Sequence[tuple[str, str]]
    alt: str
    stacked: bool = False
    width_cm: float = 16
    height_cm: float = 8


@dataclass(slots=True, kw_only=True)
class SheetPlan:
    """One sheet. ``cells`` maps (row, column), 1-based, to what stands there."""

    name: str
    cells: dict[tuple[int, int], CellPlan] = field(default_factory=dict)
    columns: dict[int, ColumnPlan] = field(default_factory=dict)
    row_heights: dict[int, float] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    tables: list[TablePlan] = field(default_factory=list)
    merged: list[Area] = field(default_factory=list)
    lists: list[ListPlan] = field(default_factory=list)
    conditions: list[ConditionPlan] = field(default_factory=list)
    charts: list[ChartPlan] = field(default_factory=list)
    freeze: tuple[int, int] | None = None
    protected: bool = False
    visible: bool = True
    tab_colour: str = ""
    landscape: bool = True
    paper: Literal["", "A3", "A4"] = ""
    repeated_rows: tuple[int, int] | None = None
    print_area: Area | None = None
    zoom: int = 100
    show_grid: bool = False

    def put(
        self,
        row: int,
        column: int,
        value: Scalar = None,
        style: Style = Style(),
        *,
        formula: str = "",
        link: str = "",
    ) -> None:
        """Put one cell."""
        self.cells[row, column] = CellPlan(value=value, formula=formula, style=style, link=link)


@dataclass(slots=True, kw_only=True)
class BookPlan:
    """A whole workbook; ``properties`` become custom document properties, ``names`` defined names (name -> reference)."""

    sheets: list[SheetPlan]
    title: str = ""
    language: str = "en"
    properties: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchedCell:
    """A cell to change in an existing file: a value, or a formula with its computed value; the style stays (new cells take ``style_of``)."""

    value: Scalar = None
    formula: str = ""
    style_of: tuple[int, int] | None = None


@dataclass(slots=True, kw_only=True)
class BookPatch:
    """Changes to an existing workbook file, and nothing else: cells by sheet name, rows that tables grow by.

    ``grown`` maps a table's name to its new area; new rows lie directly under the table.
    """

    cells: dict[str, dict[tuple[int, int], PatchedCell]] = field(default_factory=dict)
    grown: dict[str, Area] = field(default_factory=dict)

    def set(
        self,
        sheet: str,
        row: int,
        column: int,
        value: Scalar = None,
        *,
        formula: str = "",
        style_of: tuple[int, int] | None = None,
    ) -> None:
        """Set one cell."""
        self.cells.setdefault(sheet, {})[row, column] = PatchedCell(
            value=value, formula=formula, style_of=style_of
        )

    @property
    def is_empty(self) -> bool:
        """Say whether there is nothing to change."""
        return not any(self.cells.values()) and not self.grown
