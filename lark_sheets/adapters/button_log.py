"""The log of the buttons: what was pressed and what came of it, for whoever helps a person. No grade and no name of a run stands in it."""

from __future__ import annotations

import contextlib
import traceback
from pathlib import Path

LARGEST = 1_000_000
"""Bytes after which the log is set aside once (``.1``) and begun anew."""


class ButtonLog:
    """A text file that grows by lines. Writing it never fails a button: what cannot be written is let go."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def line(self, when: str, button: str, book: str, outcome: str) -> None:
        """Add one line: when, which button, on which workbook, what came of it."""
        self._write(f"{when}  {button}  {book}  {outcome}\n")

    def fault(self, error: BaseException) -> None:
        """Add the places in the program through which an error came, and its kind.

        Its words are left out: they may quote a cell, and a cell may name a run.
        """
        frames = traceback.extract_tb(error.__traceback__)
        places = "".join(f"    {Path(f.filename).name}:{f.lineno} {f.name}\n" for f in frames)
        self._write(f"    {type(error).__name__}\n{places}")

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and self.path.stat().st_size > LARGEST:
                self.path.replace(self.path.with_suffix(".1.log"))
            with self.path.open("a", encoding="utf-8") as file:
                file.write(text)
