"""The To discuss sheet: how each discussion ended, and rows for what graders see differently since."""

from __future__ import annotations

from collections.abc import Mapping

from lark_sheets.core.bookplan import BookPatch, CellPlan, Scalar
from lark_sheets.core.campaign import Campaign
from lark_sheets.core.cells import BookData, address, shown
from lark_sheets.core.discussion import Ended, HowEnded
from lark_sheets.core.grades import read_grade
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.text import clean_id, folded
from lark_sheets.errors import Problem
from lark_sheets.workbook import layout
from lark_sheets.workbook.build.discuss import discuss_rows
from lark_sheets.workbook.build.shown import grade_cell
from lark_sheets.workbook.journal import add_rows
from lark_sheets.workbook.locate import FoundTable, maybe_table

PAIR = ("id", "criterion", "first", "second")


def read_discussions(book: BookData, rubric: Rubric) -> tuple[list[Ended], list[Problem]]:
    """Return the discussions that ended, and the rows that cannot be understood, by cell.

    An agreed grade without an outcome keeps the anchor; with a sharpened anchor it counts for nothing: the response is graded again.
    """
    found = maybe_table(book, layout.DISCUSS_TABLE)
    ended: list[Ended] = []
    problems: list[Problem] = []
    for row in found.rows() if found else ():
        if found is None or not (found.text(row, "outcome").strip() or found.text(row, "agreed").strip()):
            continue
        one = _ended(found, row, rubric)
        if isinstance(one, Ended):
            ended.append(one)
            continue
        column, allowed = one
        place = found.columns.get(column)
        problems.append(
            problem(
                "discussion_unclear",
                file=book.name,
                sheet=found.sheet.name,
                cell=address(row, place) if place else None,
                item=f"{found.text(row, 'item')}-{found.text(row, 'label')}",
                found=found.text(row, column),
                allowed=allowed,
            )
        )
    return ended, problems


def _ended(found: FoundTable, row: int, rubric: Rubric) -> Ended | tuple[str, str]:
    """Return how the discussion of a row ended, or the column that cannot be understood with what is allowed there."""
    typed = folded(found.text(row, "outcome"))
    how = next((k for k, words in layout.DISCUSS_OUTCOMES.items() if typed in map(folded, words.both())), "")
    if typed and not how:
        return "outcome", ", ".join(w for words in layout.DISCUSS_OUTCOMES.values() for w in words.both())
    name = clean_id(found.text(row, "criterion"))
    criterion = next((c for c in rubric.criteria if c.id == name), None)
    if criterion is None:
        return "criterion", ", ".join(c.id for c in rubric.criteria)
    response = clean_id(found.text(row, "id")).casefold()
    if how == HowEnded.SHARPENED:
        return Ended(response=response, criterion=name, how=HowEnded.SHARPENED)
    mark = found.sheet.marks.get((row, found.columns["agreed"])) if "agreed" in found.columns else None
    level = read_grade(found.value(row, "agreed"), criterion, mark).level
    if level is None:
        return "agreed", ", ".join(map(str, criterion.levels))
    return Ended(response=response, criterion=name, how=HowEnded.KEPT, agreed=level)


def add_disagreements(patch: BookPatch, book: BookData, after: Campaign) -> int:
    """Add a row for every disagreement that the sheet does not show yet; return how many. Rows that stand there stay as they are."""
    found = maybe_table(book, layout.DISCUSS_TABLE)
    if found is None:
        return 0
    there = {tuple(folded(found.text(row, key)) for key in PAIR) for row in found.rows()}
    rows: list[dict[str, str | int | None]] = []
    for row in discuss_rows(after, after.language):
        values = {key: _plain(value) for key, value in row.items()}
        if tuple(folded(shown(values.get(key))) for key in PAIR) not in there:
            rows.append(values)
    if rows:
        add_rows(patch, book, layout.DISCUSS_TABLE, rows)
    return len(rows)


def _plain(value: Scalar | CellPlan) -> str | int | None:
    bare = value.value if isinstance(value, CellPlan) else value
    return bare if isinstance(bare, str | int) or bare is None else str(bare)


def refresh_discussions(
    patch: BookPatch,
    book: BookData,
    after: Campaign,
    moved: Mapping[tuple[str, str], tuple[Level | None, Level | None]],
) -> None:
    """Show the grades as they are now, and the agreed grades that a revision moved.

    ``moved`` maps response and criterion to the agreed grade that stands and the one that takes its place; None opens the discussion
    again, or is where it was open.
    """
    found = maybe_table(book, layout.DISCUSS_TABLE)
    if found is None:
        return
    first = {(r.response, folded(r.grader)): r for r in after.readings if r.number == 1}
    criteria = {c.id: c for c in after.rubric.criteria}
    left = dict(moved)

    def put(row: int, key: str, value: Scalar) -> None:
        column = found.columns.get(key)
        if column is not None and found.text(row, key) != shown(value):
            patch.set(found.sheet.name, row, column, value)

    for row in found.rows():
        response = clean_id(found.text(row, "id")).casefold()
        criterion = criteria.get(clean_id(found.text(row, "criterion")))
        if criterion is None:
            continue
        for who in ("first", "second"):
            reading = first.get((response, folded(found.text(row, who))))
            if reading is not None:
                level = reading.grades.get(criterion.id)
                put(row, f"{who}_grade", grade_cell(criterion, level, after.language))
        there, then = left.get((response, criterion.id), (None, None))
        if there != then and bool(found.text(row, "agreed").strip()) == (there is not None):
            put(row, "agreed", grade_cell(criterion, then, after.language))
            if then is None:
                put(row, "outcome", None)
            elif there is None:
                put(row, "outcome", layout.DISCUSS_OUTCOMES[HowEnded.KEPT].in_(after.language))
                del left[response, criterion.id]
