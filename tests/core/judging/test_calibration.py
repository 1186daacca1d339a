"""The judge against people: which sets can tell anything, and what they tell."""

from fractions import Fraction

import pytest

from lark_sheets.core.judging.calibration import Case, Judged, Status, measure, set_fingerprint, set_status
from lark_sheets.core.judging.gate import Gate
from tests.core.judging.calibrations import calibration, case, lesson_003, verdict_cases
from tests.core.judging.samples import rubric

VERDICT = rubric("support-verdict")
REFUSALS = rubric("refusals")


def test_the_numbers_of_the_lesson():
    """22 labels, 13 acceptable and 9 not; the judge says 14 and 8 and differs once.

    po = 21/22 = 0.9545, pe = (13 x 14 + 9 x 8) / 22^2 = 0.5248, kappa = 0.9043, printed interval 0.541-0.983. The gate
    opens (the rule is on the point), and the calibration says that it is not conclusive and that 29 labels would be.
    """
    got = measure(lesson_003())
    table = got.binary
    assert (got.labelled, got.judged, table.equal, table.n) == (22, 22, 21, 22)
    assert table.table == ((13, 0), (1, 8))
    assert table.kappa.chance == Fraction(254, 484)
    assert round(float(got.kappa), 4) == 0.9043
    assert [round(end, 3) for end in table.kappa_interval] == [0.541, 0.983]
    assert (got.gate, got.why, got.conclusive, got.labels_needed) == (Gate.BLOCKING, (), False, 29)
    assert (got.sensitivity.k, got.sensitivity.n) == (13, 13)
    assert (got.specificity.k, got.specificity.n) == (8, 9)


def test_the_one_disagreement_points_at_the_rule():
    """People say unacceptable, yet their own grades pass by the written rule: the rule is told, not the judge."""
    (only,) = measure(lesson_003()).disagreements
    assert (only.case.id, only.human, only.judge, only.failed, only.by_rule) == (
        "C15",
        "no",
        "yes",
        ("request",),
        True,
    )
    assert only.case.reason == "fraud needs a person"


def test_a_judge_that_misreads_is_not_excused_by_the_rule():
    cases = verdict_cases(13, 9)
    wrong = calibration(cases, flipped=["C20"])
    (only,) = measure(wrong).disagreements
    assert (only.by_rule, only.failed) == (False, ("promise",))


@pytest.mark.parametrize(
    ("yes", "no", "status"),
    [
        (0, 0, Status.NONE),
        (10, 9, Status.TOO_SMALL),
        (22, 0, Status.UNBALANCED),
        (0, 22, Status.UNBALANCED),
        (15, 6, Status.UNBALANCED),  # 6 of 21 = 28.6 %
        (14, 6, Status.MEASURED),  # 6 of 20 = exactly 30 %
        (13, 9, Status.MEASURED),
    ],
)
def test_a_set_is_fit_from_20_labels_with_30_percent_of_the_rarer(yes, no, status):
    assert set_status(VERDICT, verdict_cases(yes, no)) is status


def test_a_set_of_easy_cases_proves_nothing():
    """22 obvious answers would give kappa 1 and show nothing: without borderline cases the gate stays shut."""
    easy = verdict_cases(13, 9, borderline=())
    assert set_status(VERDICT, easy) is Status.NO_BORDERLINE
    got = measure(calibration(easy))
    assert (got.kappa, got.gate, got.why) == (1, Gate.INDICATIVE, ("no_borderline",))


def test_cases_without_a_label_do_not_count_as_labels():
    """A case whose verdict nobody gave is not one of the 20."""
    cases = [
        *verdict_cases(10, 9),
        Case(id="X", ticket="t", response="r", grades=dict.fromkeys(["promise", "tone"])),
    ]
    assert set_status(VERDICT, cases) is Status.TOO_SMALL


def test_one_value_only_has_no_kappa_and_opens_nothing():
    got = measure(calibration(verdict_cases(22, 0)))
    assert (got.kappa, got.gate, got.conclusive, got.labels_needed) == (None, Gate.INDICATIVE, None, None)
    assert got.why == ("unbalanced", "kappa_undefined")
    assert got.binary.state == "undefined: one value only"


def test_a_case_the_judge_did_not_grade_shuts_the_gate_and_is_no_disagreement():
    """Twenty agreements and two refusals: kappa over 20 is 1, but the two may be the hard ones."""
    got = measure(calibration(verdict_cases(13, 9), unscored={"C01": "refusal", "C22": "truncated"}))
    assert (got.labelled, got.judged, got.binary.n, got.kappa) == (22, 20, 20, 1)
    assert (got.gate, got.why) == (Gate.INDICATIVE, ("not_all_judged",))
    assert (got.unscored, got.disagreements) == ({"refusal": 1, "truncated": 1}, ())


def test_below_three_fifths_the_judge_only_indicates():
    got = measure(calibration(verdict_cases(13, 9), flipped=["C01", "C02", "C14", "C15", "C16"]))
    assert got.kappa < Fraction(3, 5)
    assert (got.gate, got.why) == (Gate.INDICATIVE, ("kappa_low",))


def test_agreement_per_criterion_is_shown_and_gates_nothing():
    """The judge is wrong on every tone and right on every verdict: the gate stays open."""
    tone = calibration(verdict_cases(13, 9), levels={"tone": 0})
    got = measure(tone)
    assert got.criteria["tone"].equal == 0
    assert got.gate is Gate.BLOCKING


def test_groups_are_measured_apart():
    got = measure(lesson_003())
    assert {name: (a.equal, a.n) for name, a in got.by_language.items()} == {"en": (10, 11), "fr": (11, 11)}
    assert sum(a.n for a in got.by_family.values()) == 22


def test_a_category_is_measured_as_full_refusal_or_not_and_by_class():
    """002: binary 24/24 and three-class 19/24 are two numbers; a partial refusal taken for an answer costs only one."""
    labels = ["full_refusal"] * 10 + ["substantive"] * 9 + ["partial_refusal"] * 5
    cases = [case(f"R{n:02}", {"category": label}, borderline=n == 0) for n, label in enumerate(labels)]
    judged = {
        c.id: {
            "category": "substantive" if c.grades["category"] == "partial_refusal" else c.grades["category"]
        }
        for c in cases
    }
    got = measure(calibration(cases, of=REFUSALS, judged=judged))
    assert (got.binary.equal, got.binary.n) == (24, 24)
    assert (got.criteria["category"].equal, got.criteria["category"].n) == (19, 24)
    assert got.gate is Gate.BLOCKING


def test_a_rubric_without_outcome_only_indicates():
    ours = rubric("aws-assistant")
    cases = [
        case(f"A{n:02}", {"format": n % 4, "validity": n % 5, "adequacy": n % 4}, borderline=n == 3)
        for n in range(24)
    ]
    got = measure(calibration(cases, of=ours))
    assert (got.binary, got.gate, got.why) == (None, Gate.INDICATIVE, ("no_outcome",))
    assert (got.labelled, got.judged) == (24, 24)
    assert {c: a.equal for c, a in got.criteria.items()} == {"format": 24, "validity": 24, "adequacy": 24}


def test_dispersion_counts_the_cases_on_which_all_repeats_agree():
    cases = verdict_cases(13, 9)
    whole = calibration(cases)
    judged = dict(whole.judged)
    for key, outcomes in {
        "C01": ("acceptable",) * 3,
        "C02": ("acceptable", "unacceptable", "acceptable"),
    }.items():
        judged[key] = Judged(levels=judged[key].levels, verdict="acceptable", outcomes=outcomes, unscored={})
    got = measure(calibration(cases, replace=judged))
    assert (got.steady.k, got.steady.n) == (1, 2)


def test_a_sets_fingerprint_sees_texts_and_labels_not_the_order_of_rows():
    cases = verdict_cases(13, 9)
    assert set_fingerprint(cases) == set_fingerprint(cases[::-1])
    assert set_fingerprint(cases) != set_fingerprint(cases[:-1])
    assert set_fingerprint(cases) != set_fingerprint(verdict_cases(13, 9, borderline=("C09",)))
