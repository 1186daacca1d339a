"""Where a grader stands with one response: the one rule behind the state cell, the counts and the progress bar."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from lark_sheets.core.campaign import Reading
from lark_sheets.core.rubric import Level, Rubric

TO_GRADE = "to_grade"
STARTED = "started"
REASON = "reason"
CHECK = "check"
DONE = "done"
STATES = (TO_GRADE, STARTED, CHECK, REASON, DONE)
"""Keys of the states, in the order of work."""


def below_top(rubric: Rubric, grades: Mapping[str, Level | None]) -> bool:
    """Say whether a grade is below its criterion's top; labels have no top, and a blank is no grade."""
    return any(
        not c.is_category and grades.get(c.id) is not None and grades[c.id] != c.top for c in rubric.criteria
    )


def state_of_grades(
    rubric: Rubric,
    grades: Mapping[str, Level | None],
    *,
    explained: bool,
    refused: Collection[str] = (),
) -> str:
    """Return the state of one reading.

    ``refused`` names the criteria whose cell holds something that is no grade, ``explained`` says whether a code or a
    reason stands in the row. Refused cells come first: what is typed there must be looked at before anything else.
    """
    if refused:
        return CHECK
    given = [grades.get(c.id) is not None for c in rubric.criteria]
    if not any(given):
        return TO_GRADE
    if not all(given):
        return STARTED
    return REASON if below_top(rubric, grades) and not explained else DONE


def state_of(reading: Reading, rubric: Rubric) -> str:
    """Return the state of a reading: ``to_grade``, ``started``, ``check``, ``reason`` or ``done``."""
    explained = bool(reading.codes or reading.reason)
    return state_of_grades(rubric, reading.grades, explained=explained, refused=reading.refused)
