"""The judge port over Anthropic's own library. The library is heavy: it is imported when a judge is connected, not before."""

from lark_sheets.adapters.anthropic_judge.connecting import PROVIDERS, Service, connect
from lark_sheets.adapters.anthropic_judge.judge import AnthropicJudge

__all__ = ["PROVIDERS", "AnthropicJudge", "Service", "connect"]
