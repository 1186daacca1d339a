"""Known leanings of judges: computed by hand on small sets, undefined where nothing can be said."""

from fractions import Fraction

import pytest
from scipy.stats import spearmanr

from lark_sheets.core.judging.bias import Compared, length_bias, order_bias, own_family, self_consistency
from lark_sheets.core.judging.consensus import summarise
from tests.core.judging.samples import opinion, rubric, subject

LARK = rubric()


def row(item, family, judge, human, length=100):
    return Compared(item=item, family=family, judge=Fraction(judge), human=Fraction(human), length=length)


def test_own_family_is_the_difference_of_two_excesses():
    """Own: +1 on average over people; others: 0. The judge favours its own by 1 point."""
    rows = [row(f"S{n}", "own", 8, 7) for n in range(8)] + [row(f"S{n}", "other", 6, 6) for n in range(8)]
    got = own_family(rows, "own")
    assert (got.own, got.others, got.difference) == (8, 8, 1)
    assert tuple(got.interval) == (1.0, 1.0)


def test_a_judge_as_generous_to_all_shows_no_family_bias():
    rows = [row(f"S{n}", family, 8, 7) for n in range(8) for family in ("own", "other")]
    assert own_family(rows, "own").difference == 0


def test_the_interval_says_how_sure_a_difference_is():
    """Mixed excesses: the interval holds the difference and is wider with fewer tickets."""

    def made(tickets):
        return [
            row(f"S{n}", f, 6 + (n % 3 == 0) + (f == "own" and n % 2), 6)
            for n in range(tickets)
            for f in ("own", "x")
        ]

    few, many = own_family(made(12), "own"), own_family(made(120), "own")
    assert few.interval.low < few.difference < few.interval.high
    assert many.interval.width < few.interval.width
    assert own_family(made(12), "own") == few  # the same rows, the same interval


@pytest.mark.parametrize(
    "rows",
    [[], [row("S1", "own", 8, 8)], [row("S1", "other", 8, 8)], [row("S1", "", 8, 8), row("S2", "own", 8, 8)]],
)
def test_without_both_groups_nothing_is_said(rows):
    got = own_family(rows, "own")
    assert (got.difference, got.interval) == (None, None)


def test_length_is_a_rank_correlation_as_scipy_has_it():
    judge, human, length = [8, 7, 8, 6, 8, 5, 8], [8, 7, 6, 6, 5, 5, 7], [10, 20, 40, 20, 80, 5, 30]
    rows = [row(f"S{n}", "x", *three) for n, three in enumerate(zip(judge, human, length, strict=True))]
    expected = spearmanr([j - h for j, h in zip(judge, human, strict=True)], length).statistic
    assert length_bias(rows).correlation == pytest.approx(expected)


@pytest.mark.parametrize(
    "rows", [[], [row("S1", "x", 8, 7, 1)] * 2, [row("S1", "x", 8, 7, n) for n in range(9)]]
)
def test_a_constant_excess_has_no_correlation(rows):
    assert length_bias(rows).correlation is None


def summaries(*levels):
    """One response per entry; an entry holds the format levels of its repeats."""
    return [
        summarise(LARK, subject(f"K{n:02}-A"), [opinion(LARK, {"format": v}) for v in one])
        for n, one in enumerate(levels)
    ]


def test_order_is_compared_with_the_judges_own_steadiness():
    """8 levels: the permuted run differs on one, the second repeat on none."""
    got = order_bias(summaries((2, 2), (1, 1)), summaries((2,), (2,)))
    assert (got.permuted.k, got.permuted.n) == (7, 8)
    assert (got.steady.k, got.steady.n) == (8, 8)


def test_order_without_common_responses_says_nothing():
    got = order_bias(summaries((2,)), [])
    assert (got.permuted.n, got.permuted.interval, got.steady.n) == (0, None, 0)


def test_repeats_are_positions_not_persons():
    """Self-consistency is alpha over repeats; Cohen's kappa of two "readers" that are one judge is not offered."""
    got = self_consistency(LARK, summaries((2, 2, 2), (1, 1, 1), (0, 0, 1), (2, 2, 2)))["format"]
    assert (got.equal, got.n) == (3, 4)
    assert got.kappa.value is None
    assert 0 < got.alpha_ordinal.value < 1
    constant = self_consistency(LARK, summaries((2, 2), (2, 2)))["format"]
    assert constant.alpha_ordinal.value is None
    assert constant.state == "undefined: one value only"
