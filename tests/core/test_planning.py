"""How many shared responses to ask for."""

from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from lark_sheets.core.intervals import wilson
from lark_sheets.core.planning import plans_for, shared_for_kappa, shared_for_share


def test_by_hand():
    """For 0.26 at 24/28 about the shop's sample comes out; cautious planning (half equal) needs more."""
    assert 24 <= shared_for_share(0.26, 24 / 28).shared <= 30
    assert shared_for_share(0.2, 0.5).shared == 93  # z^2 (1/w^2 - 1) = 3.8415 x 24 = 92.2
    assert shared_for_share(0.2, 1.0).shared == 16  # z^2 (1/w - 1) = 3.8415 x 4 = 15.4


@settings(max_examples=60)
@given(st.floats(0.05, 0.9), st.floats(0, 1))
def test_fewest_that_suffice(width, supposed):
    """The plan's interval is narrow enough, and one response fewer would not do."""
    plan = shared_for_share(width, supposed)
    assert plan.interval.width <= width
    n = plan.shared
    assert wilson(round(supposed * n), n) is not None
    if n > 1:
        assert shared_for_share(width, supposed, available=n - 1).possible is False


def test_kappa_needs_more_than_the_share():
    """Taking chance off stretches the interval by 1 / (1 - chance)."""
    assert shared_for_kappa(0.4, 0.95, 0.5).shared == shared_for_share(0.2, 0.95).shared
    assert shared_for_kappa(0.4, 0.95, 0.75).shared > 2 * shared_for_kappa(0.4, 0.95, 0.5).shared


def test_what_the_campaign_has():
    plan = shared_for_share(0.1, 0.9, available=28)
    assert not plan.possible
    assert plan.shared > 28
    assert shared_for_share(0.3, 0.9).possible


@pytest.mark.parametrize(
    ("plan", "options", "said"),
    [
        pytest.param(shared_for_share, {"width": 0}, "a width lies between", id="no width"),
        pytest.param(shared_for_share, {"supposed": 1.1}, "agreement lies between", id="agreement above 1"),
        pytest.param(shared_for_share, {"confidence": 95}, "confidence lies between", id="percent"),
        pytest.param(shared_for_kappa, {"chance": 1}, "by chance lies between", id="chance leaves nothing"),
        pytest.param(shared_for_share, {"width": 1e-6, "supposed": 0.5}, "more than", id="too narrow"),
    ],
)
def test_impossible_plans_are_refused(plan, options, said):
    with pytest.raises(ValueError, match=said):
        plan(**{"width": 0.2, "supposed": 0.9} | options)


def test_plans_from_what_was_measured_and_from_nothing():
    """With 24 of 28 equal and chance at 0.5: as measured, at 90 %, and with nothing supposed; kappa takes its own chance."""
    found = plans_for(0.2, 24, 28, Fraction(1, 2), available=192)
    assert [(p.supposed, p.chance, p.measured) for p in found] == [
        (Fraction(6, 7), None, True),
        (Fraction(9, 10), None, False),
        (Fraction(1, 2), None, False),
        (Fraction(6, 7), Fraction(1, 2), True),
        (Fraction(9, 10), Fraction(1, 2), False),
        (Fraction(1, 2), Fraction(1, 2), False),
    ]
    assert [p.plan.shared for p in found[1:3]] == [37, 93]
    assert found[4].plan.shared == shared_for_kappa(0.2, 0.9, 0.5).shared
    assert not found[5].plan.possible


def test_plans_before_anything_was_read():
    """Nothing shared, or a chance that leaves no kappa: only what is supposed."""
    assert [p.measured for p in plans_for(0.2)] == [False] * 4
    assert [p.measured for p in plans_for(0.2, 8, 8, Fraction(1))] == [True, False, False, False, False]


def test_a_width_that_no_campaign_can_reach():
    assert plans_for(1e-6, 1, 2)[0].plan is None
    with pytest.raises(ValueError, match="a width lies between"):
        plans_for(0)
