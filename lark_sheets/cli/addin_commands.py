"""The commands around Excel: ``addin install | remove | check | key`` and ``attach``."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lark_sheets.cli import output
from lark_sheets.core.language import Translator
from lark_sheets.core.outcomes import Outcome
from lark_sheets.core.problems import problem
from lark_sheets.errors import MissingPiece, Severity, UsageError

if TYPE_CHECKING:
    import xlwings

    from lark_sheets.usecases.addin_setup import Installed

DONE, PROBLEM = 0, 1
BUTTONS = ("update", "new", "preview", "apply", "undo", "estimate", "calibrate", "judge", "report")


def register(commands: Any, t: Translator, common: argparse.ArgumentParser) -> None:
    """Add the words of these commands to the parser."""

    def command(name: str, about: str, example: str) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = commands.add_parser(
            name,
            parents=[common],
            help=about,
            description=about,
            epilog=t("Example:") + f"\n  lark-sheets {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        return added

    addin = command("addin", t("Install the ribbon for Excel, remove it, or check it."), "addin install")
    what = addin.add_subparsers(dest="what", required=True, metavar="install | remove | check | key")
    words = {
        "install": t("put the add-in where Excel loads it"),
        "remove": t("take it away"),
        "check": t("look at everything it needs, and tell each finding with its remedy"),
        "key": t("put the API key of the judge into this system’s key store"),
    }
    parts = {name: what.add_parser(name, parents=[common], help=about) for name, about in words.items()}
    for name in ("install", "remove"):
        parts[name].add_argument(
            "--dry-run", action="store_true", help=t("say what would be done, and do nothing")
        )
    parts["key"].add_argument("--remove", action="store_true", help=t("take the key out of the key store"))
    parts["key"].add_argument("--model", default="", metavar="MODEL", help=t("the model that is to judge"))

    attach = command(
        "attach",
        t(
            "Do what a button of the ribbon does, from outside: on the workbook open in Excel, else on the file."
        ),
        "attach spring --do report",
    )
    attach.add_argument(
        "book",
        nargs="?",
        metavar="BOOK",
        help=t("a workbook or a campaign’s folder (default: the workbook in front in Excel)"),
    )
    attach.add_argument("--do", choices=BUTTONS, default="update", help=t("the button (default: update)"))


def addin(options: Namespace, t: Translator) -> int:
    """Install, remove or check the add-in, or keep a key."""
    return {"install": _install, "remove": _remove, "check": _check, "key": _key}[options.what](options, t)


def _install(options: Namespace, t: Translator) -> int:
    from lark_sheets import wiring
    from lark_sheets.usecases.addin_setup import install

    machine, at = wiring.addin_machine()
    done = install(machine, at, wiring.addin_files, t.language, dry=options.dry_run)
    _told(done, t("written"), t("would be written"), t("Everything is in place already."), t)
    if not options.dry_run:
        print(t("Start Excel anew: the tab “Lark” is there. Its Help button tests the installation."))
        findings = [f for f in wiring.addin_findings(t.language) if f.severity is Severity.ERROR]
        output.tell(findings, t)
        return MissingPiece.exit_code if findings else DONE
    return DONE


def _remove(options: Namespace, t: Translator) -> int:
    from lark_sheets import wiring
    from lark_sheets.usecases.addin_setup import remove

    machine, at = wiring.addin_machine()
    done = remove(machine, at, dry=options.dry_run)
    _told(done, t("removed"), t("would be removed"), t("There is nothing to remove."), t)
    return DONE


def _told(done: Installed, past: str, would: str, nothing: str, t: Translator) -> None:
    del t
    for path in done.files:
        print(f"{would if done.dry else past}: {path}")
    if not done.files:
        print(nothing)


def _check(options: Namespace, t: Translator) -> int:
    from lark_sheets import wiring

    del options
    findings = wiring.addin_findings(t.language)
    output.tell(findings, t)
    print(output.count_line(findings, t))
    return MissingPiece.exit_code if any(f.severity is Severity.ERROR for f in findings) else DONE


def _key(options: Namespace, t: Translator) -> int:
    import getpass

    from lark_sheets import wiring
    from lark_sheets.adapters.key_store import forget_key

    if options.remove:
        gone = forget_key(wiring.JUDGE_PROVIDER)
        print(t("The key was removed.") if gone else t("There is nothing to remove."))
        return DONE
    asked = t("The API key of {provider}:", provider=wiring.JUDGE_PROVIDER) + " "
    key = getpass.getpass(asked) if sys.stdin.isatty() else sys.stdin.readline()
    print(wiring.keep_key(key.strip(), options.model.strip(), t))
    return DONE


# -- attach --------------------------------------------------------------------------------------------------------------


def attach(options: Namespace, t: Translator) -> int:
    """Do what a button does on the workbook open in Excel; on a file where it is open nowhere."""
    from lark_sheets import wiring

    book = _open_book(options.book)
    if book is not None:
        outcome = wiring.press(options.do, book)
    elif options.book is None:
        raise MissingPiece(problem("no_excel", found=sys.platform))
    else:
        path = Path(options.book)
        if not path.exists():
            seen = ", ".join(each.name for app in wiring.spreadsheets() for each in app.books)
            if seen:
                raise UsageError(problem("several_excels", found=options.book, seen=seen))
            raise UsageError(problem("missing_file", file=options.book, found=options.book))
        outcome = wiring.press_on_file(options.do, path, t, _asked)
    return _show(outcome, t)


def _open_book(wanted: str | None) -> xlwings.Book | None:
    """Return the open workbook that is meant: the one in front, or one by its name or path (a folder means its campaign)."""
    from lark_sheets import wiring
    from lark_sheets.usecases.folders import CAMPAIGN

    apps = wiring.spreadsheets()
    if wanted is None:
        return apps[0].books.active if apps and len(apps[0].books) else None
    path = Path(wanted)
    path = path / CAMPAIGN if path.is_dir() else path
    for app in apps:
        found = wiring.live_books(app).find(path)
        if found is not None:
            return found
        if not path.exists():
            for book in app.books:
                if book.name.casefold() == wanted.casefold():
                    return book
    return None


def _asked(text: str) -> bool:
    """Put a question to whoever sits at the terminal; nobody there means no."""
    if not sys.stdin.isatty():
        return False
    return input(f"{text} [y/N] ").strip().casefold() in ("y", "yes", "o", "oui")


def _show(outcome: Outcome, t: Translator) -> int:
    output.tell(outcome.problems, t)
    for title, rows in outcome.tables:
        print(title)
        width = max(map(len, rows), default=0)
        print(
            output.table([[output.safe(cell) for cell in (*row, *[""] * (width - len(row)))] for row in rows])
        )
        print()
    print(outcome.line)
    if outcome.hint:
        print(outcome.hint)
    for path in outcome.show:
        print(f"  {path}")
    return PROBLEM if outcome.is_fault else DONE


COMMANDS: Mapping[str, Callable[[Namespace, Translator], int]] = {"addin": addin, "attach": attach}
