"""Repeats of one judge: the valid ones are averaged with their range, the others are counted apart."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.judging.consensus import by_reason, majority, summarise
from lark_sheets.core.judging.parsing import Unscored
from lark_sheets.core.judging.reasons import Reason
from tests.core.judging.samples import opinion, rubric, subject

LARK = rubric()
CUT = Unscored(reason=Reason.TRUNCATED)


def summary(*judgements, of=LARK, **changes):
    return summarise(of, subject(**changes), judgements)


def test_the_mean_is_over_the_valid_repeats_only():
    """8 and 7 and one failure: mean 7.5, not 5, and the failure is counted beside it."""
    got = summary(opinion(LARK), opinion(LARK, {"completeness": 1}), CUT)
    assert (got.total, got.total_low, got.total_high) == (Fraction(15, 2), 7, 8)
    assert (got.planned, got.valid, got.reasons) == (3, 2, {Reason.TRUNCATED: 1})
    assert got.criteria["completeness"].mean == Fraction(3, 2)


def test_all_failed_is_no_grade():
    got = summary(CUT, CUT, Unscored(reason=Reason.REFUSAL))
    assert not got.scored
    assert (got.total, got.verdict, got.verdicts) == (None, None, ())
    assert set(got.levels.values()) == {None}
    assert got.opinion is None
    assert by_reason([got]) == {"truncated": 2, "refusal": 1}


def test_one_valid_repeat_of_three_is_no_majority():
    got = summary(opinion(LARK), CUT, CUT)
    assert (got.valid, got.verdict, got.levels["accuracy"]) == (1, None, None)
    assert got.total == 8


def test_where_one_repeat_was_asked_one_is_enough():
    assert summary(opinion(LARK)).verdict == "ready"


@pytest.mark.parametrize(
    ("values", "level", "divergent"),
    [
        ((2, 2, 2), 2, False),
        ((2, 2, 1), 2, False),
        ((2, 1), None, False),
        ((2, 0, 2), 2, True),
        ((0, 1, 2), None, True),
    ],
)
def test_levels_two_apart_diverge_and_a_tie_has_no_majority(values, level, divergent):
    got = summary(*(opinion(LARK, {"format": v}) for v in values))
    assert got.criteria["format"].level == level
    assert got.criteria["format"].divergent is divergent


def test_two_verdicts_diverge_even_when_the_levels_are_close():
    """accuracy 2 or 1 is one level apart, and the difference between ready and not."""
    got = summary(opinion(LARK), opinion(LARK), opinion(LARK, {"accuracy": 1}))
    assert got.divergent
    assert got.verdict == "ready"
    assert not got.criteria["accuracy"].divergent


def test_any_two_labels_diverge():
    ours = rubric("refusals")
    labels = ("full_refusal", "full_refusal", "partial_refusal")
    got = summary(*(opinion(ours, {"category": label}) for label in labels), of=ours)
    assert got.divergent
    assert got.criteria["category"].level == "full_refusal"
    assert (got.criteria["category"].mean, got.total) == (None, None)


def test_a_stated_verdict_against_the_rule_is_flagged_and_loses():
    ours = rubric("support-verdict")
    got = summary(opinion(ours, {"promise": 0}, said="acceptable"), of=ours)
    assert (got.verdict, got.incoherent) == ("unacceptable", 1)
    assert summary(opinion(ours, said="acceptable"), of=ours).incoherent == 0


def test_levels_decided_by_code_join_every_repeat():
    missing = opinion(LARK)
    partly = type(missing)(grades={k: v for k, v in missing.grades.items() if k != "format"})
    assert summary(partly).verdict is None
    assert summary(partly, code_grades={"format": 0}).verdict == "not_ready"


def test_the_words_shown_are_those_of_a_repeat_that_gives_the_majority():
    first = opinion(LARK, {"format": 0}, reasoning="the odd one")
    others = opinion(LARK, reasoning="the usual one")
    assert summary(first, others, others).opinion.reasoning == "the usual one"


@given(st.lists(st.sampled_from([0, 1, 2, None]), min_size=1, max_size=7))
def test_the_mean_lies_within_the_range_and_failures_never_move_it(levels):
    """Property: adding failed repeats changes counts, never a mean, a range or a level that has enough valid repeats."""
    judgements = [CUT if v is None else opinion(LARK, {"format": v}) for v in levels]
    valid = [v for v in levels if v is not None]
    got = summary(*judgements).criteria["format"]
    assert got.values == tuple(valid)
    assert got.mean == (Fraction(sum(valid), len(valid)) if valid else None)
    with_failures = summary(*judgements, CUT, CUT).criteria["format"]
    assert (with_failures.mean, with_failures.low, with_failures.high) == (got.mean, got.low, got.high)


@pytest.mark.parametrize(
    ("values", "needed", "held"),
    [
        ([], 2, None),
        (["a"], 2, None),
        (["a"], 1, "a"),
        (["a", "b"], 2, None),
        (["a", "a", "b"], 2, "a"),
        (["a", "a", "b", "b"], 2, None),
    ],
)
def test_a_majority_is_more_than_half(values, needed, held):
    assert majority(values, needed) == held
