"""Agreement: what is counted, what has no number, and what a table of counts may not change."""

import json
import warnings
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from lark_sheets.core.agreement import (
    Agreement,
    NoteId,
    ReaderKind,
    State,
    agreement,
    agreement_of,
    count,
    notes_on,
    notes_on_passes,
    on_all_criteria,
    pairwise,
    reader_kind,
)
from tests.core import published
from tests.core.published import two_readers

COEFFICIENTS = (
    "kappa", "kappa_linear", "kappa_quadratic", "ac1", "ac2_quadratic", "fleiss",
    "alpha_nominal", "alpha_ordinal", "alpha_interval",
)  # fmt: skip
SCALE = (0, 1, 2)


def pair(first: list, second: list, levels=SCALE, **options) -> Agreement:
    rows = [{"first": one, "second": two} for one, two in zip(first, second, strict=True)]
    return agreement(rows, levels, **{"ordinal": True, "readers": ("first", "second")} | options)


@pytest.fixture(autouse=True)
def no_warning():
    """Nothing here may warn: a person would see it on the terminal."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


# --- the handed cases ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "equal", "kappa"),
    [
        pytest.param([2, 2, 2, 2, 2, 2, 2, 1], [2, 2, 2, 2, 2, 2, 1, 2], 6, Fraction(-1, 7), id="75 % equal, below chance"),
        pytest.param([2] * 8, [2, 2, 2, 2, 1, 1, 2, 2], 6, Fraction(0), id="one reader constant: exactly 0"),
        pytest.param([2] * 8, [2] * 8, 8, None, id="one value only: no kappa"),
        pytest.param([2, 1, 2, 0, 0, 2, 2, 2], [2, 1, 2, 0, 0, 2, 2, 2], 8, Fraction(1), id="all equal"),
    ],
)  # fmt: skip
def test_kappa_beside_the_counts(first, second, equal, kappa):
    """Case 18: the raw counts always stand; kappa is an exact fraction or has a named state."""
    found = pair(first, second)
    assert (found.equal, found.n) == (equal, 8)
    assert found.kappa_exact == kappa
    assert found.state == ("undefined: one value only" if kappa is None else "defined")
    assert found.interval is not None
    assert (found.kappa_interval is None) == (kappa is None)


def test_only_items_read_by_both_count():
    """Case 19: a reading without its twin is neither a disagreement nor an item of the sample; order changes nothing."""
    first = {"A": 2, "B": 2, "C": 1, "D": 0, "E": 2, "F": 2, "G": 2}
    second = {"G": 2, "E": 2, "D": 0, "H": 2, "C": 1, "A": 1}
    readings = {item: {} for item in (*first, "H")}
    for item, level in first.items():
        readings[item]["g1"] = level
    for item, level in reversed(second.items()):
        readings[item]["g2"] = level
    found = agreement(readings, SCALE, ordinal=True)
    assert (found.equal, found.n, found.items, found.read_once) == (4, 5, 8, 3)
    # A 2-1, C 1-1, D 0-0, E 2-2, G 2-2: p_e = (3x2 + 1x2 + 1x1)/25 = 9/25, kappa = (4/5 - 9/25) / (1 - 9/25) = 11/16
    assert found.kappa_exact == Fraction(11, 16)
    assert found.gaps == {1: 1}
    backwards = {item: dict(reversed(row.items())) for item, row in reversed(readings.items())}
    assert agreement(backwards, SCALE, ordinal=True) == found


# An invented sample of 28 answers that agrees with the shop's published 26, 27 and 26 of 28: (first, second): how often;
# then kappa plain, linear and quadratic, AC1, and AC2 quadratic as irrCAC and krippendorff give them.
SHOP = {
    "accuracy": ({(2, 2): 22, (1, 1): 1, (0, 0): 3, (0, 1): 1, (1, 0): 1}, 26, 0.8, 0.8772, 0.9307, 0.9130, 0.9722),
    "completeness": ({(2, 2): 23, (1, 1): 1, (0, 0): 3, (1, 0): 1}, 27, 0.8838, 0.9303, 0.9613, 0.9578, 0.9871),
    "format": ({(2, 2): 21, (1, 1): 5, (2, 1): 2}, 26, 0.7895, 0.7895, 0.7895, 0.9141, 0.9731),
}  # fmt: skip


@pytest.mark.parametrize("criterion", SHOP)
def test_the_shops_second_reader(criterion):
    """Kappas and Gwet's coefficients of the 28-answer sample, by hand and by irrCAC and krippendorff."""
    cells, equal, *printed = SHOP[criterion]
    table = two_readers([[cells.get((a, b), 0) for b in SCALE] for a in SCALE])
    found = agreement_of(table, ordinal=True)
    assert (found.equal, found.n) == (equal, 28)
    values = [
        getattr(found, name).value
        for name in ("kappa", "kappa_linear", "kappa_quadratic", "ac1", "ac2_quadratic")
    ]
    assert [round(value, 4) for value in values] == printed


# --- undefined, by name -------------------------------------------------------------------------------------------------


def test_nothing_shared():
    """No reading, one reading each on other items, a reader who graded nothing: no number, no interval, a name."""
    for readings in (
        [],
        [{"a": 1}, {"b": 1}],
        [{"a": 1}, {"a": 2}, {}],
        [{"a": None, "b": 2}],
    ):
        found = agreement(readings, SCALE, ordinal=True, readers=("a", "b"))
        assert (found.equal, found.n, found.interval, found.kappa_interval, found.table) == (
            0,
            0,
            None,
            None,
            None,
        )
        assert {getattr(found, name).state for name in COEFFICIENTS} == {State.NO_SHARED_ITEMS}
        assert found.state == "undefined: no shared responses"


@pytest.mark.parametrize("second", [1, 2], ids=["equal", "different"])
def test_one_item_tells_nothing(second):
    """One shared item gives counts and an interval, but no coefficient, equal or not."""
    found = pair([1], [second])
    assert {getattr(found, name).state for name in COEFFICIENTS} == {State.ONE_ITEM_ONLY}
    assert found.n == 1
    assert found.interval is not None


def test_one_value_only():
    """28 of 28 at one level: no coefficient at all, whatever other libraries print (0, 1, 1.5, NaN); the counts stand."""
    found = pair([2] * 28, [2] * 28)
    assert {getattr(found, name).state for name in COEFFICIENTS} == {State.ONE_VALUE_ONLY}
    assert (found.ac1.value, found.ac1_interval) == (None, None)
    assert (found.equal, found.n) == (28, 28)
    assert found.interval.low == pytest.approx(0.8794, abs=5e-5)


def test_one_value_on_what_was_shared_and_another_elsewhere():
    """Items read once may show AC1 another level; on the shared sample alone it has none either."""
    rows = [{"a": 2, "b": 2}] * 5 + [{"a": 1}]
    assert agreement(rows, SCALE, ordinal=True).ac1.exact == 1
    assert agreement(rows, SCALE, ordinal=True, shared_only=True).ac1.state is State.ONE_VALUE_ONLY


def test_both_constant_and_different():
    """Each reader gives one level, not the same: kappa is exactly 0, and both are named constant."""
    found = pair([2] * 5, [1] * 5)
    assert found.kappa.exact == 0
    assert found.constant_readers == {"first": 2, "second": 1}
    assert found.ac1.value < 0


def test_a_scale_of_one_level():
    """A criterion with a single level can show no agreement beyond chance."""
    found = pair([0, 0, 0], [0, 0, 0], levels=(0,))
    assert {getattr(found, name).state for name in COEFFICIENTS} == {State.ONE_VALUE_ONLY}


def test_labels_have_no_order():
    """Categories get plain statistics only; alphabetical order is no order."""
    found = pair(
        ["low", "mid", "high"], ["low", "high", "high"], levels=("low", "mid", "high"), ordinal=False
    )
    assert found.kappa.defined
    assert found.alpha_nominal.defined
    for name in ("kappa_linear", "kappa_quadratic", "ac2_quadratic", "alpha_ordinal", "alpha_interval"):
        assert getattr(found, name).state is State.NO_ORDER
    assert found.gaps == {}


def test_words_in_order_use_that_order():
    """Ordered labels count by position in the order given, never alphabetically."""
    words = pair(["low", "mid", "high", "low"], ["low", "high", "high", "mid"], levels=("low", "mid", "high"))
    numbers = pair([0, 1, 2, 0], [0, 2, 2, 1])
    assert words.kappa_quadratic == numbers.kappa_quadratic
    assert words.alpha_ordinal == numbers.alpha_ordinal
    assert words.gaps == {1: 2}


def test_more_than_two_readers():
    """Equal means all equal; there is no kappa of three, Fleiss and alpha stand instead."""
    found = agreement(
        [{"a": 2, "b": 2, "c": 2}, {"a": 2, "b": 2, "c": 1}, {"a": 0, "b": 0}, {"a": 1}], SCALE, ordinal=True
    )
    assert (found.equal, found.n, found.items, found.readers) == (2, 3, 4, 3)
    assert found.kappa.state is found.kappa_quadratic.state is State.MORE_THAN_TWO_READERS
    assert found.fleiss.defined
    assert found.alpha_ordinal.defined
    assert found.state is State.DEFINED
    assert found.table is None


def test_positions_are_not_persons():
    """Slot 1 of two answers may be two people: no Cohen's kappa between slots, alpha yes."""
    found = pair([0, 1, 2, 2], [0, 1, 2, 1], persons=False)
    assert found.kappa.state is State.NOT_PERSONS
    assert found.kappa_interval is None
    assert found.alpha_nominal.defined
    assert found.state is State.DEFINED


def test_a_third_reader_without_shared_items_changes_no_kappa():
    """Two took part: kappa is theirs. The third one's lone readings enter only how often each level is used."""
    rows = [{"a": 0, "b": 0}, {"a": 2, "b": 2}, {"a": 2, "b": 1}]
    found = agreement([*rows, {"c": 1}], SCALE, ordinal=True)
    two = agreement(rows, SCALE, ordinal=True)
    assert (found.readers, found.reader_names) == (2, ("a", "b"))
    assert (found.kappa, found.alpha_ordinal, found.table) == (two.kappa, two.alpha_ordinal, two.table)
    assert found.ac1 != two.ac1
    only = agreement([*rows, {"c": 1}], SCALE, ordinal=True, shared_only=True)
    assert (only.ac1, only.fleiss) == (two.ac1, two.fleiss)


@pytest.mark.parametrize("wrong", [1.5, True, "2", 3, float("nan")], ids=str)
def test_what_is_not_a_level_is_refused(wrong):
    """No rounding, no True for 1, no text for a number, no NaN as a category."""
    with pytest.raises(ValueError, match="not one of the levels"):
        pair([1, wrong], [1, 2])


def test_yes_and_no_are_levels_of_their_own():
    """1 is not True either: outcomes are booleans and nothing else."""
    assert pair([True, False, True], [True, False, False], levels=(True, False), ordinal=False).equal == 2
    with pytest.raises(ValueError, match="not one of the levels"):
        pair([1, 0], [True, False], levels=(True, False), ordinal=False)


def test_faulty_questions():
    with pytest.raises(ValueError, match="twice"):
        agreement([], (0, 1, 1), ordinal=True)
    with pytest.raises(ValueError, match="unknown readers"):
        agreement([{"x": 1}], SCALE, ordinal=True, readers=("a", "b"))
    with pytest.raises(ValueError, match="same levels and readers"):
        _ = count([{"a": 1}], SCALE) + count([{"b": 1}], SCALE)
    with pytest.raises(ValueError, match="two readers"):
        count([{"a": 1, "b": 1, "c": 2}], SCALE).joint()


def test_the_full_scale_counts_used_or_not():
    """A level that nobody used still weighs: without it the 9 marks of Maple's example give .7632, with it .7586."""
    first, second, _ = published.MAPLE[0]
    assert pair(first, second, levels=range(1, 11)).kappa_quadratic.value == pytest.approx(0.758621, abs=1e-6)
    used = sorted({*first, *second})
    places = {mark: place for place, mark in enumerate(used)}
    shrunk = pair([places[m] for m in first], [places[m] for m in second], levels=range(len(used)))
    assert shrunk.kappa_quadratic.value == pytest.approx(0.7632, abs=5e-5)


# --- laws ---------------------------------------------------------------------------------------------------------------

readings_of = st.integers(2, 4).flatmap(
    lambda readers: st.lists(
        st.dictionaries(st.sampled_from("abcd"[:readers]), st.integers(0, 2), max_size=readers), max_size=25
    )
)


@given(readings_of)
def test_every_number_is_in_range_or_has_a_name(rows):
    """Never NaN, never a number above 1, none below -1 for kappa and AC1, and a state exactly when there is no number."""
    found = agreement(rows, SCALE, ordinal=True)
    for name in COEFFICIENTS:
        one = getattr(found, name)
        assert one.defined == (one.state is State.DEFINED)
        if one.defined:
            assert one.value == pytest.approx(float(one.exact))
            assert one.value <= 1
            if name.startswith(("kappa", "ac1")):
                assert one.value >= -1
    for bounds in (found.interval, found.kappa_interval, found.ac1_interval):
        assert bounds is None or -1 <= bounds.low <= bounds.high <= 1
    assert 0 <= found.equal <= found.n <= found.items
    assert found.n - found.equal == sum(found.gaps.values())
    json.dumps([getattr(found, name).value for name in COEFFICIENTS], allow_nan=False)


@given(readings_of, st.randoms())
def test_rows_and_readers_have_no_order(rows, random):
    """Shuffled rows and renamed readers give the same numbers."""
    found = agreement(rows, SCALE, ordinal=True)
    mixed = list(rows)
    random.shuffle(mixed)
    assert agreement(mixed, SCALE, ordinal=True) == found
    renamed = [
        {{"a": "d", "b": "c", "c": "b", "d": "a"}[reader]: level for reader, level in row.items()}
        for row in rows
    ]
    other = agreement(renamed, SCALE, ordinal=True)
    assert [getattr(other, name) for name in COEFFICIENTS] == [getattr(found, name) for name in COEFFICIENTS]


@given(readings_of, readings_of)
def test_tables_add_up(some, more):
    """The table of all rows is the sum of the tables of its parts."""
    one, two = count(some, SCALE, "abcd"), count(more, SCALE, "abcd")
    assert one + two == count([*some, *more], SCALE, "abcd")


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=30))
def test_with_two_levels_weights_change_nothing(pairs):
    """On a yes-or-no criterion plain, linear and quadratic kappa, and all alphas, are one number."""
    found = pair(*map(list, zip(*pairs, strict=True)), levels=(0, 1))
    assert found.kappa == found.kappa_linear == found.kappa_quadratic
    assert found.alpha_nominal.exact == found.alpha_interval.exact == found.alpha_ordinal.exact
    assert found.ac1 == found.ac2_quadratic


@given(st.lists(st.tuples(st.sampled_from(SCALE), st.sampled_from(SCALE)), min_size=2, max_size=30))
def test_kappa_by_hand(pairs):
    """The defining formula, (p_o - p_e) / (1 - p_e), from the raw pairs."""
    n = len(pairs)
    po = Fraction(sum(a == b for a, b in pairs), n)
    pe = sum(
        Fraction(sum(a == level for a, _ in pairs), n) * Fraction(sum(b == level for _, b in pairs), n)
        for level in SCALE
    )
    found = pair(*map(list, zip(*pairs, strict=True)))
    assert found.kappa_exact == (None if pe == 1 else (po - pe) / (1 - pe))
    if found.kappa.defined:
        assert found.kappa.chance == pe


@settings(max_examples=50)
@given(st.lists(st.sampled_from(SCALE), min_size=2, max_size=30))
def test_full_agreement_is_one_or_undefined(levels):
    found = pair(levels, levels)
    expected = 1 if len(set(levels)) > 1 else None
    assert found.kappa_exact == found.alpha_ordinal.exact == found.fleiss.exact == expected


# --- the same from other sides ------------------------------------------------------------------------------------------


def test_pairs_of_readers():
    """Kappa belongs to a pair; a pair that shares nothing is there, undefined, and nothing is averaged."""
    rows = [{"a": 0, "b": 0}, {"a": 2, "b": 1}, {"a": 1, "c": 1}, {"a": 2, "c": 2}, {"b": 1}]
    found = pairwise(count(rows, SCALE), ordinal=True)
    assert set(found) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert found["a", "b"].kappa.exact == Fraction(1, 3)  # 1 of 2 equal, p_e = (1x1 + 1x0 + 0x1)/4
    assert found["a", "c"].kappa.exact == 1
    assert found["b", "c"].state is State.NO_SHARED_ITEMS


def test_all_criteria_counts_answers_not_grades():
    """Two differences on one answer make one differing answer: 24 of 28, not 23; incomplete readings are left out."""
    same = {"x": {"p": 2, "q": 2}, "y": {"p": 2, "q": 2}}
    twice = {"x": {"p": 2, "q": 2}, "y": {"p": 1, "q": 1}}
    hole = {"x": {"p": 2, "q": None}, "y": {"p": 2, "q": 2}}
    found = on_all_criteria([*[same] * 24, *[twice] * 4, hole, {"x": {"p": 1, "q": 1}}], ("p", "q"))
    assert (found.equal, found.n) == (24, 28)
    assert found.interval == pytest.approx((0.6851, 0.9430), abs=5e-5)
    assert on_all_criteria([], ("p",)).interval is None


# --- notes --------------------------------------------------------------------------------------------------------------


def ids(notes) -> set[NoteId]:
    return {note.id for note in notes}


def test_notes_where_kappa_misleads():
    """26 of 28 among near-constant 2s: kappa 0, AC1 0.926. The notes say why, with the counts."""
    found = pair([2] * 28, [2] * 26 + [1, 1])
    notes = {note.id: note.parameters for note in notes_on(found)}
    assert notes[NoteId.ONE_READER_CONSTANT] == {"reader": "first", "level": "2", "equal": 26, "n": 28}
    assert notes[NoteId.PREVALENCE]["share"] == 54 / 56
    assert (notes[NoteId.PREVALENCE]["coefficient"], notes[NoteId.PREVALENCE]["value"]) == ("kappa", 0)
    assert notes[NoteId.PREVALENCE]["ac1"] == pytest.approx(0.926, abs=5e-4)
    below = ids(notes_on(pair([2] * 7 + [1], [2] * 6 + [1, 2])))
    assert {NoteId.PREVALENCE, NoteId.BELOW_CHANCE, NoteId.SMALL_SAMPLE} <= below


def test_notes_on_what_is_not_known():
    """Undefined, few, all equal, read once: each said with its counts."""
    found = agreement([{"a": 2, "b": 2}] * 6 + [{"a": 1}] * 4, SCALE, ordinal=True)
    notes = {note.id: note.parameters for note in notes_on(found)}
    assert notes[NoteId.NOT_READ_TWICE] == {"once": 4, "items": 10}
    assert notes[NoteId.UNDEFINED] == {
        "coefficient": "kappa", "state": "undefined: one value only", "equal": 6, "n": 6,
    }  # fmt: skip
    assert notes[NoteId.SMALL_SAMPLE] == {"n": 6}
    assert notes[NoteId.ALL_EQUAL]["low"] == found.interval.low
    assert NoteId.PREVALENCE not in notes


def test_the_calibration_is_blocking_but_not_conclusive():
    """21 of 22: kappa passes 0.6, its interval does not: the note says so; at 60 items it would."""
    gate = Fraction(3, 5)
    found = agreement_of(two_readers(published.CALIBRATION, (True, False)), ordinal=False)
    assert found.kappa_exact >= gate
    assert NoteId.INTERVAL_DECIDES_NOTHING in ids(notes_on(found, gate=gate))
    surer = agreement_of(two_readers([[39, 0], [3, 24]], (True, False)), ordinal=False)
    assert NoteId.INTERVAL_DECIDES_NOTHING not in ids(notes_on(surer, gate=gate))


def test_the_gate_is_compared_as_a_fraction():
    """A kappa of exactly 3/5 passes >= 0.6; as a float it may not."""
    found = agreement_of(two_readers([[4, 1], [1, 4]], (True, False)), ordinal=False)
    assert found.kappa_exact == Fraction(3, 5)


def test_notes_on_sizes():
    """Two levels apart is told; ordinal alpha much above the nominal one is told."""
    found = pair([2, 2, 0, 1] + [2] * 26, [2, 0, 1, 1] + [2] * 26)
    notes = {note.id: note.parameters for note in notes_on(found)}
    assert notes[NoteId.WIDE_GAPS] == {"items": 1, "widest": 2}
    skewed = pair([2] * 25 + [0, 0, 1], [2] * 25 + [0, 1, 0])
    assert NoteId.ORDINAL_ALPHA_FLATTERS in ids(notes_on(skewed))


def test_notes_on_readers():
    """Who reads is part of the statement: models, models of a candidate's family, positions, and who read nothing."""
    found = pair([2, 1, 0], [2, 1, 1])
    kinds = {
        "first": reader_kind("claude", ["Claude Haiku 5.5", "Gemma 3 4B (local)"]),
        "second": reader_kind("gpt-6", ["Claude Haiku 5.5"]),
        "third": ReaderKind.PERSON,
    }
    told = [(note.id, note.parameters.get("reader")) for note in notes_on(found, readers=kinds)]
    assert (NoteId.MODEL_OF_CANDIDATE_FAMILY, "first") in told
    assert (NoteId.MODEL_READER, "second") in told
    assert (NoteId.READ_NOTHING, "third") in told
    assert NoteId.NOT_PERSONS in ids(notes_on(pair([0, 1], [0, 1], persons=False)))
    three = agreement([{"a": 1, "b": 1, "c": 2}] * 3, SCALE, ordinal=True)
    assert NoteId.MORE_THAN_TWO_READERS in ids(notes_on(three))


@pytest.mark.parametrize(
    ("model", "candidates", "kind"),
    [
        ("", ["Claude Haiku 5.5"], ReaderKind.PERSON),
        ("claude", ["Claude Haiku 5.5"], ReaderKind.MODEL_OF_CANDIDATE_FAMILY),
        ("Gemini 3.1 Pro", ["Gemma 3 4B (local)"], ReaderKind.MODEL_OF_CANDIDATE_FAMILY),
        ("claude", ["Mistral Small"], ReaderKind.MODEL),
        ("claude", [], ReaderKind.MODEL),
        ("homegrown 2", ["Homegrown 1"], ReaderKind.MODEL_OF_CANDIDATE_FAMILY),
        ("42", ["7"], ReaderKind.MODEL),
    ],
)
def test_kinds_of_readers(model, candidates, kind):
    """A family is a maker's: Gemma and Gemini are one, and an unknown model is known by its first word."""
    assert reader_kind(model, candidates) is kind


def test_after_a_discussion_both_counts_stay():
    """24 of 28 before, 26 after: the second is not the agreement of independent readers."""
    before, after = pair([2] * 28, [2] * 24 + [1] * 4), pair([2] * 28, [2] * 26 + [1] * 2)
    (note,) = notes_on_passes(before, after)
    assert note.parameters == {"before": 24, "after": 26, "n": 28}


def test_every_state_has_a_key_and_a_name():
    """Keys to translate and texts of results.json, each one only once."""
    assert len({state.id for state in State}) == len(State)
    assert all(state == "defined" or state.startswith("undefined: ") for state in State)
