"""Which adapter serves which port: the one place that reads the environment and the clock."""

from __future__ import annotations

import datetime as dt
import os
import secrets
import sys
from pathlib import Path

from lark_sheets.core.blinding import SALT_BYTES
from lark_sheets.core.language import DEFAULT_LANGUAGE, LANGUAGES, Language
from lark_sheets.locales import translator
from lark_sheets.ports import Clock, Progress, Reports
from lark_sheets.usecases.needs import Needs

PACKAGE = Path(__file__).parent
LANGUAGE_VARIABLE = "LARK_SHEETS_LANG"


class SystemClock:
    """The machine's time, or the one of SOURCE_DATE_EPOCH where output must be the same every time."""

    def now(self) -> dt.datetime:
        """Return the time with its zone."""
        fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
        if fixed.isdecimal():
            return dt.datetime.fromtimestamp(int(fixed), tz=dt.UTC)
        return dt.datetime.now().astimezone()


class FixedTime:
    """A time that does not move, for the demo."""

    def __init__(self, moment: dt.datetime) -> None:
        self.moment = moment

    def now(self) -> dt.datetime:
        """Return the fixed time."""
        return self.moment


class PlainProgress:
    """Says on the error stream what begins, one line a step, so that standard output stays for results."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet

    def step(self, text: str) -> None:
        """Print one step."""
        if not self.quiet:
            print(f"  {text} ...", file=sys.stderr, flush=True)


def preferred_language(asked: str | None = None) -> Language:
    """Return the language asked for, else that of the environment, else English."""
    candidates = (
        asked,
        *(os.environ.get(name) for name in (LANGUAGE_VARIABLE, "LC_ALL", "LC_MESSAGES", "LANG")),
    )
    for candidate in candidates:
        for language in LANGUAGES:
            if candidate and candidate.casefold().startswith(language):
                return language
    return DEFAULT_LANGUAGE


def data_folder(name: str) -> Path:
    """Return a folder of data: beside the package in a checkout, inside it in an installed wheel."""
    inside = PACKAGE / "_data" / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def user_name() -> str:
    """Return the name for log lines: what LARK_SHEETS_USER says, else nothing (a system's user name would leak)."""
    return os.environ.get("LARK_SHEETS_USER", "")


def needs(
    language: Language, *, quiet: bool = False, clock: Clock | None = None, progress: Progress | None = None
) -> Needs:
    """Return what use cases need, made of the real adapters."""
    from lark_sheets.adapters.books import FileBooks
    from lark_sheets.adapters.files import DiskFiles
    from lark_sheets.adapters.tables import FileTables

    books = FileBooks()
    workbooks = data_folder("workbooks")
    return Needs(
        books=books,
        tables=FileTables(books),
        files=DiskFiles(),
        clock=clock or SystemClock(),
        progress=progress or PlainProgress(quiet=quiet),
        translate=translator(language),
        translator_of=translator,
        rubrics=workbooks / "rubrics",
        demo=workbooks / "demo",
        new_salt=lambda: secrets.token_hex(SALT_BYTES),
        who=user_name(),
    )


def reports() -> Reports:
    """Return what lays out the report: WeasyPrint, or an installed browser where Pango is missing."""
    from lark_sheets.adapters.report_chromium import BrowserReport, FirstThatCan, find_browser
    from lark_sheets.adapters.report_html import HtmlReport
    from lark_sheets.adapters.report_pdf import PdfReport

    pages = HtmlReport(data_folder("templates"))
    found = find_browser()
    # A browser refuses to run as root, as in containers, unless it is told that its sandbox is not wanted.
    options = ("--no-sandbox",) if getattr(os, "geteuid", lambda: 1)() == 0 else ()
    return FirstThatCan(PdfReport(pages), BrowserReport(pages, found, options) if found else None)
