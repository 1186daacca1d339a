"""A campaign on the demo's content, and a coordinator's hands on its Rubric sheet, for tests of re-scoring."""

from __future__ import annotations

import csv
import datetime as dt
import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from lark_sheets.core.bookplan import BookPatch, Scalar
from lark_sheets.core.campaign import Grader
from lark_sheets.core.language import Language
from lark_sheets.usecases.creating import NewCampaign, create
from lark_sheets.usecases.folders import CampaignFolder
from lark_sheets.usecases.importing import import_table
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.rescoring import RescoreRequest, RescoreResult, rescore
from lark_sheets.workbook import layout
from lark_sheets.workbook.codec import ReadBook
from lark_sheets.workbook.locate import find_table
from tests.desk import desk, write_csv
from tests.fakes import FixedClock

NEW_ANCHOR = (
    "Fine after a touch-up: text around the JSON, stray English sentence, mistake, six sentences or more"
)


@dataclass(frozen=True)
class Desk:
    """A campaign folder and what a person does with it."""

    root: Path
    needs: Needs

    @property
    def book(self) -> Path:
        return CampaignFolder(self.root).campaign

    def read(self, path: Path | None = None) -> ReadBook:
        return load_one(path or self.book, self.needs).read

    def rescore(self, **options) -> RescoreResult:
        return rescore(RescoreRequest(book=self.book, **options), self.needs)

    def apply(self, **options) -> RescoreResult:
        return self.rescore(apply=True, author="Grace", reason="The application strips fences.", **options)

    def grades(self) -> dict[tuple[str, str, int], tuple[dict, tuple[str, ...], int]]:
        return {r.key: (dict(r.grades), r.codes, r.version) for r in self.read().campaign.readings}

    def copy_to(self, root: Path) -> Desk:
        shutil.copytree(self.root, root)
        return replace(self, root=root)

    # -- the coordinator's hands --------------------------------------------------------------------------------------

    def edit(self, table: layout.Table, wanted: dict[str, str], key: str, value: Scalar) -> None:
        """Type into the row of a table in which the wanted texts stand."""
        found = find_table(self.needs.books.read(self.book), table, ())
        row = next(r for r in found.rows() if all(found.text(r, k) == v for k, v in wanted.items()))
        self.type_at(found.sheet.name, row, found.columns[key], value)

    def type_at(self, sheet: str, row: int, column: int, value: Scalar) -> None:
        patch = BookPatch()
        patch.set(sheet, row, column, value)
        self.needs.books.patch(self.book, patch)

    def add_row(self, table: layout.Table, **values: Scalar) -> int:
        """Type a row under what a table holds, as a person does."""
        found = find_table(self.needs.books.read(self.book), table, ())
        row = max(found.rows(), default=found.header) + 1
        patch = BookPatch()
        for key, value in values.items():
            patch.set(found.sheet.name, row, found.columns[key], value)
        self.needs.books.patch(self.book, patch)
        return row

    def tolerate_fence(self) -> None:
        self.edit(layout.CODES, {"code": "fence"}, "cap", None)

    def edit_anchor(self, text: str = NEW_ANCHOR, criterion: str = "format", level: str = "1") -> None:
        self.edit(layout.ANCHORS, {"criterion": criterion, "level": level}, "description_en", text)


def demo_desk(root: Path, *, first_pass: bool = False) -> Desk:
    """Create the demo's campaign in a folder: 192 responses of one owner, 28 read again; nothing revealed."""
    needs = _needs()
    return _made(root, needs, needs.demo, first_pass=first_pass)


SMALL_ITEMS = ("S05", "S07", "S09", "S12")
SMALL_RUNS = ("Claude Haiku 5.5", "Gemini 3.1 Pro (preview)", "Gemma 3 4B (local)")


def small_desk(root: Path, *, language: Language = "en", graders: tuple[Grader, ...] = ()) -> Desk:
    """Create a campaign on 12 of the demo's responses: 5 carry the fence, 3 are read again, one of them with the fence."""
    needs = _needs(language)
    content = root.parent / f"{root.name}-content"
    content.mkdir()
    for name in ("items.csv", "grades_reader_1.csv", "grades_reader_2.csv"):
        with (needs.demo / name).open(encoding="utf-8", newline="") as stream:
            rows = [r for r in csv.DictReader(stream) if r["item"] in SMALL_ITEMS]
        write_csv(content / name, [r for r in rows if r.get("run") in (None, *SMALL_RUNS)])
    lines = (needs.demo / "responses.jsonl").read_text("utf-8").splitlines()
    kept = [x for x in lines if (r := json.loads(x))["item"] in SMALL_ITEMS and r["run"] in SMALL_RUNS]
    (content / "responses.jsonl").write_text("\n".join(kept), "utf-8")
    return _made(root, needs, content, graders=graders)


def _needs(language: Language = "en") -> Needs:
    return replace(desk(language), clock=FixedClock(step=dt.timedelta(minutes=1)), who="Grace")


def _made(
    root: Path,
    needs: Needs,
    content: Path,
    *,
    first_pass: bool = False,
    graders: tuple[Grader, ...] = (),
) -> Desk:
    create(
        NewCampaign(
            rubric="larkfield",
            items=content / "items.csv",
            responses=content / "responses.jsonl",
            out=root,
            language=needs.translate.language,
            graders=graders or (Grader(name="reader-1"),),
        ),
        needs,
    )
    book = CampaignFolder(root).campaign
    owner = content / "grades_reader_1.csv"
    if first_pass:
        owner = _first_pass(content, root)
    import_table(book, owner, needs)
    import_table(book, content / "grades_reader_2.csv", needs, families={"reader-2": "claude"})
    return Desk(root, needs)


def _first_pass(content: Path, root: Path) -> Path:
    """The owner's grades as they were before the fence was noticed."""
    earlier = (content / "grades_reader_1_first_pass.csv").read_text("utf-8").splitlines()
    known = {tuple(line.split(",", 3)[1:3]): line for line in earlier[1:]}
    lines = (content / "grades_reader_1.csv").read_text("utf-8").splitlines()
    path = root / "first_pass.csv"
    path.write_text("\n".join(known.get(tuple(line.split(",", 3)[1:3]), line) for line in lines), "utf-8")
    return path
