"""Two runs on the same tickets: exact tests, adjusted over all pairs."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from statsmodels.stats.contingency_tables import mcnemar as their_mcnemar
from statsmodels.stats.multitest import multipletests

from lark_sheets.core import paired
from lark_sheets.core.paired import holm, mcnemar, paired_difference, permutation


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_statsmodels(first, second):
    theirs = their_mcnemar([[5, first], [second, 5]], exact=True).pvalue
    assert mcnemar(first, second) == pytest.approx(theirs, rel=1e-9)
    assert mcnemar(first, second) == mcnemar(second, first)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        pytest.param(0, 0, 1.0, id="no ticket separates the runs: 1, not 0"),
        pytest.param(2, 0, 0.5, id="24 ready against 22"),
        pytest.param(18, 0, 2 / 2**18, id="24 ready against 6"),
        pytest.param(1, 1, 1.0, id="one each"),
    ],
)
def test_mcnemar_by_hand(first, second, p):
    assert mcnemar(first, second) == p


def test_mcnemar_of_thousands():
    """Counts far beyond what a float holds stay exact until the last step."""
    assert mcnemar(5000, 5000) == 1.0
    assert 0 < mcnemar(5400, 4600) < 1e-14
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 2)


@settings(max_examples=60)
@given(st.lists(st.integers(-8, 8), min_size=1, max_size=10))
def test_permutation_counts_every_arrangement(differences):
    """p is the share of all 2^n arrangements of signs that are as far from 0 as what was seen."""
    seen = abs(sum(differences))
    signs = list(product((-1, 1), repeat=len(differences)))
    far = sum(abs(sum(s * d for s, d in zip(sign, differences, strict=True))) >= seen for sign in signs)
    assert permutation(differences) == paired.SignTest(far / len(signs))


def test_permutation_is_scipy():
    """scipy enumerates the same arrangements."""
    from scipy import stats

    differences = [1, 0, 2, -1, 3, 0, 1, 1, -2, 4]
    theirs = stats.permutation_test(
        (np.array(differences, dtype=float),), np.sum, permutation_type="samples", n_resamples=np.inf
    )
    assert permutation(differences).p == pytest.approx(theirs.pvalue, rel=1e-12)


def test_permutation_without_a_difference():
    """Runs that never differ give p = 1; without a ticket there is no test."""
    assert permutation([0, 0, 0]).p == 1.0
    assert permutation([]) is None


def test_permutation_needs_no_floor():
    """24 tickets all in favour of one run: 2 of the 2^24 arrangements, far below what any number of draws can show."""
    assert permutation([3] * 24).p == 2 / 2**24


def test_permutation_of_fractions():
    """Means of repeated judgements are fractions: the scale changes nothing."""
    thirds = [Fraction(1, 3), Fraction(-2, 3), Fraction(5, 2), Fraction(0), Fraction(1)]
    assert permutation(thirds) == permutation([2, -4, 15, 0, 6])


def test_large_samples_draw_signs():
    """Above the limit of work signs are drawn: the p-value agrees with the exact one and never falls below its floor."""
    generator = np.random.default_rng(5)
    differences = [int(d) for d in generator.integers(-8, 9, 150)]
    exact = permutation(differences)
    assert exact.exact
    drawn = paired._drawn(paired.Counter(abs(d) for d in differences if d), abs(sum(differences)), 0)
    assert not drawn.exact
    assert drawn.p == pytest.approx(exact.p, abs=0.01)
    many = permutation([int(d) for d in generator.integers(1, 9, 3000)])
    assert many == paired.SignTest(1 / 100_000, 99_999)


@settings(max_examples=40)
@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_is_statsmodels(p_values):
    theirs = multipletests(p_values, method="holm")[1] if p_values else []
    assert holm(p_values) == pytest.approx(list(theirs), abs=1e-12)


def test_holm_counts_tests_without_a_number():
    """A test that could not be done keeps its place in the family: three tests, not two."""
    assert holm([0.02, None, 0.03]) == [pytest.approx(0.06), None, pytest.approx(0.06)]
    assert holm([None]) == [None]
    assert holm([]) == []
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([float("nan")])


cells = st.integers(0, 30)


@given(cells, cells, cells, cells)
def test_paired_difference_holds_the_difference(both, first, second, neither):
    """The interval holds the difference seen, stays within -1 and 1, and turns over with the runs."""
    n = both + first + second + neither
    found = paired_difference(both, first, second, neither)
    if n == 0:
        assert found is None
        return
    assert -1 <= found.low <= (first - second) / n + 1e-12
    assert (first - second) / n - 1e-12 <= found.high <= 1
    turned = paired_difference(both, second, first, neither)
    assert found == pytest.approx((-turned.high, -turned.low), abs=1e-12)


def test_pairing_helps_when_runs_fail_on_the_same_tickets():
    """20 ready for both and 4 for neither leave less doubt than the same shares on separate tickets."""
    from lark_sheets.core.intervals import newcombe_difference

    together = paired_difference(20, 2, 0, 10)
    apart = newcombe_difference((22, 32), (20, 32))
    assert together.width < apart.width
