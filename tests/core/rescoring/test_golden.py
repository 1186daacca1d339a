"""The golden case: the application now strips code fences; what changes, what stays, for every run and reader.

The figures are those of the exercise that the product was built for; the second run they touch follows from the same rule.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from lark_sheets.core.rescoring import Declared, EditKind, Why, outcome_of, oversight_of, undone
from lark_sheets.core.scoring import agreement_of_readings
from tests.core.rescoring.demo import (
    GEMINI_PRO,
    GEMMA,
    checks,
    demo_campaign,
    larkfield,
    name_of,
    reading,
    rows,
    run_of,
    tolerating_fence,
    with_anchor,
)

DATE = "2026-12-05"
NEW_ANCHOR = (
    "Fine after a touch-up: text around the JSON, stray English sentence, mistake, six sentences or more"
)


def revision(sheet, declared=Declared(), campaign=None, records=()):  # noqa: B008
    return outcome_of(
        campaign or demo_campaign(),
        sheet,
        date=DATE,
        declared=declared,
        records=records,
        checks=checks,
        run_of=run_of(),
    )


@pytest.fixture(params=["cap alone", "cap and anchor, declared covered"])
def outcome(request):
    if request.param == "cap alone":
        return revision(tolerating_fence())
    sheet = with_anchor(tolerating_fence(), "format", 1, NEW_ANCHOR)
    return revision(sheet, Declared(covered=frozenset({"format"})))


def counts(agreement):
    return [a.equal for a in agreement.criteria.values()], agreement.all_equal, agreement.all_n


def test_25_responses_and_29_readings_carry_the_fence(outcome):
    assert len(outcome.affected.responses) == 25
    assert len(outcome.affected.carriers) == 29
    assert Counter(run_of()[r] for r in outcome.affected.responses) == {GEMMA: 24, GEMINI_PRO: 1}


def test_20_owner_grades_and_2_of_the_second_reader_change(outcome):
    assert Counter(run_of()[c.key[0]] for c in outcome.owner_changes) == {GEMMA: 19, GEMINI_PRO: 1}
    assert len(outcome.changes) == 22
    assert {(c.criterion, c.old, c.new, c.codes) for c in outcome.changes} == {("format", 1, 2, ("fence",))}
    assert outcome.work == ()


def test_five_of_gemma_stay_by_their_other_codes(outcome):
    after = {
        r.response.split("/")[0]: r.grades["format"]
        for r in outcome.campaign.owners()
        if run_of()[r.response] == GEMMA
    }
    assert Counter(after.values()) == {2: 19, 1: 3, 0: 2}
    assert {item: level for item, level in after.items() if level != 2} == {
        "S09": 1,
        "M01": 1,
        "M02": 1,
        "S12": 0,
        "D03": 0,
    }


def test_figures_by_run_before_and_after(outcome):
    runs = {compared.run: compared for compared in outcome.runs}
    gemma, gemini = runs[GEMMA], runs[GEMINI_PRO]
    assert (gemma.before.points, gemma.after.points) == (111, 130)
    assert (gemma.before.score, gemma.after.score) == (Fraction(185, 32), Fraction(325, 48))  # 5.78, 6.77
    assert (gemma.before.ready, gemma.after.ready) == (6, 6)
    assert (
        gemma.before.zeros
        == gemma.after.zeros
        == {"accuracy": 6, "completeness": 6, "format": 2, "abstention": 0}
    )
    assert (gemini.before.points, gemini.after.points) == (190, 191)
    assert (gemini.before.ready, gemini.after.ready) == (24, 24)
    others = [c for name, c in runs.items() if name not in (GEMMA, GEMINI_PRO)]
    assert len(others) == 6
    assert all(c.before == c.after and c.changed == 0 for c in others)


def test_no_decision_changes_and_20_totals_do(outcome):
    assert outcome.decisions == ()
    assert outcome.totals_changed == 20


def test_agreement_stays(outcome):
    expected = ([26, 27, 26, 28], 24, 28)
    assert counts(outcome.agreement_before) == counts(outcome.agreement_after) == expected


def test_a_second_press_is_nothing(outcome):
    again = revision(outcome.campaign.rubric, campaign=outcome.campaign, records=[outcome.record])
    assert again.is_nothing
    assert again.changes == again.work == ()
    assert again.campaign is outcome.campaign


def test_every_reading_carries_the_new_version_and_undo_is_the_identity(outcome):
    assert {r.version for r in outcome.campaign.readings} == {2}
    back, problems = undone(outcome.campaign, outcome.record)
    assert not problems
    assert back.readings == demo_campaign().readings
    assert back.rubric == larkfield()


def test_the_anchor_alone_sends_every_reading_of_the_criterion_to_people():
    outcome = revision(with_anchor(tolerating_fence(), "format", 1, NEW_ANCHOR))
    assert {edit.kind for edit in outcome.edits} == {EditKind.CAP_CHANGED, EditKind.MEANING}
    assert outcome.changes == ()
    assert Counter(w.key[1] for w in outcome.work) == {"reader-1": 192, "reader-2": 28}
    assert {(w.criterion, w.why) for w in outcome.work} == {("format", Why.MEANING)}
    assert outcome.whole.after.graded == 0
    assert outcome.agreement_after.all_n == 0


def test_before_the_reveal_no_run_is_named():
    outcome = revision(tolerating_fence(), campaign=demo_campaign(revealed=False))
    assert outcome.runs == ()
    assert outcome.whole.after.points - outcome.whole.before.points == 20


def test_an_unrecorded_english_sentence_goes_to_people_not_to_2():
    """S09 of Gemma without its recorded English sentence: the checks still see it."""
    campaign = demo_campaign()
    place = next(n for n, r in enumerate(campaign.readings) if r.response == f"S09/{GEMMA}" and r.owner)
    hidden = campaign.readings[place]
    bare = replace(hidden, codes=tuple(c for c in hidden.codes if c != "english_phrase"))
    changed = replace(campaign, readings=(*campaign.readings[:place], bare, *campaign.readings[place + 1 :]))
    outcome = revision(tolerating_fence(), campaign=changed)
    assert [(w.key[0], w.why, w.codes) for w in outcome.work] == [
        (f"S09/{GEMMA}", Why.FURTHER_CODE, ("english_phrase",))
    ]
    assert bare.key not in {c.key for c in outcome.changes}


class TestFirstComparison:
    """Before the fence was noticed: 26/27/24/28 and 23 of 28; after the correction 26/27/26/28 and 24 of 28."""

    @pytest.fixture
    def correction(self):
        return oversight_of(
            demo_campaign(first_pass=True), "fence", date=DATE, checks=checks, run_of=run_of()
        )

    def test_the_first_comparison(self, correction):
        assert counts(correction.agreement_before) == ([26, 27, 24, 28], 23, 28)

    def test_all_25_responses_go_back_to_the_reader_who_missed_it_and_nothing_is_guessed(self, correction):
        assert len(correction.affected.responses) == 25
        assert len(correction.affected.carriers) == 29
        assert Counter((w.key[1], w.criterion, w.why) for w in correction.work) == {
            ("reader-1", "format", Why.OVERSIGHT): 25
        }
        assert correction.changes == ()
        assert correction.campaign.rubric.fingerprint == larkfield().fingerprint

    def test_a_second_press_is_nothing(self, correction):
        again = oversight_of(
            correction.campaign,
            "fence",
            date=DATE,
            records=[correction.record],
            checks=checks,
            run_of=run_of(),
        )
        assert again.is_nothing

    def test_agreement_after_the_readings_came_back(self, correction):
        corrected = {name_of(row): reading(row, owner=True, version=2) for row in rows("grades_reader_1.csv")}
        waiting = {w.key[0] for w in correction.work}
        readings = tuple(
            corrected[r.response] if r.owner and r.response in waiting else r
            for r in correction.campaign.readings
        )
        after = replace(correction.campaign, readings=readings)
        assert counts(agreement_of_readings(after)) == ([26, 27, 26, 28], 24, 28)
        assert correction.record.figures["all"] == [23, 28]
        again = oversight_of(after, "fence", date=DATE, records=[correction.record], checks=checks)
        assert again.is_nothing

    def test_half_way_the_corrected_and_the_others_are_not_compared(self, correction):
        """The 4 shared responses that wait leave the sample until they are read again."""
        assert correction.agreement_after.all_n == 24
