"""``import``: grades from a table into a workbook; graders that it does not know become further readers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lark_sheets.core.campaign import Campaign, Grader, Reading
from lark_sheets.core.grades import read_grade
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Level
from lark_sheets.core.text import clean_id, folded
from lark_sheets.errors import DataError, Problem
from lark_sheets.usecases.filling import Filled, Incoming, write_incoming
from lark_sheets.usecases.folders import folder_of
from lark_sheets.usecases.inputs import FIRST_DATA_ROW, read_rows
from lark_sheets.usecases.keys import NO_KEY, FoundKey, find_key
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook.build import build_grader
from lark_sheets.workbook.grades import split_codes


def import_table(
    book: Path,
    grades: Path,
    needs: Needs,
    *,
    key: Path | None = None,
    families: Mapping[str, str] | None = None,
) -> Filled:
    """Bring the grades of a table into a workbook; ``families`` names the model family of readers who are models.

    Rows name their response by ``response_id`` (ours, or the one it was given with) or by ``item`` and ``run``, which needs
    the key. A cell that is no grade is refused by its row and column, the rest of the row counts. Raises
    :class:`UsageError` for a missing path, :class:`DataError` when the table lacks a column.
    """
    loaded = load_one(book, needs)
    campaign = loaded.campaign
    found = find_key(campaign, loaded.path, needs.files, key)
    loaded.problems.extend(found.problems)
    rows = read_rows(grades, needs, ("grader",))
    columns = _criterion_columns(campaign, list(rows[0]), grades.name)
    reader = _Rows(campaign, found, columns, grades.name)
    incoming = [
        Incoming(reading=reading, source=grades.name)
        for number, row in enumerate(rows, FIRST_DATA_ROW)
        if (reading := reader.read(number, row)) is not None
    ]
    known = {g.name for g in campaign.graders}
    names = [n for n in dict.fromkeys(i.reading.grader for i in incoming) if n not in known]
    newcomers = tuple(Grader(name=name, model=(families or {}).get(name, "")) for name in names)
    if loaded.read.kind != "campaign":
        there = {r.key for r in campaign.readings}
        strangers = [i for i in incoming if i.reading.key not in there]
        reader.problems += [
            problem("unknown_row", file=grades.name, found=i.reading.response) for i in strangers
        ]
        incoming = [i for i in incoming if i.reading.key in there]
        newcomers = ()
    done = write_incoming(loaded, incoming, needs, event="import", source=grades.name, new_graders=newcomers)
    done.problems += reader.problems
    done.refused += reader.refused
    if newcomers:
        _write_books_of(newcomers, loaded.path, needs)
    return done


def _write_books_of(newcomers: tuple[Grader, ...], workbook: Path, needs: Needs) -> None:
    """Write the workbooks of readers who came with the table, holding their rows and grades, unless one is there."""
    campaign = load_one(workbook, needs).campaign
    folder = folder_of(workbook)
    for grader in newcomers:
        target = folder.grader(grader.name)
        if not needs.files.exists(target):
            needs.books.write(
                build_grader(campaign, grader.name, needs.translator_of(campaign.language)), target
            )


def _criterion_columns(campaign: Campaign, seen: list[str], file: str) -> dict[str, str]:
    """Return the table's column of every criterion, found by id or by name in either language."""
    columns: dict[str, str] = {}
    problems: list[Problem] = []
    for criterion in campaign.rubric.criteria:
        names = [folded(name) for name in (criterion.id, *criterion.name.both())]
        column = next((name for name in names if name in seen), None)
        if column is None:
            problems.append(problem("missing_column", file=file, column=criterion.id, found=", ".join(seen)))
        else:
            columns[criterion.id] = column
    if problems:
        raise DataError(*problems)
    return columns


class _Rows:
    """Reads the rows of a grades table; what is wrong is gathered, row by row."""

    def __init__(self, campaign: Campaign, key: FoundKey, columns: dict[str, str], file: str) -> None:
        self.campaign = campaign
        self.columns = columns
        self.file = file
        self.problems: list[Problem] = []
        self.refused = 0
        self.responses = campaign.response()
        self.given = key.given_ids()
        self.by_run = key.by_item_and_run()
        self.key = key
        self.seen: dict[tuple[str, str, int], tuple[int, Reading]] = {}
        self.owners = {r.response: r for r in campaign.owners()}

    def tell(self, code: str, number: int, **more: object) -> None:
        self.problems.append(problem(code, file=self.file, cell=str(number), **more))

    def read(self, number: int, row: dict[str, str]) -> Reading | None:
        """Return the reading of one row, or None when the row is refused or repeats an earlier one."""
        grader = clean_id(row["grader"])
        if not grader:
            self.tell("empty_value", number, column="grader", row=number)
            self.refused += 1
            return None
        response = self._response(number, row)
        if response is None:
            self.refused += 1
            return None
        reading = Reading(
            response=response,
            grader=grader,
            owner=False,
            grades={c.id: self._grade(number, row, c.id) for c in self.campaign.rubric.criteria},
            version=self.campaign.rubric.version,
            number=int(text) if (text := row.get("reading", "")).isdecimal() else 1,
            codes=self._codes(number, row),
            reason=row.get("reason", "").strip(),
        )
        earlier = self.seen.get(reading.key)
        if earlier is None:
            self.seen[reading.key] = (number, reading)
            return reading
        rows = f"{earlier[0]}, {number}"
        if earlier[1] == reading:
            self.tell("duplicate_row_same", number, found=response, rows=rows)
            return None
        self.tell("duplicate_row_conflict", number, found=response, rows=rows, grader=grader)
        self.refused += 1
        return None

    def _response(self, number: int, row: dict[str, str]) -> str | None:
        given = clean_id(row.get("response_id", ""))
        if given:
            name = given.casefold() if given.casefold() in self.responses else self.given.get(given)
            if name is None or name not in self.responses:
                self.tell("unknown_response", number, found=given)
                return None
            return name
        item, run = clean_id(row.get("item", "")), clean_id(row.get("run", ""))
        name = self.by_run.get((item, run))
        if name is None or name not in self.responses:
            known = {r for _, r in self.by_run}
            if self.key is not NO_KEY and run and run not in known:
                self.tell("unknown_run", number, found=run, count=len(known))
            else:
                self.tell("unknown_response", number, found=f"{item}, {run}".strip(", ") or "?")
            return None
        return name

    def _grade(self, number: int, row: dict[str, str], criterion_id: str) -> Level | None:
        criterion = self.campaign.rubric.criterion(criterion_id)
        typed = row[self.columns[criterion_id]]
        got = read_grade(typed, criterion)
        if got.refused:
            levels = ", ".join(criterion.shown(level, "en") for level in criterion.levels)
            self.tell(got.problem, number, found=typed, criterion=criterion_id, levels=levels)
        return got.level

    def _codes(self, number: int, row: dict[str, str]) -> tuple[str, ...]:
        codes, unknown = split_codes(row.get("codes", ""), self.campaign.rubric)
        for piece in unknown:
            self.tell(
                "unknown_code", number, found=piece, codes=", ".join(c.id for c in self.campaign.rubric.codes)
            )
        return codes
