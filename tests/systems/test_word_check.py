"""A search for words: what it asks, and the three ways in which it errs against people."""

import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.word_check import Checked, Kind, by_group, check_words, word_errors, words_of


@pytest.mark.parametrize(
    ("reply", "wanted", "unwanted", "kinds"),
    [
        ("You have 30 days.", ["30 days"], [], ()),
        ("You have 30\u00a0days.", ["30 days"], [], ()),
        ("You have THIRTY days.", ["thirty DAYS"], [], ()),
        ("C’est à l’entrepôt.", ["l'entrepôt"], [], ()),
        ("A 30-day window.", ["30 days"], [], (Kind.MISSING,)),
        ("We will send your password.", [], ["send your password"], (Kind.UNWANTED,)),
        ("We cannot send your password.", [], ["send your password"], (Kind.NEGATED,)),
        ("Nous ne pouvons pas envoyer le code.", [], ["envoyer le code"], (Kind.NEGATED,)),
        ("We never do. We will send your password.", [], ["send your password"], (Kind.UNWANTED,)),
        ("We send your password, not by mail.", [], ["send your password"], (Kind.UNWANTED,)),
        ("We won't send it. Then we send it.", [], ["send it"], (Kind.UNWANTED,)),
        ("Nothing here.", ["refund"], ["nothing"], (Kind.MISSING, Kind.UNWANTED)),
        ("", ["refund"], [], (Kind.MISSING,)),
        ("", [], [], ()),
    ],
)
def test_what_is_found(reply, wanted, unwanted, kinds):
    """Every wanted word there, no unwanted one: denied or not, since a search knows no meaning; the denial is told."""
    found = check_words(reply, wanted, unwanted)
    assert found.kinds == kinds
    assert found.passed == (not kinds)
    assert found.asked == bool(wanted or unwanted)


def test_a_list_is_separated_by_semicolons():
    assert words_of("30 days; free, of charge ;; ") == ("30 days", "free, of charge")


def checked(right, passed, run="r", kinds=(Kind.MISSING,)):
    found = check_words("x", [] if passed or Kind.MISSING not in kinds else ["y"], [])
    return Checked(id="i", run=run, found=found, right=right)


@given(st.lists(st.tuples(st.sampled_from([True, False, None]), st.booleans(), st.sampled_from("ab"))))
def test_errors_are_counted_against_people_only(rows):
    """Rejects count among what people found right, accepts among what they found wrong; ungraded ones wait; runs add up."""
    table = [checked(right, passed, run) for right, passed, run in rows]
    errors = word_errors(table)
    assert errors.right + errors.wrong + errors.waiting == len(rows)
    assert len(errors.rejected_right) == sum(r is True and not p for r, p, _ in rows) == errors.for_missing
    assert len(errors.accepted_wrong) == sum(r is False and p for r, p, _ in rows)
    groups = by_group(table, lambda c: c.run)
    assert sum(e.right for e in groups.values()) == errors.right
    assert sum(len(e.accepted_wrong) for e in groups.values()) == len(errors.accepted_wrong)
