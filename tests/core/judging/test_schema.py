"""The form of a reply: reasons before grades, the verdict last, levels as an enumeration, no place for a total."""

import json

import pytest

from lark_sheets.core.judging.schema import asked, asks_verdict, output_schema
from lark_sheets.core.rubric import to_plain
from lark_sheets.core.rubric_reading import from_plain
from tests.core.judging.samples import RUBRICS, rubric


def objects(node):
    """Every object schema of a schema."""
    if isinstance(node, dict):
        if node.get("type") == "object":
            yield node
        for value in node.values():
            yield from objects(value)


@pytest.mark.parametrize("name", RUBRICS)
def test_reasons_stand_before_grades_and_the_verdict_last(name):
    schema = output_schema(rubric(name))
    fields = list(schema["properties"])
    assert fields[:5] == ["strengths", "weaknesses", "criteria", "influence_attempt", "reasoning"]
    assert fields[5:] == (["verdict"] if name == "support-verdict" else [])
    for criterion in rubric(name).criteria:
        one = schema["properties"]["criteria"]["properties"][criterion.id]
        assert list(one["properties"]) == ["finding", "evidence", "grade"]
        assert one["properties"]["grade"] == {"enum": list(criterion.levels)}


@pytest.mark.parametrize("name", RUBRICS)
def test_every_object_is_closed_and_complete(name):
    """No field may be added or left out at any depth, and nothing in the schema can hold a total."""
    schema = output_schema(rubric(name))
    seen = list(objects(schema))
    assert len(seen) == 2 + len(rubric(name).criteria)
    for node in seen:
        assert node["additionalProperties"] is False
        assert node["required"] == list(node["properties"])
    words = json.dumps(schema)
    assert not any(word in words for word in ("total", "minimum", "maximum", "score"))


def changed(name, **judged_by):
    plain = to_plain(rubric(name))
    for criterion in plain["criteria"]:
        criterion["judged_by"] = judged_by.get(criterion["id"], criterion["judged_by"])
    return from_plain(plain)


def test_what_code_or_a_person_decides_is_not_asked():
    ours = changed("larkfield", format="code", abstention="human")
    assert [c.id for c in asked(ours)] == ["accuracy", "completeness"]
    assert list(output_schema(ours)["properties"]["criteria"]["properties"]) == ["accuracy", "completeness"]


def test_a_judge_that_does_not_see_every_criterion_states_no_verdict():
    assert asks_verdict(rubric("support-verdict"))
    assert not asks_verdict(changed("support-verdict", tone="human"))


def test_another_order_of_criteria_is_another_schema():
    """The probe for order asks the same criteria, the named ones first."""
    ours = rubric("larkfield")
    turned = output_schema(ours, ("abstention", "format"))
    assert list(turned["properties"]["criteria"]["properties"]) == [
        "abstention",
        "format",
        "accuracy",
        "completeness",
    ]
    assert json.dumps(turned) != json.dumps(output_schema(ours))
