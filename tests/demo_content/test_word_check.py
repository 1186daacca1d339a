"""A search for the key's words errs both ways; the demo shows it with counts that hold."""

import pytest

from tests.demo_content.checker import reply_text, word_check
from tests.demo_content.content import items, readings, responses

FIRST = readings("grades_reader_1")
PRO = {(item, "Gemini 3.1 Pro (preview)") for item in ("S02", "S06", "S07", "S12", "D01", "M03")}
REFUSALS = {
    ("S11", run)
    for run in (
        "Claude Haiku 5.5", "Claude Sonnet 5.5", "Claude Opus 5.5", "Gemini 3.5 Flash", "Qwen3 4B, 4000-token limit (local)",
    )
}  # fmt: skip


def passes(cell, text):
    item = items()[cell[0]]
    return word_check(text, item.must_mention, item.must_not_mention)


def right():
    return {
        c for c, reading in FIRST.items() if reading.grades["accuracy"] == reading.grades["completeness"] == 2
    }


@pytest.mark.parametrize("view", [reply_text, str], ids=["the reply", "the raw answer"])
def test_it_rejects_eleven_right_answers_and_no_other(view):
    """Six of one run use other words than the key's; five refusals of S11 hold the unwanted phrase, negated."""
    assert {cell for cell in right() if not passes(cell, view(responses()[cell]))} == PRO | REFUSALS


def test_the_refusals_fail_on_the_unwanted_phrase_alone():
    item = items()["S11"]
    for cell in REFUSALS:
        reply = reply_text(responses()[cell])
        assert word_check(reply, item.must_mention, ())
        assert not word_check(reply, (), item.must_not_mention)
    assert passes(
        ("S11", "Gemini 3.1 Pro (preview)"), reply_text(responses()["S11", "Gemini 3.1 Pro (preview)"])
    )


def test_the_six_fail_on_a_wanted_word_alone():
    for cell in PRO:
        assert word_check(reply_text(responses()[cell]), (), items()[cell[0]].must_not_mention)


def test_it_accepts_an_invented_rule():
    cell = ("U03", "Mistral 7B (local)")
    assert "invented_rule" in FIRST[cell].codes
    assert items()["U03"].must_mention == ()
    assert passes(cell, reply_text(responses()[cell]))
