"""What every button works with: the spreadsheet, the workbook it was pressed on, the campaign behind it, the needs of use cases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lark_sheets.core.language import LANGUAGES, Language, Translator
from lark_sheets.core.problems import problem
from lark_sheets.errors import MissingPiece, UsageError
from lark_sheets.usecases.folders import folder_of
from lark_sheets.usecases.loading import Loaded, load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook import layout

if TYPE_CHECKING:
    import xlwings


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Where a button was pressed and what it may use."""

    app: xlwings.App
    book: xlwings.Book
    needs: Needs

    @property
    def t(self) -> Translator:
        """Return the words of the screen."""
        return self.needs.translate

    def path(self) -> Path:
        """Return the file of the workbook on which the button was pressed.

        Raises :class:`UsageError` when it was never saved, :class:`MissingPiece` when it lies in a cloud folder that is not here.
        """
        name = self.book.name
        try:
            path = Path(self.book.fullname)
        except Exception as fault:
            raise MissingPiece(problem("book_in_cloud", found=name)) from fault
        if "://" in str(path) or ":/" in str(path)[2:]:
            raise MissingPiece(problem("book_in_cloud", found=name))
        if not path.is_absolute():
            raise UsageError(problem("book_never_saved", found=name))
        return path

    def campaign(self) -> Loaded:
        """Read the campaign: of this workbook, or of the folder it lies in (results, a grader's workbook).

        Raises what reading raises; :class:`UsageError` where no campaign lies beside the workbook.
        """
        path = self.path()
        beside = folder_of(path).campaign
        if path.name.casefold() != beside.name.casefold() and self.needs.files.exists(beside):
            return load_one(beside, self.needs)
        loaded = load_one(path, self.needs)
        if loaded.read.kind != "campaign":
            raise UsageError(problem("not_a_campaign_book", file=path.name, found=path.name))
        return loaded


def language_of(sheets: Iterable[str]) -> Language | None:
    """Return the language of a workbook of ours by the names of its sheets, None where they do not tell."""
    names = set(sheets)
    for language in LANGUAGES:
        other: Language = "en" if language == "fr" else "fr"
        own = {sheet.name.in_(language) for sheet in layout.SHEETS}
        if names & (own - {sheet.name.in_(other) for sheet in layout.SHEETS}):
            return language
    return None
