"""The real adapters with a fixed clock and salt, for tests that go the way a person goes."""

from __future__ import annotations

import csv
import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lark_sheets import wiring
from lark_sheets.core.language import Language
from lark_sheets.core.results_json import results_dict
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.recomputing import recompute

NOW = dt.datetime(2026, 11, 29, 9, 0, tzinfo=dt.UTC)
SALT = "00" * 32


def desk(language: Language = "en") -> Needs:
    """Return real adapters, a clock that stands still and a salt that never changes."""
    needs = wiring.needs(language, quiet=True, clock=wiring.FixedTime(NOW))
    return replace(needs, new_salt=lambda: SALT, who="")


def write_csv(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    """Write rows as a CSV file and return its path."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def results(*books: Path, key: Path | None = None) -> dict[str, Any]:
    """Return the results of workbooks as ``results.json`` holds them."""
    needs = desk()
    done = recompute(books, needs, key=key)
    found: dict[str, Any] = json.loads(json.dumps(results_dict(done.computed[0].results, needs.translate)))
    return found


def told(found: Mapping[str, Any], code: str) -> list[dict[str, Any]]:
    """Return the problems of one kind in results."""
    return [p for p in found["problems"] if p["code"] == code]
