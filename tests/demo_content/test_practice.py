"""The exercise before the real grading: three answers to one late delivery, in either language."""

import json

import pytest

from tests.demo_content.checker import CRITERIA, PROVABLE, Key, findings, grades_of, language_by_words
from tests.demo_content.content import DEMO

FRENCH = json.loads((DEMO / "practice.json").read_text(encoding="utf-8"))
EXERCISES = [FRENCH, FRENCH["other_language"]]


@pytest.mark.parametrize("exercise", EXERCISES, ids=["fr", "en"])
def test_the_three_answers_earn_their_reference_grades(exercise):
    language = exercise["item"]["language"]
    assert language_by_words(exercise["item"]["text"]) == language
    assert [answer["label"] for answer in exercise["responses"]] == ["X", "Y", "Z"]
    assert [list(answer["grades"].values()) for answer in exercise["responses"]] == [
        [2, 2, 2, 2], [2, 2, 1, 1], [0, 0, 1, 1],
    ]  # fmt: skip
    for answer in exercise["responses"]:
        assert tuple(answer["grades"]) == CRITERIA
        assert answer["grades"] == grades_of(answer["codes"])
        found = findings(answer["response"], Key(language, "delivery", needs_human=False))
        assert found == PROVABLE & set(answer["codes"])
        assert {spoken: language_by_words(why) for spoken, why in answer["why"].items()} == {
            "fr": "fr",
            "en": "en",
        }


def test_the_grammar_slips_of_the_french_exercise_are_there():
    reply = FRENCH["responses"][1]["response"]
    assert "avez payer" in reply
    assert "seront faite" in reply
