"""``export``: a campaign's grades, one row a grade, for a spreadsheet or an analyst; never an output of a refusal campaign."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lark_sheets.core.problems import problem
from lark_sheets.core.tidy import columns, rows
from lark_sheets.errors import DataError, Problem, UsageError
from lark_sheets.ports import Frames
from lark_sheets.usecases.folders import folder_of
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.recomputing import compute
from lark_sheets.usecases.reporting import KEPT_PRIVATE
from lark_sheets.workbook.export_book import plan_export

FORMATS = (".csv", ".tsv", ".jsonl", ".xlsx", ".parquet")
DEFAULT_FILE = "grades.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was written, and everything to tell of the grades."""

    path: Path
    rows: int
    columns: tuple[str, ...]
    problems: tuple[Problem, ...]


def export(
    book: Path,
    needs: Needs,
    frames: Frames,
    *,
    out: Path | None = None,
    key: Path | None = None,
    texts: bool = False,
    allow_mixed: bool = False,
) -> Exported:
    """Write the grades of a campaign in the format that the file's name says.

    Grades that could not be read are told and blank. ``texts`` adds what was asked and answered; of a refusal campaign neither
    texts nor reasons ever leave, only fingerprints. Before the reveal no run is named. Raises :class:`UsageError` for a format that is
    none, or texts that may not leave; :class:`DataError` when there is no reading.
    """
    loaded = load_one(book, needs)
    campaign = loaded.campaign
    path = out or folder_of(loaded.path).root / DEFAULT_FILE
    if path.suffix.lower() not in FORMATS:
        raise UsageError(problem("export_format", found=path.suffix or path.name, allowed=", ".join(FORMATS)))
    private = campaign.rubric.id in KEPT_PRIVATE
    if private and texts:
        raise UsageError(problem("export_private", found=campaign.rubric.id))
    done = compute(loaded, needs, key=key, allow_mixed=allow_mixed)
    wanted = columns(texts=texts, private=private)
    table = list(rows(done.results, campaign, wanted))
    if not table:
        raise DataError(problem("no_rows", file=loaded.path.name))
    if path.suffix.lower() == ".xlsx":
        needs.books.write(plan_export(table, wanted, needs.translate), path)
    else:
        frames.write(table, wanted, path)
    return Exported(
        path=path,
        rows=len(table),
        columns=tuple(c.name for c in wanted),
        problems=tuple(done.results.problems),
    )
