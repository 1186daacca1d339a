"""Wall time of 600 judge calls of 200 ms each, through the real library, ledger included, against a server on loopback.

`python benchmarks/judge_fanout.py [calls] [milliseconds]` prints, for 8 and 32 threads, the median of three runs, the ideal
(calls x time / threads, after one warm-up call), their ratio, and processor time per call; next to it the bare library in the same pool.
The server is a process of its own and waits without working. Start-up and imports are left out.
"""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from lark_sheets.adapters.anthropic_judge import AnthropicJudge, Service, connect
from lark_sheets.adapters.ledger import SqliteLedger
from lark_sheets.core.judging.exchange import Reply
from lark_sheets.locales import translator
from lark_sheets.usecases.asking import AskingNeeds
from lark_sheets.usecases.judge_plan import JudgeOptions, JudgePlan, plan_judging
from lark_sheets.usecases.judging import judge
from tests.core.judging.samples import config, reply, rubric, subjects

SERVER = """
import asyncio, sys
body = sys.argv[1].encode()
delay = float(sys.argv[2]) / 1000
head = b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: %d\\r\\n\\r\\n" % len(body)
async def serve(reader, writer):
    try:
        while True:
            request = (await reader.readuntil(b"\\r\\n\\r\\n")).lower()
            length = int(request.split(b"content-length:")[1].split(b"\\r\\n")[0])
            await reader.readexactly(length)
            await asyncio.sleep(delay)
            writer.write(head + body)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


class RealPace:
    """Time as it passes."""

    def time(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class Quiet:
    """No progress."""

    def step(self, text: str) -> None:
        pass


def now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def needs_for(service: AnthropicJudge, folder: str) -> AskingNeeds:
    return AskingNeeds(
        judge=service,
        ledger=SqliteLedger(Path(folder) / "ledger.sqlite", now),
        pace=RealPace(),
        progress=Quiet(),
        translate=translator("en"),
        now=now,
    )


def ours(service: AnthropicJudge, calls: int, threads: int) -> tuple[float, float]:
    """Wall and processor seconds of a whole run: plan, ledger, calls, summaries."""
    with tempfile.TemporaryDirectory() as folder:
        needs = needs_for(service, folder)
        options = JudgeOptions(concurrency=threads)
        subjects_ = subjects(*(f"K{n:04}-A" for n in range(calls)))
        wall, cpu = time.perf_counter(), time.process_time()
        run = judge(plan_judging(subjects_, rubric(), config(), options, needs), options, needs)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        assert sum(s.scored for s in run.summaries) == calls
        needs.ledger.close()
    return wall, cpu


def bare(service: AnthropicJudge, plan: JudgePlan, threads: int) -> tuple[float, float]:
    """The same requests through the library alone, in a pool of the same size."""
    wall, cpu = time.perf_counter(), time.process_time()
    service.ask(plan.tasks[0].request(4096))
    with ThreadPoolExecutor(threads) as pool:
        answers = list(pool.map(lambda task: service.ask(task.request(4096)), plan.tasks[1:]))
    assert all(isinstance(answer, Reply) for answer in answers)
    return time.perf_counter() - wall, time.process_time() - cpu


def main(calls: int = 600, milliseconds: float = 200) -> None:
    message = {
        "id": "msg",
        "type": "message",
        "role": "assistant",
        "model": "served-1",
        "content": [{"type": "text", "text": reply(rubric())}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 10, "output_tokens": 10},
    }
    command = [sys.executable, "-c", SERVER, json.dumps(message), str(milliseconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        print(
            f"{calls} calls of {milliseconds:g} ms: wall (median of 3), ideal, ratio, processor time per call"
        )
        for threads in (8, 32):
            ideal = (1 + (calls - 1) / threads) * milliseconds / 1000
            for name in ("bare library", "lark-sheets"):
                times = []
                for _ in range(3):
                    service = connect(Service(key="k", base_url=f"http://127.0.0.1:{port}"))
                    if name == "lark-sheets":
                        times.append(ours(service, calls, threads))
                    else:
                        with tempfile.TemporaryDirectory() as folder:
                            needs = needs_for(service, folder)
                            names = subjects(*(f"K{n:04}-A" for n in range(calls)))
                            plan = plan_judging(names, rubric(), config(), JudgeOptions(), needs)
                            times.append(bare(service, plan, threads))
                            needs.ledger.close()
                wall, cpu = median(t[0] for t in times), median(t[1] for t in times)
                print(
                    f"{threads:3} threads  {name:13} {wall:6.2f} s   {ideal:5.2f} s   {wall / ideal:4.2f}"
                    f"   {cpu / calls * 1000:5.2f} ms"
                )
        server.kill()


if __name__ == "__main__":
    main(*(float(word) if "." in word else int(word) for word in sys.argv[1:]))
