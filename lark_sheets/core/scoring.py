"""Totals, readiness, zero counts and the results of a campaign, from its readings and nothing else.

Blank is not zero: an incomplete reading has no total, no verdict, and is out of every mean; zeros that were written
still count. People are never averaged: each response has one owner, whose grades count unless the readers agreed on others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from lark_sheets.core.agreement import PlacedNote, place_notes
from lark_sheets.core.campaign import Campaign, Reading
from lark_sheets.core.discussion import agreement_after
from lark_sheets.core.intervals import Interval, mean_interval, wilson
from lark_sheets.core.judging.gate import KAPPA_MIN
from lark_sheets.core.reader_agreement import DECISION, agreement_of_readings, readers_of
from lark_sheets.core.refusal_protocol import bench_of, why_unranked
from lark_sheets.core.results import (
    UNSTRATIFIED,
    AgreementSummary,
    Coverage,
    Rate,
    ReaderSummary,
    ReadingResult,
    Results,
    RunSummary,
)
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.run_comparisons import compare_labels, compare_readings
from lark_sheets.errors import Problem

Grades = Mapping[str, Level | None]


def total(rubric: Rubric, grades: Grades) -> int | None:
    """Return the sum of the levels, or None when one is missing or the rubric has only categories."""
    levels = [grades.get(c.id) for c in rubric.criteria if not c.is_category]
    if not levels or any(grades.get(c.id) is None for c in rubric.criteria):
        return None
    return sum(level for level in levels if isinstance(level, int))


def is_ready(rubric: Rubric, grades: Grades) -> bool | None:
    """Say whether the verdict is the favourable one; None when the verdict is missing or the rubric has none."""
    verdict = rubric.decide(grades)
    return None if verdict is None or not rubric.favourable else verdict == rubric.favourable


def needs_correction(rubric: Rubric, grades: Grades) -> bool:
    """Say whether a response is ready below the top total: "ready after a correction", a label and no third outcome."""
    points = total(rubric, grades)
    return bool(is_ready(rubric, grades)) and points is not None and points < (rubric.total_max or 0)


def counted_grades(campaign: Campaign, reading: Reading) -> Grades:
    """Return the grades that count for a response: those agreed on after a discussion, else the owner's."""
    agreed = campaign.agreed.get(reading.response)
    return {**reading.grades, **agreed} if agreed else reading.grades


def summarise_run(
    campaign: Campaign,
    run: str,
    owners: Sequence[Reading],
    ranked: Callable[[Coverage, str], tuple[str, ...]] | None = None,
    *,
    allow_mixed: bool = False,
) -> RunSummary:
    """Return the counts of one run over the owners' readings given.

    A reading is counted when it is complete and not stale. ``ranked`` returns the reasons why a category rubric's run
    stays out of the ranking.
    """
    rubric = campaign.rubric
    coverage = cover(campaign, owners, allow_mixed=allow_mixed)
    items = campaign.item()
    responses = campaign.response()
    fresh = [r for r in owners if allow_mixed or not campaign.is_stale(r)]
    grades = [counted_grades(campaign, r) for r in fresh]
    complete = [g for g in grades if _is_complete(rubric, g)]
    of_tickets: dict[str, list[int]] = {}
    for reading, given in zip(fresh, grades, strict=True):
        if (points := total(rubric, given)) is not None:
            of_tickets.setdefault(responses[reading.response].item, []).append(points)
    totals = [points for rows in of_tickets.values() for points in rows]
    maximum = rubric.total_max
    verdicts = Counter(v for g in complete if (v := rubric.decide(g)) is not None)
    ready = verdicts[rubric.favourable] if rubric.favourable else None
    labels: dict[str, dict[str, int]] = {}
    rates: dict[str, dict[str, Rate]] = {}
    for criterion in rubric.criteria:
        if not criterion.is_category:
            continue
        counts = Counter(g[criterion.id] for g in complete)
        labels[criterion.id] = {str(level): counts[level] for level in criterion.levels}
        strata: dict[str, list[Grades]] = {stratum: [] for stratum in _strata(campaign)}
        for reading, given in zip(fresh, grades, strict=True):
            if _is_complete(rubric, given):
                strata[items[responses[reading.response].item].stratum or UNSTRATIFIED].append(given)
        for level in criterion.levels:
            rates[str(level)] = {
                stratum: _rate(sum(g[criterion.id] == level for g in rows), len(rows))
                for stratum, rows in strata.items()
            }
    reasons = ranked(coverage, run) if ranked else ()
    return RunSummary(
        run=run,
        responses=len(owners),
        graded=len(complete),
        ready=ready,
        ready_interval=None if ready is None else wilson(ready, len(complete)),
        points=sum(totals) if maximum is not None else None,
        points_max=maximum * len(totals) if maximum is not None else None,
        score=Fraction(sum(totals) * 10, maximum * len(totals)) if maximum and totals else None,
        score_interval=_out_of_ten(of_tickets, maximum) if maximum else None,
        zeros={c.id: sum(g.get(c.id) == 0 for g in grades) for c in rubric.criteria if not c.is_category},
        levels={
            c.id: {level: sum(g.get(c.id) == level for g in grades) for level in c.levels}
            for c in rubric.criteria
        },
        verdicts={outcome: verdicts[outcome] for outcome in rubric.outcomes},
        labels=labels,
        rates=rates,
        ranked=not reasons,
        why_unranked=reasons,
    )


def _out_of_ten(totals: Mapping[str, Sequence[int]], maximum: int) -> Interval | None:
    """Return the interval of the mean total by ticket, out of 10."""
    found = mean_interval([sum(of) for of in totals.values()], [len(of) for of in totals.values()], maximum)
    return Interval(found.low * 10 / maximum, found.high * 10 / maximum) if found else None


def _is_complete(rubric: Rubric, grades: Grades) -> bool:
    return all(grades.get(c.id) is not None for c in rubric.criteria)


def _strata(campaign: Campaign) -> list[str]:
    """Return the strata of the rubric, then any other that items carry; they are never pooled."""
    found = dict.fromkeys(item.stratum or UNSTRATIFIED for item in campaign.items)
    return list(dict.fromkeys([*campaign.rubric.strata, *found]))


def _rate(k: int, n: int) -> Rate:
    return Rate(k=k, n=n, interval=wilson(k, n))


def cover(campaign: Campaign, owners: Iterable[Reading], *, allow_mixed: bool = False) -> Coverage:
    """Count the owners' readings that are complete, incomplete and stale; the three add up to the expected."""
    graded = incomplete = stale = 0
    for reading in owners:
        if campaign.is_stale(reading) and not allow_mixed:
            stale += 1
        elif all(g is not None for g in counted_grades(campaign, reading).values()):
            graded += 1
        else:
            incomplete += 1
    return Coverage(expected=graded + incomplete + stale, graded=graded, incomplete=incomplete, stale=stale)


def _with_lost(coverage: Coverage, lost: int) -> Coverage:
    return replace(coverage, expected=coverage.expected + lost, incomplete=coverage.incomplete + lost)


def reading_results(
    campaign: Campaign, run_of: Mapping[str, str] | None, *, allow_mixed: bool = False
) -> tuple[ReadingResult, ...]:
    """Return every reading as results show it; the run's name only when ``run_of`` is given (after the reveal)."""
    rubric = campaign.rubric
    responses = campaign.response()
    rows = []
    for reading in campaign.readings:
        response = responses[reading.response]
        grades = counted_grades(campaign, reading) if reading.owner else reading.grades
        stale = campaign.is_stale(reading)
        usable = allow_mixed or not stale
        rows.append(
            ReadingResult(
                id=reading.response,
                item=response.item,
                label=response.label,
                run=run_of.get(reading.response) if run_of else None,
                grader=reading.grader,
                owner=reading.owner,
                scores=dict(grades),
                codes=reading.codes,
                reason=reading.reason,
                total=total(rubric, grades) if usable else None,
                ready=is_ready(rubric, grades) if usable else None,
                verdict=rubric.decide(grades) if usable else None,
                stale=stale,
                corrected=usable and needs_correction(rubric, grades),
            )
        )
    return tuple(rows)


def summarise(
    campaign: Campaign,
    *,
    run_of: Mapping[str, str] | None = None,
    runs: Sequence[str] = (),
    key_matches: bool | None = None,
    problems: Iterable[Problem] = (),
    allow_mixed: bool = False,
    judge: Mapping[str, object] | None = None,
    revealed_early: str = "",
) -> Results:
    """Return the results of a campaign.

    ``run_of`` maps response ids to runs and ``runs`` gives their order; both are used only when the campaign is revealed,
    so that no name can leave before. ``allow_mixed`` lets in grades of older rubric versions, and marks it.
    """
    names = run_of if campaign.revealed and run_of else None
    owners = campaign.owners()
    rank = _ranking_rule(campaign, judge)
    whole = summarise_run(campaign, "", owners, rank, allow_mixed=allow_mixed)
    summaries: list[RunSummary] = []
    by_run: dict[str, AgreementSummary] = {}
    if names:
        for run in runs:
            mine = [r for r in owners if names.get(r.response) == run]
            summaries.append(summarise_run(campaign, run, mine, rank, allow_mixed=allow_mixed))
            by_run[run] = agreement_of_readings(campaign, {r for r, name in names.items() if name == run})
    readings = reading_results(campaign, names, allow_mixed=allow_mixed)
    agreement = agreement_of_readings(campaign, detailed=True)
    discussed = agreement_after(campaign) if campaign.agreed else None
    readers = readers_of(campaign, runs if names else ())
    return Results(
        campaign=campaign.id,
        revealed=campaign.revealed,
        graded_by=campaign.graded_by,
        block=campaign.block,
        rubric=campaign.rubric,
        coverage=_with_lost(cover(campaign, owners, allow_mixed=allow_mixed), campaign.lost),
        overall=whole,
        runs=tuple(summaries),
        readings=readings,
        agreement=agreement,
        agreement_by_run=by_run,
        graders={g.name: g.model for g in campaign.graders},
        commitment=campaign.commitments[0] if campaign.commitments else "",
        key_matches=key_matches,
        problems=tuple(problems),
        judge=judge,
        mixed=allow_mixed and any(campaign.is_stale(r) for r in owners),
        revealed_early=revealed_early,
        not_double_read=agreement.once,
        readers=readers,
        agreement_notes=_notes(agreement, discussed, readers),
        agreement_discussed=discussed,
        comparisons=compare_readings(readings, runs) if summaries else None,
        label_comparisons=compare_labels(campaign, readings, summaries),
    )


def _notes(
    agreement: AgreementSummary, discussed: AgreementSummary | None, readers: Sequence[ReaderSummary]
) -> tuple[PlacedNote, ...]:
    """Return what must be read beside the numbers on agreement; on the decision, also whether it reaches what is asked of a judge."""
    measured = agreement.measured
    clustered = {key: agreement.of_tickets(key) for key, _ in measured}
    return place_notes(
        measured,
        gates={DECISION: KAPPA_MIN},
        readers={reader.name: reader.kind for reader in readers},
        design_effects={key: found.design_effect for key, found in clustered.items() if found},
        after=dict(discussed.measured) if discussed else None,
    )


def is_checked(judge: Mapping[str, object] | None) -> bool:
    """Say whether what is told of a judge (the ``judge`` of results) counts it as checked against people; a stale one does not."""
    if judge and judge.get("gate") == "stale":
        return False
    calibration = judge.get("calibration") if judge else None
    inner = calibration.get("checked") if isinstance(calibration, Mapping) else None
    return bool(judge and (judge.get("checked") or inner))


def _ranking_rule(
    campaign: Campaign, judge: Mapping[str, object] | None
) -> Callable[[Coverage, str], tuple[str, ...]]:
    """Return the rule that says why a run (or, with no name, all runs together) stays out of the ranking."""
    bench = bench_of(campaign.items)

    def reasons(coverage: Coverage, run: str) -> tuple[str, ...]:
        asked = len(campaign.items) * (1 if run else campaign.runs_expected)
        return why_unranked(
            graded=coverage.graded,
            expected=max(coverage.expected, asked),
            bench=bench,
            judge_graded=campaign.graded_by == "judge",
            judge_checked=is_checked(judge),
        )

    return reasons
