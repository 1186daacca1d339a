"""``next``: what is left to run, as commands, from what the campaign's files say. Changes nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lark_sheets.core.judging.calibration import Calibration
from lark_sheets.core.judging.config import Conditions
from lark_sheets.core.judging.gate import Gate
from lark_sheets.core.judging.prompting import PROMPT_VERSION
from lark_sheets.core.judging.schema import output_schema
from lark_sheets.core.judging.staleness import trust
from lark_sheets.core.judging.standing import JUDGE_PREFIX
from lark_sheets.core.rerun import Facts, Step, steps
from lark_sheets.core.results_json import results_dict
from lark_sheets.core.rubric import Rubric
from lark_sheets.core.text import sha256
from lark_sheets.usecases.folders import folder_of
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.recomputing import Computed, compute

NEXT_SCHEMA = "lark-sheets/next/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Next:
    """What is left, and what the judge may do meanwhile (``gate`` is None where no judge was ever compared with people)."""

    campaign: str
    version: int
    steps: tuple[Step, ...]
    gate: Gate | None
    changed: tuple[str, ...]


def what_next(
    book: Path, needs: Needs, calibrations: Sequence[Calibration], *, key: Path | None = None
) -> Next:
    """Return the commands that bring a campaign up to date. ``calibrations`` are those its ledger holds, oldest first."""
    done = compute(load_one(book, needs), needs, key=key, allow_mixed=True)
    campaign = done.loaded.campaign
    stale = [r for r in campaign.readings if campaign.is_stale(r)]
    judges = {g.name for g in campaign.graders if g.model} | {
        r.grader for r in campaign.readings if r.grader.startswith(JUDGE_PREFIX)
    }
    owners = campaign.owners()
    newest = calibrations[-1] if calibrations else None
    held = None
    if newest is not None:
        today = needs.clock.now().date()
        held = trust(calibrations, todays(newest.conditions, campaign.rubric), today=today)
    edited = any(p.code == "rubric_edited" for p in done.results.problems)
    facts = Facts(
        edited=edited,
        stale=sum(r.grader not in judges for r in stale),
        incomplete=sum(not r.is_complete and not campaign.is_stale(r) for r in owners),
        judge_stale=sum(r.grader in judges for r in stale),
        judge_model=newest.conditions.model if newest else "",
        changed=None if held is None else held.changed,
        results=_results_state(done, needs),
        revealed=campaign.revealed,
    )
    shown = str(book)
    return Next(
        campaign=campaign.id,
        version=campaign.rubric.version,
        steps=steps(facts, f'"{shown}"' if " " in shown else shown),
        gate=None if held is None else Gate.STALE if edited else held.gate,
        changed=held.changed if held else (),
    )


def todays(conditions: Conditions, rubric: Rubric) -> Conditions:
    """Return the conditions under which the same judge would work today: this rubric, this program's words."""
    return replace(
        conditions,
        rubric=rubric.fingerprint,
        schema=sha256(json.dumps(output_schema(rubric, ()))),
        prompt_version=PROMPT_VERSION,
    )


def _results_state(done: Computed, needs: Needs) -> str:
    """Say whether ``results.json`` is there and holds the grades of today."""
    path = folder_of(done.loaded.path).results_json
    if not needs.files.exists(path):
        return "none"
    try:
        kept = json.loads(needs.files.read_text(path))
        old = (kept["rubric"], kept["revealed"], _grades(kept["responses"]))
    except (ValueError, KeyError, TypeError):
        return "old"
    plain = json.loads(json.dumps(results_dict(done.results, needs.translate)))
    return "new" if old == (plain["rubric"], plain["revealed"], _grades(plain["responses"])) else "old"


def _grades(responses: Sequence[dict[str, Any]]) -> list[Any]:
    return [(r["id"], r["grader"], r["scores"], r["codes"], r["stale"]) for r in responses]


def next_plain(done: Next) -> dict[str, Any]:
    """Return what is left as plain JSON data."""
    return {
        "schema": NEXT_SCHEMA,
        "campaign": done.campaign,
        "rubric_version": done.version,
        "gate": None if done.gate is None else str(done.gate),
        "changed": list(done.changed),
        "steps": [{"command": s.command, "why": str(s.why), "count": s.count} for s in done.steps],
    }
