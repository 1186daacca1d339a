"""From a reply to grades, or to the reason why there are none. Nothing is repaired, rounded or guessed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias

from lark_sheets.core.judging import schema as names
from lark_sheets.core.judging.exchange import Reply, whole_text
from lark_sheets.core.judging.reasons import Reason
from lark_sheets.core.rubric import Criterion, Level, Rubric

STOPS = {
    "refusal": Reason.REFUSAL,
    "max_tokens": Reason.TRUNCATED,
    "model_context_window_exceeded": Reason.CONTEXT,
}
SHOWN = 80
"""Characters of an unexpected value that a message quotes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Why the judge gave a level: what it found, and the words it quotes."""

    finding: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """One valid judgement: a level for every criterion asked. ``said`` is the verdict the judge itself stated, if asked."""

    grades: Mapping[str, Level]
    remarks: Mapping[str, Remark] = field(default_factory=dict)
    strengths: str = ""
    weaknesses: str = ""
    reasoning: str = ""
    influence: bool = False
    said: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unscored:
    """A judgement without grades: the reason, and what was seen."""

    reason: Reason
    detail: str = ""


Judgement: TypeAlias = Opinion | Unscored


class _Refused(Exception):
    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.unscored = Unscored(reason=reason, detail=whole_text(detail))


class _Pairs(list[tuple[str, Any]]):
    """An object of the reply as read: pairs in their order, so that repeats and order can be seen."""


def read_reply(reply: Reply, rubric: Rubric) -> Judgement:
    """Read a reply strictly.

    The whole text must be one JSON object of the schema: every field once, reasons before grades, levels as whole
    numbers of the criterion (labels as text). A reply that did not end by itself is never read, even if it happens to parse.
    """
    if reply.stop_reason != "end_turn":
        reason = STOPS.get(reply.stop_reason, Reason.OTHER_STOP)
        return Unscored(reason=reason, detail=reply.refusal or reply.stop_reason)
    try:
        return _opinion(_parsed(reply.text), rubric)
    except _Refused as refused:
        return refused.unscored


def _parsed(text: str) -> Any:
    def no_constant(word: str) -> NoReturn:
        raise ValueError(word)

    try:
        return json.loads(text, object_pairs_hook=_Pairs, parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise _Refused(Reason.NOT_JSON, _shown(text)) from error


def _opinion(value: Any, rubric: Rubric) -> Opinion:
    wanted = [names.STRENGTHS, names.WEAKNESSES, names.CRITERIA, names.INFLUENCE, names.REASONING]
    if names.asks_verdict(rubric):
        wanted.append(names.VERDICT)
    fields = _fields(value, wanted, "reply", Reason.MISSING_FIELD)
    criteria = names.asked(rubric)
    judged = _fields(
        fields[names.CRITERIA], [c.id for c in criteria], names.CRITERIA, Reason.MISSING_CRITERION
    )
    grades: dict[str, Level] = {}
    remarks: dict[str, Remark] = {}
    for criterion in criteria:
        one = _fields(
            judged[criterion.id],
            [names.FINDING, names.EVIDENCE, names.GRADE],
            criterion.id,
            Reason.MISSING_FIELD,
        )
        _grade_last(judged[criterion.id], criterion.id)
        remarks[criterion.id] = Remark(
            finding=_string(one[names.FINDING], names.FINDING),
            evidence=_string(one[names.EVIDENCE], names.EVIDENCE),
        )
        grades[criterion.id] = _level(one[names.GRADE], criterion)
    influence = fields[names.INFLUENCE]
    if not isinstance(influence, bool):
        raise _Refused(Reason.SCHEMA, f"{names.INFLUENCE}: {_shown(influence)}")
    said = None
    if names.VERDICT in wanted:
        _grade_last(value, "reply")
        said = fields[names.VERDICT]
        if not isinstance(said, str) or said not in rubric.outcomes:
            raise _Refused(Reason.WRONG_LABEL, f"{names.VERDICT}: {_shown(said)}")
    return Opinion(
        grades=grades,
        remarks=remarks,
        strengths=_string(fields[names.STRENGTHS], names.STRENGTHS),
        weaknesses=_string(fields[names.WEAKNESSES], names.WEAKNESSES),
        reasoning=_string(fields[names.REASONING], names.REASONING),
        influence=influence,
        said=said,
    )


def _fields(value: Any, wanted: list[str], place: str, missing: Reason) -> dict[str, Any]:
    """Return an object's fields; all of ``wanted``, each once, and no other."""
    if not isinstance(value, _Pairs):
        raise _Refused(Reason.SCHEMA, f"{place}: {_shown(value)}")
    found = [name for name, _ in value]
    if repeated := [name for name in found if found.count(name) > 1]:
        raise _Refused(Reason.DUPLICATE_FIELD, f"{place}: {_shown(repeated[0])}")
    if strange := [name for name in found if name not in wanted]:
        raise _Refused(Reason.UNKNOWN_FIELD, f"{place}: {_shown(strange[0])}")
    if lacking := [name for name in wanted if name not in found]:
        raise _Refused(missing, f"{place}: {lacking[0]}")
    return dict(value)


def _grade_last(value: Any, place: str) -> None:
    """Refuse a grade written before its reasons, or a verdict before the criteria: the reasons would be excuses."""
    found = [name for name, _ in value]
    if found[-1] not in (names.GRADE, names.VERDICT):
        raise _Refused(Reason.ORDER, f"{place}: {', '.join(found)}")


def _string(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise _Refused(Reason.SCHEMA, f"{name}: {_shown(value)}")
    return whole_text(value)


def _level(value: Any, criterion: Criterion) -> Level:
    if criterion.is_category:
        if isinstance(value, str) and value in criterion.levels:
            return value
        raise _Refused(Reason.WRONG_LABEL, f"{criterion.id}: {_shown(value)}")
    if type(value) is not int:
        raise _Refused(Reason.NOT_INTEGER, f"{criterion.id}: {_shown(value)}")
    if value not in criterion.levels:
        raise _Refused(Reason.RANGE, f"{criterion.id}: {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
