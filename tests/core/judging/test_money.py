"""Money is exact, reserved at the worst, and unknown where a price is unknown."""

import datetime as dt
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.judging.exchange import ModelRequest, Usage
from lark_sheets.core.judging.money import (
    BILLION,
    Price,
    Spend,
    cost,
    estimate,
    guessed_tokens,
    in_force,
    worst_case,
)
from lark_sheets.core.judging.reasons import Mode

DAY = dt.date(2026, 11, 29)


def price(**changes):
    base = {
        "provider": "anthropic",
        "model": "m",
        "mode": Mode.LIVE,
        "input": Fraction(2),
        "output": Fraction(10),
        "cache_read": Fraction(1, 5),
        "cache_write": Fraction(5, 2),
        "as_of": "2026-01-01",
    }
    return Price(**base | changes)


def test_each_kind_of_token_has_its_rate():
    """100 x 2 + 1000 x 0.2 + 200 x 2.5 + 50 x 10 = 1,400 per million = 0.0014."""
    usage = Usage(input=100, cache_read=1000, cache_write=200, output=50, thinking=20)
    assert cost(usage, price()) == 1_400_000  # billionths
    assert usage.prompt == 1300


@pytest.mark.parametrize(
    ("usage", "table"),
    [
        (Usage(input=1, output=1), None),
        (Usage(input=1, output=1, cache_read=5), price(cache_read=None)),
        (Usage(input=1, output=1, cache_write_hour=5), price()),
    ],
)
def test_an_unknown_rate_gives_an_unknown_cost(usage, table):
    """Never zero: a sum would silently be too low."""
    assert cost(usage, table) is None


def test_a_rate_that_is_not_needed_may_be_unknown():
    assert cost(Usage(input=1, output=0), price(cache_read=None, cache_write=None)) == 2000


def lookup(*prices, prompt=0, day=DAY, **changes):
    return in_force(
        prices, **{"provider": "anthropic", "model": "m", "mode": Mode.LIVE} | changes, day=day, prompt=prompt
    )


def test_only_the_exact_model_provider_and_mode_have_the_price():
    """ "m" is not "m-2": guessing by prefix has billed the wrong model elsewhere."""
    assert lookup(price()) == price()
    for changes in ({"model": "m-2"}, {"model": "M"}, {"provider": "vertex"}, {"mode": Mode.BATCH}):
        assert lookup(price(), **changes) is None


def test_the_row_in_force_on_the_day_counts():
    old, new, later = (
        price(),
        price(as_of="2026-06-01", input=Fraction(3)),
        price(as_of="2027-01-01", input=Fraction(4)),
    )
    assert lookup(old, new, later).input == 3
    assert lookup(old, new, later, day=dt.date(2026, 3, 1)).input == 2
    assert lookup(later) is None


@pytest.mark.parametrize(("prompt", "rate"), [(0, 2), (100_000, 2), (100_001, 9)])
def test_long_prompts_may_have_another_row(prompt, rate):
    assert lookup(price(), price(above=100_000, input=Fraction(9)), prompt=prompt).input == rate


def test_the_worst_case_is_never_below_the_bill():
    """2,000 prompt tokens, all written to the cache, and a reply of full length."""
    worst = worst_case(2000, 500, price())
    assert worst == cost(Usage(input=0, cache_write=2000, output=500), price())
    assert worst_case(2000, 500, None) is None


@given(
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.integers(0, 10**4),
    st.integers(0, 10**4),
)
def test_property_what_was_reserved_covers_any_bill_of_that_size(fresh, read, written, out, spare):
    usage = Usage(input=fresh, cache_read=read, cache_write=written, output=out)
    assert worst_case(usage.prompt, out + spare, price()) >= cost(usage, price())


@pytest.mark.parametrize(
    ("reserve", "budget", "allowed"),
    [(100, None, True), (100, 350, True), (101, 350, False), (0, 250, True), (0, 249, False)],
)
def test_a_budget_counts_what_was_spent_and_what_is_open(reserve, budget, allowed):
    assert Spend(settled=200, held=50).allows(reserve, budget) is allowed


def test_an_estimate_gives_a_range():
    """10 calls of 1,000 prompt tokens, 900 of them fixed, replies of 200 at most.

    high: 10,000 x 2.5 + 2,000 x 10 = 45,000 per million; low: 8,100 re-read at 0.2, 1,900 at 2, replies: 25,420.
    """
    got = estimate(
        10,
        prompt_tokens=[900, 1100],
        system_tokens=900,
        output=200,
        max_tokens=4096,
        price=price(),
        counted=True,
    )
    assert (got.prompt_tokens, got.output_tokens, got.at_most, got.counted) == (10_000, 2_000, False, True)
    assert got.high == Fraction(45_000, 10**6) * BILLION
    assert got.low == Fraction(25_420, 10**6) * BILLION


def test_without_experience_replies_are_taken_at_full_length():
    got = estimate(
        3, prompt_tokens=[10], system_tokens=5, output=None, max_tokens=4096, price=price(), counted=False
    )
    assert (got.output_tokens, got.at_most) == (3 * 4096, True)


def test_an_unknown_price_still_tells_the_tokens():
    got = estimate(
        3, prompt_tokens=[10], system_tokens=5, output=20, max_tokens=100, price=None, counted=False
    )
    assert (got.low, got.high, got.prompt_tokens) == (None, None, 30)


def test_nothing_to_ask_costs_nothing():
    got = estimate(
        0, prompt_tokens=[], system_tokens=5, output=None, max_tokens=100, price=price(), counted=False
    )
    assert (got.calls, got.low, got.high, got.prompt_tokens) == (0, 0, 0, 0)


def test_the_guess_counts_everything_sent():
    request = ModelRequest(model="m", max_tokens=1, system="a" * 300, user="b" * 300)
    assert guessed_tokens(request) == 250
    longer = ModelRequest(
        model="m", max_tokens=1, system="a" * 300, user="b" * 300, schema={"type": "object"}
    )
    assert guessed_tokens(longer) > 250
