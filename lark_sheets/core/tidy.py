"""Grades as analysts want them: one row for one grade of one reader, with every column a plain value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lark_sheets.core.campaign import Campaign
from lark_sheets.core.results import Results
from lark_sheets.core.scoring import counted_grades
from lark_sheets.core.text import canonical, sha256

Kind = Literal["text", "whole", "truth"]
Value = str | int | bool | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, the kind of its values, and whether it holds words of people or models."""

    name: str
    kind: Kind = "text"
    words: bool = False


COLUMNS = (
    Column("campaign"),
    Column("rubric"),
    Column("rubric_fingerprint"),
    Column("version", "whole"),
    Column("stale", "truth"),
    Column("item"),
    Column("type"),
    Column("difficulty"),
    Column("stratum"),
    Column("language"),
    Column("label"),
    Column("response_id"),
    Column("response_sha256"),
    Column("run"),
    Column("grader"),
    Column("reader"),
    Column("owner", "truth"),
    Column("reading", "whole"),
    Column("criterion"),
    Column("level", "whole"),
    Column("category"),
    Column("agreed", "truth"),
    Column("codes"),
    Column("total", "whole"),
    Column("verdict"),
    Column("reason", words=True),
)
TEXTS = (Column("message", words=True), Column("response", words=True))
"""Columns added on demand: what was asked and answered."""


def columns(*, texts: bool, private: bool) -> tuple[Column, ...]:
    """Return the columns of an export; a private campaign's hold no words of anyone, only fingerprints."""
    chosen = COLUMNS + (TEXTS if texts else ())
    return tuple(c for c in chosen if not (private and c.words))


def rows(results: Results, campaign: Campaign, wanted: Sequence[Column]) -> Iterator[dict[str, Value]]:
    """Yield one row per reading and criterion, in the order of the workbook.

    A grade not given is None, never 0. ``level`` holds ordered grades, ``category`` labels; ``agreed`` says that the owner's grade
    was replaced by the one two readers agreed on. ``run`` is None before the reveal.
    """
    items, responses = campaign.item(), campaign.response()
    names = [column.name for column in wanted]
    for reading, result in zip(campaign.readings, results.readings, strict=True):
        response = responses[reading.response]
        item = items[response.item]
        grades = counted_grades(campaign, reading) if reading.owner else reading.grades
        for criterion in campaign.rubric.criteria:
            grade = grades.get(criterion.id)
            codes = [c for c in reading.codes if (k := campaign.rubric.code(c)) and k.touches(criterion.id)]
            row: Mapping[str, Value] = {
                "campaign": campaign.id,
                "rubric": campaign.rubric.id,
                "rubric_fingerprint": campaign.rubric.fingerprint,
                "version": reading.version,
                "stale": result.stale,
                "item": item.id,
                "type": item.type or None,
                "difficulty": item.difficulty or None,
                "stratum": item.stratum or None,
                "language": response.language or item.language or None,
                "label": response.label,
                "response_id": response.id,
                "response_sha256": sha256(canonical(response.text)),
                "run": result.run,
                "grader": reading.grader,
                "reader": "model" if results.graders.get(reading.grader) else "person",
                "owner": reading.owner,
                "reading": reading.number,
                "criterion": criterion.id,
                "level": grade if isinstance(grade, int) else None,
                "category": grade if isinstance(grade, str) else None,
                "agreed": grade != reading.grades.get(criterion.id),
                "codes": "; ".join(codes) or None,
                "total": result.total,
                "verdict": result.verdict,
                "reason": reading.reason or None,
                "message": item.text,
                "response": response.text,
            }
            yield {name: row[name] for name in names}
