"""A grader's order against the rubric: concordant pairs out of the comparable ones, and Kendall's tau-b."""

import itertools
import math

import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.ranking import PairCounts, count_pairs, together

ORDERS = st.lists(st.tuples(st.integers(1, 8), st.integers(0, 8)), min_size=2, max_size=8)


@pytest.mark.parametrize(
    ("ranks", "totals", "concordant", "comparable", "tau_b"),
    [
        ((1, 2, 3, 4), (8, 6, 5, 2), 6, 6, 1.0),
        ((4, 3, 2, 1), (8, 6, 5, 2), 0, 6, -1.0),
        ((3, 1, 4, 2), (5, 8, 2, 8), 5, 5, 5 / math.sqrt(30)),  # two totals tie: that pair is not comparable
        ((1, 2), (8, 8), 0, 0, None),  # nothing to compare: undefined, not 0
        ((1, 1), (8, 2), 0, 1, None),  # the grader could not tell them apart
        ((1, 1, 2), (8, 2, 0), 2, 3, 2 / math.sqrt(6)),
    ],
)
def test_known_orders(ranks, totals, concordant, comparable, tau_b):
    counts = count_pairs(ranks, totals)
    assert (counts.concordant, counts.comparable) == (concordant, comparable)
    assert counts.tau_b == (None if tau_b is None else pytest.approx(tau_b))


@given(ORDERS)
def test_tau_b_is_the_published_one(pairs):
    """SciPy's kendalltau (variant b) is an independent implementation; it calls undefined what we call undefined."""
    from scipy.stats import kendalltau

    ranks, totals = zip(*pairs, strict=True)
    ours = count_pairs(ranks, totals).tau_b
    theirs = kendalltau([-rank for rank in ranks], totals).statistic
    assert (ours is None) == math.isnan(theirs)
    if ours is not None:
        assert ours == pytest.approx(theirs)


@given(ORDERS)
def test_laws_of_counting(pairs):
    ranks, totals = zip(*pairs, strict=True)
    counts = count_pairs(ranks, totals)
    turned = count_pairs([-rank for rank in ranks], totals)
    assert counts.concordant + counts.discordant <= min(counts.comparable, counts.ranked)
    assert (turned.concordant, turned.discordant) == (counts.discordant, counts.concordant)
    assert counts.comparable == sum(a != b for a, b in itertools.combinations(totals, 2))


def test_tickets_are_added_pair_by_pair_never_mixed():
    """Two tickets of two responses give two pairs, not six."""
    one, two = count_pairs((1, 2), (8, 2)), count_pairs((1, 2), (2, 8))
    both = together([one, two])
    assert both == PairCounts(concordant=1, discordant=1, comparable=2, ranked=2)
    assert both.tau_b == 0
    assert together([]).tau_b is None


def test_different_lengths_are_refused():
    with pytest.raises(ValueError, match=r"argument"):
        count_pairs((1, 2), (1, 2, 3))
