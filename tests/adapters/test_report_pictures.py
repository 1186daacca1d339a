"""What single pieces look like: drawn small, in grey, and compared with the picture that a person looked at.

After a change that is meant, run this file with ``LARK_SHEETS_PICTURES=1`` and look at what changed.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter, ImageStat

from lark_sheets.adapters.report_html import HtmlReport
from lark_sheets.adapters.report_pdf import PdfReport
from lark_sheets.core.intervals import wilson
from lark_sheets.locales import translator
from lark_sheets.report.charts import Value, heat_map, interval_mark, stacked_bar
from lark_sheets.report.view import build_view
from tests.report.factory import PRODUCED, ROOT, demo_results

PICTURES = Path(__file__).parent / "pictures"
TOLERANCE = 6.0
"""Mean difference of grey (0-255) after a blur: other versions of the font machinery stay below, a moved dot does not."""
pytestmark = pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler is not installed")


def drawn(page: str, tmp_path: Path) -> Image.Image:
    import weasyprint

    report = PdfReport(HtmlReport(ROOT / "templates"))
    pdf = tmp_path / "piece.pdf"
    weasyprint.HTML(string=page, url_fetcher=report.fetcher()).write_pdf(pdf)
    subprocess.run(
        ["pdftoppm", "-r", "72", "-gray", "-png", "-singlefile", pdf, tmp_path / "piece"],
        check=True,
        capture_output=True,
    )
    return Image.open(tmp_path / "piece.png").convert("L")


def macro(name: str, value, width: int, height: int) -> str:
    from jinja2 import Environment, FileSystemLoader

    environment = Environment(loader=FileSystemLoader(ROOT / "templates"), autoescape=True)
    drawing = getattr(environment.get_template("partials/charts.html.j2").module, name)(value)
    face = '@font-face { font-family: "LS Sans"; src: url("lark-font:Regular") }'
    return f"<style>{face} @page {{ size: {width}px {height}px; margin: 4px }} body {{ margin: 0 }} svg {{ display: block }}</style>{drawing}"


def interval_row() -> str:
    return macro("interval", interval_mark(22 / 24, wilson(22, 24), alt="", width=160, height=20), 170, 30)


def interval_behind() -> str:
    return macro(
        "interval", interval_mark(6 / 24, wilson(6, 24), alt="", width=160, height=20, filled=False), 170, 30
    )


def level_bar() -> str:
    return macro("bar", stacked_bar([6, 11, 7], alt="", width=150, height=13), 160, 24)


def heat() -> str:
    values = [Value(points, points > 4) for points in (8, 7, 6, 5, 4, 3, 2, 1, 0)]
    chart = heat_map(
        [f"S{n:02d}" for n in range(9)], [("run", values)], maximum=8, alt="", width=280, label=40
    )
    return macro("heat", chart, 290, 44)


def decision_page() -> str:
    results, campaign = demo_results()
    view = build_view(results, campaign, translator("en"), produced=PRODUCED, appendix="none")
    return HtmlReport(ROOT / "templates").printed(view, lambda text: text)


@pytest.mark.parametrize(
    "piece", [interval_row, interval_behind, level_bar, heat, decision_page], ids=lambda p: p.__name__
)
def test_a_piece_looks_as_it_did_when_it_was_looked_at(piece, tmp_path):
    seen = drawn(piece(), tmp_path)
    expected = PICTURES / f"{piece.__name__}.png"
    if os.environ.get("LARK_SHEETS_PICTURES"):
        PICTURES.mkdir(exist_ok=True)
        seen.save(expected, optimize=True)
    wanted = Image.open(expected).convert("L")
    assert seen.size == wanted.size
    blur = ImageFilter.GaussianBlur(1.5)
    difference = ImageChops.difference(seen.filter(blur), wanted.filter(blur))
    assert ImageStat.Stat(difference).mean[0] < TOLERANCE
    # A dot that moved or a line that vanished is small on average, but somewhere it is large.
    assert difference.getextrema()[1] < 110


def test_a_moved_dot_is_seen(tmp_path):
    moved = drawn(
        macro("interval", interval_mark(18 / 24, wilson(18, 24), alt="", width=160, height=20), 170, 30),
        tmp_path,
    )
    wanted = Image.open(PICTURES / "interval_row.png").convert("L")
    blur = ImageFilter.GaussianBlur(1.5)
    assert ImageChops.difference(moved.filter(blur), wanted.filter(blur)).getextrema()[1] >= 110
