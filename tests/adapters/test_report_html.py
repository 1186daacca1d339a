"""The page holds everything it needs and fetches nothing; whatever people and models wrote is text."""

import re
from itertools import pairwise

import pytest

from lark_sheets.adapters.report_html import HtmlReport, storable
from lark_sheets.locales import translator
from lark_sheets.report.view import build_view
from tests.report.factory import PRODUCED, PROVENANCE, ROOT, demo, demo_results

PAGES = HtmlReport(ROOT / "templates")
HOSTILE = [
    "<b>gras</b> & 5 < 6 > 4",
    "</td></tr></table><h1>Titre volé</h1>",
    "{{ 7*7 }} {% for x in [1] %}{{ x }}{% endfor %}",
    '<img src="file:///etc/hostname" onerror="alert(1)">',
    "<style>*{display:none}</style>reste",
    "<!-- commentaire -->après",
    '<link rel=attachment href="file:///etc/hostname">',
    "]]></svg><script>alert(1)</script>",
]


def hostile_view(language: str = "en"):
    items = ["S01", "S02", "S03", "S04", "S05", "S06", "S07", "S08"]
    texts = {(item, "Gemma 3 4B (local)"): text for item, text in zip(items, HOSTILE, strict=True)}
    campaign, _, _ = demo(texts=texts)
    results, _ = demo_results(campaign)
    return build_view(results, campaign, translator(language), produced=PRODUCED, provenance=PROVENANCE)


@pytest.fixture(scope="module")
def page() -> str:
    return PAGES.html(hostile_view())


def test_a_response_is_never_markup(page):
    from markupsafe import escape

    for text in HOSTILE:
        assert str(escape(text)) in page
        assert text not in page or "<" not in text
    assert "49" not in page.split("Ticket S03")[1].split("Ticket S04")[0]


def test_the_page_needs_nothing_from_elsewhere(page):
    addresses = re.findall(
        r"""(?:src|href)\s*=\s*["']?([^"'\s>]+)|url\(["']?([^"')]+)""", re.sub(r"&lt;.*?&gt;", "", page)
    )
    found = {first or second for first, second in addresses}
    assert all(address.startswith(("#", "data:font/otf;base64,")) for address in found)
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page


def test_the_page_is_marked_with_its_language_and_headings_do_not_jump(page):
    assert '<html lang="en">' in page
    levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_the_page_in_french_says_so():
    results, campaign = demo_results()
    view = build_view(results, campaign, translator("fr"), produced=PRODUCED, appendix="none")
    assert '<html lang="fr-CA">' in PAGES.html(view)


def test_every_drawing_has_a_sentence(page):
    drawings = re.findall(r"<svg[^>]*>(?:<title>([^<]*)</title>)?", page)
    hidden = len(re.findall(r'<svg[^>]*aria-hidden="true"', page))
    assert len(drawings) > 40
    assert sum(not title for title in drawings) == hidden


def test_the_page_says_where_the_data_lie_as_is_true_for_its_medium():
    view = hostile_view()
    assert "in the same folder" in PAGES.html(view)
    assert "in this PDF itself" not in PAGES.html(view)
    assert "in this PDF itself" in PAGES.printed(view, lambda text: text)
    assert "Made by a browser" in PAGES.for_browser(view)
    assert "Made by a browser" not in PAGES.html(view)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("two\nlines\tand a tab", "two\nlines\tand a tab", id="line ends and tabs stay"),
        pytest.param("a\r\nb", "a\nb", id="line ends of Windows"),
        pytest.param("bell \x07", "bell ‹U+0007›", id="control character"),
        pytest.param("nul \x00", "nul ‹U+0000›", id="nul"),
        pytest.param("half \ud83d", "half ‹U+D83D›", id="half a surrogate pair"),
        pytest.param("no \uffff", "no ‹U+FFFF›", id="no character"),
        pytest.param("é 漢 🙂 \u202b", "é 漢 🙂 \u202b", id="every real character stays"),
    ],
)
def test_what_html_cannot_hold_is_named(text, shown):
    assert storable(text) == shown
    shown.encode()


def test_only_its_own_fonts_have_an_address():
    assert PAGES.font("lark-font:Regular")[:4] == b"OTTO"
    for url in ("lark-font:../secret", "file:///etc/hostname", "https://example.org/x.otf", "lark-font:It"):
        with pytest.raises(KeyError):
            PAGES.font(url)


def test_a_report_is_made_from_a_view_only():
    with pytest.raises(TypeError):
        PAGES.html({"title": "x"})
