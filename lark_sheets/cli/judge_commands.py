"""The commands of the judge: ``judge``, ``calibrate``, ``respond``."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lark_sheets.cli import output
from lark_sheets.cli.words import Words
from lark_sheets.core.language import Translator
from lark_sheets.core.problems import problem
from lark_sheets.errors import UsageError

if TYPE_CHECKING:
    from lark_sheets.core.judging.money import Estimate
    from lark_sheets.usecases.asking import AskingNeeds
    from lark_sheets.usecases.judge_plan import JudgeOptions
    from lark_sheets.usecases.judge_text import Line

DONE = 0
BILLION = 1_000_000_000


def register(commands: Any, t: Translator, common: argparse.ArgumentParser) -> None:
    """Add the words of these commands to the parser."""
    command = Words(commands, t, common).command
    judge = command(
        "judge",
        t("Have a model judge the responses; its grades stand beside people's and never replace them."),
        "judge spring --model MODEL --estimate",
    )
    judge.add_argument("book", type=Path, metavar="BOOK", help=t("a workbook, or the campaign's folder"))
    judge.add_argument(
        "--sample", type=int, metavar="N", help=t("judge that many responses only, drawn by stratum")
    )
    judge.add_argument("--seed", type=int, default=0, metavar="N", help=t("repeats the draw of the sample"))
    judge.add_argument(
        "--policy", type=Path, metavar="FILE", help=t("text of the rules that answers must respect")
    )

    calibrate = command(
        "calibrate",
        t("Measure the judge against labels of people before it is trusted."),
        "calibrate spring --set labels.csv --model MODEL",
    )
    calibrate.add_argument("book", type=Path, metavar="BOOK", help=t("a workbook, or the campaign's folder"))
    calibrate.add_argument(
        "--set", type=Path, required=True, metavar="FILE", help=t("table of labelled responses")
    )
    calibrate.add_argument("--rubric", metavar="NAME|FILE", help=t("another rubric than the campaign's"))
    calibrate.add_argument(
        "--policy", type=Path, metavar="FILE", help=t("text of the rules that answers must respect")
    )

    respond = command(
        "respond",
        t("Collect a model's responses to a table of items, for a new campaign."),
        "respond items.csv --prompt prompt.txt --model MODEL --out responses.jsonl",
    )
    respond.add_argument("dataset", type=Path, metavar="DATASET", help=t("table with the columns item, text"))
    respond.add_argument(
        "--prompt", type=Path, required=True, metavar="TEMPLATE", help=t("text with {column} places")
    )
    respond.add_argument("--system", type=Path, metavar="FILE", help=t("text of the system instruction"))
    respond.add_argument(
        "--run", default="", metavar="NAME", help=t("name of the run (default: the model's)")
    )
    respond.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help=t("file to write (JSON lines)")
    )

    for sub in (judge, calibrate, respond):
        sub.add_argument(
            "--model", metavar="MODEL", help=t("the model asked (default: LARK_SHEETS_JUDGE_MODEL)")
        )
        sub.add_argument(
            "--provider", default="anthropic", metavar="NAME", help=t("anthropic, bedrock or vertex")
        )
        sub.add_argument(
            "--effort", default="", metavar="LEVEL", help=t("effort to ask for, where the model has it")
        )
        sub.add_argument(
            "--max-tokens", type=int, default=4096, metavar="N", help=t("longest reply, in tokens")
        )
        sub.add_argument(
            "--estimate", action="store_true", help=t("show calls, tokens and cost, and send nothing")
        )
        sub.add_argument("--yes", action="store_true", help=t("do not ask for confirmation"))
        sub.add_argument(
            "--budget", type=_amount, metavar="AMOUNT", help=t("stop before the ledger's cost passes this")
        )
        sub.add_argument(
            "--batch", action="store_true", help=t("send by the batch service, at half the price")
        )
        sub.add_argument(
            "--wait", action="store_true", help=t("with --batch: stay until the results are there")
        )
        sub.add_argument(
            "--again", action="store_true", help=t("ask once more what was settled without a grade")
        )
        sub.add_argument(
            "--consent", action="store_true", help=t("ask again what may have been billed before a crash")
        )
        sub.add_argument("--concurrency", type=int, default=8, metavar="N", help=t("requests at a time"))
        sub.add_argument(
            "--prices",
            type=Path,
            metavar="FILE",
            help=t("your table of prices (default: prices.csv beside the ledger)"),
        )
    for sub in (judge, calibrate):
        sub.add_argument(
            "--repeats", type=int, default=3, metavar="N", help=t("how often each response is judged")
        )
        sub.add_argument(
            "--recorded", type=Path, metavar="FILE", help=t("replay a recorded judge instead of asking one")
        )


def _amount(text: str) -> Fraction:
    try:
        return Fraction(text.replace(",", "."))
    except (ValueError, ZeroDivisionError) as error:
        raise argparse.ArgumentTypeError(f"“{text}”: 5, 2.50 ...") from error


def judge(options: Namespace, t: Translator) -> int:
    """Judge a campaign: estimate, confirm, run, keep."""
    from lark_sheets import wiring
    from lark_sheets.usecases.judge_campaign import fill_grades, keep_run
    from lark_sheets.usecases.judge_plan import estimate_run, inputs_of, plan_judging
    from lark_sheets.usecases.judge_text import run_lines
    from lark_sheets.usecases.judging import judge as run_judge
    from lark_sheets.usecases.loading import load_one

    needs = wiring.needs(t.language)
    loaded = load_one(options.book, needs)
    campaign = loaded.campaign
    asking = _asking(options, t, loaded.path, campaign.rubric)
    asked = _options(options)
    config = _config(options, t)
    by_judge = campaign.graded_by == "judge"
    plan = plan_judging(inputs_of(campaign), campaign.rubric, config, asked, asking, graded_by_judge=by_judge)
    if not _confirmed(estimate_run(plan, asked, asking), options, t):
        return DONE
    run = run_judge(plan, asked, asking)
    output.tell(run.problems, t)
    path = keep_run(run, loaded, needs)
    filled = fill_grades(run, loaded, needs)
    _show(run_lines(run, t))
    if filled is not None:
        print(
            t(
                "{written} readings written, {same} already there, {refused} refused",
                written=filled.written,
                same=filled.same,
                refused=filled.refused,
            )
        )
    print(t("Kept: {path}", path=path))
    return run.exit_code or (1 if run.blocking else DONE)


def calibrate(options: Namespace, t: Translator) -> int:
    """Calibrate a judge on labelled responses."""
    from lark_sheets import wiring
    from lark_sheets.usecases.calibrating import calibrate as run_calibration, inputs_of_cases
    from lark_sheets.usecases.calibration_set import read_cases
    from lark_sheets.usecases.inputs import load_rubric, read_rows
    from lark_sheets.usecases.judge_plan import estimate_run, plan_judging
    from lark_sheets.usecases.judge_text import calibration_lines
    from lark_sheets.usecases.loading import load_one

    needs = wiring.needs(t.language)
    loaded = load_one(options.book, needs)
    rubric = load_rubric(options.rubric, needs) if options.rubric else loaded.campaign.rubric
    cases = read_cases(read_rows(options.set, needs, ("id", "ticket", "response")), rubric, options.set.name)
    asking = _asking(options, t, loaded.path, rubric)
    asked, config = _options(options), _config(options, t)
    plan = plan_judging(inputs_of_cases(cases, rubric), rubric, config, asked, asking)
    if not _confirmed(estimate_run(plan, asked, asking), options, t):
        return DONE
    run = run_calibration(cases, rubric, config, asked, asking)
    output.tell(run.problems, t)
    if run.calibration is not None and run.measures is not None:
        _show(calibration_lines(run.calibration, run.measures, t))
    return run.exit_code


def respond(options: Namespace, t: Translator) -> int:
    """Collect responses."""
    from lark_sheets import wiring
    from lark_sheets.usecases.inputs import read_rows
    from lark_sheets.usecases.judge_text import response_lines
    from lark_sheets.usecases.responding import estimate_responses, plan_responses, respond as run_responding

    needs = wiring.needs(t.language)
    rows = read_rows(options.dataset, needs, ())
    asking = _asking(options, t, options.out, None)
    asked, config = _options(options), _config(options, t)
    system = needs.files.read_text(options.system) if options.system else ""
    plan = plan_responses(rows, needs.files.read_text(options.prompt), config, asking, system=system)
    if not _confirmed(estimate_responses(plan, asked, asking), options, t):
        return DONE
    run = run_responding(plan, asked, asking, run=options.run)
    output.tell(run.problems, t)
    needs.files.write_text(options.out, run.jsonl())
    needs.files.write_text(options.out.with_suffix(".conditions.jsonl"), run.conditions_line(options.run))
    _show(response_lines(run, t))
    print(t("Kept: {path}", path=options.out))
    for name, value in run.conditions.items():
        print(f"  {name}: {value}")
    return run.exit_code


def _asking(options: Namespace, t: Translator, beside: Path, rubric: Any) -> AskingNeeds:
    from lark_sheets import wiring

    recorded = getattr(options, "recorded", None)
    return wiring.asking_needs(
        t,
        beside=beside,
        provider=options.provider,
        prices=options.prices,
        recorded=recorded,
        rubric=rubric,
        offline=options.estimate,
    )


def _config(options: Namespace, t: Translator) -> Any:
    from lark_sheets import wiring
    from lark_sheets.core.judging.config import JudgeConfig

    policy = getattr(options, "policy", None)
    if policy is not None and not policy.exists():
        raise UsageError(problem("missing_file", file=str(policy), found=str(policy)))
    recorded = getattr(options, "recorded", None)
    model = options.model or wiring.judge_model() or (f"recorded: {recorded.name}" if recorded else "")
    return JudgeConfig(
        model=model,
        provider="recorded" if recorded else options.provider,
        effort=options.effort,
        max_tokens=options.max_tokens,
        repeats=1 if recorded else getattr(options, "repeats", 1),
        policy=policy.read_text("utf-8") if policy else "",
        rubric_language=t.language,
    )


def _options(options: Namespace) -> JudgeOptions:
    from lark_sheets.usecases.judge_plan import JudgeOptions

    return JudgeOptions(
        sample=getattr(options, "sample", None),
        seed=getattr(options, "seed", 0),
        concurrency=options.concurrency,
        budget=options.budget,
        again=options.again,
        consent=options.consent,
        batch=options.batch,
        wait=options.wait,
        count=not options.estimate,
    )


def _confirmed(found: Estimate, options: Namespace, t: Translator) -> bool:
    """Show what a run would take; say whether to go on: by --yes, or by a person's word where one is there to give it."""
    from lark_sheets.usecases.judge_text import estimate_lines

    if getattr(options, "recorded", None) is not None and not options.estimate:
        return True
    _show(estimate_lines(found, t))
    if options.estimate:
        return False
    if options.yes or not found.calls:
        return True
    if not sys.stdin.isatty():
        raise UsageError(
            problem(
                "wrong_usage", found=t("nobody is there to confirm"), allowed="--yes", command=options.command
            )
        )
    answer = input(t("Go on? [y/N] ")).strip().casefold()
    return answer in ("y", "yes", "o", "oui")


def _show(lines: Sequence[Line]) -> None:
    """Print lines of a label and a value, aligned."""
    width = max((len(line.label) for line in lines), default=0)
    for line in lines:
        print(f"{line.label.ljust(width)}  {output.safe(line.value)}".rstrip())


COMMANDS: Mapping[str, Callable[[Namespace, Translator], int]] = {
    "judge": judge,
    "calibrate": calibrate,
    "respond": respond,
}
