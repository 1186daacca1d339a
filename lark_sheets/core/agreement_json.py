"""Agreement and comparisons as ``results.json`` holds them: counts, coefficients, their states by name, what they rest on."""

from __future__ import annotations

from typing import Any

from lark_sheets.core.agreement import Agreement, ByTicket, PlacedNote
from lark_sheets.core.agreement_words import methods_in_words, note_in_words
from lark_sheets.core.comparisons import Family, PairComparison
from lark_sheets.core.language import Translator
from lark_sheets.core.plain_json import interval_list, plain
from lark_sheets.core.results import AgreementSummary, ReaderSummary, Results

COEFFICIENTS = (
    "kappa", "kappa_linear", "kappa_quadratic", "ac1", "ac2_quadratic", "fleiss", "alpha_nominal", "alpha_ordinal", "alpha_interval",
)  # fmt: skip


def agreement_dict(results: Results, translate: Translator) -> dict[str, Any]:
    """Return all that results tell of agreement; notes and methods are also in the translator's language."""
    agreement, discussed = results.agreement, results.agreement_discussed
    return {
        "shared": agreement.shared,
        "read": agreement.read,
        "read_once": agreement.once,
        "share_read_once": agreement.once / agreement.read if agreement.read else None,
        **_summary(agreement),
        "by_run": {run: _summary(summary) for run, summary in results.agreement_by_run.items()},
        "pairs": [
            {"readers": list(pair), "shared": summary.shared, **_summary(summary)}
            for pair, summary in agreement.pairs.items()
        ],
        "readers": {reader.name: _reader(reader) for reader in results.readers},
        "after_discussion": None if discussed is None else _summary(discussed),
        "notes": [_note(placed, results, translate) for placed in results.agreement_notes],
        "methods": methods_in_words(agreement, translate),
    }


def _summary(summary: AgreementSummary) -> dict[str, Any]:
    return {
        "tickets": summary.tickets,
        "all_criteria": {
            "equal": summary.all_equal,
            "n": summary.all_n,
            "interval": interval_list(summary.all_interval),
            "interval_by_ticket": interval_list(summary.all_by_ticket),
        },
        "decision": None
        if summary.decision is None
        else statistics_dict(summary.decision, summary.decision_by_ticket),
        "criteria": {
            criterion: statistics_dict(found, summary.criteria_by_ticket.get(criterion))
            for criterion, found in summary.criteria.items()
        },
    }


def statistics_dict(found: Agreement, of_tickets: ByTicket | None = None) -> dict[str, Any]:
    """Return one agreement as the STAT of ``results.json``.

    ``state`` is that of kappa (more than two readers: of alpha), ``states`` tells it for every coefficient; ``table`` counts the
    pairs of levels of two readers (rows: the first of ``reader_names``), ``gaps`` the responses by distance in levels.
    """
    return {
        "equal": found.equal,
        "n": found.n,
        "interval": interval_list(found.interval),
        "kappa": plain(found.kappa),
        "kappa_interval": interval_list(found.kappa_interval),
        "kappa_linear": plain(found.kappa_linear),
        "kappa_quadratic": plain(found.kappa_quadratic),
        "ac1": plain(found.ac1),
        "ac1_interval": interval_list(found.ac1_interval),
        "ac2_quadratic": plain(found.ac2_quadratic),
        "alpha_ordinal": plain(found.alpha_ordinal),
        "alpha_nominal": plain(found.alpha_nominal),
        "alpha_interval": plain(found.alpha_interval),
        "fleiss": plain(found.fleiss),
        "readers": found.readers,
        "reader_names": list(found.reader_names),
        "levels": list(plain(found.levels)),
        "table": plain(found.table),
        "gaps": plain(found.gaps),
        "read_once": found.read_once,
        "by_ticket": None if of_tickets is None else _of_tickets(of_tickets),
        "state": str(found.state.value),
        "states": {name: str(getattr(found, name).state.value) for name in COEFFICIENTS},
    }


def _of_tickets(found: ByTicket) -> dict[str, Any]:
    return {
        "tickets": found.tickets,
        "design_effect": plain(found.design_effect),
        "interval": interval_list(found.interval),
        "kappa_interval": interval_list(found.kappa_interval),
        "redrawn": {
            name: {
                "interval": interval_list(drawn.interval),
                "draws": drawn.draws,
                "undefined": drawn.undefined,
            }
            for name, drawn in found.resampled.items()
        },
    }


def _reader(reader: ReaderSummary) -> dict[str, Any]:
    return {
        "kind": str(reader.kind.value),
        "model": reader.model,
        "read": reader.read,
        "shared": reader.shared,
    }


def _note(placed: PlacedNote, results: Results, translate: Translator) -> dict[str, Any]:
    return {
        "id": str(placed.note.id.value),
        "about": [key or "decision" for key in placed.about],
        "parameters": plain(placed.note.parameters),
        "text": note_in_words(placed, results.rubric, translate),
    }


def comparisons_dict(results: Results) -> dict[str, Any] | None:
    """Return every pair of runs compared on the same tickets, or null before the reveal. No ranks: groups that cannot be told apart."""
    found = results.comparisons
    if found is None:
        return None
    return {
        "ready": _family(found.ready),
        "total": _family(found.total),
        "label": {stratum: _family(family) for stratum, family in results.label_comparisons.items()},
    }


def _family(family: Family | None) -> dict[str, Any] | None:
    if family is None:
        return None
    return {
        "runs": list(family.runs),
        "means": plain(family.means),
        "leading": list(family.leading),
        "groups": [list(group) for group in family.groups],
        "undefined": family.undefined,
        "pairs": [_pair(pair) for pair in family.pairs],
    }


def _pair(pair: PairComparison) -> dict[str, Any]:
    return {
        "first": pair.first,
        "second": pair.second,
        "n": pair.n,
        "better_first": pair.better_first,
        "better_second": pair.better_second,
        "difference": plain(pair.difference),
        "interval": interval_list(pair.interval),
        "p": plain(pair.p),
        "adjusted": plain(pair.adjusted),
        "at_most": pair.at_most,
        "told_apart": pair.told_apart,
        "state": str(pair.state.value),
    }
