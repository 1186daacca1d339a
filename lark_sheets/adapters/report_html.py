"""The report as one HTML page, through Jinja2: self-contained for mail and screens, or with linked fonts for the PDF."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lark_sheets.report.view import ReportView

if TYPE_CHECKING:
    from jinja2 import Environment

FONT_FILES = {"Regular": 400, "Semibold": 600, "Bold": 700}
"""Faces of the report by CSS weight; upright only, because the italics lack Greek."""
FONT_SCHEME = "lark-font:"


class Font(NamedTuple):
    """One face as the stylesheet names it."""

    weight: int
    url: str


def font_bytes(name: str) -> bytes:
    """Return the file of a face by its style's name ("Regular"), from the package that carries it, unmodified."""
    return resources.files("font_source_sans_pro").joinpath("files", f"SourceSansPro-{name}.otf").read_bytes()


def _same(text: str) -> str:
    return text


class HtmlReport:
    """Lays out a :class:`ReportView` with the templates of a folder."""

    def __init__(self, templates: Path) -> None:
        self._templates = templates

    def html(self, view: object) -> str:
        """Return the report as one page that needs nothing else: fonts and styles stand inside."""
        fonts = [Font(weight, _data_url(name)) for name, weight in FONT_FILES.items()]
        return self._page(view, fonts, _same, medium="screen")

    def for_browser(self, view: object) -> str:
        """Return the self-contained page as a browser prints it."""
        fonts = [Font(weight, _data_url(name)) for name, weight in FONT_FILES.items()]
        return self._page(view, fonts, _same, medium="browser")

    def printed(self, view: object, readable: Callable[[str], str], *, missing: bool = False) -> str:
        """Return the page for the PDF: fonts by ``lark-font:`` names, every text passed through ``readable`` first.

        ``missing`` says that ``readable`` writes some characters by their number, which the page then tells.
        """
        fonts = [Font(weight, FONT_SCHEME + name) for name, weight in FONT_FILES.items()]
        return self._page(view, fonts, readable, medium="pdf", missing=missing)

    def font(self, url: str) -> bytes:
        """Return the font file behind ``lark-font:NAME``; ``KeyError`` for any other address."""
        name = url.removeprefix(FONT_SCHEME)
        if not url.startswith(FONT_SCHEME) or name not in FONT_FILES:
            raise KeyError(url)
        return font_bytes(name)

    def _page(
        self,
        view: object,
        fonts: list[Font],
        readable: Callable[[str], str],
        *,
        medium: str,
        missing: bool = False,
    ) -> str:
        if not isinstance(view, ReportView):
            raise TypeError(f"a report is laid out from a ReportView, not from {type(view).__name__}")
        from markupsafe import Markup

        def finish(value: object) -> object:
            # Markup is what our own macros made; everything else is data, and is escaped after this.
            return readable(storable(value)) if type(value) is str else value

        environment = _environment(self._templates).overlay(finalize=finish)
        sheets = ("report.css",) if medium == "pdf" else ("report.css", "screen.css")
        css = "\n".join((self._templates / name).read_text(encoding="utf-8") for name in sheets)
        return environment.get_template("report.html.j2").render(
            view=view,
            fonts=fonts,
            css=Markup(css),  # noqa: S704  (our own files)
            medium=medium,
            missing=missing,
        )


def storable(text: str) -> str:
    """Return a text that HTML can hold: a control character or half a surrogate pair is named instead (U+0007)."""
    if text.isprintable():
        return text
    return "".join(
        c if c in "\n\t" or not _unstorable(c) else f"‹U+{ord(c):04X}›" for c in text.replace("\r\n", "\n")
    )


def _unstorable(character: str) -> bool:
    code = ord(character)
    return code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code <= 0xDFFF or code & 0xFFFE == 0xFFFE


@cache
def _data_url(name: str) -> str:
    return "data:font/otf;base64," + base64.b64encode(font_bytes(name)).decode("ascii")


@cache
def _environment(templates: Path) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(templates, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
