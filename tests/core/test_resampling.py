"""Redrawn tickets: the same tickets, the same interval, and undefined draws counted."""

import warnings
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from lark_sheets.core.agreement import State, agreement, by_ticket
from lark_sheets.core.intervals import Interval, wilson
from lark_sheets.core.resampling import Resampled, resample, resample_mean

SCALE = (0, 1, 2)


@pytest.fixture(autouse=True)
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def sample(tickets: int, answers: int, seed: int = 1) -> tuple[dict, dict]:
    """Two readers of several answers to each ticket, slipping now and then."""
    random = Random(seed)
    readings, of = {}, {}
    for ticket in range(tickets):
        for answer in range(answers):
            level = random.choice([0, 1, 2, 2, 2])
            other = level if random.random() < 0.85 else random.choice(SCALE)
            readings[ticket, answer] = {"a": level, "b": other}
            of[ticket, answer] = ticket
    return readings, of


def test_points_stay_what_they_are_and_lie_inside():
    """The coefficients are those of `agreement`; each defined one has an interval around it."""
    readings, of = sample(24, 4)
    found = by_ticket(readings, of, SCALE, ordinal=True)
    assert found.agreement == agreement(readings, SCALE, ordinal=True)
    assert found.tickets == 24
    assert len(found.resampled) == 9
    for name, drawn in found.resampled.items():
        assert drawn.interval.low <= getattr(found.agreement, name).value <= drawn.interval.high, name
        assert (drawn.draws, drawn.undefined, drawn.tickets) == (2000, 0, 24)


def test_same_input_same_interval():
    """Order of rows, names of tickets: nothing of it shows. Another seed moves the ends a little."""
    readings, of = sample(20, 3)
    found = by_ticket(readings, of, SCALE, ordinal=True)
    mixed = list(readings)
    Random(3).shuffle(mixed)
    renamed = {response: f"T{ticket:03}" for response, ticket in of.items()}
    again = by_ticket({r: readings[r] for r in mixed}, renamed, SCALE, ordinal=True)
    assert again == found
    other = by_ticket(readings, of, SCALE, ordinal=True, seed=1).resampled["kappa"].interval
    assert other != found.resampled["kappa"].interval
    assert other == pytest.approx(found.resampled["kappa"].interval, abs=0.03)


def test_undefined_draws_are_counted_not_hidden():
    """One differing answer in 12 tickets: many draws miss it and have no kappa. They are told; the interval uses the rest."""
    readings = {n: {"a": 2, "b": 2} for n in range(11)} | {11: {"a": 0, "b": 0}}
    found = by_ticket(readings, {n: n for n in readings}, SCALE, ordinal=True)
    drawn = found.resampled["kappa"]
    # P(a draw of 12 misses one ticket) = (11/12)^12 = 0.352
    assert drawn.undefined == pytest.approx(0.352 * 2000, abs=100)
    assert drawn.interval == (1.0, 1.0)
    rows = [[float(n == 0), 1.0] for n in range(40)]
    rare = resample(rows, lambda sums: {"rare": sums[1] / sums[0] * (sums[0] > 1) / (sums[0] > 1)})["rare"]
    assert rare.interval is None  # more than half of the draws have no number
    assert rare.undefined > 1000


def test_what_is_undefined_is_not_drawn():
    """One value only, one ticket, nothing shared: no interval from draws, no warning."""
    same = {n: {"a": 2, "b": 2} for n in range(10)}
    found = by_ticket(same, {n: n for n in same}, SCALE, ordinal=True)
    assert found.resampled == {}
    assert found.agreement.kappa.state is State.ONE_VALUE_ONLY
    assert found.interval == wilson(10, 10)
    assert found.kappa_interval is None
    lone = by_ticket({1: {"a": 2, "b": 1}, 2: {"a": 1, "b": 1}}, {1: "T", 2: "T"}, SCALE, ordinal=True)
    assert lone.resampled["ac1"] == Resampled(None, 0, 0, 1)
    none = by_ticket({1: {"a": 2}}, {1: "T"}, SCALE, ordinal=True)
    assert (none.interval, none.design_effect, none.tickets, none.resampled) == (None, None, 0, {})
    assert by_ticket({}, {}, SCALE, ordinal=True).resampled == {}


def test_tickets_widen_the_interval():
    """When readers differ on all answers to some tickets, 24 x 4 answers are worth far fewer than 96."""
    readings, of = {}, {}
    for ticket in range(24):
        for answer in range(4):
            level = (ticket + answer) % 3
            readings[ticket, answer] = {"a": level, "b": (level + (ticket % 6 == 0)) % 3}
            of[ticket, answer] = ticket
    found = by_ticket(readings, of, SCALE, ordinal=True)
    assert found.design_effect > 3
    assert found.interval.width > 1.5 * found.agreement.interval.width
    assert found.kappa_interval.width > 1.5 * found.agreement.kappa_interval.width


def test_three_readers_with_gaps():
    """Fleiss, AC and alpha have intervals for any readers; kappa has none."""
    random = Random(2)
    readings = {
        n: {reader: random.choice(SCALE) for reader in "abc" if random.random() < 0.8} for n in range(60)
    }
    found = by_ticket(readings, {n: n // 3 for n in readings}, SCALE, ordinal=True)
    assert set(found.resampled) == {
        "ac1",
        "ac2_quadratic",
        "fleiss",
        "alpha_nominal",
        "alpha_ordinal",
        "alpha_interval",
    }
    only = by_ticket(readings, {n: n // 3 for n in readings}, SCALE, ordinal=True, shared_only=True)
    assert only.agreement == agreement(readings, SCALE, ordinal=True, shared_only=True)


@settings(max_examples=30)
@given(st.lists(st.integers(0, 8), min_size=2, max_size=30))
def test_means_of_tickets(totals):
    found = resample_mean(totals, [1] * len(totals))
    assert min(totals) <= found.interval.low <= found.interval.high <= max(totals)
    shifted = resample_mean([total + 3 for total in totals], [1] * len(totals))
    assert shifted.interval == pytest.approx([end + 3 for end in found.interval])


def test_means_of_nothing():
    assert resample_mean([], []).interval is None
    assert resample_mean([3], [1]).interval is None


def test_a_mean_is_near_the_usual_interval():
    """With 100 tickets the ends are those of mean plus or minus t standard errors, within the noise of the draws."""
    totals = [Random(4).randint(0, 8) for _ in range(1)] + [Random(n).randint(0, 8) for n in range(99)]
    mean = sum(totals) / 100
    error = (sum((total - mean) ** 2 for total in totals) / 99 / 100) ** 0.5
    found = resample_mean(totals, [1] * 100, draws=20_000).interval
    assert found == pytest.approx(Interval(mean - 1.984 * error, mean + 1.984 * error), abs=0.06)


def test_many_rows_are_drawn_in_parts():
    """More distinct tickets than fit at once: the same kind of answer, in several draws."""
    random = Random(9)
    sums = [random.random() for _ in range(5000)]
    found = resample_mean(sums, [1] * 5000, draws=1000)
    assert found.draws == 1000
    assert found.interval.low < sum(sums) / 5000 < found.interval.high
