"""What forbids a verdict: a key that does not fit, names shown early or not at all, grades missing, stale or mixed."""

from __future__ import annotations

from dataclasses import dataclass

from lark_sheets.core.results import ReadingResult, Results
from lark_sheets.report.words import Phrases

PLACES = 12
"""Responses that a statement names; of more it gives the number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One reason why there is no verdict, what to do about it, and which responses it concerns."""

    reason: str
    remedy: str
    places: str = ""


def no_verdict(results: Results, phrases: Phrases) -> tuple[Statement, ...]:
    """Return what forbids a verdict, the gravest first: a key that does not fit, names shown early or not at all, grades missing, stale, mixed."""
    translate = phrases.translate
    coverage, version = results.coverage, results.rubric.version
    found: list[Statement] = []
    if results.key_matches is False:
        found.append(
            Statement(
                reason=translate("The key does not fit the seal in the workbook."),
                remedy=translate("Use the key made with this campaign; names from another prove nothing."),
            )
        )
    if results.revealed_early:
        found.append(
            Statement(
                reason=translate("The names were revealed before every response was graded."),
                remedy=translate("Reason given: {reason}", reason=results.revealed_early),
            )
        )
    if not coverage.expected:
        found.append(
            Statement(
                reason=translate("Nothing has been graded."), remedy=translate("Hand out the workbooks.")
            )
        )
    if coverage.incomplete:
        found.append(
            Statement(
                reason=translate.count(
                    "{n} response of {expected} has no complete grade.",
                    "{n} responses of {expected} have no complete grade.",
                    coverage.incomplete,
                    expected=coverage.expected,
                ),
                remedy=translate("Grade them; a blank is never counted as 0."),
                places=_places(
                    [r for r in results.readings if r.owner and not r.stale and None in r.scores.values()],
                    phrases,
                ),
            )
        )
    if coverage.stale:
        found.append(
            Statement(
                reason=translate.count(
                    "{n} response was graded under an older rubric.",
                    "{n} responses were graded under an older rubric.",
                    coverage.stale,
                ),
                remedy=translate("Grade them again under version {version}.", version=version),
                places=_places([r for r in results.readings if r.owner and r.stale], phrases),
            )
        )
    if results.mixed:
        found.append(
            Statement(
                reason=translate("Grades given under different rubric versions are mixed."),
                remedy=translate("They were let in on purpose; they cannot be compared."),
            )
        )
    if not results.revealed:
        found.append(
            Statement(
                reason=translate("The runs are still blind: their names are sealed."),
                remedy=translate("Reveal them once every response is graded."),
            )
        )
    elif not results.runs:
        found.append(
            Statement(
                reason=translate("The names of the runs are not at hand: the key was not given."),
                remedy=translate("Give the key; until then figures stand for all runs together."),
            )
        )
    return tuple(found)


def _places(readings: list[ReadingResult], phrases: Phrases) -> str:
    """Return where a person finds these responses: ticket, letter and grader, the first dozen and how many more."""
    shown = [f"{reading.item} {reading.label} ({reading.grader})" for reading in readings[:PLACES]]
    left = len(readings) - len(shown)
    return ", ".join(shown) + (phrases.translate(" and {n} more", n=left) if left > 0 else "")
