"""The demo's files as values, read once per test run."""

from __future__ import annotations

import csv
import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.demo_content.checker import CRITERIA, Key

HERE = Path(__file__).resolve().parent
DEMO = HERE.parents[1] / "workbooks" / "demo"

RUNS = (
    "Claude Haiku 5.5", "Claude Sonnet 5.5", "Claude Opus 5.5", "Gemini 3.5 Flash", "Gemini 3.1 Pro (preview)",
    "Gemma 3 4B (local)", "Mistral 7B (local)", "Qwen3 4B, 4000-token limit (local)",
)  # fmt: skip
ITEMS = tuple(
    f"{family}{n:02}"
    for family, size in (("S", 12), ("D", 4), ("U", 4), ("M", 4))
    for n in range(1, size + 1)
)
CATEGORY = re.compile(r"Cat[eé]gor(?:y|ie)\s?: (\w+)\.$")


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    text: str
    language: str
    needs_human: bool
    reference: str
    must_mention: tuple[str, ...]
    must_not_mention: tuple[str, ...]

    @property
    def key(self) -> Key:
        found = CATEGORY.search(self.reference)
        assert found, f"{self.name}: the answer key does not end with its category"
        return Key(self.language, found.group(1), self.needs_human)


@dataclass(frozen=True, slots=True)
class Reading:
    grader: str
    item: str
    run: str
    grades: Mapping[str, int]
    codes: tuple[str, ...]
    reason: str


def listed(cell: str) -> tuple[str, ...]:
    return tuple(part for part in cell.split("; ") if part)


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


@functools.cache
def items() -> Mapping[str, Item]:
    return {
        row["item"]: Item(
            row["item"], row["text"], row["language"], row["needs_human"] == "1", row["reference"],
            listed(row["must_mention"]), listed(row["must_not_mention"]),
        )
        for row in table(DEMO / "items.csv")
    }  # fmt: skip


@functools.cache
def responses() -> Mapping[tuple[str, str], str]:
    with (DEMO / "responses.jsonl").open(encoding="utf-8") as file:
        rows: list[dict[str, Any]] = [json.loads(line) for line in file]
    return {(row["item"], row["run"]): row["response"] for row in rows}


@functools.cache
def readings(name: str) -> Mapping[tuple[str, str], Reading]:
    return {
        (row["item"], row["run"]): Reading(
            row["grader"], row["item"], row["run"], {c: int(row[c]) for c in CRITERIA}, listed(row["codes"]), row["reason"],
        )
        for row in table(DEMO / f"{name}.csv")
    }  # fmt: skip
