"""The geometry of the charts: from shares and counts to coordinates, so that a template only writes them down.

Coordinates are text with two decimals in the units of the drawing's own box. Every drawing carries a sentence with the
same figures, for those who do not see it. Colours are one ink and one blue; shade is never the only sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lark_sheets.core.intervals import Interval

INK = "#14202b"
BLUE = "#0b4f8a"
RAMP = ("#f3f7fa", "#dbe8f3", "#b5d0e6", "#83b0d5", "#3a76ab", "#1f5688", "#14202b")
"""Shades from nothing lost to all lost."""
PALE_FROM = 4
"""From this shade on, a number on it is written in white."""


def xy(value: float) -> str:
    """Return a coordinate as text: two decimals, no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Tick(NamedTuple):
    """A place on an axis and what is written there."""

    x: str
    text: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """An axis that stands once, over the drawings of its column."""

    width: str
    height: str
    ticks: tuple[Tick, ...]
    alt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalMark:
    """A share as a dot with its interval as a line, on faint ticks; ``low`` is empty where there is no interval."""

    width: str
    height: str
    middle: str
    dot: str
    low: str
    high: str
    ticks: tuple[str, ...]
    filled: bool
    alt: str


def _place(share: float, width: float, start: float, pad: float) -> float:
    return pad + (max(start, min(1.0, share)) - start) / (1 - start) * (width - 2 * pad)


def interval_mark(
    share: float | None,
    interval: Interval | None,
    *,
    alt: str,
    width: float = 120,
    height: float = 14,
    start: float = 0.0,
    steps: int = 4,
    filled: bool = True,
    pad: float = 4,
) -> IntervalMark:
    """Return the drawing of a share (0 to 1) and its interval on an axis from ``start`` to 1; a share of None draws the ticks only."""

    def at(value: float) -> str:
        return xy(_place(value, width, start, pad))

    return IntervalMark(
        width=xy(width),
        height=xy(height),
        middle=xy(height / 2),
        dot="" if share is None else at(share),
        low=at(interval.low) if interval else "",
        high=at(interval.high) if interval else "",
        ticks=tuple(at(start + (1 - start) * step / steps) for step in range(steps + 1)),
        filled=filled,
        alt=alt,
    )


def scale(texts: Sequence[str], *, width: float = 120, height: float = 9, pad: float = 4) -> Scale:
    """Return the axis whose ``texts`` stand at equal distances, the first and last inside the box."""
    last = len(texts) - 1
    ticks = tuple(
        Tick(
            xy(0 if n == 0 else width if n == last else pad + (width - 2 * pad) * n / last),
            text,
            "start" if n == 0 else "end" if n == last else "middle",
        )
        for n, text in enumerate(texts)
    )
    return Scale(width=xy(width), height=xy(height), ticks=ticks, alt=" · ".join(texts))


class Segment(NamedTuple):
    """A piece of a stacked bar, with its count where there is room for it."""

    x: str
    width: str
    fill: str
    text: str
    text_x: str
    ink: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A stacked bar of counts."""

    width: str
    height: str
    middle: str
    segments: tuple[Segment, ...]
    alt: str


def stacked_bar(
    counts: Sequence[int], *, alt: str, width: float = 60, height: float = 10, room: float = 8
) -> Bar:
    """Return a bar of counts, the worst first and darkest, the last (best) lightest; a count is written where it fits."""
    whole = sum(counts)
    segments: list[Segment] = []
    x = 0.0
    for place, count in enumerate(counts):
        if not count:
            continue
        wide = width * count / whole
        fill, ink = _shade(place, len(counts))
        # The lightest piece is the usual case: its count is what remains and would only be noise.
        shown = str(count) if wide >= room and place < len(counts) - 1 else ""
        segments.append(Segment(xy(x), xy(wide), fill, shown, xy(x + wide / 2), ink))
        x += wide
    return Bar(width=xy(width), height=xy(height), middle=xy(height / 2), segments=tuple(segments), alt=alt)


def _shade(place: int, of: int) -> tuple[str, str]:
    """Return the fill and the ink of a piece: the first of ``of`` is the darkest, the last the lightest."""
    tone = 0 if of < 2 else round((1 - place / (of - 1)) * (len(RAMP) - 1))
    return RAMP[tone], "#ffffff" if tone >= PALE_FROM else INK


class HeatCell(NamedTuple):
    """A square of a heat map: its place, shade, number and whether it is underlined."""

    x: str
    y: str
    fill: str
    text: str
    ink: str
    text_x: str
    text_y: str
    underline: str


class Label(NamedTuple):
    """A word at a place."""

    x: str
    y: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """A grid of totals, tickets across and runs down, with the sentence that carries its figures."""

    width: str
    height: str
    side: str
    across: tuple[Label, ...]
    down: tuple[Label, ...]
    cells: tuple[HeatCell, ...]
    alt: str


class Value(NamedTuple):
    """What a heat map shows of one response: points or None (not graded), and whether it is ready."""

    points: int | None
    ready: bool | None


def heat_map(
    columns: Sequence[str],
    rows: Sequence[tuple[str, Sequence[Value | None]]],
    *,
    maximum: int,
    alt: str,
    width: float = 500,
    label: float = 120,
) -> HeatMap:
    """Return the heat map of totals out of ``maximum``.

    Three signs say the same: the shade deepens with the points lost, the number is written below the maximum, and a
    line under it says "not ready". A value of None leaves the place empty; a response without a grade shows a dash.
    """
    step = min(24.0, (width - label) / max(len(columns), 1))
    high, top = 17.0, 14.0
    side = step - 1.2
    cells = []
    for line, (_, values) in enumerate(rows):
        y = top + line * high
        for place, value in enumerate(values):
            if value is None:
                continue
            x = label + place * step
            tone = _tone(value.points, maximum)
            shown = "–" if value.points is None else "" if value.points == maximum else str(value.points)
            cells.append(
                HeatCell(
                    xy(x),
                    xy(y),
                    "#ffffff" if value.points is None else RAMP[tone],
                    shown,
                    "#ffffff" if tone >= PALE_FROM else INK,
                    xy(x + side / 2),
                    xy(y + 10.4),
                    xy(y + 12.9) if value.ready is False else "",
                )
            )
    return HeatMap(
        width=xy(width),
        height=xy(top + high * len(rows)),
        side=xy(side),
        across=tuple(Label(xy(label + n * step + side / 2), xy(10), name) for n, name in enumerate(columns)),
        down=tuple(Label("0", xy(top + n * high + 10.8), name) for n, (name, _) in enumerate(rows)),
        cells=tuple(cells),
        alt=alt,
    )


def _tone(points: int | None, maximum: int) -> int:
    if points is None or not maximum:
        return 0
    lost = (maximum - points) / maximum
    return 0 if lost == 0 else max(1, round(lost * (len(RAMP) - 1)))
