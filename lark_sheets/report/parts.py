"""What pages are made of: tables, cells, facts, notes and sections, as plain values that a template only lays out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lark_sheets.report.charts import Bar, HeatMap, IntervalMark, Scale

CellKind = Literal["text", "name", "number", "zero", "strong", "mark", "muted", "code"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell: a text, with a smaller second line, or a drawing. ``kind`` says how it looks, never what it means."""

    text: str = ""
    kind: CellKind = "text"
    second: str = ""
    mark: IntervalMark | None = None
    bar: Bar | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column's heading, how its cells align, and its width in CSS; ``scale`` is drawn under the heading."""

    text: str
    kind: CellKind = "text"
    width: str = ""
    scale: Scale | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of cells, the first of which names it; ``starts`` a group of rows that belong together."""

    cells: tuple[Cell, ...]
    starts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A heading over several columns, from one place (1-based) on."""

    text: str
    columns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with its caption; ``spans`` is a first line of headings over several columns (empty texts are blank)."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    spans: tuple[Span, ...] = ()
    note: str = ""
    look: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A figure in large type and what it means."""

    figure: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A name and its value, as in a list of facts; ``media`` limits it to where it is true ("pdf", "browser", "screen")."""

    name: str
    value: str
    code: bool = False
    media: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What one reader gave and why."""

    reader: str
    grade: str
    reason: str
    anchor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One response that is shown for a reason: its title, a tag, sentences, opinions, and its own text, verbatim."""

    title: str
    tag: str = ""
    grades: str = ""
    sentences: tuple[str, ...] = ()
    opinions: tuple[Opinion, ...] = ()
    text: str = ""
    code: bool = False
    shortened: str = ""
    note: str = ""
    language: str = ""
    look: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A part of a section under its own heading; ``kind`` names the partial template that lays ``content`` out."""

    kind: Literal["table", "facts", "pairs", "cards", "heat", "notes", "list"]
    heading: str = ""
    table: Table | None = None
    heat: HeatMap | None = None
    facts: tuple[Fact, ...] = ()
    pairs: tuple[Pair, ...] = ()
    cards: tuple[Card, ...] = ()
    lines: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A chapter: its name in the running header, its finding as a sentence, its blocks. ``warning`` stands above all."""

    id: str
    title: str
    take: str = ""
    blocks: tuple[Block, ...] = ()
    warning: str = ""
    new_page: bool = True


def text(value: str, kind: CellKind = "text") -> Cell:
    """Return a cell of text."""
    return Cell(text=value, kind=kind)


def number(value: str, *, zero: bool = False, strong: bool = False) -> Cell:
    """Return a cell of a number; a zero recedes, a strong one stands out."""
    return Cell(text=value, kind="zero" if zero else "strong" if strong else "number")


def table_block(table: Table, heading: str = "") -> Block:
    """Return a block that holds one table."""
    return Block(kind="table", table=table, heading=heading)
