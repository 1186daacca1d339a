"""Agreement in words: every note, reader and method can be said in both languages, with names instead of keys."""

import re
from fractions import Fraction

import pytest

from lark_sheets.core import agreement_words
from lark_sheets.core.agreement import Note, NoteId, PlacedNote, ReaderKind, State
from lark_sheets.core.agreement_words import (
    level_name,
    methods_in_words,
    note_in_words,
    notes_in_words,
    reader_in_words,
)
from lark_sheets.core.language import LANGUAGES
from lark_sheets.core.results import ReaderSummary
from lark_sheets.core.scoring import summarise
from lark_sheets.locales import FOLDER, translator
from tests.core.test_reader_agreement import DEGENERATE
from tests.factories import BASE, campaign, shipped
from tests.report.factory import demo_results, shipped_rubric, tiny

EN, FR = translator("en"), translator("fr")

PARAMETERS = {
    NoteId.NOT_READ_TWICE: {"once": 164, "items": 192},
    NoteId.SMALL_SAMPLE: {"n": 5},
    NoteId.UNDEFINED: {"coefficient": "kappa", "state": State.ONE_VALUE_ONLY, "equal": 5, "n": 5},
    NoteId.ONE_READER_CONSTANT: {"reader": "ana", "level": "2", "equal": 26, "n": 28},
    NoteId.PREVALENCE: {
        "level": "2", "share": 54 / 56, "equal": 26, "n": 28, "coefficient": "alpha_nominal", "value": Fraction(0), "ac1": Fraction(25, 27),
    },
    NoteId.BELOW_CHANCE: {"coefficient": "kappa", "value": Fraction(-1, 7)},
    NoteId.ALL_EQUAL: {"n": 24, "low": 0.862},
    NoteId.INTERVAL_DECIDES_NOTHING: {"gate": 0.6, "low": 0.541, "high": 0.983},
    NoteId.WIDE_GAPS: {"items": 3, "widest": 2},
    NoteId.ORDINAL_ALPHA_FLATTERS: {"ordinal": Fraction(99, 100), "nominal": Fraction(29, 40)},
    NoteId.MORE_THAN_TWO_READERS: {"readers": 3},
    NoteId.NOT_PERSONS: {"readers": 2},
    NoteId.MODEL_READER: {"reader": "ana"},
    NoteId.MODEL_OF_CANDIDATE_FAMILY: {"reader": "ana"},
    NoteId.READ_NOTHING: {"reader": "ana"},
    NoteId.SAME_TICKETS: {"design_effect": 1.6},
    NoteId.AFTER_DISCUSSION: {"before": 24, "after": 26, "n": 28},
}  # fmt: skip


def said(note: NoteId, about=("accuracy",), t=EN, **changes) -> str:
    return note_in_words(PlacedNote(about, Note(note, PARAMETERS[note] | changes)), shipped(), t)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("note", list(NoteId))
def test_every_note_has_its_sentence(note, language):
    for about in ((), ("accuracy", "format"), ("",)):
        text = said(note, about, translator(language))
        assert "{" not in text
        assert text.endswith((".", "!"))
    assert said(note, ()) != said(note, (), FR)


@pytest.mark.parametrize(
    ("note", "changes", "text"),
    [
        (NoteId.NOT_READ_TWICE, {}, "164 of 192 responses (85%) were read by one reader only: nothing here speaks of them."),
        (NoteId.NOT_READ_TWICE, {"once": 1, "items": 4}, "1 of 4 responses (25%) was read by one reader only: nothing here speaks of it."),
        (NoteId.NOT_READ_TWICE, {"once": 0, "items": 4}, "All 4 responses were read twice or more."),
        (NoteId.NOT_READ_TWICE, {"once": 4, "items": 4}, "None of the 4 responses was read twice: nothing is known of agreement."),
        (NoteId.UNDEFINED, {}, "Kappa is undefined: one value only; grades are equal on 5 of 5 responses read twice."),
        (NoteId.UNDEFINED, {"n": 0, "state": State.NO_SHARED_ITEMS}, "Kappa is undefined: no shared responses."),
        (NoteId.ALL_EQUAL, {}, "All 24 are equal; in others like them agreement may still be as low as 86%."),
        (NoteId.ORDINAL_ALPHA_FLATTERS, {}, "The ordinal alpha (0.99) is far above the nominal one (0.73): it hardly counts a difference between two levels that are rarely given."),
    ],
)  # fmt: skip
def test_counts_shares_and_coefficients_stand_as_people_read_them(note, changes, text):
    """Rounded half up from the exact value (29/40 is 0.73), never "1 responses"."""
    assert said(note, (), **changes) == text


def test_what_a_note_is_about_stands_before_it_unless_it_is_everything():
    assert said(NoteId.WIDE_GAPS, ("accuracy", "format")).startswith("Accuracy, Format: 3 responses differ")
    assert said(NoteId.ALL_EQUAL, ("",), FR).startswith("Décision\u00a0: les 24 sont")
    assert said(NoteId.MODEL_READER, ("",), reader="Ana").startswith("Decision: Ana is")


def test_levels_have_their_names():
    """A number, a label in the reader's language, and the two values of the decision."""
    assert level_name("accuracy", "2", shipped(), EN) == "2"
    assert (level_name("", "ready", shipped(), EN), level_name("", "not_ready", shipped(), EN)) == (
        "ready", "not ready",
    )  # fmt: skip
    refusals = shipped_rubric("refusals")
    assert level_name("category", "full_refusal", refusals, FR) == "refus complet"
    assert level_name("", "not_full_refusal", refusals, EN) == "not “full refusal”"


@pytest.mark.parametrize("kind", list(ReaderKind))
def test_every_reader_is_told_with_what_it_is(kind):
    model = "claude" if "model" in kind else ""
    reader = ReaderSummary(name="ana", model=model, kind=kind, read=192, shared=28)
    assert reader_in_words(reader, EN).startswith("ana (")
    assert ("claude" in reader_in_words(reader, FR)) == bool(model)
    assert reader_in_words(reader, EN) != reader_in_words(reader, FR)


def test_methods_name_the_intervals_that_are_shown():
    demo, _ = demo_results()
    text = " ".join(methods_in_words(demo.agreement, EN))
    assert "chance held fixed" in text
    assert "By ticket" in text
    assert "from 96 shared responses on 24 tickets on" in text
    rubric = shipped_rubric("larkfield")
    rows = [{c.id: level for c in rubric.criteria} for level in (2, 1, 0, 2)]
    single, _ = tiny(rubric, {"a": rows}, second={"a": rows})
    assert "By ticket" not in " ".join(methods_in_words(single.agreement, EN))
    three = summarise(campaign(more={"g2": BASE, "g3": BASE}))
    assert "any number of readers" in " ".join(methods_in_words(three.agreement, EN))


@pytest.mark.parametrize("made", DEGENERATE.values(), ids=DEGENERATE)
def test_what_cannot_be_measured_can_be_said(made):
    results = summarise(made)
    for t in (EN, FR):
        for text in (*notes_in_words(results, t), *methods_in_words(results.agreement, t)):
            assert not re.search(r"\bnan\b|\{|None of the 0", text, re.IGNORECASE), text


# --- the catalogue -------------------------------------------------------------------------------------------------------


def test_french_has_every_sentence_with_the_same_fields():
    from babel.messages.pofile import read_po

    with (FOLDER / "fr" / "agreement.po").open("rb") as stream:
        known = {
            m.id if isinstance(m.id, str) else m.id[0]: m.string for m in read_po(stream, locale="fr") if m.id
        }
    sentences = [
        *agreement_words.NOTES.values(),
        agreement_words.NONE_READ_TWICE,
        agreement_words.ALL_READ_TWICE,
        agreement_words.NOTHING_SHARED,
    ]
    texts = [s.one for s in sentences] + [
        *agreement_words.COEFFICIENTS.values(),
        *agreement_words.KINDS.values(),
    ]
    assert [text for text in texts if text not in known] == []

    def fields(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text))

    for sentence in sentences:
        forms = known[sentence.one]
        for form in (forms,) if isinstance(forms, str) else forms:
            assert fields(form) <= fields(sentence.one) | fields(sentence.many), form
            assert not re.search(r" [:%»?!;]|« ", form), form
