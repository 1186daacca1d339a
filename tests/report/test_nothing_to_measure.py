"""Campaigns in which agreement cannot be measured: the report still stands, without a warning and without a number that is none."""

import logging
import re
import warnings
from dataclasses import replace

import pypdf
import pytest

from lark_sheets.adapters.report_html import HtmlReport
from lark_sheets.adapters.report_pdf import PdfReport
from lark_sheets.core.results import Results
from lark_sheets.core.scoring import summarise
from lark_sheets.locales import translator
from lark_sheets.report.view import build_view
from tests.core.test_reader_agreement import DEGENERATE
from tests.report.factory import PRODUCED, PROVENANCE, ROOT

NO_NUMBER = re.compile(r"\b(nan|inf|none|null)\b", re.IGNORECASE)
"""As Python and JSON write what is no number; "None of the 8 responses" is a sentence."""


def results_of(made) -> Results:
    run_of = {r.id: f"run {r.label}" for r in made.responses}
    return summarise(made, run_of=run_of, runs=sorted(set(run_of.values())), key_matches=True)


def page(made, language: str):
    return build_view(
        results_of(made),
        made,
        translator(language),
        produced=PRODUCED,
        provenance=PROVENANCE,
        appendix="none",
    )


def without_sentences(text: str) -> str:
    return text.replace("None of the", "").replace("none of the", "")


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("made", DEGENERATE.values(), ids=DEGENERATE)
def test_the_page_holds_no_number_that_is_none(made, language):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        html = HtmlReport(ROOT / "templates").html(page(replace(made, revealed=True), language))
    body = re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL)
    found = NO_NUMBER.search(without_sentences(re.sub(r"\s+", " ", body)))
    assert found is None, body[max(0, found.start() - 80) : found.end() + 40]


@pytest.mark.parametrize("name", ["everything equal, one value", "one shared response, different"])
def test_the_pdf_is_made_without_a_warning(name, tmp_path):
    told: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: told.append(record.getMessage())
    logging.getLogger("weasyprint").addHandler(handler)
    path = tmp_path / "report.pdf"
    try:
        PdfReport(HtmlReport(ROOT / "templates")).pdf(
            page(replace(DEGENERATE[name], revealed=True), "en"), path, {}
        )
    finally:
        logging.getLogger("weasyprint").removeHandler(handler)
    assert told == []
    text = " ".join(p.extract_text() for p in pypdf.PdfReader(path).pages)
    assert NO_NUMBER.search(without_sentences(re.sub(r"\s+", " ", text))) is None
    assert "undefined: one" in re.sub(r"\s+", " ", text)
