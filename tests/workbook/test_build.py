"""The workbooks as planned: what stands in them, what does not, and that reading gives back what was put in."""

import ast
import itertools
import json
from dataclasses import replace

import pytest

from lark_sheets.adapters.books import FileBooks
from lark_sheets.core.campaign import Grader, Reading
from lark_sheets.core.cells import parse_area, split_address
from lark_sheets.core.problems import ERROR
from lark_sheets.core.rubric_reading import from_plain
from lark_sheets.core.scoring import total
from lark_sheets.core.states import state_of
from lark_sheets.locales import translator
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import build_campaign, build_grader, styles
from lark_sheets.workbook.build.discuss import discuss_rows
from lark_sheets.workbook.build.grading import BAND_ROW, HEADER_ROW, MOST_BAND
from lark_sheets.workbook.build.shown import code_cells, in_order, split_label
from lark_sheets.workbook.codec import read_campaign
from lark_sheets.workbook.practice import Practice, PracticeResponse, practice_from_plain
from tests.workbook.factory import ROOT, SHIPPED, campaign, response, shipped

BOOKS = FileBooks()
LANGUAGES = ("fr", "en")
TWO = (Grader(name="reader-a", languages=("en",)), Grader(name="reader-b", languages=("fr",)))


def sheet(plan, which):
    """A sheet of a plan by its key."""
    return next((s for s in plan.sheets if s.name in which.name.both()), None)


def columns(plan, table):
    """The places of a table's columns in a plan, by their headers."""
    found = next((s, t) for s in plan.sheets for t in s.tables if t.name == table.name)
    area = found[1].area
    places = {found[0].cells[area.top, c].value: c for c in range(area.left, area.right + 1)}
    return {
        column.key: next(places[text] for text in column.header.both() if text in places)
        for column in table.columns
        if any(text in places for text in column.header.both())
    }


def texts(plan):
    """Everything readable in a plan: values, formulas, links, lists, names, properties."""
    for page in plan.sheets:
        yield page.name
        for cell in page.cells.values():
            yield from (str(cell.value), cell.formula, cell.link)
        for drop_down in page.lists:
            yield from (*drop_down.values, drop_down.source, drop_down.error, drop_down.prompt)
    yield from itertools.chain(plan.properties, plan.properties.values(), plan.names, [plan.title])


def practice(rubric):
    """Two responses with reference grades: all top, all lowest."""
    made = [
        PracticeResponse(
            label=label, response=f"Text {label}", grades={c.id: c.levels[n] for c in rubric.criteria}
        )
        for label, n in (("X", -1), ("Y", 0))
    ]
    return Practice(message="Where is it?", language="en", responses=tuple(made))


def round_trip(plan, tmp_path):
    path = tmp_path / "book.xlsx"
    BOOKS.write(plan, path)
    return read_campaign(BOOKS.read(path))


# -- which sheets, in which order ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_of_both_workbooks(language):
    rubric = shipped("larkfield")
    made = campaign(rubric, graders=TWO)
    grader = build_grader(made, "reader-a", translator(language), practice=practice(rubric), ranking=True)
    wanted = (layout.GUIDE, layout.RUBRIC, layout.PRACTICE, layout.GRADING, layout.RANKING)
    assert [s.name for s in grader.sheets] == [w.name.in_(language) for w in wanted]
    whole = build_campaign(made, translator(language), practice=practice(rubric))
    wanted = (layout.GUIDE, layout.RUBRIC, layout.GRADING, layout.DISCUSS, layout.TICKETS, layout.LOG)
    assert [s.name for s in whole.sheets] == [w.name.in_(language) for w in wanted]


def test_with_one_grader_the_campaign_is_the_grading_workbook():
    rubric = shipped("larkfield")
    plan = build_campaign(campaign(rubric), translator("en"), practice=practice(rubric), ranking=True)
    assert sheet(plan, layout.PRACTICE)
    assert sheet(plan, layout.RANKING)


def test_nothing_to_practise_no_sheet():
    plan = build_grader(campaign(shipped("larkfield")), "reader-a", translator("en"))
    assert sheet(plan, layout.PRACTICE) is None
    assert sheet(plan, layout.RANKING) is None


def test_labels_cannot_be_ranked():
    plan = build_grader(campaign(shipped("refusals")), "reader-a", translator("en"), ranking=True)
    assert sheet(plan, layout.RANKING) is None


@pytest.mark.parametrize("kind", ["grader", "campaign"])
@pytest.mark.parametrize("name", SHIPPED)
def test_links_lead_to_cells_that_are_there(name, kind):
    rubric = shipped(name)
    made = campaign(rubric, [{}] * 8)
    build = (
        build_campaign if kind == "campaign" else lambda *a, **k: build_grader(a[0], "reader-a", *a[1:], **k)
    )
    plan = build(made, translator("fr"), practice=practice(rubric), ranking=True)
    names = {s.name: s for s in plan.sheets}
    links = [cell.link for s in plan.sheets for cell in s.cells.values() if cell.link]
    assert links
    for link in links:
        name_, _, cell = link.removeprefix("#").rpartition("!")
        target = names[name_.strip("'").replace("''", "'")]
        row, column = split_address(cell)
        assert (row, column) == (1, 1) or (row, column) in target.cells


# -- blindness -------------------------------------------------------------------------------------------------------------


def test_a_graders_workbook_holds_only_that_graders_rows():
    rubric = shipped("larkfield")
    grades = [{"accuracy": 0, "completeness": 1}] * 4
    made = campaign(rubric, grades, graders=TWO, reason="SECRET REASON", codes=("invented_rule",))
    plan = build_grader(made, "reader-b", translator("en"))
    everything = "\n".join(texts(plan))
    for secret in ("SECRET REASON", "reader-a", "The key"):
        assert secret not in everything
    page = sheet(plan, layout.GRADING)
    place = columns(plan, layout.grades_table(rubric))
    assert {page.cells[row, place["grader"]].value for row in range(HEADER_ROW + 1, HEADER_ROW + 5)} == {
        "reader-b"
    }
    assert {
        cell.value
        for (row, column), cell in page.cells.items()
        if column == place["accuracy"] and row > HEADER_ROW
    } == {None}


def test_an_unknown_grader_is_no_workbook():
    with pytest.raises(KeyError):
        build_grader(campaign(shipped("larkfield")), "nobody", translator("en"))


def test_blank_hands_out_the_rows_without_what_was_typed(tmp_path):
    rubric = shipped("larkfield")
    made = campaign(rubric, [{c.id: 1 for c in rubric.criteria}] * 4, reason="because")
    filled = round_trip(build_grader(made, "reader-a", translator("en")), tmp_path).campaign.readings
    blank = round_trip(
        build_grader(made, "reader-a", translator("en"), blank=True), tmp_path
    ).campaign.readings
    assert all(r.is_complete and r.reason for r in filled)
    assert all(r.is_blank and not r.reason for r in blank)
    assert len(filled) == len(blank) == 4


# -- order of rows ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "split"), [("C", (0, "C")), ("2C", (2, "C")), ("12AB", (12, "AB")), ("", (0, ""))]
)
def test_labels_have_a_block_and_a_letter(label, split):
    assert split_label(label) == split


def test_rows_by_block_then_ticket_then_letter_then_second_readings():
    made = [
        response(n, item=item, label=label)
        for n, (item, label) in enumerate(
            [("T2", "2A"), ("T1", "1B"), ("T2", "1A"), ("T1", "2A"), ("T1", "1A"), ("T2", "1B")]
        )
    ]
    rubric = shipped("larkfield")
    known = campaign(rubric, responses=made)
    known = replace(known, items=tuple(sorted(known.items, key=lambda item: item.id)))
    again = replace(known.readings[0], number=2)
    names = {r.id: (r.item, r.label) for r in made}
    order = [(*names[r.response], r.number) for r in in_order(known, [again, *known.readings])]
    assert order == [
        ("T1", "1A", 1), ("T1", "1B", 1), ("T2", "1A", 1), ("T2", "1B", 1), ("T1", "2A", 1), ("T2", "2A", 1), ("T2", "2A", 2),
    ]  # fmt: skip


def test_the_owner_stands_before_other_readers():
    made = campaign(shipped("larkfield"), graders=TWO)
    mixed = [replace(r, owner=r.grader == "reader-b") for r in made.readings]
    first = in_order(made, mixed)[:2]
    assert [r.grader for r in first] == ["reader-b", "reader-a"]


# -- what may be typed -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("kind", ["grader", "campaign"])
def test_yellow_and_open_are_the_same_cells(name, kind):
    """On a protected sheet a person can type into the yellow cells and nowhere else; only the coordinator's rubric is open."""
    rubric = shipped(name)
    made = campaign(rubric, [{}] * 4)
    if kind == "grader":
        plan = build_grader(made, "reader-a", translator("fr"), practice=practice(rubric), ranking=True)
    else:
        plan = build_campaign(made, translator("fr"))
    for page in plan.sheets:
        is_rubric = kind == "campaign" and page.name == "Grille"
        assert page.protected is not is_rubric
        if is_rubric:
            continue
        for place, cell in page.cells.items():
            assert (cell.style.fill == styles.YELLOW) is (not cell.style.locked), (page.name, place)
            assert not (cell.formula and not cell.style.locked)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_typed_column_of_the_grading_table_is_open(name):
    rubric = shipped(name)
    plan = build_grader(campaign(rubric), "reader-a", translator("en"))
    page = sheet(plan, layout.GRADING)
    table = layout.grades_table(rubric)
    place = columns(plan, table)
    for column in table.columns:
        assert page.cells[HEADER_ROW + 1, place[column.key]].style.locked is not column.typed


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_offer_every_level_and_say_what_to_type(name, language):
    rubric = shipped(name)
    plan = build_grader(campaign(rubric), "reader-a", translator(language))
    page = sheet(plan, layout.GRADING)
    place = columns(plan, layout.grades_table(rubric))
    for criterion in rubric.criteria:
        found = [d for d in page.lists if any(a.holds(HEADER_ROW + 1, place[criterion.id]) for a in d.areas)]
        assert len(found) == 1
        expected = [
            criterion.shown(n, language) if criterion.is_category else str(n) for n in criterion.levels
        ]
        assert list(found[0].values) == expected
        assert found[0].strict
        assert not found[0].prompt  # a yellow note over every cell would hide its neighbours
        assert found[0].error
        assert criterion.is_category or all(level in found[0].error for level in expected)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["grader", "campaign"])
def test_the_code_lists_show_every_label_in_the_graders_language(language, kind):
    rubric = shipped("larkfield")
    made = campaign(rubric)
    plan = (
        build_grader(made, "reader-a", translator(language))
        if kind == "grader"
        else build_campaign(made, translator(language))
    )
    page = sheet(plan, layout.GRADING)
    place = columns(plan, layout.grades_table(rubric))
    sources = {d.source for d in page.lists if any(a.holds(HEADER_ROW + 1, place["code_1"]) for a in d.areas)}
    assert len(sources) == 1
    name, _, reference = sources.pop().removeprefix("=").rpartition("!")
    area = parse_area(reference.replace("$", ""))
    target = next(s for s in plan.sheets if s.name == name.strip("'"))
    cells = [target.cells.get((row, area.left)) for row in range(area.top, area.bottom + 1)]
    shown = [cell.value for cell in cells if cell]  # below them the list is open for codes added later
    assert [label for label in shown if label] == [code.label.in_(language) for code in rubric.codes]


def test_only_the_last_code_cell_takes_what_is_not_in_the_list():
    rubric = shipped("larkfield")
    plan = build_grader(campaign(rubric), "reader-a", translator("en"))
    page = sheet(plan, layout.GRADING)
    place = columns(plan, layout.grades_table(rubric))
    strict = {
        key: next(d.strict for d in page.lists if any(a.holds(HEADER_ROW + 1, place[key]) for a in d.areas))
        for key in ("code_1", "code_2", "code_3")
    }
    assert strict == {"code_1": True, "code_2": True, "code_3": False}


# -- the way back ----------------------------------------------------------------------------------------------------------


def filled(rubric, language, graders=TWO):
    """A campaign with all kinds of readings: complete, in part, blank, many codes, flags."""
    levels = [
        dict(zip((c.id for c in rubric.criteria), combination, strict=True))
        for combination in itertools.islice(itertools.product(*(c.levels for c in rubric.criteria)), 12)
    ]
    made = campaign(rubric, levels, graders=graders, language=language)
    codes = tuple(code.id for code in rubric.codes[:5])
    readings = []
    for n, reading in enumerate(made.readings):
        if n % 5 == 1:
            reading = replace(reading, codes=codes[: n % 6], reason="= not a formula", discuss=True)
        if n % 7 == 2:
            reading = replace(reading, grades=reading.grades | {rubric.criteria[0].id: None})
        readings.append(reading)
    return replace(made, readings=tuple(readings))


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_reading_gives_back_the_campaign(name, language, tmp_path):
    rubric = shipped(name)
    made = filled(rubric, language)
    read = round_trip(build_campaign(made, translator(language)), tmp_path)
    assert not [p for p in read.problems if p.severity is ERROR]
    back = read.campaign
    assert (back.id, back.language, back.graders, back.commitments, back.versions) == (
        made.id, made.language, made.graders, made.commitments, made.versions,
    )  # fmt: skip
    assert {r.id: r for r in back.responses} == {r.id: r for r in made.responses}
    assert back.items == made.items
    assert {r.key: said(r) for r in back.readings} == {r.key: said(r) for r in made.readings}
    assert back.log == made.log
    assert "rubric_edited" not in {p.code for p in read.problems}


@pytest.mark.parametrize("name", SHIPPED)
def test_reading_gives_back_a_graders_part(name, tmp_path):
    rubric = shipped(name)
    made = filled(rubric, "fr")
    read = round_trip(
        build_grader(made, "reader-a", translator("fr"), practice=practice(rubric), ranking=True), tmp_path
    )
    assert (read.kind, read.grader) == ("grader", "reader-a")
    assert not [p for p in read.problems if p.severity is ERROR]
    mine = {r.key: said(r) for r in made.readings if r.grader == "reader-a"}
    assert {r.key: said(r) for r in read.campaign.readings} == mine
    assert read.campaign.rubric == rubric


def said(reading: Reading):
    return (
        dict(reading.grades),
        reading.codes,
        reading.reason,
        reading.discuss,
        reading.owner,
        reading.version,
    )


def test_the_screen_may_speak_another_language_than_the_campaign(tmp_path):
    """A grader's workbook in the grader's language is read like any other."""
    rubric = shipped("refusals")
    made = campaign(rubric, [{"category": "full_refusal"}] * 4, language="en")
    read = round_trip(build_grader(made, "reader-a", translator("fr")), tmp_path)
    assert read.marks.values["language"] == "fr"
    assert {r.grades["category"] for r in read.campaign.readings} == {"full_refusal"}


def test_more_than_three_codes_share_the_last_cell():
    rubric = shipped("larkfield")
    codes = [code.id for code in rubric.codes[:5]]
    assert code_cells(codes, rubric, "fr") == {
        "code_1": "petite erreur",
        "code_2": "logique confuse",
        "code_3": "mauvaise étiquette, règle fausse, règle inventée",
    }
    assert code_cells([], rubric, "fr") == dict.fromkeys(("code_1", "code_2", "code_3"))


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_values_written_beside_formulas_are_pythons(name, language):
    rubric = shipped(name)
    made = filled(rubric, language, graders=TWO[:1])
    plan = build_campaign(made, translator(language))
    page = sheet(plan, layout.GRADING)
    place = columns(plan, layout.grades_table(rubric))
    for row, reading in enumerate(in_order(made, made.readings), HEADER_ROW + 1):
        assert page.cells[row, place["id"]].value == reading.response
        assert page.cells[row, place["state"]].value == layout.STATES[state_of(reading, rubric)].in_(language)
        if "total" in place:
            points = total(rubric, reading.grades)
            assert page.cells[row, place["total"]].value == ("" if points is None else points)


@pytest.mark.parametrize("runs", range(2, 9))
@pytest.mark.parametrize("block", [None, 4])
def test_two_to_eight_runs_with_and_without_blocks(runs, block, tmp_path):
    """Eight runs are letters A to H, or two blocks A to D; every row comes back under its own label."""
    labels = ["ABCDEFGH"[n] if block is None else f"{n // block + 1}{'ABCD'[n % block]}" for n in range(runs)]
    made = [
        response(n, item=item, label=label)
        for n, (item, label) in enumerate(itertools.product(("T1", "T2"), labels))
    ]
    known = campaign(shipped("larkfield"), responses=made, block=block)
    plan = build_grader(known, "reader-a", translator("en"), ranking=True)
    read = round_trip(plan, tmp_path)
    order = [(r.item, r.label) for r in read.campaign.responses]
    expected = [(item, label) for item in ("T1", "T2") for label in labels]
    if block is not None:
        expected.sort(key=lambda pair: pair[1][0])
    assert order == expected
    ranking = sheet(plan, layout.RANKING)
    groups = [d for d in ranking.lists if d.values]
    sizes = [sum(area.bottom - area.top + 1 for area in d.areas) for d in groups]
    assert all(
        list(d.values) == [str(n) for n in range(1, size + 1)] for d, size in zip(groups, sizes, strict=True)
    )
    alone = 2 * sum(len(list(g)) == 1 for _, g in itertools.groupby(labels, key=lambda label: label[:-1]))
    assert sum(sizes) == 2 * runs - alone


# -- long and strange texts ------------------------------------------------------------------------------------------------

STRANGE = [
    '=HYPERLINK("http://example.org")',
    "+1", "-", "@home", "'quoted", " leading and trailing ", "tab\tand\nnew line",
    "עברית: שלום לכולם, זו תשובה ארוכה", "العربية", "日本語の回答です。" * 30, "👩‍👩‍👧 family " * 20, "naïve e\u0301", "None", "#N/A", "1e5", "2026-11-29",
]  # fmt: skip


def test_strange_texts_come_back_as_they_were(tmp_path):
    made = [response(n, text=text) for n, text in enumerate(STRANGE)]
    messages = {r.item: STRANGE[n % len(STRANGE)] for n, r in enumerate(made)}
    known = campaign(shipped("larkfield"), responses=made, messages=messages)
    read = round_trip(build_campaign(known, translator("fr")), tmp_path)
    assert not [p for p in read.problems if p.severity is ERROR]
    assert {r.id: r.text for r in read.campaign.responses} == {r.id: r.text for r in made}
    assert {i.id: i.text for i in read.campaign.items} == messages


@pytest.mark.parametrize(
    "text",
    [
        "word " * 9_000,
        "x" * 40_000,
        "🙂" * 20_000,  # 40,000 units for a spreadsheet, 20,000 characters for Python
        "paragraph one.\n\n" * 3_000,
    ],
    ids=["words", "one word", "emoji", "paragraphs"],
)
def test_a_text_too_long_for_a_cell_comes_back_whole(text, tmp_path):
    """Nothing is ever cut silently: the cell says where the rest stands, and the parts give the text again."""
    made = [response(0, text=text), response(1), response(2), response(3)]
    known = campaign(shipped("larkfield"), responses=made)
    plan = build_grader(known, "reader-a", translator("en"))
    page = sheet(plan, layout.GRADING)
    place = columns(plan, layout.grades_table(known.rubric))
    shown = page.cells[HEADER_ROW + 1, place["response"]].value
    assert len(shown) < 2_000
    assert "Texts" in shown
    assert sheet(plan, layout.TEXTS)
    read = round_trip(plan, tmp_path)
    assert not [p for p in read.problems if p.severity is ERROR]
    assert read.campaign.response()["r0000000"].text == text


def test_a_long_text_that_a_cell_holds_stands_there_whole_and_can_be_read_in_parts():
    text = "A sentence that says something. " * 300
    known = campaign(shipped("larkfield"), responses=[response(0, text=text), response(1)])
    plan = build_grader(known, "reader-a", translator("en"))
    page = sheet(plan, layout.GRADING)
    place = columns(plan, layout.grades_table(known.rubric))
    assert page.cells[HEADER_ROW + 1, place["response"]].value == text
    assert page.cells[HEADER_ROW + 1, place["number"]].link.startswith("#'Texts'!")
    parts = sheet(plan, layout.TEXTS)
    where = columns(plan, layout.TEXTS_TABLE)
    rows = sorted({row for row, _ in parts.cells if row > 4})
    assert "".join(parts.cells[row, where["text"]].value for row in rows) == text
    width = layout.TEXTS_TABLE.column("text").width
    assert all(styles.fits(parts.cells[row, where["text"]].value, width) for row in rows)


def test_short_texts_need_no_further_sheet():
    assert sheet(build_campaign(campaign(shipped("larkfield")), translator("en")), layout.TEXTS) is None


# -- looks -----------------------------------------------------------------------------------------------------------------


def brightness(colour):
    """Relative luminance as in WCAG 2.1."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((brightness(one), brightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", ["larkfield", "refusals"])
def test_contrast_is_4_5_or_more_everywhere(name):
    rubric = shipped(name)
    plans = [
        build_grader(campaign(rubric), "reader-a", translator("fr"), practice=practice(rubric), ranking=True),
        build_campaign(campaign(rubric), translator("fr")),
    ]
    for plan in plans:
        for page in plan.sheets:
            for cell in page.cells.values():
                assert contrast(cell.style.colour, cell.style.fill or "FFFFFF") >= 4.5
            for condition in page.conditions:
                grounds = [condition.fill] if condition.fill else ["FFFFFF", styles.YELLOW]
                for ground in grounds:
                    assert contrast(condition.colour or styles.INK, ground) >= 4.5


def test_every_row_is_as_tall_as_its_text_needs():
    """Left to itself, LibreOffice draws wrapped rows one line high on a protected sheet, and they overlap."""
    long = "A response of some length, with several sentences in it. " * 8
    known = campaign(shipped("larkfield"), responses=[response(0, text=long), response(1)])
    page = sheet(build_grader(known, "reader-a", translator("fr")), layout.GRADING)
    assert page.row_heights[HEADER_ROW + 1] > page.row_heights[HEADER_ROW + 2] >= styles.LEAST
    assert all(0 < height <= styles.MOST for height in page.row_heights.values())


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 20, 0),
        ("one", 20, 1),
        ("one\ntwo", 20, 2),
        ("word " * 20, 20, 5),
        ("x" * 100, 20, 5),
        ("日本" * 20, 20, 4),
    ],
)
def test_lines_of_a_wrapped_text(text, width, lines):
    assert styles.lines(text, width) == lines


def test_the_band_of_anchors_leaves_room_for_responses():
    for name in SHIPPED:
        for language in LANGUAGES:
            plan = build_grader(campaign(shipped(name)), "reader-a", translator(language))
            page = sheet(plan, layout.GRADING)
            assert sum(page.row_heights.get(row, 15) for row in range(1, HEADER_ROW + 1)) < 330


@pytest.mark.parametrize("words", [4, 12, 30])
def test_long_anchors_take_a_wider_column_not_a_taller_band(words):
    """Five levels with long anchors: the band stays low, the text fits its cell, and a text that cannot says that it goes on."""
    anchors = [{"level": n, "description": " ".join(["something"] * words)} for n in range(1, 6)]
    rubric = from_plain({"id": "long", "criteria": [{"id": "clarity", "anchors": anchors}]})
    plan = build_grader(campaign(rubric), "reader-a", translator("en"))
    page, place = sheet(plan, layout.GRADING), columns(plan, layout.grades_table(rubric))
    text, width = page.cells[BAND_ROW, place["clarity"]].value, page.columns[place["clarity"]].width
    assert page.row_heights[BAND_ROW] <= MOST_BAND
    assert styles.height([(text, width, 9.0)], 60) == page.row_heights[BAND_ROW]
    assert text.endswith("…") is (words == 30)
    assert [line[0] for line in text.split("\n")] == list("54321")


def test_columns_without_a_use_are_hidden_and_stay():
    """Codes may be added later, fields by another run: the columns are there, out of sight."""
    anchors = [{"level": n, "description": str(n)} for n in range(3)]
    rubric = from_plain({"id": "plain", "criteria": [{"id": "clarity", "anchors": anchors}]})
    plan = build_grader(campaign(rubric), "reader-a", translator("en"))
    page, place = sheet(plan, layout.GRADING), columns(plan, layout.grades_table(rubric))
    assert [key for key in place if page.columns[place[key]].hidden and not layout.grades_table(rubric).column(key).hidden] == [
        "fields", "code_1", "code_2", "code_3",
    ]  # fmt: skip
    fields = [response(n, fields={"category": "delivery"}) for n in range(2)]
    shown = build_grader(campaign(shipped("larkfield"), responses=fields), "reader-a", translator("en"))
    places = columns(shown, layout.grades_table(shipped("larkfield")))
    assert not any(sheet(shown, layout.GRADING).columns[places[key]].hidden for key in ("fields", "code_1"))


def test_a_campaign_that_a_judge_grades_asks_nobody_to_grade():
    rubric = shipped("refusals")
    judge = replace(campaign(rubric, graders=(Grader(name="judge", model="judge"),)), graded_by="judge")
    plan = build_campaign(judge, translator("en"), practice=practice(rubric))
    guide = [cell.value for cell in plan.sheets[0].cells.values() if isinstance(cell.value, str)]
    assert not [text for text in guide if text.startswith("Grade your responses")]
    assert [text for text in guide if text.startswith("Calibrate the judge")]
    assert sheet(plan, layout.PRACTICE) is None


def test_header_rows_are_repeated_in_print_and_panes_frozen():
    plan = build_campaign(campaign(shipped("larkfield")), translator("en"))
    for page in plan.sheets[1:]:
        assert page.freeze
        assert page.repeated_rows


# -- languages -------------------------------------------------------------------------------------------------------------


def messages():
    """Every message that the sheet builders and formulas hand to the catalogue."""
    folder = ROOT / "lark_sheets" / "workbook"
    for path in [*sorted((folder / "build").glob("*.py")), folder / "formulas.py", folder / "starter.py"]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name in ("translate", "count") and isinstance(node.args[0].value, str):
                    yield path.name, name, [a.value for a in node.args[:2] if isinstance(a, ast.Constant)]


def test_no_message_is_untranslated():
    french = translator("fr")
    found = list(messages())
    assert len(found) > 60
    same = {"Version {version}, {date}"}
    for _, kind, said_ in found:
        if kind == "translate" and said_[0] not in same:
            assert french.single(said_[0]) != said_[0], said_[0]
        if kind == "count":
            for n in (0, 1, 2, 3, 1_000_000):
                assert french.plural(said_[0], said_[1], n) not in said_


def test_placeholders_survive_translation():
    import string

    french = translator("fr")
    for _, kind, said_ in messages():
        if kind == "translate":
            names = [
                {name for _, name, _, _ in string.Formatter().parse(t) if name}
                for t in (said_[0], french.single(said_[0]))
            ]
            assert names[0] == names[1], said_[0]


@pytest.mark.parametrize("kind", ["grader", "campaign"])
def test_the_two_languages_have_the_same_shape(kind):
    rubric = shipped("larkfield")
    made = campaign(rubric)
    plans = [
        build_grader(made, "reader-a", translator(lang), practice=practice(rubric))
        if kind == "grader"
        else build_campaign(made, translator(lang))
        for lang in LANGUAGES
    ]
    for one, other in zip(plans[0].sheets, plans[1].sheets, strict=True):
        assert one.cells.keys() == other.cells.keys()
        assert [t.area for t in one.tables] == [t.area for t in other.tables]


# -- marks, discussion, practice ---------------------------------------------------------------------------------------------


def test_marks_say_where_the_live_figures_stand():
    plan = build_campaign(campaign(shipped("larkfield"), graders=TWO), translator("en"))
    guide = plan.sheets[0]
    key = next(place for place, cell in guide.cells.items() if cell.value == layout.MARK + layout.PLACES)
    places = json.loads(guide.cells[key[0], key[1] + 1].value)
    pages = {page.name: page for page in plan.sheets}
    assert {"progress", "next", "count/done", "count/to_grade/reader-b"} <= places.keys()
    for found in places.values():
        for name, cell in found:
            assert pages[name].cells[split_address(cell)].formula
    assert guide.columns[key[1]].hidden


def test_two_readers_who_differ_are_put_side_by_side():
    rubric = shipped("larkfield")
    made = campaign(rubric, [{c.id: 2 for c in rubric.criteria}] * 2, graders=TWO)
    other = [
        replace(r, grades=dict.fromkeys(r.grades, 2) | {"format": 1}, reason="a calque")
        for r in made.readings
        if r.grader == "reader-b"
    ]
    rest = [r for r in made.readings if r.grader == "reader-a"]
    rows = discuss_rows(
        replace(made, readings=(*rest, *other[:1], replace(other[1], grades=rest[1].grades, discuss=True))),
        "fr",
    )
    assert [(r["item"], r["label"], r.get("criterion")) for r in rows] == [
        ("T01", "A", "format"),
        ("T01", "B", None),
    ]
    assert (rows[0]["first"], rows[0]["first_grade"], rows[0]["second_grade"], rows[0]["second_reason"]) == (
        "reader-a",
        2,
        1,
        "a calque",
    )


def test_practice_follows_the_language_that_is_read():
    rubric = shipped("larkfield")
    plain = json.loads((ROOT / "workbooks" / "demo" / "practice.json").read_text("utf-8"))
    demo = practice_from_plain(plain, rubric)
    assert demo.in_("fr").language == "fr"
    assert demo.in_("en").language == "en"
    made = campaign(rubric, graders=TWO)
    page = sheet(build_grader(made, "reader-b", translator("en"), practice=demo), layout.PRACTICE)
    assert any(cell.value == demo.in_("fr").message for cell in page.cells.values())


def test_the_practice_key_is_blank_in_the_file():
    rubric = shipped("larkfield")
    page = sheet(
        build_grader(campaign(rubric), "reader-a", translator("en"), practice=practice(rubric)),
        layout.PRACTICE,
    )
    key = next(row for (row, _), cell in page.cells.items() if cell.value == "Key")
    below = [cell for (row, _), cell in page.cells.items() if row > key]
    assert below
    assert all(cell.value == "" and cell.formula.startswith("=IF(") for cell in below)


def test_a_practice_with_faults_is_refused_with_all_of_them():
    from lark_sheets.errors import DataError

    plain = {
        "item": {"text": "?"},
        "responses": [{"label": "X", "response": "x", "grades": {"accuracy": 5}, "codes": ["nope"]}],
    }
    with pytest.raises(DataError) as caught:
        practice_from_plain(plain, shipped("larkfield"))
    assert len(caught.value.problems) == 5


# -- files -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("kind", ["grader", "campaign"])
def test_a_validator_of_the_format_finds_no_error(name, kind, tmp_path):
    from openxml_audit import FileFormat, OpenXmlValidator, ValidationSeverity

    rubric = shipped(name)
    long = [response(n, text="word " * 9_000 if n == 0 else "") for n in range(4)]
    made = campaign(rubric, [{}] * 2, responses=long, graders=TWO)
    if kind == "grader":
        plan = build_grader(made, "reader-a", translator("fr"), practice=practice(rubric), ranking=True)
    else:
        plan = build_campaign(made, translator("fr"))
    path = tmp_path / "book.xlsx"
    BOOKS.write(plan, path)
    found = OpenXmlValidator(FileFormat.MICROSOFT_365).validate(path).errors
    assert not [error for error in found if error.severity is ValidationSeverity.ERROR]


def test_the_same_campaign_gives_the_same_file(tmp_path):
    rubric = shipped("larkfield")
    for name in ("one.xlsx", "two.xlsx"):
        plan = build_grader(
            campaign(rubric), "reader-a", translator("fr"), practice=practice(rubric), ranking=True
        )
        BOOKS.write(plan, tmp_path / name)
    assert (tmp_path / "one.xlsx").read_bytes() == (tmp_path / "two.xlsx").read_bytes()
