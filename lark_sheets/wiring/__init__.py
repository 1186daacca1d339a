"""Which adapter serves which port: the one place that reads the environment and the clock."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lark_sheets.core.blinding import SALT_BYTES
from lark_sheets.core.language import DEFAULT_LANGUAGE, LANGUAGES, Language, Translator
from lark_sheets.core.problems import problem
from lark_sheets.errors import UsageError
from lark_sheets.locales import translator
from lark_sheets.ports import Clock, Embeddings, Frames, Progress, Reports
from lark_sheets.usecases.needs import Needs
from lark_sheets.wiring.asking import asking_needs as asking_needs
from lark_sheets.wiring.machine import FixedTime as FixedTime, PlainProgress, SystemClock

if TYPE_CHECKING:
    import xlwings

    from lark_sheets.adapters.button_log import ButtonLog
    from lark_sheets.adapters.excel_machine import ThisMachine
    from lark_sheets.adapters.live_book import LiveBooks
    from lark_sheets.core.judging.calibration import Calibration
    from lark_sheets.core.outcomes import Outcome
    from lark_sheets.errors import Problem
    from lark_sheets.usecases.addin_setup import Places
    from lark_sheets.usecases.asking import AskingNeeds
    from lark_sheets.usecases.buttons import Desk
    from lark_sheets.usecases.loading import Loaded

PACKAGE = Path(__file__).parents[1]
LEDGER = "ledger.sqlite"
LANGUAGE_VARIABLE = "LARK_SHEETS_LANG"


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


def frames() -> Frames:
    """Return what writes tables for analysts."""
    from lark_sheets.adapters.frames import PandasFrames

    return PandasFrames()


def kept_calibrations(folder: Path, clock: Clock) -> Sequence[Calibration]:
    """Return the calibrations that a campaign's ledger holds, oldest first; none where there is no ledger yet."""
    from lark_sheets.adapters.ledger import SqliteLedger

    path = folder / LEDGER
    if not path.exists():
        return ()
    ledger = SqliteLedger(path, clock.now)
    try:
        return ledger.calibrations()
    finally:
        ledger.close()


EMBEDDINGS_KEY = "LARK_SHEETS_EMBEDDINGS_KEY"
ON_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})


def embeddings(provider: str, *, url: str = "", model: str = "") -> Embeddings:
    """Return what embeds texts: the library on this machine, or a service. Raises :class:`UsageError` for an address that is none."""
    from urllib.parse import urlsplit

    from lark_sheets.adapters.embeddings import LocalEmbeddings, RemoteEmbeddings

    if provider == "local":
        return LocalEmbeddings()
    parts = urlsplit(url)
    secure = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ON_THIS_MACHINE)
    if not secure or not parts.hostname or not model:
        raise UsageError(problem("embeddings_url", found=url if model else "--model"))
    return RemoteEmbeddings(url, model, os.environ.get(EMBEDDINGS_KEY, ""))


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


# -- the add-in ----------------------------------------------------------------------------------------------------------

HOME_VARIABLE = "LARK_SHEETS_HOME"
SETTINGS = "settings.json"
JUDGE_PROVIDER = "anthropic"


def state_folder() -> Path:
    """Return the folder of this person's log, lock and settings; LARK_SHEETS_HOME names another."""
    named = os.environ.get(HOME_VARIABLE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "Lark Sheets"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Lark Sheets"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "lark-sheets"


def documents_folder() -> Path:
    """Return the folder in which a new campaign is begun: "Lark Sheets" among a person's documents."""
    home = Path.home()
    documents = home / "Documents"
    return (documents if documents.is_dir() else home) / "Lark Sheets"


def addin_language() -> Language:
    """Return the language chosen when the add-in was installed, else the preferred one."""
    return preferred_language(addin_settings().get("language"))


def addin_settings() -> dict[str, str]:
    """Return what was chosen when the add-in was installed: the language of the ribbon, the model that judges."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        plain = json.loads((state_folder() / SETTINGS).read_text("utf-8"))
        return {str(key): str(value) for key, value in plain.items()}
    return {}


def button_log() -> ButtonLog:
    """Return the log of the buttons."""
    from lark_sheets.adapters.button_log import ButtonLog

    return ButtonLog(state_folder() / "lark-sheets.log")


def live_books(app: xlwings.App) -> LiveBooks:
    """Return the workbooks that are open in a spreadsheet, and all others as files."""
    from lark_sheets.adapters.books import FileBooks
    from lark_sheets.adapters.live_book import LiveBooks

    return LiveBooks(app, FileBooks())


def live_needs(app: xlwings.App, language: Language) -> Needs:
    """Return what use cases need to work on the workbooks that are open in a spreadsheet."""
    from lark_sheets.adapters.live_book.panel import StatusBarProgress
    from lark_sheets.adapters.tables import FileTables

    books = live_books(app)
    files = needs(language, progress=StatusBarProgress(app))
    return dataclasses.replace(files, books=books, tables=FileTables(books))


def press(name: str, book: xlwings.Book | None = None) -> Outcome:
    """Do what a button of the ribbon does, on a workbook or on the one in front, and tell what came of it; never raises."""
    from lark_sheets.adapters import desktop
    from lark_sheets.adapters.live_book.pressing import Surroundings, press as press_button
    from lark_sheets.adapters.one_at_a_time import alone

    around = Surroundings(
        action=_live_action,
        books=live_books,
        alone=lambda: alone(state_folder() / "button.lock"),
        show=desktop.show,
        last_word=desktop.last_word,
        translator_of=translator,
        language=addin_language(),
        log=button_log(),
        now=lambda: SystemClock().now().isoformat(timespec="seconds"),
    )
    return press_button(name, around, book)


def _live_action(name: str, app: xlwings.App, book: xlwings.Book, t: Translator) -> Outcome:
    from lark_sheets.adapters.live_book.panel import ask
    from lark_sheets.adapters.live_book.pressing import path_of
    from lark_sheets.adapters.live_book.probe import probe
    from lark_sheets.core.outcomes import Outcome
    from lark_sheets.usecases.buttons import Desk

    if name == "self_test":
        found = [*probe(app), *addin_findings(t.language)]
        hint = t("Log: {path}", path=button_log().path)
        return Outcome(line=t("Lark Sheets was tested."), problems=found, hint=hint)
    if name == "store_key":
        return Outcome(line=ask_for_key(t))
    desk = Desk(
        needs=live_needs(app, t.language),
        find_path=lambda: path_of(book),
        is_saved=Path(book.name).suffix != "",
        ask=lambda text: ask(app, text),
        reports=reports,
        documents=documents_folder(),
        asking=lambda loaded, offline: judge_needs(loaded, t, offline=offline),
        model=judge_model(),
    )
    return button_action(name)(desk)


def press_on_file(name: str, path: Path, t: Translator, ask: Callable[[str], bool]) -> Outcome:
    """Do what a button does on a workbook that is open nowhere, or on the one of a campaign's folder."""
    from lark_sheets.usecases.buttons import Desk
    from lark_sheets.usecases.folders import workbook_of

    files = needs(t.language)
    desk = Desk(
        needs=files,
        find_path=lambda: workbook_of(path, files.files).absolute(),
        is_saved=path.suffix != "",
        ask=ask,
        reports=reports,
        documents=documents_folder(),
        asking=lambda loaded, offline: judge_needs(loaded, t, offline=offline),
        model=judge_model(),
    )
    return button_action(name)(desk)


def spreadsheets() -> list[xlwings.App]:
    """Return the running spreadsheets that can be reached from outside, the one in front first; none on Linux."""
    import xlwings as xw

    if not len(xw.engines):
        return []
    running = list(xw.apps)
    front = xw.apps.active
    return sorted(running, key=lambda app: front is None or app.pid != front.pid)


def button_action(name: str) -> Callable[[Desk], Outcome]:
    """Return what a button does with a desk; ``KeyError`` for a name that is no button's."""
    from lark_sheets.usecases import buttons, judge_buttons

    actions: dict[str, Callable[[Desk], Outcome]] = {
        "new": buttons.new,
        "update": buttons.update,
        "preview": buttons.preview,
        "apply": buttons.apply,
        "undo": buttons.undo,
        "report": buttons.report,
        "estimate": judge_buttons.estimate,
        "calibrate": judge_buttons.calibrate,
        "judge": judge_buttons.judge,
    }
    return actions[name]


def addin_files(language: Language, interpreter: str) -> dict[str, bytes]:
    """Return the files of the add-in, ready to be installed: the shipped macros, byte for byte, with the Python to run."""
    from importlib.resources import files

    from lark_sheets.addin import addin_name, built, panel_name
    from lark_sheets.addin.build import build_addin, build_panel, project_of
    from lark_sheets.usecases.addin_setup import ADDIN, PANEL, SCRIPT

    script = next(each for each in files("xlwings").iterdir() if each.name.endswith(".applescript"))
    return {
        ADDIN: build_addin(language, project_of(built(addin_name(language))), interpreter),
        PANEL: build_panel(language, project_of(built(panel_name(language))), interpreter),
        SCRIPT: script.read_bytes(),
    }


def addin_machine() -> tuple[ThisMachine, Places]:
    """Return this computer and where the add-in goes on it. Raises :class:`~lark_sheets.errors.MissingPiece` where Excel has no macros."""
    from lark_sheets.adapters.excel_machine import ThisMachine
    from lark_sheets.addin import XLWINGS_VERSION
    from lark_sheets.usecases.addin_setup import places

    machine = ThisMachine(Path.home(), os.environ)
    script = f"xlwings-{XLWINGS_VERSION}.applescript"
    return machine, places(machine, state_folder(), documents_folder(), script)


def addin_findings(language: Language) -> list[Problem]:
    """Return what a look at the add-in's installation finds; on a system without Excel, that alone."""
    from lark_sheets.adapters.key_store import stored_key
    from lark_sheets.errors import MissingPiece
    from lark_sheets.usecases.addin_setup import check

    try:
        machine, at = addin_machine()
    except MissingPiece as lacking:
        return list(lacking.problems)
    kept = bool(stored_key(JUDGE_PROVIDER))
    return check(machine, at, addin_files, language, key_kept=kept, provider=JUDGE_PROVIDER)


def ask_for_key(t: Translator) -> str:
    """Ask for the service's key, and the model, in windows of their own; keep both where they belong; say what was done."""
    from lark_sheets.adapters import desktop

    key = desktop.ask_text(t("The API key of {provider}:", provider=JUDGE_PROVIDER), secret=True)
    model = desktop.ask_text(t("The model that is to judge (blank: as before):"))
    return keep_key(key, model, t)


def keep_key(key: str, model: str, t: Translator) -> str:
    """Keep a key in the system's key store and the model's name in the settings; say what was done."""
    from lark_sheets.adapters.files import DiskFiles
    from lark_sheets.adapters.key_store import store_key

    if model:
        settings = json.dumps(addin_settings() | {"judge_model": model}, ensure_ascii=False, indent=1) + "\n"
        DiskFiles().write_text(state_folder() / SETTINGS, settings)
    if not key:
        return t("The model was kept.") if model else t("Nothing was done.")
    store_key(JUDGE_PROVIDER, key)
    return t("The key of {provider} is in this system’s key store.", provider=JUDGE_PROVIDER)


def judge_needs(loaded: Loaded, t: Translator, *, offline: bool) -> AskingNeeds:
    """Return what asking the judge of a campaign needs, with the settings that a person chose when storing the key."""
    return asking_needs(
        t, beside=loaded.path, provider=JUDGE_PROVIDER, rubric=loaded.campaign.rubric, offline=offline
    )


def judge_model() -> str:
    """Return the model that the environment names for judging, else the one chosen with the key; none is wired in."""
    return os.environ.get("LARK_SHEETS_JUDGE_MODEL") or addin_settings().get("judge_model", "")
