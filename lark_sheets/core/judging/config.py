"""How a judge is asked, and the conditions under which its grades hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lark_sheets.core.judging.exchange import ModelRequest
from lark_sheets.core.language import Language

MIN_TOKENS = 256
"""Below this no reply with reasons for every criterion fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeConfig:
    """What is asked of which model. No model has a default; sampling parameters do not exist.

    ``repeats`` is how often each response is judged, ``max_tokens`` the longest reply (doubled once after a cut one),
    ``timeout`` in seconds, ``policy`` the rules given to the judge beside the rubric, ``rubric_language`` the language in
    which it reads the anchors, ``order`` another order of the criteria (a probe for bias).
    """

    model: str
    provider: str = "anthropic"
    effort: str = ""
    max_tokens: int = 4096
    timeout: float = 60.0
    repeats: int = 3
    policy: str = ""
    rubric_language: Language = "en"
    order: tuple[str, ...] = ()

    def request(
        self, *, system: str, user: str, schema: Mapping[str, object] | None, max_tokens: int = 0
    ) -> ModelRequest:
        """Return one request under this configuration; ``max_tokens`` 0 means the configured one."""
        return ModelRequest(
            model=self.model,
            max_tokens=max_tokens or self.max_tokens,
            system=system,
            user=user,
            schema=schema,
            effort=self.effort,
            timeout=self.timeout,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What must stay the same for a calibration to hold; compared field by field."""

    rubric: str
    """Fingerprint of the rubric."""
    prompt: str
    """SHA-256 of all fixed text sent: instructions, rubric as rendered, policy."""
    prompt_version: str
    schema: str
    """SHA-256 of the reply's schema: levels, labels and the order of fields."""
    provider: str
    model: str
    effort: str
    served: tuple[str, ...] = ()
    """The models that really answered; empty before anything was asked."""

    def changed_from(self, other: Conditions) -> tuple[str, ...]:
        """Return the names of what differs. Models served count only where both sides know them."""
        names = ["rubric", "prompt", "prompt_version", "schema", "provider", "model", "effort"]
        changed = [name for name in names if getattr(self, name) != getattr(other, name)]
        if self.served and other.served and set(self.served) - set(other.served):
            changed.append("served")
        return tuple(changed)
