"""What came of a button, as plain values, and as the lines that a person reads in a workbook, in a message box, or on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lark_sheets.core.language import Translator
from lark_sheets.core.problems import place, sentences
from lark_sheets.errors import Problem, Severity

MOST_IN_A_BOX = 8
"""Problems that a message box shows; the sheet for messages shows all."""
TITLE = "Lark Sheets"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a button: one line; what to tell; titled tables; files to show; in whose workbook the message stands.

    ``book`` is the campaign's workbook; None puts the message into the workbook where the button was pressed, if that is ours.
    """

    line: str
    problems: Sequence[Problem] = ()
    tables: Sequence[tuple[str, Sequence[Sequence[str]]]] = ()
    hint: str = ""
    show: Sequence[Path] = ()
    book: Path | None = None

    @property
    def is_fault(self) -> bool:
        """Say whether something is wrong that a person must put right."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)


def lines(outcome: Outcome, t: Translator) -> list[list[str]]:
    """Return the lines of the sheet for messages: title, outcome, hint, then problems and tables."""
    found = [[TITLE], [outcome.line], [outcome.hint]]
    if outcome.problems:
        found += [[], [t("Where"), t("What"), t("Expected"), t("To do")]]
        for problem in sorted(outcome.problems, key=_weight):
            words = sentences(problem, t)
            found.append([place(problem, t), words.what, words.expected, words.remedy])
    for title, rows in outcome.tables:
        found += [[], [title], *(list(row) for row in rows)]
    return found


def box(outcome: Outcome, t: Translator) -> str:
    """Return the text of a message box: the outcome, the first problems with their remedies."""
    parts = [outcome.line]
    told = sorted(outcome.problems, key=_weight)
    for problem in told[:MOST_IN_A_BOX]:
        words = sentences(problem, t)
        where = place(problem, t)
        parts.append(f"• {where + ' – ' if where else ''}{words.what}\n   {words.remedy}")
    if len(told) > MOST_IN_A_BOX:
        parts.append(t.count("… and {n} more", "… and {n} more", len(told) - MOST_IN_A_BOX))
    if outcome.hint:
        parts.append(outcome.hint)
    return "\n\n".join(parts)


def _weight(problem: Problem) -> int:
    return list(Severity).index(problem.severity)
