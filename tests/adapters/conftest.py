"""Fixtures of the adapters' tests."""

from tests.live import app

__all__ = ["app"]
