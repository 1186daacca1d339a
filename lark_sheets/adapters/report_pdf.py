"""The report as a PDF through WeasyPrint: archival (PDF/A-3a) and accessible (PDF/UA-1) in one file, the same bytes each time.

Nothing is fetched: the only addresses that resolve are the report's own fonts. A character that no font of the machine
holds is written by its number, never as an empty box, and the report says so.
"""

from __future__ import annotations

import datetime as dt
import gc
import hashlib
import html
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from lark_sheets.adapters import replace_whole
from lark_sheets.core.problems import problem
from lark_sheets.errors import MissingPiece
from lark_sheets.report.view import ReportView

HOW = (
    "Debian, Ubuntu: apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 · macOS: brew install pango · "
    "Windows: winget install MSYS2.MSYS2; pacman -S mingw-w64-ucrt-x86_64-pango."
)
RELATIONSHIPS = {".json": "Data", ".xlsx": "Source"}
SHOWN_IN_A_RUN = 3
"""Missing characters that are written one by one; of a longer run the rest is counted."""


class Pages(Protocol):
    """Whatever lays out a view as HTML, and knows its fonts."""

    def html(self, view: object) -> str:
        """Return the self-contained page."""
        ...

    def printed(self, view: object, readable: Callable[[str], str], *, missing: bool = False) -> str:
        """Return the page for the PDF, every text passed through ``readable``; ``missing`` says that it replaced some."""
        ...

    def font(self, url: str) -> bytes:
        """Return the font file behind one of the page's own addresses; ``KeyError`` for any other."""
        ...


class PdfReport:
    """Writes a :class:`ReportView` as a PDF with its attachments."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def html(self, view: object) -> str:
        """Return the report as one self-contained HTML page."""
        return self._pages.html(view)

    def pdf(self, view: object, path: Path, attachments: Mapping[str, bytes]) -> None:
        """Write the PDF, whole or not at all. Raises :class:`MissingPiece` where WeasyPrint cannot load Pango."""
        data = self.rendered(view, attachments)
        replace_whole(path, lambda file: file.write(data))

    def rendered(self, view: object, attachments: Mapping[str, bytes]) -> bytes:
        """Return the PDF's bytes."""
        if not isinstance(view, ReportView):
            raise TypeError(f"a report is laid out from a ReportView, not from {type(view).__name__}")
        weasyprint = load_weasyprint()
        produced = dt.datetime.fromisoformat(view.produced)
        with _quiet(), _fixed_time(produced), _rare_collection():
            page = self._pages.printed(view, _unchanged)
            missing = self._missing(page)
            if missing:
                page = self._pages.printed(view, _by_number(missing), missing=True)
            document = weasyprint.HTML(string=page, url_fetcher=self.fetcher()).render(
                pdf_variant="pdf/a-3a", pdf_tags=True
            )
            written: bytes = document.write_pdf(
                pdf_variant="pdf/a-3a",
                pdf_identifier=hashlib.sha256(page.encode("utf-8")).digest()[:16],
                attachments=[_attachment(name, data, produced) for name, data in attachments.items()],
                finisher=finish,
            )
        return written

    def fetcher(self) -> Any:
        """Return a fetcher that knows the report's fonts and refuses everything else: files, networks, data."""
        from weasyprint.urls import URLFetcher, URLFetcherResponse

        pages = self._pages

        class OwnFonts(URLFetcher):  # type: ignore[misc]  # the library has no types
            def fetch(self, url: str, headers: object = None) -> Any:  # noqa: ARG002  (the library's signature)
                try:
                    return URLFetcherResponse(url, pages.font(url), {"Content-Type": "font/otf"})
                except KeyError:
                    raise ValueError(f"the report fetches nothing: {url!r}") from None

        return OwnFonts()

    def _missing(self, page: str) -> frozenset[str]:
        """Return the characters of a page that no font here can draw, found by drawing each of them once."""
        exotic = {c for c in set(page) - _own_characters(self._pages.font) if not c.isspace()}
        if not exotic:
            return frozenset()
        weasyprint = load_weasyprint()
        style = page[page.index("<style>") : page.index("</style>")] + "</style>"
        drawn = "".join(f"<p>{html.escape(c)}</p>" for c in sorted(exotic))
        with _warnings() as told:
            weasyprint.HTML(
                string=f"<meta charset=utf-8>{style}{drawn}", url_fetcher=self.fetcher()
            ).write_pdf()
        return frozenset(
            chr(int(match[1], 16)) for line in told if (match := re.search(r"\(U\+([0-9A-F]+)\)", line))
        )


def load_weasyprint() -> Any:
    """Return the module; raises :class:`MissingPiece` with the line that installs what it lacks."""
    try:
        import weasyprint
    except (ImportError, OSError) as cause:
        first = str(cause).strip().splitlines()[0] if str(cause).strip() else type(cause).__name__
        raise MissingPiece(problem("missing_library", found=first, how=HOW)) from cause
    return weasyprint


def _unchanged(text: str) -> str:
    return text


def _by_number(missing: frozenset[str]) -> Callable[[str], str]:
    """Return a function that writes characters of ``missing`` by their numbers: ‹U+4F60 U+597D›."""
    pattern = re.compile("[" + "".join(re.escape(c) for c in sorted(missing)) + "]+")

    def numbered(match: re.Match[str]) -> str:
        run = match[0]
        shown = " ".join(f"U+{ord(c):04X}" for c in run[:SHOWN_IN_A_RUN])
        rest = len(run) - SHOWN_IN_A_RUN
        return f"‹{shown} +{rest}›" if rest > 0 else f"‹{shown}›"

    return lambda text: pattern.sub(numbered, text)


@cache
def _own_characters(font: Callable[[str], bytes]) -> frozenset[str]:
    """Return what the report's own regular face holds; common, so that most pages need no probe."""
    from io import BytesIO

    from fontTools.ttLib import TTFont

    cmap = TTFont(BytesIO(font("lark-font:Regular")), lazy=True).getBestCmap() or {}
    return frozenset(map(chr, cmap))


def _attachment(name: str, data: bytes, produced: dt.datetime) -> Any:
    import weasyprint

    return weasyprint.Attachment(
        string=data,
        name=name,
        created=produced,
        modified=produced,
        relationship=RELATIONSHIPS.get(Path(name).suffix, "Unspecified"),
    )


@contextmanager
def _fixed_time(produced: dt.datetime) -> Iterator[None]:
    """Let the font library stamp the embedded subsets with the report's own time, so that the same input gives the same bytes.

    The library's own switch is an environment variable, and the environment is not ours to write: its clock is replaced instead.
    """
    from fontTools.misc.timeTools import timestampSinceEpoch
    from fontTools.ttLib.tables import _h_e_a_d as head

    clock, stamp = head.timestampNow, timestampSinceEpoch(produced.timestamp())
    head.timestampNow = lambda: stamp
    try:
        yield
    finally:
        head.timestampNow = clock


YOUNG, MIDDLE, OLD = 100_000, 20, 20
"""Allocations before a collection of the young, and how many of those before the older are looked through."""


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Look for garbage seldom while a page is laid out: boxes are kept until the end, and looking at them costs a tenth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
    try:
        yield
    finally:
        gc.set_threshold(*before)


class _Keeper(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@contextmanager
def _warnings() -> Iterator[list[str]]:
    """Collect what WeasyPrint would print."""
    keeper, logger = _Keeper(), logging.getLogger("weasyprint")
    logger.addHandler(keeper)
    try:
        yield keeper.lines
    finally:
        logger.removeHandler(keeper)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep WeasyPrint's and fontTools' remarks off the terminal; handlers set by others still see them."""
    loggers = [logging.getLogger(name) for name in ("weasyprint", "fontTools")]
    silent = logging.NullHandler()
    before = [logger.propagate for logger in loggers]
    for logger in loggers:
        logger.addHandler(silent)
        logger.propagate = False
    try:
        yield
    finally:
        for logger, was in zip(loggers, before, strict=True):
            logger.removeHandler(silent)
            logger.propagate = was


# -- what the library cannot do by itself ---------------------------------------------------------------------------------

UA = b"""<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" pdfuaid:part="1"/>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>PDF/UA version</pdfaProperty:description>
<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>
</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
"""


def finish(_document: Any, pdf: Any) -> None:
    """Declare PDF/UA-1 beside PDF/A-3a, name each attachment once."""
    _declare_accessible(pdf)
    files = pdf.catalog.get("AF")
    if files:
        unique = list(dict.fromkeys(files))
        files.clear()
        files.extend(unique)


def _declare_accessible(pdf: Any) -> None:
    """Insert the PDF/UA identification inside the metadata's own rdf:RDF, with the schema that PDF/A asks for."""
    stream = pdf.objects[int(pdf.catalog["Metadata"].split()[0])]
    joined = b"".join(
        part if isinstance(part, bytes) else bytes(str(part), "utf-8") for part in stream.stream
    )
    if b"pdfuaid:part" in joined:
        return
    end = joined.rindex(b"</rdf:RDF>")
    stream.stream[:] = [joined[:end] + UA + joined[end:]]
