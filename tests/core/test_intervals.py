"""Intervals: exact counts in, honest ends out."""

import math

import pytest
from hypothesis import given, strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from lark_sheets.core.intervals import (
    Interval,
    clustered_share,
    kappa_interval,
    mean_interval,
    newcombe_difference,
    normal_quantile,
    student_quantile,
    wilson,
)

# Lesson tables, recomputed: (successes, trials): ends to 4 digits.
WILSON = {
    (24, 28): (0.6851, 0.9430), (26, 28): (0.7735, 0.9802), (27, 28): (0.8229, 0.9937), (28, 28): (0.8794, 1),
    (24, 24): (0.8620, 1), (19, 24): (0.5953, 0.9076), (21, 22): (0.7820, 0.9919), (6, 24): (0.1200, 0.4490),
    (12, 24): (0.3143, 0.6857), (14, 24): (0.3883, 0.7553), (22, 24): (0.7415, 0.9768), (0, 50): (0, 0.0713),
    (0, 40): (0, 0.0876), (0, 24): (0, 0.1380), (0, 90): (0, 0.0409), (90, 90): (0.9591, 1),
}  # fmt: skip


@pytest.mark.parametrize(("counts", "ends"), WILSON.items(), ids=str)
def test_wilson_to_four_digits(counts, ends):
    assert wilson(*counts) == pytest.approx(ends, abs=5e-5)


def test_none_and_all_have_exact_ends():
    """0 of n starts at 0 and n of n ends at 1, not at a rounding error beside it."""
    for n in range(1, 200):
        assert wilson(0, n).low == 0.0
        assert wilson(n, n).high == 1.0


def test_nothing_counted_has_no_interval():
    assert wilson(0, 0) is None
    assert kappa_interval(0, 0, 0.5) is None
    assert clustered_share([], []) is None
    assert clustered_share([0, 0], [0, 0]) is None
    assert newcombe_difference((0, 0), (1, 2)) is None
    assert mean_interval([], [], 8) is None
    assert mean_interval([8], [1], 8) is None  # one ticket tells nothing about the next


@pytest.mark.parametrize("counts", [(3, 2), (-1, 5), (0, -1)])
def test_impossible_counts_are_refused(counts):
    with pytest.raises(ValueError, match="impossible counts"):
        wilson(*counts)


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.5])
def test_impossible_confidence_is_refused(confidence):
    with pytest.raises(ValueError, match="confidence"):
        wilson(1, 2, confidence)


shares = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(shares, st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_wilson_is_statsmodels(counts, confidence):
    found = wilson(*counts, confidence)
    assert found == pytest.approx(
        proportion_confint(*counts, alpha=1 - confidence, method="wilson"), abs=1e-12
    )
    assert 0 <= found.low <= counts[0] / counts[1] <= found.high <= 1


@given(shares)
def test_wilson_mirrors(counts):
    """Failures have the interval of successes, turned over."""
    k, n = counts
    one, other = wilson(k, n), wilson(n - k, n)
    assert one == pytest.approx((1 - other.high, 1 - other.low), abs=1e-12)


@given(shares, shares)
def test_newcombe_is_statsmodels(first, second):
    theirs = confint_proportions_2indep(*first, *second, method="newcomb", compare="diff")
    assert newcombe_difference(first, second) == pytest.approx(theirs, abs=1e-12)


# --- kappa --------------------------------------------------------------------------------------------------------------


def test_kappa_interval_maps_wilson():
    """21 of 22 with chance 127/242: 0.541 to 0.983, the bounds of raw agreement through (p - c) / (1 - c)."""
    raw, found = wilson(21, 22), kappa_interval(21, 22, 127 / 242)
    assert found == pytest.approx((0.541, 0.983), abs=5e-4)
    assert found == pytest.approx([(bound - 127 / 242) / (1 - 127 / 242) for bound in raw])


def test_kappa_interval_stays_in_range():
    """Near-certain chance stretches the bounds: they stop at -1 and 1; a chance of 1 leaves none."""
    assert kappa_interval(14, 28, 0.97).low == -1.0
    assert kappa_interval(28, 28, 0.97).high == 1.0
    assert kappa_interval(28, 28, 1) is None
    with pytest.raises(ValueError, match="chance"):
        kappa_interval(1, 2, 1.5)


# --- Student ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 23, 24, 60, 191, 999, 1000, 1001, 9999])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99])
def test_student_is_scipy(freedom, confidence):
    from scipy import stats

    assert student_quantile(freedom, confidence) == pytest.approx(
        stats.t.ppf((1 + confidence) / 2, freedom), abs=1e-7
    )


def test_student_tends_to_normal():
    assert student_quantile(23) == pytest.approx(2.068658, abs=1e-6)
    assert student_quantile(10**9) == pytest.approx(normal_quantile(0.95), abs=1e-8)
    with pytest.raises(ValueError, match="degree of freedom"):
        student_quantile(0)


# --- tickets ------------------------------------------------------------------------------------------------------------


@given(st.lists(st.booleans(), min_size=2, max_size=60))
def test_one_response_a_ticket_is_wilson(flags):
    """Without repeats within a ticket there is nothing to correct."""
    found, effect = clustered_share([int(flag) for flag in flags], [1] * len(flags))
    assert effect == pytest.approx(1)
    assert found == pytest.approx(wilson(sum(flags), len(flags)), abs=1e-9)


def test_tickets_that_stand_or_fall_together():
    """24 tickets x 4 answers, each ticket all right or all wrong: as sure as 24 answers, not 96."""
    found, effect = clustered_share([4] * 18 + [0] * 6, [4] * 24)
    assert effect == pytest.approx(4 * 95 / 92)
    assert found.width > 0.95 * wilson(18, 24).width
    # Four answers spread as chance would: no correction, and never a gain.
    even, effect = clustered_share([3] * 24, [4] * 24)
    assert (effect, even) == (1, wilson(72, 96))


@given(
    st.lists(
        st.integers(1, 8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=30
    )
)
def test_clustered_is_never_shorter(tickets):
    successes, trials = zip(*tickets, strict=True)
    found, effect = clustered_share(successes, trials)
    plain = wilson(sum(successes), sum(trials))
    assert effect >= 1
    assert found.width >= plain.width - 1e-9
    assert 0 <= found.low <= sum(successes) / sum(trials) <= found.high <= 1


def test_faulty_tickets_are_refused():
    with pytest.raises(ValueError, match="more successes"):
        clustered_share([3], [2])
    with pytest.raises(ValueError, match="sum of points"):
        mean_interval([9], [1], 8)
    with pytest.raises(ValueError, match="shorter"):
        mean_interval([1, 2], [1], 8)


@given(st.lists(st.integers(0, 8), min_size=2, max_size=40))
def test_a_mean_score_stays_on_its_scale(totals):
    """The mean lies inside, the ends on the scale, and doubling the points doubles them."""
    found = mean_interval(totals, [1] * len(totals), 8)
    assert 0 <= found.low <= sum(totals) / len(totals) <= found.high <= 8 + 1e-12
    twice = mean_interval([2 * total for total in totals], [1] * len(totals), 16)
    assert twice == pytest.approx([2 * end for end in found])


def test_a_perfect_run_is_not_certain():
    """24 times 8 of 8 may still come from a run that is worth less: the low end is that of 24 of 24, with Student's t."""
    found = mean_interval([8] * 24, [1] * 24, 8)
    assert found.high == 8
    assert found.low == pytest.approx(8 * 24 / (24 + 2.068658**2), abs=1e-4)


def test_a_mean_of_many_tickets_is_the_usual_one():
    """Far from both ends and with many tickets the interval is mean plus or minus z standard errors."""
    totals = [3, 4, 5] * 200
    found = mean_interval(totals, [1] * 600, 8)
    error = math.sqrt(2 / 3 / 600)
    assert found == pytest.approx((4 - 1.964 * error, 4 + 1.964 * error), abs=2e-3)


def test_several_scores_a_ticket_weigh_by_their_number():
    """The mean is over scores, not over tickets."""
    found = mean_interval([16, 4, 5], [2, 1, 1], 8)
    assert found.low < 25 / 4 < found.high
    assert Interval(0.25, 0.75).width == 0.5
