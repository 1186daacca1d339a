"""The machine's clock, its error stream, its time to wait."""

from __future__ import annotations

import datetime as dt
import os
import sys
import time


class SystemClock:
    """The machine's time, or the one of SOURCE_DATE_EPOCH where output must be the same every time."""

    def now(self) -> dt.datetime:
        """Return the time with its zone."""
        fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
        if fixed.isdecimal():
            return dt.datetime.fromtimestamp(int(fixed), tz=dt.UTC)
        return dt.datetime.now().astimezone()


class FixedTime:
    """A time that does not move, for the demo."""

    def __init__(self, moment: dt.datetime) -> None:
        self.moment = moment

    def now(self) -> dt.datetime:
        """Return the fixed time."""
        return self.moment


class PlainProgress:
    """Says on the error stream what begins, one line a step, so that standard output stays for results."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet

    def step(self, text: str) -> None:
        """Print one step."""
        if not self.quiet:
            print(f"  {text} ...", file=sys.stderr, flush=True)


class RealPace:
    """Waiting that takes its time."""

    def time(self) -> float:
        """Return seconds on a clock that only moves forward."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)
