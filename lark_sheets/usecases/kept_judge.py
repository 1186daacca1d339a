"""What the judge held at its latest run, as the results show it: one file beside the workbook, ours, made anew at every run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lark_sheets.core.campaign import Campaign
from lark_sheets.ports import Files
from lark_sheets.usecases.folders import folder_of

SCHEMA = "lark-sheets/judge/1"
STALE = "stale"


def judge_file(workbook: Path) -> Path:
    """Return where the latest run of the judge is kept, as JSON."""
    return folder_of(workbook).root / "judge.json"


def kept_run(campaign: Campaign, workbook: Path, files: Files) -> Mapping[str, Any] | None:
    """Return the judge's part of the results, or None where no judge was asked.

    Under another rubric than the one the judge read, its gate is stale: nothing it held may decide.
    """
    path = judge_file(workbook)
    if not files.exists(path):
        return None
    try:
        plain = json.loads(files.read_text(path))
    except ValueError:
        return None
    if not isinstance(plain, dict) or plain.get("schema") != SCHEMA or plain.get("campaign") != campaign.id:
        return None
    block: dict[str, Any] = plain["judge"]
    if plain.get("rubric") != campaign.rubric.fingerprint:
        block = {**block, "gate": STALE, "conclusive": None}
    return block
