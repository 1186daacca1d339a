"""The sheet of the starter workbook on which a campaign is set up for the ribbon: its plan, and what a coordinator wrote there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lark_sheets.core.bookplan import ListPlan, SheetPlan, Style
from lark_sheets.core.campaign import Grader
from lark_sheets.core.cells import Area, BookData, address
from lark_sheets.core.language import LANGUAGES, Translator
from lark_sheets.core.problems import problem
from lark_sheets.core.text import clean_id
from lark_sheets.errors import DataError, Problem
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.build.tables import Row, put_table
from lark_sheets.workbook.layout import Table
from lark_sheets.workbook.locate import FoundTable, find_table, maybe_table
from lark_sheets.workbook.starter_layout import GRADERS_TABLE, SETTINGS_TABLE, START

WHOLE = ("shared", "block", "seed")
"""Settings that are whole numbers."""
TOP = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What the sheet says: settings by key, and who grades."""

    settings: Mapping[str, str]
    graders: tuple[Grader, ...]

    def whole(self, key: str) -> int:
        """Return a setting that is a whole number, 0 for a blank."""
        return int(self.settings.get(key) or 0)


def plan_start(translate: Translator, rubrics: Sequence[str]) -> SheetPlan:
    """Return the plan of the sheet; ``rubrics`` are the names of the shipped ones."""
    sheet = SheetPlan(name=START.name.in_(translate.language), landscape=False, tab_colour=styles.BLUE)
    sheet.put(1, 2, translate("A new campaign"), styles.TITLE)
    lines = (
        translate("Fill in the yellow cells of this workbook, save it, and press New on the Lark ribbon."),
        translate("What already bears the name of the folder is never written over."),
    )
    for number, text in enumerate(lines, 2):
        sheet.put(number, 2, text, styles.QUIET_LINE)
    rows = _settings(translate, rubrics)
    put = put_table(sheet, SETTINGS_TABLE, rows, translate.language, top=TOP, style=_style(SETTINGS_TABLE))
    value = put.columns["value"]
    for number, row in enumerate(rows, put.first):
        sheet.row_heights[number] = styles.height([(str(row["about"]), 78.0, 10.0)], 18)
        choices = {"rubric": tuple(rubrics), "language": LANGUAGES}.get(str(row["key"]))
        if choices:
            area = Area(number, value, number, value)
            sheet.lists.append(ListPlan(areas=[area], values=choices, strict=False))
    top = put.last + 4
    heading = translate("Who grades (nobody: one person, in the campaign’s own workbook)")
    sheet.put(top - 1, 2, heading, styles.HEADING)
    put_table(
        sheet,
        GRADERS_TABLE,
        [],
        translate.language,
        top=top,
        left=2,
        style=_style(GRADERS_TABLE),
        spare=GRADERS_TABLE.spare,
        widths=False,
    )
    return sheet


def _style(table: Table) -> Callable[[str], Style]:
    typed = {column.key for column in table.columns if column.typed}
    return lambda key: styles.TYPED if key in typed else styles.TEXT


def _settings(translate: Translator, rubrics: Sequence[str]) -> list[Row]:
    names = ", ".join(rubrics)
    rows: list[tuple[str, str, str | int | None, str]] = [
        (
            "rubric",
            translate("Rubric"),
            None,
            translate("Blank: the one on this workbook’s Rubric sheet. Or one of {names}.", names=names),
        ),
        (
            "folder",
            translate("Folder to create"),
            translate("campaign"),
            translate("A name makes a folder beside this workbook; a full path is taken as it is."),
        ),
        (
            "language",
            translate("Language of the screens"),
            translate.language,
            translate("fr or en, for the workbooks and the report."),
        ),
        (
            "shared",
            translate("Responses that everybody reads, per run"),
            0,
            translate("They show how far graders agree; with several graders, 4 or more. 0: none."),
        ),
        (
            "block",
            translate("Letters per block"),
            None,
            translate("Blank, unless a ticket has more runs than a grader can compare."),
        ),
        (
            "seed",
            translate("Seed of the draw"),
            0,
            translate("Repeats the draw of the shared responses, and only that."),
        ),
    ]
    return [{"key": key, "setting": name, "value": value, "about": text} for key, name, value, text in rows]


def read_start(book: BookData) -> Start:
    """Return what a coordinator wrote. Raises :class:`DataError` with every cell that cannot be used."""
    found = find_table(book, SETTINGS_TABLE, ("key", "value"))
    values = {found.text(row, "key"): found.text(row, "value").strip() for row in found.rows()}
    problems = [fault for row in found.rows() if (fault := _fault(book, found, row)) is not None]
    if problems:
        raise DataError(*problems)
    return Start(settings=values, graders=_graders(book))


def _fault(book: BookData, found: FoundTable, row: int) -> Problem | None:
    key, value = found.text(row, "key"), found.text(row, "value").strip()
    if key in WHOLE:
        fine, allowed = not value or value.isdecimal(), "0, 1, 2 …"
    elif key == "language":
        fine, allowed = value in LANGUAGES, ", ".join(LANGUAGES)
    else:
        fine, allowed = bool(value) or key != "folder", "campaign"
    if fine:
        return None
    return problem(
        "starter_value",
        file=book.name,
        sheet=found.sheet.name,
        cell=address(row, found.columns["value"]),
        found=value,
        what=found.text(row, "setting"),
        allowed=allowed,
    )


def _graders(book: BookData) -> tuple[Grader, ...]:
    found = maybe_table(book, GRADERS_TABLE)
    if found is None:
        return ()
    return tuple(
        Grader(
            name=clean_id(found.text(row, "name")),
            languages=tuple(found.text(row, "languages").replace(",", " ").split()),
            model=found.text(row, "model").strip(),
        )
        for row in found.rows()
        if clean_id(found.text(row, "name"))
    )
