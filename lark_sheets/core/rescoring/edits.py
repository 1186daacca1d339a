"""Two rubrics compared: the list of edits, each classified by what it does to grades."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from lark_sheets.core.language import Words
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Criterion, IssueCode, Rubric, VerdictRow
from lark_sheets.core.text import canonical
from lark_sheets.errors import Problem


class EditKind(StrEnum):
    """What an edit is. A text that tells levels apart has a changed meaning unless the coordinator declares otherwise."""

    VERDICT = "verdict"  # another rule decides: recomputed, no grade touched
    THRESHOLD = "threshold"  # the same rule with another number: recomputed, no grade touched
    CODE_ADDED = "code_added"
    CODE_REMOVED = "code_removed"
    CAP_CHANGED = "cap_changed"
    MEANING = "meaning"  # every reading on the criterion is read again
    COVERED = "covered"  # a text that only says what the code edit of the same criterion does
    WORDING = "wording"  # the same meaning in other words: no grade touched
    LEVEL_ADDED = "level_added"
    LEVEL_REMOVED = "level_removed"
    CRITERION_ADDED = "criterion_added"
    CRITERION_REMOVED = "criterion_removed"
    OVERSIGHT = "oversight"  # no edit at all: readers overlooked what a code stands for

    @property
    def is_of_code(self) -> bool:
        """Say whether the edit is of an issue code."""
        return self in (EditKind.CODE_ADDED, EditKind.CODE_REMOVED, EditKind.CAP_CHANGED)

    @property
    def needs_new_workbook(self) -> bool:
        """Say whether columns and lists of the grading sheet no longer fit."""
        return self in (
            EditKind.LEVEL_ADDED,
            EditKind.LEVEL_REMOVED,
            EditKind.CRITERION_ADDED,
            EditKind.CRITERION_REMOVED,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One edit: where (criterion, and code, level or row as ``target``), and both texts as people would read them.

    ``field`` names what was edited where a target has several texts ("description_fr").
    """

    kind: EditKind
    criterion: str = ""
    target: str = ""
    field: str = ""
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What the coordinator says of the texts edited, by criterion: same meaning, or only what the code edit says."""

    wording: frozenset[str] = frozenset()
    covered: frozenset[str] = frozenset()

    def kind_on(self, criterion: str) -> EditKind:
        """Return the kind that an edited text of a criterion has."""
        if criterion in self.wording:
            return EditKind.WORDING
        return EditKind.COVERED if criterion in self.covered else EditKind.MEANING


NOTHING_DECLARED = Declared()


def compare(old: Rubric, new: Rubric, declared: Declared = NOTHING_DECLARED) -> tuple[Edit, ...]:
    """Return the edits that turn ``old`` into ``new``, in the order of the sheet.

    Blanks, line ends and Unicode form are no edit; version and date neither. Raises nothing: a declaration that does not fit the
    edits is told by :func:`faults_of`.
    """
    return (
        *_criteria(old, new, declared),
        *_codes(old, new),
        *_verdict(old, new),
        *_words_of(EditKind.WORDING, "", "title", old.title, new.title),
        *_words_of(EditKind.WORDING, "", "rule", old.rule, new.rule),
        *_order(old, new),
    )


def _criteria(old: Rubric, new: Rubric, declared: Declared) -> Iterator[Edit]:
    before = {c.id: c for c in old.criteria}
    after = {c.id: c for c in new.criteria}
    for name, criterion in before.items():
        if name not in after:
            yield Edit(kind=EditKind.CRITERION_REMOVED, criterion=name, before=_name(criterion))
    for name, criterion in after.items():
        if name not in before:
            yield Edit(kind=EditKind.CRITERION_ADDED, criterion=name, after=_name(criterion))
        else:
            yield from _criterion(before[name], criterion, declared.kind_on(name))


def _criterion(old: Criterion, new: Criterion, text: EditKind) -> Iterator[Edit]:
    name = new.id
    if old.kind != new.kind:
        # Levels that changed with the kind are edits of their own; the kind itself only weighs in the decision.
        yield Edit(
            kind=EditKind.VERDICT, criterion=name, field="kind", before=str(old.kind), after=str(new.kind)
        )
    if old.judged_by != new.judged_by:
        yield Edit(
            kind=EditKind.WORDING,
            criterion=name,
            field="judged_by",
            before=str(old.judged_by),
            after=str(new.judged_by),
        )
    yield from _words_of(EditKind.WORDING, name, "name", old.name, new.name)
    yield from _words_of(text, name, "question", old.question, new.question)
    before = {a.level: a for a in old.anchors}
    after = {a.level: a for a in new.anchors}
    for level, anchor in before.items():
        if level not in after:
            shown = anchor.description.in_("en")
            yield Edit(kind=EditKind.LEVEL_REMOVED, criterion=name, target=str(level), before=shown)
    for level, anchor in after.items():
        if level not in before:
            shown = anchor.description.in_("en")
            yield Edit(kind=EditKind.LEVEL_ADDED, criterion=name, target=str(level), after=shown)
            continue
        known = before[level]
        target = str(level)
        yield from _words_of(EditKind.WORDING, name, "name", known.name, anchor.name, target)
        yield from _words_of(text, name, "description", known.description, anchor.description, target)
        yield from _words_of(text, name, "example", known.example, anchor.example, target)


def _name(criterion: Criterion) -> str:
    return criterion.name.in_("en") or criterion.id


def _words_of(
    kind: EditKind, criterion: str, field: str, old: Words, new: Words, target: str = ""
) -> Iterator[Edit]:
    for language, before, after in (("fr", old.fr, new.fr), ("en", old.en, new.en)):
        if canonical(before) != canonical(after):
            yield Edit(
                kind=kind,
                criterion=criterion,
                target=target,
                field=f"{field}_{language}",
                before=before,
                after=after,
            )


Caps = Mapping[str, Mapping[str, int | None]]


def caps_of(rubric: Rubric) -> dict[str, dict[str, int | None]]:
    """Return the caps by criterion and code, in the rubric's order; None is a tolerated code."""
    caps: dict[str, dict[str, int | None]] = {c.id: {} for c in rubric.criteria}
    for code in rubric.codes:
        for cap in code.caps:
            caps.setdefault(cap.criterion, {}).setdefault(code.id, code.cap_on(cap.criterion))
    return caps


def _codes(old: Rubric, new: Rubric) -> Iterator[Edit]:
    before, after = caps_of(old), caps_of(new)
    kept = {c.id for c in old.criteria} & {c.id for c in new.criteria}
    for criterion in (c.id for c in new.criteria if c.id in kept):
        for code in {**before[criterion], **after[criterion]}:
            place = {"criterion": criterion, "target": code}
            if code not in after[criterion]:
                yield Edit(kind=EditKind.CODE_REMOVED, before=shown_cap(before[criterion][code]), **place)
            elif code not in before[criterion]:
                yield Edit(kind=EditKind.CODE_ADDED, after=shown_cap(after[criterion][code]), **place)
            elif before[criterion][code] != after[criterion][code]:
                yield Edit(
                    kind=EditKind.CAP_CHANGED,
                    before=shown_cap(before[criterion][code]),
                    after=shown_cap(after[criterion][code]),
                    **place,
                )
    labels: dict[str, IssueCode] = {c.id: c for c in old.codes}
    for new_code in new.codes:
        if new_code.id in labels:
            yield from _words_of(
                EditKind.WORDING, "", "label", labels[new_code.id].label, new_code.label, new_code.id
            )


def shown_cap(cap: int | None) -> str:
    """Return a cap as the sheet shows it; a tolerated code has a blank."""
    return "" if cap is None else str(cap)


def _verdict(old: Rubric, new: Rubric) -> Iterator[Edit]:
    if old.favourable != new.favourable:
        yield Edit(kind=EditKind.VERDICT, field="favourable", before=old.favourable, after=new.favourable)
    if list(old.verdict) != list(new.verdict):
        same_form = [_form(row) for row in old.verdict] == [_form(row) for row in new.verdict]
        kind = EditKind.THRESHOLD if same_form else EditKind.VERDICT
        for n in range(max(len(old.verdict), len(new.verdict))):
            before = shown_row(old.verdict[n]) if n < len(old.verdict) else ""
            after = shown_row(new.verdict[n]) if n < len(new.verdict) else ""
            if before != after:
                yield Edit(kind=kind, target=str(n + 1), field="row", before=before, after=after)
    for outcome in {**old.outcomes, **new.outcomes}:
        yield from _words_of(
            EditKind.WORDING,
            "",
            "outcome",
            old.outcomes.get(outcome, Words()),
            new.outcomes.get(outcome, Words()),
            outcome,
        )


def _form(row: VerdictRow) -> tuple[object, ...]:
    """Return a decision row without its numbers."""
    return (row.outcome, row.combine, tuple((t.kind, t.target, t.operator, t.label) for t in row.tests))


def shown_row(row: VerdictRow) -> str:
    """Return a decision row in one line of signs: ``ready: ALL(level accuracy = 2; count all at 0 = 0)``."""
    tests = []
    for t in row.tests:
        at = "" if t.level is None else f"at {t.level}"
        value = t.label or f"{t.operator} {t.number}"
        tests.append(" ".join(part for part in (str(t.kind), t.target, at, value) if part))
    return f"{row.outcome}: {row.combine}" + (f"({'; '.join(tests)})" if tests else "")


def _order(old: Rubric, new: Rubric) -> Iterator[Edit]:
    """Tell rows that only changed places: another fingerprint, the same rubric."""
    for field, before, after in (
        ("criteria", [c.id for c in old.criteria], [c.id for c in new.criteria]),
        ("codes", [c.id for c in old.codes], [c.id for c in new.codes]),
        *(
            (f"levels {c.id}", [str(x) for x in old_c.levels], [str(x) for x in c.levels])
            for c in new.criteria
            if (old_c := next((o for o in old.criteria if o.id == c.id), None)) is not None
        ),
    ):
        common = set(before) & set(after)
        if [x for x in before if x in common] != [x for x in after if x in common]:
            yield Edit(
                kind=EditKind.WORDING,
                field=f"order {field}",
                before=", ".join(before),
                after=", ".join(after),
            )


def faults_of(declared: Declared, new: Rubric, edits: tuple[Edit, ...]) -> tuple[Problem, ...]:
    """Return what is wrong with the declarations: a criterion that does not exist, both at once, covered by no code edit, no text edited."""
    ids = [c.id for c in new.criteria]
    of_code = {edit.criterion for edit in edits if edit.kind.is_of_code}
    of_text = {e.criterion for e in edits if e.field.startswith(("question", "description", "example"))}
    faults = []
    for name in sorted(declared.wording | declared.covered):
        if name not in ids:
            faults.append(problem("declared_unknown", found=name, allowed=", ".join(ids)))
        elif name in declared.wording and name in declared.covered:
            faults.append(problem("declared_twice", found=name))
        elif name in declared.covered and name not in of_code:
            faults.append(problem("covered_by_nothing", found=name))
        elif name not in of_text:
            faults.append(problem("declared_nothing", found=name))
    return tuple(faults)
