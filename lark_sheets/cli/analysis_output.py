"""What the terminal shows of comparisons, similarity, breakdowns and what is left to run."""

from __future__ import annotations

from lark_sheets.cli.output import safe, table
from lark_sheets.core.breakdown import GroupMean
from lark_sheets.core.judging.gate import Gate
from lark_sheets.core.language import Translator
from lark_sheets.core.problems import NBSP_COLON
from lark_sheets.core.rerun import Why
from lark_sheets.core.rubric import Rubric
from lark_sheets.core.run_comparison import DECISION, TOTAL, Change, Direction, Moved, RunComparison
from lark_sheets.core.similarity import RunShift
from lark_sheets.usecases.breaking_down import BrokenDown
from lark_sheets.usecases.comparing import Comparison
from lark_sheets.usecases.next_steps import Next
from lark_sheets.usecases.similarity import Similarity

DASH = "–"
MOST_SHOWN = 30

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


def breakdown_text(done: BrokenDown, t: Translator) -> str:
    """Return mean totals by grouping, the weakest answers with what was said of them, and what has no grade."""
    parts = []
    for grouping, groups in done.runs[0].groups.items():
        name = t("Type") if grouping == "type" else t("Difficulty")
        header = [name, t("All together"), *(group.group for group in groups)]
        rows = [header]
        for run in done.runs:
            cells = [mean_text(group, t) for group in (run.whole, *run.groups[grouping])]
            rows.append([safe(run.run) or t("All together"), *cells])
        parts.append(table(rows, frozenset(range(1, len(header)))))
    if not parts:
        rows = [[t("Run"), t("Mean total")]]
        rows += [[safe(run.run) or t("All together"), mean_text(run.whole, t)] for run in done.runs]
        parts.append(table(rows, frozenset({1})))
    parts.append(
        t("Mean total of {maximum}; in brackets the graded ones where some are not.", maximum=done.total_max)
    )
    lines = [t("Weakest:")]
    for reading in done.weakest[:MOST_SHOWN]:
        where = f"{reading.item}-{reading.label}" + (f"  {safe(reading.run)}" if reading.run else "")
        grades = " + ".join(str(level) for level in reading.scores.values())
        reason = safe(" ".join(reading.reason.split()))[:160]
        lines.append(f"  {reading.total} = {grades}  {where}  {reason}".rstrip())
        if (remarks := done.remarks.get(reading.id)) is not None:
            said = (
                (t("strengths"), remarks.strengths),
                (t("weaknesses"), remarks.weaknesses),
                (t("reasoning"), remarks.reasoning),
            )
            lines += [
                f"      {name}{NBSP_COLON[t.language]} {safe(' '.join(text.split()))[:160]}"
                for name, text in said
                if text
            ]
    if done.weakest:
        parts.append("\n".join(lines))
    ungraded = sum(run.ungraded for run in done.runs)
    if ungraded:
        parts.append(
            t.count(
                "{n} response without a grade: in no mean, and no zero",
                "{n} responses without a grade: in no mean, and no zero",
                ungraded,
            )
        )
    return "\n\n".join(parts)


def mean_text(group: GroupMean, t: Translator) -> str:
    """Return a mean total, or "no grade"."""
    if group.mean is None:
        return t("no grade") if group.responses else DASH
    partly = f" ({group.graded}/{group.responses})" if group.graded < group.responses else ""
    return t.decimal(group.mean) + partly


def next_text(done: Next, t: Translator) -> str:
    """Return the commands that are left, each with its reason."""
    lines = []
    if done.gate is Gate.STALE:
        lines.append(t("The judge's calibration is stale: until it is repeated the judge only indicates."))
    if not done.steps:
        return "\n".join([*lines, t("Nothing is left to run.")])
    reasons = {
        Why.EDITED: t("the rubric sheet was edited"),
        Why.STALE: t.count("{n} grading is of an older version", "{n} gradings are of an older version", 0),
        Why.INCOMPLETE: "",
        Why.CALIBRATION_STALE: t(
            "the judge was compared with people under another rubric or other conditions"
        ),
        Why.JUDGE_STALE: t("the judge graded under an older version"),
        Why.RESULTS_OLD: t("the results are of other grades or of another rubric"),
        Why.RESULTS_NONE: t("nothing was computed yet"),
        Why.NOT_REVEALED: t("all is graded"),
    }
    for step in done.steps:
        reason = reasons[step.why]
        if step.why is Why.STALE:
            reason = t.count(
                "{n} grading is of an older version", "{n} gradings are of an older version", step.count
            )
        if step.why is Why.INCOMPLETE:
            reason = t.count("{n} response is not graded", "{n} responses are not graded", step.count)
        lines.append(f"lark-sheets {step.command}    # {reason}")
    return "\n".join(lines)
