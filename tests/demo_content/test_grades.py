"""The two readers' grades: published margins, caps, reasons."""

import tomllib
from collections import Counter

import pytest

from tests.demo_content.checker import (
    CAPS,
    CRITERIA,
    grades_of,
    is_ready,
    language_by_model,
    language_by_words,
)
from tests.demo_content.content import DEMO, ITEMS, RUNS, items, readings, table

FILES = {"grades_reader_1": 192, "grades_reader_2": 28, "grades_reader_1_first_pass": 25}
FIRST, SECOND, BEFORE = (readings(name) for name in FILES)
CRITERION_ON_SCREEN = {
    "en": ("Accuracy: ", "Completeness: ", "Format: ", "Abstention: "),
    "fr": ("Exactitude\u00a0: ", "Exhaustivité\u00a0: ", "Format\u00a0: ", "Abstention\u00a0: "),
}


@pytest.mark.parametrize(("name", "rows"), FILES.items())
def test_columns_and_rows(name, rows):
    found = table(DEMO / f"{name}.csv")
    assert len(found) == len(readings(name)) == rows
    assert list(found[0]) == ["grader", "item", "run", *CRITERIA, "codes", "reason"]
    assert {row["grader"] for row in found} == {"reader-2" if name.endswith("2") else "reader-1"}


def test_the_caps_are_those_of_the_shipped_rubric():
    rubric = tomllib.loads((DEMO.parent / "rubrics" / "larkfield.toml").read_text(encoding="utf-8"))
    shipped = {code["id"]: {row["criterion"]: row["cap"] for row in code["caps"]} for code in rubric["codes"]}
    assert shipped == CAPS


@pytest.mark.parametrize("name", FILES)
def test_each_grade_is_the_lowest_cap_of_its_codes(name):
    assert not [r for r in readings(name).values() if dict(r.grades) != grades_of(r.codes)]


def test_the_margins_are_the_published_ones():
    def of(run):
        return [FIRST[item, run].grades for item in ITEMS]

    assert [sum(is_ready(g) for g in of(run)) for run in RUNS] == [24, 22, 24, 24, 24, 6, 12, 14]
    assert [sum(sum(g.values()) for g in of(run)) for run in RUNS] == [189, 190, 192, 191, 190, 111, 143, 125]
    zeros = {criterion: [sum(g[criterion] == 0 for g in of(run)) for run in RUNS] for criterion in CRITERIA}
    assert zeros == {
        "accuracy": [0, 0, 0, 0, 0, 6, 4, 6],
        "completeness": [0, 0, 0, 0, 0, 6, 2, 6],
        "format": [0, 0, 0, 0, 0, 2, 1, 4],
        "abstention": [0, 0, 0, 0, 0, 0, 0, 4],
    }


def equal(first):
    by_criterion = [sum(first[cell].grades[c] == SECOND[cell].grades[c] for cell in SECOND) for c in CRITERIA]
    return by_criterion, sum(first[cell].grades == SECOND[cell].grades for cell in SECOND)


def test_the_two_readers_agree_as_published_after_and_before_the_fence_correction():
    assert Counter(run for _, run in SECOND) == dict.fromkeys(RUNS[:-1], 4)
    assert equal(FIRST) == ([26, 27, 26, 28], 24)
    assert equal({**FIRST, **BEFORE}) == ([26, 27, 24, 28], 23)
    assert all(is_ready(FIRST[cell].grades) is is_ready(SECOND[cell].grades) for cell in SECOND)


def test_the_first_pass_differs_by_the_fence_alone():
    """25 rows carry the code; 20 of them had no other format fault and went from 2 to 1."""
    assert set(BEFORE) == {cell for cell, reading in FIRST.items() if "fence" in reading.codes}
    assert all(set(FIRST[cell].codes) - set(before.codes) == {"fence"} for cell, before in BEFORE.items())
    changed = [cell for cell, before in BEFORE.items() if before.grades != FIRST[cell].grades]
    assert len(changed) == 20
    assert all((BEFORE[c].grades["format"], FIRST[c].grades["format"]) == (2, 1) for c in changed)


def test_tolerating_the_fence_changes_twenty_points_and_no_decision():
    after = {cell: grades_of([c for c in reading.codes if c != "fence"]) for cell, reading in FIRST.items()}
    gained = Counter(
        {
            run: sum(sum(after[i, run].values()) - sum(FIRST[i, run].grades.values()) for i in ITEMS)
            for run in RUNS
        }
    )
    assert +gained == {"Gemma 3 4B (local)": 19, "Gemini 3.1 Pro (preview)": 1}
    assert all(is_ready(after[cell]) is is_ready(FIRST[cell].grades) for cell in FIRST)


@pytest.mark.parametrize("name", FILES)
def test_a_reason_stands_for_every_grade_below_the_top_in_the_language_of_the_ticket(name):
    for cell, reading in readings(name).items():
        language = items()[cell[0]].language
        below = [
            label
            for label, c in zip(CRITERION_ON_SCREEN[language], CRITERIA, strict=True)
            if reading.grades[c] < 2
        ]
        if "empty" in reading.codes:
            assert reading.reason, cell
        else:
            assert [label for label in CRITERION_ON_SCREEN[language] if label in reading.reason] == below, (
                cell
            )
        assert bool(reading.reason) is bool(below), cell
        if reading.reason:
            opinions = {language_by_words(reading.reason), language_by_model(reading.reason)}
            assert opinions - {None} <= {language}, (cell, reading.reason)
            assert "\n" not in reading.reason


def test_reasons_are_written_not_stamped():
    """The second reader does not copy the first, and a whole reason is rarely used twice."""
    assert not [
        cell for cell, reading in SECOND.items() if reading.reason and reading.reason == FIRST[cell].reason
    ]
    reasons = [reading.reason for reading in FIRST.values() if reading.reason]
    assert len(set(reasons)) >= len(reasons) - 2


def test_where_each_row_comes_from_is_told():
    rows = table(DEMO / "scores_provenance.csv")
    assert {(row["item"], row["run"]) for row in rows} == set(FIRST)
    assert set(Counter(row["provenance"] for row in rows)) == {
        "seed",
        "seed-partial",
        "seed-implied",
        "synthetic",
    }


def test_grades_are_those_of_the_reference_set(shared):
    scores = table(shared / "data" / "larkfield-synthetic" / "scores.csv")
    for row in scores:
        cell = row["ticket"], row["run"]
        assert {c: int(row[c]) for c in CRITERIA} == FIRST[cell].grades
        assert {c for c in row["issues"].split(";") if c} == set(FIRST[cell].codes)
        assert (row["language"], row["needs_human_key"] == "1") == (
            items()[cell[0]].language,
            items()[cell[0]].needs_human,
        )
    for row in table(shared / "data" / "larkfield-synthetic" / "second_reader.csv"):
        cell = row["ticket"], row["run"]
        assert {c: int(row[f"r2_{c}"]) for c in CRITERIA} == SECOND[cell].grades
        assert {c for c in row["r2_issues"].split(";") if c} == set(SECOND[cell].codes)
        assert int(row["r1_format_first_pass"]) == BEFORE.get(cell, FIRST[cell]).grades["format"]
