"""The words of every command, with their help in the reader's language."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from lark_sheets.cli import addin_commands, judge_commands, rescore_commands, systems_commands
from lark_sheets.cli.words import Words
from lark_sheets.core.campaign import Grader
from lark_sheets.core.language import LANGUAGES, Translator
from lark_sheets.core.problems import problem
from lark_sheets.errors import UsageError


class Parser(argparse.ArgumentParser):
    """An argument parser that raises our own error and suggests the command that was meant."""

    def error(self, message: str) -> NoReturn:
        """Raise :class:`UsageError` instead of leaving the program."""
        raise UsageError(
            problem(
                "wrong_usage",
                found=message,
                allowed=self.format_usage().strip(),
                command=self.prog.partition(" ")[2],
            )
        )

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            near = difflib.get_close_matches(str(value), [str(c) for c in action.choices], n=1)
            if near:
                self.error(f"“{value}”? → {near[0]}")
        super()._check_value(action, value)


def build_parser(t: Translator) -> Parser:
    """Return the parser of all commands."""
    parser = Parser(
        prog="lark-sheets",
        description=t(
            "Grade answers of language models in a workbook, blind, so that another person would give the same grade."
        ),
    )
    parser.add_argument("--version", action="store_true", help=t("show the version"))
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    common = Parser(add_help=False)
    common.add_argument(
        "--lang",
        choices=LANGUAGES,
        help=t("language of screens and files (default: LARK_SHEETS_LANG, else the system's)"),
    )

    command = Words(commands, t, common).command

    def book(sub: argparse.ArgumentParser, *, many: bool = False) -> None:
        sub.add_argument(
            "book",
            nargs="+" if many else None,
            type=Path,
            metavar="BOOK",
            help=t("a workbook, or the campaign's folder"),
        )

    def key(sub: argparse.ArgumentParser) -> None:
        sub.add_argument(
            "--key", type=Path, metavar="KEY", help=t("the key file (default: key/ beside the workbook)")
        )

    demo = command(
        "demo",
        t("Build a graded campaign, its results and its report, to look at."),
        "demo --out demo --lang fr",
    )
    demo.add_argument(
        "--out", type=Path, default=Path("demo"), metavar="DIR", help=t("folder to write (default: demo)")
    )

    new = command(
        "new",
        t("Create a campaign: blind workbooks and a sealed key, from a rubric, items and responses."),
        "new --rubric larkfield --items items.csv --responses responses.csv --out spring --graders ana:fr ben:en --shared 4",
    )
    new.add_argument(
        "--rubric",
        metavar="NAME|FILE",
        help=t("a shipped rubric, or a TOML file or workbook of your own"),
    )
    new.add_argument("--items", type=Path, metavar="FILE", help=t("table with the columns item, text"))
    new.add_argument(
        "--responses",
        type=Path,
        metavar="FILE",
        help=t("table with the columns item, run, response"),
    )
    new.add_argument("--out", required=True, type=Path, metavar="DIR", help=t("folder to create"))
    new.add_argument(
        "--graders",
        nargs="+",
        type=grader,
        default=[],
        metavar="NAME[:LANG][:model=FAMILY][:slot]",
        help=t("who grades; LANG is that of the reply expected"),
    )
    new.add_argument(
        "--shared", type=whole, default=0, metavar="N", help=t("responses per run that every grader reads")
    )
    new.add_argument(
        "--not-shared", nargs="+", default=[], metavar="RUN", help=t("runs left out of the shared sample")
    )
    new.add_argument(
        "--block", type=whole, metavar="N", help=t("letters per block, when a ticket has many runs")
    )
    new.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help=t("repeats the draw of the shared sample, and only that"),
    )

    new.add_argument(
        "--ranking",
        action="store_true",
        help=t("add a sheet on which graders rank the letters of each ticket"),
    )
    new.add_argument(
        "--more", action="store_true", help=t("add graders or responses to the campaign in --out")
    )
    new.add_argument(
        "--repeat",
        type=whole,
        default=0,
        metavar="N",
        help=t("with --more: responses a grader reads again, mixed in"),
    )
    key(new)

    imported = command(
        "import", t("Bring grades from a table into a workbook."), "import spring --grades grades.csv"
    )
    book(imported)
    imported.add_argument(
        "--grades",
        required=True,
        type=Path,
        metavar="FILE",
        help=t("table with grader, response_id or item and run, one column a criterion"),
    )
    key(imported)

    check = command("check", t("Tell every problem in workbooks, by cell."), "check spring/graders/ana.xlsx")
    book(check, many=True)
    check.add_argument(
        "--json", metavar="FILE", help=t("write the problems as JSON (-: standard output, alone)")
    )

    gather = command(
        "gather", t("Bring graders' workbooks back into the campaign."), "gather spring spring/graders/*.xlsx"
    )
    gather.add_argument(
        "campaign", type=Path, metavar="CAMPAIGN", help=t("the campaign's folder or workbook")
    )
    gather.add_argument("book", nargs="+", type=Path, metavar="BOOK", help=t("graders' workbooks"))

    recompute = command(
        "recompute", t("Recompute totals, readiness, zeros and agreement."), "recompute spring --json -"
    )
    book(recompute, many=True)
    key(recompute)
    recompute.add_argument(
        "--json", metavar="FILE", help=t("write results.json there (-: standard output, alone)")
    )
    recompute.add_argument("--results", type=Path, metavar="FILE", help=t("write the results workbook there"))
    recompute.add_argument(
        "--allow-mixed",
        action="store_true",
        help=t("count grades given under an older rubric version, and mark it"),
    )

    reveal = command(
        "reveal", t("Reveal which run wrote which response, once all is graded."), "reveal spring"
    )
    book(reveal)
    key(reveal)
    reveal.add_argument(
        "--force",
        action="store_true",
        help=t("reveal although grades are missing (recorded; replaces the verdict)"),
    )
    reveal.add_argument("--reason", default="", metavar="TEXT", help=t("why, with --force"))

    agreement = command("agreement", t("Show how far the graders agree."), "agreement spring")
    book(agreement, many=True)
    key(agreement)
    agreement.add_argument(
        "--json", nargs="?", const="-", metavar="FILE", help=t("write it as JSON (-: standard output, alone)")
    )

    agreement.add_argument(
        "--plan",
        type=width,
        metavar="WIDTH",
        help=t("how many shared responses an interval of that width would need (0.2 or 20%%)"),
    )

    report = command("report", t("Write the manager's report."), "report spring --pdf report.pdf")
    book(report)
    key(report)
    report.add_argument(
        "--pdf",
        type=Path,
        metavar="FILE",
        help=t("where to write the PDF (default: report.pdf in the campaign's folder)"),
    )
    report.add_argument(
        "--html", type=Path, metavar="FILE", help=t("write one HTML page instead, or as well with --pdf")
    )
    report.add_argument(
        "--appendix", choices=("full", "scores", "none"), help=t("what the appendix shows of each response")
    )
    report.add_argument(
        "--allow-mixed",
        action="store_true",
        help=t("count grades given under an older rubric version, and mark it"),
    )
    rescore_commands.register(commands, t, common)
    judge_commands.register(commands, t, common)
    systems_commands.register(commands, t, common)
    addin_commands.register(commands, t, common)
    return parser


def whole(text: str) -> int:
    """Return a whole number that is not negative."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"“{text}”: 0, 1, 2 ...")
    return int(text)


def width(text: str) -> float:
    """Return the width of an interval, given as a share (0.2 or 0,2) or a percentage (20%)."""
    digits = text.strip().removesuffix("%").strip().replace(",", ".")
    try:
        value = float(digits) / (100 if "%" in text else 1)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"“{text}”: 0.05, 0.2, 20% ...")
    return value


def grader(text: str) -> Grader:
    """Return the grader of ``name[:language][:model=family][:slot]``."""
    name, *rest = text.split(":")
    languages: list[str] = []
    model = ""
    is_position = False
    for part in rest:
        option, _, value = part.partition("=")
        if option == "model" and value:
            model = value
        elif option == "slot" and not value:
            is_position = True
        elif option and not value:
            languages.append(option)
        else:
            raise argparse.ArgumentTypeError(f"“{text}”: NAME[:LANG][:model=FAMILY][:slot]")
    if not name.strip():
        raise argparse.ArgumentTypeError(f"“{text}”: NAME[:LANG][:model=FAMILY][:slot]")
    return Grader(name=name.strip(), languages=tuple(languages), model=model, is_position=is_position)


def known_commands(parser: Parser) -> Sequence[str]:
    """Return the names of all commands, for documentation and tests."""
    for action in parser._actions:  # noqa: SLF001  (argparse offers no public way)
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            return list(action.choices)
    return []
