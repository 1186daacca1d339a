"""The commands of refusal bench, code and word checks, comparison, similarity and export: their words, and one function each."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lark_sheets.cli import output
from lark_sheets.core.language import Translator
from lark_sheets.core.problems import NBSP_COLON
from lark_sheets.errors import Severity

DONE, PROBLEM = 0, 1
STANDARD_OUTPUT = "-"


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

    def book(sub: argparse.ArgumentParser, name: str = "book", metavar: str = "BOOK") -> None:
        sub.add_argument(name, type=Path, metavar=metavar, help=t("a workbook, or the campaign's folder"))

    def key(sub: argparse.ArgumentParser) -> None:
        sub.add_argument(
            "--key", type=Path, metavar="KEY", help=t("the key file (default: key/ beside the workbook)")
        )

    def json_option(sub: argparse.ArgumentParser) -> None:
        sub.add_argument(
            "--json", metavar="FILE", help=t("write everything as JSON (-: standard output, alone)")
        )

    bench = command(
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
        type=int,
        metavar="N",
        help=t(
            "requests of each type, instead of what the protocol fixes (0: all); makes an exploratory sample"
        ),
    )

    measures = command(
        "refusal-measures",
        t("Write protocol, catalogue and measures of a refusal campaign as JSON, without any output."),
        "refusal-measures spring --conditions conditions.csv",
    )
    book(measures)
    key(measures)
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

    checks = command(
        "code-checks",
        t("Show what programs see beside what people graded, and how often a search for words errs."),
        "code-checks spring --json checks.json",
    )
    book(checks)
    key(checks)
    checks.add_argument(
        "--checks", type=Path, metavar="FILE", help=t("a check file of your own (default: the rubric's)")
    )
    json_option(checks)

    compared = command(
        "compare",
        t(
            "Compare two campaigns, or two runs of one, on the same items: what changed and which items moved."
        ),
        "compare spring autumn",
    )
    compared.add_argument("before", type=Path, metavar="A", help=t("the campaign before"))
    compared.add_argument(
        "after", type=Path, metavar="B", help=t("the campaign after (or the same one, with --runs)")
    )
    compared.add_argument(
        "--runs",
        nargs=2,
        metavar=("RUN_A", "RUN_B"),
        help=t("one run of A and one of B (default: runs of the same name)"),
    )
    compared.add_argument("--key-a", type=Path, metavar="KEY", help=t("the key file of A"))
    compared.add_argument("--key-b", type=Path, metavar="KEY", help=t("the key file of B"))
    compared.add_argument(
        "--allow-mixed",
        action="store_true",
        help=t("count grades given under an older rubric version, and mark it"),
    )
    json_option(compared)

    exported = command(
        "export",
        t("Write the grades as a table, one row a grade: CSV, TSV, JSON lines, xlsx or Parquet."),
        "export spring --to grades.parquet",
    )
    book(exported)
    key(exported)
    exported.add_argument(
        "--to",
        type=Path,
        metavar="FILE",
        help=t("the file; its ending says the format (default: grades.csv in the campaign's folder)"),
    )
    exported.add_argument(
        "--texts", action="store_true", help=t("add messages and responses (never of a refusal campaign)")
    )
    exported.add_argument(
        "--allow-mixed",
        action="store_true",
        help=t("count grades given under an older rubric version, and mark it"),
    )

    alike = command(
        "similarity",
        t("Sort responses for reading by how far they stand from a reference answer; never a grade."),
        "similarity spring --against winter",
    )
    book(alike)
    key(alike)
    alike.add_argument(
        "--against", type=Path, metavar="EARLIER", help=t("an earlier campaign on the same items")
    )
    alike.add_argument(
        "--key-earlier", type=Path, metavar="KEY", help=t("the key file of the earlier campaign")
    )
    alike.add_argument(
        "--runs",
        nargs=2,
        metavar=("EARLIER_RUN", "RUN"),
        help=t("one run of the earlier campaign and one of this (default: runs of the same name)"),
    )
    alike.add_argument(
        "--provider",
        choices=("local", "remote"),
        default="local",
        help=t("local: on this machine (optional library); remote: texts are sent to --url"),
    )
    alike.add_argument(
        "--url", default="", help=t("address of an embedding service (with --provider remote)")
    )
    alike.add_argument("--model", default="", help=t("its model"))
    alike.add_argument("--top", type=int, default=20, metavar="N", help=t("responses to list (default: 20)"))


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


def compare(options: Namespace, t: Translator) -> int:
    """Compare two campaigns or two runs."""
    from lark_sheets import wiring
    from lark_sheets.cli import systems_output
    from lark_sheets.usecases.comparing import CompareRequest, compare as compare_all, comparison_plain

    needs = wiring.needs(t.language, quiet=options.json == STANDARD_OUTPUT)
    request = CompareRequest(
        before=options.before,
        after=options.after,
        runs=tuple(options.runs) if options.runs else None,
        key_before=options.key_a,
        key_after=options.key_b,
        allow_mixed=options.allow_mixed,
    )
    done = compare_all(request, needs)
    if options.json:
        write_json(comparison_plain(done), options.json, needs)
    if options.json != STANDARD_OUTPUT:
        output.tell(done.problems, t)
        print(systems_output.comparison_text(done, t))
    return PROBLEM if any(p.severity is Severity.ERROR for p in done.problems) else DONE


def export(options: Namespace, t: Translator) -> int:
    """Export grades."""
    from lark_sheets import wiring
    from lark_sheets.usecases.exporting import export as export_grades

    done = export_grades(
        options.book,
        wiring.needs(t.language),
        wiring.frames(),
        out=options.to,
        key=options.key,
        texts=options.texts,
        allow_mixed=options.allow_mixed,
    )
    output.tell(done.problems, t)
    rows = t.count("{n} row", "{n} rows", done.rows)
    print(t("{rows}, {columns} columns: {path}", rows=rows, columns=len(done.columns), path=done.path))
    return PROBLEM if any(p.severity is Severity.ERROR for p in done.problems) else DONE


def similarity(options: Namespace, t: Translator) -> int:
    """Sort responses for reading."""
    from lark_sheets import wiring
    from lark_sheets.cli import systems_output
    from lark_sheets.usecases.similarity import SimilarityRequest, similarity as measure

    request = SimilarityRequest(
        book=options.book,
        key=options.key,
        earlier=options.against,
        key_earlier=options.key_earlier,
        runs=tuple(options.runs) if options.runs else None,
    )
    provider = wiring.embeddings(options.provider, url=options.url, model=options.model)
    done = measure(request, wiring.needs(t.language), provider)
    print(systems_output.similarity_text(done, t, top=max(0, options.top)))
    return DONE


def write_json(plain: Mapping[str, Any], target: str, needs: Any) -> None:
    """Write JSON to a file, or alone on standard output."""
    from lark_sheets.core.results_json import dumps

    if target == STANDARD_OUTPUT:
        sys.stdout.write(dumps(plain))
    else:
        needs.files.write_text(Path(target), dumps(plain))


COMMANDS: Mapping[str, Callable[[Namespace, Translator], int]] = {
    "refusal-bench": refusal_bench,
    "refusal-measures": refusal_measures,
    "code-checks": code_checks,
    "compare": compare,
    "similarity": similarity,
    "export": export,
}
