"""The words that several commands share: where the campaign is, its key, JSON; and writing JSON alone on standard output."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lark_sheets.core.language import Translator

DONE, PROBLEM = 0, 1
STANDARD_OUTPUT = "-"


def whole(text: str) -> int:
    """Return a whole number that is not negative."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"“{text}”: 0, 1, 2 ...")
    return int(text)


class Words:
    """Adds commands to the parser, in the reader's language."""

    def __init__(self, commands: Any, t: Translator, common: argparse.ArgumentParser) -> None:
        self._commands, self._t, self._common = commands, t, common

    def command(self, name: str, about: str, example: str) -> argparse.ArgumentParser:
        """Add a command with its help and an example."""
        added: argparse.ArgumentParser = self._commands.add_parser(
            name,
            parents=[self._common],
            help=about,
            description=about,
            epilog=self._t("Example:") + f"\n  lark-sheets {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        return added

    def book(self, sub: argparse.ArgumentParser) -> None:
        """Add the campaign, and where its key lies."""
        t = self._t
        sub.add_argument("book", type=Path, metavar="BOOK", help=t("a workbook, or the campaign's folder"))
        sub.add_argument(
            "--key", type=Path, metavar="KEY", help=t("the key file (default: key/ beside the workbook)")
        )

    def json(self, sub: argparse.ArgumentParser) -> None:
        """Add where to write JSON."""
        text = self._t("write everything as JSON (-: standard output, alone)")
        sub.add_argument("--json", metavar="FILE", help=text)

    def mixed(self, sub: argparse.ArgumentParser) -> None:
        """Add the word that lets in grades of older rubric versions."""
        text = self._t("count grades given under an older rubric version, and mark it")
        sub.add_argument("--allow-mixed", action="store_true", help=text)


def write_json(plain: Mapping[str, Any], target: str, needs: Any) -> None:
    """Write JSON to a file, or alone on standard output."""
    from lark_sheets.core.results_json import dumps

    if target == STANDARD_OUTPUT:
        sys.stdout.write(dumps(plain))
    else:
        needs.files.write_text(Path(target), dumps(plain))
