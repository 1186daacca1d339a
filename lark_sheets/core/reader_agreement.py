"""Agreement between a campaign's readers: on each criterion, on all of them, on the decision; pair by pair and ticket by ticket."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from lark_sheets.core.agreement import (
    Agreement,
    ByTicket,
    agreement_of,
    by_ticket,
    count,
    on_all_criteria,
    pairwise,
    reader_kind,
)
from lark_sheets.core.agreement.by_ticket import HOLDING, draws_for
from lark_sheets.core.campaign import Campaign, Reading, by_response
from lark_sheets.core.intervals import Interval, clustered_share
from lark_sheets.core.results import AgreementSummary, ReaderSummary
from lark_sheets.core.rubric import Level, Rubric

Grades = Mapping[str, Level | None]
Table = Mapping[str, Mapping[str, Reading]]
Measure = tuple[Callable[[Grades], Level | None], Sequence[Level], bool]
"""How a value is read from grades, all the values it may take, and whether they have an order."""

DECISION = ""
"""Key of the decision among the measures; the others are ids of criteria, which are never empty."""


def agreement_of_readings(
    campaign: Campaign, responses: set[str] | None = None, *, detailed: bool = False
) -> AgreementSummary:
    """Measure agreement between graders on the responses that two or more of them read under today's rubric.

    Each criterion uses the readings that graded it; "all criteria" and the decision use complete readings only. Graders that are
    positions and not persons get no kappa. Responses that one grader read tell nothing, of no coefficient.

    Args:
        campaign: its first readings are compared; stale ones are left out, so that grades of two rubrics never meet.
        responses: limits the sample to some responses (one run's).
        detailed: adds each pair of readers where there are more than two, and intervals by ticket where tickets have several
            shared responses.
    """
    rubric = campaign.rubric
    known = [grader.name for grader in campaign.graders]
    names = list(dict.fromkeys([*known, *(reading.grader for reading in campaign.readings)]))
    persons = not any(grader.is_position for grader in campaign.graders)
    table = _fresh(campaign, responses)
    measures = _measures(rubric)
    values = {key: _values(table, measure) for key, measure in measures.items()}
    counted = {key: count(values[key], levels, names) for key, (_, levels, _) in measures.items()}
    found = {
        key: agreement_of(counted[key], ordinal=ordinal, persons=persons, shared_only=True)
        for key, (_, _, ordinal) in measures.items()
    }
    summary = replace(_summary(table, found, rubric), tickets=len(_tickets(campaign, _shared(table))))
    if not detailed:
        return summary
    several = len(_taking_part(found)) > 2
    of_pairs = {
        key: pairwise(counted[key], ordinal=ordinal, persons=persons)
        for key, (_, _, ordinal) in measures.items()
        if several
    }
    tickets: dict[Hashable, Hashable] = {response.id: response.item for response in campaign.responses}
    clustered = {
        key: of_tickets
        for key, (_, levels, ordinal) in measures.items()
        if (
            of_tickets := _clustered(
                values[key], tickets, levels, ordinal=ordinal, persons=persons, names=names
            )
        )
    }
    return replace(
        summary,
        pairs={
            pair: _summary(
                {response: _of(pair, readings) for response, readings in table.items()},
                {key: pairs[pair] for key, pairs in of_pairs.items()},
                rubric,
            )
            for pair in next(iter(of_pairs.values()), {})
        },
        all_by_ticket=_all_by_ticket(campaign, table),
        decision_by_ticket=clustered.get(DECISION),
        criteria_by_ticket={key: found for key, found in clustered.items() if key != DECISION},
    )


def readers_of(campaign: Campaign, candidates: Sequence[str] = ()) -> tuple[ReaderSummary, ...]:
    """Return who the readers are and how much each read completely under today's rubric.

    ``candidates`` are the names of the runs, given after the reveal only: a model that reads its own family is told then.
    """
    table = _fresh(campaign, None)
    read = [
        [name for name, reading in readings.items() if reading.is_complete] for readings in table.values()
    ]
    return tuple(
        ReaderSummary(
            name=grader.name,
            model=grader.model,
            kind=reader_kind(grader.model, candidates, person=not grader.is_position),
            read=sum(grader.name in names for names in read),
            shared=sum(grader.name in names and len(names) > 1 for names in read),
        )
        for grader in campaign.graders
    )


def binary_outcome(rubric: Rubric) -> tuple[Callable[[Grades], str | None], tuple[str, str]] | None:
    """Return how the decision is read from grades, and its two values: the favourable outcome or not, the main label or not.

    None for a rubric without an outcome.
    """
    if rubric.favourable:
        other = next((o for o in rubric.outcomes if o != rubric.favourable), "other")
        return (lambda grades: _either(rubric.decide(grades), rubric.favourable, other)), (
            rubric.favourable,
            other,
        )
    if rubric.main_label:
        category = next(c.id for c in rubric.criteria if c.is_category)
        other = f"not_{rubric.main_label}"
        return (lambda grades: _either(grades.get(category), rubric.main_label, other)), (
            rubric.main_label,
            other,
        )
    return None


def _either(value: Level | None, wanted: str, other: str) -> str | None:
    return None if value is None else wanted if value == wanted else other


def _measures(rubric: Rubric) -> dict[str, Measure]:
    outcome = binary_outcome(rubric)
    decision: dict[str, Measure] = {DECISION: (outcome[0], outcome[1], False)} if outcome else {}
    return decision | {c.id: (partial(_level_on, c.id), c.levels, not c.is_category) for c in rubric.criteria}


def _level_on(criterion: str, grades: Grades) -> Level | None:
    return grades.get(criterion)


def _fresh(campaign: Campaign, responses: set[str] | None) -> Table:
    return {
        response: {name: reading for name, reading in graders.items() if not campaign.is_stale(reading)}
        for response, graders in by_response(campaign.readings).items()
        if responses is None or response in responses
    }


def _values(table: Table, measure: Measure) -> dict[Hashable, dict[str, Hashable]]:
    """Return the value of every reading that has one, by response and reader."""
    value = measure[0]
    found: dict[Hashable, dict[str, Hashable]] = {}
    for response, readings in table.items():
        given: dict[str, Hashable] = {
            name: level for name, r in readings.items() if (level := value(r.grades)) is not None
        }
        if given:
            found[response] = given
    return found


def _of(pair: tuple[str, str], readings: Mapping[str, Reading]) -> dict[str, Reading]:
    return {name: reading for name, reading in readings.items() if name in pair}


def _complete(table: Table) -> dict[str, dict[str, Grades]]:
    return {
        response: {name: reading.grades for name, reading in readings.items() if reading.is_complete}
        for response, readings in table.items()
    }


def _shared(table: Table) -> list[str]:
    return [response for response, readings in _complete(table).items() if len(readings) > 1]


def _tickets(campaign: Campaign, responses: Sequence[str]) -> set[str]:
    items = campaign.response()
    return {items[response].item for response in responses}


def _taking_part(found: Mapping[str, Agreement]) -> set[str]:
    return {name for one in found.values() for name in one.reader_names}


def _summary(table: Table, found: Mapping[str, Agreement], rubric: Rubric) -> AgreementSummary:
    complete = _complete(table)
    equal, shared, interval = on_all_criteria(list(complete.values()), [c.id for c in rubric.criteria])
    return AgreementSummary(
        shared=shared,
        all_equal=equal,
        all_n=shared,
        all_interval=interval,
        decision=found.get(DECISION),
        criteria={key: one for key, one in found.items() if key != DECISION},
        read=sum(bool(readings) for readings in complete.values()),
    )


def _clustered(
    values: Mapping[Hashable, Mapping[str, Hashable]],
    tickets: Mapping[Hashable, Hashable],
    levels: Sequence[Level],
    *,
    ordinal: bool,
    persons: bool,
    names: Sequence[str],
) -> ByTicket | None:
    """Return agreement by ticket where that says more than agreement by response: several to a ticket, or enough to redraw."""
    shared = [response for response, given in values.items() if len(given) > 1]
    count_of_tickets = len({tickets[response] for response in shared})
    draws = draws_for(count_of_tickets, len(shared))
    if count_of_tickets == len(shared) and not draws:
        return None
    return by_ticket(
        values,
        tickets,
        levels,
        ordinal=ordinal,
        persons=persons,
        readers=names,
        shared_only=True,
        only=HOLDING,
        draws=draws,
    )


def _all_by_ticket(campaign: Campaign, table: Table) -> Interval | None:
    """Return the interval by ticket of equal grades on all criteria, where a ticket has several shared responses."""
    items, complete = campaign.response(), _complete(table)
    equal: dict[str, int] = {}
    shared: dict[str, int] = {}
    for response in _shared(table):
        first, *others = complete[response].values()
        ticket = items[response].item
        shared[ticket] = shared.get(ticket, 0) + 1
        equal[ticket] = equal.get(ticket, 0) + all(dict(first) == dict(other) for other in others)
    if len(shared) == sum(shared.values()):
        return None
    found = clustered_share(list(equal.values()), list(shared.values()))
    return found[0] if found else None
