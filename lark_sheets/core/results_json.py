"""The one JSON form of results, ``lark-sheets/results/1``: exact keys, no NaN, undefined statistics by name.

Numbers are plain: counts are integers, shares and coefficients are floats from 0 to 1 (kappa from -1), never rounded;
``score_10`` alone is text, rounded half up to two places with a point. A key may be added, none is ever left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from lark_sheets.core.agreement_json import agreement_dict, comparisons_dict, statistics_dict
from lark_sheets.core.language import Translator, half_up
from lark_sheets.core.plain_json import interval_list, plain
from lark_sheets.core.problems import sentences
from lark_sheets.core.results import (
    BATCH_SCHEMA,
    SCHEMA,
    Rate,
    ReadingResult,
    Results,
    RunSummary,
)
from lark_sheets.errors import Problem

__all__ = ["batch_dict", "dumps", "plain", "problem_dict", "results_dict", "statistics_dict"]


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
        "agreement": agreement_dict(results, translate),
        "comparisons": comparisons_dict(results),
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


def _run(run: RunSummary) -> dict[str, Any]:
    return {
        "run": run.run,
        "responses": run.responses,
        "graded": run.graded,
        "ready": run.ready,
        "ready_interval": interval_list(run.ready_interval),
        "points": run.points,
        "points_max": run.points_max,
        "score_10": None if run.score is None else half_up(run.score, 2),
        "score_10_interval": interval_list(run.score_interval),
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
    return {"k": rate.k, "n": rate.n, "interval": interval_list(rate.interval)}


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
