"""Graders' workbooks come back: matched by hidden id, blanks never overwrite, conflicts shown with both values, originals kept."""

from dataclasses import dataclass
from pathlib import Path

import openpyxl
import pytest

from lark_sheets.core.campaign import Grader
from lark_sheets.errors import UsageError
from lark_sheets.usecases.creating import NewCampaign, create
from lark_sheets.usecases.filling import Filled
from lark_sheets.usecases.gathering import gather_books
from lark_sheets.usecases.importing import import_table
from lark_sheets.usecases.loading import load_one
from tests.cases.kit import Bench
from tests.desk import desk, results, told, write_csv

ITEMS = [{"item": f"T{n}", "text": f"message {n}", "language": "fr" if n % 2 else "en"} for n in range(4)]
RESPONSES = [
    {"item": i["item"], "run": run, "response": f"{run} on {i['item']}"}
    for i in ITEMS
    for run in ("one", "two")
]


@dataclass
class Team:
    """A campaign with two graders and a shared sample, on disk."""

    root: Path

    @property
    def campaign(self) -> Path:
        return self.root / "campaign.xlsx"

    def book(self, grader: str) -> Path:
        return self.root / "graders" / f"{grader}.xlsx"

    def fill(
        self, grader: str, levels: tuple[int | None, ...], rows: int | None = None, reason: str = "because"
    ) -> Path:
        """Type the same grades into the first rows of a grader's workbook."""
        path = self.book(grader)
        bench = Bench(path=path, key=path, ids={}, book=openpyxl.load_workbook(path))
        for row in range(bench.header + 1, bench.header + 1 + (rows or 99)):
            if bench.sheet.cell(row, bench.column("id")).value is None:
                break
            for criterion, level in zip(
                ("accuracy", "completeness", "format", "abstention"), levels, strict=True
            ):
                bench.sheet.cell(row, bench.column(criterion)).value = level
            bench.sheet.cell(row, bench.column("reason")).value = reason
        return bench.save()

    def gather(self, *graders: str) -> Filled:
        return gather_books(self.campaign, [self.book(g) for g in graders], desk())


@pytest.fixture
def team(tmp_path: Path) -> Team:
    request = NewCampaign(
        rubric="larkfield",
        items=write_csv(tmp_path / "items.csv", ITEMS),
        responses=write_csv(tmp_path / "responses.csv", RESPONSES),
        out=tmp_path / "c",
        language="en",
        graders=(Grader(name="ana", languages=("fr",)), Grader(name="ben", languages=("en",))),
        shared=1,
        seed=3,
        salt="11" * 32,
    )
    create(request, desk())
    return Team(tmp_path / "c")


def test_each_grader_gets_the_rows_of_their_language_and_the_shared_sample(team: Team) -> None:
    campaign = load_one(team.campaign, desk()).campaign
    assert len(campaign.owners()) == 8
    assert len(campaign.readings) == 10
    ana = load_one(team.book("ana"), desk()).campaign
    assert {r.grader for r in ana.readings} == {"ana"}
    assert [g.name for g in ana.graders] == ["ana"]


def test_what_graders_typed_arrives_and_the_workbook_as_it_was_is_kept(team: Team) -> None:
    before = team.campaign.read_bytes()
    team.fill("ana", (2, 2, 2, 2))
    team.fill("ben", (2, 1, 2, 2))
    done = team.gather("ana", "ben")
    assert (done.written, done.same, done.refused) == (10, 0, 0)
    assert done.backup is not None
    assert done.backup.read_bytes() == before
    found = results(team.campaign)
    assert found["coverage"]["graded"] == 8
    assert found["agreement"]["shared"] == 2


def test_a_second_press_changes_nothing(team: Team) -> None:
    team.fill("ana", (2, 2, 2, 2))
    team.gather("ana")
    before = team.campaign.read_bytes()
    done = team.gather("ana")
    assert (done.written, done.refused) == (0, 0)
    assert team.campaign.read_bytes() == before


def test_a_blank_never_overwrites(team: Team) -> None:
    team.fill("ana", (2, 2, 2, 2))
    team.gather("ana")
    team.fill("ana", (None, None, None, None), reason="")
    team.gather("ana")
    assert results(team.campaign)["coverage"]["graded"] == 4


def test_later_grades_fill_what_was_blank(team: Team) -> None:
    team.fill("ana", (2, None, None, None))
    team.gather("ana")
    assert results(team.campaign)["coverage"]["graded"] == 0
    team.fill("ana", (2, 2, 1, 2))
    assert team.gather("ana").written == 4
    assert results(team.campaign)["coverage"]["graded"] == 4


def test_a_conflict_is_told_with_both_values_and_not_written(team: Team) -> None:
    team.fill("ana", (2, 2, 2, 2))
    team.gather("ana")
    team.fill("ana", (0, 2, 2, 2))
    done = team.gather("ana")
    assert (done.written, done.refused) == (0, 4)
    conflict = next(p for p in done.problems if p.code == "conflicting_copies")
    assert conflict.found.startswith("accuracy: 2 / 0")
    assert results(team.campaign)["overall"]["zeros"]["accuracy"] == 0


def test_the_campaign_beside_a_differing_copy_is_a_conflict_and_neither_counts(team: Team) -> None:
    team.fill("ana", (2, 2, 2, 2))
    team.gather("ana")
    team.fill("ana", (0, 2, 2, 2), rows=1)
    found = results(team.campaign, team.book("ana"))
    assert len(told(found, "conflicting_copies")) == 1


def test_a_workbook_of_another_campaign_is_told_and_does_not_stop_the_others(
    team: Team, tmp_path: Path
) -> None:
    from tests.cases.kit import bench

    other = bench(tmp_path / "other").save()
    team.fill("ana", (2, 2, 2, 2))
    done = gather_books(team.campaign, [other, team.book("ana")], desk())
    assert done.written == 4
    assert [p.code for p in done.problems if p.code == "other_campaign"] == ["other_campaign"]


def test_a_row_that_was_never_handed_out_is_told(team: Team) -> None:
    path = team.fill("ana", (2, 2, 2, 2))
    bench = Bench(path=path, key=path, ids={}, book=openpyxl.load_workbook(path))
    bench.sheet.cell(bench.header + 1, bench.column("id")).value = "rnobody00"
    bench.save()
    done = team.gather("ana")
    assert done.written == 3
    assert {p.code for p in done.problems} >= {"row_identity_broken", "missing_rows"}


def test_only_a_campaign_gathers(team: Team) -> None:
    with pytest.raises(UsageError):
        gather_books(team.book("ana"), [team.book("ben")], desk())


def test_imported_grades_of_an_unknown_grader_become_a_further_reading(team: Team) -> None:
    """The new reader gets rows, a workbook with them, and owns nothing."""
    rows = [
        {
            "grader": "eve",
            "item": "T0",
            "run": run,
            "accuracy": 2,
            "completeness": 2,
            "format": 1,
            "abstention": 2,
            "codes": "fence",
        }
        for run in ("one", "two")
    ]
    table = write_csv(team.root / "eve.csv", rows)
    done = import_table(team.campaign, table, desk())
    assert done.written == 2
    campaign = load_one(team.campaign, desk()).campaign
    mine = [r for r in campaign.readings if r.grader == "eve"]
    assert [(r.owner, r.codes) for r in mine] == [(False, ("fence",))] * 2
    assert team.book("eve").exists()
    again = import_table(team.campaign, table, desk())
    assert (again.written, again.same) == (0, 2)


def test_imported_cells_that_are_no_grades_are_refused_by_row_and_the_rest_counts(team: Team) -> None:
    rows = [
        {
            "grader": "ben",
            "item": "T0",
            "run": "one",
            "accuracy": "3",
            "completeness": 2,
            "format": 2,
            "abstention": 2,
        },
        {
            "grader": "ben",
            "item": "T2",
            "run": "one",
            "accuracy": "2 ",
            "completeness": 2,
            "format": 2,
            "abstention": 2,
        },
    ]
    done = import_table(team.campaign, write_csv(team.root / "g.csv", rows), desk())
    refused = [p for p in done.problems if p.code == "unreadable_grade"]
    assert [(p.file, p.cell, p.found) for p in refused] == [("g.csv", "2", "3")]
    assert done.written == 2
    assert results(team.campaign)["coverage"]["graded"] == 1


def test_a_row_stamped_with_a_version_that_does_not_exist_is_told_and_never_counts_as_newer(
    team: Team,
) -> None:
    """A hidden stamp may be typed over; it must not let a grade pass as one of a later rubric."""
    path = team.fill("ana", (2, 2, 2, 2))
    bench = Bench(path=path, key=path, ids={}, book=openpyxl.load_workbook(path))
    bench.sheet.cell(bench.header + 1, bench.column("version")).value = 2
    bench.save()
    done = team.gather("ana")
    assert [p.code for p in done.problems if p.code == "version_above"] == ["version_above"]
    campaign = load_one(team.campaign, desk()).campaign
    assert {r.version for r in campaign.readings} == {1}


def test_a_workbook_that_is_not_there_is_told_and_gives_the_exit_code_of_a_missing_path(team: Team) -> None:
    team.fill("ana", (2, 2, 2, 2))
    done = gather_books(team.campaign, [team.root / "nowhere.xlsx", team.book("ana")], desk())
    assert (done.failed, done.written) == (2, 4)
