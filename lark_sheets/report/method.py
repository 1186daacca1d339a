"""The method page: what was covered, how it was blind, what seals it, what was left out, and what none of it can say."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from lark_sheets.core.problems import told
from lark_sheets.core.results import Results
from lark_sheets.core.sealing import FORCED, REVEALED
from lark_sheets.errors import Severity
from lark_sheets.report.grras import grras_block
from lark_sheets.report.parts import Block, Pair, Section
from lark_sheets.report.words import Phrases

TOLD = 40
"""Problems written out; the rest are in results.json."""


def method_section(
    results: Results,
    phrases: Phrases,
    provenance: Mapping[str, str],
    produced: dt.datetime,
    notes: tuple[str, ...] = (),
) -> Section:
    """Return the method page. ``provenance`` names the workbook, its SHA-256, versions and conditions; ``notes`` are the report's own limits."""
    translate = phrases.translate
    blocks = [
        Block(kind="pairs", pairs=tuple(_pairs(results, phrases, provenance, produced))),
        Block(
            kind="notes",
            heading=translate("What this report cannot say"),
            lines=(*_limits(results, phrases), *notes),
        ),
    ]
    blocks.append(grras_block(results, phrases))
    problems = sorted(results.problems, key=lambda p: list(Severity).index(p.severity))
    if problems:
        lines = [
            translate(
                "{severity} {problem}", severity=_severity(phrases, p.severity), problem=told(p, translate)
            )
            for p in problems[:TOLD]
        ]
        if len(problems) > TOLD:
            lines.append(translate("{n} more are in results.json.", n=translate.whole(len(problems) - TOLD)))
        blocks.append(
            Block(kind="list", heading=translate("Found while reading the workbooks"), lines=tuple(lines))
        )
    return Section(
        id="method",
        title=translate("Method and provenance"),
        take=translate("Everything needed to check these figures without us."),
        blocks=tuple(blocks),
        new_page=False,
    )


def _severity(phrases: Phrases, severity: Severity) -> str:
    translate = phrases.translate
    return {
        Severity.ERROR: translate("Error."),
        Severity.WARNING: translate("Warning."),
        Severity.NOTE: translate("Note."),
    }[severity]


def _pairs(
    results: Results, phrases: Phrases, provenance: Mapping[str, str], produced: dt.datetime
) -> list[Pair]:
    translate, coverage, campaign = phrases.translate, results.coverage, phrases.campaign
    revealed = [entry.when for entry in campaign.log if entry.event in (REVEALED, FORCED)]
    pairs = [
        Pair(
            name=translate("Coverage"),
            value=translate(
                "{graded} of {expected} responses graded; {incomplete} incomplete, {stale} stale",
                graded=translate.whole(coverage.graded),
                expected=translate.whole(coverage.expected),
                incomplete=coverage.incomplete,
                stale=coverage.stale,
            ),
        ),
        Pair(name=translate("Whose grades"), value=_whose(results, phrases)),
        Pair(name=translate("Blinding"), value=_blinding(results, phrases, revealed)),
        Pair(name=translate("Seal of the key"), value=_seal(results, phrases), code=True),
    ]
    workbook, sha = provenance.get("workbook", ""), provenance.get("workbook_sha256", "")
    if workbook:
        pairs.append(Pair(name=translate("Source workbook"), value=workbook))
    if sha:
        pairs.append(Pair(name=translate("its SHA-256"), value=sha, code=True))
    pairs += [
        Pair(
            name=translate("Rubric"),
            value=translate(
                "{title}, version {version} of {date}",
                title=results.rubric.title.in_(phrases.language) or results.rubric.id,
                version=results.rubric.version,
                date=results.rubric.date,
            ),
        ),
        Pair(name=translate("its fingerprint"), value=results.rubric.fingerprint, code=True),
    ]
    if results.rubric.rule.in_(phrases.language):
        pairs.append(
            Pair(name=translate("Rule of decision"), value=results.rubric.rule.in_(phrases.language))
        )
    judge = results.judge or {}
    if judge.get("model"):
        pairs.append(Pair(name=translate("Judge"), value=str(judge["model"])))
    known = {"workbook", "workbook_sha256", "key_commitment"}
    versions = [
        f"{name.replace('_', '-')} {value}"
        for name, value in provenance.items()
        if name not in known and value
    ]
    conditions = results.extra.get("conditions")
    if isinstance(conditions, Mapping):
        pairs += [
            Pair(name=translate("Conditions, {run}", run=str(run)), value=str(value))
            for run, value in conditions.items()
        ]
    licence = results.extra.get("data_licence")
    if licence:
        pairs.append(Pair(name=translate("Data and licence"), value=str(licence)))
    pairs += [
        Pair(
            name=translate("Attached"),
            value=translate("results.xlsx and results.json, in this PDF itself"),
            media=("pdf",),
        ),
        Pair(
            name=translate("Beside this report"),
            value=translate("results.xlsx and results.json, in the same folder"),
            media=("browser", "screen"),
        ),
        Pair(name=translate("Made with"), value=", ".join(versions) or "lark-sheets"),
        Pair(name=translate("Made on"), value=translate.date(produced)),
    ]
    return pairs


def _whose(results: Results, phrases: Phrases) -> str:
    translate = phrases.translate
    if results.graded_by == "judge":
        return translate("An automatic judge's, by declaration; what it could not grade lowers the coverage.")
    owners = list(dict.fromkeys(r.grader for r in results.readings if r.owner))
    names = phrases.listing([phrases.reader(name) for name in owners])
    agreed = len(phrases.campaign.agreed)
    value = translate("{readers}; other readings serve agreement, nothing is averaged", readers=names)
    if agreed:
        value += "; " + translate.count(
            "{n} response carries grades agreed on after a discussion",
            "{n} responses carry grades agreed on after a discussion",
            agreed,
        )
    return value


def _blinding(results: Results, phrases: Phrases, revealed: list[str]) -> str:
    translate = phrases.translate
    letters = translate("letters drawn anew for each ticket")
    if results.block:
        letters = translate("letters drawn anew for each ticket, in blocks of {n}", n=results.block)
    if not results.revealed:
        return translate("{letters}; names still sealed", letters=letters)
    if results.revealed_early:
        return translate("{letters}; names shown before the last grade", letters=letters)
    if revealed:
        return translate(
            "{letters}; names shown on {date}, after the last grade", letters=letters, date=revealed[-1][:10]
        )
    return translate("{letters}; names shown after the last grade", letters=letters)


def _seal(results: Results, phrases: Phrases) -> str:
    translate = phrases.translate
    if not results.commitment:
        return translate("none")
    if results.key_matches is None:
        return f"SHA-256 {results.commitment}"
    word = translate("fits") if results.key_matches else translate("DOES NOT FIT")
    return f"SHA-256 {results.commitment} · {word}"


def _limits(results: Results, phrases: Phrases) -> list[str]:
    translate = phrases.translate
    limits = [
        translate(
            "{tickets} tickets, one answer of each run to each: another pass could give other answers.",
            tickets=len(phrases.campaign.items),
        ),
        translate("Hosted models change without notice; these figures hold for the answers graded."),
        translate(
            "Intervals tell the chance of a sample of this size. They do not tell errors of grading, nor whether the tickets resemble yours."
        ),
        translate("A workbook without macros records no time: the order of grading is not known."),
    ]
    if results.agreement.shared:
        limits.append(
            translate(
                "Agreement was measured on {shared} of {all} responses.",
                shared=results.agreement.shared,
                all=results.agreement.shared + results.not_double_read,
            )
        )
    return limits
