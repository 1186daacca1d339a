"""Time of all agreement statistics: a campaign of 192 responses, and 10,000 items read by three.

`python benchmarks/agreement_speed.py` prints processor and wall time, median of five, start-up and imports left out. Goals: 1.5 s for
the campaign (four criteria, all criteria, the decision, by run too, 2,000 draws each, all pairs of runs), 20 s for 10,000 x 3.
Lines that begin with "results" go the way of the product: everything that `recompute` computes from readings already in memory.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: F401 - start-up is not what is measured

from lark_sheets.core.agreement import agreement, by_ticket, notes_on, on_all_criteria
from lark_sheets.core.campaign import Campaign, Grader, Item, Reading, Response
from lark_sheets.core.comparisons import compare_runs
from lark_sheets.core.intervals import mean_interval, wilson
from lark_sheets.core.rubric_reading import from_plain
from lark_sheets.core.scoring import summarise

ROOT = Path(__file__).resolve().parents[1]
SCALE = (0, 1, 2)
CRITERIA = ("accuracy", "completeness", "format", "abstention")
RUNS, TICKETS = 8, 24


def campaign() -> dict[tuple[int, int], dict[str, dict[str, int]]]:
    """192 responses (run, ticket), each read by two people on four criteria."""
    random = Random(1)
    readings = {}
    for run in range(RUNS):
        for ticket in range(TICKETS):
            grades = {c: random.choices(SCALE, (run / 10, run / 5, 6))[0] for c in CRITERIA}
            second = {
                c: level if random.random() < 0.93 else random.choice(SCALE) for c, level in grades.items()
            }
            readings[run, ticket] = {"one": grades, "two": second}
    return readings


def ready(grades: dict[str, int]) -> bool:
    return grades["accuracy"] == 2 and 0 not in grades.values()


def measure_campaign() -> None:
    readings = campaign()
    for chosen in (None, *range(RUNS)):
        part = {key: value for key, value in readings.items() if chosen is None or key[0] == chosen}
        tickets = {key: key[1] for key in part}
        for criterion in CRITERIA:
            levels = {key: {reader: g[criterion] for reader, g in both.items()} for key, both in part.items()}
            notes_on(by_ticket(levels, tickets, SCALE, ordinal=True).agreement)
        decision = {key: {reader: ready(g) for reader, g in both.items()} for key, both in part.items()}
        notes_on(by_ticket(decision, tickets, (True, False), ordinal=False).agreement)
        on_all_criteria(list(part.values()), CRITERIA)
    flags: dict[str, dict[int, bool]] = {}
    totals: dict[str, dict[int, int]] = {}
    for (run, ticket), both in readings.items():
        flags.setdefault(str(run), {})[ticket] = ready(both["one"])
        totals.setdefault(str(run), {})[ticket] = sum(both["one"].values())
    compare_runs(flags, totals)
    for run, outcomes in flags.items():
        wilson(sum(outcomes.values()), TICKETS)
        mean_interval(list(totals[run].values()), [1] * TICKETS, 8)


def large() -> list[dict[str, int]]:
    random = Random(2)
    truth = random.choices(SCALE, (1, 2, 6), k=10_000)
    return [{r: t if random.random() < 0.8 else random.choice(SCALE) for r in "abc"} for t in truth]


def revealed(runs: int, tickets: int, readers: str) -> tuple[Campaign, dict[str, str]]:
    """A revealed campaign in which every reader read everything, and the run of each response."""
    random = Random(3)
    rubric = from_plain(tomllib.loads((ROOT / "workbooks" / "rubrics" / "larkfield.toml").read_text("utf-8")))
    responses, readings, run_of = [], [], {}
    for run in range(runs):
        for ticket in range(tickets):
            name = f"r{run}-{ticket}"
            responses.append(Response(id=name, item=f"T{ticket}", label="ABCDEFGH"[run], text=name))
            run_of[name] = f"run {run}"
            truth = {c: random.choices(SCALE, (run / 10, run / 5, 6))[0] for c in CRITERIA}
            for reader in readers:
                grades = {c: t if random.random() < 0.93 else random.choice(SCALE) for c, t in truth.items()}
                readings.append(
                    Reading(
                        response=name, grader=reader, owner=reader == readers[0], grades=grades, version=1
                    )
                )
    return Campaign(
        id="speed",
        rubric=rubric,
        language="en",
        items=tuple(Item(id=f"T{ticket}", text="") for ticket in range(tickets)),
        responses=tuple(responses),
        readings=tuple(readings),
        graders=tuple(Grader(name=reader) for reader in readers),
        commitments=(),
        runs_expected=runs,
        revealed=True,
    ), run_of


def results_of(made: tuple[Campaign, dict[str, str]]) -> None:
    campaign, run_of = made
    summarise(campaign, run_of=run_of, runs=tuple(dict.fromkeys(run_of.values())), key_matches=True)


def timed(work: Callable[[], object]) -> str:
    cpu, wall = [], []
    for _ in range(5):
        start, clock = process_time(), perf_counter()
        work()
        cpu.append(process_time() - start)
        wall.append(perf_counter() - clock)
    return f"{median(cpu):7.3f} s processor {median(wall):7.3f} s wall"


def main() -> None:
    rows = large()
    readings = dict(enumerate(rows))
    own = {item: item for item in readings}
    of_ticket = {item: item // 8 for item in readings}
    print("192 responses, 2,000 draws, everything  ", timed(measure_campaign))
    small, wide = revealed(RUNS, TICKETS, "ab"), revealed(RUNS, 1250, "abc")
    print("results of 192 responses x 2 readers    ", timed(lambda: results_of(small)))
    print("10,000 x 3, all coefficients            ", timed(lambda: agreement(rows, SCALE, ordinal=True)))
    print(
        "10,000 x 3, 2,000 draws, own tickets    ",
        timed(lambda: by_ticket(readings, own, SCALE, ordinal=True)),
    )
    print(
        "10,000 x 3, 2,000 draws, 1,250 tickets  ",
        timed(lambda: by_ticket(readings, of_ticket, SCALE, ordinal=True)),
    )
    print("results of 10,000 responses x 3 readers ", timed(lambda: results_of(wide)))


if __name__ == "__main__":
    main()
