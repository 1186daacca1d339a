"""How grades, codes and flags look in the cells of a workbook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lark_sheets.core.campaign import Campaign, Reading
from lark_sheets.core.rubric import Criterion, Level, Rubric
from lark_sheets.workbook import layout


def grade_cell(criterion: Criterion, level: Level | None, language: str) -> Level | None:
    """Return a grade as its cell holds it: the integer, or the label in the language on screen."""
    return criterion.shown(level, language) if level is not None and criterion.is_category else level


def code_cells(codes: Sequence[str], rubric: Rubric, language: str) -> dict[str, str | None]:
    """Return what the code cells hold: a label each, and in the last one all the others, after commas."""
    labels = [code.label.in_(language) if (code := rubric.code(name)) else name for name in codes]
    last = layout.CODE_COLUMNS
    cells: dict[str, str | None] = {}
    for n in range(1, last + 1):
        mine = labels[n - 1 :] if n == last else labels[n - 1 : n]
        cells[f"code_{n}"] = ", ".join(mine) or None
    return cells


def typed_cells(reading: Reading, rubric: Rubric, language: str) -> dict[str, Level | None]:
    """Return everything that a grader typed in one row, by column key; None where a cell is blank."""
    grades: Mapping[str, Level | None] = {
        c.id: grade_cell(c, reading.grades.get(c.id), language) for c in rubric.criteria
    }
    flag = layout.DISCUSS_FLAG.in_(language) if reading.discuss else None
    return {
        **grades,
        **code_cells(reading.codes, rubric, language),
        "reason": reading.reason or None,
        "discuss": flag,
    }


def in_order(campaign: Campaign, readings: Iterable[Reading]) -> list[Reading]:
    """Return readings in the order in which they are graded: block, ticket, letter, then owner before other readers.

    Second readings of a response by the same grader come after everything that is read for the first time.
    """
    responses = campaign.response()
    places = {item.id: n for n, item in enumerate(campaign.items)}
    graders = {grader.name: n for n, grader in enumerate(campaign.graders)}

    def key(reading: Reading) -> tuple[object, ...]:
        response = responses[reading.response]
        block, letter = split_label(response.label)
        return (
            reading.number,
            block,
            places.get(response.item, len(places)),
            len(letter),
            letter,
            not reading.owner,
            graders.get(reading.grader, len(graders)),
        )

    return sorted(readings, key=key)


def split_label(label: str) -> tuple[int, str]:
    """Return the block and the letter of a label: "2C" is letter C of block 2, "C" of block 0."""
    letter = label.lstrip("0123456789")
    digits = label[: len(label) - len(letter)]
    return (int(digits) if digits else 0), letter
