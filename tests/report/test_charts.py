"""Drawings are geometry: a share's dot stands at that share, a bar's pieces are as wide as their counts."""

from hypothesis import given, strategies as st

from lark_sheets.core.intervals import Interval, wilson
from lark_sheets.report.charts import INK, PALE_FROM, RAMP, Value, heat_map, interval_mark, scale, stacked_bar


@given(st.integers(0, 40), st.integers(1, 40))
def test_the_dot_stands_at_the_share_and_the_line_spans_the_interval(k, n):
    k = min(k, n)
    interval = wilson(k, n)
    mark = interval_mark(k / n, interval, alt="", width=100, pad=0)
    assert abs(float(mark.dot) - 100 * k / n) < 0.01
    assert abs(float(mark.low) - 100 * interval.low) < 0.01
    assert abs(float(mark.high) - 100 * interval.high) < 0.01
    assert float(mark.low) <= float(mark.dot) <= float(mark.high)


def test_an_axis_may_start_at_one_half_and_what_lies_below_stands_at_its_edge():
    mark = interval_mark(0.75, Interval(0.4, 0.9), alt="", width=100, pad=0, start=0.5)
    assert (mark.low, mark.dot, mark.high) == ("0", "50", "80")
    assert mark.ticks == ("0", "25", "50", "75", "100")


def test_without_a_share_there_is_neither_dot_nor_line():
    mark = interval_mark(None, None, alt="nothing graded")
    assert (mark.dot, mark.low, mark.high) == ("", "", "")


def test_the_texts_of_an_axis_end_inside_the_drawing():
    ticks = scale(("0", "12", "24"), width=330).ticks
    assert [(t.x, t.anchor) for t in ticks] == [("0", "start"), ("165", "middle"), ("330", "end")]


@given(st.lists(st.integers(0, 30), min_size=2, max_size=6).filter(any))
def test_the_pieces_of_a_bar_are_as_wide_as_their_counts_and_fill_it(counts):
    bar = stacked_bar(counts, alt="", width=60)
    widths = [float(piece.width) for piece in bar.segments]
    assert len(widths) == sum(count > 0 for count in counts)
    assert abs(sum(widths) - 60) < 0.05
    for width, count in zip(widths, (c for c in counts if c), strict=True):
        assert abs(width - 60 * count / sum(counts)) < 0.01


def test_a_bar_writes_a_count_only_where_it_fits_and_never_on_the_usual_case():
    bar = stacked_bar([1, 11, 12], alt="", width=48, room=9)
    assert [piece.text for piece in bar.segments] == ["", "11", ""]


def test_the_heat_map_says_a_loss_three_times_by_shade_number_and_line():
    chart = heat_map(
        ["S01", "S02", "S03", "S04"],
        [("run", [Value(8, True), Value(7, True), Value(3, False), Value(None, None)])],
        maximum=8,
        alt="",
    )
    full, corrected, failed, blank = chart.cells
    assert (full.text, full.fill, full.underline) == ("", RAMP[0], "")
    assert (corrected.text, corrected.underline) == ("7", "")
    assert failed.text == "3"
    assert failed.underline
    assert (blank.text, blank.fill) == ("–", "#ffffff")
    assert RAMP.index(failed.fill) > RAMP.index(corrected.fill) > 0


def test_a_place_without_a_response_stays_empty():
    assert heat_map(["S01", "S02"], [("run", [None, Value(8, True)])], maximum=8, alt="").cells[0].text == ""


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2.2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_number_can_be_read_on_every_shade_in_colour_and_in_grey():
    """Contrast of at least 4.5 : 1 (WCAG AA), and every shade darker than the one before, so that grey print keeps the order."""
    shades = [luminance(colour) for colour in RAMP]
    assert shades == sorted(shades, reverse=True)
    for tone, shade in enumerate(shades):
        ink = luminance("#ffffff" if tone >= PALE_FROM else INK)
        assert (max(ink, shade) + 0.05) / (min(ink, shade) + 0.05) >= 4.5, RAMP[tone]
