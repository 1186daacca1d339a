"""What the terminal shows of refusal benches, checks, comparisons and similarity."""

from __future__ import annotations

from lark_sheets.cli.output import interval, safe, statistic, table
from lark_sheets.core.agreement import Agreement
from lark_sheets.core.language import Translator
from lark_sheets.core.problems import NBSP_COLON
from lark_sheets.core.refusal_measures import JudgeCheck
from lark_sheets.core.results import Results, RunSummary
from lark_sheets.core.word_check import WordErrors
from lark_sheets.usecases.code_grading import CodeChecks
from lark_sheets.usecases.reporting import KEPT_PRIVATE

DASH = "–"


def refusal_tables(results: Results, check: JudgeCheck | None, t: Translator) -> str:
    """Return one table a stratum (they are never added together), then the judge against people."""
    rubric, main = results.rubric, results.rubric.main_label
    category = next(c for c in rubric.criteria if c.is_category)
    labels = [str(level) for level in category.levels]
    beside = [label for label in labels if label != main]
    names = {label: category.shown(label, t.language) for label in labels}
    parts = []
    for stratum in results.overall.rates.get(main, {}):
        shown = rubric.strata[stratum].in_(t.language) if stratum in rubric.strata else stratum
        rows = [
            [
                f"{t('Stratum')}{NBSP_COLON[t.language]} {shown}",
                names[main],
                t("95% interval"),
                *(names[x] for x in beside),
                t("Ranked"),
            ]
        ]
        for run in results.runs or (results.overall,):
            rate = run.rates[main][stratum]
            counts = [f"{run.rates[label][stratum].k}" if rate.n else DASH for label in beside]
            share = f"{rate.k}/{rate.n}" if rate.n else DASH
            rows.append(
                [
                    safe(run.run) or t("All together"),
                    share,
                    interval(rate.interval, t),
                    *counts,
                    ranked(run, t) if results.runs else DASH,
                ]
            )
        parts.append(table(rows))
    if check is not None:
        parts.append(judge_table(check, t))
    return "\n\n".join(parts)


def ranked(run: RunSummary, t: Translator) -> str:
    """Return whether a run may be ranked, and if not, why."""
    known = {
        "incomplete_coverage": t("not every request is graded"),
        "judge_not_checked": t("the judge was not checked against people"),
        "exploratory": t("an exploratory sample"),
    }
    return (
        t("yes")
        if run.ranked
        else f"{t('no')}{NBSP_COLON[t.language]} {', '.join(known.get(w, w) for w in run.why_unranked)}"
    )


def judge_table(check: JudgeCheck, t: Translator) -> str:
    """Return binary agreement and agreement label by label, side by side, and what the judge left without a label."""
    rows = [[t("Judge against people"), t("Equal"), t("95% interval"), t("Kappa")]]

    def row(name: str, found: Agreement) -> list[str]:
        return [name, f"{found.equal}/{found.n}", interval(found.interval, t), statistic(found.kappa, t)]

    rows.append(row(t("Main label or not"), check.binary))
    rows.append(
        row(
            t.count("Label by label ({n} class)", "Label by label ({n} classes)", len(check.classes)),
            check.by_label,
        )
    )
    text = table(rows)
    if check.unscored:
        text += "\n" + t.count(
            "{n} response without a label of the judge: counted apart",
            "{n} responses without a label of the judge: counted apart",
            check.unscored,
        )
    return text


MOST_SHOWN = 30


def checks_text(done: CodeChecks, t: Translator) -> str:
    """Return the tables of the code checks and of the word check, and what to look at again."""
    parts = [
        t(
            "{graded} responses graded by people, {waiting} waiting (nothing is shown of them)",
            graded=len(done.compared),
            waiting=done.waiting,
        )
    ]
    if done.tallies:
        parts.append(_codes(done, t))
    parts.append(_differences(done, t))
    parts.append(_words(done, t))
    return "\n\n".join(part for part in parts if part)


def _codes(done: CodeChecks, t: Translator) -> str:
    rows = [[t("Issue code"), t("Both"), t("Program only"), t("Person only")]]
    for code, tally in done.tallies.items():
        known = done.rubric.code(code)
        name = known.label.in_(t.language) if known else code
        rows.append([name, str(tally.both), str(tally.program), str(tally.person)])
    return table(rows, frozenset({1, 2, 3}))


def _differences(done: CodeChecks, t: Translator) -> str:
    found = [b for b in done.compared if b.differs]
    if not found:
        return ""
    lines = [t("To look at again (a program sees marks, a person understands; no grade was changed)")]
    for one in found[:MOST_SHOWN]:
        words = [f"{c} {grade} > {cap}" for c, (grade, cap) in one.above.items()]
        words += [f"+ {_label(code, done, t)}" for code in one.unrecorded]
        words += [f"− {_label(code, done, t)}" for code in one.unseen]
        private = done.rubric.id in KEPT_PRIVATE
        what = "" if private else next((p.what for p in one.proposals if p.what), "")
        lines.append(
            safe(f"  {one.item}-{one.label}  {one.grader}  {'; '.join(words)}  {what[:60]}".rstrip())
        )
    if len(found) > MOST_SHOWN:
        lines.append(t.count("  ... and {n} more", "  ... and {n} more", len(found) - MOST_SHOWN))
    return "\n".join(lines)


def _label(code: str, done: CodeChecks, t: Translator) -> str:
    known = done.rubric.code(code)
    return known.label.in_(t.language) if known else code


def _words(done: CodeChecks, t: Translator) -> str:
    if done.words is None:
        return t("Word check: nothing says what a right answer is under this rubric; give --checks.")
    head = [t("Word check"), t("Right"), t("Rejected"), t("other words"), t("denied"), t("unwanted")]
    head += [t("Wrong"), t("Accepted")]
    rows = [head, *(_word_row(safe(run), errors) for run, errors in done.by_run.items())]
    rows.append(_word_row(t("All together"), done.words))
    means = [done.rubric.criterion(c).name.in_(t.language) for c in done.right_means]
    right = (
        t("Right: top grade on {criteria}", criteria=", ".join(means))
        if means
        else t("Right: {outcome}", outcome=done.rubric.outcomes[done.rubric.favourable].in_(t.language))
    )
    return table(rows, frozenset(range(1, 8))) + "\n" + right


def _word_row(name: str, errors: WordErrors) -> list[str]:
    numbers = (
        errors.right,
        len(errors.rejected_right),
        errors.for_missing,
        errors.for_negated,
        errors.for_unwanted,
        errors.wrong,
        len(errors.accepted_wrong),
    )
    return [name, *map(str, numbers)]
