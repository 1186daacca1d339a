"""How long the button Update takes on the demo that is open in LibreOffice, beside the command on its file.

    python benchmarks/pressing.py [REPEATS]

The bound: no more than twice the file adapter's time plus the application's own reading and writing. The application's own part
is measured by reading every sheet once and writing one cell, as the button does more often.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import xlwings

sys.path.insert(0, str(Path(__file__).parents[1]))

from lark_sheets import wiring
from lark_sheets.adapters.books import FileBooks
from lark_sheets.adapters.libreoffice_engine import activate
from lark_sheets.adapters.live_book import LiveBooks
from lark_sheets.usecases.demo import FIRST_GRADED, build_demo


class _NoReport:
    def html(self, view: object) -> str:  # noqa: ARG002
        return ""

    def pdf(self, view: object, path: Path, attachments: object) -> None:  # noqa: ARG002
        path.write_bytes(b"")


def _median(repeats: int, what: Callable[[], object]) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        what()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main(repeats: int) -> int:
    """Print the medians; return 1 when the bound is not held."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "demo"
        needs = wiring.needs("en", quiet=True, clock=wiring.FixedTime(FIRST_GRADED))
        build_demo(root, needs, _NoReport())
        book = root / "campaign.xlsx"
        t = needs.translate
        files = _median(repeats, lambda: wiring.press_on_file("update", book, t, lambda _: False))
        activate()
        app = xlwings.App(add_book=False)
        try:
            start = time.perf_counter()
            opened = app.books.open(str(book))
            opening = time.perf_counter() - start
            live = LiveBooks(app, FileBooks())
            reading = _median(repeats, lambda: live.read(book))

            def once() -> None:
                results = app.books.open(str(root / "results.xlsx"), read_only=True)
                results.close()

            own = 2 * reading + _median(repeats, once)
            pressing = _median(repeats, lambda: wiring.press("update", opened))
        finally:
            app.quit()
    bound = 2 * files + own
    print(f"Update on the file             {files:6.2f} s")
    print(f"opening the book, once         {opening:6.2f} s")
    print(f"reading it through xlwings     {reading:6.2f} s")
    print(f"the application's own part     {own:6.2f} s  (two readings, and showing the results)")
    print(f"Update pressed on the open one {pressing:6.2f} s  (bound: {bound:.2f} s)")
    return 0 if pressing <= bound else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
