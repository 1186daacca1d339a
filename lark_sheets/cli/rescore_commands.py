"""The commands of revisions: ``rescore`` and ``drift``."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lark_sheets.cli import output
from lark_sheets.cli.words import Words
from lark_sheets.core.language import Translator
from lark_sheets.errors import Severity

if TYPE_CHECKING:
    from lark_sheets.core.rescoring.drift import Shift
    from lark_sheets.usecases.drifting import DriftFound
    from lark_sheets.usecases.rescoring import RescoreResult

DONE, PROBLEM = 0, 1


def register(commands: Any, t: Translator, common: argparse.ArgumentParser) -> None:
    """Add the words of these commands to the parser."""
    words = Words(commands, t, common)

    def command(name: str, about: str, example: str) -> argparse.ArgumentParser:
        added = words.command(name, about, example)
        added.add_argument("book", type=Path, metavar="BOOK", help=t("a workbook, or the campaign's folder"))
        return added

    rescore = command(
        "rescore",
        t(
            "Show what the edits of the rubric change, and nothing else; apply them, or take the last ones back."
        ),
        'rescore spring --apply --author Grace --reason "The application strips fences." --covered format',
    )
    how = rescore.add_mutually_exclusive_group()
    how.add_argument("--apply", action="store_true", help=t("write it: grades, version stamps, history"))
    how.add_argument("--undo", action="store_true", help=t("take the last revision back"))
    rescore.add_argument(
        "--author", default="", metavar="NAME", help=t("who edits (else: the table of changes)")
    )
    rescore.add_argument("--reason", default="", metavar="TEXT", help=t("why (else: the table of changes)"))
    rescore.add_argument(
        "--wording",
        nargs="+",
        default=[],
        metavar="CRITERION",
        help=t("the texts of these criteria say the same in other words"),
    )
    rescore.add_argument(
        "--covered",
        nargs="+",
        default=[],
        metavar="CRITERION",
        help=t("the texts of these criteria only say what the edited code says"),
    )
    rescore.add_argument(
        "--oversight",
        default="",
        metavar="CODE",
        help=t("no edit: readers overlooked what this code stands for"),
    )

    command(
        "drift",
        t("Look along the rows for shifts of levels and of agreement, without accusing anybody."),
        "drift spring",
    )


def rescore(options: Namespace, t: Translator) -> int:
    """Show, apply or undo a revision."""
    from lark_sheets import wiring
    from lark_sheets.usecases.rescoring import RescoreRequest, rescore as rescore_campaign

    request = RescoreRequest(
        book=options.book,
        apply=options.apply,
        undo=options.undo,
        author=options.author,
        reason=options.reason,
        wording=tuple(options.wording),
        covered=tuple(options.covered),
        oversight=options.oversight,
    )
    result = rescore_campaign(request, wiring.needs(t.language))
    output.tell(result.problems, t)
    _show(result, t)
    for path in result.worklists:
        print(t("To grade again, for the grader: {path}", path=path))
    for path in result.discarded:
        print(t("No longer to be filled in: {path}", path=path))
    if result.backup:
        print(t("The workbook as it was: {path}", path=result.backup))
    return PROBLEM if any(p.severity is Severity.ERROR for p in result.problems) else DONE


def _show(result: RescoreResult, t: Translator) -> None:
    from lark_sheets.core.rescoring import telling
    from lark_sheets.core.rescoring.preview import preview

    if result.undone is not None:
        print(telling.undo_headline(result.undone, t))
        return
    outcome = result.outcome
    if outcome is None or outcome.is_nothing:
        print(
            t(
                "Nothing to do: the rubric is as version {version} left it.",
                version=result.campaign.rubric.version,
            )
        )
        return
    for title, rows in preview(outcome, t, result.place):
        print(title)
        print(output.table([[output.safe(cell) for cell in row] for row in rows]))
        print()
    print(telling.headline(outcome, t))
    if result.applied:
        print(t("Applied: {path}", path=result.workbook))
    elif outcome.needs_new_workbook:
        print(
            t(
                "Nothing is written yet. With --apply a new workbook is made beside this one, which stays as it is."
            )
        )
    else:
        print(t("Nothing is written yet: --apply writes it, --undo would take it back."))


def drift(options: Namespace, t: Translator) -> int:
    """Show shifts along the rows."""
    from lark_sheets import wiring
    from lark_sheets.usecases.drifting import find_drift

    found = find_drift(options.book, wiring.needs(t.language))
    _show_drift(found, t)
    return DONE


def _show_drift(found: DriftFound, t: Translator) -> None:
    from lark_sheets.core.rescoring.drift import LEVEL

    names = {c.id: c.name.in_(t.language) for c in found.campaign.rubric.criteria}
    labels = {r.id: f"{r.item}-{r.label}" for r in found.campaign.responses}

    def row(shift: Shift) -> list[str]:
        undefined = shift.before is None or shift.after is None or shift.adjusted is None
        figures = ["–", "–", "–", "–"]
        if not undefined:
            figures = [
                labels.get(shift.start, ""),
                t.decimal(shift.before or 0),
                t.decimal(shift.after or 0),
                t.decimal(shift.adjusted or 0, 3),
            ]
        who = shift.grader or t("all readers")
        said = t("pointed out") if shift.is_pointed_out else ""
        if shift.is_pointed_out and shift.may_be_of_kinds:
            said = t("pointed out; the kinds of tickets may explain it")
        if shift.is_pointed_out and shift.revisions:
            versions = ", ".join(map(str, shift.revisions))
            said = t("pointed out; revised in version {versions}", versions=versions)
        return [who, names.get(shift.criterion, t("agreement")), *figures, said]

    header = [t("Grader"), t("Series"), t("From"), t("Mean before"), t("Mean after"), t("Chance"), ""]
    print(output.table([header, *(row(shift) for shift in found.drift.shifts)], frozenset({3, 4, 5})))
    print(
        t(
            "Chance: adjusted for all rows of this table; pointed out at {level} or less. Rows stand in the order of the sheet: a workbook without macros records no time.",
            level=t.percent(LEVEL),
        )
    )
    for again in found.drift.consistency:
        print(
            t(
                "{grader} met {n} responses twice; {criterion}: equal on {equal}",
                grader=again.grader,
                n=again.n,
                criterion=names.get(again.criterion, again.criterion),
                equal=again.equal,
            )
        )
    for entry in found.dates:
        print(f"  {entry.when}  {entry.event}  {output.safe(entry.detail)}")


COMMANDS: Mapping[str, Callable[[Namespace, Translator], int]] = {"rescore": rescore, "drift": drift}
