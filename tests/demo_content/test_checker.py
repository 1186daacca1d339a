"""The checker itself, on answers made for the purpose: a checker that finds nothing would prove nothing."""

import json

import pytest

from tests.demo_content.checker import (
    Key,
    findings,
    grades_of,
    is_ready,
    language_by_model,
    language_by_words,
    parse,
    reply_text,
    sentences,
    word_check,
)

ENGLISH = "You can send the lamp back. The postage is yours to pay."
FRENCH = "Vous pouvez nous renvoyer la lampe. Les frais sont à votre charge."


def answer(reply=ENGLISH, category="returns", language="en", needs_human=False, **extra):
    return json.dumps(
        {"reply": reply, "category": category, "language": language, "needs_human": needs_human, **extra}
    )


@pytest.mark.parametrize(
    ("raw", "key", "expected"),
    [
        (answer(), Key("en", "returns", needs_human=False), set()),
        ("", Key("en", "returns", needs_human=False), {"empty"}),
        (f"```json\n{answer()}\n```", Key("en", "returns", needs_human=False), {"fence"}),
        (f"```\n{answer()}\n```", Key("en", "returns", needs_human=False), {"fence"}),
        (f"Here it is:\n{answer()}", Key("en", "returns", needs_human=False), {"text_around_json"}),
        (f"Here:\n```json\n{answer()}\n```", Key("en", "returns", needs_human=False), {"fence", "text_around_json"}),
        (answer()[:-1], Key("en", "returns", needs_human=False), {"invalid_json"}),
        (answer('The lamp" is here'[:9]).replace("The", 'The "old"'), Key("en", "returns", needs_human=False), {"invalid_json"}),
        (answer(extra=1), Key("en", "returns", needs_human=False), {"invalid_json"}),
        (answer(needs_human="false"), Key("en", "returns", needs_human=False), {"invalid_json"}),
        (answer(category="lamps"), Key("en", "returns", needs_human=False), {"invalid_json"}),
        (answer(category="other"), Key("en", "returns", needs_human=False), {"wrong_label"}),
        (answer(needs_human=True), Key("en", "returns", needs_human=False), {"over_cautious"}),
        (answer(), Key("en", "returns", needs_human=True), {"answered_alone"}),
        (answer(language="fr", reply=FRENCH), Key("fr", "returns", needs_human=False), set()),
        (answer(), Key("fr", "returns", needs_human=False), {"wrong_language"}),
        (
            answer(language="fr", reply=f"{FRENCH} Thank you for your patience with us."),
            Key("fr", "returns", needs_human=False),
            {"english_phrase"},
        ),
        (answer(reply="It is so. " * 6), Key("en", "returns", needs_human=False), {"six_sentences"}),
    ],
)  # fmt: skip
def test_each_provable_fault_is_found_and_nothing_else(raw, key, expected):
    assert findings(raw, key) == expected


@pytest.mark.parametrize(
    ("text", "count", "without_greetings"),
    [
        ("It costs $9.50 an order, or 9,50 $.", 1, 1),
        ("Hello! It is free. Is it? Yes!", 4, 3),
        ("Cliquez sur « Oublié ». Puis attendez.", 2, 2),
        ("One.\n\nTwo.", 2, 2),
        ("", 0, 0),
    ],
)
def test_sentences_are_counted_at_full_stops_and_not_inside_numbers(text, count, without_greetings):
    assert (len(sentences(text)), len(sentences(text, greetings=False))) == (count, without_greetings)


@pytest.mark.parametrize(
    ("sentence", "language"), [(ENGLISH, "en"), (FRENCH, "fr"), ("Larkfield LF-4127", None)]
)
def test_small_words_tell_the_language_or_nothing(sentence, language):
    assert language_by_words(sentence) == language


@pytest.mark.parametrize(("sentence", "language"), [(ENGLISH, "en"), (FRENCH, "fr")])
def test_the_second_opinion_on_language_agrees(sentence, language):
    pytest.importorskip("py3langid")
    assert language_by_model(sentence) == language


def test_the_reply_is_read_in_a_fence_and_is_the_raw_text_when_nothing_can_be_read():
    assert reply_text(f"```json\n{answer()}\n```") == ENGLISH
    assert reply_text("no object") == "no object"
    assert not parse("no object").usable


@pytest.mark.parametrize(
    ("codes", "grades", "ready"),
    [
        ([], (2, 2, 2, 2), True),
        (["fence", "wrong_language"], (2, 2, 0, 2), False),
        (["small_error", "invented_rule", "over_cautious"], (0, 2, 2, 1), False),
        (["one_point_missing", "six_sentences", "over_cautious"], (2, 1, 1, 1), True),
        (["small_error"], (1, 2, 2, 2), False),
        (["empty"], (0, 0, 0, 0), False),
    ],
)
def test_the_lowest_cap_is_the_grade(codes, grades, ready):
    found = grades_of(codes)
    assert (tuple(found.values()), is_ready(found)) == (grades, ready)


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted", "passes"),
    [
        ("De 5 à 10 jours", ["5 à 10 JOURS"], [], True),
        ("within our 30-day window", ["30 days"], [], False),
        ("we cannot send you your code", [], ["send you your code"], False),
        ("anything", [], [], True),
    ],
)
def test_the_word_check_knows_words_and_no_meaning(text, wanted, unwanted, passes):
    assert word_check(text, wanted, unwanted) is passes
