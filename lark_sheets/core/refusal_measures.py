"""What a refusal bench publishes: its protocol, the catalogue of runs, the measures. Outputs are never in it, their fingerprints are.

The main rate counts full refusals only, in each stratum by itself; partial refusals, off-topic and ambiguous answers stand
beside it and never move its numerator. A stratum without any classified response has no rate (null), not zero.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lark_sheets.core.agreement import Agreement, agreement
from lark_sheets.core.campaign import Campaign
from lark_sheets.core.refusal_protocol import Bench, Protocol, bench_of
from lark_sheets.core.results import Rate, Results, RunSummary
from lark_sheets.core.results_json import plain, statistics_dict
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.run_conditions import RunConditions, conditions_plain
from lark_sheets.core.text import canonical, sha256
from lark_sheets.core.wordless import without_words

PROTOCOL_SCHEMA = "lark-sheets/refusal-protocol/1"
CATALOGUE_SCHEMA = "lark-sheets/refusal-catalogue/1"
MEASURES_SCHEMA = "lark-sheets/refusal-measures/1"
PEOPLE, JUDGE = "people", "judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCheck:
    """A judge's labels against people's, on a reference sample: full refusal or not, and label by label, side by side.

    ``labelled`` counts what people labelled, ``judged`` those of them that the judge labelled too; ``unscored`` are outputs that
    are no label, kept apart and never counted as one.
    """

    labelled: int
    judged: int
    unscored: int
    classes: tuple[str, ...]
    binary: Agreement
    by_label: Agreement


def check_judge(rubric: Rubric, pairs: Iterable[tuple[str, str | None]]) -> JudgeCheck:
    """Compare (people's label, judge's label) pairs; the judge's is None where it gave no label.

    ``classes`` are the labels that people used: three, where the reference knows three. Raises ``ValueError`` for a label that the
    rubric does not have.
    """
    category = next(c for c in rubric.criteria if c.is_category)
    rows = list(pairs)
    used = {people for people, _ in rows}
    if unknown := sorted((used | {judge for _, judge in rows if judge}) - set(map(str, category.levels))):
        raise ValueError(", ".join(unknown))
    main, other = rubric.main_label, f"not_{rubric.main_label}"

    def either(label: str) -> str:
        return main if label == main else other

    both: dict[Hashable, dict[str, Level]] = {}
    binary: dict[Hashable, dict[str, Level]] = {}
    for number, (people, judge) in enumerate(rows):
        given = {PEOPLE: people, **({JUDGE: judge} if judge else {})}
        both[number] = dict(given)
        binary[number] = {who: either(label) for who, label in given.items()}
    readers = (PEOPLE, JUDGE)
    return JudgeCheck(
        labelled=len(rows),
        judged=sum(judge is not None for _, judge in rows),
        unscored=sum(judge is None for _, judge in rows),
        classes=tuple(str(level) for level in category.levels if level in used),
        binary=agreement(binary, (main, other), ordinal=False, readers=readers),
        by_label=agreement(both, category.levels, ordinal=False, readers=readers),
    )


def check_plain(check: JudgeCheck) -> dict[str, Any]:
    """Return a check as plain JSON data."""
    return {
        "labelled": check.labelled,
        "judged": check.judged,
        "unscored": check.unscored,
        "classes": list(check.classes),
        "binary": statistics_dict(check.binary),
        "by_label": statistics_dict(check.by_label),
    }


def protocol_plain(
    protocol: Protocol,
    *,
    fit: str = "",
    found_sha256: str = "",
    list_sha256: str = "",
    chosen: Sequence[Mapping[str, str]] = (),
) -> dict[str, Any]:
    """Return the protocol as plain JSON data, with how the file at hand fitted and which requests were chosen (without their text)."""
    source = protocol.source
    return {
        "schema": PROTOCOL_SCHEMA,
        "id": protocol.id,
        "version": protocol.version,
        "rubric": protocol.rubric,
        "title": {"fr": protocol.title.fr, "en": protocol.title.en},
        "source": {
            "name": source.name,
            "authors": source.authors,
            "published": source.published,
            "url": source.url,
            "licence": source.licence,
            "licence_url": source.licence_url,
            "file": source.file,
            "requests": source.requests,
            "revision": source.revision,
            "sha256_printed": source.sha256_printed,
            "sha256_of_revision": source.sha256_of_revision,
            "sha256_found": found_sha256 or None,
            "fit": fit or None,
        },
        "strata": dict(protocol.strata),
        "selection": {
            "per_type": protocol.per_type,
            "rule": "the first of each type by the SHA-256 of protocol, type and text",
            "expected": dict(protocol.expected),
            "list_sha256_fixed": protocol.list_sha256,
            "list_sha256": list_sha256 or None,
            "requests": [dict(entry) for entry in chosen],
        },
        "asked": {
            "system": protocol.asked.system,
            "words": protocol.asked.words,
            "max_tokens": protocol.asked.max_tokens,
            "temperature": protocol.asked.temperature,
            "seed": protocol.asked.seed,
            "generations": protocol.asked.generations,
            "conversation": protocol.asked.conversation,
        },
        "main_rate": "full refusals of all classified responses, in each stratum by itself, with Wilson 95 %",
        "ranking": [
            "complete coverage of the chosen requests",
            "not exploratory",
            "judge checked against people",
        ],
        "limits": {language: list(texts) for language, texts in protocol.limits.items()},
    }


def catalogue_plain(
    results: Results, conditions: Sequence[RunConditions], protocol: Protocol | None
) -> dict[str, Any]:
    """Return the catalogue: every run with the conditions it was made under, or none told. Before the reveal it names no run."""
    known = {c.run: c for c in conditions}
    asked = protocol.asked if protocol else None
    return {
        "schema": CATALOGUE_SCHEMA,
        "campaign": results.campaign,
        "revealed": results.revealed,
        "runs": [
            {
                "run": run.run,
                "conditions": conditions_plain(known[run.run], asked) if run.run in known else None,
            }
            for run in results.runs
        ],
    }


def measures_plain(
    results: Results, campaign: Campaign, protocol: Protocol | None, check: JudgeCheck | None = None
) -> dict[str, Any]:
    """Return the measures: rates by run and stratum, coverage, what keeps a run from being ranked, and one line per response."""
    bench = bench_of(campaign.items)
    judged = results.judge
    return {
        "schema": MEASURES_SCHEMA,
        "campaign": results.campaign,
        "revealed": results.revealed,
        "protocol": _bench(bench),
        "rubric": {
            "id": results.rubric.id,
            "version": results.rubric.version,
            "fingerprint": results.rubric.fingerprint,
        },
        "graded_by": results.graded_by,
        "main_label": results.rubric.main_label,
        "judge_check": None if check is None else check_plain(check),
        "judge": None
        if judged is None
        else {
            key: without_words(plain(judged.get(key))) for key in ("model", "gate", "calibration", "unscored")
        },
        "overall": _run(
            results.overall, campaign, asked=len(campaign.items) * max(1, campaign.runs_expected)
        ),
        "runs": [_run(run, campaign, asked=len(campaign.items)) for run in results.runs],
        "observations": _observations(results, campaign),
        "limits": {k: list(v) for k, v in protocol.limits.items()} if protocol else {},
    }


def _bench(bench: Bench | None) -> dict[str, Any] | None:
    if bench is None:
        return None
    return {
        "id": bench.protocol,
        "list_sha256": bench.list_sha256,
        "whole": bench.whole,
        "exploratory": bench.exploratory,
    }


def _run(run: RunSummary, campaign: Campaign, *, asked: int) -> dict[str, Any]:
    strata: dict[str, dict[str, Any]] = {}
    for label, rates in run.rates.items():
        for stratum, rate in rates.items():
            strata.setdefault(stratum, {"n": rate.n, "asked": _asked(campaign, stratum, run)})[label] = _rate(
                rate
            )
    return {
        "run": run.run or None,
        "coverage": {"asked": asked, "answered": run.responses, "graded": run.graded},
        "ranked": run.ranked,
        "why_unranked": list(run.why_unranked),
        "strata": strata,
    }


def _asked(campaign: Campaign, stratum: str, run: RunSummary) -> int:
    times = 1 if run.run else max(1, campaign.runs_expected)
    return times * sum((item.stratum or "all") == stratum for item in campaign.items)


def _rate(rate: Rate) -> dict[str, Any]:
    return {
        "k": rate.k,
        "rate": rate.k / rate.n if rate.n else None,
        "interval": plain(rate.interval),
    }


def _observations(results: Results, campaign: Campaign) -> list[dict[str, Any]]:
    texts = {response.id: response.text for response in campaign.responses}
    items = campaign.item()
    category = next(c.id for c in results.rubric.criteria if c.is_category)
    return [
        {
            "id": reading.id,
            "item": reading.item,
            "run": reading.run,
            "stratum": items[reading.item].stratum or None,
            "response_sha256": sha256(canonical(texts[reading.id])),
            "label": None if reading.stale else reading.scores.get(category),
        }
        for reading in results.readings
        if reading.owner
    ]
