"""A reply gives grades or a named reason, never a guess."""

import json

import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.judging.exchange import Reply
from lark_sheets.core.judging.parsing import Opinion, Unscored, read_reply
from lark_sheets.core.judging.reasons import Reason
from tests.core.judging.samples import RUBRICS, reply, rubric, tops

LARK = rubric("larkfield")
VERDICT = rubric("support-verdict")


def read(text, ours=LARK, stop="end_turn", **changes):
    return read_reply(Reply(text=text, stop_reason=stop, served="m", **changes), ours)


@pytest.mark.parametrize("name", RUBRICS)
def test_a_valid_reply_gives_a_level_for_every_criterion(name):
    ours = rubric(name)
    got = read(reply(ours), ours)
    assert isinstance(got, Opinion)
    assert dict(got.grades) == tops(ours)
    assert got.weaknesses == "One point is missing."
    assert got.said == (ours.decide(tops(ours)) if name == "support-verdict" else None)


def broken(change, ours=LARK):
    value = json.loads(reply(ours))
    change(value)
    return json.dumps(value, ensure_ascii=False)


def set_grade(level, criterion="accuracy"):
    return broken(lambda v: v["criteria"][criterion].update(grade=level))


GRADE_FIRST = reply(LARK).replace(
    '{"finding": "as seen", "evidence": "“tomorrow”", "grade": 2}',
    '{"grade": 2, "finding": "", "evidence": ""}',
    1,
)
VERDICT_FIRST = json.dumps({"verdict": "acceptable"} | json.loads(reply(VERDICT)))

FAULTS = [
    pytest.param("Two reasons to give a 1.", Reason.NOT_JSON, id="prose with digits"),
    pytest.param("", Reason.NOT_JSON, id="nothing"),
    pytest.param("```json\n" + reply(LARK) + "\n```", Reason.NOT_JSON, id="fence around"),
    pytest.param("Here: " + reply(LARK), Reason.NOT_JSON, id="text before"),
    pytest.param(reply(LARK) + " Done.", Reason.NOT_JSON, id="text after"),
    pytest.param(reply(LARK)[:60], Reason.NOT_JSON, id="cut, but said to be whole"),
    pytest.param(reply(LARK).replace('"grade": 2', '"grade": NaN', 1), Reason.NOT_JSON, id="NaN"),
    pytest.param(reply(LARK).replace('"grade": 2', '"grade": Infinity', 1), Reason.NOT_JSON, id="infinity"),
    pytest.param("[" * 100_000, Reason.NOT_JSON, id="nested without end"),
    pytest.param(
        reply(LARK).replace('"grade": 2', '"grade": ' + "9" * 5000, 1),
        Reason.NOT_JSON,
        id="a number of 5,000 digits",
    ),
    pytest.param("[]", Reason.SCHEMA, id="a list"),
    pytest.param("2", Reason.SCHEMA, id="a bare number"),
    pytest.param(broken(lambda v: v.update(strengths=3)), Reason.SCHEMA, id="number for text"),
    pytest.param(broken(lambda v: v.update(influence_attempt="no")), Reason.SCHEMA, id="text for yes or no"),
    pytest.param(broken(lambda v: v.update(criteria=[2, 2, 2, 2])), Reason.SCHEMA, id="list for criteria"),
    pytest.param(
        broken(lambda v: v["criteria"].update(format=2)), Reason.SCHEMA, id="bare grade, no reasons"
    ),
    pytest.param(set_grade(3), Reason.RANGE, id="above the top"),
    pytest.param(set_grade(-1), Reason.RANGE, id="below zero"),
    pytest.param(set_grade(42), Reason.RANGE, id="42"),
    pytest.param(set_grade(1.5), Reason.NOT_INTEGER, id="half a level"),
    pytest.param(set_grade(2.0), Reason.NOT_INTEGER, id="2.0"),
    pytest.param(set_grade("2"), Reason.NOT_INTEGER, id="2 as text"),
    pytest.param(set_grade(True), Reason.NOT_INTEGER, id="true"),
    pytest.param(set_grade(None), Reason.NOT_INTEGER, id="null"),
    pytest.param(set_grade([2]), Reason.NOT_INTEGER, id="a list with 2"),
    pytest.param(broken(lambda v: v["criteria"].pop("format")), Reason.MISSING_CRITERION, id="no format"),
    pytest.param(
        broken(lambda v: v["criteria"]["format"].pop("evidence")), Reason.MISSING_FIELD, id="no evidence"
    ),
    pytest.param(broken(lambda v: v["criteria"]["format"].pop("grade")), Reason.MISSING_FIELD, id="no grade"),
    pytest.param(broken(lambda v: v.pop("reasoning")), Reason.MISSING_FIELD, id="no reasoning"),
    pytest.param(broken(lambda v: v.update(total=8)), Reason.UNKNOWN_FIELD, id="a total"),
    pytest.param(
        broken(lambda v: v["criteria"].update(charm={})), Reason.UNKNOWN_FIELD, id="a criterion of its own"
    ),
    pytest.param(
        reply(LARK).replace('"grade": 2', '"grade": 2, "grade": 0', 1),
        Reason.DUPLICATE_FIELD,
        id="two grades",
    ),
    pytest.param(GRADE_FIRST, Reason.ORDER, id="grade before reasons"),
]


@pytest.mark.parametrize(("text", "reason"), FAULTS)
def test_a_reply_of_another_form_is_unscored(text, reason):
    got = read(text)
    assert isinstance(got, Unscored)
    assert got.reason is reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (VERDICT_FIRST, Reason.ORDER),
        (broken(lambda v: v.update(verdict="fine"), VERDICT), Reason.WRONG_LABEL),
        (broken(lambda v: v.update(verdict=["acceptable"]), VERDICT), Reason.WRONG_LABEL),
        (broken(lambda v: v.update(verdict=None), VERDICT), Reason.WRONG_LABEL),
        (broken(lambda v: v.pop("verdict"), VERDICT), Reason.MISSING_FIELD),
    ],
)
def test_a_verdict_comes_last_and_is_one_of_the_outcomes(text, reason):
    assert read(text, VERDICT).reason is reason


@pytest.mark.parametrize("label", ["refus", "Full_refusal", 1, None, ["full_refusal"], {"a": 1}])
def test_a_label_is_one_of_the_rubrics(label):
    ours = rubric("refusals")
    text = broken(lambda v: v["criteria"]["category"].update(grade=label), ours)
    assert read(text, ours).reason is Reason.WRONG_LABEL


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        ("max_tokens", Reason.TRUNCATED),
        ("refusal", Reason.REFUSAL),
        ("model_context_window_exceeded", Reason.CONTEXT),
        ("pause_turn", Reason.OTHER_STOP),
        ("tool_use", Reason.OTHER_STOP),
        ("stop_sequence", Reason.OTHER_STOP),
        ("something_new", Reason.OTHER_STOP),
        ("", Reason.OTHER_STOP),
    ],
)
@pytest.mark.parametrize("text", [reply(LARK), reply(LARK)[:30], ""])
def test_a_reply_that_did_not_end_by_itself_is_never_read(stop, reason, text):
    """Even valid JSON may have been cut or broken off: the last field may be short."""
    assert read(text, stop=stop).reason is reason


def test_blanks_around_the_object_are_no_text():
    assert isinstance(read("\n " + reply(LARK) + "\n"), Opinion)


def test_half_characters_in_a_reply_become_the_replacement_sign():
    """Words go into cells and files later, which hold no lone surrogates."""
    got = read(reply(LARK, strengths="x").replace('"x"', '"\\ud800 ok"'))
    assert got.strengths == "\ufffd ok"


def test_a_stated_verdict_is_kept_beside_the_computed_one():
    got = read(reply(VERDICT, {"promise": 0}, verdict="acceptable"), VERDICT)
    assert (got.said, VERDICT.decide(got.grades)) == ("acceptable", "unacceptable")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text() | st.sampled_from(["criteria", "grade"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(st.text() | json_values.map(json.dumps))
def test_whatever_comes_nothing_is_invented(text):
    """Property: no text raises, and none but a whole valid reply gives grades."""
    assert isinstance(read(text), Unscored)


@given(json_values, st.sampled_from(["accuracy", "format"]))
def test_whatever_stands_in_a_grade_only_a_level_is_taken(value, criterion):
    """Property: a grade is taken as it stands or not at all."""
    got = read(set_grade(value, criterion))
    if isinstance(got, Opinion):
        assert type(value) is int
        assert got.grades[criterion] == value
        assert value in (0, 1, 2)
    else:
        assert not (type(value) is int and value in (0, 1, 2))


def test_case_21_odd_outputs(shared):
    """Fourteen recorded replies of a judge, in this product's form: one is scored, none of the others gives a number.

    The case lets a product take a fence or demand bare JSON; this one demands bare JSON, so the fenced reply is not_json.
    """
    names = {"out_of_range": Reason.RANGE, "missing_field": Reason.MISSING_CRITERION}
    cases = json.loads((shared / "cases" / "21-judge-odd-outputs" / "replies.json").read_text("utf-8"))
    outcomes = []
    for case in cases:
        got = read(ours_from(case["text"]), stop=case["stop_reason"])
        outcomes.append(got)
        if case["n"] in (1, 2):
            continue
        wanted = names.get(case["outcome"]) or Reason(case["outcome"])
        assert got.reason is wanted, case
    assert [n for n, got in enumerate(outcomes, 1) if isinstance(got, Opinion)] == [1]
    assert sum(outcomes[0].grades.values()) == 7  # accuracy 2 + completeness 1 + format 2 + abstention 2
    assert outcomes[1].reason is Reason.NOT_JSON


def ours_from(text):
    """The case's flat reply with the product's own field names; text that is no such object stays as it is."""
    bare = text.removeprefix("```json\n").removesuffix("\n```")
    try:
        pairs = json.loads(bare, object_pairs_hook=list)
    except ValueError:
        return text
    inner = []
    outer = []
    for name, value in pairs:
        if name == "reason":
            continue
        one = f'"{name}": {{"finding": "", "evidence": "", "grade": {json.dumps(value)}}}'
        (inner if name in tops(LARK) else outer).append(
            one if name in tops(LARK) else f'"{name}": {json.dumps(value)}'
        )
    ours = (
        '{"strengths": "", "weaknesses": "", "criteria": {'
        + ", ".join(inner)
        + '}, "influence_attempt": false, "reasoning": "r"'
        + "".join(", " + part for part in outer)
        + "}"
    )
    return text.replace(bare, ours)
