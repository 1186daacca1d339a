"""One function a command: options to use case, result to screen, exit code."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lark_sheets.cli import addin_commands, judge_commands, output, rescore_commands, systems_commands
from lark_sheets.core.language import Translator
from lark_sheets.core.problems import problem
from lark_sheets.core.results import Results
from lark_sheets.errors import LarkError, MissingPiece, Severity, UsageError

DONE, PROBLEM = 0, 1
STANDARD_OUTPUT = "-"


def demo(options: Namespace, t: Translator) -> int:
    """Build the demo and say where the PDF lies and what its first page says."""
    from lark_sheets import wiring
    from lark_sheets.usecases.demo import FIRST_GRADED, build_demo

    needs = wiring.needs(t.language, clock=wiring.FixedTime(FIRST_GRADED))
    built = build_demo(options.out, needs, wiring.reports())
    print(output.runs_table(built.results, t))
    print()
    print(output.apart_text(built.results, t))
    print()
    print(output.agreement_table(built.results.agreement, built.results, t))
    print()
    if built.missing is not None:
        output.tell(built.missing.problems, t)
        print(t("No PDF; the report as a page: {path}", path=built.html))
        return MissingPiece.exit_code
    print(t("Report: {path}", path=built.pdf))
    print(t("Page 1 says: {verdict}", verdict=built.verdict))
    return DONE


def new(options: Namespace, t: Translator) -> int:
    """Create a campaign, or add to one."""
    from lark_sheets import wiring
    from lark_sheets.usecases.creating import NewCampaign, create

    if options.more:
        return _more(options, t)
    missing = [f"--{name}" for name in ("rubric", "items", "responses") if getattr(options, name) is None]
    if missing:
        allowed = "--rubric NAME|FILE --items FILE --responses FILE --out DIR"
        raise UsageError(problem("wrong_usage", found=", ".join(missing), allowed=allowed, command="new"))
    made = create(
        NewCampaign(
            rubric=options.rubric,
            items=options.items,
            responses=options.responses,
            out=options.out,
            language=t.language,
            graders=tuple(options.graders),
            shared=options.shared,
            not_shared=tuple(options.not_shared),
            block=options.block or None,
            seed=options.seed,
            ranking=options.ranking,
        ),
        wiring.needs(t.language),
    )
    output.tell(made.problems, t)
    count = len(made.campaign.responses)
    print(t("Campaign {name}: {count} responses under blind letters", name=made.campaign.id, count=count))
    for path in made.workbooks:
        print(f"  {path}")
    print(t("Key, never to be handed out: {path}", path=made.key))
    return DONE


def _more(options: Namespace, t: Translator) -> int:
    from lark_sheets import wiring
    from lark_sheets.usecases.adding import MoreRequest, add_more

    added = add_more(
        MoreRequest(
            campaign=options.out,
            items=options.items,
            responses=options.responses,
            graders=tuple(options.graders),
            shared=options.shared,
            not_shared=tuple(options.not_shared),
            repeat=options.repeat,
            seed=options.seed,
            key=options.key,
        ),
        wiring.needs(t.language),
    )
    output.tell(added.problems, t)
    print(t.count("{n} reading added", "{n} readings added", added.readings))
    for path in added.workbooks:
        print(f"  {path}")
    if added.key:
        print(t("Key, never to be handed out: {path}", path=added.key))
    return DONE


def import_grades(options: Namespace, t: Translator) -> int:
    """Bring grades from a table into a workbook."""
    from lark_sheets import wiring
    from lark_sheets.usecases.importing import import_table

    filled = import_table(options.book, options.grades, wiring.needs(t.language), key=options.key)
    return _filled(filled, t)


def gather(options: Namespace, t: Translator) -> int:
    """Bring graders' workbooks back into the campaign."""
    from lark_sheets import wiring
    from lark_sheets.usecases.gathering import gather_books

    return _filled(gather_books(options.campaign, options.book, wiring.needs(t.language)), t)


def _filled(filled: Any, t: Translator) -> int:
    output.tell(filled.problems, t)
    print(
        t(
            "{written} readings written, {same} already there, {refused} refused",
            written=filled.written,
            same=filled.same,
            refused=filled.refused,
        )
    )
    if filled.backup:
        print(t("The workbook as it was: {path}", path=filled.backup))
    told = PROBLEM if any(p.severity is Severity.ERROR for p in filled.problems) else DONE
    failed: int = filled.failed
    return max(failed, told)


def check(options: Namespace, t: Translator) -> int:
    """Tell every problem in workbooks."""
    from lark_sheets import wiring
    from lark_sheets.core.results_json import problem_dict
    from lark_sheets.usecases.loading import load_all

    needs = wiring.needs(t.language, quiet=options.json == STANDARD_OUTPUT)
    loaded = load_all(options.book, needs)
    problems = [p for one in loaded.campaigns for p in one.problems] + [
        p for e in loaded.failed for p in e.problems
    ]
    if options.json:
        _write_json({"problems": [problem_dict(p, t) for p in problems]}, options.json, needs)
    if options.json != STANDARD_OUTPUT:
        output.tell(problems, t)
        print(output.count_line(problems, t))
    codes = [e.exit_code for e in loaded.failed]
    return max(codes) if codes else PROBLEM if any(p.severity is Severity.ERROR for p in problems) else DONE


def recompute(options: Namespace, t: Translator) -> int:
    """Recompute results and write them."""
    from lark_sheets import wiring
    from lark_sheets.core.results_json import results_dict
    from lark_sheets.usecases.folders import folder_of
    from lark_sheets.usecases.recomputing import recompute as compute_all
    from lark_sheets.usecases.results_files import write_results_book

    needs = wiring.needs(t.language, quiet=options.json == STANDARD_OUTPUT)
    try:
        done = compute_all(options.book, needs, key=options.key, allow_mixed=options.allow_mixed)
    except LarkError as fault:
        if options.json:
            _write_json(_batch([], [fault], t), options.json, needs)
        raise
    plain = options.json or options.results
    if options.json:
        found = [one.results for one in done.computed]
        single = len(found) == 1 and not done.failed
        _write_json(
            results_dict(found[0], t) if single else _batch(found, done.failed, t), options.json, needs
        )
    for one in done.computed:
        folder = folder_of(one.loaded.path)
        if options.results and len(done.computed) == 1:
            write_results_book(one.results, one.loaded.campaign, options.results, needs)
        if not plain and one.loaded.read.kind == "campaign":
            write_results_book(one.results, one.loaded.campaign, folder.results_book, needs)
            _write_json(results_dict(one.results, t), str(folder.results_json), needs)
        if options.json != STANDARD_OUTPUT:
            output.tell(one.results.problems, t)
            print(output.runs_table(one.results, t))
            if apart := output.apart_text(one.results, t):
                print(f"\n{apart}")
            if one.results.agreement.shared:
                print()
                print(output.agreement_table(one.results.agreement, one.results, t))
            print(output.count_line(one.results.problems, t))
    for error in done.failed:
        output.tell(error.problems, t)
    codes = [e.exit_code for e in done.failed]
    return max(codes) if codes else PROBLEM if done.has_errors else DONE


def _batch(results: Sequence[Results], failed: Sequence[LarkError], t: Translator) -> dict[str, Any]:
    from lark_sheets.core.results_json import batch_dict, problem_dict, results_dict

    told = [problem_dict(p, t) for error in failed for p in error.problems]
    return batch_dict([results_dict(one, t) for one in results], told)


def _write_json(plain: Mapping[str, Any], target: str, needs: Any) -> None:
    text = json.dumps(plain, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    if target == STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        needs.files.write_text(Path(target), text)


def reveal(options: Namespace, t: Translator) -> int:
    """Reveal the runs."""
    from lark_sheets import wiring
    from lark_sheets.usecases.revealing import reveal as reveal_campaign

    done = reveal_campaign(
        options.book, wiring.needs(t.language), key=options.key, force=options.force, reason=options.reason
    )
    if done.already:
        print(t("Already revealed; nothing changed."))
    else:
        print(t.count("{n} run revealed.", "{n} runs revealed.", len(done.key.runs)))
    for run in done.key.runs:
        print(f"  {output.safe(run)}")
    return DONE


def agreement(options: Namespace, t: Translator) -> int:
    """Show agreement between graders, and on request how many shared responses a narrower interval would need."""
    from lark_sheets import wiring
    from lark_sheets.cli import agreement_output
    from lark_sheets.usecases.recomputing import recompute as compute_all

    needs = wiring.needs(t.language, quiet=options.json == STANDARD_OUTPUT)
    done = compute_all(options.book, needs, key=options.key)
    found = [one.results for one in done.computed]
    if options.json:
        plain = [agreement_output.agreement_plain(one, options.plan, t) for one in found]
        _write_json(plain[0] if len(plain) == 1 else {"agreements": plain}, options.json, needs)
    if options.json != STANDARD_OUTPUT:
        for one in found:
            output.tell([p for p in one.problems if p.severity is Severity.ERROR], t)
            print(agreement_output.agreement_text(one, t))
            if options.plan:
                print("\n" + agreement_output.plan_text(one, options.plan, t))
    for error in done.failed:
        output.tell(error.problems, t)
    codes = [e.exit_code for e in done.failed]
    return max(codes) if codes else PROBLEM if done.has_errors else DONE


def report(options: Namespace, t: Translator) -> int:
    """Write the report as PDF, as a page, or both."""
    from lark_sheets import wiring
    from lark_sheets.usecases.reporting import ReportRequest, write_report

    request = ReportRequest(
        book=options.book,
        key=options.key,
        pdf=options.pdf,
        html=options.html,
        appendix=options.appendix,
        allow_mixed=options.allow_mixed,
    )
    written = write_report(request, wiring.needs(t.language), wiring.reports())
    output.tell([p for p in written.results.problems if p.severity is Severity.ERROR], t)
    for path in written.paths:
        print(t("Report: {path}", path=path))
    if written.missing is not None:
        output.tell(written.missing.problems, t)
        return MissingPiece.exit_code
    return PROBLEM if any(p.severity is Severity.ERROR for p in written.results.problems) else DONE


COMMANDS: Mapping[str, Callable[[Namespace, Translator], int]] = {
    "demo": demo,
    "new": new,
    "import": import_grades,
    "check": check,
    "gather": gather,
    "recompute": recompute,
    "reveal": reveal,
    "agreement": agreement,
    "report": report,
    **rescore_commands.COMMANDS,
    **judge_commands.COMMANDS,
    **systems_commands.COMMANDS,
    **addin_commands.COMMANDS,
}
