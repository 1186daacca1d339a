"""Items, responses, grades and rubrics as people hand them in: checked whole, every fault by its row."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lark_sheets.core.campaign import Item
from lark_sheets.core.cells import BookData
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Rubric
from lark_sheets.core.rubric_reading import from_plain
from lark_sheets.core.text import clean_id, folded, squeezed
from lark_sheets.errors import DataError, Problem, UsageError
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook.codec import read_campaign
from lark_sheets.workbook.grades import named
from lark_sheets.workbook.practice import Practice, practice_from_plain
from lark_sheets.workbook.rubric_sheet_reading import sheet_rubric
from lark_sheets.workbook.starter import is_starter, starter_items, starter_responses, starter_rubric

FIRST_DATA_ROW = 2
Pasted = Callable[[BookData], list[dict[str, str]]]
"""How rows pasted into a starter workbook are read."""
WORKBOOKS = (".xlsx", ".xlsm", ".ods", ".xls", ".xlsb")


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenResponse:
    """One response as handed in, still with its run's name."""

    item: str
    run: str
    text: str
    given_id: str
    language: str
    fields: Mapping[str, str]


def load_rubric(wanted: str, needs: Needs) -> Rubric:
    """Return a shipped rubric by name, or the one of a TOML file or of a workbook with a Rubric sheet.

    Raises :class:`UsageError` when there is no such rubric, :class:`DataError` with every fault in it.
    """
    shipped = needs.rubrics / f"{wanted}.toml"
    path = shipped if needs.files.exists(shipped) else Path(wanted)
    if not needs.files.exists(path):
        names = ", ".join(p.stem for p in needs.files.list(needs.rubrics, "*.toml"))
        raise UsageError(
            problem("wrong_usage", found=wanted, allowed=f"{names}, FILE.toml, FILE.xlsx", command="new")
        )
    if path.suffix.lower() in WORKBOOKS:
        book = needs.books.read(path)
        if is_starter(book):
            return starter_rubric(book)
        return sheet_rubric(book, read_campaign(book).campaign.rubric)
    try:
        plain = tomllib.loads(needs.files.read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise DataError(problem("damaged_file", file=path.name, found=str(error))) from error
    return from_plain(plain, source=path.name)


def _table(path: Path, needs: Needs, pasted: Pasted | None) -> Sequence[Mapping[str, str]]:
    """Return an input table's rows: those pasted into a starter workbook, else what the file itself holds."""
    if pasted and path.suffix.lower() in WORKBOOKS and is_starter(book := needs.books.read(path)):
        return pasted(book)
    return needs.tables.read(path)


def load_practice(wanted: str, rubric: Rubric, needs: Needs) -> Practice | None:
    """Return the practice that a rubric's TOML file brings along (its ``practice`` table), or None."""
    shipped = needs.rubrics / f"{wanted}.toml"
    path = shipped if needs.files.exists(shipped) else Path(wanted)
    if path.suffix.lower() in WORKBOOKS or not needs.files.exists(path):
        return None
    plain = tomllib.loads(needs.files.read_text(path)).get("practice")
    return practice_from_plain(plain, rubric, path.name) if plain else None


def read_rows(
    path: Path, needs: Needs, required: Sequence[str], pasted: Pasted | None = None
) -> list[dict[str, str]]:
    """Return the rows of an input table with folded column names.

    ``pasted`` reads them from a starter workbook, where the file is one.

    Raises :class:`UsageError` when the path is not there, :class:`DataError` when a required column or every row is missing.
    """
    if not needs.files.exists(path):
        raise UsageError(problem("missing_file", file=str(path), found=str(path)))
    rows = [{folded(name): value for name, value in row.items()} for row in _table(path, needs, pasted)]
    if not rows:
        raise DataError(problem("no_rows", file=path.name))
    seen = list(rows[0])
    missing = [name for name in required if name not in seen]
    if missing:
        raise DataError(
            *(
                problem("missing_column", file=path.name, column=name, found=", ".join(seen))
                for name in missing
            )
        )
    return rows


ITEM_FIELDS = ("language", "type", "difficulty", "stratum", "reference", "must_mention", "must_not_mention")


def read_items(path: Path, needs: Needs) -> tuple[Item, ...]:
    """Return the items of a table; other columns are kept. Raises :class:`DataError` with every fault."""
    rows = read_rows(path, needs, ("item", "text"), starter_items)
    problems = [*_empty(path, rows, ("item",)), *_repeated(path, (clean_id(r["item"]) for r in rows))]
    if problems:
        raise DataError(*problems)
    known = {"item", "text", *ITEM_FIELDS}
    return tuple(
        Item(
            id=clean_id(row["item"]),
            text=row["text"],
            fields={name: value for name, value in row.items() if name not in known and value},
            **{name: row.get(name, "").strip() for name in ITEM_FIELDS},
        )
        for row in rows
    )


def read_responses(path: Path, items: Sequence[Item], needs: Needs) -> tuple[GivenResponse, ...]:
    """Return the responses of a table; an empty response is an answer that the model did not give, and stays.

    Raises :class:`DataError` with every fault: an item that is not among the items, a run that answered one twice.
    """
    rows = read_rows(path, needs, ("item", "run", "response"), starter_responses)
    problems = _empty(path, rows, ("item", "run"))
    ids = {item.id for item in items}
    for number, row in enumerate(rows, FIRST_DATA_ROW):
        if clean_id(row["item"]) and clean_id(row["item"]) not in ids:
            problems.append(problem("unknown_item", file=path.name, cell=str(number), found=row["item"]))
    problems += _repeated(path, (f"{clean_id(r['item'])} × {clean_id(r['run'])}" for r in rows))
    problems += _repeated(path, (clean_id(r.get("response_id", "")) for r in rows))
    if problems:
        raise DataError(*problems)
    known = {"item", "run", "response", "response_id", "language"}
    return tuple(
        GivenResponse(
            item=clean_id(row["item"]),
            run=clean_id(row["run"]),
            text=row["response"],
            given_id=clean_id(row.get("response_id", "")),
            language=row.get("language", "").strip(),
            fields={name: value for name, value in row.items() if name not in known and value},
        )
        for row in rows
    )


def _empty(path: Path, rows: Iterable[Mapping[str, str]], columns: Sequence[str]) -> list[Problem]:
    return [
        problem("empty_value", file=path.name, cell=str(number), column=column, row=number)
        for number, row in enumerate(rows, FIRST_DATA_ROW)
        for column in columns
        if not clean_id(row[column])
    ]


def _repeated(path: Path, values: Iterable[str]) -> list[Problem]:
    places: dict[str, list[int]] = {}
    for number, value in enumerate(values, FIRST_DATA_ROW):
        if value:
            places.setdefault(value, []).append(number)
    return [
        problem("repeated_id", file=path.name, found=value, rows=named(numbers))
        for value, numbers in places.items()
        if len(numbers) > 1
    ]


COMMON_WORDS = frozenset(
    {"local", "preview", "large", "small", "mini", "model", "limit", "token", "tokens", "base", "chat"}
)
SHORTEST_TELLING_WORD = 4


def telling_words(runs: Sequence[str]) -> dict[str, str]:
    """Return what would give a run away in a text, squeezed, with the run: its whole name, and its own telling words.

    A word that all runs share ("System" 1 to 7) tells nothing.
    """
    words = {run: {squeezed(w) for w in run.replace("-", " ").split()} for run in runs}
    shared = set.intersection(*words.values()) if len(words) > 1 else set()
    telling = {squeezed(run): run for run in runs}
    for run, own in words.items():
        for word in own - shared - COMMON_WORDS:
            if word.isalpha() and len(word) >= SHORTEST_TELLING_WORD:
                telling.setdefault(word, run)
    return telling
