"""The command line: words in, use case, exit code out. Every heavy import waits until its command runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 a problem in the data, 2 wrong usage, 3 something lacking."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:
        from lark_sheets import __version__

        print(f"lark-sheets {__version__}")
        return 0
    from lark_sheets.cli.running import run

    return run(words)
