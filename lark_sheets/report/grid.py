"""The rubric page: every anchor in full with its example, what issue codes cap, and every version that was ever in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lark_sheets.core.results import Results
from lark_sheets.core.rubric import Criterion
from lark_sheets.report.parts import Block, Cell, Column, Row, Section, Table, number, table_block, text
from lark_sheets.report.words import Phrases

LETTERS = 12
"""Characters of a fingerprint that are shown in a table; the whole stands on the method page."""


def grid_section(results: Results, phrases: Phrases) -> Section:
    """Return the rubric page."""
    translate, rubric = phrases.translate, results.rubric
    blocks = [table_block(_criterion(c, phrases)) for c in rubric.criteria]
    if rubric.codes:
        blocks.append(table_block(_codes(phrases), translate("Issue codes")))
    blocks.append(table_block(_changes(results, phrases), translate("Changes")))
    effects = _effects(results, phrases)
    if effects:
        blocks.append(Block(kind="list", lines=effects))
    return Section(
        id="rubric",
        title=translate("Rubric"),
        take=rubric.rule.in_(phrases.language),
        blocks=tuple(blocks),
        new_page=False,
    )


def _criterion(criterion: Criterion, phrases: Phrases) -> Table:
    translate = phrases.translate
    anchors = criterion.anchors if criterion.is_category else tuple(reversed(criterion.anchors))
    rows = [
        Row(
            cells=(
                text(criterion.shown(anchor.level, phrases.language), "name"),
                text(anchor.description.in_(phrases.language)),
                text(anchor.example.in_(phrases.language) or "–", "muted"),
            )
        )
        for anchor in anchors
    ]
    question = criterion.question.in_(phrases.language)
    name = criterion.name.in_(phrases.language)
    return Table(
        caption=phrases.colon(name, question) if question else name,
        columns=(
            Column(text=translate("Level"), kind="name", width="24mm" if criterion.is_category else "13mm"),
            Column(text=translate("Anchor")),
            Column(text=translate("Example")),
        ),
        rows=tuple(rows),
        look="anchors",
    )


def _codes(phrases: Phrases) -> Table:
    translate, rubric = phrases.translate, phrases.results.rubric
    rows = []
    for code in rubric.codes:
        effects = [
            f"{phrases.criterion(cap.criterion)} ≤ {cap.cap}"
            if cap.cap is not None
            else translate("{criterion}, tolerated", criterion=phrases.criterion(cap.criterion))
            for cap in code.caps
        ]
        rows.append(
            Row(
                cells=(
                    text(code.label.in_(phrases.language) or code.id, "name"),
                    text(", ".join(effects)),
                    number(str(_times(code.id, phrases)), zero=not _times(code.id, phrases)),
                )
            )
        )
    return Table(
        caption="",
        columns=(
            Column(text=translate("Code"), kind="name", width="62mm"),
            Column(text=translate("Highest grade with it")),
            Column(text=translate("Responses"), kind="number", width="22mm"),
        ),
        rows=tuple(rows),
        note=translate("Responses: how many carry the code in the reading whose grades count."),
        look="codes",
    )


def _times(code: str, phrases: Phrases) -> int:
    return sum(reading.owner and code in reading.codes for reading in phrases.results.readings)


def _revisions(results: Results) -> dict[int, Mapping[str, object]]:
    """Return what the campaign's log tells of each revision, by version."""
    found = results.extra.get("revisions")
    if not isinstance(found, Sequence):
        return {}
    return {int(str(r["version"])): r for r in found if isinstance(r, Mapping) and "version" in r}


def _effects(results: Results, phrases: Phrases) -> tuple[str, ...]:
    """Return, run by run, what each revision changed by rule, and what still waits for its grader."""
    translate = phrases.translate
    lines = []
    for version, revision in _revisions(results).items():
        runs = revision.get("runs")
        for run, change in runs.items() if isinstance(runs, Mapping) else ():
            if isinstance(change, Mapping) and change.get("grades_changed"):
                lines.append(
                    translate(
                        "v{version}, {run}: {grades} grades changed, points {points}, ready {ready}",
                        version=version,
                        run=run,
                        grades=change["grades_changed"],
                        points=_signed(change.get("points")),
                        ready=_signed(change.get("ready")),
                    )
                )
        if revision.get("waiting"):
            lines.append(
                translate.count(
                    "v{version}: {n} reading still waits for its grader",
                    "v{version}: {n} readings still wait for their graders",
                    int(str(revision["waiting"])),
                    version=version,
                )
            )
    return tuple(lines)


def _signed(value: object) -> str:
    return f"{value:+d}" if isinstance(value, int) and value else "±0"


def _changes(results: Results, phrases: Phrases) -> Table:
    """Return the log of versions; counts that nobody recorded say so."""
    translate = phrases.translate
    missing = translate("not stated")
    revisions = results.extra.get("revisions")
    by_version: dict[int, Mapping[str, object]] = {}
    if isinstance(revisions, Sequence):
        by_version = {
            int(str(r["version"])): r for r in revisions if isinstance(r, Mapping) and "version" in r
        }
    versions = sorted(
        {v.version: v for v in (*phrases.campaign.versions, results.rubric)}.values(), key=lambda v: v.version
    )
    rows = []
    for version in versions:
        change = by_version.get(version.version, {})
        first = version is versions[0]

        def told(key: str, change: Mapping[str, object] = change, *, first: bool = first) -> Cell:
            return text("–" if first else str(change.get(key, missing)), "number")

        what = str(change.get("what", "")) or (translate("first version") if first else missing)
        rows.append(
            Row(
                cells=(
                    text(f"v{version.version}", "name"),
                    text(str(change.get("date", version.date))[:10] or "–"),
                    Cell(text=what, second=str(change.get("reason", ""))),
                    text(str(change.get("author", "–"))),
                    told("rescored"),
                    told("grades_changed"),
                    told("decisions_changed"),
                    text(version.fingerprint[:LETTERS], "code"),
                )
            )
        )
    return Table(
        caption="",
        columns=(
            Column(text=translate("Version"), kind="name", width="15mm"),
            Column(text=translate("Date"), width="20mm"),
            Column(text=translate("Change and reason")),
            Column(text=translate("Author"), width="22mm"),
            Column(text=translate("Looked at"), kind="number", width="17mm"),
            Column(text=translate("Grades changed"), kind="number", width="17mm"),
            Column(text=translate("Decisions changed"), kind="number", width="18mm"),
            Column(text=translate("Fingerprint"), width="26mm"),
        ),
        rows=tuple(rows),
        note=translate(
            "Grades given under two versions are never compared; the whole of each version is kept in the workbook."
        ),
        look="changes",
    )
