"""Writing what is regenerated at every computation: the results workbook and ``results.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lark_sheets.core.campaign import Campaign
from lark_sheets.core.results import Results
from lark_sheets.core.results_json import results_dict
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook.results_book import plan_results_book


def write_results_book(
    results: Results, campaign: Campaign, path: Path, needs: Needs, *, texts: bool = True
) -> None:
    """Write the results workbook, in the language of the screen; without the responses' texts where ``texts`` is False."""
    produced = needs.clock.now()
    needs.books.write(
        plan_results_book(results, campaign, needs.translate, produced=produced, texts=texts), path
    )


def results_text(results: Results, needs: Needs) -> str:
    """Return the text of ``results.json``."""
    return json_text(results_dict(results, needs.translate))


def json_text(plain: Mapping[str, Any]) -> str:
    """Return JSON as our files hold it."""
    return json.dumps(plain, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
