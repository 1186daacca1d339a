"""Drift: a shift along the rows is found and pointed out; a stable campaign raises no more alarms than stated."""

import random
from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from lark_sheets.core.campaign import Place
from lark_sheets.core.rescoring.drift import LEVEL, drift
from tests.core.rescoring.demo import demo_campaign

FEW = 499


def in_sheet_order(seed=1):
    """The demo as a workbook orders it: by ticket, the letters of each ticket drawn at random."""
    campaign, source = demo_campaign(), random.Random(seed)
    items = [item.id for item in campaign.items]
    place = {r.key: (items.index(r.response.split("/")[0]), source.random()) for r in campaign.readings}
    return replace(campaign, readings=tuple(sorted(campaign.readings, key=lambda r: place[r.key])))


def harsher(campaign, share, criterion="format", grader="reader-1"):
    """From some row on, a grader gives 1 where 2 was given: a shift injected in mid-campaign."""
    mine = [r for r in campaign.readings if r.grader == grader]
    late = {r.key for r in mine[int(len(mine) * share) :]}
    return replace(
        campaign,
        readings=tuple(
            replace(r, grades={**r.grades, criterion: 1}) if r.key in late and r.grades[criterion] == 2 else r
            for r in campaign.readings
        ),
    )


def test_the_demo_is_stable():
    assert drift(in_sheet_order()).pointed_out == ()


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_an_injected_shift_is_found_where_it_is(share):
    campaign = harsher(in_sheet_order(), share)
    (shift,) = drift(campaign).pointed_out
    assert (shift.grader, shift.criterion) == ("reader-1", "format")
    assert shift.size < Fraction(-1, 2)
    assert abs(shift.rows[0] - 192 * share) <= 8
    assert shift.adjusted <= LEVEL


def test_a_shift_at_a_border_of_kinds_is_told_as_such():
    """Half of the demo's rows are of one kind of ticket: there, time and kind cannot be told apart."""
    at_border, inside = (drift(harsher(in_sheet_order(), share)).pointed_out[0] for share in (0.5, 0.3))
    assert at_border.may_be_of_kinds
    assert not inside.may_be_of_kinds


def test_revisions_that_touched_the_criterion_are_named():
    shifts = drift(in_sheet_order(), touched={"format": [2, 3]}, draws=FEW).shifts
    assert {s.revisions for s in shifts if s.criterion == "format"} == {(2, 3)}
    assert {s.revisions for s in shifts if s.criterion == "accuracy"} == {()}


def test_200_shuffled_stable_campaigns_raise_no_more_alarms_than_stated():
    """At a level of 5 % for the whole campaign, 18 or more alarms in 200 would happen in fewer than 2 of 100 trials."""
    campaign = demo_campaign()
    alarms = 0
    for seed in range(200):
        readings = list(campaign.readings)
        random.Random(seed).shuffle(readings)
        alarms += bool(drift(replace(campaign, readings=tuple(readings)), draws=199).pointed_out)
    assert sum(comb(200, k) * LEVEL**k * (1 - LEVEL) ** (200 - k) for k in range(18, 201)) < 0.02
    assert alarms < 18


def test_the_order_is_that_of_the_rows_not_of_the_list():
    campaign = harsher(in_sheet_order(), 0.5)
    placed = [replace(r, place=Place("book", "sheet", n)) for n, r in enumerate(campaign.readings, 6)]
    random.Random(3).shuffle(placed)
    assert drift(replace(campaign, readings=tuple(placed))).pointed_out == drift(campaign).pointed_out


def test_the_same_campaign_gives_the_same_figures():
    assert drift(in_sheet_order(), draws=FEW) == drift(in_sheet_order(), draws=FEW)


def test_too_few_tickets_and_constant_grades_have_no_chance_to_tell():
    campaign = in_sheet_order()
    few = replace(campaign, readings=campaign.readings[:40])
    assert {s.p for s in drift(few, draws=FEW).shifts} == {None}
    constant = replace(
        campaign,
        readings=tuple(replace(r, grades={**r.grades, "format": 2}) for r in campaign.readings),
    )
    assert {s.p for s in drift(constant, draws=FEW).shifts if s.criterion == "format"} == {None}


def test_thirds_count_every_grade_once():
    found = drift(in_sheet_order(), draws=FEW).thirds
    for grader, n in (("reader-1", 192), ("reader-2", 28)):
        mine = [t for t in found if (t.grader, t.criterion) == (grader, "format")]
        assert [t.part for t in mine] == [1, 2, 3]
        assert sum(sum(t.counts.values()) for t in mine) == n


def test_self_consistency_where_a_grader_met_a_response_twice():
    campaign = in_sheet_order()
    again = [replace(r, number=2) for r in campaign.readings if r.owner][:10]
    again[0] = replace(again[0], grades={**again[0].grades, "format": 0 if again[0].grades["format"] else 1})
    found = drift(replace(campaign, readings=(*campaign.readings, *again)), draws=FEW).consistency
    assert {(c.criterion, c.equal, c.n) for c in found} == {
        ("accuracy", 10, 10),
        ("completeness", 10, 10),
        ("format", 9, 10),
        ("abstention", 10, 10),
    }


def test_nobody_met_a_response_twice_in_the_demo():
    assert drift(in_sheet_order(), draws=FEW).consistency == ()
