"""All pairs of runs on the same tickets: who cannot be told apart."""

from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from lark_sheets.core.agreement import State
from lark_sheets.core.comparisons import compare_runs
from lark_sheets.core.paired import mcnemar, permutation

TICKETS = [f"S{n:02}" for n in range(24)]


def run(ready: int, points: int = 8, other: int = 4) -> tuple[dict, dict]:
    """A run that is ready on its first tickets and gets `points` there, `other` on the rest."""
    flags = {ticket: place < ready for place, ticket in enumerate(TICKETS)}
    return flags, {ticket: points if flag else other for ticket, flag in flags.items()}


def shop(**ready: int):
    runs = {name: run(count) for name, count in ready.items()}
    return compare_runs(
        {name: r[0] for name, r in runs.items()}, {name: r[1] for name, r in runs.items()}, draws=200
    )


def test_24_ready_against_22_cannot_be_told_apart():
    """Two tickets of 24 separate them: p = 0.5. Against 6 ready they can."""
    found = shop(opus=24, sonnet=22, gemma=6).ready
    first, far, other = found.pairs
    assert (first.n, first.better_first, first.better_second, first.p) == (24, 2, 0, 0.5)
    assert first.difference == Fraction(1, 12)
    assert first.interval.low < 1 / 12 < first.interval.high
    assert far.adjusted == pytest.approx(3 * mcnemar(18, 0))
    assert [pair.told_apart for pair in found.pairs] == [False, True, True]
    assert found.groups == (("opus", "sonnet"), ("gemma",))
    assert found.leading == ("opus", "sonnet")
    assert found.alike("gemma") == ("gemma",)
    assert found.told_apart("gemma", "opus")
    assert other.state is State.DEFINED


def test_groups_overlap_because_alike_is_not_passed_on():
    """A like B and B like C do not make A like C: B stands in two groups, and nobody has a rank."""
    found = shop(a=24, b=19, c=14).ready
    assert not found.told_apart("a", "b")
    assert not found.told_apart("b", "c")
    assert found.told_apart("a", "c")
    assert found.groups == (("a", "b"), ("b", "c"))
    assert found.leading == ("a", "b")


def test_holm_counts_all_pairs():
    """One pair alone would pass; among 28 pairs the same difference does not."""
    two = shop(a=24, b=17).ready
    assert two.pairs[0].p == mcnemar(7, 0) < 0.05
    assert two.pairs[0].told_apart
    eight = shop(a=24, b=17, c=24, d=24, e=24, f=24, g=24, h=24).ready
    assert len(eight.pairs) == 28
    assert not eight.told_apart("a", "b")
    assert eight.groups == (tuple("abcdefgh"),)


def test_totals_are_their_own_question():
    """Runs alike on readiness may differ in points, and the reverse; each question has its own family."""
    ready = {"a": dict.fromkeys(TICKETS, True), "b": dict.fromkeys(TICKETS, True)}
    totals = {"a": dict.fromkeys(TICKETS, 8), "b": {t: 7 - (p % 2) for p, t in enumerate(TICKETS)}}
    found = compare_runs(ready, totals)
    assert found.ready.groups == (("a", "b"),)
    assert found.ready.pairs[0].p == 1.0
    assert found.total.groups == (("a",), ("b",))
    pair = found.total.pairs[0]
    assert pair.p == permutation([1, 2] * 12).p
    assert pair.difference == Fraction(3, 2)
    assert pair.interval.low < 1.5 < pair.interval.high
    assert found.total.means == {"a": 8, "b": Fraction(13, 2)}
    assert found.total.leading == ("a",)


def test_a_missing_grade_is_not_a_zero():
    """Only tickets that both runs have are compared; a run's own mean is over what it has."""
    first, second = dict.fromkeys(TICKETS, 8), dict.fromkeys(TICKETS, 8)
    second["S00"] = None
    del second["S01"]
    found = compare_runs({}, {"a": first, "b": second})
    assert found.ready is None
    (pair,) = found.total.pairs
    assert (pair.n, pair.p, pair.difference) == (22, 1.0, 0)
    assert pair.interval is None  # no ticket differs: draws would pretend certainty
    assert found.total.means["b"] == 8


def test_runs_without_a_shared_ticket():
    """No test is possible: named, kept in the family, and the runs are not told apart."""
    found = compare_runs({"a": {1: True}, "b": {2: False}, "c": {1: False, 2: False}, "d": {}}, {}).ready
    (pair, *_) = found.pairs
    assert (pair.n, pair.p, pair.adjusted, pair.interval, pair.difference) == (0, None, None, None, None)
    assert pair.state is State.NO_SHARED_ITEMS
    assert found.undefined == 4
    assert found.means["d"] is None
    assert found.groups == (("a", "b", "c", "d"),)
    assert found.leading == ("a", "b", "c", "d")


def test_no_runs_and_one_run():
    assert compare_runs({}, {}).ready is None
    assert compare_runs({"a": {}}, {}).ready is None
    found = compare_runs({"a": {1: True, 2: None}}, {}).ready
    assert (found.pairs, found.groups, found.leading) == ((), (("a",),), ("a",))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 24), min_size=2, max_size=7))
def test_groups_are_exactly_the_pairs_not_told_apart(ready):
    """Two runs share a group if and only if they cannot be told apart; every run is in one; no group holds another."""
    found = shop(**{f"run{place}": count for place, count in enumerate(ready)}).ready
    groups = [set(group) for group in found.groups]
    for pair in found.pairs:
        together = any({pair.first, pair.second} <= group for group in groups)
        assert together != pair.told_apart
    assert set().union(*groups) == set(found.runs)
    assert not any(one < other for one in groups for other in groups)


def test_the_order_of_runs_changes_no_statement():
    one, other = shop(a=24, b=18, c=11, d=4).ready, shop(d=4, c=11, b=18, a=24).ready
    assert {frozenset(group) for group in one.groups} == {frozenset(group) for group in other.groups}
    for pair in one.pairs:
        twin = next(p for p in other.pairs if {p.first, p.second} == {pair.first, pair.second})
        assert (pair.p, pair.adjusted) == (twin.p, twin.adjusted)
        assert pair.difference == -twin.difference
