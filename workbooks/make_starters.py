# ruff: noqa: INP001
"""Write the starter workbooks anew: ``python workbooks/make_starters.py`` after a change of the layout or of the larkfield rubric."""

import tomllib
from pathlib import Path

from lark_sheets.adapters.books import FileBooks
from lark_sheets.core.language import LANGUAGES
from lark_sheets.core.rubric_reading import from_plain
from lark_sheets.locales import translator
from lark_sheets.workbook.starter import build_starter

FOLDER = Path(__file__).parent


def main() -> None:
    """Write ``starter_fr.xlsx`` and ``starter_en.xlsx`` beside this file."""
    rubric = from_plain(
        tomllib.loads((FOLDER / "rubrics" / "larkfield.toml").read_text("utf-8")), "larkfield"
    )
    for language in LANGUAGES:
        FileBooks().write(build_starter(rubric, translator(language)), FOLDER / f"starter_{language}.xlsx")


if __name__ == "__main__":
    main()
