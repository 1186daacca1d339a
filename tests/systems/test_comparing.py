"""Before and after on the same items: paired, per criterion, adjusted together, with every item that moved and which way."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.run_comparison import DECISION, TOTAL, Direction, adjust, compare_pair
from tests.conftest import ROOT
from tests.factories import grades, shipped
from tests.systems.conftest import json_of, run

LARKFIELD = shipped("larkfield")
LEVELS = st.tuples(*[st.sampled_from([0, 1, 2])] * 4)


def side(rows):
    return {item: grades(*levels) for item, levels in rows.items()}


def change(found, measure):
    return next(c for c in found.changes if c.measure == measure)


def test_what_moved_and_which_way():
    before = {"a": (2, 2, 2, 2), "b": (2, 2, 1, 2), "c": (2, 1, 2, 2), "d": (0, 0, 1, 1), "e": (2, 2, 2, 1)}
    after = {"a": (0, 2, 2, 2), "b": (2, 2, 2, 2), "c": (2, 2, 1, 2), "d": (2, 2, 1, 1), "e": (2, 2, 2, 1)}
    [found] = adjust([compare_pair(LARKFIELD, side(before), side(after))])
    assert [(m.item, m.direction, m.points) for m in found.moved] == [
        ("a", Direction.DOWN, -2),
        ("d", Direction.UP, 4),
        ("c", Direction.BOTH, 0),
        ("b", Direction.UP, 1),
    ]
    assert found.moved[0].levels == {"accuracy": (2, 0)}
    assert found.moved[0].decision == ("ready", "not_ready")
    accuracy = change(found, "accuracy")
    assert (accuracy.n, accuracy.up, accuracy.down, accuracy.difference) == (5, 1, 1, 0)
    total = change(found, TOTAL)
    assert (total.up, total.down, total.difference) == (2, 1, Fraction(3, 5))
    ready = change(found, DECISION)
    assert (ready.up, ready.down, ready.difference) == (1, 1, 0)


@given(st.lists(st.tuples(LEVELS, LEVELS), min_size=1, max_size=12))
def test_the_other_way_round_is_the_same_with_its_sign_turned(pairs):
    before = side({f"i{n}": one for n, (one, _) in enumerate(pairs)})
    after = side({f"i{n}": two for n, (_, two) in enumerate(pairs)})
    there, back = (
        adjust([compare_pair(LARKFIELD, before, after)]),
        adjust([compare_pair(LARKFIELD, after, before)]),
    )
    for one, two in zip(there[0].changes, back[0].changes, strict=True):
        assert (one.up, one.down, one.p, one.adjusted) == (two.down, two.up, two.p, two.adjusted)
        assert one.difference == -two.difference
    assert {m.item for m in there[0].moved} == {f"i{n}" for n, (one, two) in enumerate(pairs) if one != two}


def test_p_values_equal_scipy_and_statsmodels():
    """Permutation of signs, exact McNemar, Holm over all measures of both pairs."""
    from scipy.stats import permutation_test
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.multitest import multipletests

    generator = np.random.default_rng(7)
    tables = [
        {f"i{n}": tuple(int(x) for x in generator.integers(0, 3, 4)) for n in range(10)} for _ in range(3)
    ]
    first, second, third = map(side, tables)
    found = adjust([compare_pair(LARKFIELD, first, second), compare_pair(LARKFIELD, first, third)])
    expected = []
    for other in (second, third):
        columns = [(c.id, [other[i][c.id] - first[i][c.id] for i in first]) for c in LARKFIELD.criteria]
        columns.append((TOTAL, [sum(other[i].values()) - sum(first[i].values()) for i in first]))
        for _, gaps in columns:
            test = permutation_test(
                (np.array(gaps),), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=True
            )
            expected.append(test.pvalue)
        ready = [
            (LARKFIELD.decide(first[i]) == "ready", LARKFIELD.decide(other[i]) == "ready") for i in first
        ]
        table = [[sum(p == (a, b) for p in ready) for b in (True, False)] for a in (True, False)]
        expected.append(mcnemar(table, exact=True).pvalue)
    assert [c.p for one in found for c in one.changes] == pytest.approx(expected, abs=1e-12)
    holm = multipletests(expected, method="holm")[1]
    assert [c.adjusted for one in found for c in one.changes] == pytest.approx(list(holm), abs=1e-12)


def test_what_is_not_graded_is_in_no_figure_and_is_told():
    before, after = (
        side({"a": (2, 2, 2, 2), "b": (2, None, 2, 2)}),
        side({"a": (2, 2, 1, 2), "b": (0, 2, 2, 2)}),
    )
    [found] = adjust([compare_pair(LARKFIELD, before, after)])
    assert found.unread == ("b",)
    assert [m.item for m in found.moved] == ["a"]
    assert (change(found, "accuracy").n, change(found, "completeness").n, change(found, TOTAL).n) == (2, 1, 1)


def test_labels_move_without_up_or_down():
    rubric = shipped("refusals")
    before = {
        "a": {"category": "substantive"},
        "b": {"category": "full_refusal"},
        "c": {"category": "off_topic"},
    }
    after = {
        "a": {"category": "full_refusal"},
        "b": {"category": "full_refusal"},
        "c": {"category": "ambiguous"},
    }
    [found] = adjust([compare_pair(rubric, before, after)])
    assert [c.measure for c in found.changes] == [DECISION]
    assert (found.changes[0].up, found.changes[0].down) == (1, 0)
    assert {m.item: m.direction for m in found.moved} == {"a": Direction.OTHER, "c": Direction.OTHER}


def test_nothing_in_common_has_no_test_and_no_number():
    [found] = adjust([compare_pair(LARKFIELD, side({"a": (2, 2, 2, 2)}), side({"b": (2, 2, 2, 2)}))])
    assert all(c.difference is None and c.adjusted is None and not c.is_change for c in found.changes)


# --- through the command ----------------------------------------------------------------------------------------------

NAMES = ("accuracy", "completeness", "format", "abstention")


def make(desk, name, table, *, reveal=True, texts=None, rubric="larkfield"):
    """A campaign from run -> item -> four levels."""
    items = sorted({item for rows in table.values() for item in rows})
    return desk.campaign(
        name,
        rubric,
        [{"item": i, "text": (texts or {}).get(i, f"message {i}")} for i in items],
        [
            {"item": i, "run": r, "response": f"answer {r} {i} {name}"}
            for r, rows in table.items()
            for i in rows
        ],
        [
            {"grader": "ana", "item": i, "run": r, **dict(zip(NAMES, levels, strict=True))}
            for r, rows in table.items()
            for i, levels in rows.items()
        ],
        reveal=reveal,
    )


OLD = {"prompt 1": {"a": (2, 2, 2, 2), "b": (2, 2, 1, 2)}}
NEW = {"prompt 2": {"a": (0, 2, 2, 2), "b": (2, 2, 2, 2)}}


def test_two_campaigns_of_one_run_each_need_no_reveal(desk, capsys):
    """Two prompts on the same items, each its own campaign: compared blind, and no name is written."""
    old, new = make(desk, "old", OLD, reveal=False), make(desk, "new", NEW, reveal=False)
    assert run("compare", old, new, "--json", "-", "--lang", "en") == 0
    printed = capsys.readouterr().out
    found = json.loads(printed[printed.index("{") :])
    [pair] = found["pairs"]
    assert (pair["before"], pair["after"], pair["items"]) == (None, None, 2)
    assert {m["item"]: m["direction"] for m in pair["moved"]} == {"a": "down", "b": "up"}
    assert pair["moved"][0]["decision"] == ["ready", "not_ready"]
    assert "prompt" not in json.dumps(found)


def test_runs_of_one_campaign_are_named(desk, capsys):
    both = make(desk, "both", OLD | NEW)
    assert run("compare", both, both, "--runs", "prompt 1", "prompt 2", "--lang", "en") == 0
    shown = capsys.readouterr().out
    assert "prompt 1 → prompt 2  (2 items in common)" in shown
    assert "↓ a  Accuracy 2 → 0, ready → not ready" in shown
    assert run("compare", both, both) == 2
    assert run("compare", both, both, "--runs", "prompt 1", "prompt 9") == 2


def test_several_runs_that_are_not_revealed_are_refused(desk, capsys):
    both, old = make(desk, "both", OLD | NEW, reveal=False), make(desk, "old", OLD, reveal=False)
    assert run("compare", old, both, "--lang", "en") == 2
    told = capsys.readouterr().err
    assert "not revealed" in told
    assert "prompt" not in told


def test_runs_of_the_same_name_are_paired_and_adjusted_together(desk):
    table = OLD | NEW
    first, second = make(desk, "first", table), make(desk, "second", table)
    assert run("compare", first, second, "--json", desk.folder / "c.json") == 0
    pairs = json_of(desk.folder / "c.json")["pairs"]
    assert [(p["before"], p["after"]) for p in pairs] == [("prompt 1", "prompt 1"), ("prompt 2", "prompt 2")]
    assert all(p["moved"] == [] for p in pairs)
    assert {m["p_holm"] for p in pairs for m in p["measures"].values()} == {1.0}


def test_items_whose_text_differs_are_left_out_and_told(desk, capsys):
    old, new = make(desk, "old", OLD), make(desk, "new", NEW, texts={"a": "another message"})
    assert run("compare", old, new, "--lang", "en") == 0
    shown = capsys.readouterr()
    assert "(1 item in common)" in shown.out
    assert "different texts" in shown.err
    other = make(desk, "other", {"prompt 2": {"z": (2, 2, 2, 2)}})
    assert run("compare", old, other, "--lang", "en") == 1


def test_different_rubrics_are_refused_unless_asked_for_and_marked(desk, capsys):
    source = (ROOT / "workbooks" / "rubrics" / "larkfield.toml").read_text(encoding="utf-8")
    own = desk.folder / "own.toml"
    own.write_text(source.replace('en = "', 'en = "Our ', 1), encoding="utf-8")
    old = make(desk, "old", OLD)
    new = make(desk, "new", NEW, rubric=str(own))
    assert run("compare", old, new, "--lang", "en") == 1
    assert "different rubrics" in capsys.readouterr().err
    assert run("compare", old, new, "--allow-mixed", "--json", desk.folder / "c.json") == 0
    assert json_of(desk.folder / "c.json")["rubric"]["mixed"] is True
    assert run("compare", old, new, "--allow-mixed", "--lang", "en") == 0
    assert "Mixed rubric versions" in capsys.readouterr().out


@pytest.mark.parametrize("missing", ["before", "after"])
def test_a_path_that_is_not_there_is_wrong_usage(desk, missing):
    old = make(desk, "old", OLD)
    words = [desk.folder / "none", old] if missing == "before" else [old, desk.folder / "none"]
    assert run("compare", *words) == 2


# --- what a judge may say ---------------------------------------------------------------------------------------------

VERDICT = shipped("support-verdict")
FIVE = ("promise", "invention", "request", "next_step", "tone")


def judged(desk, name, *, kept=None, language="en", runs=("Fern", "Tulip")):
    """Ten tickets: the first run all acceptable, the second none; a judge found the second's first answer unacceptable."""
    from lark_sheets.adapters.ledger import SqliteLedger
    from tests.desk import NOW

    good, bad = runs
    items = [{"item": f"i{n}", "text": f"message {n}", "language": language} for n in range(10)]
    responses = [
        {"item": i["item"], "run": r, "response": f"answer {r} {i['item']}"} for i in items for r in runs
    ]
    passed, failed = dict.fromkeys(FIVE, 1), {**dict.fromkeys(FIVE, 1), "promise": 0}
    grades = [
        {"grader": "ana", "item": i["item"], "run": r, **(passed if r == good else failed)}
        for i in items
        for r in runs
    ]
    book = desk.campaign(name, "support-verdict", items, responses, grades, reveal=False)
    row = [{"grader": "judge:m", "item": "i0", "run": bad, **failed}]
    assert run("import", book, "--grades", desk.table(f"{name}-judge.csv", row)) == 0
    assert run("reveal", book) == 0
    if kept is not None:
        ledger = SqliteLedger(book / "ledger.sqlite", lambda: NOW)
        ledger.keep_calibration(kept)
        ledger.close()
    return book


def calibrated(**conditions):
    from dataclasses import replace

    from lark_sheets.core.judging.prompting import prompt_for
    from tests.core.judging.calibrations import lesson_003
    from tests.core.judging.samples import config

    made = prompt_for(VERDICT, config()).conditions
    return replace(lesson_003(), conditions=replace(made, **conditions))


@pytest.mark.parametrize(
    ("kept", "language", "code", "gate", "told"),
    [
        pytest.param(None, "en", 0, None, [], id="never compared with people: says nothing"),
        pytest.param(calibrated(), "en", 1, "blocking", ["judge_blocked"], id="open: stops"),
        pytest.param(calibrated(), "fr", 0, "blocking", ["judge_waits"], id="French waits for a person"),
        pytest.param(calibrated(rubric="0" * 64), "en", 0, "stale", ["calibration_stale"], id="stale: hints"),
    ],
)
def test_an_unfavourable_verdict_stops_only_behind_an_open_gate(desk, kept, language, code, gate, told):
    book = judged(desk, "spring", kept=kept, language=language)
    left = run("compare", book, book, "--runs", "Fern", "Tulip", "--json", desk.folder / "c.json")
    found = json_of(desk.folder / "c.json")
    assert (left, found["gate"], [p["code"] for p in found["problems"]]) == (code, gate, told)


def test_a_deciding_answer_waits_for_a_person(desk):
    """The judge's verdict stands against the leading run: whoever decides which run is best is a person."""
    book = judged(desk, "other", kept=calibrated(), runs=("Fern", "Tulip"))
    row = [{"grader": "judge:m", "item": "i1", "run": "Fern", **dict.fromkeys(FIVE, 1), "invention": 0}]
    assert run("import", book, "--grades", desk.table("more.csv", row)) == 0
    assert run("compare", book, book, "--runs", "Fern", "Tulip", "--json", desk.folder / "c.json") == 1
    found = {p["code"]: p["found"].split("-")[0] for p in json_of(desk.folder / "c.json")["problems"]}
    assert found == {"judge_blocked": "i0", "judge_waits": "i1"}
