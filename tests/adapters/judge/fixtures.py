"""One stub server and one client for the whole session; every test starts with an empty script.

A folder whose tests need them imports them in its conftest.
"""

import os
from functools import cache

import pytest

from lark_sheets.adapters.anthropic_judge import AnthropicJudge, Service, connect
from tests.adapters.judge.stub import KEY, Script, Server, start

STEERING = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_CUSTOM_HEADERS",
    "ANTHROPIC_PROFILE",
    "ANTHROPIC_LOG",
)
"""Variables by which a developer's shell could steer the library; the tests must not see them."""


@cache
def server() -> Server:
    return start()


@cache
def client() -> AnthropicJudge:
    for name in STEERING:
        os.environ.pop(name, None)
    return connect(Service(key=KEY, base_url=server().url))


@pytest.fixture
def stub() -> Script:
    """The server's script and journal. At the end no request may have broken the service's rules."""
    script = server().script
    script.reset()
    yield script
    script.release.set()
    assert script.violations == []


@pytest.fixture
def judge(stub: Script) -> AnthropicJudge:
    """The real library's client, speaking to the stub."""
    return client()
