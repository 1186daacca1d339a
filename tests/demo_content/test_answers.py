"""Every answer has the faults its codes name, and no other."""

import json
import re
from collections import Counter

import pytest

from tests.demo_content.checker import (
    HAND_OVER,
    PROVABLE,
    WORD,
    findings,
    language_by_model,
    language_by_words,
    parse,
    reply_text,
    sentences,
)
from tests.demo_content.content import DEMO, HERE, ITEMS, RUNS, items, readings, responses, table

PINNED = ("small_error", "confused_logic", "wrong_rule", "invented_rule", "grammar")
NUMBER = re.compile(r"\d[\d.,]*\d|\d")
NAMES = re.compile(
    r"claude|gemini|gemma|mistral|qwen|anthropic|google|deepmind|alibaba|haiku|sonnet|opus|flash|\bpro\b|\b[47]b\b",
    re.IGNORECASE,
)
CELLS = [(item, run) for run in RUNS for item in ITEMS]
FIRST = readings("grades_reader_1")


def wanted_language(cell):
    item = items()[cell[0]]
    return "en" if "wrong_language" in FIRST[cell].codes else item.language


def test_the_24_items_and_8_runs_meet_once_each():
    assert tuple(items()) == ITEMS
    assert sorted(responses()) == sorted(CELLS)
    with (DEMO / "responses.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    assert len(rows) == 192
    assert all(list(row) == ["item", "run", "response", "language"] for row in rows)
    assert all(row["language"] == items()[row["item"]].language for row in rows)


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_what_code_can_prove_is_what_the_codes_say(cell):
    assert findings(responses()[cell], items()[cell[0]].key) == PROVABLE & set(FIRST[cell].codes)


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_the_length_holds_however_greetings_are_counted(cell):
    """2 to 5 sentences with and without "Hello!"; six or more where coded. S06 of one run is a close call on purpose."""
    codes, reply = FIRST[cell].codes, reply_text(responses()[cell])
    if "empty" in codes:
        return
    without, counted = len(sentences(reply, greetings=False)), len(sentences(reply))
    if cell == ("S06", "Mistral 7B (local)"):
        assert (without, counted) == (5, 6)
        assert "six_sentences" not in readings("grades_reader_2")[cell].codes
    elif "six_sentences" in codes:
        assert without >= 6
    else:
        assert 2 <= without <= counted <= 5


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_each_sentence_is_in_the_language_of_the_reply(cell):
    """Two opinions, small words and py3langid: a foreign sentence stands only where english_phrase says so, once."""
    expected = wanted_language(cell)
    foreign = set()
    for sentence in sentences(reply_text(responses()[cell])):
        if len(WORD.findall(sentence)) < 3:
            continue
        if language_by_words(sentence) not in {expected, None}:
            foreign.add(sentence)
        if language_by_model(sentence) not in {expected, None}:
            foreign.add(sentence)
    assert len(foreign) == ("english_phrase" in FIRST[cell].codes)


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_a_person_is_announced_exactly_when_the_ticket_is_handed_over(cell):
    fields = parse(responses()[cell]).fields
    announced = HAND_OVER.search(reply_text(responses()[cell])) is not None
    assert announced is bool(fields and fields["needs_human"])


POINTS = table(HERE / "points.csv")


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_completeness_follows_from_the_points_of_the_answer_key(cell):
    """2: every point is there. 1: one is missing, not the main one. 0: the main answer is missing, or there is no text."""
    reply = " ".join(reply_text(responses()[cell]).lower().replace("’", "'").split())
    points = [point for point in POINTS if point["item"] == cell[0]]
    assert sum(point["main"] == "1" for point in points) == 1
    missing = [point for point in points if not re.search(point["pattern"], reply)]
    level = 0 if any(point["main"] == "1" for point in missing) else 2 - len(missing)
    assert level == FIRST[cell].grades["completeness"], [point["point"] for point in missing]


def test_every_fault_that_needs_judgement_is_pinned_to_a_quotation():
    """One quotation per fault of substance, two per grammar code (the rubric tolerates none, the demo has two)."""
    evidence = table(HERE / "evidence.csv")
    expected = Counter({
        (*cell, code): 2 if code == "grammar" else 1
        for cell in CELLS
        for code in FIRST[cell].codes
        if code in PINNED
    })  # fmt: skip
    assert Counter((row["item"], row["run"], row["code"]) for row in evidence) == expected
    absent = [
        row["quote"]
        for row in evidence
        if row["quote"].lower() not in reply_text(responses()[row["item"], row["run"]]).lower()
    ]
    assert not absent


@pytest.mark.parametrize("cell", [cell for cell in CELLS if FIRST[cell].grades["accuracy"] == 2], ids=str)
def test_a_true_answer_holds_no_number_from_nowhere(cell):
    item = items()[cell[0]]
    policy = "".join(
        (DEMO / f"policy_{language}.md").read_text(encoding="utf-8") for language in ("en", "fr")
    )
    known = set(NUMBER.findall(policy)) | set(NUMBER.findall(item.text))
    if "twelve" in item.text.lower():
        known.add("12")
    assert set(NUMBER.findall(reply_text(responses()[cell]))) <= known


def test_no_text_names_a_model_or_its_maker():
    texts = [*responses().values(), *(item.text + item.reference for item in items().values())]
    texts += [
        reading.reason
        for name in ("grades_reader_1", "grades_reader_2")
        for reading in readings(name).values()
    ]
    texts += [
        (DEMO / name).read_text(encoding="utf-8")
        for name in ("practice.json", "calibration.csv", "policy_en.md", "policy_fr.md")
    ]
    assert not [text for text in texts if NAMES.search(text)]


def test_25_answers_stand_in_a_fence_and_4_are_empty():
    fenced = Counter(run for (_, run), raw in responses().items() if parse(raw).fenced)
    assert fenced == {"Gemma 3 4B (local)": 24, "Gemini 3.1 Pro (preview)": 1}
    assert [cell for cell, raw in responses().items() if not raw] == [
        (item, "Qwen3 4B, 4000-token limit (local)") for item in ("S04", "S12", "D04", "M02")
    ]


def test_no_two_answers_are_the_same_text():
    replies = [reply_text(raw) for raw in responses().values() if raw]
    assert len(set(replies)) == len(replies) == 188
