"""Where a grader stands with a response: one rule for the state cell, the counts and the progress bar."""

import pytest

from lark_sheets.core.campaign import Reading
from lark_sheets.core.rubric_reading import from_plain
from lark_sheets.core.states import STATES, below_top, state_of, state_of_grades

RUBRIC = from_plain(
    {
        "id": "small",
        "criteria": [
            {"id": c, "anchors": [{"level": n, "description": str(n)} for n in (0, 1, 2)]}
            for c in ("one", "two")
        ],
        "codes": [{"id": "slip", "caps": [{"criterion": "one", "cap": 1}]}],
    }
)
LABELS = from_plain(
    {
        "id": "labels",
        "criteria": [
            {
                "id": "what",
                "kind": "category",
                "anchors": [{"level": n, "description": n} for n in ("good", "bad")],
            }
        ],
    }
)


@pytest.mark.parametrize(
    ("grades", "explained", "refused", "state"),
    [
        ((None, None), False, (), "to_grade"),
        ((None, None), True, (), "to_grade"),  # a reason alone is no grade
        ((2, None), False, (), "started"),
        ((0, None), True, (), "started"),  # a zero that is written counts as given
        ((2, 2), False, (), "done"),  # nothing to explain
        ((2, 1), False, (), "reason"),
        ((2, 1), True, (), "done"),
        ((0, 0), False, (), "reason"),
        ((2, None), False, ("two",), "check"),
        ((None, None), False, ("one",), "check"),
        ((None, 2), True, ("one",), "check"),
    ],
)
def test_state_of_grades(grades, explained, refused, state):
    given = dict(zip(("one", "two"), grades, strict=True))
    assert state_of_grades(RUBRIC, given, explained=explained, refused=refused) == state
    reading = Reading(
        response="r1",
        grader="a",
        owner=True,
        grades=given,
        version=1,
        codes=("slip",) if explained else (),
        refused=refused,
    )
    assert state_of(reading, RUBRIC) == state
    assert state in STATES


@pytest.mark.parametrize(("label", "state"), [(None, "to_grade"), ("good", "done"), ("bad", "done")])
def test_labels_have_no_top_and_ask_for_no_reason(label, state):
    assert state_of_grades(LABELS, {"what": label}, explained=False) == state
    assert not below_top(LABELS, {"what": label})


def test_a_criterion_that_is_not_in_the_reading_is_blank():
    assert state_of_grades(RUBRIC, {"one": 2}, explained=True) == "started"
