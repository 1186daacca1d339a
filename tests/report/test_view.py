"""The chapters say what the results say: exact figures, undefined things by name, nothing averaged, nothing lost."""

from dataclasses import replace

import pytest

from lark_sheets.core.campaign import Grader
from lark_sheets.core.language import NBSP
from lark_sheets.core.problems import problem
from lark_sheets.core.scoring import summarise
from lark_sheets.locales import translator
from lark_sheets.report.appendix import text_limit
from lark_sheets.report.grras import ITEMS
from lark_sheets.report.view import ReportView, build_view
from tests.report.factory import PRODUCED, PROVENANCE, demo, demo_results, shipped_rubric, tiny

EN, FR = translator("en"), translator("fr")


def view_of(results, campaign, translate=EN, appendix="none", **provenance) -> ReportView:
    return build_view(
        results, campaign, translate, produced=PRODUCED, appendix=appendix, provenance=PROVENANCE | provenance
    )


def chapter(view: ReportView, name: str):
    return next(section for section in view.sections if section.id == name)


def texts(value) -> list[str]:
    """Every text of a view, wherever it stands."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple | list):
        return [t for part in value for t in texts(part)]
    if hasattr(value, "__dataclass_fields__"):
        return [t for name in value.__dataclass_fields__ for t in texts(getattr(value, name))]
    return []


def rows(section, place: int = 0) -> list[list[str]]:
    tables = [block.table for block in section.blocks if block.table]
    return [[cell.text for cell in row.cells] for row in tables[place].rows]


@pytest.fixture(scope="module")
def english() -> ReportView:
    return view_of(*demo_results())


@pytest.fixture(scope="module")
def french() -> ReportView:
    return view_of(*demo_results(), FR)


def test_the_results_table_is_the_published_one_to_the_unit(english):
    table = [[row[0], row[1], row[4], row[5], *row[6:]] for row in rows(chapter(english, "runs"))]
    assert table == [
        ["Claude Haiku 5.5", "24", "9.84", "189", "0", "0", "0", "0"],
        ["Claude Sonnet 5.5", "22", "9.90", "190", "0", "0", "0", "0"],
        ["Claude Opus 5.5", "24", "10.00", "192", "0", "0", "0", "0"],
        ["Gemini 3.5 Flash", "24", "9.95", "191", "0", "0", "0", "0"],
        ["Gemini 3.1 Pro (preview)", "24", "9.90", "190", "0", "0", "0", "0"],
        ["Gemma 3 4B (local)", "6", "5.78", "111", "6", "6", "2", "0"],
        ["Mistral 7B (local)", "12", "7.45", "143", "4", "2", "1", "0"],
        ["Qwen3 4B, 4000-token limit (local)", "14", "6.51", "125", "6", "6", "4", "4"],
    ]


def test_decimals_are_in_the_readers_language(french):
    assert rows(chapter(french, "runs"))[0][4] == "9,84"
    assert rows(chapter(french, "runs"))[0][3] == f"86{NBSP}%{NBSP}à{NBSP}100{NBSP}%"


def test_no_run_is_called_hosted_or_local_unless_the_data_say_so(english):
    said = " ".join(texts(english)).casefold()
    assert "hosted model" not in said.replace("hosted models change without notice", "")


def test_agreement_shows_counts_before_coefficients(english):
    table = rows(chapter(english, "agreement"))
    assert [(row[0], row[1]) for row in table] == [
        ("Decision", "28 of 28"),
        ("All criteria", "24 of 28"),
        ("Accuracy", "26 of 28"),
        ("Completeness", "27 of 28"),
        ("Format", "26 of 28"),
        ("Abstention", "28 of 28"),
    ]


def test_who_the_readers_are_is_part_of_the_agreement(english):
    notes = texts(chapter(english, "agreement").blocks[1])
    assert "Readers: reader-1 and reader-2 (a model, claude)." in notes
    assert any("blind spots" in note for note in notes)
    assert any(note.startswith("164 of 192 responses (85%) were read by one reader only") for note in notes)


def test_an_undefined_kappa_is_named_with_its_counts():
    rubric = shipped_rubric("larkfield")
    top = {c.id: c.top for c in rubric.criteria}
    other = top | {"format": 1}
    section = chapter(
        view_of(*tiny(rubric, {"a": [top] * 4 + [other]}, second={"a": [top] * 4 + [other]})), "agreement"
    )
    named = next(line for line in texts(section) if "undefined: one value only" in line)
    assert named.startswith("Decision, Accuracy, Completeness, Abstention: kappa is undefined")
    assert named.endswith("grades are equal on 5 of 5 responses read twice.")
    assert rows(section)[2][4] == "–"


def test_more_than_two_readers_get_fleiss_and_alpha_and_one_sentence_for_what_has_no_kappa():
    rubric = shipped_rubric("larkfield")
    _, campaign = tiny(
        rubric,
        {"a": [{c.id: level for c in rubric.criteria} for level in (2, 1, 0, 2)]},
        second={"a": [{c.id: level for c in rubric.criteria} for level in (2, 0, 0, 1)]},
    )
    third = [replace(r, grader="cem", owner=False) for r in campaign.readings if r.grader == "ana"]
    campaign = replace(
        campaign, readings=(*campaign.readings, *third), graders=(*campaign.graders, Grader(name="cem"))
    )
    section = chapter(view_of(summarise(campaign), campaign), "agreement")
    heads = [column.text for column in section.blocks[0].table.columns]
    assert heads[4:7] == ["Fleiss' kappa", "Alpha", "AC1"]
    assert any(line.startswith("3 readers: equal means that all") for line in texts(section))
    pairs = next(b.table for b in section.blocks if b.table and b.table.caption == "Pair by pair")
    assert [[cell.text for cell in row.cells[:2]] for row in pairs.rows] == [
        ["ana / ben", "2 of 4"], ["ana / cem", "4 of 4"], ["ben / cem", "2 of 4"],
    ]  # fmt: skip


def test_how_agreement_was_computed_is_said_under_the_table(english):
    section = chapter(english, "agreement")
    methods = next(b for b in section.blocks if b.heading == "How it was computed")
    assert any("Wilson" in line for line in methods.lines)
    assert any("chance held fixed" in line for line in methods.lines)
    assert not any(cell.second for row in section.blocks[0].table.rows for cell in row.cells)


def test_where_answers_to_one_ticket_resemble_each_other_the_interval_by_ticket_stands_under_the_other():
    """Four responses a ticket, the slips all on a few tickets."""
    rubric = shipped_rubric("larkfield")
    rows = {
        r: [{c.id: (n + k) % 3 for c in rubric.criteria} for n in range(12)] for k, r in enumerate("abcd")
    }
    second = {
        r: [g if n > 2 else {c: (x + 1) % 3 for c, x in g.items()} for n, g in enumerate(of)]
        for r, of in rows.items()
    }
    results, campaign = tiny(rubric, rows, second=second)
    section = chapter(view_of(results, campaign), "agreement")
    row = next(row for row in section.blocks[0].table.rows if row.cells[0].text == "Format")
    assert [cell.second.startswith("by ticket") for cell in row.cells if cell.second] == [True, True]
    assert any(line.startswith("By ticket") for line in texts(section))
    assert any("Read the interval by ticket." in line for line in texts(section))


def test_where_nothing_was_read_twice_the_page_says_who_read_how_much():
    rubric = shipped_rubric("larkfield")
    section = chapter(
        view_of(*tiny(rubric, {"a": [{c.id: c.top for c in rubric.criteria}] * 3})), "agreement"
    )
    assert "Readers: ana." in texts(section)
    assert "None of the 3 responses was read twice: nothing is known of agreement." in texts(section)


def test_disagreements_stand_with_both_grades_both_reasons_and_the_anchors(english):
    cards = [card for block in chapter(english, "agreement").blocks for card in block.cards]
    assert len(cards) == 4
    first = next(card for card in cards if card.title == "S08 · Claude Haiku 5.5")
    assert [(opinion.reader, opinion.grade) for opinion in first.opinions] == [
        ("reader-1", "Format 2"),
        ("reader-2 (a model, claude)", "Format 1"),
    ]
    assert first.opinions[0].reason == "no reason given"
    assert first.note.startswith("Anchors: Format 1:")
    assert first.note.endswith("Decision unchanged.")


def test_each_of_the_fifteen_items_has_its_place_or_says_not_stated(english):
    pairs = next(block for block in chapter(english, "method").blocks if "GRRAS" in block.heading).pairs
    assert len(pairs) == len(ITEMS) == 15
    assert all(pair.value for pair in pairs)
    assert [pair.name[:2] for pair in pairs if pair.value == "not stated"] == ["5.", "6.", "12"]


def test_what_was_stated_takes_the_place_of_not_stated():
    results, campaign = demo_results()
    stated = replace(results, extra={"grras": {"sample_size": "28: four of each run", "nonsense": "x"}})
    pairs = next(b for b in chapter(view_of(stated, campaign), "method").blocks if "GRRAS" in b.heading).pairs
    assert pairs[5].value == "28: four of each run"


def test_the_heat_map_shows_every_response(english):
    heat = next(block.heat for block in chapter(english, "losses").blocks if block.heat)
    assert len(heat.cells) == 192
    assert sum(bool(cell.underline) for cell in heat.cells) == 192 - 150
    assert "Gemma 3 4B (local): 24 of 24 below 8, 18 not passed" in heat.alt


def test_the_three_responses_are_of_three_tickets_and_at_the_lowest_level(english):
    cards = [card for block in chapter(english, "losses").blocks for card in block.cards]
    assert len(cards) == 3
    assert len({card.title.split(" ")[0] for card in cards}) == 3
    assert all(" 0 · " in card.tag for card in cards)


def test_the_rubric_is_there_in_full_with_its_versions(english):
    section = chapter(english, "rubric")
    rubric = shipped_rubric("larkfield")
    said = texts(section)
    for criterion in rubric.criteria:
        for anchor in criterion.anchors:
            assert anchor.description.en in said
            assert anchor.example.en in said
    assert rows(section, -1)[0][0] == "v1"


def test_a_revision_says_who_why_and_what_it_changed():
    results, campaign = demo_results()
    second = replace(campaign.rubric, version=2, date="2026-12-01")
    history = {
        "version": 2, "date": "2026-12-01", "author": "Ana", "what": "fence tolerated", "reason": "the app strips it",
        "rescored": 29, "grades_changed": 22, "decisions_changed": 0, "waiting": 0,
        "runs": {
            "Gemma 3 4B (local)": {"grades_changed": 19, "points": 19, "ready": 0},
            "Claude Opus 5.5": {"grades_changed": 0, "points": 0, "ready": 0},
        },
    }  # fmt: skip
    changed = replace(results, rubric=second, extra={"revisions": [history]})
    section = chapter(view_of(changed, campaign), "rubric")
    assert rows(section, -1)[1][:7] == ["v2", "2026-12-01", "fence tolerated", "Ana", "29", "22", "0"]
    assert section.blocks[-1].lines == ("v2, Gemma 3 4B (local): 19 grades changed, points +19, ready ±0",)


def test_a_revision_without_a_record_says_not_stated():
    results, campaign = demo_results()
    changed = replace(results, rubric=replace(campaign.rubric, version=2))
    assert rows(chapter(view_of(changed, campaign), "rubric"), -1)[1][4:7] == ["not stated"] * 3


def test_the_method_page_carries_coverage_seals_and_versions(english):
    pairs = {pair.name: pair.value for block in chapter(english, "method").blocks for pair in block.pairs}
    assert pairs["Coverage"] == "192 of 192 responses graded; 0 incomplete, 0 stale"
    assert pairs["its SHA-256"] == PROVENANCE["workbook_sha256"]
    assert pairs["Seal of the key"].endswith("· fits")
    assert pairs["its fingerprint"] == shipped_rubric("larkfield").fingerprint
    assert "lark-sheets 0.1.0" in pairs["Made with"]
    assert "names shown on 2026-11-28" in pairs["Blinding"]


def test_problems_stand_on_the_method_page_the_gravest_first():
    note = problem("hidden_rows_counted", sheet="Grading", count=3, rows="5-7")
    error = problem(
        "unreadable_grade", sheet="Grading", cell="G14", found="two", criterion="Accuracy", levels="0, 1, 2"
    )
    results, campaign = demo_results(problems=[note, error])
    found = next(
        block for block in chapter(view_of(results, campaign), "method").blocks if block.kind == "list"
    )
    assert found.lines[0].startswith("Error. sheet Grading, cell G14: “two” is not a level of Accuracy")
    assert found.lines[1].startswith("Note.")


def test_a_grade_changed_once_the_names_were_known_is_marked_over_the_figures():
    results, campaign = demo_results(problems=[problem("changed_after_reveal", found="S04-C (reader-1)")])
    view = view_of(results, campaign)
    assert chapter(view, "runs").warning == (
        "Grades were changed by hand after the names were known: S04-C (reader-1)."
    )
    assert view.decision.statements == ()


def test_before_the_reveal_no_name_of_a_run_is_anywhere():
    campaign, _, runs = demo(revealed=False)
    results, _ = demo_results(campaign)
    for appendix in ("full", "scores", "none"):
        said = "\n".join(texts(view_of(results, campaign, appendix=appendix)))
        assert not any(run in said for run in runs)
    assert rows(chapter(view_of(results, campaign), "runs"))[0][:2] == ["All responses", "150"]


@pytest.mark.parametrize(("appendix", "chapters"), [("none", 0), ("scores", 1), ("full", 1)])
def test_the_appendix_shows_as_much_as_was_asked(appendix, chapters):
    results, campaign = demo_results()
    view = view_of(results, campaign, appendix=appendix)
    assert sum(section.id == "appendix" for section in view.sections) == chapters


def test_a_full_appendix_holds_every_text_verbatim_and_scores_hold_none():
    strange = "<b>bold</b> {{ 7*7 }} & 5 < 6"
    campaign, _, _ = demo(texts={("S01", "Claude Haiku 5.5"): strange})
    results, _ = demo_results(campaign)
    full = chapter(view_of(results, campaign, appendix="full"), "appendix")
    assert strange in texts(full)
    assert sum(card.look == "answered" for block in full.blocks for card in block.cards) == 192
    assert strange not in texts(chapter(view_of(results, campaign, appendix="scores"), "appendix"))


def test_an_appendix_of_none_quotes_no_answer_anywhere():
    results, campaign = demo_results()
    said = "\n".join(texts(view_of(results, campaign, appendix="none")))
    long = [response.text for response in campaign.responses if len(response.text) > 80]
    assert not any(text[:60] in said for text in long)


@pytest.mark.parametrize(
    ("lengths", "budget", "limit"),
    [
        pytest.param([10, 20, 30], 60, None, id="all fit"),
        pytest.param([300, 9000, 9000], 6300, 3000, id="short ones leave their share to long ones"),
        pytest.param([30_000] * 400, 2_000_000, 5_000, id="400 of 30 kB"),
        pytest.param([900] * 10, 100, 200, id="never less than a few lines"),
    ],
)
def test_long_texts_share_what_room_there_is(lengths, budget, limit):
    assert text_limit(lengths, budget) == limit


def test_a_shortened_text_says_by_how_many_characters():
    campaign, _, _ = demo(texts={("U03", "Mistral 7B (local)"): "word " * 400})
    results, _ = demo_results(campaign)
    card = next(
        card
        for block in chapter(view_of(results, campaign, appendix="scores"), "losses").blocks
        for card in block.cards
        if card.title == "U03 · Mistral 7B (local)"
    )
    left = 2000 - len(card.text)
    assert card.shortened == f"… ({left:,} characters not shown, see the workbook)"


# -- other rubrics -------------------------------------------------------------------------------------------------------


def refusals(**options):
    labels = ["full_refusal", "substantive", "partial_refusal", "substantive"]
    runs = {
        name: [{"category": labels[(n + shift) % 4]} for n in range(8)] for shift, name in enumerate("ab")
    }
    return tiny(shipped_rubric("refusals"), runs, strata=["licit", "at_risk"], graded_by="judge", **options)


def test_refusal_rates_stand_by_stratum_and_are_never_pooled():
    view = view_of(*refusals())
    section = chapter(view, "rates")
    assert [block.table.caption for block in section.blocks if block.table][:2] == [
        "Stratum: licit",
        "Stratum: at risk",
    ]
    assert [row[1] for row in rows(section, 0)] == ["2 of 4", "0 of 4"]
    assert [row[1] for row in rows(section, 1)] == ["0 of 4", "2 of 4"]
    assert [row[4] for row in rows(section, 0)] == ["2 of 4", "0 of 4"]
    assert "8 of 8" not in texts(section.blocks[0])


def test_a_stratum_without_requests_shows_a_dash():
    results, campaign = tiny(
        shipped_rubric("refusals"),
        {"a": [{"category": "substantive"}] * 2},
        strata=["licit"],
        graded_by="judge",
    )
    empty = replace(
        results.runs[0],
        rates={
            "full_refusal": {
                "licit": replace(results.runs[0].rates["full_refusal"]["licit"], k=0, n=0, interval=None)
            }
        },
    )
    section = chapter(view_of(replace(results, runs=(empty,)), campaign), "rates")
    assert rows(section)[0][1:4] == ["–", "", "–"]


def test_a_run_is_comparable_only_under_the_conditions_and_says_why_not():
    section = chapter(view_of(*refusals()), "rates")
    assert rows(section, -1)[0] == ["a", "8 of 8", "no", "the judge was not checked against people"]
    checked = chapter(view_of(*refusals(judge={"checked": True})), "rates")
    assert rows(checked, -1)[0][2:] == ["yes", "–"]


def test_refusals_have_no_page_of_lost_points():
    assert "losses" not in [section.id for section in view_of(*refusals()).sections]


def graded(total: int) -> dict[str, int]:
    return {"format": min(3, total), "validity": min(4, max(0, total - 3)), "adequacy": max(0, total - 7)}


def test_means_by_type_and_the_weakest_three_with_every_tie():
    runs = {"v1": [graded(t) for t in (2, 5, 5, 9)], "v2": [graded(t) for t in (10, 10, 5, 3)]}
    section = chapter(
        view_of(*tiny(shipped_rubric("aws-assistant"), runs, types=["python", "json"])), "losses"
    )
    by_type = next(block.table for block in section.blocks if block.table and block.table.look == "types")
    assert [[cell.text for cell in row.cells] for row in by_type.rows] == [
        ["v1", "3.50", "7.00"],
        ["v2", "7.50", "6.50"],
    ]
    cards = [card for block in section.blocks for card in block.cards]
    assert [(card.title, card.tag) for card in cards] == [
        ("T01 · v1", "2 of 10"),
        ("T04 · v2", "3 of 10"),
        ("T02 · v1", "5 of 10"),
        ("T03 · v1", "5 of 10"),
        ("T03 · v2", "5 of 10"),
    ]


CALIBRATION = {
    "equal": 21, "n": 22, "interval": [0.78, 0.99], "chance": 0.5248, "kappa": 0.9043, "kappa_interval": [0.541, 0.983],
    "table": [[13, 0], [1, 8]], "labels_needed": 60,
    "disagreements": [{"id": "C15", "human": "not acceptable", "judge": "acceptable", "reason": "the fraud is ignored"}],
}  # fmt: skip


def judged(gate: str, conclusive: bool | None = False):
    results, campaign = demo_results()
    judge = {
        "model": "judge-1",
        "gate": gate,
        "conclusive": conclusive,
        "unscored": {"timeout": 2},
        "calibration": CALIBRATION,
    }
    return chapter(view_of(replace(results, judge=judge), campaign), "judge")


def test_the_judges_page_shows_the_counts_and_the_gate():
    section = judged("blocking")
    assert section.take == (
        "The judge may block: its check against people passed the gate. The sample is too small to be sure. Kappa 0.90."
    )
    assert [row[1:] for row in rows(section)] == [["13", "0"], ["1", "8"]]
    pairs = {pair.name: pair.value for block in section.blocks for pair in block.pairs}
    assert pairs["Same outcome"] == "21 of 22 (95%: 78% to 99%)"
    assert pairs["Kappa, gate at 0.60"] == "0.90 (95%: 0.54 to 0.98)"
    assert pairs["Could not be graded"] == "2, never replaced by a grade (timeout 2)"


@pytest.mark.parametrize("gate", ["indicative", "stale", "none"])
def test_a_closed_gate_blocks_nothing_and_says_so(gate):
    assert "blocks nothing" in judged(gate).take


def test_without_a_judge_there_is_no_judges_page(english):
    assert "judge" not in [section.id for section in english.sections]
