"""Which client of the library speaks to which provider, made from settings that wiring read; nothing is looked up here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from lark_sheets.adapters.anthropic_judge.judge import AnthropicJudge
from lark_sheets.core.problems import problem
from lark_sheets.errors import MissingPiece, UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """Where and how to reach a provider.

    ``key`` is the secret (API key, bearer token or access token) and is never shown, not even by ``repr``. ``region`` and
    ``project`` serve the cloud providers; ``base_url`` another address (a gateway, a test server).
    """

    provider: str = "anthropic"
    key: str = field(default="", repr=False)
    base_url: str = ""
    region: str = ""
    project: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """What we know of a provider: the library's client, what else it needs, and the variable its key usually stands in."""

    client: str
    needs: str = ""
    extra: str = ""
    variable: str = ""
    batches: bool = False
    must_have_key: bool = False


PROVIDERS: Mapping[str, Provider] = {
    "anthropic": Provider(client="Anthropic", variable="ANTHROPIC_API_KEY", batches=True, must_have_key=True),
    "bedrock": Provider(
        client="AnthropicBedrock",
        needs="botocore",
        extra="anthropic[bedrock]",
        variable="AWS_BEARER_TOKEN_BEDROCK",
    ),
    "vertex": Provider(
        client="AnthropicVertex",
        needs="google.auth",
        extra="anthropic[vertex]",
        variable="GOOGLE_APPLICATION_CREDENTIALS",
    ),
}


def connect(service: Service) -> AnthropicJudge:
    """Return a judge behind a provider. Nothing is sent.

    Raises:
        UsageError: an unknown provider.
        MissingPiece: no key, or a library that the provider needs is not installed.
    """
    provider = PROVIDERS.get(service.provider)
    if provider is None:
        names = ", ".join(PROVIDERS)
        raise UsageError(problem("judge_unknown_provider", found=service.provider, providers=names))
    if provider.must_have_key and not service.key:
        raise MissingPiece(problem("judge_no_key", found=service.provider, variable=provider.variable))
    if provider.needs and not service.key and not _installed(provider.needs):
        raise MissingPiece(
            problem(
                "judge_missing_library", provider=service.provider, found=provider.needs, extra=provider.extra
            )
        )
    import anthropic

    make = getattr(anthropic, provider.client)
    client = make(max_retries=0, open_telemetry=False, **_settings(service))
    return AnthropicJudge(client, provider=service.provider, batches=provider.batches, secret=service.key)


def _settings(service: Service) -> dict[str, Any]:
    settings: dict[str, Any] = {"base_url": service.base_url} if service.base_url else {}
    match service.provider:
        case "vertex":
            settings |= {"access_token": service.key or None, "region": service.region or "global"}
            if service.project:
                settings["project_id"] = service.project
        case "bedrock":
            settings |= {"api_key": service.key or None, "aws_region": service.region or None}
        case _:
            settings["api_key"] = service.key
    return settings


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
