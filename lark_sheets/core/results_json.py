"""The one JSON form of results, ``lark-sheets/results/1``: exact keys, no NaN, undefined statistics by name.

Numbers are plain: counts are integers, shares and coefficients are floats from 0 to 1 (kappa from -1), never rounded;
``score_10`` alone is text, rounded half up to two places with a point. A key may be added, none is ever left out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any

from lark_sheets.core.agreement import Agreement, Statistic
from lark_sheets.core.intervals import Interval
from lark_sheets.core.language import Translator, half_up
from lark_sheets.core.problems import sentences
from lark_sheets.core.results import (
    BATCH_SCHEMA,
    SCHEMA,
    AgreementSummary,
    Rate,
    ReadingResult,
    Results,
    RunSummary,
)
from lark_sheets.errors import Problem


def results_dict(results: Results, translate: Translator) -> dict[str, Any]:
    """Return results as the dictionary of ``results.json``; the sentences of problems are in the translator's language."""
    return {
        "schema": SCHEMA,
        "campaign": results.campaign,
        "revealed": results.revealed,
        "graded_by": results.graded_by,
        "block": results.block,
        "rubric": {
            "id": results.rubric.id,
            "version": results.rubric.version,
            "fingerprint": results.rubric.fingerprint,
        },
        "coverage": {
            "expected": results.coverage.expected,
            "graded": results.coverage.graded,
            "incomplete": results.coverage.incomplete,
            "stale": results.coverage.stale,
        },
        "overall": _run(results.overall),
        "runs": [_run(run) for run in results.runs],
        "responses": [_reading(reading) for reading in results.readings],
        "agreement": {
            "shared": results.agreement.shared,
            **_summary(results.agreement),
            "by_run": {run: _summary(summary) for run, summary in results.agreement_by_run.items()},
        },
        "judge": None if results.judge is None else plain(results.judge),
        "key": {"commitment": results.commitment, "matches": results.key_matches},
        "mixed": results.mixed,
        "revealed_early": results.revealed_early,
        "not_double_read": results.not_double_read,
        "revisions": plain(results.extra.get("revisions", [])),
        "problems": [problem_dict(problem, translate) for problem in results.problems],
    }


def batch_dict(results: Iterable[Mapping[str, Any]], failed: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return several campaigns' dictionaries, and the workbooks that could not be read, as one."""
    return {"schema": BATCH_SCHEMA, "results": list(results), "failed": list(failed)}


def dumps(value: Mapping[str, Any]) -> str:
    """Return the text of the JSON file: keys in the order of the contract, characters as they are, one final line end."""
    return json.dumps(plain(value), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def problem_dict(problem: Problem, translate: Translator) -> dict[str, Any]:
    """Return one problem: where, what stands there (or, where nothing does, the fact in words), what is expected, what to do."""
    words = sentences(problem, translate)
    return {
        "severity": str(problem.severity),
        "code": problem.code,
        "file": problem.file,
        "sheet": problem.sheet,
        "cell": problem.cell,
        "item": problem.item,
        "found": problem.found or words.what,
        "what": words.what,
        "expected": words.expected,
        "remedy": words.remedy,
    }


def plain(value: Any) -> Any:
    """Return a value made of what JSON knows; a number that is none (NaN, infinity) becomes null, never a digit."""
    match value:
        case bool() | None | int() | str() if not isinstance(value, Enum):
            return value
        case Enum():
            return value.value
        case Fraction():
            return float(value)
        case float():
            return value if math.isfinite(value) else None
        case Interval():
            return _interval(value)
        case Statistic():
            return value.value
        case Mapping():
            return {str(plain(key)): plain(entry) for key, entry in value.items()}
        case Sequence() | set() | frozenset():
            return [plain(entry) for entry in value]
        case _:
            return str(value)


def _run(run: RunSummary) -> dict[str, Any]:
    return {
        "run": run.run,
        "responses": run.responses,
        "graded": run.graded,
        "ready": run.ready,
        "ready_interval": _interval(run.ready_interval),
        "points": run.points,
        "points_max": run.points_max,
        "score_10": None if run.score is None else half_up(run.score, 2),
        "zeros": dict(run.zeros),
        "levels": {c: {str(level): n for level, n in counts.items()} for c, counts in run.levels.items()},
        "verdicts": dict(run.verdicts),
        "labels": {criterion: dict(counts) for criterion, counts in run.labels.items()},
        "rates": {
            label: {stratum: _rate(rate) for stratum, rate in strata.items()}
            for label, strata in run.rates.items()
        },
        "ranked": run.ranked,
        "why_unranked": list(run.why_unranked),
    }


def _rate(rate: Rate) -> dict[str, Any]:
    return {"k": rate.k, "n": rate.n, "interval": _interval(rate.interval)}


def _reading(reading: ReadingResult) -> dict[str, Any]:
    return {
        "id": reading.id,
        "item": reading.item,
        "label": reading.label,
        "run": reading.run,
        "grader": reading.grader,
        "owner": reading.owner,
        "scores": dict(reading.scores),
        "codes": list(reading.codes),
        "total": reading.total,
        "ready": reading.ready,
        "verdict": reading.verdict,
        "stale": reading.stale,
        "corrected": reading.corrected,
    }


def _summary(summary: AgreementSummary) -> dict[str, Any]:
    return {
        "all_criteria": {
            "equal": summary.all_equal,
            "n": summary.all_n,
            "interval": _interval(summary.all_interval),
        },
        "decision": None if summary.decision is None else statistics_dict(summary.decision),
        "criteria": {criterion: statistics_dict(found) for criterion, found in summary.criteria.items()},
    }


def statistics_dict(found: Agreement) -> dict[str, Any]:
    """Return one agreement as the STAT of ``results.json``."""
    return {
        "equal": found.equal,
        "n": found.n,
        "interval": _interval(found.interval),
        "kappa": plain(found.kappa),
        "kappa_interval": _interval(found.kappa_interval),
        "kappa_linear": plain(found.kappa_linear),
        "kappa_quadratic": plain(found.kappa_quadratic),
        "ac1": plain(found.ac1),
        "ac2_quadratic": plain(found.ac2_quadratic),
        "alpha_ordinal": plain(found.alpha_ordinal),
        "alpha_nominal": plain(found.alpha_nominal),
        "fleiss": plain(found.fleiss),
        "readers": found.readers,
        "state": str(found.state.value),
    }


def _interval(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]
