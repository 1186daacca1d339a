"""The commands of the refusal bench and of the code and word checks; with them come those of :mod:`analysis_commands`."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lark_sheets.cli import analysis_commands, output
from lark_sheets.cli.words import DONE, PROBLEM, STANDARD_OUTPUT, Words, whole, write_json
from lark_sheets.core.language import Translator
from lark_sheets.core.problems import NBSP_COLON
from lark_sheets.errors import Severity


def register(commands: Any, t: Translator, common: argparse.ArgumentParser) -> None:
    """Add the words of these commands to the parser."""
    words = Words(commands, t, common)
    bench = words.command(
        "refusal-bench",
        t("Choose the requests of a refusal bench from a set of prompts, the same ones on every machine."),
        "refusal-bench xstest_prompts.csv --out bench",
    )
    bench.add_argument("prompts", type=Path, metavar="PROMPTS", help=t("the table of prompts"))
    bench.add_argument("--out", required=True, type=Path, metavar="DIR", help=t("folder to create"))
    bench.add_argument(
        "--protocol", default="refus-v1", metavar="NAME|FILE", help=t("a shipped protocol, or a TOML file")
    )
    bench.add_argument(
        "--per-type",
        type=whole,
        metavar="N",
        help=t(
            "requests of each type, instead of what the protocol fixes (0: all); makes an exploratory sample"
        ),
    )

    measures = words.command(
        "refusal-measures",
        t("Write protocol, catalogue and measures of a refusal campaign as JSON, without any output."),
        "refusal-measures spring --conditions conditions.csv",
    )
    words.book(measures)
    measures.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help=t("where to write (default: refusals/ in the campaign's folder)"),
    )
    measures.add_argument(
        "--conditions", type=Path, metavar="FILE", help=t("table of what was sent to each run, one row a run")
    )
    measures.add_argument(
        "--reference",
        type=Path,
        metavar="FILE",
        help=t("table with the columns people and judge: labels of a reference sample"),
    )
    measures.add_argument(
        "--protocol", default="", metavar="NAME|FILE", help=t("a shipped protocol, or a TOML file")
    )

    checks = words.command(
        "code-checks",
        t("Show what programs see beside what people graded, and how often a search for words errs."),
        "code-checks spring --json checks.json",
    )
    words.book(checks)
    checks.add_argument(
        "--checks", type=Path, metavar="FILE", help=t("a check file of your own (default: the rubric's)")
    )
    words.json(checks)
    analysis_commands.register(commands, t, common)


def refusal_bench(options: Namespace, t: Translator) -> int:
    """Build a refusal bench."""
    from lark_sheets import wiring
    from lark_sheets.usecases.refusals import build_bench

    built = build_bench(
        options.prompts,
        options.out,
        wiring.needs(t.language),
        protocol=options.protocol,
        per_type=options.per_type,
    )
    output.tell(built.problems, t)
    counts: dict[str, int] = {}
    for request in built.chosen:
        counts[request.stratum] = counts.get(request.stratum, 0) + 1
    listed = ", ".join(f"{stratum} {count}" for stratum, count in sorted(counts.items()))
    total = t.count("{n} request", "{n} requests", len(built.chosen))
    print(f"{built.protocol.id}{NBSP_COLON[t.language]} {total} ({listed})")
    print(t("List: SHA-256 {digest}", digest=built.list_sha256))
    for path in built.paths:
        print(f"  {path}")
    return DONE


def refusal_measures(options: Namespace, t: Translator) -> int:
    """Publish a refusal campaign."""
    from lark_sheets import wiring
    from lark_sheets.cli import systems_output
    from lark_sheets.usecases.refusal_publishing import publish

    done = publish(
        options.book,
        wiring.needs(t.language),
        key=options.key,
        out=options.out,
        conditions=options.conditions,
        reference=options.reference,
        protocol=options.protocol,
    )
    output.tell(done.problems, t)
    print(systems_output.refusal_tables(done.results, done.check, t))
    for path in done.paths:
        print(f"  {path}")
    return PROBLEM if any(p.severity is Severity.ERROR for p in done.problems) else DONE


def code_checks(options: Namespace, t: Translator) -> int:
    """Hold programs and word lists against people."""
    from lark_sheets import wiring
    from lark_sheets.cli import systems_output
    from lark_sheets.usecases.code_grading import check_codes, checks_plain

    needs = wiring.needs(t.language, quiet=options.json == STANDARD_OUTPUT)
    done = check_codes(options.book, needs, key=options.key, checks=options.checks)
    if options.json:
        write_json(checks_plain(done), options.json, needs)
    if options.json != STANDARD_OUTPUT:
        print(systems_output.checks_text(done, t))
    return DONE


COMMANDS: Mapping[str, Callable[[Namespace, Translator], int]] = {
    "refusal-bench": refusal_bench,
    "refusal-measures": refusal_measures,
    "code-checks": code_checks,
    **analysis_commands.COMMANDS,
}
