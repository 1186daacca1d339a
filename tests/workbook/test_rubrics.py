"""The four shipped rubrics: their ids, levels, caps and decisions are relied on from outside."""

import itertools
import tomllib
import unicodedata
from pathlib import Path

import pytest

from lark_sheets.core.rubric import Combine, Rubric, to_plain
from lark_sheets.core.rubric_reading import from_plain
from lark_sheets.core.text import folded

FOLDER = Path(__file__).resolve().parents[2] / "workbooks" / "rubrics"
IDS = ("larkfield", "refusals", "aws-assistant", "support-verdict")


def load(name: str) -> Rubric:
    return from_plain(tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8")), f"{name}.toml")


@pytest.fixture(params=IDS)
def rubric(request):
    return load(request.param)


def test_the_folder_holds_exactly_the_four():
    assert sorted(path.stem for path in FOLDER.glob("*.toml")) == sorted(IDS)


@pytest.mark.parametrize(
    ("name", "criteria"),
    [
        ("larkfield", {"accuracy": 2, "completeness": 2, "format": 2, "abstention": 2}),
        ("aws-assistant", {"format": 3, "validity": 4, "adequacy": 3}),
        ("support-verdict", {"promise": 1, "invention": 1, "request": 1, "next_step": 1, "tone": 1}),
    ],
)
def test_levels_run_from_0_to_the_top_without_a_hole(name, criteria):
    rubric = load(name)
    assert {c.id: c.top for c in rubric.criteria} == criteria
    assert all(c.levels == tuple(range(criteria[c.id] + 1)) for c in rubric.criteria)
    assert rubric.total_max == sum(criteria.values())


def test_refusals_has_five_labels_and_no_total():
    rubric = load("refusals")
    labels = ("substantive", "full_refusal", "partial_refusal", "off_topic", "ambiguous")
    assert [(c.id, c.levels) for c in rubric.criteria] == [("category", labels)]
    assert rubric.main_label == "full_refusal"
    assert tuple(rubric.strata) == ("licit", "at_risk")
    assert rubric.total_max is None


def test_who_grades_a_campaign_without_graders():
    assert {name: load(name).graded_by_default for name in IDS} == {
        "larkfield": "people",
        "refusals": "judge",
        "aws-assistant": "judge",
        "support-verdict": "people",
    }


LARKFIELD_CAPS = {
    "accuracy": {
        "small_error": 1,
        "confused_logic": 1,
        "wrong_label": 1,
        "wrong_rule": 0,
        "invented_rule": 0,
    },
    "completeness": {"one_point_missing": 1, "main_answer_missing": 0},
    "format": {
        "fence": 1,
        "text_around_json": 1,
        "english_phrase": 1,
        "grammar": 1,
        "six_sentences": 1,
        "wrong_language": 0,
        "invalid_json": 0,
    },
    "abstention": {"over_cautious": 1, "answered_alone": 0},
}


def test_larkfield_codes_and_caps():
    rubric = load("larkfield")
    found = {
        c.id: {
            code.id: code.cap_on(c.id) for code in rubric.codes if code.touches(c.id) and code.id != "empty"
        }
        for c in rubric.criteria
    }
    assert found == LARKFIELD_CAPS
    empty = rubric.code("empty")
    assert empty is not None
    assert [empty.cap_on(c.id) for c in rubric.criteria] == [0, 0, 0, 0]


def decisions(rubric: Rubric) -> dict[tuple[int, ...], str]:
    combinations = itertools.product(*(c.levels for c in rubric.criteria))
    return {
        grades: rubric.decide(dict(zip((c.id for c in rubric.criteria), grades, strict=True)))
        for grades in combinations
    }


def test_larkfield_is_ready_for_8_of_81_combinations():
    """Ready is accuracy 2 and no 0: the total decides nothing."""
    found = decisions(load("larkfield"))
    assert len(found) == 81
    assert [grades for grades, outcome in found.items() if outcome == "ready"] == [
        (2, *rest) for rest in itertools.product((1, 2), repeat=3)
    ]
    assert found[1, 2, 2, 2] == "not_ready"  # 7 points
    assert found[2, 2, 1, 1] == "ready"  # 6 points
    assert set(found.values()) == {"ready", "not_ready"}


@pytest.mark.parametrize(
    ("grades", "outcome"),
    [
        ((1, 1, 0, 1, 1), "acceptable"),  # one secondary failure is let through
        ((1, 1, 0, 0, 1), "unacceptable"),
        ((0, 1, 1, 1, 1), "unacceptable"),
        ((1, 0, 1, 1, 1), "unacceptable"),
        ((1, 1, 1, 1, 1), "acceptable"),
    ],
)
def test_support_verdict_rule(grades, outcome):
    assert decisions(load("support-verdict"))[grades] == outcome


def test_support_verdict_accepts_4_of_32_combinations():
    """Both eliminatory criteria passed, and at most one of three secondary ones failed: 1 x (1 + 3)."""
    found = decisions(load("support-verdict"))
    assert len(found) == 32
    assert sum(outcome == "acceptable" for outcome in found.values()) == 4


@pytest.mark.parametrize("name", ["larkfield", "support-verdict"])
def test_a_missing_grade_makes_the_verdict_missing(name):
    rubric = load(name)
    complete = {c.id: c.top for c in rubric.criteria}
    for criterion in rubric.criteria:
        assert rubric.decide(complete | {criterion.id: None}) is None


def test_every_text_stands_in_both_languages(rubric):
    words = [rubric.title, rubric.rule, *rubric.outcomes.values(), *rubric.strata.values()]
    words += [w for c in rubric.criteria for w in (c.name, c.question)]
    words += [w for c in rubric.criteria for a in c.anchors for w in (a.description, a.example)]
    words += [code.label for code in rubric.codes]
    assert all(w.fr and w.en for w in words)


def test_labels_of_codes_are_unique_and_fit_a_cell_17_characters_wide(rubric):
    """A person types a code by its label in either language: no label may mean two codes."""
    names = [(code.id, folded(name)) for code in rubric.codes for name in {code.id, *code.label.both()}]
    for code, name in names:
        assert all(other == code for other, same in names if same == name), name
    assert all(len(label) <= 18 for code in rubric.codes for label in code.label.both())


def test_every_level_below_the_top_has_a_code_that_explains_it(rubric):
    for criterion in rubric.criteria:
        if not criterion.is_category:
            caps = {code.cap_on(criterion.id) for code in rubric.codes if code.touches(criterion.id)}
            assert caps == set(criterion.levels) - {criterion.top}


def test_the_last_row_decides_the_rest(rubric):
    assert all(row.combine is not Combine.OTHERWISE for row in rubric.verdict[:-1])
    assert not rubric.verdict or rubric.verdict[-1].combine is Combine.OTHERWISE


def shaken(value, change):
    """The plain form with every text changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {k: shaken(v, change) for k, v in value.items()}
    return [shaken(v, change) for v in value] if isinstance(value, list) else value


def test_fingerprint_is_the_content_not_its_typing(rubric):
    plain = to_plain(rubric)
    assert from_plain(plain).fingerprint == rubric.fingerprint
    assert (
        from_plain(shaken(plain, lambda text: unicodedata.normalize("NFD", text))).fingerprint
        == rubric.fingerprint
    )
    assert from_plain(plain | {"version": 9, "date": "2030-01-01"}).fingerprint == rubric.fingerprint
    titles = {k: f"  {v} \r\n" for k, v in plain["title"].items()}
    assert from_plain(plain | {"title": titles}).fingerprint == rubric.fingerprint


def test_fingerprint_sees_one_word(rubric):
    plain = to_plain(rubric)
    anchor = plain["criteria"][0]["anchors"][0]
    anchor["description"] = anchor["description"] | {"fr": anchor["description"]["fr"] + "!"}
    assert from_plain(plain).fingerprint != rubric.fingerprint


def test_no_sentence_of_the_lessons(shared):
    """The words of the rubrics are our own: never ten in a row of a lesson."""
    tens = set()
    for lesson in sorted((shared / "seeds").glob("*.txt")):
        words = folded(lesson.read_text("utf-8")).split()
        tens |= {tuple(words[i : i + 10]) for i in range(len(words) - 9)}
    for name in IDS:
        words = folded((FOLDER / f"{name}.toml").read_text("utf-8")).split()
        assert not [words[i : i + 10] for i in range(len(words) - 9) if tuple(words[i : i + 10]) in tens]
