"""The commands that analyse a campaign: comparison, similarity, export, breakdown by type, and what is left to run."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lark_sheets.cli import output
from lark_sheets.cli.words import DONE, PROBLEM, STANDARD_OUTPUT, Words, whole, write_json
from lark_sheets.core.language import Translator
from lark_sheets.errors import Severity


def register(commands: Any, t: Translator, common: argparse.ArgumentParser) -> None:
    """Add the words of these commands to the parser."""
    words = Words(commands, t, common)
    compared = words.command(
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
    words.mixed(compared)
    words.json(compared)

    exported = words.command(
        "export",
        t("Write the grades as a table, one row a grade: CSV, TSV, JSON lines, xlsx or Parquet."),
        "export spring --to grades.parquet",
    )
    words.book(exported)
    exported.add_argument(
        "--to",
        type=Path,
        metavar="FILE",
        help=t("the file; its ending says the format (default: grades.csv in the campaign's folder)"),
    )
    exported.add_argument(
        "--texts", action="store_true", help=t("add messages and responses (never of a refusal campaign)")
    )
    words.mixed(exported)

    alike = words.command(
        "similarity",
        t("Sort responses for reading by how far they stand from a reference answer; never a grade."),
        "similarity spring --against winter",
    )
    words.book(alike)
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
    alike.add_argument(
        "--top", type=whole, default=20, metavar="N", help=t("responses to list (default: 20)")
    )
    parts = words.command(
        "breakdown",
        t("Show mean totals by type and difficulty of ticket, the weakest answers, and what has no grade."),
        "breakdown spring",
    )
    words.book(parts)
    words.mixed(parts)
    words.json(parts)
    left = words.command(
        "next",
        t("Show what is left to run, as commands; after an edit of the rubric, for example."),
        "next spring",
    )
    words.book(left)
    words.json(left)


def compare(options: Namespace, t: Translator) -> int:
    """Compare two campaigns or two runs."""
    from lark_sheets import wiring
    from lark_sheets.cli import analysis_output
    from lark_sheets.usecases.comparing import CompareRequest, compare as compare_all, comparison_plain
    from lark_sheets.usecases.folders import folder_of, workbook_of

    needs = wiring.needs(t.language, quiet=options.json == STANDARD_OUTPUT)
    request = CompareRequest(
        before=options.before,
        after=options.after,
        runs=tuple(options.runs) if options.runs else None,
        key_before=options.key_a,
        key_after=options.key_b,
        allow_mixed=options.allow_mixed,
    )
    folder = folder_of(workbook_of(options.after, needs.files))
    done = compare_all(request, needs, wiring.kept_calibrations(folder.root, needs.clock))
    if options.json:
        write_json(comparison_plain(done), options.json, needs)
    if options.json != STANDARD_OUTPUT:
        output.tell(done.problems, t)
        print(analysis_output.comparison_text(done, t))
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
    from lark_sheets.cli import analysis_output
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
    print(analysis_output.similarity_text(done, t, top=options.top))
    return DONE


def breakdown(options: Namespace, t: Translator) -> int:
    """Show means by type and difficulty, and the weakest answers."""
    from lark_sheets import wiring
    from lark_sheets.cli import analysis_output
    from lark_sheets.usecases.breaking_down import break_down, breakdown_plain

    needs = wiring.needs(t.language, quiet=options.json == STANDARD_OUTPUT)
    done = break_down(options.book, needs, key=options.key, allow_mixed=options.allow_mixed)
    if options.json:
        write_json(breakdown_plain(done), options.json, needs)
    if options.json != STANDARD_OUTPUT:
        output.tell(done.problems, t)
        print(analysis_output.breakdown_text(done, t))
    return PROBLEM if any(p.severity is Severity.ERROR for p in done.problems) else DONE


def next_steps(options: Namespace, t: Translator) -> int:
    """Show what is left to run."""
    from lark_sheets import wiring
    from lark_sheets.cli import analysis_output
    from lark_sheets.usecases.folders import folder_of, workbook_of
    from lark_sheets.usecases.next_steps import next_plain, what_next

    needs = wiring.needs(t.language, quiet=options.json == STANDARD_OUTPUT)
    folder = folder_of(workbook_of(options.book, needs.files))
    done = what_next(options.book, needs, wiring.kept_calibrations(folder.root, needs.clock), key=options.key)
    if options.json:
        write_json(next_plain(done), options.json, needs)
    if options.json != STANDARD_OUTPUT:
        print(analysis_output.next_text(done, t))
    return DONE


COMMANDS: Mapping[str, Callable[[Namespace, Translator], int]] = {
    "compare": compare,
    "similarity": similarity,
    "export": export,
    "breakdown": breakdown,
    "next": next_steps,
}
