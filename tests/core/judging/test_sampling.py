"""A stratified sample: in proportion, the same for the same seed, whatever the order of rows."""

from collections import Counter

from hypothesis import given, strategies as st

from lark_sheets.core.judging.sampling import stratified, stratum_of
from tests.core.judging.samples import subject


def draw(things, size, seed=1):
    return stratified(things, size, seed=seed, stratum=stratum_of, name=lambda i: i.id)


def made(counts):
    return [subject(f"{lang}{n}-A", language=lang) for lang, count in counts.items() for n in range(count)]


def test_strata_have_their_share():
    got = draw(made({"en": 60, "fr": 30, "de": 10}), 10)
    assert Counter(i.language for i in got) == {"en": 6, "fr": 3, "de": 1}


def test_a_sample_as_large_as_the_whole_is_the_whole():
    things = made({"en": 3, "fr": 2})
    assert draw(things, 5) == draw(things, 99) == things


def test_another_seed_is_another_sample():
    things = made({"en": 40})
    assert draw(things, 10, seed=1) != draw(things, 10, seed=2)


@given(
    st.dictionaries(st.sampled_from(["en", "fr", "de", "es"]), st.integers(1, 12), min_size=1),
    st.integers(0, 30),
    st.randoms(),
)
def test_property_size_order_and_proportion(counts, size, random):
    """Exactly the size asked, each stratum within one of its share, and the order of rows does not matter."""
    things = made(counts)
    got = draw(things, size)
    assert len(got) == min(size, len(things))
    for language, count in counts.items():
        share = min(size, len(things)) * count / len(things)
        assert abs(sum(i.language == language for i in got) - share) < 1
    shuffled = things[:]
    random.shuffle(shuffled)
    assert {i.id for i in draw(shuffled, size)} == {i.id for i in got}
