"""A loopback server that answers like the Messages API: scripted replies and faults, a journal, and checks of every request.

It refuses what the real service refuses (sampling parameters, a reply begun by the caller, an unknown field, a schema
keyword that is not supported, a missing bearer token), so that a passing test means that the request was well formed. It
does not judge: a reply is built from the schema that was sent. Nothing here shows that a judge is good.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections import defaultdict
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-stub-secret-0123456789"
FIELDS = {"model", "max_tokens", "messages", "system", "output_config"}
COUNT_FIELDS = FIELDS - {"max_tokens"}
SCHEMA_WORDS = {"type", "enum", "properties", "required", "additionalProperties", "items", "anyOf", "const"}
USAGE = {
    "input_tokens": 100,
    "output_tokens": 50,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 900,
    "service_tier": "standard",
}


@dataclass(frozen=True)
class Play:
    """What the server does with one request. ``text`` None builds a valid reply, with ``grades`` in place of the top levels."""

    status: int = 200
    text: str | None = None
    grades: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    stop: str | None = "end_turn"
    headers: dict[str, str] = field(default_factory=dict)
    content: list[dict[str, Any]] | None = None
    usage: dict[str, Any] | None = field(default_factory=lambda: dict(USAGE))
    served: str = "served-model-1"
    raw: bytes | None = None
    content_type: str = "application/json"
    cut: str = ""
    """"before" closes the connection before the headers, "middle" inside the body, "silent" answers nothing at all."""
    error: str = ""
    details: dict[str, Any] | None = None


def fault(status: int, kind: str, message: str = "scripted", **headers: str) -> Play:
    return Play(
        status=status, error=f"{kind}|{message}", headers={k.replace("_", "-"): v for k, v in headers.items()}
    )


OK = Play()
RATE = fault(429, "rate_limit_error", retry_after="2")
OVERLOADED = fault(529, "overloaded_error", "Overloaded")
BROKEN = fault(500, "api_error", "boom")
BAD = fault(400, "invalid_request_error", "scripted refusal of this request")


@dataclass(frozen=True)
class Sent:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def data(self) -> dict[str, Any]:
        """The JSON object that the user message starts with."""
        return data_of(self.body)


def data_of(params: dict[str, Any]) -> dict[str, Any]:
    text = params["messages"][0]["content"]
    value, _ = json.JSONDecoder().raw_decode(text)
    return value


class Script:
    """What to play, and what came. Reset between tests; the server itself lives for the whole session."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.reset()

    def reset(self) -> None:
        self.queue: list[Play] = []
        self.default = OK
        self.by_response: dict[str, list[Play]] = {}
        self.journal: list[Sent] = []
        self.violations: list[str] = []
        self.release = threading.Event()
        self.batches: dict[str, dict[str, Any]] = {}
        self.batch_lines: Any = None
        self.polls_before_end = 0
        self.tokens: int | None = 1234
        self.counts: dict[str, int] = defaultdict(int)

    def next_play(self, params: dict[str, Any]) -> Play:
        with self.lock:
            try:
                response = data_of(params).get("response", "")
            except ValueError:
                response = params["messages"][0]["content"]
            for marker, plays in self.by_response.items():
                if marker in response and plays:
                    return plays.pop(0)
            return self.queue.pop(0) if self.queue else self.default

    @property
    def asked(self) -> list[Sent]:
        """The requests for one message, in the order of their arrival."""
        return [sent for sent in self.journal if sent.path == "/v1/messages"]


def violation(params: dict[str, Any], allowed: set[str]) -> str:
    """Why the service would refuse these parameters, or nothing."""
    if bad := sorted({"temperature", "top_p", "top_k"} & set(params)):
        return f"{bad[0]}: Extra inputs are not permitted"
    if strange := sorted(set(params) - allowed):
        return f"{strange[0]}: Extra inputs are not permitted"
    messages = params.get("messages")
    if not isinstance(messages, list) or not messages or messages[-1].get("role") != "user":
        return "messages: the last one must be the user's"
    if not isinstance(params.get("model"), str) or not params["model"]:
        return "model: required"
    if "max_tokens" in allowed and not (
        isinstance(params.get("max_tokens"), int) and params["max_tokens"] > 0
    ):
        return "max_tokens: required"
    for block in params.get("system", []):
        if set(block) - {"type", "text", "cache_control"} or not block.get("text"):
            return "system: malformed block"
    output = params.get("output_config", {})
    if set(output) - {"format", "effort"} or output.get("effort", "low") not in (
        "low",
        "medium",
        "high",
        "xhigh",
        "max",
    ):
        return "output_config: malformed"
    if "format" in output:
        return schema_violation(output["format"].get("schema"))
    return ""


def schema_violation(node: Any) -> str:
    if not isinstance(node, dict):
        return "schema: not an object"
    if strange := sorted(set(node) - SCHEMA_WORDS):
        return f"schema: {strange[0]} is not supported"
    if node.get("type") == "object":
        if node.get("additionalProperties") is not False:
            return "schema: additionalProperties must be false"
        for inner in node.get("properties", {}).values():
            if wrong := schema_violation(inner):
                return wrong
    return ""


def valid_text(params: dict[str, Any], play: Play) -> str:
    """A reply that fits the schema: top levels, first labels, unless the script says otherwise."""
    output = params.get("output_config", {}).get("format")
    if output is None:
        return f"Answer to: {params['messages'][0]['content'][:200]}"
    properties = output["schema"]["properties"]
    criteria = {}
    for name, one in properties["criteria"]["properties"].items():
        levels = one["properties"]["grade"]["enum"]
        top = max(levels) if isinstance(levels[0], int) else levels[0]
        criteria[name] = {"finding": "as seen", "evidence": "quoted", "grade": play.grades.get(name, top)}
    value = {
        "strengths": "clear",
        "weaknesses": "thin",
        "criteria": criteria,
        "influence_attempt": False,
        "reasoning": "fits the anchors",
    }
    if "verdict" in properties:
        value["verdict"] = properties["verdict"]["enum"][0]
    return json.dumps(value | play.extra, ensure_ascii=False)


def message(params: dict[str, Any], play: Play) -> dict[str, Any]:
    text = valid_text(params, play) if play.text is None else play.text
    value = {
        "id": "msg_stub",
        "type": "message",
        "role": "assistant",
        "model": play.served,
        "content": [{"type": "text", "text": text}] if play.content is None else play.content,
        "stop_reason": play.stop,
        "stop_sequence": None,
        "stop_details": play.details,
        "usage": play.usage,
    }
    if play.usage is None:
        del value["usage"]
    return value


def error_body(kind: str, text: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": text}, "request_id": "req_stub"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *args: Any) -> None:
        pass

    @property
    def script(self) -> Script:
        return self.server.script

    def do_GET(self) -> None:
        if self._record({}) and self._allowed():
            self._batches_get()

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        if not self._record(body) or not self._allowed():
            return
        if self.path == "/v1/messages/count_tokens":
            if wrong := violation(body, COUNT_FIELDS):
                self._refuse(wrong)
            elif self.script.tokens is None:
                self._send(404, error_body("not_found_error", "no counting here"))
            else:
                self._send(200, {"input_tokens": self.script.tokens})
        elif self.path == "/v1/messages/batches":
            self._batch_create(body)
        else:
            cloud = (
                {"anthropic_version"} if self.path != "/v1/messages" else set()
            )  # there the model is in the path
            named = body if not cloud else {"model": self.path, **body}
            if wrong := violation(named, FIELDS | cloud):
                self._refuse(wrong)
                return
            self._perform(self.script.next_play(body), body)

    def _record(self, body: dict[str, Any]) -> bool:
        headers = {k.lower(): v for k, v in self.headers.items()}
        with self.script.lock:
            self.script.journal.append(Sent(self.command, self.path, headers, body))
        return True

    def _allowed(self) -> bool:
        if self.headers.get("authorization") == f"Bearer {self.server.key}":
            return True
        self._send(401, error_body("authentication_error", "invalid bearer token"))
        return False

    def _refuse(self, wrong: str) -> None:
        self.script.violations.append(wrong)
        self._send(400, error_body("invalid_request_error", wrong))

    def _perform(self, play: Play, body: dict[str, Any]) -> None:
        if play.cut == "silent":
            self.script.release.wait(20)
            self._drop()
            return
        if play.cut == "before":
            self._drop()
            return
        if play.error:
            kind, _, text = play.error.partition("|")
            self._send(play.status, error_body(kind, text), play.headers)
            return
        raw = play.raw if play.raw is not None else json.dumps(message(body, play)).encode()
        self._send(
            play.status, None, play.headers, raw=raw, content_type=play.content_type, cut=play.cut == "middle"
        )

    def _send(
        self, status, value, headers=None, *, raw=None, content_type="application/json", cut=False
    ) -> None:
        body = raw if raw is not None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        self.send_header("request-id", f"req_{len(self.script.journal)}")
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        self.wfile.flush()
        if cut:
            self._drop()

    def _drop(self) -> None:
        """Close with a reset, as a cable that is pulled."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    # -- batches ----------------------------------------------------------------------------------------------------

    def _batch_create(self, body: dict[str, Any]) -> None:
        for line in body.get("requests", []):
            if wrong := violation(line["params"], FIELDS):
                self._refuse(wrong)
                return
            if not 1 <= len(line["custom_id"]) <= 64:
                self._refuse("custom_id: at most 64 characters")
                return
        play = self.script.queue.pop(0) if self.script.queue else OK
        name = f"msgbatch_{len(self.script.batches) + 1}"
        if play.status == 200:
            self.script.batches[name] = {"requests": body["requests"], "polls": 0}
        if play is OK or (play.status == 200 and not play.cut):
            self._send(200, self._status(name))
        else:
            self._perform(play, body)

    def _status(self, name: str) -> dict[str, Any]:
        batch = self.script.batches[name]
        ended = batch["polls"] > self.script.polls_before_end
        count = len(batch["requests"])
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {
                "processing": 0 if ended else count,
                "succeeded": count if ended else 0,
                "errored": 0,
                "canceled": 0,
                "expired": 0,
            },
            "created_at": "2026-11-29T12:00:05Z",
            "expires_at": "2026-11-30T12:00:05Z",
            "ended_at": "2026-11-29T13:00:00Z" if ended else None,
            "results_url": f"{self.server.url}/v1/messages/batches/{name}/results" if ended else None,
            "archived_at": None,
            "cancel_initiated_at": None,
        }

    def _batches_get(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/v1/messages/batches":
            names = list(self.script.batches)[::-1]
            page = [self._status(name) for name in names]
            self._send(200, {"data": page, "has_more": False, "first_id": None, "last_id": None})
            return
        name, _, rest = path.removeprefix("/v1/messages/batches/").partition("/")
        if name not in self.script.batches:
            self._send(404, error_body("not_found_error", f"no batch {name}"))
            return
        batch = self.script.batches[name]
        if rest == "results":
            requests = batch["requests"]
            lines = (
                self.script.batch_lines(requests)
                if self.script.batch_lines
                else [succeeded(r) for r in requests]
            )
            raw = "".join(json.dumps(line) + "\n" for line in lines).encode()
            self._send(200, None, raw=raw, content_type="application/x-jsonl")
            return
        batch["polls"] += 1
        self._send(200, self._status(name))


def succeeded(request: dict[str, Any], play: Play = OK) -> dict[str, Any]:
    """One line of a batch's results: a message."""
    return {
        "custom_id": request["custom_id"],
        "result": {"type": "succeeded", "message": message(request["params"], play)},
    }


def failed(request: dict[str, Any], kind: str, error: str = "api_error") -> dict[str, Any]:
    """One line of a batch's results: errored, canceled or expired."""
    result: dict[str, Any] = {"type": kind}
    if kind == "errored":
        result["error"] = error_body(error, "scripted")
    return {"custom_id": request["custom_id"], "result": result}


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, key: str = KEY) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.key = key
        self.script = Script()
        self.url = f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no fault of the server."""


def start() -> Server:
    server = Server()
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    return server
