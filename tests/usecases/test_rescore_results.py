"""What results and report say of revisions: who, why, what changed, by run once the runs have names; two versions never in one table unmarked."""

import json

import pytest

from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.results_json import results_dict
from lark_sheets.usecases.importing import import_table
from lark_sheets.usecases.keys import find_key
from lark_sheets.usecases.recomputing import recompute
from lark_sheets.usecases.revealing import reveal

GEMMA = "Gemma 3 4B (local)"
GEMINI_PRO = "Gemini 3.1 Pro (preview)"


def results(desk, **options):
    (done,) = recompute([desk.book], desk.needs, **options).computed
    return json.loads(json.dumps(results_dict(done.results, desk.needs.translate)))


def test_without_a_revision_there_is_none(small):
    assert results(small)["revisions"] == []


def test_a_revision_is_told_with_its_counts(small):
    small.tolerate_fence()
    small.apply()
    (told,) = results(small)["revisions"]
    assert (told["version"], told["former"], told["author"]) == (2, 1, "Grace")
    assert told["reason"] == "The application strips fences."
    assert told["what"] == "cap of an issue code, format, code fence: 1 → code fence: tolerated"
    assert (told["rescored"], told["grades_changed"], told["decisions_changed"]) == (7, 4, 0)
    assert (told["graded_again"], told["waiting"]) == (0, 0)
    assert told["agreement_before"]["all"] == [2, 3]
    assert told["runs"] == {}


def test_after_the_reveal_by_run(small):
    reveal(small.book, small.needs)
    small.tolerate_fence()
    small.apply()
    (told,) = results(small)["revisions"]
    assert told["runs"][GEMMA] == {"grades_changed": 2, "points": 2, "ready": 0, "score_10": "0.63"}
    assert told["runs"][GEMINI_PRO] == {"grades_changed": 1, "points": 1, "ready": 0, "score_10": "0.31"}
    assert told["runs"]["Claude Haiku 5.5"]["grades_changed"] == 0


def test_what_waits_is_counted_until_it_comes_back(small):
    small.edit_anchor("Another meaning")
    small.apply()
    (told,) = results(small)["revisions"]
    assert (told["graded_again"], told["waiting"], told["grades_changed"]) == (15, 15, 0)


def test_an_undone_revision_is_in_the_log_alone(small):
    small.tolerate_fence()
    small.apply()
    small.rescore(undo=True, author="Grace")
    assert results(small)["revisions"] == []
    assert [e.event for e in small.read().campaign.log][-1] == "rescore_undone"


@pytest.fixture
def one_run_behind(small):
    """Gemma's rows carry the version before: seven runs were revised and one was not."""
    small.tolerate_fence()
    small.apply()
    reveal(small.book, small.needs)
    read = small.read()
    run_of = find_key(read.campaign, small.book, small.needs.files).run_of
    patch = BookPatch()
    for reading in read.campaign.readings:
        if run_of[reading.response] == GEMMA:
            patch.set(read.grades.sheet.name, reading.place.row, read.grades.columns["version"], 1)
    small.needs.books.patch(small.book, patch)
    return small


def test_a_run_on_an_older_version_stands_in_no_table_beside_the_others(one_run_behind):
    found = results(one_run_behind)
    runs = {run["run"]: run for run in found["runs"]}
    assert (runs[GEMMA]["graded"], runs[GEMMA]["points"], runs[GEMMA]["score_10"]) == (0, 0, None)
    assert runs[GEMINI_PRO]["graded"] == 4
    (told,) = [p for p in found["problems"] if p["code"] == "stale_grades"]
    assert told["severity"] == "error"
    assert all(name in told["found"] for name in ("S05-", "S07-", "S09-", "S12-"))
    assert found["coverage"]["stale"] == 4


def test_with_the_mark_it_does(one_run_behind):
    found = results(one_run_behind, allow_mixed=True)
    runs = {run["run"]: run for run in found["runs"]}
    assert runs[GEMMA]["graded"] == 4
    assert found["mixed"] is True


def test_a_graders_copy_from_before_a_revision_is_no_conflict(small, made_small):
    """The file that came back under version 1 holds the old grades; the campaign's reading has taken their place."""
    path = small.root / "graders" / "reader-1.xlsx"
    import_table(
        path,
        made_small.root.with_name("campaign-content") / "grades_reader_1.csv",
        small.needs,
        key=small.root / "key",
    )
    small.tolerate_fence()
    small.apply()
    (done,) = recompute([small.book, path], small.needs).computed
    assert not [p for p in done.results.problems if p.code == "conflicting_copies"]
    assert (
        done.results.overall.points == recompute([small.book], small.needs).computed[0].results.overall.points
    )
