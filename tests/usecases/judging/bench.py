"""What the tests of the judge's use cases share: a clock that stands, waiting that does not wait, and the needs put together."""

import datetime as dt
import threading
from fractions import Fraction

from lark_sheets.adapters.ledger import SqliteLedger
from lark_sheets.core.judging.money import Price
from lark_sheets.core.judging.reasons import Mode
from lark_sheets.locales import translator
from lark_sheets.usecases.asking import AskingNeeds
from lark_sheets.usecases.judge_plan import JudgeOptions, plan_judging
from lark_sheets.usecases.judging import judge
from tests.core.judging.samples import MODEL, config, rubric, subjects

NOW = dt.datetime(2026, 11, 29, 12, tzinfo=dt.UTC)


class Pace:
    """Time that moves only when somebody waits; what was waited for is kept."""

    def __init__(self):
        self.clock = 0.0
        self.waits = []
        self.lock = threading.Lock()

    def time(self):
        with self.lock:
            return self.clock

    def sleep(self, seconds):
        with self.lock:
            self.clock += seconds
            self.waits.append(seconds)


class Progress:
    def __init__(self):
        self.steps = []

    def step(self, text):
        self.steps.append(text)


def price(mode=Mode.LIVE, model=MODEL, **changes):
    base = {
        "provider": "anthropic",
        "model": model,
        "mode": mode,
        "input": Fraction(2),
        "output": Fraction(10),
        "cache_read": Fraction(1, 5),
        "cache_write": Fraction(5, 2),
        "as_of": "2026-01-01",
    }
    return Price(**base | changes)


PRICES = (
    price(),
    price(
        Mode.BATCH,
        input=Fraction(1),
        output=Fraction(5),
        cache_read=Fraction(1, 10),
        cache_write=Fraction(5, 4),
    ),
)


class Bench:
    """One campaign folder's worth of judging: a ledger in a file, opened anew when a test wants a second command."""

    def __init__(self, path, judge, *, prices=PRICES, language="en"):
        self.path = path
        self.pace = Pace()
        self.progress = Progress()
        self.moment = NOW
        self.count = 0
        self.ledger = SqliteLedger(path, lambda: self.moment)
        self.needs = AskingNeeds(
            judge=judge,
            ledger=self.ledger,
            pace=self.pace,
            progress=self.progress,
            translate=translator(language),
            now=lambda: self.moment,
            prices=prices,
            nonce=self._nonce,
        )

    def _nonce(self):
        self.count += 1
        return f"nonce-{self.count}"

    def plan(self, names=("K01-A", "K01-B"), *, of=None, settings=None, options=None, inputs=None, **kind):
        chosen = inputs if inputs is not None else subjects(*names)
        return plan_judging(
            chosen,
            of or rubric(),
            settings or config(),
            options or JudgeOptions(concurrency=1),
            self.needs,
            **kind,
        )

    def run(self, names=("K01-A", "K01-B"), *, of=None, settings=None, options=None, inputs=None, **kind):
        options = options or JudgeOptions(concurrency=1)
        plan = self.plan(names, of=of, settings=settings, options=options, inputs=inputs, **kind)
        return judge(plan, options, self.needs)

    def close(self):
        self.ledger.close()


def codes(problems):
    return [p.code for p in problems]


def one(problems, code):
    found = [p for p in problems if p.code == code]
    assert len(found) == 1, codes(problems)
    return found[0]
