"""Re-score: what an edit of the rubric changes, and nothing else.

:mod:`~lark_sheets.core.rescoring.edits` compares two rubrics, :mod:`~lark_sheets.core.rescoring.affected` finds the readings that an edit
touches and derives what the issue codes explain, :mod:`~lark_sheets.core.rescoring.outcome` puts old and new beside each other, and
:mod:`~lark_sheets.core.rescoring.record` keeps what brings the former state back.
"""

from lark_sheets.core.rescoring.affected import Affected, Why, affected_by
from lark_sheets.core.rescoring.edits import Declared, Edit, EditKind, compare, faults_of
from lark_sheets.core.rescoring.outcome import Outcome, outcome_of, oversight_of
from lark_sheets.core.rescoring.record import Record, undone

__all__ = [
    "Affected",
    "Declared",
    "Edit",
    "EditKind",
    "Outcome",
    "Record",
    "Why",
    "affected_by",
    "compare",
    "faults_of",
    "outcome_of",
    "oversight_of",
    "undone",
]
