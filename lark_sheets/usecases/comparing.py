"""``compare``: two campaigns, or two runs of one, on the same items: what changed, by how much, and which items moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lark_sheets.core.campaign import Campaign
from lark_sheets.core.judging.calibration import Calibration
from lark_sheets.core.judging.gate import Gate
from lark_sheets.core.problems import problem
from lark_sheets.core.results_json import plain
from lark_sheets.core.rubric import Rubric
from lark_sheets.core.run_comparison import Change, Grades, Moved, RunComparison, adjust, compare_pair
from lark_sheets.core.scoring import counted_grades
from lark_sheets.core.text import canonical
from lark_sheets.errors import DataError, Problem, Severity, UsageError
from lark_sheets.usecases.compare_gate import gate_problems
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.recomputing import Computed, compute
from lark_sheets.workbook.grades import named

COMPARISON_SCHEMA = "lark-sheets/comparison/1"
BLIND = ""
"""Name of the only run of a campaign that is not revealed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRequest:
    """What ``compare`` was asked for. ``runs`` names one run of each side; None pairs runs of the same name, or the only ones."""

    before: Path
    after: Path
    runs: tuple[str, str] | None = None
    key_before: Path | None = None
    key_after: Path | None = None
    allow_mixed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What came of it. ``mixed`` marks that grades of different rubric versions were compared on demand.

    ``gate`` is that of the judge of the campaign after, None where no judge was compared with people.
    """

    rubric: Rubric
    campaigns: tuple[str, str]
    versions: tuple[int, int]
    mixed: bool
    gate: Gate | None
    pairs: tuple[RunComparison, ...]
    problems: tuple[Problem, ...]


def compare(request: CompareRequest, needs: Needs, calibrations: Sequence[Calibration] = ()) -> Comparison:
    """Compare run by run on the items that both sides have with the same text.

    ``calibrations`` are those of the campaign after: a judge whose gate is open may stop the comparison (a problem of severity error).
    Raises :class:`DataError` when the sides were graded under different rubrics or hold stale grades (unless ``allow_mixed``),
    :class:`UsageError` when nothing says which runs belong together: unknown names, or several runs that are not revealed.
    """
    sides = [
        compute(load_one(path, needs), needs, key=key, allow_mixed=request.allow_mixed)
        for path, key in ((request.before, request.key_before), (request.after, request.key_after))
    ]
    before, after = sides
    told = _same_rubric(before, after, allow_mixed=request.allow_mixed)
    items, differing = shared_items(before.loaded.campaign, after.loaded.campaign)
    if differing:
        told.append(problem("items_differ", found=named(differing), count=len(differing)))
    if not items:
        raise DataError(problem("no_shared_items"))
    tables = [_grades_by_run(side, items) for side in sides]
    pairs = pair_runs(request.runs, sides, tables)
    gate, judge_says = gate_problems(after, calibrations, needs)
    told += judge_says
    rubric = after.results.rubric
    compared = adjust(
        [compare_pair(rubric, tables[0][one], tables[1][two], (one, two)) for one, two in pairs]
    )
    return Comparison(
        rubric=rubric,
        campaigns=(before.results.campaign, after.results.campaign),
        versions=(before.results.rubric.version, after.results.rubric.version),
        mixed=before.results.mixed or after.results.mixed or _differ(before, after),
        gate=gate,
        pairs=compared,
        problems=tuple(told),
    )


def _differ(before: Computed, after: Computed) -> bool:
    return before.results.rubric.fingerprint != after.results.rubric.fingerprint


def _same_rubric(before: Computed, after: Computed, *, allow_mixed: bool) -> list[Problem]:
    """Return what to tell of rubrics; raise where grades under different ones would be compared."""
    stale = [p for side in (before, after) for p in side.results.problems if p.code == "stale_grades"]
    faults = [p for p in stale if p.severity is Severity.ERROR]
    if _differ(before, after):
        first, second = before.results.rubric, after.results.rubric
        criteria = [c.id for c in first.criteria] == [c.id for c in second.criteria]
        severity = Severity.WARNING if allow_mixed and criteria else Severity.ERROR
        found = problem(
            "rubrics_differ",
            severity=severity,
            found=f"{first.id} {first.version} ({first.fingerprint[:12]})",
            other=f"{second.id} {second.version} ({second.fingerprint[:12]})",
        )
        (faults if severity is Severity.ERROR else stale).append(found)
    if faults:
        raise DataError(*faults)
    return stale


def shared_items(before: Campaign, after: Campaign) -> tuple[set[str], list[str]]:
    """Return the items that are the same on both sides, and those with one id and different texts."""
    texts = {item.id: canonical(item.text) for item in before.items}
    both = [item for item in after.items if item.id in texts]
    differing = [item.id for item in both if canonical(item.text) != texts[item.id]]
    return {item.id for item in both} - set(differing), differing


def _grades_by_run(side: Computed, items: set[str]) -> dict[str, dict[str, Grades]]:
    """Return run -> item -> the grades that count; a run without a name where the campaign has one run and is not revealed."""
    campaign = side.loaded.campaign
    responses = campaign.response()
    names = side.key.run_of if side.results.revealed and side.results.runs else None
    table: dict[str, dict[str, Grades]] = {run.run: {} for run in side.results.runs} if names else {}
    for reading in campaign.owners():
        response = responses[reading.response]
        if response.item not in items or (campaign.is_stale(reading) and not side.results.mixed):
            continue
        run = BLIND if names is None else names.get(reading.response, BLIND)
        table.setdefault(run, {})[response.item] = counted_grades(campaign, reading)
    return table


def pair_runs(
    runs: tuple[str, str] | None, sides: Sequence[Computed], tables: Sequence[Mapping[str, object]]
) -> list[tuple[str, str]]:
    """Return which run before belongs to which after: those named, the only ones, or those of the same name.

    ``tables`` holds what each side knows by run. Raises :class:`UsageError` when nothing says which belong together.
    """
    for side in sides:
        if not side.results.runs and side.loaded.campaign.runs_expected > 1:
            raise UsageError(problem("compare_not_revealed", file=side.loaded.path.name))
    if runs:
        unknown = [
            problem("unknown_run", item="--runs", found=run, count=len(table))
            for run, table in zip(runs, tables, strict=True)
            if run not in table
        ]
        if unknown:
            raise UsageError(*unknown)
        return [runs]
    if len(tables[0]) == len(tables[1]) == 1 and sides[0].results.campaign != sides[1].results.campaign:
        return [(next(iter(tables[0])), next(iter(tables[1])))]
    shared = [run for run in tables[0] if run in tables[1]]
    if not shared or sides[0].results.campaign == sides[1].results.campaign:
        found = [", ".join(table) for table in tables]
        raise UsageError(problem("compare_which_runs", found=found[0], other=found[1]))
    return [(run, run) for run in shared]


def comparison_plain(done: Comparison) -> dict[str, Any]:
    """Return a comparison as plain JSON data."""
    return {
        "schema": COMPARISON_SCHEMA,
        "campaigns": list(done.campaigns),
        "gate": None if done.gate is None else str(done.gate),
        "rubric": {"id": done.rubric.id, "versions": list(done.versions), "mixed": done.mixed},
        "pairs": [
            {
                "before": pair.before or None,
                "after": pair.after or None,
                "items": pair.items,
                "unread": list(pair.unread),
                "measures": {change.measure: _change(change) for change in pair.changes},
                "moved": [_moved(moved) for moved in pair.moved],
            }
            for pair in done.pairs
        ],
        "problems": [{"severity": str(p.severity), "code": p.code, "found": p.found} for p in done.problems],
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "n": change.n,
        "up": change.up,
        "down": change.down,
        "difference": plain(change.difference),
        "interval": plain(change.interval),
        "p": change.p,
        "p_is_upper_bound": change.at_most,
        "p_holm": change.adjusted,
        "more_than_chance": change.is_change,
        "state": str(change.state.value),
    }


def _moved(moved: Moved) -> dict[str, Any]:
    return {
        "item": moved.item,
        "direction": str(moved.direction),
        "points": moved.points,
        "decision": None if moved.decision is None else list(moved.decision),
        "levels": {criterion: list(pair) for criterion, pair in moved.levels.items()},
    }
