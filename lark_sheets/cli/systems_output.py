"""What the terminal shows of refusal benches, checks, comparisons and similarity."""

from __future__ import annotations

from lark_sheets.cli.output import interval, safe, statistic, table
from lark_sheets.core.agreement import Agreement
from lark_sheets.core.language import Translator
from lark_sheets.core.refusal_measures import JudgeCheck
from lark_sheets.core.results import Results, RunSummary

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
                f"{t('Stratum')}: {shown}",
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
    return t("yes") if run.ranked else f"{t('no')}: {', '.join(known.get(w, w) for w in run.why_unranked)}"


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
