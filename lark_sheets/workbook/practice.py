"""The practice of a rubric: a ticket and a few responses with their reference grades, graded before the real ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lark_sheets.core.language import Words
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.rubric_reading import words
from lark_sheets.errors import DataError, Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeResponse:
    """One response to practise on, with its reference grades, the codes behind them and why, in words."""

    label: str
    response: str
    grades: Mapping[str, Level]
    codes: tuple[str, ...] = ()
    why: Words = field(default_factory=Words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """A ticket, its responses, and the same in another language where there is one."""

    message: str
    language: str
    responses: tuple[PracticeResponse, ...]
    other: Practice | None = None

    def in_(self, language: str) -> Practice:
        """Return the practice in a grader's language, or the one there is."""
        if self.other is not None and self.language != language and self.other.language == language:
            return self.other
        return self


def practice_from_plain(plain: Mapping[str, Any], rubric: Rubric, source: str = "practice") -> Practice:
    """Return the practice that plain data describe (``item``, ``responses``, optional ``other_language``).

    Raises :class:`DataError` with every fault: a criterion without its reference grade, a grade that is no level, a code that the
    rubric does not know.
    """
    problems: list[Problem] = []
    practice = _practice(plain, rubric, source, problems)
    if problems:
        raise DataError(*problems)
    return practice


def _practice(plain: Mapping[str, Any], rubric: Rubric, source: str, problems: list[Problem]) -> Practice:
    other = plain.get("other_language")
    item = plain.get("item", {})
    return Practice(
        message=str(item.get("text", "")),
        language=str(item.get("language", "")),
        responses=tuple(_response(r, rubric, source, problems) for r in plain.get("responses", ())),
        other=_practice(other, rubric, source, problems) if other else None,
    )


def _response(
    plain: Mapping[str, Any], rubric: Rubric, source: str, problems: list[Problem]
) -> PracticeResponse:
    label = str(plain.get("label", ""))
    grades: dict[str, Level] = {}
    for criterion in rubric.criteria:
        grade = plain.get("grades", {}).get(criterion.id)
        if isinstance(grade, int | str) and not isinstance(grade, bool) and grade in criterion.levels:
            grades[criterion.id] = grade
        else:
            _fault(problems, source, f"{label}.{criterion.id}", grade, ", ".join(map(str, criterion.levels)))
    codes = tuple(map(str, plain.get("codes", ())))
    for code in codes:
        if rubric.code(code) is None:
            _fault(problems, source, f"{label}.codes", code, ", ".join(c.id for c in rubric.codes))
    return PracticeResponse(
        label=label,
        response=str(plain.get("response", "")),
        grades=grades,
        codes=codes,
        why=words(plain.get("why")),
    )


def _fault(problems: list[Problem], source: str, place: str, found: object, allowed: str) -> None:
    problems.append(
        problem(
            "rubric_fault", file=source, item=place, found="" if found is None else found, allowed=allowed
        )
    )
