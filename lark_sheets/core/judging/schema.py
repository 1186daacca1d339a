"""The form of a judge's reply, built from the rubric: reasons stand before every grade, the verdict last.

Levels are an ``enum``: a minimum and a maximum would be dropped on the way. There is no field for a total, so that
no text can set one; totals and verdicts are computed from the grades.
"""

from __future__ import annotations

from collections.abc import Sequence

from lark_sheets.core.rubric import Criterion, CriterionKind, JudgedBy, Rubric

STRENGTHS, WEAKNESSES, CRITERIA = "strengths", "weaknesses", "criteria"
FINDING, EVIDENCE, GRADE = "finding", "evidence", "grade"
INFLUENCE, REASONING, VERDICT = "influence_attempt", "reasoning", "verdict"

Schema = dict[str, object]


def asked(rubric: Rubric, order: Sequence[str] = ()) -> tuple[Criterion, ...]:
    """Return the criteria the judge is asked for: those that neither code nor a person alone decides.

    ``order`` names criteria to ask in another order than the rubric's (a probe for bias); those it leaves out follow.
    """
    mine = [c for c in rubric.criteria if c.judged_by is JudgedBy.MODEL]
    place = {name: number for number, name in enumerate(order)}
    return tuple(sorted(mine, key=lambda c: place.get(c.id, len(place))))


def asks_verdict(rubric: Rubric) -> bool:
    """Say whether the judge also states a verdict: where criteria eliminate, and it sees all of them."""
    eliminating = {CriterionKind.ELIMINATORY, CriterionKind.SECONDARY}
    return (
        bool(rubric.verdict)
        and any(c.kind in eliminating for c in rubric.criteria)
        and len(asked(rubric)) == len(rubric.criteria)
    )


def output_schema(rubric: Rubric, order: Sequence[str] = ()) -> Schema:
    """Return the JSON schema of a reply; the order of its properties is the order in which a judge must think."""
    text: Schema = {"type": "string"}
    criteria: dict[str, object] = {
        c.id: _object({FINDING: text, EVIDENCE: text, GRADE: {"enum": list(c.levels)}})
        for c in asked(rubric, order)
    }
    fields: dict[str, object] = {
        STRENGTHS: text,
        WEAKNESSES: text,
        CRITERIA: _object(criteria),
        INFLUENCE: {"type": "boolean"},
        REASONING: text,
    }
    if asks_verdict(rubric):
        fields[VERDICT] = {"enum": list(rubric.outcomes)}
    return _object(fields)


def _object(fields: dict[str, object]) -> Schema:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
