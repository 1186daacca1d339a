"""The results workbook: numbers as numbers, undefined as blanks with their reason, charts over the cells they show."""

import pytest

from lark_sheets.core.cells import parse_area
from lark_sheets.core.language import Translator
from lark_sheets.locales import translator
from lark_sheets.workbook import layout
from lark_sheets.workbook.results_book import plan_results_book
from lark_sheets.workbook.results_sheets import fitting
from tests.report.factory import PRODUCED, demo, demo_results, shipped_rubric, tiny

EN, FR = translator("en"), translator("fr")


def plan(results, campaign, translate: Translator = EN, *, texts: bool = True):
    return plan_results_book(results, campaign, translate, produced=PRODUCED, texts=texts)


@pytest.fixture(scope="module")
def book():
    return plan(*demo_results())


def table(sheet, name: str) -> list[list[object]]:
    area = next(t.area for t in sheet.tables if t.name == name)
    return [
        [
            cell.value if (cell := sheet.cells.get((row, column))) else None
            for column in range(area.left, area.right + 1)
        ]
        for row in range(area.top, area.bottom + 1)
    ]


@pytest.mark.parametrize(
    ("translate", "names"),
    [(EN, ["Results", "Agreement", "Judge", "Detail"]), (FR, ["Résultats", "Accord", "Juge", "Détail"])],
    ids=["en", "fr"],
)
def test_four_sheets_in_the_readers_language(translate, names):
    assert [sheet.name for sheet in plan(*demo_results(), translate).sheets] == names


def test_the_table_of_runs_holds_the_published_figures_as_numbers(book):
    header, *rows = table(book.sheets[0], "tblResults")
    assert header[:4] == ["Run", "Responses", "Graded", "Ready"]
    gemma = dict(zip(header, next(row for row in rows if row[0] == "Gemma 3 4B (local)"), strict=True))
    assert (gemma["Ready"], gemma["Points"], gemma["Points possible"]) == (6, 111, 192)
    assert gemma["Score out of 10"] == 111 / 192 * 10
    assert (gemma["Accuracy 0"], gemma["Abstention 0"]) == (6, 0)


def test_agreement_holds_counts_shares_and_coefficients(book):
    header, *rows = table(book.sheets[1], "tblAgreement")
    format_row = dict(zip(header, next(row for row in rows if row[1] == "Format"), strict=True))
    assert (format_row["Equal"], format_row["Of"], format_row["Share"]) == (26, 28, 26 / 28)
    assert 0.7 < format_row["Kappa"] < 0.9
    assert format_row["State of kappa"] == "defined"


def test_all_responses_come_first_then_each_run_that_was_read_twice(book):
    _, *rows = table(book.sheets[1], "tblAgreement")
    assert list(dict.fromkeys(row[0] for row in rows))[:2] == ["All responses", "Claude Haiku 5.5"]
    assert len(rows) == 6 * (1 + 7)
    (chart,) = book.sheets[1].charts
    assert chart.categories == "'Agreement'!$B$7:$B$12"


def test_levels_stand_in_one_row_a_run(book):
    header, *rows = table(book.sheets[0], "tblLevels")
    gemma = dict(zip(header, next(row for row in rows if row[0] == "Gemma 3 4B (local)"), strict=True))
    assert [gemma[f"Accuracy {level}"] for level in (0, 1, 2)] == [6, 11, 7]


def test_an_undefined_coefficient_is_a_blank_with_its_name_never_a_number():
    rubric = shipped_rubric("larkfield")
    top = {c.id: c.top for c in rubric.criteria}
    results, campaign = tiny(rubric, {"a": [top] * 4}, second={"a": [top] * 4})
    header, *rows = table(plan(results, campaign).sheets[1], "tblAgreement")
    accuracy = dict(zip(header, next(row for row in rows if row[1] == "Accuracy"), strict=True))
    assert (accuracy["Kappa"], accuracy["Kappa, from"]) == (None, None)
    assert accuracy["State of kappa"] == "undefined: one value only"


def test_every_reading_has_its_row_and_its_text(book):
    header, *rows = table(book.sheets[3], "tblDetail")
    assert len(rows) == 192 + 28
    assert header[-1] == "Response"


def test_without_texts_fingerprints_stand_for_them():
    results, campaign = demo_results()
    sheet = plan(results, campaign, texts=False).sheets[3]
    header, *rows = table(sheet, "tblDetail")
    assert header[-1] == "Fingerprint"
    everything = " ".join(str(value) for row in rows for value in row)
    assert not any(r.text[:60] in everything for r in campaign.responses if len(r.text) > 80)


def test_charts_show_the_cells_of_their_own_tables_and_say_their_figures(book):
    sheet = book.sheets[0]
    area = next(t.area for t in sheet.tables if t.name == "tblResults")
    ready, zeros = sheet.charts
    name, _, cells = ready.categories.rpartition("!")
    assert name == "'Results'"
    names = parse_area(cells.replace("$", ""))
    assert (names.top, names.bottom, names.left) == (area.top + 1, area.bottom, 1)
    assert "Gemma 3 4B (local): 6/24" in ready.alt
    assert len(zeros.series) == 4
    assert "Qwen3 4B, 4000-token limit (local): Accuracy 6" in zeros.alt


def test_before_the_reveal_no_run_is_named_and_nothing_is_drawn():
    campaign, _, runs = demo(revealed=False)
    results, _ = demo_results(campaign)
    book = plan(results, campaign)
    said = " ".join(str(cell.value) for sheet in book.sheets for cell in sheet.cells.values())
    assert not any(run in said for run in runs)
    assert book.sheets[0].charts == []
    assert table(book.sheets[0], "tblResults")[1][:3] == ["All responses", 192, 192]


def test_rates_stand_by_stratum_with_a_blank_where_nothing_was_counted():
    grades = {"a": [{"category": "full_refusal"}, {"category": "substantive"}] * 2}
    results, campaign = tiny(shipped_rubric("refusals"), grades, strata=["licit", "at_risk"])
    header, *rows = table(plan(results, campaign).sheets[0], "tblRates")
    licit = next(row for row in rows if row[1:3] == ["licit", "full refusal"])
    assert licit[3:6] == [2, 2, 1.0]
    assert header[3:5] == ["Responses", "Of"]


def test_no_table_shares_a_cell_with_another(book):
    for sheet in book.sheets:
        areas = [t.area for t in sheet.tables]
        for place, one in enumerate(areas):
            for other in areas[place + 1 :]:
                assert one.bottom < other.top or other.bottom < one.top


def test_headers_of_a_table_are_all_different(book):
    for sheet in book.sheets:
        for found in sheet.tables:
            header = table(sheet, found.name)[0]
            assert len(set(header)) == len(header), (found.name, header)


def test_a_text_that_no_cell_can_hold_says_how_much_is_left_out():
    text = "é" * (layout.CELL_LIMIT + 10)
    shown = fitting(text, EN)
    kept = shown.index("…")
    assert shown.endswith(f"… ({len(text) - kept} characters not shown, see the campaign's workbook)")
    assert fitting("short", EN) == "short"
