"""From results to the whole report as values: page 1, the chapters in order, the words of the frame."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from lark_sheets.core.campaign import Campaign
from lark_sheets.core.language import Translator
from lark_sheets.core.results import Results
from lark_sheets.report.agreement import agreement_section
from lark_sheets.report.apart import standing
from lark_sheets.report.appendix import appendix_section
from lark_sheets.report.decision import Decision, decision_page
from lark_sheets.report.grid import grid_section
from lark_sheets.report.judge import judge_section
from lark_sheets.report.losses import losses_section
from lark_sheets.report.method import method_section
from lark_sheets.report.no_verdict import no_verdict
from lark_sheets.report.parts import Section
from lark_sheets.report.refusals import label_decision, rates_section
from lark_sheets.report.runs import runs_section
from lark_sheets.report.words import phrases_of

Appendix = Literal["full", "scores", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Words around the pages: running header, footer, and how a page is counted."""

    header: str
    source: str
    unshown: str
    browser: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    """The report, ready to be laid out. ``locale`` is the document's language tag, ``produced`` an ISO time."""

    locale: str
    title: str
    description: str
    produced: str
    identifier: str
    frame: Frame
    decision: Decision
    sections: tuple[Section, ...]


def build_view(
    results: Results,
    campaign: Campaign,
    translate: Translator,
    *,
    produced: dt.datetime,
    appendix: Appendix = "full",
    provenance: Mapping[str, str] | None = None,
) -> ReportView:
    """Return the report of a campaign's results.

    ``appendix`` says how much of each response is shown: its text, its grades only, or nothing. ``provenance`` holds the
    source workbook's name (``workbook``), its ``workbook_sha256``, and versions by program name.
    """
    provenance = provenance or {}
    phrases = phrases_of(results, campaign, translate)
    stand = standing(results)
    statements = no_verdict(results, phrases)
    warning = " ".join([*(statement.reason for statement in statements), *_marks(results, translate)])
    quotes = appendix != "none"
    labels_only = results.rubric.total_max is None and bool(results.rubric.main_label)
    sections = [
        rates_section(results, phrases, warning)
        if labels_only
        else runs_section(results, phrases, stand, warning),
        losses_section(results, phrases, quotes=quotes),
        agreement_section(results, phrases, quotes=quotes),
        judge_section(results, phrases),
        grid_section(results, phrases),
        method_section(results, phrases, provenance, produced),
        appendix_section(results, phrases, full=appendix == "full") if appendix != "none" else None,
    ]
    decision = label_decision(results, phrases) if labels_only else decision_page(results, phrases, stand)
    return ReportView(
        locale="fr-CA" if translate.language == "fr" else "en",
        title=translate("Grading report: {campaign}", campaign=results.campaign),
        description=f"{decision.title}. {decision.lead}".strip(),
        produced=produced.isoformat(timespec="seconds"),
        identifier=results.rubric.fingerprint[:32],
        frame=Frame(
            header=translate("Grading report: {campaign}", campaign=results.campaign),
            source=_source(provenance, results, translate),
            unshown=translate(
                "Characters that no font of this machine can draw are written by their number, as ‹U+4F60›."
            ),
            browser=translate(
                "Made by a browser because Pango is missing on this machine: without attachments and without the marks of an archival PDF."
            ),
        ),
        decision=decision,
        sections=tuple(section for section in sections if section is not None),
    )


def _marks(results: Results, translate: Translator) -> list[str]:
    """Return what a reader of the figures must know although it forbids no verdict: grades changed once names were known."""
    return [
        translate("Grades were changed by hand after the names were known: {found}.", found=problem.found)
        for problem in results.problems
        if problem.code == "changed_after_reveal"
    ]


def _source(provenance: Mapping[str, str], results: Results, translate: Translator) -> str:
    parts = [provenance.get("workbook", "")]
    if provenance.get("workbook_sha256"):
        parts.append(f"sha256 {provenance['workbook_sha256'][:12]}…")
    parts.append(translate("rubric v{version}", version=results.rubric.version))
    return " · ".join(part for part in parts if part)
