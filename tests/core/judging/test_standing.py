"""The judge stands beside people: it never takes their place unless the campaign is declared judge-graded."""

import dataclasses

import pytest

from lark_sheets.core.campaign import Campaign, Grader, Item, Reading, Response
from lark_sheets.core.judging.consensus import summarise
from lark_sheets.core.judging.gate import Gate
from lark_sheets.core.judging.parsing import Unscored
from lark_sheets.core.judging.reasons import Reason
from lark_sheets.core.judging.standing import Stand, human_queue, may_see, readings, stand
from lark_sheets.core.judging.suspicion import Sign
from tests.core.judging.samples import opinion, rubric, subject

LARK = rubric()


@pytest.mark.parametrize(
    ("gate", "language", "deciding", "expected"),
    [
        (Gate.BLOCKING, "en", set(), Stand.BLOCKS),
        (Gate.BLOCKING, "fr", set(), Stand.FRENCH),
        (Gate.BLOCKING, "fr-CA", set(), Stand.FRENCH),
        (Gate.BLOCKING, "FR", set(), Stand.FRENCH),
        (Gate.BLOCKING, "en", {"K01-A"}, Stand.DECIDING),
        (Gate.BLOCKING, "en", None, Stand.DECIDING),  # before the reveal nobody knows which responses decide
        (Gate.INDICATIVE, "en", set(), Stand.BESIDE),
        (Gate.STALE, "en", set(), Stand.BESIDE),
        (Gate.NONE, "fr", set(), Stand.BESIDE),
    ],
)
def test_french_and_deciding_answers_stay_with_a_person_even_when_the_gate_is_open(
    gate, language, deciding, expected
):
    assert stand(subject(language=language), gate, judge_graded=False, deciding=deciding) is expected


@pytest.mark.parametrize("gate", list(Gate))
def test_in_a_judge_graded_campaign_its_grade_is_the_grade(gate):
    assert stand(subject(language="fr"), gate, judge_graded=True, deciding=None) is Stand.GRADES


def campaign(graded_by="people", *own):
    return Campaign(
        id="c",
        rubric=LARK,
        language="en",
        items=(Item(id="K01", text="t"),),
        responses=(Response(id="r1", item="K01", label="A", text="x"),),
        readings=own,
        graders=(Grader(name="g1"),),
        commitments=(),
        graded_by=graded_by,
    )


def human(grades=None, **changes):
    levels = dict.fromkeys(("accuracy", "completeness", "format", "abstention"), 2) | (grades or {})
    return Reading(
        **{"response": "r1", "grader": "g1", "owner": True, "grades": levels, "version": LARK.version}
        | changes
    )


def judged(*opinions):
    return summarise(LARK, subject(id="r1"), opinions)


@pytest.mark.parametrize(("graded_by", "owner"), [("people", False), ("judge", True)])
def test_the_judges_readings_are_owners_only_where_declared(graded_by, owner):
    (reading,) = readings(campaign(graded_by), [judged(opinion(LARK, {"format": 1}))], "m-1")
    assert (reading.grader, reading.owner, reading.version) == ("judge:m-1", owner, LARK.version)
    assert reading.grades == {"accuracy": 2, "completeness": 2, "format": 1, "abstention": 2}
    assert reading.reason == "fits"


def test_without_a_majority_there_is_no_level_to_enter():
    """Three repeats, three levels: the reading is incomplete and lowers coverage; nothing is averaged into a grade."""
    (reading,) = readings(
        campaign("judge"), [judged(*(opinion(LARK, {"format": v}) for v in (0, 1, 2)))], "m"
    )
    assert reading.grades["format"] is None
    assert not reading.is_complete


def test_an_unscored_response_gives_a_blank_reading():
    (reading,) = readings(campaign("judge"), [judged(Unscored(reason=Reason.REFUSAL))], "m")
    assert reading.is_blank


@pytest.mark.parametrize(
    ("own", "visible"),
    [
        ((human(),), True),
        ((human({"format": None}),), False),
        ((human(), human({"accuracy": None}, response="r2")), False),
        ((human(version=0),), False),
        ((), False),
        ((human(grader="g2"),), False),
    ],
)
def test_a_grader_sees_the_judges_column_only_after_finishing(own, visible):
    assert may_see(campaign("people", *own), "g1") is visible


def test_what_needs_a_person_is_listed_with_every_reason():
    one = judged(opinion(LARK), opinion(LARK, {"accuracy": 0}))
    two = dataclasses.replace(judged(opinion(LARK)), id="r2")
    three = dataclasses.replace(judged(Unscored(reason=Reason.RANGE)), id="r3")
    queue = human_queue([one, two, three], {"r1": (Sign("top_mark", "8/8"),)})
    assert [(q.id, q.why) for q in queue] == [("r1", ("divergent", "suspicious")), ("r3", ("no_grade",))]
