"""The gate is exact at 3/5, an undefined kappa opens nothing, and the doubt is printed beside the rule."""

from collections import Counter
from fractions import Fraction

import pytest

from lark_sheets.core.agreement import CountTable, agreement_of
from lark_sheets.core.intervals import Interval
from lark_sheets.core.judging.gate import is_conclusive, labels_needed, opens


def two_by_two(both_yes, judge_no, judge_yes, both_no):
    table = CountTable(
        ("yes", "no"),
        ("human", "judge"),
        Counter({(0, 0): both_yes, (0, 1): judge_no, (1, 0): judge_yes, (1, 1): both_no}),
    )
    return agreement_of(table, ordinal=False)


def tables_at_three_fifths():
    """All tables of 20 to 60 labels whose kappa is exactly 3/5: 10 (ad - bc) = 3 ((a+b)(b+d) + (a+c)(c+d))."""
    for n in range(20, 61):
        for a in range(n + 1):
            for b in range(n - a + 1):
                for c in range(n - a - b + 1):
                    d = n - a - b - c
                    chance = (a + b) * (b + d) + (a + c) * (c + d)
                    if chance and 10 * (a * d - b * c) == 3 * chance:
                        yield a, b, c, d


def test_every_table_at_exactly_three_fifths_opens():
    """Floats give 0.6000000000000001 for some of these and 0.5999999999999999 for others; fractions treat all alike."""
    tables = list(tables_at_three_fifths())
    assert len(tables) == 201
    floats = set()
    for table in tables:
        measured = two_by_two(*table)
        assert measured.kappa_exact == Fraction(3, 5)
        assert opens(measured.kappa_exact)
        a, b, c, d = table
        n = a + b + c + d
        observed, expected = (a + d) / n, ((a + b) * (a + c) + (c + d) * (b + d)) / n**2
        floats.add((observed - expected) / (1 - expected) >= 0.6)
    assert floats == {True, False}  # what a gate on floats would have done


@pytest.mark.parametrize(
    ("kappa", "held"),
    [
        (None, False),
        (Fraction(0), False),
        (Fraction(599, 1000), False),
        (Fraction(3, 5), True),
        (Fraction(1), True),
        (Fraction(-1), False),
    ],
)
def test_at_least_three_fifths_opens_and_undefined_never_does(kappa, held):
    assert opens(kappa) is held


def test_the_lessons_calibration_is_enough_but_not_conclusive():
    """22 labels (13/9), judge 14/8, one disagreement: kappa 0.9043, printed interval 0.541-0.983; 29 labels would do."""
    measured = two_by_two(13, 0, 1, 8)
    assert round(float(measured.kappa_exact), 4) == 0.9043
    assert [round(end, 3) for end in measured.kappa_interval] == [0.541, 0.983]
    assert opens(measured.kappa_exact)
    assert is_conclusive(measured.kappa_interval) is False
    assert labels_needed(measured.equal, measured.n, measured.kappa.chance) == 29


def test_an_interval_that_does_not_exist_is_not_conclusive_either_way():
    assert is_conclusive(None) is None
    assert is_conclusive(Interval(0.6, 1.0)) is True


@pytest.mark.parametrize(
    ("equal", "n", "chance", "needed"),
    [
        (0, 0, Fraction(1, 2), None),  # nothing measured
        (22, 22, None, None),  # kappa undefined
        (22, 22, Fraction(1), None),
        (16, 20, Fraction(1, 2), None),  # kappa exactly 3/5: its lower bound never reaches it
        (10, 20, Fraction(1, 2), None),
        (60, 60, Fraction(1, 2), 60),  # already enough: never below what is there
    ],
)
def test_more_labels_help_only_above_three_fifths(equal, n, chance, needed):
    assert labels_needed(equal, n, chance) == needed


def test_the_number_of_labels_is_the_smallest_that_does():
    """Just below the answer the same agreement is not conclusive, at the answer it is."""
    measured = two_by_two(40, 2, 3, 15)  # kappa 0.796
    needed = labels_needed(measured.equal, measured.n, measured.kappa.chance)
    from lark_sheets.core.intervals import score_interval

    chance = float(measured.kappa.chance)
    share = measured.equal / measured.n

    def low(n):
        return (score_interval(share * n, n, 1.959964).low - chance) / (1 - chance)

    assert low(needed) >= 0.6 > low(needed - 1)
    assert needed > measured.n
