"""What is left to run, as commands: after a rubric edit, a gathering, a new grade. Nothing left out changes anything silently.

A command that is forgotten stays in the list, and what depends on it stays marked: stale grades are refused, a stale
calibration lets the judge only indicate, results of another rubric or of other grades are told as old.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

RECORDED = "recorded: "
"""What the name of a judge starts with whose replies are only replayed."""


class Why(StrEnum):
    """Why a command is in the list."""

    EDITED = "edited"
    """The rubric sheet differs from the kept version."""
    STALE = "stale"
    """Grades of people were given under an older version."""
    INCOMPLETE = "incomplete"
    """Grades are missing."""
    CALIBRATION_STALE = "calibration_stale"
    """The judge was compared with people under other conditions; until then it only indicates."""
    JUDGE_STALE = "judge_stale"
    """The judge graded under an older version."""
    RESULTS_OLD = "results_old"
    """results.json was computed from another rubric or from other grades."""
    RESULTS_NONE = "results_none"
    """Nothing was computed yet."""
    NOT_REVEALED = "not_revealed"
    """All is graded; the runs have no names yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a campaign's files say. ``changed`` names what differs from the newest calibration; None without one.

    ``judge_model`` is the model of that calibration, or of the judge's grades; "" without a judge. ``results`` is "new", "old" or "none".
    """

    edited: bool
    stale: int
    incomplete: int
    judge_stale: int
    judge_model: str
    changed: Sequence[str] | None
    results: str
    revealed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing to run: the words of the command (or "" where people must act first), why, and how many grades it concerns."""

    command: str
    why: Why
    count: int = 0


def steps(facts: Facts, book: str) -> tuple[Step, ...]:
    """Return what is left to run, in the order in which it helps; empty when everything is up to date."""
    found = []
    if facts.edited:
        found.append(Step(command=f"rescore {book} --apply --author NAME --reason TEXT", why=Why.EDITED))
    if facts.stale:
        found.append(Step(command=f"gather {book} {book}/graders/*.xlsx", why=Why.STALE, count=facts.stale))
    if facts.incomplete:
        found.append(
            Step(command=f"gather {book} {book}/graders/*.xlsx", why=Why.INCOMPLETE, count=facts.incomplete)
        )
    model = _model_words(facts.judge_model)
    # An edit that is not applied yet already makes the calibration one of another rubric.
    if facts.changed or (facts.edited and facts.changed is not None):
        found.append(Step(command=f"calibrate {book} --set LABELS{model}", why=Why.CALIBRATION_STALE))
    if facts.judge_stale or (facts.edited and facts.judge_model):
        found.append(Step(command=f"judge {book}{model}", why=Why.JUDGE_STALE, count=facts.judge_stale))
    if not facts.revealed and not (facts.edited or facts.stale or facts.incomplete):
        found.append(Step(command=f"reveal {book}", why=Why.NOT_REVEALED))
    if facts.results != "new" or found:
        why = Why.RESULTS_NONE if facts.results == "none" else Why.RESULTS_OLD
        found.append(Step(command=f"recompute {book}", why=why))
        found.append(Step(command=f"report {book}", why=why))
    return tuple(found)


def _model_words(model: str) -> str:
    """Return how a command names the judge: a model, or the file that a recorded one is replayed from."""
    kind, recorded, file = model.partition(RECORDED)
    if recorded and not kind:
        return f" --recorded {file}"
    return f" --model {model}" if model else ""
