"""What every use case is handed: the outside world behind its ports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lark_sheets.core.language import Language, Translator
from lark_sheets.ports import Books, Clock, Files, Progress, Tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """The adapters a use case works through; only :mod:`lark_sheets.wiring` makes one for real.

    ``rubrics`` is the folder of the shipped rubrics, ``demo`` that of the demo's content; ``new_salt`` gives 32 fresh random bytes
    in hexadecimal; ``who`` names the person in logs.
    """

    books: Books
    tables: Tables
    files: Files
    clock: Clock
    progress: Progress
    translate: Translator
    translator_of: Callable[[Language], Translator]
    rubrics: Path
    demo: Path
    new_salt: Callable[[], str]
    who: str = ""
