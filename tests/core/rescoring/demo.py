"""The demo's grades as a pure campaign: 192 responses, the owner's readings and the second reader's sample."""

import csv
import json
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

from lark_sheets.core.campaign import Campaign, Grader, Item, Reading, Response
from lark_sheets.core.code_checks import proposed_codes
from lark_sheets.core.language import Words
from lark_sheets.core.rubric import Anchor, CodeCap, Criterion, Rubric
from lark_sheets.core.rubric_reading import from_plain

ROOT = Path(__file__).resolve().parents[3] / "workbooks"
GEMMA = "Gemma 3 4B (local)"
GEMINI_PRO = "Gemini 3.1 Pro (preview)"


@cache
def larkfield() -> Rubric:
    return from_plain(tomllib.loads((ROOT / "rubrics" / "larkfield.toml").read_text("utf-8")))


def rows(name: str) -> list[dict[str, str]]:
    with (ROOT / "demo" / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def name_of(row: dict[str, str]) -> str:
    return f"{row['item']}/{row['run']}"


@cache
def run_of() -> dict[str, str]:
    return {name_of(row): row["run"] for row in rows("grades_reader_1.csv")}


def reading(row: dict[str, str], owner: bool, version: int = 1) -> Reading:
    return Reading(
        response=name_of(row),
        grader=row["grader"],
        owner=owner,
        grades={c.id: int(row[c.id]) for c in larkfield().criteria},
        version=version,
        codes=tuple(filter(None, row["codes"].split("; "))),
        reason=row["reason"],
    )


@cache
def demo_campaign(*, first_pass: bool = False, revealed: bool = True) -> Campaign:
    """The whole campaign; ``first_pass`` takes the owner's grades from before the fence was noticed."""
    texts = [json.loads(line) for line in (ROOT / "demo" / "responses.jsonl").read_text("utf-8").splitlines()]
    runs = list(dict.fromkeys(row["run"] for row in texts))
    earlier = {name_of(row): row for row in rows("grades_reader_1_first_pass.csv")} if first_pass else {}
    rubric = larkfield()
    return Campaign(
        id="demo",
        rubric=rubric,
        language="fr",
        items=tuple(
            Item(id=row["item"], text=row["text"], language=row["language"], type=row["type"])
            for row in rows("items.csv")
        ),
        responses=tuple(
            Response(
                id=name_of(row),
                item=row["item"],
                label="ABCDEFGH"[runs.index(row["run"])],
                text=row["response"],
                language=row["language"],
            )
            for row in texts
        ),
        readings=(
            *(reading(earlier.get(name_of(row), row), owner=True) for row in rows("grades_reader_1.csv")),
            *(reading(row, owner=False) for row in rows("grades_reader_2.csv")),
        ),
        graders=(Grader(name="reader-1"), Grader(name="reader-2", model="claude")),
        commitments=(),
        runs_expected=8,
        revealed=revealed,
        versions=(rubric,),
    )


_proposed = cache(proposed_codes)


def checks(response: Response) -> frozenset[str]:
    return _proposed(response.text, response.language)


def with_cap(rubric: Rubric, code: str, cap: int | None, criterion: str = "format") -> Rubric:
    """The rubric with another cap of a code; None tolerates it."""
    return replace(
        rubric,
        codes=tuple(
            replace(
                c,
                caps=tuple(
                    CodeCap(criterion=x.criterion, cap=cap) if x.criterion == criterion else x for x in c.caps
                ),
            )
            if c.id == code
            else c
            for c in rubric.codes
        ),
    )


def without_code(rubric: Rubric, code: str) -> Rubric:
    return replace(rubric, codes=tuple(c for c in rubric.codes if c.id != code))


def with_criterion(rubric: Rubric, wanted: str, /, **changes) -> Rubric:
    return replace(
        rubric,
        criteria=tuple(replace(c, **changes) if c.id == wanted else c for c in rubric.criteria),
    )


def with_anchor(rubric: Rubric, name: str, level: int, text: str) -> Rubric:
    """The rubric with another English description of one level."""
    criterion: Criterion = rubric.criterion(name)

    def edited(anchor: Anchor) -> Anchor:
        words = Words(fr=anchor.description.fr, en=text)
        return replace(anchor, description=words) if anchor.level == level else anchor

    return with_criterion(rubric, name, anchors=tuple(edited(a) for a in criterion.anchors))


def tolerating_fence(rubric: Rubric | None = None) -> Rubric:
    return with_cap(rubric or larkfield(), "fence", None)
