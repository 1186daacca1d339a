"""From words to exit code: parse, run the command, tell every problem; no traceback reaches a person."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from lark_sheets.cli import output
from lark_sheets.cli.commands import COMMANDS
from lark_sheets.cli.parser import build_parser
from lark_sheets.core.problems import problem
from lark_sheets.errors import LarkError, MissingPiece, UsageError
from lark_sheets.locales import translator
from lark_sheets.wiring import preferred_language

INTERRUPTED = 130


def run(words: Sequence[str]) -> int:
    """Run the command that ``words`` name and return its exit code."""
    t = translator(preferred_language(_language_in(words)))
    try:
        parser = build_parser(t)
        options = parser.parse_args(words)
        if options.version:
            from lark_sheets import __version__

            print(f"lark-sheets {__version__}")
            return 0
        if not options.command:
            parser.print_help()
            return UsageError.exit_code
        return COMMANDS[options.command](options, t)
    except LarkError as error:
        output.tell(error.problems, t)
        return error.exit_code
    except SystemExit as leaving:  # argparse leaves after --help
        return int(leaving.code or 0)
    except KeyboardInterrupt:
        print(t("Stopped; nothing half written was left behind."), file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except PermissionError as error:
        output.tell([problem("file_locked", file=str(error.filename or ""))], t)
        return MissingPiece.exit_code


def _language_in(words: Sequence[str]) -> str | None:
    """Return the language asked for, before the words are parsed, so that even a wrong word is told in it."""
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if word == "--lang":
            return following
        if word.startswith("--lang="):
            return word.partition("=")[2]
    return None
