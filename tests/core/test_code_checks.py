"""The code checks: what a program sees in a response, and what it does not pretend to see."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from lark_sheets.core.code_checks import CHECKED, language_of, proposed_codes, seen_in, sentences_of

DEMO = Path(__file__).resolve().parents[2] / "workbooks" / "demo"


def reply(text, **more):
    return json.dumps({"reply": text, **more}, ensure_ascii=False)


GOOD = "Bonjour, nous vous remercions de votre message. Votre colis est en route."
FIVE = "Un est ici. Deux est là. Trois suit. Quatre vient. Cinq finit."

CASES = [
    ("a clean reply", reply(GOOD), "fr", set()),
    ("no text at all", "", "fr", {"empty"}),
    ("only blanks", " \n\t", "fr", {"empty"}),
    ("an object without a reply", '{"reply": ""}', "fr", {"empty"}),
    ("a fence", f"```json\n{reply(GOOD)}\n```", "fr", {"fence"}),
    ("a fence of tildes", f"~~~\n{reply(GOOD)}\n~~~", "fr", {"fence"}),
    ("a fence inside the reply is no fence", reply("Tapez ``` pour voir."), "fr", set()),
    ("text before", f"Voici la réponse :\n{reply(GOOD)}", "fr", {"text_around_json"}),
    ("text after", f"{reply(GOOD)}\nBonne journée", "fr", {"text_around_json"}),
    (
        "a fence and text",
        f"Voici :\n```json\n{reply(GOOD)}\n```\nMerci",
        "fr",
        {"fence", "text_around_json"},
    ),
    ("a brace forgotten", reply(GOOD)[:-1], "fr", {"invalid_json"}),
    ("two values for one field", '{"reply": "Bonjour", "category": "a", "b"}', "fr", {"invalid_json"}),
    ("a raw line end in a text", '{"reply": "Bonjour\nmerci"}', "fr", {"invalid_json"}),
    ("NaN is no JSON", '{"reply": "Bonjour", "n": NaN}', "fr", {"invalid_json"}),
    ("plain text says nothing of JSON", GOOD, "fr", set()),
    ("five sentences", reply(FIVE), "", set()),
    ("six sentences", reply(FIVE + " Six dépasse!"), "", {"six_sentences"}),
    ("an English sentence", reply(GOOD + " Thank you for your patience."), "fr", {"english_phrase"}),
    (
        "wholly English",
        reply("Thank you for your order. We will be in touch with you."),
        "fr",
        {"wrong_language"},
    ),
    ("wholly French", reply(GOOD), "en", {"wrong_language"}),
    (
        "a French sentence in English",
        reply("Thank you for your order. We will write to you. Merci de votre patience."),
        "en",
        set(),
    ),
    ("no language expected", reply("Thank you for your patience."), "", set()),
    (
        "the longest text where no field is called reply",
        json.dumps({"a": "x", "text": "Thank you for your patience and for your help."}),
        "fr",
        {"wrong_language"},
    ),
    ("a list is no reply", "{}", "fr", {"empty"}),
]


@pytest.mark.parametrize(("text", "language", "codes"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_what_is_proposed(text, language, codes):
    assert proposed_codes(text, language) == codes


def test_an_invalid_object_is_still_read_for_its_sentences():
    broken = reply(GOOD + " Thank you for your patience.")[:-1]
    assert proposed_codes(broken, "fr") == {"invalid_json", "english_phrase"}


def test_what_was_seen_is_shown_to_the_person_who_looks():
    (seen,) = seen_in(reply(GOOD + " Thank you for your patience."), "fr")
    assert seen.what == "Thank you for your patience."


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Bonjour.", 1),
        ("Bonjour", 1),
        ("", 0),
        ("…", 0),
        ("M. Roy et Mme. Cyr viendront. Merci!", 2),
        ("It costs $9.50, i.e. about ten dollars. Thanks.", 2),
        ("Really?! Yes.", 2),
        ("« C’est vrai. » Merci.", 2),
        ("Merci... À bientôt.", 2),
        ("Votre commande LF-5530 est partie le 3 mai. Voir le point 2.1 de la politique.", 2),
        ("J. Tremblay vous écrira.", 1),
    ],
)
def test_sentences(text, count):
    assert len(sentences_of(text)) == count


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("We are always happy to help!", "en"),
        ("Have a nice day with your garden!", "en"),
        ("Nous sommes désolés du retard.", "fr"),
        ("L’échange est sans frais.", "fr"),
        ("OK.", ""),
        ("LF-5530", ""),
        ("Cliquez sur « Thank you for your order » pour voir la suite.", "fr"),
        ("Le lien “forgot your password” se trouve sur la page.", "fr"),
    ],
)
def test_the_language_of_a_sentence(sentence, language):
    assert language_of(sentence) == language


def test_on_the_demo_the_checks_see_exactly_what_readers_recorded():
    """192 answers, their owner's codes: no false alarm and nothing missed among the codes that a program can see."""
    recorded = {}
    with (DEMO / "grades_reader_1.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            recorded[row["item"], row["run"]] = set(row["codes"].split("; ")) & set(CHECKED)
    seen = {}
    for line in (DEMO / "responses.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        seen[row["item"], row["run"]] = proposed_codes(row["response"], row["language"])
    assert {key: set(codes) for key, codes in seen.items()} == recorded
    assert Counter(code for codes in seen.values() for code in codes)["fence"] == 25
