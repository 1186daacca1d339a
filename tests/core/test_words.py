"""Text, numbers and messages: one form for comparison, the reader's form on screen."""

import string
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.campaign import row_fingerprint
from lark_sheets.core.language import Translator, Words, half_up
from lark_sheets.core.problems import CATALOGUE, problem, sentences, told
from lark_sheets.core.text import canonical, clean_id, folded, squeezed
from lark_sheets.errors import Severity
from lark_sheets.locales import translator

FR, EN = translator("fr"), translator("en")


@pytest.mark.parametrize(
    ("exact", "places", "expected"),
    [
        (Fraction(315, 32), 2, "9.84"),  # 189 of 192
        (Fraction(475, 48), 2, "9.90"),  # 190
        (Fraction(955, 96), 2, "9.95"),  # 191
        (Fraction(185, 32), 2, "5.78"),  # 111
        (Fraction(715, 96), 2, "7.45"),  # 143
        (Fraction(625, 96), 2, "6.51"),  # 125
        (Fraction(1, 8), 2, "0.13"),
        (Fraction(-1, 8), 2, "-0.13"),
        (Fraction(-1, 1000), 2, "0.00"),
        (0.5, 0, "1"),
        (10, 2, "10.00"),
    ],
)
def test_rounding_is_half_up_from_the_exact_fraction(exact: Fraction, places: int, expected: str) -> None:
    assert half_up(exact, places) == expected


def test_numbers_are_written_in_the_readers_language() -> None:
    assert (FR.decimal(Fraction(315, 32)), EN.decimal(Fraction(315, 32))) == ("9,84", "9.84")
    assert (FR.percent(Fraction(24, 28)), EN.percent(Fraction(24, 28))) == ("86\u00a0%", "86%")
    assert (FR.whole(5000), EN.whole(5000)) == ("5\u00a0000", "5,000")


def test_a_text_in_one_language_serves_both() -> None:
    assert Words(fr="grille").in_("en") == "grille"
    assert Words(fr="a", en="a").both() == ("a",)


def test_a_fingerprint_does_not_see_what_a_save_in_excel_changes() -> None:
    seal = row_fingerprint("rab", "K01", "A", "Bonjour,\nvoici la suite.")
    assert seal == row_fingerprint("RAB\u00a0", " K01", "A", "Bonjour,\r\nvoici la suite. ")
    assert row_fingerprint("rab", "K01", "A", "e\u0301te\u0301") == row_fingerprint("rab", "K01", "A", "été")


def test_a_fingerprint_sees_every_change_of_id_ticket_letter_and_text() -> None:
    seals = {
        row_fingerprint(*parts)
        for parts in (
            ("r1", "K01", "A", "x"),
            ("r2", "K01", "A", "x"),
            ("r1", "K02", "A", "x"),
            ("r1", "K01", "B", "x"),
            ("r1", "K01", "A", "y"),
        )
    }
    assert len(seals) == 5


@pytest.mark.parametrize(
    "spoiled", ["K01-A\u00a0", "\u200bK01-A", "K01-A ", "K01\u2011A", "K01-A\t", "\ufeffK01-A"]
)
def test_ids_are_cleaned_of_what_nobody_sees(spoiled: str) -> None:
    assert clean_id(spoiled) == "K01-A"


def test_names_of_runs_have_one_form() -> None:
    assert squeezed("Mistral_7B") == squeezed("mistral-7b") == squeezed("Mistral 7B")
    assert folded("  À  Discuter ") == "à discuter"


@given(st.text())
def test_canonical_forms_are_stable(text: str) -> None:
    assert canonical(canonical(text)) == canonical(text)
    assert clean_id(clean_id(text)) == clean_id(text)


@pytest.mark.parametrize("code", sorted(CATALOGUE))
@pytest.mark.parametrize("translate", [FR, EN], ids=["fr", "en"])
def test_every_problem_has_its_sentences_in_both_languages(code: str, translate: Translator) -> None:
    """The names in a French sentence are those of the English one, and nothing is left untranslated."""
    kind = CATALOGUE[code]
    names = {field for text in kind[1:] for _, field, _, _ in string.Formatter().parse(text) if field}
    found = problem(
        code, sheet="Grading", cell="G14", item="S07-C", found="3", **dict.fromkeys(names - {"found"}, "x")
    )
    words = sentences(found, translate)
    assert all(words)
    assert "{" not in "".join(words)
    if translate is FR and kind.what != "{found}":
        assert words.what != sentences(found, EN).what


def test_a_problem_says_where_what_and_what_to_do() -> None:
    found = problem(
        "unreadable_grade",
        file="ana.xlsx",
        sheet="Grading",
        cell="N14",
        item="S07-C",
        found="3",
        criterion="accuracy",
        levels="0, 1, 2",
    )
    assert told(found, EN) == (
        "ana.xlsx, sheet Grading, cell N14, S07-C: “3” is not a level of accuracy (expected: one of 0, 1, 2). "
        "Type one of 0, 1, 2, or leave the cell blank if the response is not graded yet."
    )


def test_a_code_without_sentences_cannot_be_told() -> None:
    with pytest.raises(KeyError):
        problem("nothing_of_the_kind")
    assert problem("missing_grade", criterion="x", levels="0").severity is Severity.WARNING
