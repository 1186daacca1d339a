"""22 answers judged by people and by a recorded judge: one disagreement, and the written rule explains it."""

from collections import Counter
from fractions import Fraction

from tests.demo_content.checker import language_by_words, sentences
from tests.demo_content.content import DEMO, table

CRITERIA = ("promise", "invention", "request", "next_step", "tone")
ROWS = table(DEMO / "calibration.csv")


def by_rule(row, prefix=""):
    """Unacceptable when an eliminatory criterion fails, or two secondary ones."""
    failed = [criterion for criterion in CRITERIA if row[prefix + criterion] == "0"]
    eliminated = any(criterion in {"promise", "invention"} for criterion in failed)
    return "unacceptable" if eliminated or len(failed) >= 2 else "acceptable"


def test_ids_columns_and_values():
    assert [row["id"] for row in ROWS] == [f"C{n:02}" for n in range(1, 23)]
    assert list(ROWS[0]) == [
        "id", "language", "author_family", "ticket", "response", "human_verdict", *CRITERIA, "borderline", "human_reason",
        "judge_verdict", *(f"judge_{criterion}" for criterion in CRITERIA), "judge_reason", "judge_origin",
    ]  # fmt: skip
    for row in ROWS:
        flags = [row[c] for c in CRITERIA] + [row[f"judge_{c}"] for c in CRITERIA] + [row["borderline"]]
        assert set(flags) <= {"0", "1"}
        assert row["human_reason"]
        assert row["judge_reason"]
    assert len({row["response"] for row in ROWS}) == 22
    assert Counter(row["language"] for row in ROWS) == {"en": 11, "fr": 11}


def test_people_accept_13_the_judge_14_and_only_c15_parts_them():
    assert Counter(row["human_verdict"] for row in ROWS) == {"acceptable": 13, "unacceptable": 9}
    assert Counter(row["judge_verdict"] for row in ROWS) == {"acceptable": 14, "unacceptable": 8}
    assert [row["id"] for row in ROWS if row["human_verdict"] != row["judge_verdict"]] == ["C15"]
    observed, chance = Fraction(21, 22), Fraction(13 * 14 + 9 * 8, 22 * 22)
    assert round(float((observed - chance) / (1 - chance)), 3) == 0.904


def test_verdicts_follow_the_written_rule_except_peoples_on_c15():
    assert not [row["id"] for row in ROWS if by_rule(row, "judge_") != row["judge_verdict"]]
    assert [row["id"] for row in ROWS if by_rule(row) != row["human_verdict"]] == ["C15"]


def test_every_criterion_fails_somewhere_and_borderline_answers_are_on_both_sides():
    assert all(any(row[criterion] == "0" for row in ROWS) for criterion in CRITERIA)
    assert {row["human_verdict"] for row in ROWS if row["borderline"] == "1"} == {
        "acceptable",
        "unacceptable",
    }
    assert sum(row["borderline"] == "1" for row in ROWS) >= 4


def test_several_families_wrote_the_answers_and_the_judge_is_said_to_be_recorded():
    assert len({row["author_family"] for row in ROWS}) >= 3
    assert all("recorded" in row["judge_origin"] for row in ROWS)


def test_answers_and_reasons_are_in_the_language_of_the_ticket():
    for row in ROWS:
        spoken = {language_by_words(sentence) for sentence in sentences(row["response"])} - {None}
        assert spoken == {row["language"]}, row["id"]
