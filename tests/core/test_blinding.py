"""Letters, ids and the key: random for whoever lacks the salt, repeatable with it, and sealed."""

import json
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.blinding import (
    BlindingKey,
    KeyedResponse,
    commitment,
    draw_labels,
    key_from_plain,
    letters,
    random_ids,
)

RUNS = [f"run {n}" for n in range(8)]
ITEMS = {f"S{n:02}": RUNS for n in range(24)}


def test_each_run_stands_at_each_letter_equally_often() -> None:
    """24 items over 8 letters: every run is A three times, B three times ..."""
    counts = Counter((run, letter) for (_, run), letter in draw_labels("salt", ITEMS).items())
    assert set(counts.values()) == {3}


def test_letters_mean_another_run_in_every_item() -> None:
    labels = draw_labels("salt", ITEMS)
    arrangements = {tuple(labels[item, run] for run in RUNS) for item in ITEMS}
    assert len(arrangements) > 20


def test_the_salt_alone_decides() -> None:
    assert draw_labels("salt", ITEMS) == draw_labels("salt", ITEMS)
    assert draw_labels("salt", ITEMS) != draw_labels("other", ITEMS)


def test_over_many_keys_a_letter_tells_nothing_about_its_run() -> None:
    """Chi-square of letter against run over 400 keys of one item: 49 degrees of freedom, 99.9 % quantile 85.4."""
    counts = Counter(
        (run, letter)
        for n in range(400)
        for (_, run), letter in draw_labels(f"salt {n}", {"S01": RUNS}).items()
    )
    expected = 400 / 8
    statistic = sum((counts[run, letter] - expected) ** 2 / expected for run in RUNS for letter in letters(8))
    assert statistic < 85.4


def test_over_many_keys_two_runs_are_neighbours_by_chance_only() -> None:
    """How far the second run stands behind the first, over balanced keys: no step is favoured (7 classes, quantile 22.5)."""
    steps: Counter[int] = Counter()
    for n in range(60):
        labels = draw_labels(f"salt {n}", ITEMS)
        for item in ITEMS:
            steps[(ord(labels[item, RUNS[1]]) - ord(labels[item, RUNS[0]])) % 8] += 1
    expected = 60 * 24 / 7
    assert 0 not in steps
    assert sum((steps[s] - expected) ** 2 / expected for s in range(1, 8)) < 22.5


def test_blocks_deal_the_runs_of_an_item_into_groups_of_letters() -> None:
    labels = draw_labels("salt", ITEMS, block=4)
    for item in ITEMS:
        assert sorted(labels[item, run] for run in RUNS) == ["1A", "1B", "1C", "1D", "2A", "2B", "2C", "2D"]


def test_items_that_not_every_run_answered_use_the_first_letters() -> None:
    labels = draw_labels("salt", {"S01": RUNS[:3], "S02": RUNS})
    assert sorted(labels["S01", run] for run in RUNS[:3]) == ["A", "B", "C"]


@given(st.integers(1, 12), st.integers(1, 30), st.text(max_size=5))
def test_labels_are_always_one_letter_a_run(runs: int, items: int, salt: str) -> None:
    names = [str(n) for n in range(runs)]
    labels = draw_labels(salt, {str(i): names for i in range(items)})
    for i in range(items):
        assert sorted(labels[str(i), run] for run in names) == sorted(letters(runs))


@pytest.mark.parametrize(("count", "last"), [(1, "A"), (26, "Z"), (27, "AA"), (53, "BA")])
def test_letters_go_on_after_z(count: int, last: str) -> None:
    assert letters(count)[-1] == last


def test_ids_are_different_and_say_nothing() -> None:
    ids = random_ids("salt", 2_250)
    assert len(set(ids)) == 2_250
    assert all(name == name.casefold() and len(name) == 9 for name in ids)


def test_the_key_survives_its_file_and_its_seal_changes_with_any_change() -> None:
    response = KeyedResponse(run="run 1", item="S01", label="A", given_id="x-1", fingerprint="0" * 16)
    key = BlindingKey(campaign="c", salt="00", responses={"rb": response, "ra": response})
    text = key.to_json()
    assert key_from_plain(json.loads(text)) == key
    assert list(key_from_plain(json.loads(text)).responses) == ["rb", "ra"]
    assert commitment(text) != commitment(text.replace("run 1", "run 2"))


@pytest.mark.parametrize(
    "plain", [{}, {"schema": "x"}, {"schema": "lark-sheets/key/1", "responses": [], "order": []}]
)
def test_what_is_no_key_is_refused(plain: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r".*"):
        key_from_plain(plain)
