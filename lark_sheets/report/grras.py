"""The fifteen items that a report of agreement owes its readers, each in its place; what nobody stated says so.

Source: J. Kottner et al., "Guidelines for Reporting Reliability and Agreement Studies (GRRAS) were proposed",
Journal of Clinical Epidemiology 64 (2011) 96-106, table 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from lark_sheets.core.results import Results
from lark_sheets.report.parts import Block, Pair
from lark_sheets.report.words import Phrases

ITEMS = (
    "title", "instrument", "subjects", "raters", "rationale", "sample_size", "sampling", "process", "independence",
    "analysis", "actual_numbers", "characteristics", "estimates", "relevance", "details",
)  # fmt: skip
"""Ids of the items in the order of the checklist."""


def grras_block(results: Results, phrases: Phrases) -> Block:
    """Return the checklist: every item has an answer, or says that it was not stated."""
    translate = phrases.translate
    answers = _answers(results, phrases)
    stated = results.extra.get("grras")
    if isinstance(stated, Mapping):
        answers |= {str(item): str(answer) for item, answer in stated.items() if item in ITEMS and answer}
    missing = translate("not stated")
    names = _names(phrases)
    return Block(
        kind="pairs",
        heading=translate("What a report on agreement must say (GRRAS, 15 items)"),
        pairs=tuple(
            Pair(name=f"{n}. {names[item]}", value=answers.get(item) or missing)
            for n, item in enumerate(ITEMS, 1)
        ),
    )


def _names(phrases: Phrases) -> dict[str, str]:
    translate = phrases.translate
    return {
        "title": translate("Agreement named up front"),
        "instrument": translate("Instrument"),
        "subjects": translate("What was graded"),
        "raters": translate("Who grades"),
        "rationale": translate("What was known before"),
        "sample_size": translate("Choice of sample size"),
        "sampling": translate("How the sample was drawn"),
        "process": translate("How grading went"),
        "independence": translate("Independent readings"),
        "analysis": translate("Statistics"),
        "actual_numbers": translate("Numbers reached"),
        "characteristics": translate("Training of the readers"),
        "estimates": translate("Estimates with uncertainty"),
        "relevance": translate("What it means in practice"),
        "details": translate("Detailed results"),
    }


def _answers(results: Results, phrases: Phrases) -> dict[str, str]:
    translate, agreement, rubric = phrases.translate, results.agreement, results.rubric
    readers = phrases.listing([phrases.reader(name) for name in results.graders])
    answers = {
        "title": translate("Page 1, and a chapter of its own."),
        "instrument": translate(
            "{title}, version {version}: {n} criteria, every level with an anchor (chapter “Rubric”).",
            title=rubric.title.in_(phrases.language) or rubric.id,
            version=rubric.version,
            n=len(rubric.criteria),
        ),
        "subjects": translate(
            "Responses of language models: {responses} responses to {tickets} tickets.",
            responses=len(phrases.campaign.responses),
            tickets=len(phrases.campaign.items),
        ),
        "raters": translate("{readers}.", readers=readers),
        "process": translate(
            "Each reader alone in a workbook, under letters drawn anew for each ticket, no run named; grade by grade against the anchors."
        ),
        "analysis": translate(
            "Share of equal grades with Wilson's interval; Cohen's kappa, unweighted; Gwet's AC1; per criterion and for the decision."
        ),
        "actual_numbers": translate(
            "{readers} readers; {shared} responses read twice or more, {once} read once.",
            readers=len(results.graders),
            shared=agreement.shared,
            once=results.not_double_read,
        ),
        "details": translate("In results.xlsx (sheets Agreement and Detail) and results.json."),
    }
    if agreement.shared:
        answers["independence"] = translate(
            "Workbooks handed out hold nobody else's grades; of readings imported from elsewhere it is not stated."
        )
        answers["estimates"] = translate("Chapter “Agreement between readers”, 95% intervals.")
        changed = _changed(results)
        answers["relevance"] = translate.count(
            "The decision depends on the reader for {n} of the {shared} shared responses.",
            "The decision depends on the reader for {n} of the {shared} shared responses.",
            changed,
            shared=agreement.shared,
        )
        composition = _composition(results)
        if composition:
            answers["sampling"] = translate(
                "{composition}; how they were drawn: {drawn}",
                composition=phrases.listing(
                    [
                        translate.count("{each} of {n} run", "{each} of each of {n} runs", runs, each=each)
                        for each, runs in sorted(composition.items())
                    ]
                ),
                drawn=translate("not stated"),
            )
    return answers


def _changed(results: Results) -> int:
    decision = results.agreement.decision
    return 0 if decision is None else decision.n - decision.equal


def _composition(results: Results) -> dict[int, int]:
    """Return how many runs have how many shared responses: {4: 7} is "4 of each of 7 runs"."""
    return dict(Counter(s.shared for s in results.agreement_by_run.values() if s.shared))
