"""Agreement between a campaign's readers: the sample, the pairs, the tickets, who they are, what must be said beside it."""

import json
import warnings
from dataclasses import replace

import pytest

from lark_sheets.core.agreement import NoteId, ReaderKind, State
from lark_sheets.core.campaign import Campaign, Grader
from lark_sheets.core.intervals import clustered_share
from lark_sheets.core.reader_agreement import agreement_of_readings, readers_of
from lark_sheets.core.results_json import dumps, results_dict
from lark_sheets.core.scoring import summarise
from lark_sheets.locales import translator
from tests.factories import BASE, campaign, shipped
from tests.report.factory import demo_results, shipped_rubric, tiny

TOP = (2, 2, 2, 2)
ALL_TOP = dict.fromkeys(BASE, TOP)


@pytest.fixture(autouse=True)
def no_warning():
    """Nothing here may warn: a person would see it on the terminal."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def three(**rows) -> Campaign:
    """Three readers of the base responses, the first of whom read all of them."""
    return campaign(more={"g2": rows.get("g2", BASE), "g3": rows.get("g3", ALL_TOP)})


# --- the sample ----------------------------------------------------------------------------------------------------------


def test_every_coefficient_can_be_recomputed_from_the_shared_rows_alone():
    """Responses that one reader alone read change no coefficient, not even AC1 and Fleiss' kappa, whose authors would use them."""
    second = {name: levels for name, levels in BASE.items() if name.startswith("K01")} | {
        "K02-A": (2, 1, 2, 1)
    }
    whole = agreement_of_readings(campaign(more={"g2": second}))
    shared = agreement_of_readings(
        campaign({name: BASE[name] for name in second}, more={"g2": second}),
    )
    for key, found in whole.criteria.items():
        alone = shared.criteria[key]
        assert (found.ac1, found.fleiss, found.alpha_nominal, found.kappa) == (
            alone.ac1, alone.fleiss, alone.alpha_nominal, alone.kappa,
        )  # fmt: skip
    assert (whole.shared, whole.read, whole.once, whole.tickets) == (5, 8, 3, 2)
    assert (shared.shared, shared.read, shared.once) == (5, 5, 0)


def test_a_stale_or_unfinished_reading_leaves_the_sample():
    """What is told to be read once is what the coefficients leave out: the two always add up."""
    made = campaign(
        more={"g2": dict(BASE) | {"K01-A": (2, None, 2, 2)}}, rubric=replace(shipped(), version=2)
    )
    readings = [
        replace(r, version=1) if (r.response, r.grader) == ("k01-b", "g2") else r for r in made.readings
    ]
    results = summarise(replace(made, readings=tuple(readings)))
    assert (results.agreement.shared, results.not_double_read, results.agreement.read) == (6, 2, 8)
    assert results.agreement.criteria["accuracy"].n == 7


# --- pairs ---------------------------------------------------------------------------------------------------------------


def test_three_readers_are_told_together_and_pair_by_pair():
    found = agreement_of_readings(three(), detailed=True)
    assert found.criteria["accuracy"].kappa.state is State.MORE_THAN_TWO_READERS
    assert list(found.pairs) == [("g1", "g2"), ("g1", "g3"), ("g2", "g3")]
    assert found.pairs["g1", "g2"].all_equal == 8
    assert found.pairs["g1", "g2"].criteria["accuracy"].kappa.exact == 1
    assert found.pairs["g1", "g3"].criteria["accuracy"].kappa.exact == 0
    assert found.pairs["g1", "g3"].decision.equal == 4
    assert found.pairs["g1", "g3"].criteria["format"].gaps == {1: 2, 2: 1}


def test_three_readers_with_gaps():
    """A pair counts what both read; a pair without a shared response is there, undefined; all together use what any two read."""
    half = {name: BASE[name] for name in ("K01-A", "K01-B", "K01-C", "K01-D")}
    other = {name: BASE[name] for name in ("K02-A", "K02-B")}
    found = agreement_of_readings(three(g2=half, g3=other), detailed=True)
    assert (found.shared, found.once) == (6, 2)
    assert [pair.shared for pair in found.pairs.values()] == [4, 2, 0]
    assert found.pairs["g2", "g3"].criteria["accuracy"].kappa.state is State.NO_SHARED_ITEMS
    assert found.pairs["g2", "g3"].all_interval is None


def test_two_readers_are_their_own_pair():
    assert agreement_of_readings(campaign(more={"g2": BASE}), detailed=True).pairs == {}


def test_a_third_reader_who_graded_nothing_leaves_two():
    """Cohen's kappa of the two who graded stands, and the third is named."""
    found = summarise(three(g3=dict.fromkeys(BASE, (None,) * 4)))
    assert found.agreement.criteria["accuracy"].kappa.exact == 1
    assert found.agreement.pairs == {}
    assert [(r.name, r.read, r.shared) for r in found.readers] == [("g1", 8, 8), ("g2", 8, 8), ("g3", 0, 0)]
    told = [n.note.parameters for n in found.agreement_notes if n.note.id is NoteId.READ_NOTHING]
    assert told == [{"reader": "g3"}]


def test_positions_have_no_kappa_in_pairs_either():
    made = replace(three(), graders=tuple(Grader(name=n, is_position=n == "g3") for n in ("g1", "g2", "g3")))
    found = agreement_of_readings(made, detailed=True)
    assert {p.criteria["accuracy"].kappa.state for p in found.pairs.values()} == {State.NOT_PERSONS}


# --- tickets -------------------------------------------------------------------------------------------------------------


def test_several_shared_responses_to_a_ticket_bring_an_interval_by_ticket():
    """Four responses to each of two tickets, the slips all on one: as sure as far fewer responses."""
    second = dict(BASE) | dict.fromkeys(("K01-A", "K01-B", "K01-C", "K01-D"), (0, 0, 0, 0))
    found = agreement_of_readings(campaign(more={"g2": second}), detailed=True)
    assert found.tickets == 2
    assert found.all_by_ticket == clustered_share([0, 4], [4, 4])[0]
    accuracy = found.criteria_by_ticket["accuracy"]
    assert accuracy.agreement == found.criteria["accuracy"]
    assert accuracy.interval.width > found.criteria["accuracy"].interval.width
    assert accuracy.resampled == {}  # two tickets tell nothing when they are redrawn


def test_one_response_a_ticket_needs_no_second_interval():
    rubric = shipped_rubric("larkfield")
    rows = [{c.id: level for c in rubric.criteria} for level in (2, 1, 0, 2)]
    results, _ = tiny(rubric, {"a": rows}, second={"a": rows})
    assert (results.agreement.criteria_by_ticket, results.agreement.all_by_ticket) == ({}, None)


def test_tickets_are_redrawn_from_96_shared_responses_on():
    """What has no other interval then has one, where it holds what it promises; the same rows give the same one."""
    rubric = shipped_rubric("larkfield")
    runs = {
        run: [{c.id: (n + r) % 3 for c in rubric.criteria} for n in range(24)] for r, run in enumerate("abcd")
    }
    second = {
        run: [
            row if n % 5 else {c: (level + 1) % 3 for c, level in row.items()} for n, row in enumerate(rows)
        ]
        for run, rows in runs.items()
    }
    results, _ = tiny(rubric, runs, second=second)
    drawn = results.agreement.criteria_by_ticket["accuracy"].resampled
    assert set(drawn) == {"kappa_linear", "fleiss", "alpha_nominal", "alpha_ordinal"}
    assert all(one.interval and one.draws == 2000 and one.tickets == 24 for one in drawn.values())
    fewer, _ = tiny(rubric, {"a": runs["a"]}, second={"a": second["a"]})
    assert fewer.agreement.criteria_by_ticket == {}
    assert tiny(rubric, runs, second=second)[0].agreement.criteria_by_ticket["accuracy"].resampled == drawn


# --- who the readers are -------------------------------------------------------------------------------------------------


def test_that_a_model_reads_its_own_family_is_told_after_the_reveal_only():
    results, made = demo_results()
    assert [r.kind for r in results.readers] == [ReaderKind.PERSON, ReaderKind.MODEL_OF_CANDIDATE_FAMILY]
    sealed, _ = demo_results(replace(made, revealed=False))
    assert [r.kind for r in sealed.readers] == [ReaderKind.PERSON, ReaderKind.MODEL]
    assert NoteId.MODEL_OF_CANDIDATE_FAMILY not in {n.note.id for n in sealed.agreement_notes}
    assert readers_of(made)[1].shared == 28


# --- notes ---------------------------------------------------------------------------------------------------------------


def test_a_note_on_all_measures_is_said_once():
    results, _ = demo_results()
    about = {n.note.id: n.about for n in results.agreement_notes}
    assert about[NoteId.NOT_READ_TWICE] == about[NoteId.MODEL_OF_CANDIDATE_FAMILY] == ()
    assert about[NoteId.ALL_EQUAL] == ("", "abstention")
    assert about[NoteId.INTERVAL_DECIDES_NOTHING] == ("",)
    assert about[NoteId.ORDINAL_ALPHA_FLATTERS] == ("accuracy",)


def test_agreement_after_a_discussion_stands_beside_and_is_noted():
    second = dict(BASE) | {"K01-C": (2, 2, 2, 2)}
    made = campaign(more={"g2": second})
    before = summarise(made)
    after = summarise(replace(made, agreed={"k01-c": {"accuracy": 1}}))
    assert (before.agreement_discussed, before.agreement.criteria["accuracy"].equal) == (None, 7)
    assert after.agreement == before.agreement
    assert after.agreement_discussed.criteria["accuracy"].equal == 8
    (note,) = [
        n for n in after.agreement_notes if n.note.id is NoteId.AFTER_DISCUSSION and "accuracy" in n.about
    ]
    assert note.note.parameters == {"before": 7, "after": 8, "n": 8}


# --- runs ----------------------------------------------------------------------------------------------------------------


def test_runs_are_compared_after_the_reveal_only():
    results, made = demo_results()
    ready = results.comparisons.ready
    assert ready.groups[0] == tuple(run.run for run in results.runs[:5])
    haiku = next(p for p in ready.pairs if (p.first, p.second) == ("Claude Haiku 5.5", "Claude Sonnet 5.5"))
    assert (haiku.p, haiku.told_apart) == (0.5, False)
    assert len(results.comparisons.total.pairs) == 28
    assert demo_results(replace(made, revealed=False))[0].comparisons is None


def test_labels_are_compared_by_stratum_among_runs_that_may_be_ranked():
    """A run with a response that nobody graded stays out; strata are never added together."""
    full, other = {"category": "full_refusal"}, {"category": "substantive"}
    grades = {"a": [full, other] * 3, "b": [other, other] * 3, "c": [full, {"category": None}] * 3}
    results, _ = tiny(shipped_rubric("refusals"), grades, strata=["licit", "at_risk"])
    assert [run.ranked for run in results.runs] == [True, True, False]
    assert {s: f.runs for s, f in results.label_comparisons.items()} == {
        "licit": ("a", "b"), "at_risk": ("a", "b"),
    }  # fmt: skip
    assert results.label_comparisons["licit"].pairs[0].better_first == 3


# --- nothing to measure ----------------------------------------------------------------------------------------------------

DEGENERATE = {
    "nothing graded": campaign(
        dict.fromkeys(BASE, (None,) * 4), more={"g2": dict.fromkeys(BASE, (None,) * 4)}
    ),
    "one reader": campaign(),
    "nothing shared": campaign(more={"g2": {}}),
    "one shared response": campaign(more={"g2": {"K01-A": TOP}}),
    "one shared response, different": campaign(more={"g2": {"K01-A": (0, 0, 0, 0)}}),
    "everything equal, one value": campaign(ALL_TOP, more={"g2": ALL_TOP}),
    "one reader constant": campaign(more={"g2": ALL_TOP}),
    "both constant, different": campaign(ALL_TOP, more={"g2": dict.fromkeys(BASE, (1, 1, 1, 1))}),
    "a reader who graded nothing": three(g3=dict.fromkeys(BASE, (None,) * 4)),
    "three readers, one response each": three(g2={"K01-A": TOP}, g3={"K01-B": TOP}),
    "one ticket": campaign({"K01-A": TOP, "K01-B": (0, 0, 0, 0)}, more={"g2": {"K01-A": TOP, "K01-B": TOP}}),
    "no reader": campaign({}, graders=()),
}


@pytest.mark.parametrize("made", DEGENERATE.values(), ids=DEGENERATE)
def test_what_cannot_be_measured_has_a_name_and_no_number(made):
    """No warning, no NaN: whatever has no number says why, and JSON holds null beside the state."""
    run_of = {r.id: f"run {r.label}" for r in made.responses}
    results = summarise(
        replace(made, revealed=True), run_of=run_of, runs=sorted(set(run_of.values())), key_matches=True
    )
    text = dumps(results_dict(results, translator("en")))
    assert not any(word in text for word in ("NaN", "Infinity"))
    found = json.loads(text)["agreement"]
    for stat in (found["decision"], *found["criteria"].values()):
        assert (stat["state"] == "defined") == (
            stat["kappa" if stat["readers"] <= 2 else "alpha_nominal"] is not None
        )
        for name, state in stat["states"].items():
            assert (state == "defined") == (stat[name] is not None), name
