"""The live formulas of a workbook: plain A1 references and functions that every spreadsheet computes alike.

Each formula comes with the value that Python computes for the same cells, so that a file shows the right figures before any program
has computed it. The test of a cell is deliberately long: it alone tells a level from a blank, a text, a truth value and an error in Excel,
LibreOffice and Gnumeric alike. Counting is done by SUMPRODUCT, which knows no wildcards ("reason?").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lark_sheets.core.campaign import Reading
from lark_sheets.core.cells import address, column_letters
from lark_sheets.core.language import Translator
from lark_sheets.core.rubric import Combine, Criterion, Level, Rubric, TestKind, VerdictRow, VerdictTest
from lark_sheets.core.scoring import total
from lark_sheets.core.states import DONE, STATES, state_of_grades
from lark_sheets.workbook import layout

BAR = 24
"""Squares of the progress bar."""
FULL, EMPTY = "■", "□"


class Computed(NamedTuple):
    """A formula with the value it computes to."""

    formula: str
    value: str | int | float


LITERAL = 250
"""Characters of one text within a formula; Excel takes 255."""


def quoted(text: str) -> str:
    """Return a text as a formula writes it; a long one in pieces joined by &."""
    pieces = [text[start : start + LITERAL] for start in range(0, len(text), LITERAL)] or [""]
    return "&".join('"' + piece.replace('"', '""') + '"' for piece in pieces)


def sheet_reference(name: str) -> str:
    """Return a sheet's name as a formula writes it, quoted: every name of ours is read alike so."""
    return "'" + name.replace("'", "''") + "'"


def place_reference(sheet: str, row: int, column: int) -> str:
    """Return an absolute reference to a cell of another sheet."""
    return f"{sheet_reference(sheet)}!${column_letters(column)}${row}"


def range_reference(sheet: str, column: int, first: int, last: int) -> str:
    """Return an absolute reference to a part of a column of another sheet."""
    letters = column_letters(column)
    return f"{sheet_reference(sheet)}!${letters}${first}:${letters}${last}"


# -- one row -------------------------------------------------------------------------------------------------------------


def is_level(cell: str, criterion: Criterion) -> str:
    """Return the test "this cell holds a grade of the criterion".

    A number that is a level (also one merely formatted as a date), or for labels a text that is one in either language.
    Blank, text, TRUE, errors and other numbers are none.
    """
    if criterion.is_category:
        return f"IF(TYPE({cell})=2,{_is_label(cell, criterion, criterion.levels)},FALSE)"
    levels = ",".join(f"{cell}={level}" for level in criterion.levels)
    return f"IF(AND(TYPE({cell})=1,COUNT({cell})=1),OR({levels}),FALSE)"


def _is_label(cell: str, criterion: Criterion, levels: Iterable[Level]) -> str:
    names = [name for level in levels for name in (*criterion.anchor(level).name.both(), str(level))]
    unique = dict.fromkeys(name.lower() for name in names)
    return "OR(" + ",".join(f"LOWER({cell})={quoted(name)}" for name in unique) + ")"


def _sum(terms: Iterable[str]) -> str:
    return "+".join(terms) or "0"


@dataclass(frozen=True, slots=True)
class RowFormulas:
    """The formulas of one row of grades; ``cells`` gives the address of each column by its key."""

    rubric: Rubric
    cells: Mapping[str, str]

    def _levels(self) -> list[str]:
        return [is_level(self.cells[c.id], c) for c in self.rubric.criteria]

    def _complete(self) -> str:
        return f"AND({','.join(self._levels())})"

    def _points(self) -> str:
        return _sum(self.cells[c.id] for c in self.rubric.criteria if not c.is_category)

    def total(self) -> str:
        """Return the sum of the levels, blank while a grade is missing or is none."""
        return f'=IF({self._complete()},{self._points()},"")'

    def verdict(self, words: Mapping[str, str]) -> str:
        """Return the rubric's rows as nested conditions; ``words`` gives what each outcome is called on screen."""
        *rows, last = self.rubric.verdict
        expression = quoted(words[last.outcome])
        for row in reversed(rows):
            expression = f"IF({self._row(row)},{quoted(words[row.outcome])},{expression})"
        return f'=IF({self._complete()},{expression},"")'

    def _row(self, row: VerdictRow) -> str:
        if row.combine is Combine.OTHERWISE:
            return "TRUE"
        tests = ",".join(self._test(test) for test in row.tests)
        return f"{'AND' if row.combine is Combine.ALL else 'OR'}({tests})"

    def _test(self, test: VerdictTest) -> str:
        match test.kind:
            case TestKind.LABEL:
                return _is_label(self.cells[test.target], self.rubric.criterion(test.target), [test.label])
            case TestKind.LEVEL:
                if self.rubric.criterion(test.target).is_category:
                    return "FALSE"
                return f"{self.cells[test.target]}{test.operator}{test.number}"
            case TestKind.COUNT:
                chosen = [
                    c
                    for c in self.rubric.criteria
                    if test.target in ("all", str(c.kind)) and not c.is_category
                ]
                return f"({_sum(f'IF({self.cells[c.id]}={test.level},1,0)' for c in chosen)}){test.operator}{test.number}"
            case TestKind.TOTAL:
                return f"({self._points()}){test.operator}{test.number}"

    def state(self, words: Mapping[str, str]) -> str:
        """Return where the grader stands with the row; ``words`` gives what each state is called on screen."""
        criteria = [self.cells[c.id] for c in self.rubric.criteria]
        blanks = _sum(f"COUNTBLANK({cell})" for cell in criteria)
        valid = _sum(f"IF({test},1,0)" for test in self._levels())
        said = {key: quoted(word) for key, word in words.items()}
        done = said[DONE]
        maximum = self.rubric.total_max
        reasons = [self.cells[key] for key in layout.EXPLANATIONS if key in self.cells]
        if maximum is not None and reasons:
            unexplained = f"{_sum(f'COUNTBLANK({cell})' for cell in reasons)}={len(reasons)}"
            done = f"IF(AND({self._points()}<{maximum},{unexplained}),{said['reason']},{done})"
        return (
            f"=IF({blanks}={len(criteria)},{said['to_grade']},"
            f"IF({valid}+{blanks}<{len(criteria)},{said['check']},"
            f"IF({blanks}>0,{said['started']},{done})))"
        )


def row_formulas(
    columns: Mapping[str, int], row: int, rubric: Rubric, language: str, reading: Reading
) -> dict[str, Computed]:
    """Return the formulas of one row of the grading table, by column key, each with its value for ``reading``.

    ``columns`` maps the keys of the table's columns to their places (1-based), wherever they stand; a column that a person
    removed gets no formula. Cells that were refused hold no grade: their row shows "check".
    """
    cells = {key: address(row, column) for key, column in columns.items()}
    write = RowFormulas(rubric, cells)
    formulas: dict[str, Computed] = {}
    points = total(rubric, reading.grades)
    if "total" in columns and rubric.total_max is not None:
        formulas["total"] = Computed(write.total(), "" if points is None else points)
    if "verdict" in columns and rubric.verdict:
        outcome = rubric.decide(reading.grades)
        words = outcome_words(rubric, language)
        formulas["verdict"] = Computed(write.verdict(words), "" if outcome is None else words[outcome])
    if "state" in columns:
        explained = bool(reading.codes or reading.reason)
        state = state_of_grades(rubric, reading.grades, explained=explained, refused=reading.refused)
        formulas["state"] = Computed(write.state(state_words(language)), layout.STATES[state].in_(language))
    return formulas


def outcome_words(rubric: Rubric, language: str) -> dict[str, str]:
    """Return what each outcome is called in the verdict cell: yes and no where the column asks "ready?", else its name."""
    if layout.is_yes_or_no(rubric):
        yes, no = layout.YES.in_(language), layout.NO.in_(language)
        return {outcome: yes if outcome == rubric.favourable else no for outcome in rubric.outcomes}
    return {outcome: words.in_(language) or outcome for outcome, words in rubric.outcomes.items()}


def state_words(language: str) -> dict[str, str]:
    """Return what each state is called on screen."""
    return {key: words.in_(language) for key, words in layout.STATES.items()}


# -- the whole table -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class GradingPlace:
    """Where the grading table stands: sheet name, first data row, last row that counts cover, places of the columns.

    ``jump`` is the key of the column that the link to the next response leads to: the first grade.
    """

    sheet: str
    first: int
    last: int
    columns: Mapping[str, int]
    jump: str

    def range(self, key: str) -> str:
        """Return the absolute reference to a column's data."""
        return range_reference(self.sheet, self.columns[key], self.first, self.last)


class RowState(NamedTuple):
    """One row of the grading table as counts see it."""

    grader: str
    state: str


def summary_formulas(
    place: GradingPlace, rows: Sequence[RowState], graders: Sequence[str], translate: Translator
) -> dict[str, Computed]:
    """Return every formula that sums the grading table up, by a key of its own, with its value.

    ``progress`` (words and a bar), ``next`` (a link to the first row that is not done), ``rows``, ``count/<state>`` and
    ``count/<state>/<grader>``. Cells below the table are blank and count nothing, so that rows added later are covered.
    """
    words = state_words(translate.language)
    states = place.range("state")
    total_rows = f'SUMPRODUCT(({states}<>"")*1)'
    done = f"SUMPRODUCT(({states}={quoted(words[DONE])})*1)"
    count = {key: sum(row.state == key for row in rows) for key in STATES}
    summary = {
        "rows": Computed(f"={total_rows}", len(rows)),
        "progress": _progress(done, total_rows, count[DONE], len(rows), translate),
        "next": _next(place, rows, translate),
    }
    for key in STATES:
        test = f"({states}={quoted(words[key])})"
        summary[f"count/{key}"] = Computed(f"=SUMPRODUCT({test}*1)", count[key])
        if "grader" not in place.columns:
            continue
        for grader in graders:
            mine = f"({place.range('grader')}={quoted(grader)})"
            value = sum(row.state == key and row.grader == grader for row in rows)
            summary[f"count/{key}/{grader}"] = Computed(f"=SUMPRODUCT({mine}*{test})", value)
    return summary


def _progress(done: str, total_rows: str, k: int, n: int, translate: Translator) -> Computed:
    before, between, after = translate("Graded: {done} of {total}  ", done="\0", total="\0").split("\0")
    squares = f"INT({BAR}*{done}/MAX(1,{total_rows}))"
    bar = f"REPT({quoted(FULL)},{squares})&REPT({quoted(EMPTY)},{BAR}-{squares})"
    formula = f"={quoted(before)}&{done}&{quoted(between)}&{total_rows}&{quoted(after)}&{bar}"
    filled = BAR * k // max(1, n)
    return Computed(formula, f"{before}{k}{between}{n}{after}{FULL * filled}{EMPTY * (BAR - filled)}")


def _next(place: GradingPlace, rows: Sequence[RowState], translate: Translator) -> Computed:
    """Link to the first row that is not done: the nearest of the first rows in each other state.

    Each state is searched on its own, since no way of asking "the first that is not" is computed alike everywhere without array
    formulas. The search may take "?" for any character: it finds the same row.
    """
    words, none = state_words(translate.language), place.last + 1
    found = (
        f"IFERROR(MATCH({quoted(words[key])},{place.range('state')},0),{none})"
        for key in STATES
        if key != DONE
    )
    first = f"MIN({','.join(found)})"
    column = column_letters(place.columns[place.jump])
    target = f'"#{sheet_reference(place.sheet)}!{column}"&({first}+{place.first - 1})'
    said = translate("Go to the next response to grade"), translate("Everything is graded: thank you")
    formula = f"=IF({first}={none},{quoted(said[1])},HYPERLINK({target},{quoted(said[0])}))"
    finished = all(row.state == DONE for row in rows)
    return Computed(formula, said[1] if finished else said[0])
