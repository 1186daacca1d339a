"""A revision in words: the lines of the preview, the table of changes, the log. Sentences only; every figure comes from the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lark_sheets.core.language import Translator
from lark_sheets.core.rescoring.affected import Why
from lark_sheets.core.rescoring.edits import Edit, EditKind
from lark_sheets.core.rescoring.outcome import Outcome
from lark_sheets.core.rescoring.record import Record

TEXTS = ("description", "example", "question", "name", "label", "outcome", "title", "rule")
"""Fields that exist in both languages: two edits of one of them are one edit to people."""


def grouped(edits: Iterable[Edit]) -> list[Edit]:
    """Return edits as people count them: the French and the English of one text are one edit."""
    found: dict[tuple[str, ...], Edit] = {}
    for edit in edits:
        stem = edit.field.rpartition("_")[0] if edit.field.endswith(("_fr", "_en")) else edit.field
        key = (edit.kind, edit.criterion, edit.target, stem)
        known = found.get(key)
        if known is None:
            found[key] = replace(edit, field=stem)
        else:
            found[key] = replace(
                known,
                before=_lines(known.before, edit.before),
                after=_lines(known.after, edit.after),
            )
    return list(found.values())


def _lines(one: str, two: str) -> str:
    return "\n".join(part for part in (one, two) if part)


def kind_words(kind: EditKind, translate: Translator) -> str:
    """Return what a kind of edit is called."""
    return {
        EditKind.VERDICT: translate("decision rule"),
        EditKind.THRESHOLD: translate("threshold of the decision"),
        EditKind.CODE_ADDED: translate("issue code added"),
        EditKind.CODE_REMOVED: translate("issue code removed"),
        EditKind.CAP_CHANGED: translate("cap of an issue code"),
        EditKind.MEANING: translate("meaning changed"),
        EditKind.COVERED: translate("covered by the code"),
        EditKind.WORDING: translate("wording only"),
        EditKind.LEVEL_ADDED: translate("level added"),
        EditKind.LEVEL_REMOVED: translate("level removed"),
        EditKind.CRITERION_ADDED: translate("criterion added"),
        EditKind.CRITERION_REMOVED: translate("criterion removed"),
        EditKind.OVERSIGHT: translate("oversight corrected"),
    }[kind]


def why_words(why: Why, codes: Sequence[str], translate: Translator) -> str:
    """Return why a grade changes, or why a person has to look; ``codes`` are shown by their labels."""
    shown = ", ".join(codes)
    return {
        Why.DERIVED: translate("explained by its codes ({codes})", codes=shown),
        Why.NOT_EXPLAINED: translate("its codes ({codes}) do not give its grade", codes=shown),
        Why.FURTHER_CODE: translate("may also deserve {codes}, which nobody recorded", codes=shown),
        Why.WITHOUT_CODE: translate("may deserve {codes}, new or stricter", codes=shown),
        Why.MEANING: translate("the anchor means something else now"),
        Why.LEVEL_ADDED: translate("a level was added beside its grade"),
        Why.LEVEL_REMOVED: translate("its level exists no more"),
        Why.CRITERION_ADDED: translate("a new criterion"),
        Why.OVERSIGHT: translate("{codes} may have been overlooked", codes=shown),
        Why.DISCUSSED: translate("the grade agreed in a discussion follows from nobody’s codes"),
    }[why]


def edit_line(edit: Edit, outcome: Outcome, translate: Translator) -> str:
    """Return one edit in a line: what, where, from what to what."""
    where = " ".join(
        part
        for part in (criterion_name(edit.criterion, outcome, translate), _target(edit, outcome, translate))
        if part
    )
    line = f"{kind_words(edit.kind, translate)}"
    if where:
        line = translate("{what}: {where}", what=line, where=where)
    if edit.kind is EditKind.CAP_CHANGED:
        tolerated = translate("tolerated")
        before, after = edit.before or tolerated, edit.after or tolerated
        return translate("{line}, {before} → {after}", line=line, before=before, after=after)
    if edit.kind in (EditKind.VERDICT, EditKind.THRESHOLD):
        return translate(
            "{line}, {before} → {after}", line=line, before=edit.before or "–", after=edit.after or "–"
        )
    return line


def criterion_name(name: str, outcome: Outcome, translate: Translator) -> str:
    """Return what a criterion is called on screen, in the new rubric or else in the former one."""
    for rubric in (outcome.campaign.rubric, outcome.former.rubric):
        for criterion in rubric.criteria:
            if criterion.id == name:
                return criterion.name.in_(translate.language)
    return name


def _target(edit: Edit, outcome: Outcome, translate: Translator) -> str:
    """Return what of a criterion (or of the rubric) was edited: a code, a level, a row of the decision."""
    if edit.kind.is_of_code or edit.kind is EditKind.OVERSIGHT or edit.field.startswith("label"):
        return f"“{code_label(edit.target, outcome, translate)}”"
    if edit.kind in (EditKind.VERDICT, EditKind.THRESHOLD) and edit.target:
        return translate("row {number}", number=edit.target)
    if edit.criterion and edit.target:
        return translate("level {level}", level=edit.target)
    return edit.target


def code_label(name: str, outcome: Outcome, translate: Translator) -> str:
    """Return what an issue code is called on screen, in the new rubric or else in the former one."""
    for rubric in (outcome.campaign.rubric, outcome.former.rubric):
        code = rubric.code(name)
        if code is not None:
            return code.label.in_(translate.language) or name
    return name


def headline(outcome: Outcome, translate: Translator) -> str:
    """Return the one sentence of a revision: version, what was looked at, what changes, what goes to people."""
    return translate(
        "Version {former} → {version}: {looked}, {changed}, {again}, {decisions}.",
        former=outcome.record.former,
        version=outcome.record.version,
        looked=translate.count(
            "{n} reading looked at", "{n} readings looked at", len(outcome.affected.carriers)
        ),
        changed=translate.count("{n} grade changed", "{n} grades changed", len(outcome.changes)),
        again=translate.count("{n} to grade again", "{n} to grade again", len({w.key for w in outcome.work})),
        decisions=translate.count("{n} decision changed", "{n} decisions changed", len(outcome.decisions)),
    )


def undo_headline(record: Record, translate: Translator) -> str:
    """Return the one sentence of an undo."""
    return translate(
        "Version {version} undone, version {former} in force again: {grades} restored.",
        version=record.version,
        former=record.former,
        grades=translate.count("{n} grade", "{n} grades", len(record.changes)),
    )


def change_row(edit: Edit, outcome: Outcome, translate: Translator) -> dict[str, str]:
    """Return what the table of changes says of one edit."""
    mine = [c for c in outcome.changes if c.criterion == edit.criterion]
    again = {w.key for w in outcome.work if w.criterion == edit.criterion}
    touched = edit.kind not in (EditKind.WORDING, EditKind.COVERED)
    decision = edit.kind in (EditKind.VERDICT, EditKind.THRESHOLD)
    effect = translate(
        "{changed}, {again}",
        changed=translate.count("{n} grade changed", "{n} grades changed", len(mine)),
        again=translate.count("{n} to grade again", "{n} to grade again", len(again)),
    )
    if decision:
        effect = translate.count("{n} decision changed", "{n} decisions changed", len(outcome.decisions))
    target = _target(edit, outcome, translate).strip("“”")
    before, after = edit.before, edit.after
    if edit.kind is EditKind.CAP_CHANGED:
        before, after = before or translate("tolerated"), after or translate("tolerated")
    label = f"{target}: " if target and edit.criterion else ""
    return {
        "kind": kind_words(edit.kind, translate),
        "criterion": edit.criterion,
        "before": f"{label}{before}" if before else "",
        "after": f"{label}{after}" if after else "",
        "effect": effect if touched else translate("no grade touched by this edit"),
    }
