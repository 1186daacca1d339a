"""The adapter through the real library against the stub: every way in which a call can go wrong has its name."""

import json
import logging

import pytest
from anthropic import transform_schema

from lark_sheets.adapters.anthropic_judge import Service, connect
from lark_sheets.adapters.anthropic_judge.faults import retry_after, shown
from lark_sheets.core.judging.exchange import Fault, ModelRequest, Reply, Usage
from lark_sheets.core.judging.parsing import Opinion, read_reply
from lark_sheets.core.judging.prompting import REMINDER, prompt_for
from lark_sheets.core.judging.reasons import Reason
from lark_sheets.core.judging.schema import output_schema
from lark_sheets.errors import MissingPiece, UsageError
from tests.adapters.judge.fixtures import server
from tests.adapters.judge.stub import (
    BAD,
    BROKEN,
    KEY,
    OVERLOADED,
    RATE,
    Play,
    data_of,
    failed,
    fault,
    succeeded,
)
from tests.core.judging.samples import RUBRICS, config, reply, rubric, subject

LARK = rubric()
PROMPT = prompt_for(LARK, config(policy="Returns within 30 days."))


def request(**changes):
    return PROMPT.request(subject(**changes), nonce="abc")


def asked(judge, stub, *plays, timeout=None):
    stub.queue.extend(plays)
    one = request()
    if timeout:
        one = ModelRequest(
            **{name: getattr(one, name) for name in one.__dataclass_fields__} | {"timeout": timeout}
        )
    return judge.ask(one)


def fields_in_order(schema):
    return [(name, fields_in_order(inner)) for name, inner in schema.get("properties", {}).items()]


@pytest.mark.parametrize("name", RUBRICS)
def test_the_librarys_own_transformation_leaves_every_schema_as_it_is(name):
    """Nothing of ours would be dropped into a description, and the order of the fields stays."""
    schema = output_schema(rubric(name))
    transformed = transform_schema(schema)
    assert transformed == schema
    assert fields_in_order(transformed) == fields_in_order(schema)


def test_what_is_sent(judge, stub):
    """Model, limit, fixed text marked for the cache, one user message, the schema: nothing else."""
    assert isinstance(asked(judge, stub), Reply)
    (sent,) = stub.asked
    assert sent.body == {
        "model": "judge-model-1",
        "max_tokens": 4096,
        "system": [{"type": "text", "text": PROMPT.system, "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": sent.body["messages"][0]["content"]}],
        "output_config": {"format": {"type": "json_schema", "schema": PROMPT.schema}},
    }
    assert json.dumps(sent.body["output_config"]["format"]["schema"]) == json.dumps(PROMPT.schema)  # in order
    assert list(sent.data) == ["nonce", "ticket", "reply_language", "reference", "response"]
    assert sent.body["messages"][0]["content"].endswith(REMINDER)
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.headers["anthropic-version"]
    assert sent.headers.get("x-stainless-retry-count", "0") == "0"


def test_effort_is_sent_only_when_it_is_set(judge, stub):
    judge.ask(prompt_for(LARK, config(effort="low")).request(subject(), nonce=""))
    assert stub.asked[0].body["output_config"]["effort"] == "low"


@pytest.mark.parametrize("name", RUBRICS)
def test_a_valid_reply_is_read_to_the_end(judge, stub, name):
    ours = rubric(name)
    got = judge.ask(prompt_for(ours, config()).request(subject(), nonce=""))
    assert isinstance(read_reply(got, ours), Opinion)
    assert (got.stop_reason, got.served) == ("end_turn", "served-model-1")
    assert got.request_id == "req_1"
    assert got.usage == Usage(input=100, output=50, cache_read=900)


def test_all_kinds_of_tokens_are_told_apart(judge, stub):
    usage = {
        "input_tokens": 1,
        "output_tokens": 20,
        "cache_creation_input_tokens": 30,
        "cache_read_input_tokens": 4,
        "cache_creation": {"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 20},
        "output_tokens_details": {"thinking_tokens": 15},
    }
    got = asked(judge, stub, Play(usage=usage))
    assert got.usage == Usage(
        input=1, output=20, cache_write=10, cache_write_hour=20, cache_read=4, thinking=15
    )


def test_thinking_comes_before_the_text_and_is_not_read(judge, stub):
    thinking = {"type": "thinking", "thinking": '{"grade": 0}', "signature": "s"}
    got = asked(judge, stub, Play(content=[thinking, {"type": "text", "text": reply(LARK)}]))
    assert isinstance(read_reply(got, LARK), Opinion)


def test_text_in_two_blocks_is_one_text(judge, stub):
    whole = reply(LARK)
    blocks = [{"type": "text", "text": whole[:50]}, {"type": "text", "text": whole[50:]}]
    assert asked(judge, stub, Play(content=blocks)).text == whole


def test_usage_that_a_proxy_left_out_is_unknown_not_zero(judge, stub):
    got = asked(judge, stub, Play(usage=None))
    assert got.usage is None
    assert isinstance(read_reply(got, LARK), Opinion)


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        (Play(text=reply(LARK)[:60], stop="max_tokens"), Reason.TRUNCATED),
        (Play(text=reply(LARK), stop="max_tokens"), Reason.TRUNCATED),
        (Play(content=[], stop="refusal", details={"type": "refusal", "category": "cyber"}), Reason.REFUSAL),
        (Play(text='{"strengths": "', stop="refusal"), Reason.REFUSAL),
        (Play(text="{", stop="model_context_window_exceeded"), Reason.CONTEXT),
        (Play(stop="pause_turn"), Reason.OTHER_STOP),
        (Play(stop="never_seen_before"), Reason.OTHER_STOP),
        (Play(stop=None), Reason.OTHER_STOP),
        (Play(text="```json\n" + reply(LARK) + "\n```"), Reason.NOT_JSON),
        (Play(grades={"accuracy": 42}), Reason.RANGE),
        (Play(grades={"accuracy": "2"}), Reason.NOT_INTEGER),
        (Play(grades={"accuracy": float("nan")}), Reason.NOT_JSON),
        (Play(extra={"total": 8}), Reason.UNKNOWN_FIELD),
        (Play(extra={"criteria": {}}), Reason.MISSING_CRITERION),
        (Play(text=reply(LARK).replace('"grade": 2', '"grade": 2, "grade": 1', 1)), Reason.DUPLICATE_FIELD),
    ],
)
def test_a_reply_without_a_grade_has_its_reason(judge, stub, play, reason):
    """The library raises nothing for these; what came is kept, with its usage: it was paid for."""
    got = asked(judge, stub, play)
    assert isinstance(got, Reply)
    assert read_reply(got, LARK).reason is reason
    assert got.usage is not None
    assert len(stub.asked) == 1


def test_why_the_service_refused_is_kept(judge, stub):
    got = asked(
        judge, stub, Play(content=[], stop="refusal", details={"type": "refusal", "category": "cyber"})
    )
    assert read_reply(got, LARK).detail == "cyber"


FAULTS = [
    pytest.param(BAD, Reason.BAD_REQUEST, False, id="400"),
    pytest.param(fault(401, "authentication_error"), Reason.AUTH, False, id="401"),
    pytest.param(fault(402, "billing_error"), Reason.BILLING, False, id="402"),
    pytest.param(fault(403, "permission_error"), Reason.AUTH, False, id="403"),
    pytest.param(fault(404, "not_found_error", "no such model"), Reason.BAD_REQUEST, False, id="404"),
    pytest.param(fault(408, "timeout_error"), Reason.SERVER, True, id="408"),
    pytest.param(fault(409, "conflict_error"), Reason.SERVER, False, id="409"),
    pytest.param(fault(413, "request_too_large"), Reason.BAD_REQUEST, False, id="413"),
    pytest.param(RATE, Reason.RATE_LIMITED, False, id="429"),
    pytest.param(BROKEN, Reason.SERVER, False, id="500"),
    pytest.param(fault(503, "api_error"), Reason.SERVER, False, id="503"),
    pytest.param(fault(504, "timeout_error"), Reason.SERVER, True, id="504"),
    pytest.param(OVERLOADED, Reason.OVERLOADED, False, id="529"),
    pytest.param(Play(cut="before"), Reason.NETWORK, True, id="reset before the headers"),
    pytest.param(Play(cut="middle"), Reason.NETWORK, True, id="reset inside the body"),
    pytest.param(
        Play(raw=b"<html>proxy</html>"), Reason.BAD_GATEWAY_BODY, True, id="200 with HTML, said to be JSON"
    ),
    pytest.param(
        Play(raw=b"<html>proxy</html>", content_type="text/html"),
        Reason.BAD_GATEWAY_BODY,
        True,
        id="200 with HTML",
    ),
    pytest.param(Play(raw=b'{"error": "quota"}'), Reason.BAD_GATEWAY_BODY, True, id="200 with another JSON"),
    pytest.param(Play(raw=b"[1, 2]"), Reason.BAD_GATEWAY_BODY, True, id="200 with a list"),
    pytest.param(Play(raw=b""), Reason.BAD_GATEWAY_BODY, True, id="200 with nothing"),
]


@pytest.mark.parametrize(("play", "reason", "may_be_billed"), FAULTS)
def test_every_fault_has_its_name_and_is_sent_once(judge, stub, play, reason, may_be_billed):
    """One request at the server for each: the library's own retries are off."""
    got = asked(judge, stub, play)
    assert isinstance(got, Fault)
    assert (got.reason, got.may_be_billed) == (reason, may_be_billed)
    assert got.detail
    assert len(stub.asked) == 1


def test_a_silent_service_times_out(judge, stub):
    got = asked(judge, stub, Play(cut="silent"), timeout=0.2)
    assert (got.reason, got.may_be_billed) == (Reason.NETWORK, True)


def test_a_connection_that_was_never_made_cannot_have_been_billed():
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    nobody = connect(Service(key=KEY, base_url=f"http://127.0.0.1:{port}"))
    got = nobody.ask(request())
    assert (got.reason, got.may_be_billed) == (Reason.NETWORK, False)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2),
        ({"retry-after": "3600"}, 3600),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Sun, 29 Nov 2026 12:01:00 GMT", "date": "Sun, 29 Nov 2026 12:00:00 GMT"}, 60),
        ({"retry-after": "Sun, 29 Nov 2026 11:00:00 GMT", "date": "Sun, 29 Nov 2026 12:00:00 GMT"}, 0),
        ({"retry-after": "Sun, 29 Nov 2026 12:01:00 GMT"}, None),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e999"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_the_wait_that_is_asked_for(headers, seconds):
    """A number, milliseconds, or a date counted from the reply's own date: our clock may be wrong."""
    assert retry_after(headers) == seconds


def test_a_wait_arrives_with_the_fault(judge, stub):
    assert asked(judge, stub, RATE).retry_after == 2
    assert asked(judge, stub, fault(500, "api_error", x_should_retry="false")).final


class TestTheKey:
    def test_without_a_key_nothing_is_built(self):
        with pytest.raises(MissingPiece) as caught:
            connect(Service())
        assert caught.value.problems[0].parameters["variable"] == "ANTHROPIC_API_KEY"

    def test_a_wrong_key_is_refused_by_name(self, stub):
        got = connect(Service(key="wrong", base_url=server().url)).ask(request())
        assert got.reason is Reason.AUTH

    def test_it_is_in_no_message_and_no_representation(self, judge, stub):
        """A service that echoes the key in its error does not get it into our files."""
        got = asked(judge, stub, fault(400, "invalid_request_error", f"bad header Bearer {KEY} here"))
        assert KEY not in got.detail
        assert "***" in got.detail
        assert KEY not in repr(Service(key=KEY)) + repr(got) + repr(judge)
        line = failed({"custom_id": "k"}, "errored")
        line["result"]["error"]["error"]["message"] = f"key {KEY}"

    def test_it_is_in_no_log(self, judge, stub, caplog):
        with caplog.at_level(logging.DEBUG):
            asked(judge, stub)
            asked(judge, stub, BAD)
            asked(judge, stub, Play(cut="before"))
        assert caplog.text
        assert KEY not in caplog.text

    @pytest.mark.parametrize(
        ("said", "kept"),
        [("a\nb\x1b[31m c", "a b [31m c"), ("x" * 400, "x" * 300 + "…"), ("half \ud800", "half \ufffd")],
    )
    def test_messages_are_kept_short_and_plain(self, said, kept):
        assert shown(said, "") == kept


class TestProviders:
    def test_an_unknown_one_is_told_with_those_that_are_known(self):
        with pytest.raises(UsageError) as caught:
            connect(Service(provider="acme", key="x"))
        assert caught.value.problems[0].parameters["providers"] == "anthropic, bedrock, vertex"

    @pytest.mark.parametrize("provider", ["bedrock", "vertex"])
    def test_a_library_that_is_not_there_is_told_with_its_remedy(self, provider, monkeypatch):
        from lark_sheets.adapters.anthropic_judge import connecting

        monkeypatch.setattr(connecting, "find_spec", lambda name: None)
        with pytest.raises(MissingPiece) as caught:
            connect(Service(provider=provider))
        assert caught.value.problems[0].parameters["extra"] == f"anthropic[{provider}]"

    def test_vertex_sends_the_same_request_to_its_own_path(self, stub):
        vertex = connect(
            Service(provider="vertex", key=KEY, base_url=server().url, project="p", region="global")
        )
        assert not vertex.batches
        assert isinstance(vertex.ask(request()), Reply)
        (sent,) = stub.journal
        assert (
            sent.path == "/projects/p/locations/global/publishers/anthropic/models/judge-model-1:rawPredict"
        )
        assert set(sent.body) == {"max_tokens", "messages", "system", "output_config", "anthropic_version"}

    def test_bedrock_sends_the_same_request_to_its_own_path(self, stub):
        bedrock = connect(Service(provider="bedrock", key=KEY, base_url=server().url, region="ca-central-1"))
        assert not bedrock.batches
        assert isinstance(bedrock.ask(request()), Reply)
        (sent,) = stub.journal
        assert sent.path == "/model/judge-model-1/invoke"
        assert set(sent.body) == {"max_tokens", "messages", "system", "output_config", "anthropic_version"}

    def test_conditions_name_provider_version_and_library(self, judge):
        got = judge.conditions()
        assert got["provider"] == "anthropic"
        assert got["api_version"]
        assert got["library"].startswith("anthropic 2.")


class TestCounting:
    def test_the_service_counts_the_real_request(self, judge, stub):
        assert judge.count_tokens(request()) == 1234
        (sent,) = stub.journal
        assert sent.path == "/v1/messages/count_tokens"
        assert "max_tokens" not in sent.body

    def test_where_nobody_counts_there_is_no_number(self, judge, stub):
        stub.tokens = None
        assert judge.count_tokens(request()) is None


class TestBatches:
    def submitted(self, judge, *names):
        requests = {name: request(response=f"answer {name}") for name in names}
        return judge.submit(requests)

    def test_each_request_goes_under_its_id_and_comes_back_under_it(self, judge, stub):
        status = self.submitted(judge, "k1", "k2")
        assert (status.id, status.ended, status.total) == ("msgbatch_1", False, 2)
        body = stub.journal[0].body
        assert [line["custom_id"] for line in body["requests"]] == ["k1", "k2"]
        assert [data_of(line["params"])["response"] for line in body["requests"]] == [
            "answer k1",
            "answer k2",
        ]
        assert judge.batch(status.id).ended
        got = judge.results(status.id)
        assert [line.id for line in got] == ["k1", "k2"]
        assert all(isinstance(read_reply(line.answer, LARK), Opinion) for line in got)

    def test_every_fate_of_a_line_has_its_name(self, judge, stub):
        stub.batch_lines = lambda requests: [
            failed(requests[2], "expired"),
            failed(requests[0], "errored"),
            succeeded(requests[1]),
            failed(requests[3], "canceled"),
            failed(requests[4], "errored", "invalid_request_error"),
            {"custom_id": "k6", "result": {"type": "succeeded", "message": None}},
            {"custom_id": "k7", "result": {"type": "something_new"}},
        ]
        status = self.submitted(judge, "k1", "k2", "k3", "k4", "k5")
        judge.batch(status.id)
        got = {line.id: getattr(line.answer, "reason", "reply") for line in judge.results(status.id)}
        assert got == {
            "k3": Reason.EXPIRED,
            "k1": Reason.ERRORED,
            "k2": "reply",
            "k4": Reason.CANCELED,
            "k5": Reason.BAD_REQUEST,
            "k6": Reason.BAD_GATEWAY_BODY,
            "k7": Reason.ERRORED,
        }

    def test_results_before_the_end_are_a_fault(self, judge, stub):
        stub.polls_before_end = 9
        status = self.submitted(judge, "k1")
        assert isinstance(judge.results(status.id), Fault)

    def test_recent_ones_can_be_listed(self, judge, stub):
        self.submitted(judge, "k1")
        self.submitted(judge, "k2")
        assert [b.id for b in judge.recent_batches("2026-11-29T00:00:00+00:00")] == [
            "msgbatch_2",
            "msgbatch_1",
        ]
        assert judge.recent_batches("2026-11-29T23:00:00+00:00") == []

    def test_a_batch_nobody_knows_is_a_fault(self, judge, stub):
        assert judge.batch("msgbatch_9").reason is Reason.BAD_REQUEST

    def test_a_refused_batch_is_a_fault(self, judge, stub):
        stub.queue.append(OVERLOADED)
        assert self.submitted(judge, "k1").reason is Reason.OVERLOADED
