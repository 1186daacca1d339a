"""What an edit touches, reading by reading: the table of effects, one law a row."""

from dataclasses import replace

import pytest

from lark_sheets.core.campaign import Campaign, Grader, Item, Reading, Response
from lark_sheets.core.rescoring import Declared, Why, outcome_of, oversight_of, undone
from lark_sheets.core.rescoring.record import Record, record_from_plain, waiting
from tests.core.rescoring.demo import larkfield, with_anchor, with_cap, with_criterion, without_code
from tests.core.rescoring.test_edits import with_another_rule, with_level, with_new_code

L = larkfield()
WITHOUT_FENCE = with_cap(L, "fence", None)


def one(fmt, *codes, grader="ann", owner=True, response="r1", version=1, **grades):
    levels = {"accuracy": 2, "completeness": 2, "format": fmt, "abstention": 2, **grades}
    return Reading(
        response=response,
        grader=grader,
        owner=owner,
        grades=levels,
        version=version,
        codes=codes,
        reason="why",
    )


def campaign(*readings, rubric=L, agreed=None):
    names = dict.fromkeys(r.response for r in readings)
    return Campaign(
        id="c",
        rubric=rubric,
        language="en",
        items=(Item(id="S01", text="?"),),
        responses=tuple(Response(id=r, item="S01", label=r[-1], text="{}", language="fr") for r in names),
        readings=readings,
        graders=(Grader(name="ann"), Grader(name="bob")),
        commitments=(),
        versions=(rubric,),
        agreed=agreed or {},
    )


def revised(book, sheet, *, seen=(), declared=Declared(), records=()):  # noqa: B008
    return outcome_of(
        book, sheet, date="2026-12-05", declared=declared, records=records, checks=lambda response: seen
    )


def said(outcome):
    """(old, new) of a grade that changes by rule, (why, codes) of one that goes to a person."""
    return [(c.old, c.new) for c in outcome.changes] + [(w.why, w.codes) for w in outcome.work]


CASES = [
    # law, reading, edited rubric, codes that the checks see, effect
    ("explained by the code alone", one(1, "fence"), WITHOUT_FENCE, (), [(1, 2)]),
    ("another code keeps it down", one(1, "fence", "grammar"), WITHOUT_FENCE, (), []),
    ("a harder code keeps it down", one(0, "fence", "wrong_language"), WITHOUT_FENCE, (), []),
    (
        "below what its codes give: a person looks",
        one(0, "fence"),
        WITHOUT_FENCE,
        (),
        [(Why.NOT_EXPLAINED, ("fence",))],
    ),
    (
        "above what its codes give: a person looks",
        one(2, "fence"),
        WITHOUT_FENCE,
        (),
        [(Why.NOT_EXPLAINED, ("fence",))],
    ),
    (
        "a further code is seen: a person looks",
        one(1, "fence"),
        WITHOUT_FENCE,
        ("english_phrase",),
        [(Why.FURTHER_CODE, ("english_phrase",))],
    ),
    ("the tolerated code itself is no further code", one(1, "fence"), WITHOUT_FENCE, ("fence",), [(1, 2)]),
    (
        "a further code that was recorded is none",
        one(1, "fence", "grammar"),
        WITHOUT_FENCE,
        ("grammar",),
        [],
    ),
    ("a code of another criterion is none", one(1, "fence"), WITHOUT_FENCE, ("small_error",), [(1, 2)]),
    ("without the code nothing happens", one(1, "grammar"), WITHOUT_FENCE, (), []),
    ("a low grade without any code stays", one(1), WITHOUT_FENCE, (), []),
    ("no grade, no change", one(None, "fence"), WITHOUT_FENCE, (), []),
    ("a removed code explains no longer", one(1, "fence"), without_code(L, "fence"), (), [(1, 2)]),
    ("a stricter cap lowers who carries it", one(1, "fence"), with_cap(L, "fence", 0), (), [(1, 0)]),
    (
        "a stricter cap: above it without the code, a person looks",
        one(2),
        with_cap(L, "fence", 0),
        (),
        [(Why.WITHOUT_CODE, ("fence",))],
    ),
    ("a stricter cap: at it without the code, nothing", one(0), with_cap(L, "fence", 0), (), []),
    (
        "a new code: above its cap, a person looks",
        one(2),
        with_new_code(L),
        (),
        [(Why.WITHOUT_CODE, ("emoji",))],
    ),
    ("a new code: at its cap, nothing", one(1, "grammar"), with_new_code(L), (), []),
    ("a new tolerated code touches nobody", one(2), with_new_code(L, cap=None), (), []),
    (
        "another meaning: every reading of the criterion",
        one(2),
        with_anchor(L, "format", 1, "x"),
        (),
        [(Why.MEANING, ())],
    ),
    ("another meaning: not where nothing was graded", one(None), with_anchor(L, "format", 1, "x"), (), []),
    ("another decision rule touches no grade", one(1, "fence"), with_another_rule(L), (), []),
    (
        "a new level: the grades beside it",
        one(2),
        with_level(L, "format", 3),
        (),
        [(Why.LEVEL_ADDED, ())],
    ),
    ("a new level: not the grades further off", one(1, "fence"), with_level(L, "format", 3), (), []),
    (
        "a criterion added: every graded reading",
        one(2),
        replace(L, criteria=(*L.criteria, replace(L.criterion("format"), id="tone"))),
        (),
        [(Why.CRITERION_ADDED, ())],
    ),
    (
        "a criterion removed: no grade of another",
        one(1, "fence"),
        replace(L, criteria=L.criteria[:3]),
        (),
        [],
    ),
]


@pytest.mark.parametrize(
    ("reading", "sheet", "seen", "effect"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_effects(reading, sheet, seen, effect):
    outcome = revised(campaign(reading), sheet, seen=seen)
    assert said(outcome) == effect
    (after,) = outcome.campaign.readings
    waits = bool(outcome.work)
    assert after.version == (1 if waits else 2)
    assert outcome.campaign.is_stale(after) is (waits and not after.is_blank)


def test_a_removed_level_sends_its_grades_to_people():
    wide = with_level(L, "format", 3)
    outcome = revised(campaign(one(3), one(2, response="r2"), rubric=wide), L)
    assert [(w.key[0], w.why) for w in outcome.work] == [("r1", Why.LEVEL_REMOVED)]
    assert outcome.needs_new_workbook


def test_a_blank_reading_is_simply_graded_under_the_new_version():
    blank = one(None, accuracy=None, completeness=None, abstention=None)
    outcome = revised(campaign(blank), with_anchor(L, "format", 1, "x"))
    assert outcome.work == ()
    assert outcome.campaign.readings[0].version == 2


def test_every_reader_is_treated_alike():
    book = campaign(one(1, "fence"), one(1, "fence", grader="bob", owner=False))
    assert len(revised(book, WITHOUT_FENCE).changes) == 2


def test_wording_touches_no_grade_and_makes_a_version():
    declared = Declared(wording=frozenset({"format"}))
    outcome = revised(campaign(one(1, "fence")), with_anchor(L, "format", 1, "x"), declared=declared)
    assert said(outcome) == []
    assert outcome.campaign.rubric.version == 2
    assert outcome.campaign.readings[0].version == 2


def test_a_decision_rule_changes_decisions_and_no_grade():
    book = campaign(one(0, "invalid_json"))
    outcome = revised(book, with_another_rule(L))
    assert [(d.before, d.after) for d in outcome.decisions] == [("not_ready", "ready")]
    assert outcome.totals_changed == 0


class TestWaiting:
    """A reading that waits for its grader is not derived from, not asked twice, and keeps its old version."""

    def first(self):
        return revised(campaign(one(1, "fence"), one(2, response="r2")), with_anchor(L, "format", 1, "x"))

    def test_an_edit_of_another_criterion_still_changes_that_one(self):
        first = self.first()
        book = replace(
            first.campaign,
            readings=tuple(
                replace(r, grades={**r.grades, "accuracy": 1}, codes=(*r.codes, "small_error"))
                for r in first.campaign.readings
            ),
        )
        sheet = with_cap(book.rubric, "small_error", None, "accuracy")
        second = revised(book, sheet, records=[first.record])
        assert [(c.criterion, c.old, c.new) for c in second.changes] == [("accuracy", 1, 2)] * 2
        assert {r.version for r in second.campaign.readings} == {1}
        assert waiting([first.record, second.record], second.campaign)["format"] == {
            r.key for r in second.campaign.readings
        }
        assert waiting([first.record, second.record], second.campaign)["accuracy"] == set()

    def test_a_code_of_the_same_criterion_waits_too(self):
        first = self.first()
        second = revised(
            first.campaign, with_cap(first.campaign.rubric, "fence", None), records=[first.record]
        )
        assert said(second) == []


class TestAgreed:
    """A grade agreed in a discussion follows the reader whose grade it was; where it cannot, its owner grades again."""

    def book(self, agreed):
        return campaign(
            one(1, "fence"),
            one(0, "fence", "invalid_json", grader="bob", owner=False),
            agreed={"r1": {"format": agreed}},
        )

    def test_it_follows_the_owner(self):
        outcome = revised(self.book(1), WITHOUT_FENCE)
        assert outcome.campaign.agreed == {"r1": {"format": 2}}

    def test_it_stays_with_the_other_reader(self):
        outcome = revised(self.book(0), WITHOUT_FENCE)
        assert outcome.campaign.agreed == {"r1": {"format": 0}}
        assert outcome.totals_changed == 0

    def test_nobodys_grade_is_voided_and_graded_again(self):
        outcome = revised(self.book(2), WITHOUT_FENCE)
        assert outcome.campaign.agreed == {}
        assert [(w.key[1], w.why) for w in outcome.work] == [("ann", Why.DISCUSSED)]

    def test_another_meaning_voids_it(self):
        outcome = revised(self.book(1), with_anchor(L, "format", 1, "x"))
        assert outcome.campaign.agreed == {}

    @pytest.mark.parametrize("agreed", [0, 1, 2])
    def test_undo_brings_it_back(self, agreed):
        book = self.book(agreed)
        outcome = revised(book, WITHOUT_FENCE)
        back, problems = undone(outcome.campaign, outcome.record)
        assert not problems
        assert (back.agreed, back.readings) == (book.agreed, book.readings)


class TestUndo:
    def applied(self):
        return revised(campaign(one(1, "fence"), one(2, response="r2")), WITHOUT_FENCE)

    def changed(self, outcome, response, **grades):
        return replace(
            outcome.campaign,
            readings=tuple(
                replace(r, grades={**r.grades, **grades}) if r.response == response else r
                for r in outcome.campaign.readings
            ),
        )

    def test_refused_when_a_touched_grade_was_changed_since(self):
        outcome = self.applied()
        book = self.changed(outcome, "r1", format=0)
        back, (told,) = undone(book, outcome.record)
        assert back is book
        assert (told.code, told.found) == ("undo_refused", "S01-1 (ann)")

    def test_a_grade_it_did_not_touch_may_have_changed(self):
        outcome = self.applied()
        back, problems = undone(self.changed(outcome, "r1", accuracy=0), outcome.record)
        assert not problems
        assert back.readings[0].grades["accuracy"] == 0
        assert back.readings[0].grades["format"] == 1

    def test_refused_when_the_work_list_came_back(self):
        outcome = revised(campaign(one(1, "fence")), with_anchor(L, "format", 1, "x"))
        came_back = self.changed(outcome, "r1", format=2)
        assert [p.code for p in undone(came_back, outcome.record)[1]] == ["undo_refused"]

    def test_refused_when_a_blank_of_the_criterion_was_graded_under_the_new_version(self):
        outcome = revised(campaign(one(1, "fence"), one(None, response="r2")), WITHOUT_FENCE)
        graded = self.changed(outcome, "r2", format=2)
        (told,) = undone(graded, outcome.record)[1]
        assert (told.code, told.found) == ("undo_refused", "format")

    def test_only_the_last_revision_and_only_once(self):
        first = self.applied()
        second = revised(first.campaign, with_cap(first.campaign.rubric, "fence", 0), records=[first.record])
        assert [p.code for p in undone(second.campaign, first.record)[1]] == ["nothing_to_undo"]
        back, _ = undone(second.campaign, second.record)
        assert back.readings == first.campaign.readings
        assert [p.code for p in undone(campaign(one(2)), None)[1]] == ["nothing_to_undo"]

    def test_the_next_version_after_an_undo_is_a_new_number(self):
        first = self.applied()
        back, _ = undone(first.campaign, first.record)
        assert revised(back, with_cap(L, "fence", 0)).campaign.rubric.version == 3

    def test_the_former_version_must_still_be_kept(self):
        outcome = self.applied()
        book = replace(outcome.campaign, versions=outcome.campaign.versions[1:])
        assert [p.code for p in undone(book, outcome.record)[1]] == ["undo_without_version"]


def test_a_record_survives_its_json():
    import json

    outcome = revised(campaign(one(1, "fence"), one(0, "fence", response="r2")), WITHOUT_FENCE)
    assert record_from_plain(json.loads(outcome.record.to_json())) == outcome.record


@pytest.mark.parametrize("plain", [{}, {"schema": 2}, {"schema": 1}, {"schema": 1, "version": "x"}])
def test_what_is_no_record_is_refused(plain):
    with pytest.raises(ValueError):
        record_from_plain(plain)


class TestOversight:
    """A code that readers overlooked: its whole set goes back, nothing is guessed."""

    def seen(self, book, code, seen_in=(), records=()):
        return oversight_of(
            book,
            code,
            date="2026-12-05",
            records=records,
            checks=lambda response: (code,) if response.id in seen_in else (),
        )

    def test_a_code_that_one_reader_recorded_is_looked_for_by_the_other(self):
        book = campaign(one(2), one(1, "fence", grader="bob", owner=False), one(2, response="r2"))
        outcome = self.seen(book, "fence")
        assert [(w.key[:2], w.why, w.codes) for w in outcome.work] == [
            (("r1", "ann"), Why.OVERSIGHT, ("fence",))
        ]

    def test_the_checks_find_what_nobody_recorded(self):
        outcome = self.seen(campaign(one(2), one(2, response="r2")), "fence", seen_in={"r2"})
        assert [w.key[0] for w in outcome.work] == ["r2"]

    def test_a_code_that_no_program_sees_is_looked_for_in_every_grade_above_its_cap(self):
        book = campaign(one(2), one(1, "fence", response="r2"), one(1, "grammar", response="r3"))
        outcome = self.seen(book, "grammar")
        assert [w.key[0] for w in outcome.work] == ["r1"]

    def test_a_grade_at_the_cap_is_looked_at_too_so_that_the_code_is_recorded(self):
        book = campaign(one(1, "grammar"), one(1, "fence", grader="bob", owner=False))
        assert [w.key[1] for w in self.seen(book, "fence").work] == ["ann"]

    def test_who_said_no_is_not_asked_again(self):
        book = campaign(one(2), one(1, "fence", grader="bob", owner=False))
        first = self.seen(book, "fence")
        answered = replace(
            first.campaign, readings=tuple(replace(r, version=2) for r in first.campaign.readings)
        )
        assert self.seen(answered, "fence", records=[first.record]).is_nothing

    def test_undo_takes_the_request_back(self):
        book = campaign(one(2), one(1, "fence", grader="bob", owner=False))
        outcome = self.seen(book, "fence")
        back, problems = undone(outcome.campaign, outcome.record)
        assert not problems
        assert (back.readings, back.rubric) == (book.readings, book.rubric)


def test_labels_have_no_caps():
    """Codes of a category criterion change no grade: labels have no order."""
    from lark_sheets.core.language import Words
    from lark_sheets.core.rubric import Anchor, CriterionKind

    labels = tuple(Anchor(level=name, description=Words(en=name)) for name in ("a", "b"))
    rubric = with_criterion(L, "format", kind=CriterionKind.CATEGORY, anchors=labels)
    outcome = revised(campaign(one("b", "fence"), rubric=rubric), without_code(rubric, "fence"))
    assert said(outcome) == []


def test_the_empty_record_needs_no_fields():
    assert Record(version=2, former=1).changes == ()
