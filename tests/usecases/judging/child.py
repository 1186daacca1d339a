"""A second command, as a process of its own: judges N responses against the stub, with a light client in place of the library.

Arguments: ledger, address, number of responses, threads, "yes" for consent. Prints "ready", waits for a line, then prints what came.
"""

import datetime as dt
import json
import sys
import time
import urllib.request
from pathlib import Path

from lark_sheets.adapters.ledger import SqliteLedger
from lark_sheets.core.judging.exchange import Fault, Reply, Usage
from lark_sheets.core.judging.reasons import Reason
from lark_sheets.locales import translator
from lark_sheets.usecases.asking import AskingNeeds
from lark_sheets.usecases.judge_plan import JudgeOptions, plan_judging
from lark_sheets.usecases.judging import judge
from tests.adapters.judge.stub import KEY
from tests.core.judging.samples import config, rubric, subjects


class LightJudge:
    provider, recorded, batches = "anthropic", False, False

    def __init__(self, url):
        self.url = url

    def ask(self, request):
        body = {
            "model": request.model,
            "max_tokens": request.max_tokens,
            "messages": [{"role": "user", "content": request.user}],
            "output_config": {"format": {"type": "json_schema", "schema": request.schema}},
        }
        headers = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}
        call = urllib.request.Request(f"{self.url}/v1/messages", json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(call, timeout=request.timeout) as answer:
                value = json.loads(answer.read())
        except OSError as error:
            return Fault(reason=Reason.NETWORK, detail=str(error), may_be_billed=True)
        usage = Usage(input=value["usage"]["input_tokens"], output=value["usage"]["output_tokens"])
        text = value["content"][0]["text"]
        return Reply(text=text, stop_reason=value["stop_reason"], served=value["model"], usage=usage)

    def conditions(self):
        return {}


class RealPace:
    def time(self):
        return time.monotonic()

    def sleep(self, seconds):
        time.sleep(seconds)


class Quiet:
    def step(self, text):
        pass


def main(ledger, url, count, threads, consent):
    def now():
        return dt.datetime.now(dt.UTC)

    needs = AskingNeeds(
        judge=LightJudge(url),
        ledger=SqliteLedger(Path(ledger), now),
        pace=RealPace(),
        progress=Quiet(),
        translate=translator("en"),
        now=now,
    )
    options = JudgeOptions(concurrency=int(threads), consent=consent == "yes")
    plan = plan_judging(subjects(*names(int(count))), rubric(), config(), options, needs)
    print("ready", flush=True)
    sys.stdin.readline()
    run = judge(plan, options, needs)
    print(
        json.dumps(
            {
                "scored": sum(s.scored for s in run.summaries),
                "reasons": {r: n for s in run.summaries for r, n in s.reasons.items()},
                "spent": run.spent,
                "problems": {p.code: p.parameters.get("count") for p in run.problems},
            }
        ),
        flush=True,
    )


def names(count):
    return [f"K{n:03}-A" for n in range(count)]


if __name__ == "__main__":
    main(*sys.argv[1:])
