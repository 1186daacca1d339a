"""A calibration holds as long as its conditions do, and again when they are restored."""

import datetime as dt
import json

import pytest

from lark_sheets.core.judging.calibration import measure, set_fingerprint
from lark_sheets.core.judging.gate import Gate
from lark_sheets.core.judging.prompting import prompt_for
from lark_sheets.core.judging.staleness import calibration_from_plain, calibration_plain, trust
from lark_sheets.core.rubric import to_plain
from lark_sheets.core.rubric_reading import from_plain
from tests.core.judging.calibrations import VERDICT, calibration, lesson_003, verdict_cases
from tests.core.judging.samples import config

TODAY = dt.date(2026, 11, 29)
SAME = lesson_003().conditions


def test_without_any_calibration_there_is_no_gate():
    got = trust([], SAME, today=TODAY)
    assert (got.gate, got.why, got.conclusive, got.checked) == (Gate.NONE, ("never_calibrated",), None, False)


def test_under_the_same_conditions_it_blocks_and_says_that_it_is_not_conclusive():
    got = trust([lesson_003()], SAME, today=TODAY)
    assert (got.gate, got.changed, got.conclusive, got.checked) == (Gate.BLOCKING, (), False, True)


def edited_rubric():
    plain = to_plain(VERDICT)
    plain["criteria"][2]["anchors"][0]["description"]["en"] += " at all"
    return from_plain(plain)


@pytest.mark.parametrize(
    ("conditions", "changed"),
    [
        (prompt_for(edited_rubric(), config()).conditions, ("rubric", "prompt")),
        (prompt_for(VERDICT, config(model="judge-model-2")).conditions, ("model",)),
        (prompt_for(VERDICT, config(provider="vertex")).conditions, ("provider",)),
        (prompt_for(VERDICT, config(policy="new rules")).conditions, ("prompt",)),
        (prompt_for(VERDICT, config(order=("tone",))).conditions, ("prompt", "schema")),
        (prompt_for(VERDICT, config(effort="high")).conditions, ("effort",)),
    ],
)
def test_any_changed_condition_makes_it_stale_and_restoring_it_makes_it_hold(conditions, changed):
    stale = trust([lesson_003()], conditions, today=TODAY)
    assert (stale.gate, stale.changed) == (Gate.STALE, changed)
    assert not stale.checked
    assert trust([lesson_003()], SAME, today=TODAY).gate is Gate.BLOCKING


def test_another_model_that_served_makes_it_stale():
    """An alias that silently moved to a new version: the model asked is the same, the one that answered is not."""
    import dataclasses

    now = dataclasses.replace(SAME, served=("served-2",))
    assert trust([lesson_003()], now, today=TODAY).changed == ("served",)
    assert (
        trust([lesson_003()], dataclasses.replace(SAME, served=("served-1",)), today=TODAY).gate
        is Gate.BLOCKING
    )


def test_the_newest_one_under_the_same_conditions_holds():
    """What was tried with another model in between does not matter; a later, worse measurement does."""
    other = calibration(verdict_cases(13, 9), model="judge-model-2", date="2026-11-10")
    worse = calibration(verdict_cases(13, 9), flipped=["C01", "C02", "C14", "C15", "C16"], date="2026-11-20")
    assert trust([lesson_003(), other], SAME, today=TODAY).gate is Gate.BLOCKING
    assert trust([lesson_003(), other, worse], SAME, today=TODAY).gate is Gate.INDICATIVE


def test_a_changed_set_of_labels_makes_it_stale():
    """A missed case entered the set: the old figures no longer speak for it."""
    cases = lesson_003().cases
    assert (
        trust([lesson_003()], SAME, today=TODAY, set_fingerprint=set_fingerprint(cases)).gate is Gate.BLOCKING
    )
    bigger = set_fingerprint([*cases, *verdict_cases(1, 0)])
    assert trust([lesson_003()], SAME, today=TODAY, set_fingerprint=bigger).changed == ("labels",)


@pytest.mark.parametrize(("day", "old"), [(dt.date(2027, 1, 30), None), (dt.date(2027, 1, 31), 91)])
def test_after_90_days_its_age_is_told(day, old):
    assert trust([lesson_003()], SAME, today=day).old == old


def test_checked_asks_for_20_judged_labels_and_no_threshold():
    """002: binary and three-class agreement are shown; a poor judge is still a checked one."""
    poor = calibration(verdict_cases(13, 9), flipped=["C01", "C02", "C14", "C15", "C16"])
    assert trust([poor], SAME, today=TODAY).checked
    few = calibration(verdict_cases(13, 9), unscored={"C01": "refusal", "C02": "refusal", "C03": "refusal"})
    assert not trust([few], SAME, today=TODAY).checked


def test_a_kept_calibration_gives_the_same_figures():
    """Kept as JSON, read again, measured again: nothing was lost."""
    kept = json.loads(json.dumps(calibration_plain(lesson_003())))
    again = calibration_from_plain(kept)
    assert again == lesson_003()
    assert measure(again).kappa == measure(lesson_003()).kappa
