"""Where Pango is missing a browser prints the same page, and what is lost is told; without one the lack is told."""

import os
import re

import pypdf
import pytest

from lark_sheets.adapters.report_chromium import BrowserReport, FirstThatCan, find_browser
from lark_sheets.adapters.report_html import HtmlReport
from lark_sheets.core.problems import problem
from lark_sheets.errors import MissingPiece
from lark_sheets.locales import translator
from lark_sheets.report.view import build_view
from tests.report.factory import PRODUCED, ROOT, demo_results

PAGES = HtmlReport(ROOT / "templates")
ROOT_NEEDS = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []


def view():
    results, campaign = demo_results()
    return build_view(results, campaign, translator("en"), produced=PRODUCED, appendix="none")


@pytest.mark.skipif(find_browser() is None, reason="no Edge, Chrome or Chromium here")
def test_a_browser_prints_the_same_figures_and_says_what_is_lost(tmp_path):
    path = tmp_path / "report.pdf"
    BrowserReport(PAGES, find_browser(), ROOT_NEEDS).pdf(view(), path, {})
    pages = [re.sub(r"[\s\u00a0]+", " ", page.extract_text()) for page in pypdf.PdfReader(path).pages]
    assert "5 runs of 8 lead, tied" in pages[0]
    assert f"1 / {len(pages)}" in pages[0]
    assert "Made by a browser" in " ".join(pages)
    assert pypdf.PdfReader(path).trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert [p.name for p in tmp_path.iterdir()] == ["report.pdf"]


class Fake:
    """A report maker that lacks what it is told to lack."""

    def __init__(self, lacking=None):
        self.lacking, self.made = lacking, []

    def html(self, view):
        return "page"

    def pdf(self, view, path, attachments):
        if self.lacking:
            raise MissingPiece(problem(self.lacking, found="libpango", how="install it."))
        self.made.append(path)


def test_the_browser_is_asked_only_when_the_library_is_missing(tmp_path):
    good, browser = Fake(), Fake()
    FirstThatCan(good, browser).pdf(None, tmp_path, {})
    assert (good.made, browser.made) == ([tmp_path], [])
    FirstThatCan(Fake("missing_library"), browser).pdf(None, tmp_path, {})
    assert browser.made == [tmp_path]


def test_a_locked_file_is_not_a_matter_for_a_browser(tmp_path):
    browser = Fake()
    with pytest.raises(MissingPiece):
        FirstThatCan(Fake("file_locked"), browser).pdf(None, tmp_path, {})
    assert browser.made == []


@pytest.mark.parametrize("browser", [None, Fake("missing_library")], ids=["none here", "one that fails"])
def test_without_a_browser_that_works_the_first_lack_is_told(tmp_path, browser):
    with pytest.raises(MissingPiece) as caught:
        FirstThatCan(Fake("missing_library"), browser).pdf(None, tmp_path, {})
    assert caught.value.problems[0].parameters["how"] == "install it."


def test_a_browser_that_is_no_browser_is_told_not_believed(tmp_path):
    script = tmp_path / "browser"
    script.write_text("#!/bin/sh\necho 'cannot open display' >&2\nexit 3\n")
    script.chmod(0o755)
    with pytest.raises(MissingPiece) as caught:
        BrowserReport(PAGES, script).pdf(view(), tmp_path / "report.pdf", {})
    assert caught.value.problems[0].found == "browser: cannot open display"
    assert not (tmp_path / "report.pdf").exists()


def test_a_browser_is_found_by_name_or_by_place(tmp_path):
    place = tmp_path / "msedge.exe"
    assert find_browser(names=("no-such-browser",), places=(str(place),)) is None
    place.write_bytes(b"MZ")
    assert find_browser(names=("no-such-browser",), places=(str(place),)) == place
