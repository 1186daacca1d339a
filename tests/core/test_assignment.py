"""Who grades what."""

from hypothesis import given, strategies as st

from lark_sheets.core.assignment import assign, draw_sample
from lark_sheets.core.campaign import Grader

FR, EN = Grader(name="ana", languages=("fr",)), Grader(name="ben", languages=("en",))
ROWS = [("r1", "S01", "en"), ("r2", "S01", "en"), ("r3", "S02", "fr"), ("r4", "S03", "en")]


def test_a_response_goes_to_a_grader_of_its_language() -> None:
    assert assign(ROWS, [FR, EN]).owner == {"r1": "ben", "r2": "ben", "r3": "ana", "r4": "ben"}


def test_graders_without_a_language_share_the_items_in_turn() -> None:
    given_out = assign(ROWS, [Grader(name="one"), Grader(name="two")]).owner
    assert given_out == {"r1": "one", "r2": "one", "r3": "two", "r4": "one"}


def test_a_language_nobody_reads_goes_to_the_first_grader_and_is_told() -> None:
    done = assign([("r1", "S01", "de"), ("r2", "S02", "mixed")], [FR, EN])
    assert done.owner == {"r1": "ana", "r2": "ana"}
    assert done.unmatched == ("r1", "r2")


def test_shared_responses_are_read_by_every_other_grader() -> None:
    done = assign(ROWS, [FR, EN, Grader(name="eve", languages=("en",))], shared={"r3"})
    assert done.further == {"r3": ("ben", "eve")}


def test_the_sample_is_per_run_and_only_the_seed_decides() -> None:
    runs = {f"run {r}": [f"{r}-{n}" for n in range(24)] for r in range(8)}
    drawn = draw_sample(runs, 4, seed=7, left_out={"run 7"})
    assert len(drawn) == 28
    assert drawn == draw_sample(dict(reversed(runs.items())), 4, seed=7, left_out={"run 7"})
    assert drawn != draw_sample(runs, 4, seed=8, left_out={"run 7"})
    assert not any(name.startswith("7-") for name in drawn)


@given(st.integers(1, 5), st.integers(1, 20), st.integers(1, 8))
def test_every_response_has_exactly_one_owner(graders: int, items: int, runs: int) -> None:
    rows = [(f"{i}-{r}", f"S{i}", "en") for i in range(items) for r in range(runs)]
    done = assign(rows, [Grader(name=str(g)) for g in range(graders)])
    assert set(done.owner) == {row[0] for row in rows}
    for i in range(items):
        assert len({done.owner[f"{i}-{r}"] for r in range(runs)}) == 1
