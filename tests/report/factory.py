"""Campaigns for the report's tests: the demo of 192 responses from its numeric tables, and small ones made by hand."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from lark_sheets.core.campaign import Campaign, Grader, Item, LogEntry, Reading, Response
from lark_sheets.core.results import Results
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.rubric_reading import from_plain
from lark_sheets.core.scoring import summarise
from lark_sheets.core.sealing import REVEALED

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "workbooks" / "demo"
PRODUCED = dt.datetime(2026, 11, 29, 14, 30, tzinfo=dt.UTC)
PROVENANCE = {
    "workbook": "campaign.xlsx",
    "workbook_sha256": "3f1c7a5e0d9a07" + "0" * 50,
    "key_commitment": "8c41" + "0" * 60,
    "lark_sheets": "0.1.0",
}


def shipped_rubric(name: str) -> Rubric:
    """Return a shipped rubric by name."""
    return from_plain(tomllib.loads((ROOT / "workbooks" / "rubrics" / f"{name}.toml").read_text("utf-8")))


def _rows(name: str) -> list[dict[str, str]]:
    with (DEMO / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def response_id(item: str, run: str) -> str:
    """Return a fixed id that looks random, as ids do."""
    return "r" + hashlib.sha256(f"{item}|{run}".encode()).hexdigest()[:8]


def demo(
    *,
    rubric: Rubric | None = None,
    revealed: bool = True,
    texts: Mapping[tuple[str, str], str] | None = None,
    **changes: object,
) -> tuple[Campaign, dict[str, str], tuple[str, ...]]:
    """Return the demo campaign, the run of every response and the runs in order.

    ``texts`` replaces single texts by (item, run); ``changes`` replaces fields of the campaign.
    """
    rubric = rubric or shipped_rubric("larkfield")
    items = tuple(
        Item(
            id=row["item"],
            text=row["text"],
            language=row["language"],
            type=row["type"],
            reference=row["reference"],
        )
        for row in _rows("items.csv")
    )
    first, second = _rows("grades_reader_1.csv"), _rows("grades_reader_2.csv")
    runs = tuple(dict.fromkeys(row["run"] for row in first))
    written: dict[tuple[str, str], str] = {}
    with (DEMO / "responses.jsonl").open(encoding="utf-8") as stream:
        for line in stream:
            entry = json.loads(line)
            written[entry["item"], entry["run"]] = entry["response"]
    written.update(texts or {})
    run_of: dict[str, str] = {}
    responses = []
    language = {item.id: item.language for item in items}
    for item in items:
        order = sorted(runs, key=lambda run: hashlib.sha256(f"{run}{item.id}".encode()).digest())
        for letter, run in zip("ABCDEFGH", order, strict=False):
            key = response_id(item.id, run)
            run_of[key] = run
            responses.append(
                Response(
                    id=key,
                    item=item.id,
                    label=letter,
                    text=written.get((item.id, run), ""),
                    language=language[item.id],
                )
            )
    readings = [
        Reading(
            response=response_id(row["item"], row["run"]),
            grader=row["grader"],
            owner=row["grader"] == "reader-1",
            grades={c.id: int(row[c.id]) for c in rubric.criteria},
            version=rubric.version,
            codes=tuple(code.strip() for code in row["codes"].split(";") if code.strip()),
            reason=row["reason"],
        )
        for row in (*first, *second)
    ]
    campaign = Campaign(
        id="larkfield-demo",
        rubric=rubric,
        language="en",
        items=items,
        responses=tuple(responses),
        readings=tuple(readings),
        graders=(Grader(name="reader-1", languages=("en", "fr")), Grader(name="reader-2", model="claude")),
        commitments=("8c41" + "0" * 60,),
        runs_expected=len(runs),
        revealed=revealed,
        versions=(rubric,),
        log=(
            LogEntry(when="2026-11-20T09:00:00+00:00", who="coordinator", event="new", detail="", version=1),
            LogEntry(
                when="2026-11-28T16:00:00+00:00", who="coordinator", event=REVEALED, detail="", version=1
            ),
        ),
    )
    return replace(campaign, **changes) if changes else campaign, run_of, runs


_demo = cache(demo)


def demo_results(campaign: Campaign | None = None, **options: object) -> tuple[Results, Campaign]:
    """Return the demo's results with its campaign, or those of a changed demo campaign."""
    made, run_of, runs = _demo()
    campaign = campaign or made
    return summarise(campaign, run_of=run_of, runs=runs, key_matches=True, **options), campaign


def tiny(
    rubric: Rubric,
    grades: Mapping[str, Sequence[Mapping[str, Level | None]]],
    *,
    texts: Mapping[tuple[str, int], str] | None = None,
    strata: Sequence[str] = (),
    types: Sequence[str] = (),
    graded_by: str = "people",
    revealed: bool = True,
    second: Mapping[str, Sequence[Mapping[str, Level | None]]] | None = None,
    judge: Mapping[str, object] | None = None,
    **options: object,
) -> tuple[Results, Campaign]:
    """Return results and campaign of runs whose grades are given item by item: run -> (grades of T01, of T02, ...)."""
    count = max(len(rows) for rows in grades.values())
    items = tuple(
        Item(
            id=f"T{n + 1:02d}",
            text=f"Question {n + 1}?",
            language="en",
            stratum=strata[n % len(strata)] if strata else "",
            type=types[n % len(types)] if types else "",
        )
        for n in range(count)
    )
    responses, readings, run_of = [], [], {}
    for letter, (run, rows) in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", grades.items(), strict=False):
        for n, row in enumerate(rows):
            key = response_id(items[n].id, run)
            run_of[key] = run
            text = (texts or {}).get((run, n), f"Answer of {letter} to {items[n].id}.")
            responses.append(Response(id=key, item=items[n].id, label=letter, text=text, language="en"))
            readings.append(
                Reading(response=key, grader="ana", owner=True, grades=dict(row), version=rubric.version)
            )
            if second and run in second and n < len(second[run]):
                readings.append(
                    Reading(
                        response=key,
                        grader="ben",
                        owner=False,
                        grades=dict(second[run][n]),
                        version=rubric.version,
                    )
                )
    campaign = Campaign(
        id="tiny",
        rubric=rubric,
        language="en",
        items=items,
        responses=tuple(responses),
        readings=tuple(readings),
        graders=(Grader(name="ana"), Grader(name="ben")) if second else (Grader(name="ana"),),
        commitments=("a" * 64,),
        runs_expected=len(grades),
        graded_by=graded_by,
        revealed=revealed,
        versions=(rubric,),
    )
    return (
        summarise(campaign, run_of=run_of, runs=tuple(grades), key_matches=True, judge=judge, **options),
        campaign,
    )
