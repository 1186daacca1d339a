"""New from the ribbon: a starter workbook that a coordinator fills in becomes a campaign, as the command ``new`` makes one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lark_sheets.core.cells import BookData
from lark_sheets.core.language import Language
from lark_sheets.usecases.creating import Created, NewCampaign, create
from lark_sheets.usecases.inputs import load_rubric
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook.start_sheet import plan_start, read_start
from lark_sheets.workbook.starter import build_starter

STARTER = "starter"
EXAMPLE = "larkfield"
"""The shipped rubric that stands in a starter workbook as an example."""


def write_starter(folder: Path, needs: Needs) -> Path:
    """Write an empty starter workbook into a folder and return it; one that is there already is never written over."""
    path, number = folder / f"{STARTER}.xlsx", 2
    while needs.files.exists(path):
        path, number = folder / f"{STARTER}-{number}.xlsx", number + 1
    names = [rubric.stem for rubric in needs.files.list(needs.rubrics, "*.toml")]
    plan = build_starter(load_rubric(EXAMPLE, needs), needs.translate)
    plan.sheets.insert(1, plan_start(needs.translate, names))
    needs.books.write(plan, path)
    return path


def create_from_starter(path: Path, book: BookData, needs: Needs) -> Created:
    """Create the campaign that a starter workbook describes.

    Nothing is written when something is wrong. Raises :class:`~lark_sheets.errors.DataError` with every cell that cannot be used, and
    what :func:`~lark_sheets.usecases.creating.create` raises.
    """
    start = read_start(book)
    language: Language = "fr" if start.settings.get("language") == "fr" else "en"
    folder = Path(start.settings["folder"])
    request = NewCampaign(
        rubric=start.settings.get("rubric") or str(path),
        items=path,
        responses=path,
        out=folder if folder.is_absolute() else path.parent / folder,
        language=language,
        graders=start.graders,
        shared=start.whole("shared"),
        block=start.whole("block") or None,
        seed=start.whole("seed"),
    )
    return create(request, replace(needs, translate=needs.translator_of(language)))
