"""Pressing a button, from the workbook it stands on to the message a person reads. Nothing gets past it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lark_sheets.core.language import Translator
from lark_sheets.core.problems import problem
from lark_sheets.errors import LarkError, MissingPiece
from lark_sheets.locales import translator
from lark_sheets.ribbon.desk import Desk, language_of
from lark_sheets.ribbon.outcome import Outcome, box, lines

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


def press(name: str, book: xlwings.Book | None = None) -> Outcome | None:
    """Do what a button does and tell what came of it; never raises.

    ``book`` is the workbook to work on; None takes the one whose macro called. Returns what was told, None where there was no workbook.
    """
    from lark_sheets import wiring

    log = wiring.button_log()
    t = translator(wiring.addin_language())
    when = wiring.SystemClock().now().isoformat(timespec="seconds")
    try:
        book = book or _caller()
        app = book.app
        t = translator(language_of(sheet.name for sheet in book.sheets) or t.language)
        label = book.name
    except Exception as error:  # noqa: BLE001  (whatever the spreadsheet raises)
        log.line(when, name, "", "no workbook")
        log.fault(error)
        kind = "application_busy" if is_busy(error) else "no_open_book"
        wiring.last_word(box(_refused(MissingPiece(problem(kind)), t), t))
        return None
    outcome = _run(name, app, book, t, log)
    log.line(when, name, label, ", ".join(sorted({p.code for p in outcome.problems})) or "done")
    _tell(app, book, outcome, t)
    return outcome


def _caller() -> xlwings.Book:
    """Return the workbook in front, in the spreadsheet whose macro called: Excel for Windows says by ``--hwnd`` which one it is.

    The add-in names itself as the caller, not the workbook in front: so no name of a foreign file ever reaches a command line.
    """
    import xlwings as xw

    windows = [word.partition("=")[2] for word in sys.argv if word.startswith("--hwnd=")]
    for app in xw.apps:
        if windows and str(app.hwnd) == windows[0].strip('"'):
            return app.books.active
    if xw.apps.active is None:
        raise LookupError("no spreadsheet is running")
    return xw.apps.active.books.active


def _run(name: str, app: xlwings.App, book: xlwings.Book, t: Translator, log: Any) -> Outcome:
    from lark_sheets import wiring
    from lark_sheets.adapters.live_book.panel import clear_status
    from lark_sheets.adapters.one_at_a_time import alone

    try:
        with alone(wiring.state_folder() / "button.lock") as free:
            if not free:
                raise MissingPiece(problem("already_running"))  # noqa: TRY301
            with _as_before(app):
                return _action(name)(Desk(app=app, book=book, needs=wiring.live_needs(app, t.language)))
    except LarkError as error:
        return _refused(error, t)
    except PermissionError as error:
        file = Path(str(error.filename or "")).name
        return _refused(MissingPiece(problem("file_locked", file=file)), t)
    except BaseException as error:  # noqa: BLE001  (no traceback ever reaches a person)
        log.fault(error)
        if is_busy(error):
            return _refused(MissingPiece(problem("application_busy")), t)
        fault = problem("unexpected", found=type(error).__name__, log=log.path)
        return _refused(MissingPiece(fault), t)
    finally:
        clear_status(app)


def _action(name: str) -> Callable[[Desk], Outcome]:
    from lark_sheets.ribbon.actions import ACTIONS

    return ACTIONS[name]


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
        codes = {getattr(now, "hresult", None), getattr(now, "errornumber", None), *_scode(now)}
        if type(now).__name__ == "ExcelBusyError" or codes & (BUSY_RESULTS | BUSY_EVENTS):
            return True
        now = now.__cause__ or now.__context__
    return False


def _scode(error: BaseException) -> tuple[Any, ...]:
    """Return the inner code of a COM error, where Excel hides the reason behind "exception occurred"."""
    information = getattr(error, "excepinfo", None)
    return (information[5],) if isinstance(information, tuple) and len(information) == 6 else ()


def _refused(error: LarkError, t: Translator) -> Outcome:
    return Outcome(line=t("Nothing was done."), problems=error.problems)


# -- telling -------------------------------------------------------------------------------------------------------------


def _tell(app: xlwings.App, book: xlwings.Book, outcome: Outcome, t: Translator) -> None:
    """Show the files and the message; when the spreadsheet takes neither, the system's own message box says it."""
    from lark_sheets import wiring

    try:
        opened = _show_files(app, outcome)
        shown = _show_message(app, book, outcome, t)
        if opened is not None and not outcome.is_fault:
            opened.activate()
        if not shown:
            from lark_sheets.adapters.live_book.panel import tell

            tell(app, box(outcome, t), fault=outcome.is_fault)
    except Exception as error:  # noqa: BLE001  (the message itself must get through)
        wiring.button_log().fault(error)
        wiring.last_word(box(outcome, t))


def _show_files(app: xlwings.App, outcome: Outcome) -> xlwings.Book | None:
    """Open what a person should see; return the last workbook among it."""
    from lark_sheets import wiring

    opened = None
    for path in outcome.show:
        if path.suffix.lower() not in (".xlsx", ".xlsm"):
            wiring.open_document(path)
            continue
        opened = wiring.live_books(app).find(path)
        if opened is None:
            opened = app.books.open(str(path), read_only=path.stem == RESULTS)
        opened.activate()
    return opened


def _show_message(app: xlwings.App, book: xlwings.Book, outcome: Outcome, t: Translator) -> bool:
    """Put the message on the sheet for messages; False where no workbook of ours is open to hold it, or it takes none."""
    from lark_sheets import wiring
    from lark_sheets.adapters.live_book.panel import show_messages
    from lark_sheets.workbook.starter_layout import MESSAGES

    if outcome.book is not None:
        target = wiring.live_books(app).find(outcome.book)
    else:
        target = book if language_of(sheet.name for sheet in book.sheets) else None
    if target is None:
        return False
    try:
        show_messages(target, MESSAGES.name.in_(t.language), lines(outcome, t))
    except Exception as error:  # noqa: BLE001  (protected structure, read-only, a cell being edited: a message box serves)
        wiring.button_log().fault(error)
        return False
    target.activate()
    return True
