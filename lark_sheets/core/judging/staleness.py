"""Whether a calibration still holds: it does as long as its conditions do, and again when they are restored."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lark_sheets.core.judging.calibration import Calibration, Case, Judged, Measures, measure
from lark_sheets.core.judging.config import Conditions
from lark_sheets.core.judging.gate import FEWEST_LABELS, Gate
from lark_sheets.core.rubric import Rubric, to_plain
from lark_sheets.core.rubric_reading import from_plain

OLD_AFTER = 90
"""Days after which an unchanged calibration is worth repeating: a service may change without a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """What may be believed of a judge today. ``changed`` names what differs from the calibration that is shown.

    ``old`` is its age in days where that exceeds 90, else None.
    """

    gate: Gate
    calibration: Calibration | None = None
    measures: Measures | None = None
    changed: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    old: int | None = None

    @property
    def conclusive(self) -> bool | None:
        """Say whether the agreement is enough even at the low end of its interval."""
        return None if self.measures is None else self.measures.conclusive

    @property
    def checked(self) -> bool:
        """Say whether the judge counts as checked: a calibration that holds, on 20 labels or more that it judged."""
        return self.measures is not None and not self.changed and self.measures.judged >= FEWEST_LABELS


def trust(
    calibrations: Sequence[Calibration], conditions: Conditions, *, today: dt.date, set_fingerprint: str = ""
) -> Trust:
    """Return what the calibrations made so far, oldest first, allow under today's conditions.

    The newest one under the same conditions holds, whatever was tried in between. Without one the newest of all is shown as
    stale, with what changed. ``set_fingerprint``, where the set of labels is at hand, must be the calibrated one too.
    """
    if not calibrations:
        return Trust(gate=Gate.NONE, why=("never_calibrated",))

    def changes(calibration: Calibration) -> tuple[str, ...]:
        changed = conditions.changed_from(calibration.conditions)
        other_set = set_fingerprint and calibration.fingerprint != set_fingerprint
        return (*changed, "labels") if other_set else changed

    holding = [c for c in calibrations if not changes(c)]
    shown = holding[-1] if holding else calibrations[-1]
    measures = measure(shown)
    if not holding:
        return Trust(
            gate=Gate.STALE,
            calibration=shown,
            measures=measures,
            changed=changes(shown),
            why=("stale", *measures.why),
        )
    age = (today - dt.date.fromisoformat(shown.date[:10])).days
    return Trust(
        gate=measures.gate,
        calibration=shown,
        measures=measures,
        why=measures.why,
        old=age if age > OLD_AFTER else None,
    )


def calibration_plain(calibration: Calibration) -> dict[str, Any]:
    """Return a calibration as plain JSON data, texts and rubric included."""
    return {
        "rubric": to_plain(calibration.rubric),
        "conditions": asdict(calibration.conditions),
        "cases": [{**asdict(case), "grades": dict(case.grades)} for case in calibration.cases],
        "judged": {
            key: {
                "levels": dict(j.levels),
                "verdict": j.verdict,
                "outcomes": list(j.outcomes),
                "unscored": dict(j.unscored),
                "reason": j.reason,
            }
            for key, j in calibration.judged.items()
        },
        "repeats": calibration.repeats,
        "date": calibration.date,
        "recorded": calibration.recorded,
    }


def calibration_from_plain(plain: Mapping[str, Any]) -> Calibration:
    """Return the calibration that plain data describe; the inverse of :func:`calibration_plain`."""
    rubric: Rubric = from_plain(plain["rubric"], "calibration")
    conditions = plain["conditions"]
    return Calibration(
        rubric=rubric,
        conditions=Conditions(**{**conditions, "served": tuple(conditions["served"])}),
        cases=tuple(Case(**case) for case in plain["cases"]),
        judged={key: Judged(**{**j, "outcomes": tuple(j["outcomes"])}) for key, j in plain["judged"].items()},
        repeats=plain["repeats"],
        date=plain["date"],
        recorded=plain["recorded"],
    )
