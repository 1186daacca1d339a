"""Under which conditions a run was made: what was sent, never what was only wished for.

A local profile is known by its engine, its quantisation and the fingerprint of its weights; of a cloud service only the
service can be measured, since nobody outside can verify its weights. What was not sent says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from lark_sheets.core.refusal_protocol import Asked

NOT_SENT = "not sent"


class Kind(StrEnum):
    """Whether the weights were at hand."""

    LOCAL = "local"
    CLOUD = "cloud"


NEEDED: Mapping[Kind, tuple[str, ...]] = {
    Kind.LOCAL: ("model", "engine", "quantisation", "fingerprint"),
    Kind.CLOUD: ("service", "model"),
}
"""What a profile of each kind must state to be told apart from another."""
SENT = ("system", "max_tokens", "temperature", "seed", "generations", "conversation")
"""What was sent, or not, with each request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConditions:
    """One run's conditions, as text in the words of whoever ran it; ``more`` keeps what else was returned or noted."""

    run: str
    kind: Kind
    model: str = ""
    service: str = ""
    served: str = ""
    engine: str = ""
    quantisation: str = ""
    fingerprint: str = ""
    system: str = NOT_SENT
    max_tokens: str = NOT_SENT
    temperature: str = NOT_SENT
    seed: str = NOT_SENT
    generations: str = "1"
    conversation: str = ""
    more: Mapping[str, str] = field(default_factory=dict)

    @property
    def gaps(self) -> tuple[str, ...]:
        """Return what a profile of this kind should state and does not."""
        return tuple(name for name in NEEDED[self.kind] if not getattr(self, name))

    @property
    def weights_verifiable(self) -> bool:
        """Say whether the very weights can be known again: only of a local profile that states their fingerprint."""
        return self.kind is Kind.LOCAL and bool(self.fingerprint)


def conditions_from_row(row: Mapping[str, str]) -> RunConditions:
    """Return the conditions of one row of a table; blank cells mean what the default says ("not sent"), other columns are kept.

    The kind is the one named, else local where an engine or a fingerprint is. Raises ``ValueError`` for a kind that is neither.
    """
    known = {f.name for f in fields(RunConditions)} - {"run", "kind", "more"}
    given = {name: value.strip() for name, value in row.items() if value.strip()}
    kind = given.get("kind") or ("local" if given.get("engine") or given.get("fingerprint") else "cloud")
    return RunConditions(
        run=given.get("run", ""),
        kind=Kind(kind.casefold()),
        more={n: v for n, v in given.items() if n not in known and n not in ("run", "kind")},
        **{name: value for name, value in given.items() if name in known},
    )


def differences(conditions: RunConditions, asked: Asked) -> dict[str, tuple[str, str]]:
    """Return what was sent otherwise than the protocol asks: name -> (asked, sent)."""
    wanted = {
        "system": asked.system,
        "max_tokens": str(asked.max_tokens),
        "temperature": str(asked.temperature),
        "seed": str(asked.seed),
        "generations": str(asked.generations),
    }
    return {
        name: (value, sent)
        for name, value in wanted.items()
        if not _same(value, sent := str(getattr(conditions, name)))
    }


def _same(asked: str, sent: str) -> bool:
    try:
        return float(asked) == float(sent.replace(",", "."))
    except ValueError:
        return asked.split() == sent.split()


def conditions_plain(conditions: RunConditions, asked: Asked | None) -> dict[str, Any]:
    """Return conditions as plain JSON data: identity, what was sent, and where that differs from what was asked."""
    identity = {
        name: value
        for name in ("model", "service", "served", "engine", "quantisation", "fingerprint")
        if (value := getattr(conditions, name))
    }
    return {
        "kind": str(conditions.kind),
        **identity,
        "measures": "the weights named"
        if conditions.weights_verifiable
        else "the service or profile as it answered",
        "sent": {name: getattr(conditions, name) or NOT_SENT for name in SENT},
        "differs_from_protocol": {
            name: {"asked": wanted, "sent": sent}
            for name, (wanted, sent) in (differences(conditions, asked) if asked else {}).items()
        },
        "lacking": list(conditions.gaps),
        "noted": dict(conditions.more),
    }
