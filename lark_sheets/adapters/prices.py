"""The price table: a CSV file that its owner edits; proposals from the package genai-prices, never entered silently."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lark_sheets.core.judging.money import Price
from lark_sheets.core.judging.reasons import Mode
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError, MissingPiece, Problem

COLUMNS = (
    "provider",
    "model",
    "mode",
    "above_prompt_tokens",
    "input",
    "output",
    "cache_read",
    "cache_write",
    "cache_write_hour",
    "currency",
    "source",
    "as_of",
    "entered_by",
)
"""Rates are for one million tokens. ``mode`` is live or batch; a row counts from the day ``as_of`` (ISO) on."""

RATES = ("input", "output", "cache_read", "cache_write", "cache_write_hour")
NEEDED = ("provider", "model", "mode", "input", "output", "as_of")
EXTRA = "genai-prices"


def read_prices(path: Path) -> tuple[Price, ...]:
    """Return the rows of a price table; none where there is no file.

    Raises :class:`DataError` with every cell that cannot stand: a price that is no number is refused, never taken for zero.
    """
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        return ()
    faults: list[Problem] = []
    rows = []
    for number, cells in enumerate(csv.DictReader(io.StringIO(text)), 2):
        found = _Row(path.name, number, cells, faults)
        rows.append(found.price())
    if faults:
        raise DataError(*faults)
    return tuple(row for row in rows if row is not None)


class _Row:
    """One row being read; what is wrong in it is added to the common list."""

    def __init__(
        self, file: str, number: int, cells: Mapping[str, str | None], faults: list[Problem]
    ) -> None:
        self.file, self.number, self.cells, self.faults = file, number, cells, faults

    def text(self, column: str) -> str:
        return (self.cells.get(column) or "").strip()

    def refuse(self, column: str, allowed: str) -> None:
        found = self.text(column)
        self.faults.append(
            problem(
                "price_fault", file=self.file, found=found, column=column, row=self.number, allowed=allowed
            )
        )

    def rate(self, column: str) -> Fraction | None:
        text = self.text(column)
        if not text and column not in NEEDED:
            return None
        try:
            value = Fraction(text)
        except (ValueError, ZeroDivisionError):
            value = Fraction(-1)
        if value < 0:
            self.refuse(column, "0.25, 10 ...")
        return value

    def price(self) -> Price | None:
        before = len(self.faults)
        if not any(self.text(column) for column in COLUMNS):
            return None
        for column in ("provider", "model"):
            if not self.text(column):
                self.refuse(column, "the exact name")
        if self.text("mode") not in tuple(Mode):
            self.refuse("mode", ", ".join(Mode))
        above = self.text("above_prompt_tokens") or "0"
        if not above.isdecimal():
            self.refuse("above_prompt_tokens", "0, 100000 ...")
        try:
            dt.date.fromisoformat(self.text("as_of"))
        except ValueError:
            self.refuse("as_of", "2026-11-29")
        rates = {column: self.rate(column) for column in RATES}
        if len(self.faults) > before:
            return None
        return Price(
            provider=self.text("provider"),
            model=self.text("model"),
            mode=Mode(self.text("mode")),
            above=int(above),
            input=rates["input"] or Fraction(0),
            output=rates["output"] or Fraction(0),
            cache_read=rates["cache_read"],
            cache_write=rates["cache_write"],
            cache_write_hour=rates["cache_write_hour"],
            currency=self.text("currency") or "USD",
            source=self.text("source"),
            as_of=self.text("as_of"),
            entered_by=self.text("entered_by"),
        )


def price_table(prices: Sequence[Price]) -> str:
    """Return the text of a price table, to be written whole."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(COLUMNS)
    for p in prices:
        rates = [_decimal(getattr(p, name)) for name in RATES]
        writer.writerow(
            [p.provider, p.model, str(p.mode), p.above, *rates, p.currency, p.source, p.as_of, p.entered_by]
        )
    return target.getvalue()


def _decimal(rate: Fraction | None) -> str:
    return "" if rate is None else str(float(rate)) if rate.denominator != 1 else str(rate.numerator)


def propose(provider: str, model: str, *, today: dt.date, entered_by: str) -> tuple[Price, ...]:
    """Return rows for exactly this model from the installed genai-prices, live and (where it is listed) batch.

    The rows are for a person to accept. None for a model that the package does not list under this very name: a name that
    merely begins alike is another model. Raises :class:`MissingPiece` when the package is not installed.
    """
    try:
        snapshot = import_module("genai_prices.data_snapshot").get_snapshot()
    except ModuleNotFoundError as error:
        raise MissingPiece(
            problem("judge_missing_library", provider=provider, found=EXTRA, extra=EXTRA)
        ) from error
    try:
        owner, listed = snapshot.find_provider_model(model, None, provider, None)
    except LookupError:
        return ()
    if (owner.id, listed.id) != (provider, model):
        return ()
    base = Price(
        provider=provider,
        model=model,
        mode=Mode.LIVE,
        input=Fraction(0),
        output=Fraction(0),
        source=f"genai-prices {version('genai-prices')}",
        as_of=today.isoformat(),
        entered_by=entered_by,
    )
    now = dt.datetime.combine(today, dt.time(12), tzinfo=dt.UTC)
    rows = _tiers(listed.get_prices(now), base)
    batch = any(variant.when == {"processing": "batch"} for variant in listed.price_variants or ())
    if batch:
        rows += _tiers(listed.get_prices(now, {"processing": "batch"}), replace(base, mode=Mode.BATCH))
    return tuple(rows)


_THEIRS = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cache_read": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
    "cache_write_hour": "cache_write_1h_mtok",
}


def _tiers(prices: Any, base: Price) -> list[Price]:
    """Return one row for each prompt size at which a rate changes; none where the main rates are not listed."""
    found: dict[str, Any] = {ours: getattr(prices, theirs, None) for ours, theirs in _THEIRS.items()}
    if found["input"] is None or found["output"] is None:
        return []
    starts = {0} | {tier.start for rate in found.values() for tier in getattr(rate, "tiers", ())}
    rows = []
    for start in sorted(starts):
        rates: dict[str, Any] = {name: _at(rate, start) for name, rate in found.items()}
        rows.append(replace(base, above=start, **rates))
    return rows


def _at(rate: Any, start: int) -> Fraction | None:
    if rate is None:
        return None
    value = getattr(rate, "base", rate)
    for tier in getattr(rate, "tiers", ()):
        if tier.start <= start:
            value = tier.price
    return Fraction(value)
