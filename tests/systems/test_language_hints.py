"""The hint for each sentence: French, English, mixed or unsure; right on these, wrong on the misses that the documents own up to."""

import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.language_hints import Hint, Sentence, hint_of, hints, together
from tests.conftest import ROOT

RIGHT = [
    # French
    ("Bonjour, merci de nous avoir écrit au sujet de votre commande.", "fr"),
    ("Votre colis a quitté l'entrepôt hier matin.", "fr"),
    ("Les graines ne sont pas reprises.", "fr"),
    ("Écrivez-nous avec le numéro LF-2201.", "fr"),
    ("Oui, c'est inclus.", "fr"),
    ("Cliquez sur « Forgot your password? » dans la page d'accueil.", "fr"),
    ('La fenêtre "Track my order" s\'ouvre toute seule.', "fr"),
    # Québec usage
    ("Allô, j'attends encore mon colis, pis y'a rien qui bouge.", "fr"),
    ("Faque je fais quoi, astheure?", "fr"),
    ("C'est pas correct pantoute.", "fr"),
    ("Je vais magasiner ça en fin de semaine.", "fr"),
    ("Envoyez-moi un courriel tantôt, s'il vous plaît.", "fr"),
    ("Coudonc, ça vient-tu?", "fr"),
    ("C'est le fun!", "fr"),
    # short French
    ("Merci!", "fr"),
    ("Salut!", "fr"),
    ("Bonne journée!", "fr"),
    ("Bonsoir Madame,", "fr"),
    ("À bientôt!", "fr"),
    ("Bienvenue!", "fr"),
    ("Non.", "fr"),
    # English
    ("Thank you for writing to us about your order.", "en"),
    ("You can return it within 30 days.", "en"),
    ("We don't take seeds back.", "en"),
    ("It’s on its way.", "en"),
    ("Let us know if anything else comes up.", "en"),
    ("Your parcel left the Québec warehouse yesterday.", "en"),
    ("The café table was damaged when it arrived.", "en"),
    ("Rust is excluded.", "en"),
    # short English
    ("Thanks!", "en"),
    ("Hello!", "en"),
    ("Hi there!", "en"),
    ("Sorry about that.", "en"),
    ("Cheers!", "en"),
    ("Yes.", "en"),
    # mixed
    ("Mon order est encore late, pouvez-vous checker le tracking?", "mixed"),
    ("Je veux un refund parce que the box was damaged.", "mixed"),
    ("Allô, my parcel est pas arrivé and I need it demain.", "mixed"),
    ("We are désolés de ce delay, votre colis will arrive tomorrow.", "mixed"),
    ("Pour cancel, appelez le store.", "mixed"),
    # nothing to tell by
    ("LF-2384.", "unsure"),
    ("OK.", "unsure"),
    ("Larkfield, Moncton.", "unsure"),
    ("2 pots, 3 sacs.", "unsure"),
]

MISSES = [
    ("J'ai checké le tracking ce matin.", "mixed", "fr"),
    ("On va vous réfunder demain.", "mixed", "fr"),
    ("Le support craque, j'ai peur que les kids tombent.", "mixed", "fr"),
    ("I live at 12 rue de la Montagne in Laval.", "en", "mixed"),
    ("Parfait.", "fr", "unsure"),
    ("Take care!", "en", "unsure"),
]
"""What the hint misses: sentence, what it is, what the hint says. A miss that is mended moves up, here and in the document."""


@pytest.mark.parametrize(("sentence", "expected"), RIGHT, ids=[s for s, _ in RIGHT])
def test_hints(sentence, expected):
    assert hint_of(sentence) == expected


def test_there_are_enough_of_each():
    assert len(RIGHT) >= 40
    assert {expected for _, expected in RIGHT} == set(Hint)


@pytest.mark.parametrize(("sentence", "truth", "said"), MISSES, ids=[s for s, *_ in MISSES])
def test_known_misses_are_told_in_the_documents(sentence, truth, said):
    """A known miss stands in the document with what it is and what the hint says; when it is mended this test fails."""
    assert hint_of(sentence) == said != truth
    document = (ROOT / "docs" / "protocols" / "code-checks.md").read_text(encoding="utf-8")
    assert f"| {sentence} | {truth} | {said} |" in document


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bonjour! Votre colis est parti.", "fr"),
        ("Hello! Your parcel has left.", "en"),
        ("Bonjour! Votre colis est parti. Thank you for your patience.", "mixed"),
        ("Bonjour! LF-2384.", "fr"),
        ("LF-2384.", "unsure"),
        ("", "unsure"),
    ],
)
def test_a_text_is_what_its_sure_sentences_are(text, expected):
    assert together(hints(text)) == expected


def test_the_english_end_of_a_french_reply_is_seen():
    """Told over the whole text it would drown; told by sentence it stands out."""
    found = hints("Bonjour, votre colis est en route. Il arrivera lundi. Thank you for your patience.")
    assert found[-1] == Sentence("Thank you for your patience.", Hint.ENGLISH)
    assert [s.hint for s in found[:-1]] == [Hint.FRENCH, Hint.FRENCH]


@given(st.text(max_size=200))
def test_any_text_gets_a_hint_and_no_error(text):
    assert hint_of(text) in Hint
    assert together(hints(text)) in Hint
