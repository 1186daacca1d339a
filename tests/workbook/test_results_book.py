"""The results workbook: numbers as numbers, undefined as blanks with their reason, charts over the cells they show."""

import re

import pytest

from lark_sheets.core.agreement_words import methods_in_words, notes_in_words
from lark_sheets.core.cells import parse_area
from lark_sheets.core.language import Translator
from lark_sheets.core.scoring import summarise
from lark_sheets.locales import translator
from lark_sheets.workbook import layout
from lark_sheets.workbook.judge_words import HEADINGS
from lark_sheets.workbook.results_book import plan_results_book
from lark_sheets.workbook.results_sheets import fitting
from tests.core.test_reader_agreement import DEGENERATE
from tests.factories import BASE, campaign as campaign_of
from tests.report.factory import PRODUCED, ROOT, demo, demo_results, shipped_rubric, tiny

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


# --- the sheet of agreement carries what stands behind its numbers ------------------------------------------------------------


def said(sheet) -> list[str]:
    return [str(cell.value) for (_, column), cell in sorted(sheet.cells.items()) if column == 1]


def dicts(sheet, name: str) -> list[dict[str, object]]:
    header, *rows = table(sheet, name)
    return [dict(zip(header, row, strict=True)) for row in rows]


def test_who_the_readers_are_stands_with_what_they_read(book):
    assert dicts(book.sheets[1], "tblReaders") == [
        {"Reader": "reader-1", "What it is": "person", "Read": 192, "Shared": 28},
        {"Reader": "reader-2", "What it is": "model of a candidate's family: claude", "Read": 28, "Shared": 28},
    ]  # fmt: skip


def test_every_coefficient_interval_and_gap_has_its_column(book):
    accuracy = next(r for r in dicts(book.sheets[1], "tblAgreement") if r["What is compared"] == "Accuracy")
    assert (accuracy["One level apart"], accuracy["Two or more apart"]) == (2, 0)
    assert accuracy["Alpha, interval"] == pytest.approx(0.8873, abs=5e-5)
    assert accuracy["AC1, from"] < accuracy["AC1"] < accuracy["AC1, to"]
    assert accuracy["By ticket, from"] <= accuracy["Share"] <= accuracy["By ticket, to"]
    decision = next(r for r in dicts(book.sheets[1], "tblAgreement") if r["What is compared"] == "Decision")
    assert (decision["Kappa, linear"], decision["One level apart"]) == (None, None)


def test_confusions_count_every_shared_response_once(book):
    rows = dicts(book.sheets[1], "tblConfusion")
    for what in ("Decision", "Accuracy", "Completeness", "Format", "Abstention"):
        assert sum(r["Responses"] for r in rows if r["What is compared"] == what) == 28
    assert {"Grade of the first": 2, "Grade of the second": 1, "Responses": 1}.items() <= next(
        r for r in rows if r["What is compared"] == "Format" and r["Grade of the first"] == 2
    ).items()
    assert [r["Grade of the first"] for r in rows if r["What is compared"] == "Decision"] == ["ready", "not ready"]  # fmt: skip


@pytest.mark.parametrize("translate", [EN, FR], ids=["en", "fr"])
def test_notes_and_methods_stand_in_words(translate):
    results, campaign = demo_results()
    lines = said(plan(results, campaign, translate).sheets[1])
    for text in (*notes_in_words(results, translate), *methods_in_words(results.agreement, translate)):
        assert text in lines


def test_three_readers_have_a_table_of_pairs():
    results = summarise(made := campaign_of(more={"g2": BASE, "g3": dict.fromkeys(BASE, (2, 2, 2, 2))}))
    pairs = dicts(plan(results, made).sheets[1], "tblPairs")
    assert list(dict.fromkeys(r["Readers"] for r in pairs)) == ["g1 / g2", "g1 / g3", "g2 / g3"]
    whole = next(r for r in dicts(plan(results, made).sheets[1], "tblAgreement") if r["What is compared"] == "Accuracy")  # fmt: skip
    assert (whole["Kappa"], whole["State of kappa"]) == (None, "undefined: more than two readers")
    assert (whole["State of alpha"], whole["Alpha, nominal"] is None) == ("defined", False)


def test_redrawn_intervals_stand_where_the_sample_is_large_enough(book):
    rubric = shipped_rubric("larkfield")
    runs = {
        r: [{c.id: (n + k) % 3 for c in rubric.criteria} for n in range(24)] for k, r in enumerate("abcd")
    }
    second = {r: [g if n % 6 else dict.fromkeys(g, 0) for n, g in enumerate(of)] for r, of in runs.items()}
    rows = dicts(plan(*tiny(rubric, runs, second=second)).sheets[1], "tblRedrawn")
    linear = next(r for r in rows if (r["What is compared"], r["Coefficient"]) == ("Format", "Kappa, linear"))
    assert linear["From (95%)"] < linear["Value"] < linear["To (95%)"]
    assert "tblRedrawn" not in [t.name for t in book.sheets[1].tables]


def test_agreement_before_and_after_discussions_stand_side_by_side():
    second = dict(BASE) | {"K01-C": (2, 2, 2, 2)}
    made = campaign_of(more={"g2": second}, agreed={"k01-c": {"accuracy": 1}})
    rows = dicts(plan(summarise(made), made).sheets[1], "tblDiscussed")
    accuracy = next(r for r in rows if r["What is compared"] == "Accuracy")
    assert (accuracy["Equal before discussion"], accuracy["Equal after"], accuracy["Of"]) == (7, 8, 8)


def test_runs_are_compared_pair_by_pair_after_the_reveal(book):
    rows = dicts(book.sheets[0], "tblApart")
    assert len(rows) == 56
    pair = rows[0]
    assert (pair["Run"], pair["Compared with"], pair["On what"]) == ("Claude Haiku 5.5", "Claude Sonnet 5.5", "ready")  # fmt: skip
    assert (pair["p"], pair["Adjusted p"], pair["Told apart"]) == (0.5, 1.0, "no")
    assert (
        len([line for line in said(book.sheets[0]) if line.startswith("Cannot be told apart. ready:")]) == 3
    )
    sealed, _, _ = demo(revealed=False)
    hidden = plan(*demo_results(sealed))
    assert [t.name for t in hidden.sheets[0].tables] == ["tblResults", "tblLevels"]


@pytest.mark.parametrize("made", DEGENERATE.values(), ids=DEGENERATE)
def test_what_cannot_be_measured_leaves_blanks_and_a_state(made):
    for row in dicts(plan(summarise(made), made).sheets[1], "tblAgreement"):
        assert not any(isinstance(value, float) and value != value for value in row.values())
        if row["What is compared"] != "All criteria":
            assert (row["Kappa"] is None) == (row["State of kappa"] != "defined")


def test_the_notes_are_one_click_away(book):
    sheet = book.sheets[1]
    link = sheet.cells[5, 1].link
    row = int(link.rpartition("A")[2])
    assert sheet.cells[row, 1].value == "To read beside the numbers"
    assert f"row {row} " in sheet.cells[5, 1].value


JUDGED = {
    "model": "a-model",
    "gate": "stale",
    "conclusive": False,
    "unscored": {"timeout": 2},
    "calibration": {
        "kappa": 0.875,
        "kappa_interval": [0.5, 0.98],
        "labels_needed": None,
        "criteria": {"accuracy": {"equal": 20, "confusion": [[3, 1], [0, 18]]}},
    },
    "items": [
        {
            "item": "S01",
            "label": "B",
            "id": "r1",
            "total": 5.0,
            "signs": [],
            "reasoning": "=1+1 is " + "x" * 40_000,
        }
    ],
}


@pytest.mark.parametrize(
    ("translate", "expected"),
    [
        (
            EN,
            {
                "Model": "a-model",
                "Gate": "out of date",
                "Conclusive": "no",
                "Unscored, by reason › timeout": 2,
                "Calibration › Kappa": 0.875,
                "Calibration › Kappa, 95% interval": "0.5; 0.98",
                "Calibration › Labels needed to conclude": "not stated",
                "Calibration › By criterion › Accuracy › Equal": 20,
                "Calibration › By criterion › Accuracy › People (rows) and judge (columns)": "3, 1; 0, 18",
            },
        ),
        (
            FR,
            {
                "Modèle": "a-model",
                "Seuil": "périmé",
                "Concluant": "non",
                "Étalonnage › Kappa": 0.875,
                "Étalonnage › Kappa, intervalle à 95 %": "0,5; 0,98",
                "Étalonnage › Par critère › Exactitude › Pareil": 20,
            },
        ),
    ],
    ids=["en", "fr"],
)
def test_the_judge_is_told_by_headings_not_by_keys(translate, expected):
    """An entry of a list is one row, called by its ticket and letter, cut to what a cell can hold."""
    rubric = shipped_rubric("larkfield")
    top = {c.id: c.top for c in rubric.criteria}
    sheet = plan(*tiny(rubric, {"a": [top], "b": [top]}, judge=JUDGED), translate).sheets[2]
    _, *rows = table(sheet, "tblJudge")
    found = dict(rows)
    assert {name: found[name] for name in expected} == expected
    (entry,) = [str(value) for name, value in rows if str(name).endswith("S01 B")]
    assert "=1+1 is xxx" in entry
    assert len(entry) <= layout.CELL_LIMIT


def test_every_figure_of_the_judge_has_a_heading():
    """The keys that the judge's block writes are all in the list of headings, or are ids."""
    source = "\n".join(
        (ROOT / "lark_sheets" / "usecases" / name).read_text("utf-8") for name in ("judge_block.py",)
    )
    written = set(re.findall(r'^ +"([a-z_0-9]+)":', source, re.MULTILINE))
    leanings = {"own_family", "own", "others", "difference", "length", "correlation", "order", "permuted"}
    assert written - leanings - set(HEADINGS) == set()
