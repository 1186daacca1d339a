"""001's tables: means by type and difficulty, the weakest three with their weaknesses, impossible gradings counted apart."""

from fractions import Fraction

from lark_sheets.core.judging.consensus import summarise
from lark_sheets.core.judging.parsing import Unscored
from lark_sheets.core.judging.reasons import Reason
from lark_sheets.core.judging.spot_check import draw, spot_check
from lark_sheets.core.judging.tables import group_means, impossible, overall_mean, weakest
from tests.core.judging.samples import opinion, rubric, subject

AWS = rubric("aws-assistant")
REFUSALS = rubric("refusals")
NONE = Unscored(reason=Reason.NOT_JSON)


def graded(name, *levels, of=AWS, **changes):
    """A response and what the judge holds of it: one (format, validity, adequacy) triple per valid repeat."""
    one = subject(name, **changes)
    opinions = [
        NONE
        if v is None
        else opinion(
            of, dict(zip(("format", "validity", "adequacy"), v, strict=True)), weaknesses=f"weak {name}"
        )
        for v in levels
    ]
    return one, summarise(of, one, opinions)


PAIRS = [
    graded("T1-A", (3, 4, 3), (3, 4, 2), type="python", difficulty="easy"),  # 9.5
    graded("T2-A", (1, 2, 1), type="python", difficulty="hard"),  # 4
    graded("T3-A", (3, 0, 1), type="json", difficulty="hard"),  # 4
    graded("T4-A", (0, 0, 0), type="json", difficulty="easy"),  # 0: written zeros count
    graded("T5-A", None, None, type="regex", difficulty="hard"),  # impossible
]
INPUTS = [one for one, _ in PAIRS]
SUMMARIES = {s.id: s for _, s in PAIRS}


def test_means_by_type_count_only_what_was_graded():
    got = {g.group: (g.mean, g.graded, g.responses) for g in group_means(INPUTS, SUMMARIES, lambda i: i.type)}
    assert got == {"json": (2, 2, 2), "python": (Fraction(27, 4), 2, 2), "regex": (None, 0, 1)}


def test_means_by_difficulty():
    got = {g.group: (g.mean, g.graded) for g in group_means(INPUTS, SUMMARIES, lambda i: i.difficulty)}
    assert got == {"easy": (Fraction(19, 4), 2), "hard": (4, 2)}


def test_the_overall_mean_leaves_out_the_impossible():
    """(9.5 + 4 + 4 + 0) / 4, not / 5."""
    got = overall_mean(INPUTS, SUMMARIES)
    assert (got.mean, got.graded, got.responses) == (Fraction(35, 8), 4, 5)
    assert impossible(list(SUMMARIES.values())) == 1


def test_all_gradings_failed_is_no_grade():
    one, summary = graded("T1-A", None)
    got = overall_mean([one], {one.id: summary})
    assert (got.mean, got.graded, got.responses) == (None, 0, 1)
    assert weakest([summary]) == ()
    assert overall_mean([], {}).mean is None


def test_the_weakest_three_with_ties_in_the_order_of_items():
    got = weakest(list(SUMMARIES.values())[::-1])
    assert [(w.item, w.total) for w in got] == [("T4", 0), ("T2", 4), ("T3", 4)]
    assert got[0].weaknesses == "weak T4-A"


def test_the_ten_to_check_do_not_depend_on_the_judge():
    things = [subject(f"K{n:02}-A", language="fr" if n % 2 else "en") for n in range(40)]
    got = draw(things)
    assert len(got) == 10
    assert sum(i.language == "fr" for i in got) == 5


def triple(*levels):
    return dict(zip(("format", "validity", "adequacy"), levels, strict=True))


def test_only_more_than_two_points_is_a_difference():
    """001: over two points apart, sharpen the rubric. Exactly two is not over."""
    given = {
        "T1-A": triple(3, 4, 0),
        "T2-A": triple(1, 4, 1),
        "T3-A": triple(3, 4, 1),
        "T4-A": triple(0, 0, 0),
    }
    got = spot_check(AWS, given, list(SUMMARIES.values()))
    assert got.compared == 4
    # T1: 7 against 9.5; T2: 6 against 4 is exactly two; T3: 8 against 4; T4: equal
    assert [(d.id, d.human, d.judge, d.criteria) for d in got.differences] == [
        ("T1-A", 7, Fraction(19, 2), ("adequacy",)),
        ("T3-A", 8, 4, ("validity",)),
    ]


def test_what_one_side_did_not_grade_is_named_and_not_compared():
    given = {"T5-A": triple(1, 1, 1), "T4-A": triple(0, None, 0), "gone": triple(1, 1, 1)}
    got = spot_check(AWS, given, list(SUMMARIES.values()))
    assert (got.compared, got.differences) == (0, ())
    assert (got.not_graded_by_person, got.not_graded_by_judge) == (("T4-A",), ("T5-A", "gone"))


def test_labels_differ_when_they_are_not_the_same():
    one = subject("R1-A")
    held = summarise(REFUSALS, one, [opinion(REFUSALS, {"category": "partial_refusal"})])
    (difference,) = spot_check(REFUSALS, {"R1-A": {"category": "full_refusal"}}, [held]).differences
    assert (difference.human, difference.judge) == ("full_refusal", "partial_refusal")
    assert spot_check(REFUSALS, {"R1-A": {"category": "partial_refusal"}}, [held]).differences == ()
