"""Wiring of what asks a model: the judge behind its provider, the ledger, prices, time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from lark_sheets.core.language import Translator
from lark_sheets.wiring.machine import PlainProgress, RealPace, SystemClock

if TYPE_CHECKING:
    from lark_sheets.core.rubric import Rubric
    from lark_sheets.ports import Judge
    from lark_sheets.usecases.asking import AskingNeeds


def asking_needs(
    translate: Translator,
    *,
    beside: Path,
    provider: str,
    prices: Path | None = None,
    recorded: Path | None = None,
    rubric: Rubric | None = None,
    offline: bool = False,
) -> AskingNeeds:
    """Return what asking a model needs: the judge, the ledger in the folder of ``beside``, prices, time.

    ``recorded`` replays a table in place of a model. ``offline`` makes a judge that can only be estimated: it needs no key.
    Raises :class:`~lark_sheets.errors.UsageError` for an unknown provider, :class:`~lark_sheets.errors.MissingPiece` without a key.
    """
    from lark_sheets.adapters.anthropic_judge.connecting import PROVIDERS, Service, connect
    from lark_sheets.adapters.key_store import stored_key
    from lark_sheets.adapters.ledger import SqliteLedger
    from lark_sheets.adapters.offline_judge import OfflineJudge
    from lark_sheets.adapters.prices import read_prices
    from lark_sheets.adapters.recorded_judge import RecordedJudge, replies_of_rows
    from lark_sheets.usecases.asking import AskingNeeds
    from lark_sheets.usecases.folders import folder_of
    from lark_sheets.wiring import LEDGER, needs

    clock = SystemClock()
    root = folder_of(beside).root
    judge: Judge
    if recorded is not None and rubric is not None:
        rows = needs(translate.language, quiet=True).tables.read(recorded)
        judge = RecordedJudge(replies_of_rows(rubric, rows), served=f"recorded: {recorded.name}")
    elif offline:
        judge = OfflineJudge(provider)
    else:
        known = PROVIDERS.get(provider)
        judge = connect(
            Service(
                provider=provider,
                key=(os.environ.get(known.variable) or stored_key(provider))
                if known and known.variable
                else "",
                base_url=os.environ.get("LARK_SHEETS_JUDGE_URL", ""),
                region=os.environ.get("LARK_SHEETS_JUDGE_REGION", ""),
                project=os.environ.get("LARK_SHEETS_JUDGE_PROJECT", ""),
            )
        )
    table = prices or root / "prices.csv"
    return AskingNeeds(
        judge=judge,
        ledger=SqliteLedger(root / LEDGER, clock.now),
        pace=RealPace(),
        progress=PlainProgress(),
        translate=translate,
        now=clock.now,
        prices=read_prices(table),
        price_table=table.name,
    )
