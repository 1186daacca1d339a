"""What calls cost, exactly: reserved at the worst before they are sent, settled by what was billed.

Money is counted in billionths of the currency (a price of 0.1 per million tokens is 100 of them per token), so that sums
are whole numbers. An unknown price is None and stays None: it is never zero.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from lark_sheets.core.judging.exchange import ModelRequest, Usage
from lark_sheets.core.judging.reasons import Mode

BILLION = 10**9
BYTES_PER_TOKEN = 3
"""A cautious guess without the service's own count, for any script (one Chinese character is three bytes); shown as an estimate."""
MESSAGE_OVERHEAD = 50
"""Tokens around the texts of one request, guessed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """One row of the price table: what one million tokens cost, for one provider, model and way of sending.

    ``above`` is the prompt size (tokens) beyond which the row applies; ``cache_write_hour`` that of a cache kept an hour.
    ``source``, ``as_of`` (ISO day from which it holds) and ``entered_by`` say where the figures come from.
    """

    provider: str
    model: str
    mode: Mode
    input: Fraction
    output: Fraction
    cache_read: Fraction | None = None
    cache_write: Fraction | None = None
    cache_write_hour: Fraction | None = None
    above: int = 0
    currency: str = "USD"
    source: str = ""
    as_of: str = ""
    entered_by: str = ""


def in_force(
    prices: Iterable[Price], *, provider: str, model: str, mode: Mode, day: dt.date, prompt: int = 0
) -> Price | None:
    """Return the row for exactly this provider, model and mode: the latest not after ``day``, the highest threshold below ``prompt``.

    A name that merely begins alike is another model. None when there is no row: the price is unknown.
    """
    mine = [
        p
        for p in prices
        if (p.provider, p.model, p.mode) == (provider, model, mode) and p.as_of <= day.isoformat()
    ]
    if not mine:
        return None
    latest = max(p.as_of for p in mine)
    fitting = [p for p in mine if p.as_of == latest and p.above < max(prompt, 1)]
    return max(fitting, key=lambda p: p.above) if fitting else None


def billionths(tokens: int, per_million: Fraction) -> Fraction:
    """Return what ``tokens`` cost, in billionths."""
    return tokens * per_million * 1000


def cost(usage: Usage, price: Price | None) -> int | None:
    """Return the cost of billed tokens, rounded up; None when the price, or a part of it that is needed, is unknown."""
    if price is None:
        return None
    parts = (
        (usage.input, price.input),
        (usage.output, price.output),
        (usage.cache_read, price.cache_read),
        (usage.cache_write, price.cache_write),
        (usage.cache_write_hour, price.cache_write_hour),
    )
    total = Fraction(0)
    for tokens, rate in parts:
        if tokens and rate is None:
            return None
        total += billionths(tokens, rate or Fraction(0))
    return ceil(total)


def worst_case(prompt: int, max_tokens: int, price: Price | None) -> int | None:
    """Return the most a call can cost: the whole prompt at its dearest rate and a reply of full length."""
    if price is None:
        return None
    dearest = max(price.input, price.cache_write or Fraction(0))
    return ceil(billionths(prompt, dearest) + billionths(max_tokens, price.output))


def guessed_tokens(request: ModelRequest) -> int:
    """Return a cautious guess of a request's prompt tokens from the length of its texts."""
    schema = "" if request.schema is None else str(request.schema)
    size = len((request.system + request.user + schema).encode("utf-8", "replace"))
    return ceil(size / BYTES_PER_TOKEN) + MESSAGE_OVERHEAD


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend:
    """What the ledger has cost so far, in billionths: ``settled`` was billed, ``held`` is the worst case of what is open
    or may have been billed; ``unpriced`` counts the billed calls whose price is unknown.
    """

    settled: int = 0
    held: int = 0
    unpriced: int = 0
    currency: str = "USD"

    def allows(self, reserve: int, budget: int | None) -> bool:
        """Say whether one more call stays within the budget at its worst."""
        return budget is None or self.settled + self.held + reserve <= budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a run would take. ``low`` and ``high`` are billionths, None when the price is unknown.

    ``counted`` says that the prompt tokens come from the service's own count; ``at_most`` that the length of replies is the
    limit for lack of experience, not a measured one.
    """

    calls: int
    cached: int
    settled: int
    interrupted: int
    pending: int
    prompt_tokens: int
    output_tokens: int
    counted: bool
    at_most: bool
    low: int | None
    high: int | None
    currency: str = "USD"
    price: Price | None = None


def estimate(
    requests: int,
    *,
    prompt_tokens: Sequence[int],
    system_tokens: int,
    output: int | None,
    max_tokens: int,
    price: Price | None,
    counted: bool,
    cached: int = 0,
    settled: int = 0,
    interrupted: int = 0,
    pending: int = 0,
) -> Estimate:
    """Estimate a run of ``requests`` calls from the prompt sizes of a sample.

    ``output`` is the 95th percentile of replies so far, None when there are none (then the limit stands for it). ``low``
    supposes that the fixed part (``system_tokens``) is read from the service's cache after the first call; ``high``
    that it never is.
    """
    mean = Fraction(sum(prompt_tokens), len(prompt_tokens)) if prompt_tokens else Fraction(0)
    prompt_total = ceil(mean * requests)
    per_reply = max_tokens if output is None else min(max_tokens, output)
    low = high = None
    if price is not None:
        replies = billionths(per_reply * requests, price.output)
        dearest = max(price.input, price.cache_write or Fraction(0))
        high = ceil(billionths(prompt_total, dearest) + replies)
        fixed = min(Fraction(system_tokens), mean) if price.cache_read is not None else Fraction(0)
        reread = fixed * max(requests - 1, 0)
        fresh = prompt_total - reread
        low = ceil(fresh * price.input * 1000 + reread * (price.cache_read or Fraction(0)) * 1000 + replies)
        low = min(low, high)
    return Estimate(
        calls=requests,
        cached=cached,
        settled=settled,
        interrupted=interrupted,
        pending=pending,
        prompt_tokens=prompt_total,
        output_tokens=per_reply * requests,
        counted=counted,
        at_most=output is None,
        low=low,
        high=high,
        currency="USD" if price is None else price.currency,
        price=price,
    )
