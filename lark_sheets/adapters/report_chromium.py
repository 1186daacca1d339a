"""The report as a PDF through an installed Edge, Chrome or Chromium, for machines where WeasyPrint cannot load Pango.

The same page, printed without a window and without a network; its own policy forbids scripts. What is lost (attachments, the marks of an
archival PDF, the running title) is told on the method page. WeasyPrint stays the reference.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from lark_sheets.core.problems import problem
from lark_sheets.errors import MissingPiece
from lark_sheets.ports import Reports

NAMES = (
    "msedge", "microsoft-edge", "microsoft-edge-stable", "chrome", "google-chrome", "google-chrome-stable", "chromium",
    "chromium-browser",
)  # fmt: skip
PLACES = (
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    r"C:\Program Files\Microsoft\Edge\Application\msedge.exe",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
OPTIONS = (
    "--headless", "--disable-gpu", "--disable-extensions", "--disable-background-networking", "--no-first-run",
    "--no-default-browser-check", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--no-pdf-header-footer", "--export-tagged-pdf", "--generate-pdf-document-outline",
)  # fmt: skip
PATIENCE = 300
"""Seconds after which a browser that does not end is stopped."""


class BrowserPages(Protocol):
    """Whatever lays out a view as the page a browser prints."""

    def html(self, view: object) -> str:
        """Return the self-contained page."""
        ...

    def for_browser(self, view: object) -> str:
        """Return the self-contained page that tells that a browser made it."""
        ...


def find_browser(names: Sequence[str] = NAMES, places: Sequence[str] = PLACES) -> Path | None:
    """Return an installed browser that can print without a window, or None."""
    for name in names:
        found = shutil.which(name)
        if found:
            return Path(found)
    return next((path for place in places if (path := Path(place)).is_file()), None)


class BrowserReport:
    """Prints a report's page with a browser."""

    def __init__(self, pages: BrowserPages, browser: Path, extra: Sequence[str] = ()) -> None:
        """Take the page maker, the browser, and further options (``--no-sandbox`` where one runs as root)."""
        self._pages = pages
        self._browser = browser
        self._extra = tuple(extra)

    def html(self, view: object) -> str:
        """Return the report as one self-contained HTML page."""
        return self._pages.html(view)

    def pdf(self, view: object, path: Path, attachments: Mapping[str, bytes]) -> None:  # noqa: ARG002  (told on the page)
        """Write the PDF, whole or not at all, without attachments. Raises :class:`MissingPiece` when the browser fails."""
        with tempfile.TemporaryDirectory(prefix="lark-report-") as name:
            folder = Path(name)
            page, printed = folder / "report.html", folder / "report.pdf"
            page.write_text(self._pages.for_browser(view), encoding="utf-8")
            command = [
                str(self._browser),
                *OPTIONS,
                *self._extra,
                f"--user-data-dir={folder / 'profile'}",
                f"--print-to-pdf={printed}",
                page.as_uri(),
            ]
            try:
                ended = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
            except (OSError, subprocess.TimeoutExpired) as cause:
                raise _failed(self._browser, str(cause)) from cause
            if not printed.is_file() or not printed.stat().st_size:
                lines = ended.stderr.decode("utf-8", "replace").strip().splitlines()
                raise _failed(self._browser, lines[-1] if lines else f"exit {ended.returncode}")
            partial = path.with_name(f".{path.name}.partial")
            try:
                partial.write_bytes(printed.read_bytes())
                partial.replace(path)
            finally:
                partial.unlink(missing_ok=True)


def _failed(browser: Path, why: str) -> MissingPiece:
    return MissingPiece(problem("missing_library", found=f"{browser.name}: {why}", how=""))


class FirstThatCan:
    """Writes the PDF by the reference way, or by a browser where that way lacks a library."""

    def __init__(self, reference: Reports, browser: Reports | None) -> None:
        self._reference = reference
        self._browser = browser

    def html(self, view: object) -> str:
        """Return the report as one self-contained HTML page."""
        return self._reference.html(view)

    def pdf(self, view: object, path: Path, attachments: Mapping[str, bytes]) -> None:
        """Write the PDF. Raises what the reference lacked when no browser can stand in."""
        try:
            self._reference.pdf(view, path, attachments)
        except MissingPiece as lacking:
            if self._browser is None or not any(p.code == "missing_library" for p in lacking.problems):
                raise
            try:
                self._browser.pdf(view, path, attachments)
            except MissingPiece:
                raise lacking from None
