"""Small campaigns for tests: the eight responses of two tickets that the handed cases grade too, and helpers to vary them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from lark_sheets.core.campaign import Campaign, Grader, Item, Reading, Response
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.rubric_reading import from_plain

ROOT = Path(__file__).resolve().parent.parent
CRITERIA = ("accuracy", "completeness", "format", "abstention")

BASE = {
    "K01-A": (2, 2, 2, 2),
    "K01-B": (2, 1, 2, 1),
    "K01-C": (1, 2, 2, 2),
    "K01-D": (0, 0, 1, 1),
    "K02-A": (2, 0, 2, 1),
    "K02-B": (2, 2, 1, 2),
    "K02-C": (2, 2, 2, 2),
    "K02-D": (2, 2, 0, 2),
}
"""Grades of eight responses: sum 49 of 64, score 7.66, 4 ready, zeros 1, 2, 1, 0."""


@cache
def shipped(name: str = "larkfield") -> Rubric:
    """Return a rubric of the shipped ones."""
    path = ROOT / "workbooks" / "rubrics" / f"{name}.toml"
    return from_plain(tomllib.loads(path.read_text(encoding="utf-8")), source=path.name)


def grades(*levels: Level | None) -> dict[str, Level | None]:
    """Return grades of the four larkfield criteria in order."""
    return dict(zip(CRITERIA, levels, strict=True))


def campaign(
    table: Mapping[str, tuple[Level | None, ...]] = BASE,
    *,
    rubric: Rubric | None = None,
    grader: str = "g1",
    more: Mapping[str, Mapping[str, tuple[Level | None, ...]]] | None = None,
    **changes: object,
) -> Campaign:
    """Return a campaign in which ``grader`` owns the rows of ``table`` and each grader of ``more`` read others beside."""
    rubric = rubric or shipped()
    names = [c.id for c in rubric.criteria]

    def reading(name: str, levels: tuple[Level | None, ...], who: str, *, owner: bool) -> Reading:
        return Reading(
            response=name.casefold(),
            grader=who,
            owner=owner,
            grades=dict(zip(names, levels, strict=True)),
            version=rubric.version,
        )

    responses = [
        Response(id=name.casefold(), item=name.split("-")[0], label=name.split("-")[1], text=f"text {name}")
        for name in table
    ]
    readings = [reading(name, levels, grader, owner=True) for name, levels in table.items()]
    for who, rows in (more or {}).items():
        readings += [reading(name, levels, who, owner=False) for name, levels in rows.items()]
    items = dict.fromkeys(name.split("-")[0] for name in table)
    values: dict[str, object] = {
        "id": "larkfield-test",
        "rubric": rubric,
        "language": "en",
        "items": tuple(Item(id=item, text=f"message {item}") for item in items),
        "responses": tuple(responses),
        "readings": tuple(readings),
        "graders": (Grader(name=grader), *(Grader(name=who) for who in more or {})),
        "commitments": ("0" * 64,),
        "runs_expected": 4,
        "versions": (rubric,),
    }
    return Campaign(**{**values, **changes})  # type: ignore[arg-type]
