"""Pressing a button, from the workbook it stands on to the message a person reads. Nothing gets past it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from lark_sheets.adapters.live_book import LiveBooks
from lark_sheets.adapters.live_book.panel import clear_status, show_messages, tell
from lark_sheets.core.language import LANGUAGES, Language, Translator
from lark_sheets.core.outcomes import Outcome, box, lines
from lark_sheets.core.problems import problem
from lark_sheets.errors import LarkError, MissingPiece, UsageError
from lark_sheets.workbook import layout
from lark_sheets.workbook.starter_layout import MESSAGES

if TYPE_CHECKING:
    import xlwings

BUSY_RESULTS = frozenset({-2147418111, -2147417846, -2146777998})
"""What Excel for Windows answers while a cell is edited: RPC_E_CALL_REJECTED, RPC_E_SERVERCALL_RETRYLATER, VBA_E_IGNORE."""
BUSY_EVENTS = frozenset({-1712, -609})
"""What Excel for Mac answers: an Apple event timed out, the connection is invalid."""
RESULTS = "results"
"""Name of the workbook that is made anew each time: it is opened to be read, so that nobody types into it in vain."""
KEPT = ("screen_updating", "calculation", "enable_events", "display_alerts")
"""What must be after a button as it was before."""


class Log(Protocol):
    """Where it is written down that a button was pressed."""

    path: Path

    def line(self, when: str, button: str, book: str, outcome: str) -> None:
        """Add one line."""
        ...

    def fault(self, error: BaseException) -> None:
        """Add where an error came from."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What pressing needs from outside.

    ``action`` does what a button does, given the application, the workbook and the words of the screen; ``alone`` holds the lock of one
    button at a time; ``show`` hands a file to the system; ``last_word`` tells what the spreadsheet cannot; ``translator_of`` gives the words.
    """

    action: Callable[[str, xlwings.App, xlwings.Book, Translator], Outcome]
    books: Callable[[xlwings.App], LiveBooks]
    alone: Callable[[], AbstractContextManager[bool]]
    show: Callable[[Path], None]
    last_word: Callable[[str], None]
    translator_of: Callable[[Language], Translator]
    language: Language
    log: Log
    now: Callable[[], str]


def press(name: str, around: Surroundings, book: xlwings.Book | None = None) -> Outcome:
    """Do what a button does and tell what came of it; never raises.

    ``book`` is the workbook to work on; None takes the one in front where the macro called. Returns what was told.
    """
    t, when = around.translator_of(around.language), around.now()
    try:
        book = book or _caller()
        app = book.app
        t = around.translator_of(language_of(sheet.name for sheet in book.sheets) or t.language)
        label = book.name
    except Exception as error:  # noqa: BLE001  (whatever the spreadsheet raises)
        around.log.line(when, name, "", "no workbook")
        around.log.fault(error)
        kind = "application_busy" if is_busy(error) else "no_open_book"
        refused = _refused(MissingPiece(problem(kind)), t)
        around.last_word(box(refused, t))
        return refused
    outcome = _run(name, app, book, t, around)
    around.log.line(when, name, label, ", ".join(sorted({p.code for p in outcome.problems})) or "done")
    _tell(app, book, outcome, t, around)
    return outcome


def _caller() -> xlwings.Book:
    """Return the workbook in front, in the spreadsheet whose macro called: Excel for Windows says by ``--hwnd`` which one it is.

    The add-in names itself as the caller, not the workbook in front: so no name of a foreign file ever reaches a command line.
    """
    import xlwings as xw

    windows = [word.partition("=")[2].strip('"') for word in sys.argv if word.startswith("--hwnd=")]
    for app in xw.apps:
        if windows and str(app.hwnd) == windows[0]:
            return app.books.active
    if xw.apps.active is None:
        raise LookupError("no spreadsheet is running")
    return xw.apps.active.books.active


def path_of(book: xlwings.Book) -> Path:
    """Return the file of an open workbook.

    Raises :class:`UsageError` when it was never saved, :class:`MissingPiece` when it lies in a cloud folder that is not here.
    """
    name = book.name
    try:
        path = Path(book.fullname)
    except Exception as fault:
        raise MissingPiece(problem("book_in_cloud", found=name)) from fault
    if ":/" in str(path)[2:]:
        raise MissingPiece(problem("book_in_cloud", found=name))
    if not path.is_absolute():
        raise UsageError(problem("book_never_saved", found=name))
    return path


def language_of(sheets: Iterable[str]) -> Language | None:
    """Return the language of a workbook of ours by the names of its sheets, None where they do not tell."""
    names = set(sheets)
    for language in LANGUAGES:
        other: Language = "en" if language == "fr" else "fr"
        own = {sheet.name.in_(language) for sheet in layout.SHEETS}
        if names & (own - {sheet.name.in_(other) for sheet in layout.SHEETS}):
            return language
    return None


# -- running -------------------------------------------------------------------------------------------------------------


def _run(name: str, app: xlwings.App, book: xlwings.Book, t: Translator, around: Surroundings) -> Outcome:
    try:
        with around.alone() as free:
            if not free:
                return _refused(MissingPiece(problem("already_running")), t)
            with _as_before(app):
                return around.action(name, app, book, t)
    except LarkError as error:
        return _refused(error, t)
    except PermissionError as error:
        file = Path(str(error.filename or "")).name
        return _refused(MissingPiece(problem("file_locked", file=file)), t)
    except BaseException as error:  # noqa: BLE001  (no traceback ever reaches a person)
        around.log.fault(error)
        if is_busy(error):
            return _refused(MissingPiece(problem("application_busy")), t)
        fault = problem("unexpected", found=type(error).__name__, log=around.log.path)
        return _refused(MissingPiece(fault), t)
    finally:
        clear_status(app)


@contextlib.contextmanager
def _as_before(app: xlwings.App) -> Iterator[None]:
    """Put back, whatever happens, how the spreadsheet calculates and shows; one that is busy is left alone."""
    before = {}
    for each in KEPT:
        with contextlib.suppress(NotImplementedError):
            before[each] = getattr(app, each)
    try:
        yield
    finally:
        for each, value in before.items():
            with contextlib.suppress(Exception):
                if getattr(app, each) != value:
                    setattr(app, each, value)


def is_busy(error: BaseException) -> bool:
    """Say whether an error, or one behind it, is a spreadsheet's way of saying that a person is in the middle of something."""
    seen: list[BaseException] = []
    now: BaseException | None = error
    while now is not None and now not in seen:
        seen.append(now)
        codes = {getattr(now, "hresult", None), getattr(now, "errornumber", None), *_inner_code(now)}
        if type(now).__name__ == "ExcelBusyError" or codes & (BUSY_RESULTS | BUSY_EVENTS):
            return True
        now = now.__cause__ or now.__context__
    return False


def _inner_code(error: BaseException) -> Sequence[Any]:
    """Return the inner code of a COM error, where Excel hides the reason behind "exception occurred"."""
    information = getattr(error, "excepinfo", None)
    return (information[5],) if isinstance(information, tuple) and len(information) == 6 else ()


def _refused(error: LarkError, t: Translator) -> Outcome:
    return Outcome(line=t("Nothing was done."), problems=error.problems)


# -- telling -------------------------------------------------------------------------------------------------------------


def _tell(
    app: xlwings.App, book: xlwings.Book, outcome: Outcome, t: Translator, around: Surroundings
) -> None:
    """Show the files and the message; when the spreadsheet takes neither, the system's own message box says it."""
    try:
        opened = _show_files(app, outcome, around)
        shown = _show_message(app, book, outcome, t, around)
        if opened is not None and not outcome.is_fault:
            opened.activate()
        if not shown:
            tell(app, box(outcome, t), fault=outcome.is_fault)
    except Exception as error:  # noqa: BLE001  (the message itself must get through)
        around.log.fault(error)
        around.last_word(box(outcome, t))


def _show_files(app: xlwings.App, outcome: Outcome, around: Surroundings) -> xlwings.Book | None:
    """Open what a person should see; return the last workbook among it."""
    opened = None
    for path in outcome.show:
        if path.suffix.lower() not in (".xlsx", ".xlsm"):
            around.show(path)
            continue
        opened = around.books(app).find(path)
        if opened is None:
            opened = app.books.open(str(path), read_only=path.stem == RESULTS)
        opened.activate()
    return opened


def _show_message(
    app: xlwings.App, book: xlwings.Book, outcome: Outcome, t: Translator, around: Surroundings
) -> bool:
    """Put the message on the sheet for messages; False where no workbook of ours is open to hold it, or it takes none."""
    if outcome.book is not None:
        target = around.books(app).find(outcome.book)
    else:
        target = book if language_of(sheet.name for sheet in book.sheets) else None
    if target is None:
        return False
    try:
        show_messages(target, MESSAGES.name.in_(t.language), lines(outcome, t))
    except Exception as error:  # noqa: BLE001  (protected structure, read-only, a cell being edited: a message box serves)
        around.log.fault(error)
        return False
    target.activate()
    return True
