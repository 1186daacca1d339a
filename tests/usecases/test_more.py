"""Graders and responses that join later: what is graded is untouched, old seals stay valid, letters tell nothing new."""

from pathlib import Path

import pytest

from lark_sheets.core.campaign import Grader
from lark_sheets.errors import DataError, UsageError
from lark_sheets.usecases.adding import Added, MoreRequest, add_more
from lark_sheets.usecases.gathering import gather_books
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.revealing import reveal
from tests.cases.kit import Bench, bench
from tests.desk import desk, results, write_csv
from tests.factories import BASE


@pytest.fixture
def graded(tmp_path: Path) -> Bench:
    """Return a campaign of two tickets and four runs, all graded."""
    made = bench(tmp_path)
    made.save()
    return made


def _new_runs(folder: Path, *runs: str) -> Path:
    rows = [
        {"item": i, "run": run, "response": f"another answer to {i}, number {runs.index(run)}"}
        for i in ("K01", "K02")
        for run in runs
    ]
    return write_csv(folder / "later.csv", rows)


def _add(book: Bench, folder: Path, *runs: str, **more: int) -> Added:
    from dataclasses import replace

    needs = replace(desk(), new_salt=lambda: "22" * 32)
    return add_more(MoreRequest(campaign=book.path, responses=_new_runs(folder, *runs), **more), needs)  # type: ignore[arg-type]


def test_what_was_graded_is_untouched(graded: Bench, tmp_path: Path) -> None:
    before = {r.key: r for r in load_one(graded.path, desk()).campaign.readings}
    added = _add(graded, tmp_path, "run E", "run F")
    campaign = load_one(graded.path, desk()).campaign
    after = {r.key: r for r in campaign.readings}
    assert added.readings == 4
    assert {k: dict(after[k].grades) for k in before} == {k: dict(r.grades) for k, r in before.items()}
    assert results(graded.path)["coverage"] == {"expected": 12, "graded": 8, "incomplete": 4, "stale": 0}


def test_new_letters_follow_the_old_ones_and_a_second_key_is_sealed(graded: Bench, tmp_path: Path) -> None:
    added = _add(graded, tmp_path, "run E", "run F")
    campaign = load_one(graded.path, desk()).campaign
    for item in ("K01", "K02"):
        assert sorted(r.label for r in campaign.responses if r.item == item) == list("ABCDEF")
    assert added.key is not None
    assert len(campaign.commitments) == 2
    assert "run E" not in added.workbooks[0].read_bytes().decode("latin-1")


def test_the_grader_gets_a_workbook_of_the_new_rows_and_everything_can_be_revealed(
    graded: Bench, tmp_path: Path
) -> None:
    import openpyxl

    added = _add(graded, tmp_path, "run E", "run F")
    book = Bench(
        path=added.workbooks[0], key=graded.key, ids={}, book=openpyxl.load_workbook(added.workbooks[0])
    )
    for row in range(book.header + 1, book.header + 5):
        for criterion in ("accuracy", "completeness", "format", "abstention"):
            book.sheet.cell(row, book.column(criterion)).value = 2
    assert gather_books(graded.path, [book.save()], desk()).written == 4
    reveal(graded.path, desk())
    runs = {run["run"]: run["points"] for run in results(graded.path)["runs"]}
    assert runs == {"run A": 13, "run B": 13, "run C": 15, "run D": 8, "run E": 16, "run F": 16}


def test_one_new_run_alone_is_told_to_be_no_longer_blind_unless_rereads_are_mixed_in(
    graded: Bench, tmp_path: Path
) -> None:
    alone = _add(graded, tmp_path, "run E")
    assert [p.code for p in alone.problems] == ["one_new_run"]


def test_rereads_are_second_readings_that_change_no_result(graded: Bench, tmp_path: Path) -> None:
    mixed = _add(graded, tmp_path, "run E", repeat=3)
    assert not mixed.problems
    campaign = load_one(graded.path, desk()).campaign
    again = [r for r in campaign.readings if r.number == 2]
    assert len(again) == 3
    assert not any(r.owner for r in again)
    assert results(graded.path)["overall"]["points"] == sum(map(sum, BASE.values()))


def test_a_grader_who_joins_reads_a_sample_and_owns_nothing(graded: Bench) -> None:
    request = MoreRequest(campaign=graded.path, graders=(Grader(name="eve"),), shared=1, seed=5)
    added = add_more(request, desk())
    campaign = load_one(graded.path, desk()).campaign
    mine = [r for r in campaign.readings if r.grader == "eve"]
    assert (added.key, len(mine), any(r.owner for r in mine)) == (None, 4, False)
    assert [g.name for g in campaign.graders] == ["g1", "eve"]
    assert results(graded.path)["overall"]["points"] == 49


def test_responses_that_the_campaign_has_are_refused(graded: Bench, tmp_path: Path) -> None:
    before = graded.path.read_bytes()
    with pytest.raises(DataError):
        _add(graded, tmp_path, "run A")
    assert graded.path.read_bytes() == before


def test_nothing_to_add_is_wrong_usage(graded: Bench) -> None:
    with pytest.raises(UsageError):
        add_more(MoreRequest(campaign=graded.path), desk())


def test_after_the_reveal_nothing_joins(graded: Bench, tmp_path: Path) -> None:
    reveal(graded.path, desk())
    with pytest.raises(DataError) as caught:
        _add(graded, tmp_path, "run E", "run F")
    assert caught.value.problems[0].code == "already_revealed"
