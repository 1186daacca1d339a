"""Laws of re-scoring, on campaigns drawn at random."""

from dataclasses import replace

from hypothesis import given, settings, strategies as st

from lark_sheets.core.campaign import Campaign, Grader, Item, Reading, Response
from lark_sheets.core.code_checks import proposed_codes
from lark_sheets.core.rescoring import Declared, outcome_of, oversight_of, undone
from tests.core.rescoring.demo import larkfield, with_anchor, with_cap, without_code
from tests.core.rescoring.test_edits import with_another_rule, with_new_code

L = larkfield()
CODES = [code.id for code in L.codes]
TEXTS = [
    '{"reply": "Bonjour, merci de votre patience."}',
    '```json\n{"reply": "Bonjour."}\n```',
    '{"reply": "Bonjour et merci. Thank you for your patience."}',
    "",
    '{"reply": "Bonjour"',
]
few = settings(max_examples=40, deadline=None)
levels = st.sampled_from([None, 0, 1, 2, 2, 2])
codes = st.lists(st.sampled_from(CODES), max_size=3, unique=True).map(tuple)


@st.composite
def readings(draw, response, grader, owner):
    recorded = draw(codes)
    grades = {c.id: L.capped(c.id, recorded) if draw(st.integers(0, 3)) else draw(levels) for c in L.criteria}
    if draw(st.integers(0, 5)) == 0:
        grades = dict.fromkeys(grades)
    return Reading(
        response=response, grader=grader, owner=owner, grades=grades, version=1, codes=recorded, reason="r"
    )


@st.composite
def campaigns(draw):
    names = [f"r{n}" for n in range(draw(st.integers(1, 6)))]
    found, agreed = [], {}
    for name in names:
        found.append(draw(readings(name, "ann", True)))
        if draw(st.booleans()):
            found.append(draw(readings(name, "bob", False)))
        if draw(st.integers(0, 3)) == 0:
            agreed[name] = {draw(st.sampled_from(list(found[0].grades))): draw(st.sampled_from([0, 1, 2]))}
    return Campaign(
        id="c",
        rubric=L,
        language="fr",
        items=(Item(id="S01", text="?"),),
        responses=tuple(
            Response(id=name, item="S01", label=name, text=draw(st.sampled_from(TEXTS)), language="fr")
            for name in names
        ),
        readings=tuple(found),
        graders=(Grader(name="ann"), Grader(name="bob")),
        commitments=(),
        versions=(L,),
        agreed=agreed,
    )


@st.composite
def edits(draw, criterion=None):
    """An edited rubric, and the criterion that was edited ("" for a rule)."""
    code = draw(st.sampled_from(L.codes))
    cap = draw(st.sampled_from(code.caps))
    where = cap.criterion
    match draw(st.integers(0, 4)):
        case 0:
            return with_cap(L, code.id, draw(st.sampled_from([None, 0, 1])), where), where
        case 1 if len(code.caps) == 1:
            return without_code(L, code.id), where
        case 2:
            return with_new_code(L, draw(st.sampled_from([None, 0, 1]))), "format"
        case 3:
            return with_another_rule(L), ""
        case _:
            return with_anchor(L, where, draw(st.sampled_from([0, 1, 2])), draw(st.text(min_size=1))), where


def see(response):
    return proposed_codes(response.text, response.language)


def revised(campaign, sheet, declared=Declared(), records=()):  # noqa: B008
    return outcome_of(campaign, sheet, date="2026-12-05", declared=declared, records=records, checks=see)


@few
@given(campaigns(), edits())
def test_apply_then_undo_is_the_identity(campaign, edit):
    outcome = revised(campaign, edit[0])
    if outcome.is_nothing:
        assert outcome.campaign is campaign
        return
    back, problems = undone(outcome.campaign, outcome.record)
    assert not problems
    assert (back.readings, back.agreed, back.rubric) == (campaign.readings, campaign.agreed, campaign.rubric)


@few
@given(campaigns(), st.sampled_from(CODES))
def test_a_correction_is_undone_too_and_changes_no_grade(campaign, code):
    outcome = oversight_of(campaign, code, date="2026-12-05", checks=see)
    assert [r.grades for r in outcome.campaign.readings] == [r.grades for r in campaign.readings]
    if not outcome.is_nothing:
        back, problems = undone(outcome.campaign, outcome.record)
        assert not problems
        assert (back.readings, back.agreed) == (campaign.readings, campaign.agreed)
        again = oversight_of(outcome.campaign, code, date="2026-12-06", records=[outcome.record], checks=see)
        assert again.is_nothing


@few
@given(campaigns(), edits())
def test_a_second_press_changes_nothing(campaign, edit):
    outcome = revised(campaign, edit[0])
    again = revised(outcome.campaign, outcome.campaign.rubric, records=[outcome.record])
    assert again.is_nothing
    assert again.campaign is outcome.campaign
    assert again.work == again.changes == ()


@few
@given(campaigns(), edits())
def test_an_edit_of_one_criterion_never_touches_a_grade_of_another(campaign, edit):
    sheet, criterion = edit
    outcome = revised(campaign, sheet)
    for before, after in zip(campaign.readings, outcome.campaign.readings, strict=True):
        for name in before.grades:
            if name != criterion:
                assert before.grades[name] == after.grades[name]
    assert {w.criterion for w in outcome.work} <= {criterion}


@few
@given(campaigns(), st.sampled_from([c.id for c in L.criteria]), st.text(min_size=1))
def test_a_wording_edit_never_changes_a_grade(campaign, criterion, text):
    declared = Declared(wording=frozenset({criterion}))
    outcome = revised(campaign, with_anchor(L, criterion, 1, text), declared)
    assert [r.grades for r in outcome.campaign.readings] == [r.grades for r in campaign.readings]
    assert outcome.work == outcome.decisions == ()
    assert not any(outcome.campaign.is_stale(r) for r in outcome.campaign.readings)


@few
@given(campaigns(), edits(), st.randoms(use_true_random=False))
def test_the_affected_set_depends_on_neither_row_order_nor_names(campaign, edit, random):
    """Nothing but texts, grades and codes is looked at: renamed and shuffled responses give the same set."""
    shuffled = list(campaign.readings)
    random.shuffle(shuffled)
    new_names = {r.id: f"x{random.random()}" for r in campaign.responses}
    other = replace(
        campaign,
        responses=tuple(replace(r, id=new_names[r.id], label="Z") for r in campaign.responses),
        readings=tuple(replace(r, response=new_names[r.response]) for r in shuffled),
        agreed={new_names[r]: levels for r, levels in campaign.agreed.items()},
    )
    one, two = revised(campaign, edit[0]), revised(other, edit[0])

    def named(key):
        return (new_names.get(key[0], key[0]), *key[1:])

    assert {(named(c.key), *c[1:]) for c in one.changes} == set(two.changes)
    assert {(named(w.key), *w[1:]) for w in one.work} == set(two.work)
    assert {named(k) for k in one.affected.carriers} == two.affected.carriers


@few
@given(campaigns(), edits())
def test_a_changed_grade_is_always_what_its_codes_explain(campaign, edit):
    outcome = revised(campaign, edit[0])
    before = {r.key: r for r in campaign.readings}
    for change in outcome.changes:
        recorded = before[change.key].codes
        assert campaign.rubric.capped(change.criterion, recorded) == change.old
        assert outcome.campaign.rubric.capped(change.criterion, recorded) == change.new


@few
@given(campaigns(), edits())
def test_coverage_adds_up_and_missing_stays_missing(campaign, edit):
    outcome = revised(campaign, edit[0])
    for before, after in zip(campaign.readings, outcome.campaign.readings, strict=True):
        assert [g is None for g in before.grades.values()] == [g is None for g in after.grades.values()]
    assert outcome.whole.after.responses == len(campaign.owners())
