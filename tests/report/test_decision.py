"""Page 1 answers which run, how sure, what next, or says plainly why nobody can know yet."""

from dataclasses import replace

import pytest

from lark_sheets.core.language import NBSP
from lark_sheets.core.scoring import summarise
from lark_sheets.locales import translator
from lark_sheets.report.apart import standing
from lark_sheets.report.decision import Decision, decision_page
from lark_sheets.report.words import phrases_of
from tests.report.factory import demo, demo_results, shipped_rubric, tiny

EN, FR = translator("en"), translator("fr")


def page(results, campaign, translate=EN) -> Decision:
    return decision_page(results, phrases_of(results, campaign, translate), standing(results))


def demo_page(translate=EN, **changes) -> Decision:
    results, campaign = demo_results()
    return page(replace(results, **changes) if changes else results, campaign, translate)


def levels(**changes):
    rubric = shipped_rubric("larkfield")
    return {c.id: changes.get(c.id, c.top) for c in rubric.criteria}


GOOD, BAD = levels(), levels(accuracy=0)


def test_a_complete_campaign_gets_a_verdict_and_no_statement():
    found = demo_page()
    assert found.title == "5 runs of 8 lead, tied"
    assert found.lead.replace(NBSP, " ") == "Responses ready: 22 to 24 of 24, against 6 to 14 elsewhere."
    assert found.statements == ()
    assert [fact.figure for fact in found.facts] == ["192/192", "28/28", "24/28", "current"]
    assert len(found.table.rows) == 8


def blank_one():
    campaign, _, _ = demo()
    first, *rest = campaign.readings
    return demo_results(
        replace(campaign, readings=(replace(first, grades={**first.grades, "format": None}), *rest))
    )


def stale_one():
    campaign, _, _ = demo()
    first, *rest = campaign.readings
    return demo_results(
        replace(
            campaign,
            rubric=replace(campaign.rubric, version=2),
            readings=(first, *(replace(r, version=2) for r in rest)),
        )
    )


def mixed():
    campaign, _, _ = demo()
    first, *rest = campaign.readings
    changed = replace(
        campaign,
        rubric=replace(campaign.rubric, version=2),
        readings=(first, *(replace(r, version=2) for r in rest)),
    )
    return demo_results(changed, allow_mixed=True)


def early():
    return demo_results(revealed_early="the board meets tomorrow")


def blind():
    return demo_results(demo(revealed=False)[0])


def without_key():
    campaign, _, _ = demo()
    return summarise(campaign), campaign


def wrong_key():
    results, campaign = demo_results()
    return replace(results, key_matches=False), campaign


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        pytest.param(blank_one, "1 response of 192 has no complete grade.", id="one blank"),
        pytest.param(stale_one, "1 response was graded under an older rubric.", id="one stale"),
        pytest.param(mixed, "Grades given under different rubric versions are mixed.", id="mixed versions"),
        pytest.param(early, "The names were revealed before every response was graded.", id="opened early"),
        pytest.param(blind, "The runs are still blind: their names are sealed.", id="still blind"),
        pytest.param(
            without_key,
            "The names of the runs are not at hand: the key was not given.",
            id="revealed, no key given",
        ),
        pytest.param(wrong_key, "The key does not fit the seal in the workbook.", id="another key"),
    ],
)
def test_whatever_forbids_a_verdict_replaces_it(made, reason):
    found = page(*made())
    assert found.title == "No verdict"
    assert (found.lead, found.sure, found.table, found.next) == ("", "", None, ())
    assert reason in [statement.reason for statement in found.statements]


def test_the_statement_names_the_responses_so_that_someone_can_go_and_grade_them():
    results, campaign = blank_one()
    missing = next(r for r in results.readings if None in r.scores.values())
    assert page(results, campaign).statements[0].places == f"{missing.item} {missing.label} (reader-1)"


def test_the_reason_given_for_an_early_reveal_is_quoted():
    assert page(*early()).statements[0].remedy == "Reason given: the board meets tomorrow"


@pytest.mark.parametrize(
    ("runs", "title"),
    [
        pytest.param({"solo": [GOOD] * 12}, "One run, nothing to compare with", id="one run"),
        pytest.param({"a": [GOOD] * 12, "b": [GOOD] * 12}, "The 2 runs cannot be told apart", id="a tie"),
        pytest.param(
            {"a": [GOOD] * 12, "b": [GOOD] * 10 + [BAD] * 2},
            "The 2 runs cannot be told apart",
            id="12 against 10: p = 0.5",
        ),
        pytest.param({"a": [GOOD] * 12, "b": [BAD] * 12}, "a leads", id="12 against 0: p < 0.001"),
    ],
)
def test_runs_are_never_ranked_only_told_apart_or_not(runs, title):
    assert page(*tiny(shipped_rubric("larkfield"), runs)).title == title


def test_agreement_that_nobody_measured_is_said_and_asked_for():
    found = page(*tiny(shipped_rubric("larkfield"), {"a": [GOOD] * 12, "b": [BAD] * 12}))
    assert ("not measured", "agreement: one reader only") in [(f.figure, f.meaning) for f in found.facts]
    assert found.next[-1].text == "Have a second person read a shared sample."


def test_a_judge_that_graded_is_named_where_the_figures_stand():
    rubric = shipped_rubric("aws-assistant")
    top = {c.id: c.top for c in rubric.criteria}
    found = page(*tiny(rubric, {"a": [top] * 6, "b": [top] * 6}, graded_by="judge"))
    assert found.facts[0].meaning == "graded by a judge"


def test_no_vote_of_a_campaign_without_any_response():
    results, campaign = tiny(shipped_rubric("larkfield"), {"a": [levels(accuracy=None)]})
    found = page(results, campaign)
    assert found.statements[0].reason == "1 response of 1 has no complete grade."


def words_of(found: Decision) -> int:
    texts = [
        found.title,
        found.about,
        found.lead,
        found.sure,
        found.next_heading,
        *(s.text for s in found.next),
    ]
    texts += [part for fact in found.facts for part in (fact.figure, fact.meaning)]
    texts += [
        part
        for statement in found.statements
        for part in (statement.reason, statement.remedy, statement.places)
    ]
    if found.table:
        texts += [column.text for column in found.table.columns]
        texts += [tick.text for column in found.table.columns if column.scale for tick in column.scale.ticks]
        texts += [cell.text for row in found.table.rows for cell in row.cells]
    return sum(len(part.split()) for part in texts)


@pytest.mark.parametrize("translate", [EN, FR], ids=["en", "fr"])
def test_page_1_has_at_most_120_words_with_its_table(translate):
    assert 40 < words_of(demo_page(translate)) <= 120


def test_every_drawing_says_its_figures_in_words():
    marks = [cell.mark for row in demo_page().table.rows for cell in row.cells if cell.mark]
    assert marks[0].alt == "Claude Haiku 5.5: 24 of 24 ready; 95% interval 86%\u00a0to\u00a0100%"


def test_in_french_the_page_is_french():
    found = demo_page(FR)
    assert found.title == "5 exécutions sur 8 en tête, à égalité"
    assert found.lead == "Réponses prêtes\u00a0: 22\u00a0à\u00a024 sur 24, contre 6\u00a0à\u00a014 ailleurs."
