"""What the terminal shows: problems by place, a table of runs, a table of agreement."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from lark_sheets.core.agreement import Agreement, Statistic
from lark_sheets.core.agreement_words import reader_in_words
from lark_sheets.core.intervals import Interval
from lark_sheets.core.language import Translator
from lark_sheets.core.problems import told
from lark_sheets.core.results import AgreementSummary, Results, RunSummary
from lark_sheets.errors import Problem, Severity

SIGNS = {Severity.ERROR: "✗", Severity.WARNING: "!", Severity.NOTE: "·"}
ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}
ESCAPES = {c: f"\\x{c:02x}" for c in (*range(9), *range(11, 32), 127, *range(128, 160))}
"""Control characters of a response must not reach the terminal as commands."""


def safe(text: str) -> str:
    """Return text with control characters written out."""
    return text.translate(ESCAPES)


MOST_OF_A_KIND = 20
"""Problems of one kind that the terminal shows before it only counts them; JSON always holds all."""


def tell(problems: Iterable[Problem], t: Translator) -> None:
    """Print problems on the error stream, the grave ones first; very many of one kind are counted after the first ones."""
    kinds: dict[tuple[int, str], list[Problem]] = {}
    for found in problems:
        kinds.setdefault((ORDER[found.severity], found.code), []).append(found)
    for _, same in sorted(kinds.items(), key=lambda pair: pair[0][0]):
        for found in same[:MOST_OF_A_KIND]:
            print(f"{SIGNS[found.severity]} {safe(told(found, t))}", file=sys.stderr)
        if (more := len(same) - MOST_OF_A_KIND) > 0:
            text = t.count(
                "{n} more like this; check --json lists it",
                "{n} more like this; check --json lists them all",
                more,
            )
            print(f"{SIGNS[same[0].severity]} ... {text}", file=sys.stderr)


def count_line(problems: Sequence[Problem], t: Translator) -> str:
    """Return one line that counts problems by severity."""
    counts = [sum(p.severity is severity for p in problems) for severity in ORDER]
    return ", ".join(
        (
            t.count("{n} error", "{n} errors", counts[0]),
            t.count("{n} warning", "{n} warnings", counts[1]),
            t.count("{n} note", "{n} notes", counts[2]),
        )
    )


def table(rows: Sequence[Sequence[str]], numeric: frozenset[int] = frozenset()) -> str:
    """Return rows as aligned text, the first being the header; ``numeric`` columns are set right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = (
            c.rjust(w) if n in numeric else c.ljust(w)
            for n, (c, w) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("─" * w for w in widths))
    return "\n".join(lines)


def interval(value: Interval | None, t: Translator) -> str:
    """Return an interval of shares, or a dash where there is none."""
    return (
        "–" if value is None else t("{low} to {high}", low=t.percent(value.low), high=t.percent(value.high))
    )


def runs_table(results: Results, t: Translator) -> str:
    """Return the table of runs (before the reveal: of all responses together)."""
    rubric = results.rubric
    graded = [c for c in rubric.criteria if not c.is_category]
    header = [t("Run"), t("Graded")]
    if rubric.favourable:
        header += [rubric.outcomes[rubric.favourable].in_(t.language).capitalize(), t("95% interval")]
    if graded:
        header += [t("Points"), t("Note / 10"), *([] if rubric.favourable else [t("95% interval")])]
        header += [*(f"{c.name.in_(t.language)} 0" for c in graded)]
    labels = [
        (c.id, str(level), c.shown(level, t.language))
        for c in rubric.criteria
        if c.is_category
        for level in c.levels
    ]
    header += [name for _, _, name in labels]

    def row(run: RunSummary, name: str) -> list[str]:
        cells = [safe(name), f"{run.graded}/{run.responses}"]
        if rubric.favourable:
            cells += [str(run.ready), interval(run.ready_interval, t)]
        if graded:
            note = "–" if run.score is None else t.decimal(run.score)
            cells += [f"{run.points}/{run.points_max}", note]
            cells += [] if rubric.favourable else [_score_interval(run, t)]
            cells += [str(run.zeros[c.id]) for c in graded]
        return cells + [str(run.labels[criterion][level]) for criterion, level, _ in labels]

    rows = [header, *(row(run, run.run) for run in results.runs), row(results.overall, t("All together"))]
    return table(rows, frozenset(range(1, len(header))))


def _score_interval(run: RunSummary, t: Translator) -> str:
    bounds = run.score_interval
    return (
        "–"
        if bounds is None
        else t("{low} to {high}", low=t.decimal(bounds.low), high=t.decimal(bounds.high))
    )


def apart_text(results: Results, t: Translator) -> str:
    """Return the groups of runs that cannot be told apart, on ready responses and on totals; nothing before the reveal."""
    found = results.comparisons
    if found is None or len(results.runs) < 2:
        return ""
    lines = []
    for family, on in ((found.ready, "ready"), (found.total, "total")):
        if family is None:
            continue
        groups = [", ".join(map(safe, group)) for group in family.groups if len(group) > 1]
        runs = " | ".join(groups) or t("every run differs from every other")
        outcome = results.rubric.outcomes.get(results.rubric.favourable)
        lines.append(
            t("“{outcome}”: {runs}", outcome=outcome.in_(t.language) if outcome else "", runs=runs)
            if on == "ready"
            else t("totals: {runs}", runs=runs)
        )
    head = t("Runs that cannot be told apart (same tickets, p adjusted over all pairs is 0.05 or more)")
    return "\n".join([head, *(f"  · {line}" for line in lines)]) if lines else ""


def agreement_table(summary: AgreementSummary, results: Results, t: Translator) -> str:
    """Return the table of agreement: per criterion, on all criteria, on the decision; and who read."""
    rubric = results.rubric
    rows = [[t("Agreement"), t("Equal"), t("95% interval"), t("Kappa"), t("95% interval")]]
    rows += [_agreement_row(c.name.in_(t.language), summary.criteria[c.id], t) for c in rubric.criteria]
    rows.append(
        [t("All criteria"), f"{summary.all_equal}/{summary.all_n}", interval(summary.all_interval, t), "", ""]
    )
    if summary.decision:
        rows.append(_agreement_row(t("Decision"), summary.decision, t))
    readers = "; ".join(safe(reader_in_words(reader, t)) for reader in results.readers)
    return f"{table(rows)}\n{t('Readers: {readers}', readers=readers)}"


def _agreement_row(name: str, found: Agreement, t: Translator) -> list[str]:
    bounds = found.kappa_interval
    kappa = (
        "" if bounds is None else t("{low} to {high}", low=t.decimal(bounds.low), high=t.decimal(bounds.high))
    )
    return [name, f"{found.equal}/{found.n}", interval(found.interval, t), statistic(found.kappa, t), kappa]


def statistic(value: Statistic, t: Translator) -> str:
    """Return a statistic in figures, or why it has none."""
    return (
        t(str(value.state))
        if value.value is None
        else t.decimal(value.exact if value.exact is not None else value.value, 3)
    )
