"""The PDF: every number of results.json, tags and names for readers who do not see it, the same bytes each time.

Its structure is checked here by counting what stands in it; no validator was run.
"""

import json
import logging
import re
import shutil
import subprocess
from pathlib import Path

import pikepdf
import pypdf
import pytest

from lark_sheets.adapters.report_html import HtmlReport
from lark_sheets.adapters.report_pdf import PdfReport, load_weasyprint
from lark_sheets.core.results_json import dumps, results_dict
from lark_sheets.core.scoring import summarise
from lark_sheets.errors import MissingPiece
from lark_sheets.locales import translator
from lark_sheets.report.view import build_view
from tests.report.factory import PRODUCED, PROVENANCE, ROOT, demo, demo_results, shipped_rubric, tiny

REPORT = PdfReport(HtmlReport(ROOT / "templates"))
LANGUAGES = ["en", "fr"]


def view_of(results, campaign, language="en", appendix="none"):
    return build_view(
        results, campaign, translator(language), produced=PRODUCED, provenance=PROVENANCE, appendix=appendix
    )


@pytest.fixture(scope="module")
def document() -> dict:
    return results_dict(demo_results()[0], translator("en"))


@pytest.fixture(scope="module", params=LANGUAGES)
def made(request, tmp_path_factory, document) -> tuple[str, Path]:
    """The demo's report in one language, with its attachments; WeasyPrint must not warn of anything."""
    path = tmp_path_factory.mktemp("report") / "report.pdf"
    told: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: told.append(record.getMessage())
    logging.getLogger("weasyprint").addHandler(handler)
    try:
        REPORT.pdf(
            view_of(*demo_results(), request.param),
            path,
            {"results.json": dumps(document).encode(), "results.xlsx": b"PK stands for a workbook"},
        )
    finally:
        logging.getLogger("weasyprint").removeHandler(handler)
    assert told == []
    return request.param, path


def small(text: str = "An answer."):
    """A campaign of two runs and three tickets, one of whose answers is given."""
    rubric = shipped_rubric("larkfield")
    top = {c.id: c.top for c in rubric.criteria}
    return tiny(rubric, {"a": [top] * 3, "b": [top, top, top | {"accuracy": 0}]}, texts={("b", 2): text})


def text_of(path: Path) -> str:
    """The text with plain blanks, as a reader copies it."""
    pages = [page.extract_text() for page in pypdf.PdfReader(path).pages]
    return re.sub(r"[\s\u00a0\u202f]+", " ", "\n".join(pages))


def test_every_figure_of_the_results_is_in_the_text(made, document):
    language, path = made
    text = text_of(path)
    for run in document["runs"]:
        assert run["run"] in text
        score = run["score_10"].replace(".", ",") if language == "fr" else run["score_10"]
        low, high = (f"{bound * 100:.0f}" for bound in run["ready_interval"])
        interval = f"{low} % à {high} %" if language == "fr" else f"{low}% to {high}%"
        row = rf"{re.escape(interval)} {re.escape(score)} {run['points']} " + " ".join(
            map(str, run["zeros"].values())
        )
        assert re.search(row, text), row
    word = "sur" if language == "fr" else "of"
    for found in (document["agreement"]["decision"], *document["agreement"]["criteria"].values()):
        kappa = f"{found['kappa']:.2f}".replace(".", "," if language == "fr" else ".")
        assert re.search(rf"{found['equal']} {word} {found['n']}.{{0,40}}{kappa}", text), (found, kappa)


def test_it_says_what_it_is_and_in_which_language(made):
    language, path = made
    with pikepdf.open(path) as pdf:
        assert str(pdf.Root.Lang) == {"en": "en", "fr": "fr-CA"}[language]
        assert pdf.Root.ViewerPreferences.DisplayDocTitle
        assert pdf.Root.MarkInfo.Marked
        metadata = pdf.Root.Metadata.read_bytes().decode()
        assert 'pdfaid:part="3"' in metadata
        assert 'pdfaid:conformance="A"' in metadata
        assert 'pdfuaid:part="1"' in metadata
        assert metadata.count("<rdf:RDF") == 1
        assert metadata.index("pdfuaid:part") < metadata.index("</rdf:RDF>")
        assert pdf.docinfo["/Title"]
        assert all(page.get("/Tabs") == "/S" for page in pdf.pages)
        assert len(pdf.check_pdf_syntax()) == 0


def elements(pdf: pikepdf.Pdf):
    """Every structure element of the tag tree."""
    stack = [pdf.Root.StructTreeRoot.K]
    while stack:
        node = stack.pop()
        if isinstance(node, pikepdf.Array):
            stack.extend(node)
        elif isinstance(node, pikepdf.Dictionary):
            if "/S" in node:
                yield node
            if "/K" in node and not isinstance(node.K, int):
                stack.append(node.K)


def test_tags_name_headings_header_cells_and_drawings(made):
    with pikepdf.open(made[1]) as pdf:
        found = list(elements(pdf))
        kinds = [str(node.S) for node in found]
        assert kinds.count("/H1") == 1
        assert kinds.count("/H2") >= 5
        figures = [node for node in found if node.S == "/Figure"]
        assert len(figures) >= 50
        assert all(str(node.get("/Alt", "")) for node in figures)
        heads = [node for node in found if node.S == "/TH"]
        assert len(heads) > 100
        assert all("/ID" in node for node in heads)
        cells = [node for node in found if node.S == "/TD"]
        named = sum(
            "/Headers" in attributes
            for node in cells
            for attributes in (node.A if isinstance(node.get("/A"), pikepdf.Array) else [node.get("/A", {})])
        )
        assert named >= len(cells) * 0.98


def test_nothing_is_painted_outside_marked_content(made):
    """Text and paths stand inside BDC/BMC ... EMC, so that a reader knows what each is (or that it is decoration)."""
    painting = {"f", "F", "f*", "S", "s", "B", "b", "B*", "b*", "Tj", "TJ", "Do", "sh"}
    with pikepdf.open(made[1]) as pdf:
        for page in pdf.pages:
            depth, outside = 0, 0
            for _, operator in pikepdf.parse_content_stream(page):
                name = str(operator)
                depth += (name in ("BDC", "BMC")) - (name == "EMC")
                outside += name in painting and depth == 0
            assert (depth, outside) == (0, 0)


def test_fonts_are_inside_and_can_be_copied_from(made):
    with pikepdf.open(made[1]) as pdf:
        fonts = {
            str(font.BaseFont): font
            for page in pdf.pages
            for font in page.Resources.get("/Font", {}).values()
        }
        assert fonts
        for name, font in fonts.items():
            inner = font.DescendantFonts[0] if "/DescendantFonts" in font else font
            assert "/ToUnicode" in font, name
            assert any(key in inner.FontDescriptor for key in ("/FontFile", "/FontFile2", "/FontFile3")), name
            assert "Source" in name or "LS" in name, name


def test_results_travel_inside_each_named_once(made, document):
    with pikepdf.open(made[1]) as pdf:
        assert sorted(pdf.attachments) == ["results.json", "results.xlsx"]
        assert json.loads(pdf.attachments["results.json"].get_file().read_bytes()) == document
        files = {str(file.F): str(file.AFRelationship) for file in pdf.Root.AF}
        assert len(pdf.Root.AF) == 2
        assert files == {"results.json": "/Data", "results.xlsx": "/Source"}


def test_bookmarks_lead_to_the_chapters(made):
    with pikepdf.open(made[1]) as pdf, pdf.open_outline() as outline:
        assert len(outline.root) == 1 + 5 or len(outline.root) >= 5


def test_pages_are_counted_and_headed(made):
    pages = pypdf.PdfReader(made[1]).pages
    for place, page in enumerate(pages, 1):
        assert f"{place} / {len(pages)}" in re.sub(r"\s+", " ", page.extract_text())
    header = {"en": "Grading report: larkfield-demo", "fr": "Rapport de notation : larkfield-demo"}[made[0]]
    second = re.sub(r"[\s\u00a0]+", " ", pages[1].extract_text())
    assert header in second


def test_page_1_has_at_most_120_words(made):
    assert len(pypdf.PdfReader(made[1]).pages[0].extract_text().split()) <= 120


def test_same_input_same_bytes():
    view, attachments = view_of(*small()), {"results.json": b"{}"}
    assert REPORT.rendered(view, attachments) == REPORT.rendered(view, attachments)


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="poppler is not installed")
def test_a_text_longer_than_a_page_loses_no_line_and_stays_inside_the_page(tmp_path):
    """Case: 260 numbered lines in one answer, 3,000 words in one reason."""
    rubric = shipped_rubric("larkfield")
    lines = "\n".join(f"Ligne {n:03d} du mode d’emploi" for n in range(1, 261))
    grades = [{c.id: 2 for c in rubric.criteria}] * 2
    results, campaign = tiny(
        rubric, {"a": grades, "b": grades}, texts={("a", 0): lines, ("b", 1): "x" * 9000}
    )
    path = tmp_path / "long.pdf"
    REPORT.pdf(view_of(results, campaign, appendix="full"), path, {})
    text = subprocess.run(
        ["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True
    ).stdout
    assert re.findall(r"Ligne (\d{3})", text) == [f"{n:03d}" for n in range(1, 261)]
    assert text.count("x" * 40) * 40 <= 9000
    assert len(re.sub(r"[^x]", "", text)) >= 9000
    boxes = subprocess.run(
        ["pdftotext", "-bbox", path, "-"], capture_output=True, text=True, check=True
    ).stdout
    for page in boxes.split("<page ")[1:]:
        width, height = map(float, re.search(r'width="([\d.]+)" height="([\d.]+)"', page).groups())
        for right, bottom in re.findall(r'xMax="([\d.]+)" yMax="([\d.]+)"', page):
            assert float(right) <= width - 18 / 25.4 * 72 + 1
            assert float(bottom) <= height - 20


def test_a_character_without_a_glyph_is_written_by_its_number_and_told():
    """U+10FFFD is private: no font holds it. No empty box, and the reader knows."""
    written = REPORT.rendered(view_of(*small("before \U0010fffd\U0010fffd after"), appendix="full"), {})
    text = re.sub(r"\s+", " ", "\n".join(p.extract_text() for p in pypdf.PdfReader(_stream(written)).pages))
    assert "before ‹U+10FFFD U+10FFFD› after" in text
    assert "written by their number" in text


def _stream(data: bytes):
    from io import BytesIO

    return BytesIO(data)


def test_no_address_is_ever_fetched():
    fetcher = REPORT.fetcher()
    for url in ("file:///etc/hostname", "https://example.org/", "data:text/css,*{}", "lark-font:Other"):
        with pytest.raises(ValueError, match="fetches nothing"):
            fetcher.fetch(url)


def test_where_pango_is_missing_the_remedy_is_told(monkeypatch):
    def broken(name, *rest):
        if name == "weasyprint":
            raise OSError("cannot load library 'libgobject-2.0-0'\nand a long explanation")
        return real(name, *rest)

    import builtins

    real = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", broken)
    with pytest.raises(MissingPiece) as caught:
        load_weasyprint()
    monkeypatch.undo()
    (told,) = caught.value.problems
    assert told.code == "missing_library"
    assert told.found == "cannot load library 'libgobject-2.0-0'"
    assert "apt-get install libpango" in told.parameters["how"]


def test_a_failed_write_leaves_no_half_report(tmp_path, monkeypatch):
    path = tmp_path / "report.pdf"
    path.write_bytes(b"the report of yesterday")
    monkeypatch.setattr(PdfReport, "rendered", lambda *_: (_ for _ in ()).throw(RuntimeError("disk")))
    with pytest.raises(RuntimeError):
        REPORT.pdf(None, path, {})
    assert [p.name for p in tmp_path.iterdir()] == ["report.pdf"]
    assert path.read_bytes() == b"the report of yesterday"


def test_an_answer_that_fits_a_page_is_never_split_over_two(tmp_path):
    """Forty lines in every response: each stands on one page from its first line to its last."""
    lines = [f"line {n}" for n in range(40)]
    made = demo(texts={(item.id, run): "\n".join(lines) for item in demo()[0].items[:2] for run in demo()[2]})
    campaign, run_of, runs = made
    results = summarise(campaign, run_of=run_of, runs=runs, key_matches=True)
    path = tmp_path / "report.pdf"
    REPORT.pdf(view_of(results, campaign, appendix="full"), path, {})
    counts = [
        (text.count("line 0\n"), text.count("line 39"))
        for text in (page.extract_text() + "\n" for page in pypdf.PdfReader(path).pages)
    ]
    assert sum(first for first, _ in counts) >= 16
    assert all(first == last for first, last in counts)
