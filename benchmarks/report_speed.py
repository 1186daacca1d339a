"""Time and memory of the report's PDF beside what WeasyPrint alone needs for the same HTML.

`python benchmarks/report_speed.py [RESPONSES ...]` prints, for each campaign and appendix, processor seconds and peak memory of ours (from the view
to the PDF's bytes, no attachment) and of the floor (WeasyPrint on the finished HTML, same tags and variant), and their ratio. Each measurement has a
process of its own; imports are counted in both, median of three. Goals: scores only of 192 responses under 4 s, full within 1.2 of the floor.
Larger campaigns are the demo's 24 tickets over again under further names; the last column tells whether time grows with the number of responses.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import cast

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from lark_sheets.adapters.report_html import HtmlReport
from lark_sheets.adapters.report_pdf import PdfReport
from lark_sheets.core.scoring import summarise
from lark_sheets.locales import translator
from lark_sheets.report.view import Appendix, ReportView, build_view
from tests.report.factory import PRODUCED, PROVENANCE, demo

REPEATS = 3


def made(responses: int, appendix: Appendix) -> tuple[HtmlReport, PdfReport, ReportView]:
    """Return the report's writer and the view of a campaign of that many responses."""
    campaign, runs, order = demo()
    times = max(1, -(-responses // len(campaign.responses)))

    def named(text: str, copy: int) -> str:
        return f"{text}x{copy}" if copy else text

    copies = range(times)
    items = tuple(replace(i, id=named(i.id, c)) for c in copies for i in campaign.items)
    answers = tuple(
        replace(r, id=named(r.id, c), item=named(r.item, c)) for c in copies for r in campaign.responses
    )
    many = {named(key, c): run for c in copies for key, run in runs.items()}
    kept = {r.id for r in answers[:responses]}
    asked = {r.item for r in answers[:responses]}
    campaign = replace(
        campaign,
        items=tuple(i for i in items if i.id in asked),
        responses=answers[:responses],
        readings=tuple(
            replace(r, response=named(r.response, c))
            for c in copies
            for r in campaign.readings
            if named(r.response, c) in kept
        ),
    )
    results = summarise(
        campaign, run_of={k: r for k, r in many.items() if k in kept}, runs=order, key_matches=True
    )
    view = build_view(
        results,
        campaign,
        translator("en"),
        produced=PRODUCED,
        provenance=PROVENANCE,
        appendix=appendix,
    )
    pages = HtmlReport(ROOT / "templates")
    return pages, PdfReport(pages), view


def child(who: str, responses: int, appendix: Appendix) -> None:
    """Print processor seconds, peak memory in MB and the PDF's bytes of one way."""
    pages, report, view = made(responses, appendix)
    if who == "ours":
        start = time.process_time()
        data = report.rendered(view, {})
    else:
        page = pages.printed(view, str)
        start = time.process_time()
        import weasyprint

        data = weasyprint.HTML(string=page, url_fetcher=report.fetcher()).write_pdf(
            pdf_variant="pdf/a-3a", pdf_tags=True
        )
    seconds = time.process_time() - start
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(data))


def measured(who: str, responses: int, appendix: str) -> tuple[float, float]:
    """Return the median seconds and the largest memory of several processes."""
    found = []
    for _ in range(REPEATS if responses <= 400 else 1):
        words = [sys.executable, __file__, "--child", who, str(responses), appendix]
        told = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
        found.append((float(told[0]), float(told[1])))
    return median(s for s, _ in found), max(m for _, m in found)


def main(sizes: list[int]) -> None:
    """Print the table."""
    print("responses  appendix  ours s  floor s  ratio  ours MB  floor MB  ms/response")
    for responses in sizes:
        for appendix in ("none", "scores", "full"):
            ours, memory = measured("ours", responses, appendix)
            floor, below = measured("floor", responses, appendix)
            print(
                f"{responses:9}  {appendix:8}  {ours:6.2f}  {floor:7.2f}  {ours / floor:5.2f}  {memory:7.0f}  {below:8.0f}"
                f"  {1000 * ours / responses:11.1f}",
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], int(sys.argv[3]), cast("Appendix", sys.argv[4]))
    else:
        main([int(word) for word in sys.argv[1:]] or [192])
