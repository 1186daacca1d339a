"""What the terminal shows of refusal benches, checks, comparisons and similarity."""

from __future__ import annotations

from lark_sheets.cli.output import interval, safe, statistic, table
from lark_sheets.core.agreement import Agreement
from lark_sheets.core.language import Translator
from lark_sheets.core.refusal_measures import JudgeCheck
from lark_sheets.core.results import Results, RunSummary
from lark_sheets.core.rubric import Rubric
from lark_sheets.core.run_comparison import DECISION, TOTAL, Change, Direction, Moved, RunComparison
from lark_sheets.core.similarity import RunShift
from lark_sheets.core.word_check import WordErrors
from lark_sheets.usecases.code_grading import CodeChecks
from lark_sheets.usecases.comparing import Comparison
from lark_sheets.usecases.reporting import KEPT_PRIVATE
from lark_sheets.usecases.similarity import Similarity

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


ARROWS = {Direction.UP: "↑", Direction.DOWN: "↓", Direction.BOTH: "↕", Direction.OTHER: "→"}


def comparison_text(done: Comparison, t: Translator) -> str:
    """Return, for each pair of runs, the table of changes and the items that moved."""
    parts = []
    if done.mixed:
        parts.append(t("Mixed rubric versions: these figures compare grades given under different rules."))
    parts += [_pair(pair, done.rubric, t) for pair in done.pairs]
    tests = sum(len(pair.changes) for pair in done.pairs)
    parts.append(t("p is paired, exact, and adjusted (Holm) over all {n} measures shown.", n=tests))
    return "\n\n".join(parts)


def _pair(pair: RunComparison, rubric: Rubric, t: Translator) -> str:
    one, two = pair.before or t("run not revealed"), pair.after or t("run not revealed")
    head = safe(f"{one} → {two}")
    head += "  " + t.count("({n} item in common)", "({n} items in common)", pair.items)
    header = [t("Measure"), t("Items"), t("Up"), t("Down"), t("Mean change"), t("95% interval"), "p"]
    rows = [header, *(_change_row(change, rubric, t) for change in pair.changes)]
    lines = [head, table(rows, frozenset({1, 2, 3}))]
    if pair.unread:
        lines.append(
            t.count(
                "{n} item without a complete grade on one side is in no figure: {items}",
                "{n} items without a complete grade on one side are in no figure: {items}",
                len(pair.unread),
                items=", ".join(pair.unread[:MOST_SHOWN]),
            )
        )
    if pair.moved:
        lines.append(t.count("{n} item moved:", "{n} items moved:", len(pair.moved)))
        lines += [_moved_line(moved, rubric, t) for moved in pair.moved[:MOST_SHOWN]]
        if len(pair.moved) > MOST_SHOWN:
            lines.append(t.count("  ... and {n} more", "  ... and {n} more", len(pair.moved) - MOST_SHOWN))
    else:
        lines.append(t("No item moved."))
    return "\n".join(lines)


def _change_row(change: Change, rubric: Rubric, t: Translator) -> list[str]:
    numbers = [str(change.n), str(change.up), str(change.down)]
    if change.difference is None:
        return [measure_name(change.measure, rubric, t), *numbers, DASH, DASH, DASH]
    gap = f"{'+' if change.difference > 0 else ''}{t.decimal(change.difference)}"
    bounds = change.interval
    between = (
        DASH
        if bounds is None
        else t("{low} to {high}", low=t.decimal(bounds.low), high=t.decimal(bounds.high))
    )
    return [measure_name(change.measure, rubric, t), *numbers, gap, between, p_value(change, t)]


def p_value(change: Change, t: Translator) -> str:
    """Return an adjusted p-value as people read it, with a sign where it is an upper bound; a dash where there is none."""
    return _p(change.adjusted, t, at_most=change.at_most)


def measure_name(measure: str, rubric: Rubric, t: Translator) -> str:
    """Return a measure's name: a criterion's, the total, the favourable outcome or the main label."""
    if measure == TOTAL:
        return t("Total")
    if measure == DECISION:
        if rubric.favourable:
            return rubric.outcomes[rubric.favourable].in_(t.language).capitalize()
        category = next(c for c in rubric.criteria if c.is_category)
        return category.shown(rubric.main_label, t.language).capitalize()
    return rubric.criterion(measure).name.in_(t.language)


def _moved_line(moved: Moved, rubric: Rubric, t: Translator) -> str:
    words = [
        f"{rubric.criterion(c).name.in_(t.language)} {rubric.criterion(c).shown(one, t.language)} → "
        f"{rubric.criterion(c).shown(two, t.language)}"
        for c, (one, two) in moved.levels.items()
    ]
    if moved.decision is not None:
        one, two = (rubric.outcomes[o].in_(t.language) if o in rubric.outcomes else o for o in moved.decision)
        words.append(f"{one} → {two}")
    return f"  {ARROWS[moved.direction]} {moved.item}  {', '.join(words)}"


def similarity_text(done: Similarity, t: Translator, *, top: int) -> str:
    """Return what to read first, and the changes against the earlier campaign; cosines, never a percentage."""
    parts = [t("Read first (similarity sorts; it is no grade, and no threshold exists)")]
    falls = {(one.after, s.item): s for one in done.shifts for s in one.falls}
    header = [t("Response"), *([t("Run")] if done.named else []), t("Similarity"), t("Rank in its run")]
    header += [t("Earlier"), t("Change")] if done.shifts else []
    rows = [header]
    for row in done.to_read[:top]:
        fall = falls.get((row.run, row.item))
        cells = [f"{row.item}-{row.label}", *([safe(row.run)] if done.named else [])]
        cells += [t.decimal(row.value or 0, 3), t("{rank} of {count}", rank=row.rank or 0, count=row.of)]
        if done.shifts:
            cells += [t.decimal(fall.before, 3), t.decimal(fall.change, 3)] if fall else [DASH, DASH]
        rows.append(cells)
    parts.append(table(rows))
    if len(done.to_read) > top:
        parts.append(t.count("  ... and {n} more", "  ... and {n} more", len(done.to_read) - top))
    if done.without:
        parts.append(
            t.count(
                "{n} response without a value (no reference answer, or no text)",
                "{n} responses without a value (no reference answer, or no text)",
                done.without,
            )
        )
    parts += [_shift(one, t) for one in done.shifts]
    if done.remote:
        parts.append(t("Texts were sent to {url}.", url=done.remote))
    parts.append(t("Everything: {path}", path=done.path))
    return "\n".join(parts)


def _shift(one: RunShift, t: Translator) -> str:
    if one.mean is None:
        return t("No item has a value on both sides.")
    bounds = one.interval
    between = (
        DASH
        if bounds is None
        else t("{low} to {high}", low=t.decimal(bounds.low, 3), high=t.decimal(bounds.high, 3))
    )
    name = (
        safe(f"{one.before} → {one.after}") if one.before or one.after else t("Against the earlier campaign")
    )
    return t(
        "{name}: mean change {mean} ({between}) over {count} items, {falls} fell, p {p} (paired, Holm). A change does not say which answer is right.",
        name=name,
        mean=t.decimal(one.mean, 3),
        between=between,
        count=len(one.shifts),
        falls=len(one.falls),
        p=_p(one.adjusted, t, at_most=one.at_most),
    )


def _p(value: float | None, t: Translator, *, at_most: bool) -> str:
    if value is None:
        return DASH
    return ("≤ " if at_most else "") + (t.decimal(value, 3) if value >= 0.001 else "< " + t.decimal(0.001, 3))
