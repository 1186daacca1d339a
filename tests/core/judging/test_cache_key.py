"""A judgement is asked again exactly when something that may change it has changed."""

import dataclasses

import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.judging import prompting
from lark_sheets.core.judging.cache_key import cache_key, keys_of
from lark_sheets.core.judging.prompting import prompt_for
from lark_sheets.core.rubric import to_plain
from lark_sheets.core.rubric_reading import from_plain
from tests.core.judging.samples import config, rubric, subject


def edited(change):
    plain = to_plain(rubric())
    change(plain)
    return from_plain(plain)


def key(ours=None, settings=None, one=None, repeat=0):
    return cache_key(prompt_for(ours or rubric(), settings or config()), one or subject(), repeat)


def one_word(plain):
    plain["criteria"][0]["anchors"][0]["description"]["en"] += " indeed"


def third_level(plain):
    plain["criteria"][3]["anchors"].append(
        {"level": 3, "description": {"en": "beyond"}, "example": {"en": "more"}, "name": {}}
    )


SAME = {
    "nothing changed": {},
    "version and date of the rubric": {"ours": edited(lambda p: p.update(version=9, date="2030-01-01"))},
    "letter renamed": {"one": subject(label="B")},
    "id and row": {"one": subject(id="other", item="K99")},
    "line ends": {"one": subject(response="It leaves tomorrow. (K01-A)\r\n")},
    "timeout": {"settings": config(timeout=5.0)},
    "number of repeats": {"settings": config(repeats=5)},
    "strata": {"one": subject(type="x", difficulty="y", stratum="z")},
}
OTHER = {
    "one word of an anchor": {"ours": edited(one_word)},
    "number of levels": {"ours": edited(third_level)},
    "one character of the response": {"one": subject(response="It leaves tomorrow! (K01-A)")},
    "the ticket": {"one": subject(ticket="Where is my bench?")},
    "the reference": {"one": subject(reference="Lost.")},
    "the language of the reply": {"one": subject(language="fr")},
    "a fact found by code": {"one": subject(facts={"fence": "yes"})},
    "a field of the response": {"one": subject(fields={"needs_human": "true"})},
    "the model": {"settings": config(model="judge-model-2")},
    "the provider": {"settings": config(provider="vertex")},
    "the effort": {"settings": config(effort="low")},
    "the limit of tokens": {"settings": config(max_tokens=8192)},
    "the policy": {"settings": config(policy="Be strict.")},
    "the order of criteria": {"settings": config(order=("format",))},
    "the repeat": {"repeat": 1},
}


@pytest.mark.parametrize("change", SAME)
def test_what_cannot_change_a_judgement_is_not_in_its_key(change):
    assert key(**SAME[change]) == key()


@pytest.mark.parametrize("change", OTHER)
def test_what_may_change_a_judgement_is_in_its_key(change):
    assert key(**OTHER[change]) != key()


def test_the_words_of_the_prompt_are_in_the_key(monkeypatch):
    before = key()
    monkeypatch.setattr(prompting, "REMINDER", prompting.REMINDER + " Please.")
    assert key() != before


def test_a_key_is_a_custom_id_of_the_batch_api():
    """64 characters of [0-9a-f]: exactly the longest id that a batch accepts."""
    assert len(key()) == 64
    assert set(key()) <= set("0123456789abcdef")


def test_the_nonce_differs_per_call_and_is_in_no_key():
    prompt = prompt_for(rubric(), config())
    assert prompt.request(subject(), nonce="a") != prompt.request(subject(), nonce="b")


def test_responses_alike_in_every_respect_share_one_call():
    keys = keys_of(prompt_for(rubric(), config(repeats=2)), [subject(), subject(id="twin", label="Z")])
    assert len(keys) == 4
    assert len(set(keys.values())) == 2


@given(st.text(min_size=1), st.text(min_size=1))
def test_texts_with_other_canonical_forms_have_other_keys(first, second):
    one, two = subject(response=first), subject(response=second)
    prompt = prompt_for(rubric("refusals"), config())
    same = one.data() == two.data()
    assert (cache_key(prompt, one, 0) == cache_key(prompt, two, 0)) is same


def test_moving_text_between_ticket_and_response_changes_the_key():
    assert key(one=subject(ticket="ab", response="c")) != key(one=subject(ticket="a", response="bc"))


def test_conditions_say_what_a_calibration_depends_on():
    before = prompt_for(rubric(), config()).conditions
    after = prompt_for(edited(one_word), config(model="m2")).conditions
    assert after.changed_from(before) == ("rubric", "prompt", "model")
    assert dataclasses.replace(before, served=("m",)).changed_from(before) == ()
    assert dataclasses.replace(before, served=("m2",)).changed_from(
        dataclasses.replace(before, served=("m",))
    ) == ("served",)
