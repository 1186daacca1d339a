"""What we send, judged by servers that others wrote: run with `--full` where npm can install them, left out by default.

`@stdy/cli` refuses what a description forbids; the description is made from the request types of Anthropic's own library, closed
to unknown fields. `@copilotkit/aimock` is a second opinion on the shape of replies and errors. Neither judges.
"""

import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from lark_sheets.adapters.anthropic_judge import Service, connect
from lark_sheets.adapters.anthropic_judge.judge import parameters
from lark_sheets.core.judging.config import JudgeConfig
from lark_sheets.core.judging.exchange import BatchStatus, Fault, Reply
from lark_sheets.core.judging.parsing import Opinion, read_reply
from lark_sheets.core.judging.prompting import prompt_for
from lark_sheets.core.judging.reasons import Reason
from tests.adapters.judge.stub import KEY
from tests.conftest import ROOT
from tests.core.judging.samples import RUBRICS, config, reply, rubric, subject

pytestmark = [pytest.mark.slow, pytest.mark.contract]
TOOLS = {"@stdy/cli": "0.22.2", "@copilotkit/aimock": "1.43.0"}
READY_WITHIN = 60
OK = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [{"type": "text", "text": "{}"}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 1, "output_tokens": 1},
}
BATCH = {
    "id": "msgbatch_1",
    "type": "message_batch",
    "processing_status": "in_progress",
    "request_counts": {"processing": 1, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0},
    "created_at": "2026-11-29T12:00:00Z",
    "expires_at": "2026-11-30T12:00:00Z",
}


@pytest.fixture(scope="session")
def tools() -> Path:
    """The programs, installed once under build/ (which is ignored); skipped where npm or its registry is not there."""
    folder = ROOT / "build" / "contract-tools"
    binaries = folder / "node_modules" / ".bin"
    if not (binaries / "steady").exists() or not (binaries / "llmock").exists():
        if shutil.which("npm") is None:
            pytest.skip("npm is not installed")
        folder.mkdir(parents=True, exist_ok=True)
        wanted = [f"{name}@{version}" for name, version in TOOLS.items()]
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *wanted]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode:
            pytest.skip(f"npm could not install the servers: {done.stderr.strip().splitlines()[-1:]}")
    return binaries


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def serve(command, port):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + READY_WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process
    process.kill()
    raise AssertionError(f"{command[0]} did not start")


def closed(node):
    """A schema whose objects take no field that is not described."""
    if isinstance(node, dict):
        node = {name: closed(inner) for name, inner in node.items()}
        if node.get("type") == "object" and node.get("properties"):
            node["additionalProperties"] = False
    return [closed(inner) for inner in node] if isinstance(node, list) else node


@pytest.fixture(scope="module")
def description(tmp_path_factory) -> Path:
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
    from anthropic.types.messages.batch_create_params import BatchCreateParams
    from pydantic import TypeAdapter

    paths, parts = {}, {}
    for path, kind, answer in (
        ("/v1/messages", MessageCreateParamsNonStreaming, OK),
        ("/v1/messages/batches", BatchCreateParams, BATCH),
    ):
        schema = closed(TypeAdapter(kind).json_schema(ref_template="#/components/schemas/{model}"))
        parts |= schema.pop("$defs")
        content = {"application/json": {"schema": {"type": "object"}, "example": answer}}
        paths[path] = {
            "post": {
                "operationId": path.rpartition("/")[2],
                "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
                "responses": {"200": {"description": "ok", "content": content}},
            }
        }
    file = tmp_path_factory.mktemp("contract") / "openapi.json"
    whole = {
        "openapi": "3.1.0",
        "info": {"title": "messages", "version": "1"},
        "paths": paths,
        "components": {"schemas": parts},
    }
    file.write_text(json.dumps(whole), "utf-8")
    return file


@pytest.fixture(scope="module")
def steady(tools, description):
    port = free_port()
    process = serve(
        [str(tools / "steady"), "-q", "-p", str(port), "--host", "127.0.0.1", str(description)], port
    )
    yield f"http://127.0.0.1:{port}"
    process.kill()
    process.wait()


def post(url, body) -> int:
    call = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(call, timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.parametrize("name", RUBRICS)
@pytest.mark.parametrize("effort", ["", "low"])
def test_every_rubrics_request_is_accepted(steady, name, effort):
    judge = connect(Service(key=KEY, base_url=steady))
    request = prompt_for(rubric(name), config(effort=effort, policy="Rules.")).request(subject(), nonce="n")
    assert isinstance(judge.ask(request), Reply)


def test_a_request_for_a_response_is_accepted(steady):
    judge = connect(Service(key=KEY, base_url=steady))
    assert isinstance(judge.ask(JudgeConfig(model="m").request(system="", user="hello", schema=None)), Reply)


def test_a_batch_is_accepted(steady):
    judge = connect(Service(key=KEY, base_url=steady))
    request = prompt_for(rubric(), config()).request(subject(), nonce="n")
    assert isinstance(judge.submit({"a" * 64: request}), BatchStatus)


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 0},
        {"top_p": 1},
        {"top_k": 5},
        {"made_up": 1},
        {"output_config": {"format": {"type": "json_schemas", "schema": {}}}},
        {"output_config": {"efforts": "low"}},
        {"max_tokens": "many"},
    ],
)
def test_the_server_would_have_refused_what_we_must_not_send(steady, change):
    """Without this, acceptance would mean nothing."""
    body = parameters(prompt_for(rubric(), config()).request(subject(), nonce="n"))
    assert post(f"{steady}/v1/messages", body) == 200
    assert post(f"{steady}/v1/messages", body | change) == 400


@pytest.fixture(scope="module")
def aimock(tools, tmp_path_factory):
    fixtures = [
        {"match": {"userMessage": "K01-A"}, "response": {"content": reply(rubric())}},
        {
            "match": {"userMessage": "K01-B"},
            "response": {"error": {"message": "busy", "type": "overloaded_error"}, "status": 529},
        },
        {
            "match": {"userMessage": "K01-C"},
            "response": {"error": {"message": "slow", "type": "rate_limit_error"}, "status": 429},
        },
        {
            "match": {"userMessage": "K01-D"},
            "response": {"content": '{"strengths": "', "finishReason": "length"},
        },
    ]
    file = tmp_path_factory.mktemp("aimock") / "fixtures.json"
    file.write_text(json.dumps({"fixtures": fixtures}), "utf-8")
    port = free_port()
    process = serve([str(tools / "llmock"), "-p", str(port), "-f", str(file), "--log-level", "silent"], port)
    yield connect(Service(key=KEY, base_url=f"http://127.0.0.1:{port}"))
    process.kill()
    process.wait()


def ask(judge, name):
    return judge.ask(prompt_for(rubric(), config()).request(subject(name), nonce="n"))


def test_another_servers_replies_and_errors_have_the_same_names(aimock):
    assert isinstance(read_reply(ask(aimock, "K01-A"), rubric()), Opinion)
    faults = [ask(aimock, name) for name in ("K01-B", "K01-C")]
    assert all(isinstance(f, Fault) for f in faults)
    assert [f.reason for f in faults] == [Reason.OVERLOADED, Reason.RATE_LIMITED]
    assert read_reply(ask(aimock, "K01-D"), rubric()).reason is Reason.TRUNCATED
