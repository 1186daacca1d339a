"""Totals, readiness, zeros, scores: the rules a checker will try."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.intervals import mean_interval
from lark_sheets.core.language import half_up
from lark_sheets.core.results import Coverage
from lark_sheets.core.scoring import is_ready, needs_correction, summarise, total
from tests.factories import BASE, campaign, grades, shipped

LARKFIELD = shipped()
levels = st.sampled_from([0, 1, 2, None])


def test_of_all_81_combinations_exactly_eight_are_ready() -> None:
    ready = [g for g in product((0, 1, 2), repeat=4) if is_ready(LARKFIELD, grades(*g))]
    assert len(ready) == 8
    assert all(g[0] == 2 and 0 not in g for g in ready)


@pytest.mark.parametrize(
    ("given_grades", "points", "ready"),
    [
        pytest.param((1, 2, 2, 2), 7, False, id="a small error blocks, whatever the total"),
        pytest.param((2, 2, 1, 1), 6, True, id="six points can be ready"),
        pytest.param((2, 0, 2, 1), 5, False, id="true and useless"),
        pytest.param((0, 2, 2, 2), 6, False, id="one invented rule"),
        pytest.param((2, 2, 2, 2), 8, True, id="the top"),
        pytest.param((2, None, 2, 2), None, None, id="a blank leaves no total and no decision"),
        pytest.param((0, None, 2, 2), None, None, id="not even an unfavourable one"),
    ],
)
def test_total_and_readiness(
    given_grades: tuple[int | None, ...], points: int | None, ready: bool | None
) -> None:
    assert total(LARKFIELD, grades(*given_grades)) == points
    assert is_ready(LARKFIELD, grades(*given_grades)) is ready


def test_ready_below_the_top_is_ready_after_a_correction_and_no_third_outcome() -> None:
    assert needs_correction(LARKFIELD, grades(2, 2, 1, 1))
    assert not needs_correction(LARKFIELD, grades(2, 2, 2, 2))
    assert not needs_correction(LARKFIELD, grades(1, 2, 2, 2))
    assert set(LARKFIELD.outcomes) == {"ready", "not_ready"}


def test_the_base_table() -> None:
    """Sum 49 of 64 = 245/32 on ten, shown 7.66; 4 ready; zeros 1, 2, 1, 0."""
    overall = summarise(campaign()).overall
    assert (overall.points, overall.points_max, overall.score) == (49, 64, Fraction(245, 32))
    assert half_up(Fraction(245, 32), 2) == "7.66"
    assert overall.ready == 4
    assert overall.zeros == {"accuracy": 1, "completeness": 2, "format": 1, "abstention": 0}


def test_a_blank_is_not_zero_but_zeros_that_were_written_count() -> None:
    """Four blanks: four complete rows, 24 of 32 points; the zero of an incomplete row is still a zero."""
    table = dict(BASE)
    table["K01-A"] = (2, 2, None, 2)
    table["K01-D"] = (None, 0, 1, 1)
    table["K02-B"] = (2, 2, 1, None)
    table["K02-C"] = (2, None, 2, 2)
    results = summarise(campaign(table))
    assert results.coverage == Coverage(expected=8, graded=4, incomplete=4, stale=0)
    assert (results.overall.points, results.overall.points_max) == (24, 32)
    assert results.overall.zeros == {"accuracy": 0, "completeness": 2, "format": 1, "abstention": 0}
    assert results.overall.ready == 1


def test_nothing_graded_gives_no_score_and_no_interval() -> None:
    blank = dict.fromkeys(BASE, (None,) * 4)
    overall = summarise(campaign(blank)).overall
    assert (overall.score, overall.ready, overall.ready_interval) == (None, 0, None)


def test_people_are_never_averaged_the_owner_counts() -> None:
    """A second reader's zeros change the agreement and nothing else."""
    alone = summarise(campaign()).overall
    both = summarise(campaign(more={"g2": {"K01-A": (0, 0, 0, 0)}}))
    assert both.overall == alone
    assert both.agreement.shared == 1
    assert both.agreement.criteria["accuracy"].equal == 0


def test_grades_agreed_after_a_discussion_replace_the_owners() -> None:
    results = summarise(campaign(agreed={"k01-c": {"accuracy": 2}}))
    assert results.overall.ready == 5


def test_before_the_reveal_no_run_has_a_name_even_with_the_key() -> None:
    run_of = {name.casefold(): f"run {name[-1]}" for name in BASE}
    hidden = summarise(campaign(), run_of=run_of, runs=["run A"])
    assert hidden.runs == ()
    assert all(reading.run is None for reading in hidden.readings)
    shown = summarise(campaign(revealed=True), run_of=run_of, runs=["run A", "run B", "run C", "run D"])
    assert [run.points for run in shown.runs] == [13, 13, 15, 8]


def test_lost_rows_lower_coverage() -> None:
    assert summarise(campaign(lost=2)).coverage == Coverage(expected=10, graded=8, incomplete=2, stale=0)


@given(st.lists(st.tuples(levels, levels, levels, levels), min_size=1, max_size=12))
def test_coverage_adds_up_and_points_never_exceed_what_could_be_reached(
    rows: list[tuple[int | None, ...]],
) -> None:
    table = {f"K{n:02}-A": row for n, row in enumerate(rows)}
    results = summarise(campaign(table))
    cover, overall = results.coverage, results.overall
    assert cover.graded + cover.incomplete + cover.stale == cover.expected == len(rows)
    assert overall.points == sum(sum(row) for row in rows if None not in row)  # type: ignore[arg-type]
    assert overall.zeros["accuracy"] == sum(row[0] == 0 for row in rows)
    assert overall.points is not None
    assert overall.points_max is not None
    assert overall.points <= overall.points_max == 8 * cover.graded


@given(st.permutations(list(BASE)))
def test_the_order_of_rows_changes_nothing(order: list[str]) -> None:
    assert summarise(campaign({name: BASE[name] for name in order})).overall == summarise(campaign()).overall


def test_the_score_has_an_interval_over_the_tickets():
    """Four responses to each of two tickets are two tickets, not eight; with one ticket there is none."""
    sums = [
        sum(sum(levels) for name, levels in BASE.items() if name.startswith(item)) for item in ("K01", "K02")
    ]
    bounds = mean_interval(sums, [4, 4], 8)
    found = summarise(campaign()).overall
    assert found.score_interval == pytest.approx((bounds.low * 10 / 8, bounds.high * 10 / 8))
    assert found.score_interval.low < found.score < found.score_interval.high
    one = {name: levels for name, levels in BASE.items() if name.startswith("K01")}
    assert summarise(campaign(one)).overall.score_interval is None
