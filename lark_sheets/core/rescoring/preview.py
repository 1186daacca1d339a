"""The preview of a revision: titled tables of edits, grades, figures, agreement and work, ready to be printed or shown."""

from __future__ import annotations

from collections.abc import Callable

from lark_sheets.core.language import Translator
from lark_sheets.core.rescoring.affected import Key, Why
from lark_sheets.core.rescoring.outcome import Compared, Outcome
from lark_sheets.core.rescoring.telling import code_label, criterion_name, edit_line, grouped, why_words
from lark_sheets.core.results import AgreementSummary
from lark_sheets.core.rubric import Level


def preview(
    outcome: Outcome,
    translate: Translator,
    place: Callable[[Key, str], str] = lambda key, criterion: "",
    *,
    most: int = 40,
) -> list[tuple[str, list[list[str]]]]:
    """Return the difference as titled tables, each with its header row: edits, grades, figures, agreement, work-list.

    ``place`` gives the cell of a grade ("Grading!P14"); of the grades and of the work-list the first ``most`` are listed, the rest
    counted. Runs have names only after the reveal.
    """
    if outcome.is_nothing:
        return []
    blocks = [
        (
            translate("Edits"),
            [[translate("Edit")], *([edit_line(e, outcome, translate)] for e in grouped(outcome.edits))],
        ),
        (_changes_title(outcome, translate), _changes(outcome, translate, most)),
        (translate("Figures"), _figures(outcome, translate)),
        (translate("Agreement"), _agreement(outcome, translate)),
        (_work_title(outcome, translate), _work(outcome, translate, place, most)),
    ]
    return [(title, rows) for title, rows in blocks if len(rows) > 1]


def _changes_title(outcome: Outcome, translate: Translator) -> str:
    owners = len(outcome.owner_changes)
    return translate(
        "Grades that change by rule: {all} ({owners} that count, {others} of other readers)",
        all=len(outcome.changes),
        owners=owners,
        others=len(outcome.changes) - owners,
    )


def _grade(level: Level | None, criterion: str, outcome: Outcome, translate: Translator) -> str:
    if level is None:
        return "–"
    for rubric in (outcome.campaign.rubric, outcome.former.rubric):
        try:
            return rubric.criterion(criterion).shown(level, translate.language)
        except KeyError:
            continue
    return str(level)


def _changes(outcome: Outcome, translate: Translator, most: int) -> list[list[str]]:
    header = ["Response", "Grader", "Criterion", "Before", "After", "Why"]
    names = {r.id: f"{r.item}-{r.label}" for r in outcome.former.responses}
    rows = [[translate.short("column", word) for word in header]]
    for c in outcome.changes[:most]:
        labels = [code_label(code, outcome, translate) for code in c.codes]
        rows.append(
            [
                names[c.key[0]],
                c.key[1],
                criterion_name(c.criterion, outcome, translate),
                _grade(c.old, c.criterion, outcome, translate),
                _grade(c.new, c.criterion, outcome, translate),
                why_words(Why.DERIVED, labels, translate),
            ]
        )
    return _and_more(rows, len(outcome.changes) - most, translate)


def _and_more(rows: list[list[str]], more: int, translate: Translator) -> list[list[str]]:
    if more > 0:
        rows.append([translate.count("… and {n} more", "… and {n} more", more), *[""] * (len(rows[0]) - 1)])
    return rows


def _figures(outcome: Outcome, translate: Translator) -> list[list[str]]:
    has_points = outcome.whole.before.points is not None
    header = [
        "Run",
        "Grades changed",
        "To grade again",
        *(["Points", "Score"] if has_points else []),
        "Ready",
    ]
    rows = [[translate.short("column", word) for word in header]]
    whole = outcome.whole._replace(run=translate("All responses"))
    rows += [_figure(compared, translate, has_points=has_points) for compared in (*outcome.runs, whole)]
    return rows


def _figure(compared: Compared, translate: Translator, *, has_points: bool) -> list[str]:
    before, after = compared.before, compared.after

    def score(value: object) -> str:
        return "–" if value is None else translate.decimal(value)  # type: ignore[arg-type]

    points = [_arrow(str(before.points), str(after.points)), _arrow(score(before.score), score(after.score))]
    ready = ["–" if one.ready is None else f"{one.ready}/{one.graded}" for one in (before, after)]
    return [
        compared.run,
        str(compared.changed),
        str(compared.waiting),
        *(points if has_points else []),
        _arrow(*ready),
    ]


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"


def _agreement(outcome: Outcome, translate: Translator) -> list[list[str]]:
    before, after = outcome.agreement_before, outcome.agreement_after
    if not before.shared and not any(a.n for a in before.criteria.values()):
        return []
    rows = [[translate.short("column", word) for word in ("Criterion", "Before", "After")]]
    names = [c.id for c in outcome.campaign.rubric.criteria]

    def counts(summary: AgreementSummary, name: str) -> str:
        found = summary.criteria.get(name)
        return "–" if found is None else translate("{equal} of {n}", equal=found.equal, n=found.n)

    rows += [[criterion_name(c, outcome, translate), counts(before, c), counts(after, c)] for c in names]
    every = [translate("{equal} of {n}", equal=s.all_equal, n=s.all_n) for s in (before, after)]
    rows.append([translate("All criteria"), *every])
    if before.decision or after.decision:
        decided = [
            "–" if s.decision is None else translate("{equal} of {n}", equal=s.decision.equal, n=s.decision.n)
            for s in (before, after)
        ]
        rows.append([translate("Decision"), *decided])
    return rows


def _work_title(outcome: Outcome, translate: Translator) -> str:
    said = [f"{grader} {len({w.key for w in works})}" for grader, works in outcome.work_by_grader().items()]
    return translate("To grade again, by grader: {counts}", counts=", ".join(said))


def _work(
    outcome: Outcome, translate: Translator, place: Callable[[Key, str], str], most: int
) -> list[list[str]]:
    header = ["Response", "Grader", "Criterion", "Cell", "Why"]
    names = {r.id: f"{r.item}-{r.label}" for r in outcome.former.responses}
    rows = [[translate.short("column", word) for word in header]]
    for w in outcome.work[:most]:
        labels = [code_label(code, outcome, translate) for code in w.codes]
        rows.append(
            [
                names[w.key[0]],
                w.key[1],
                criterion_name(w.criterion, outcome, translate),
                place(w.key, w.criterion),
                why_words(w.why, labels, translate),
            ]
        )
    return _and_more(rows, len(outcome.work) - most, translate)
