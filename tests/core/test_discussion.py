"""Discussions: what differs, how it ended, agreement before and after; nothing is ever averaged."""

from dataclasses import replace

import pytest

from lark_sheets.core.discussion import (
    Ended,
    HowEnded,
    agreement_after,
    disagreements,
    not_yet_sharpened,
    settled,
    sharpened,
)
from lark_sheets.core.rescoring import outcome_of
from lark_sheets.core.scoring import agreement_of_readings, counted_grades
from tests.core.rescoring.demo import demo_campaign, larkfield, with_anchor

S08 = "S08/Claude Haiku 5.5"


def test_the_demo_has_five_differences_on_four_responses_and_none_decides():
    found = disagreements(demo_campaign())
    assert len(found) == 5
    assert len({d.response for d in found}) == 4
    assert sorted(d.criterion for d in found) == ["accuracy"] * 2 + ["completeness"] + ["format"] * 2
    assert not any(d.decides for d in found)
    assert {d.gap for d in found} == {1}
    assert all(d.first.owner and not d.second.owner for d in found)


def test_before_the_correction_five_responses_differed_two_of_them_by_the_fence():
    found = [d for d in disagreements(demo_campaign(first_pass=True)) if "fence" in d.second.codes]
    assert len({d.response for d in disagreements(demo_campaign(first_pass=True))}) == 5
    assert len([d for d in found if d.criterion == "format"]) == 2


def test_a_stale_reading_differs_from_nobody():
    campaign = demo_campaign()
    revised = outcome_of(campaign, with_anchor(larkfield(), "format", 1, "x"), date="2026-12-05").campaign
    assert disagreements(revised) == []


@pytest.mark.parametrize("agreed", [1, 2])
def test_an_anchor_kept_settles_this_response_alone(agreed):
    campaign = demo_campaign()
    after = settled(campaign, [Ended(response=S08, criterion="format", how=HowEnded.KEPT, agreed=agreed)])
    owner = next(r for r in after.owners() if r.response == S08)
    assert counted_grades(after, owner)["format"] == agreed
    assert after.readings == campaign.readings


def test_agreement_after_stands_beside_agreement_before():
    ended = [Ended(response=S08, criterion="format", how=HowEnded.KEPT, agreed=2)]
    after = settled(demo_campaign(), ended)
    assert agreement_of_readings(after).criteria["format"].equal == 26
    assert agreement_after(after).criteria["format"].equal == 27
    assert (agreement_of_readings(after).all_equal, agreement_after(after).all_equal) == (24, 25)


def test_a_sharpened_anchor_settles_nothing_and_waits_for_its_text():
    ended = [Ended(response=S08, criterion="format", how=HowEnded.SHARPENED)]
    campaign = demo_campaign()
    assert settled(campaign, ended).agreed == {}
    assert sharpened(ended) == {"format": (S08,)}
    assert not_yet_sharpened(ended, larkfield(), campaign.versions) == ("format",)
    edited = with_anchor(larkfield(), "format", 1, "A calque counts as a mistake")
    assert not_yet_sharpened(ended, edited, campaign.versions) == ()
    after = outcome_of(campaign, edited, date="2026-12-05").campaign
    assert not_yet_sharpened(ended, after.rubric, after.versions) == ()


def test_labels_have_no_gap():
    found = disagreements(demo_campaign())[0]
    label = replace(found, first=replace(found.first, grades={**found.first.grades, found.criterion: "x"}))
    assert label.gap is None
