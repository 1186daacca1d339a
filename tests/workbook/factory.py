"""Campaigns made up for the tests of the workbooks: as many responses as a test wants, with whatever grades."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from lark_sheets.core.campaign import Campaign, Grader, Item, LogEntry, Reading, Response
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.rubric_reading import from_plain

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ("larkfield", "refusals", "aws-assistant", "support-verdict")


def shipped(name: str) -> Rubric:
    """A rubric that comes with the program."""
    return from_plain(
        tomllib.loads((ROOT / "workbooks" / "rubrics" / f"{name}.toml").read_text("utf-8")), name
    )


def response(number: int, *, item: str = "", label: str = "", text: str = "", **more) -> Response:
    """The n-th response: four letters a ticket unless told otherwise."""
    return Response(
        id=f"r{number:07d}",
        item=item or f"T{number // 4 + 1:02d}",
        label=label or "ABCD"[number % 4],
        text=text or f"Answer number {number}, in two sentences. It says something.",
        language="en",
        **more,
    )


def campaign(
    rubric: Rubric,
    grades: Iterable[Mapping[str, Level | None]] = (),
    *,
    responses: Iterable[Response] = (),
    graders: Iterable[Grader] = (Grader(name="reader-a"),),
    messages: Mapping[str, str] | None = None,
    language: str = "en",
    block: int | None = None,
    codes: tuple[str, ...] = (),
    reason: str = "",
) -> Campaign:
    """A campaign with one reading a response by every grader; ``grades`` are those of the first, in order."""
    given = list(grades)
    made = list(responses) or [response(n) for n in range(max(len(given), 4))]
    blank = dict.fromkeys(c.id for c in rubric.criteria)
    people = tuple(graders)
    readings = [
        Reading(
            response=r.id,
            grader=grader.name,
            owner=grader is people[0],
            grades=blank | dict(given[n]) if grader is people[0] and n < len(given) else blank,
            version=rubric.version,
            codes=codes if grader is people[0] and n < len(given) else (),
            reason=reason if grader is people[0] and n < len(given) else "",
        )
        for grader in people
        for n, r in enumerate(made)
    ]
    names = dict.fromkeys(r.item for r in made)
    items = tuple(
        Item(
            id=name,
            text=(messages or {}).get(name, f"What about {name}?"),
            language="en",
            reference="The key",
        )
        for name in names
    )
    return Campaign(
        id="test-abc123",
        rubric=rubric,
        language=language,
        items=items,
        responses=tuple(made),
        readings=tuple(readings),
        graders=people,
        commitments=("c0ffee" * 10 + "beef",),
        runs_expected=4,
        block=block,
        versions=(rubric,),
        log=(LogEntry(when="2026-11-29T10:00:00+00:00", who="coordinator", event="created", version=1),),
    )
