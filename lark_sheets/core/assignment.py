"""Who grades what: each response has one owner, and a shared sample is read by the others too."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from lark_sheets.core.campaign import Grader
from lark_sheets.core.text import folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """The owner of every response, the further readers of the shared ones, and the responses whose language nobody reads."""

    owner: Mapping[str, str]
    further: Mapping[str, tuple[str, ...]]
    unmatched: tuple[str, ...]


def assign(
    responses: Sequence[tuple[str, str, str]],
    graders: Sequence[Grader],
    shared: Collection[str] = (),
) -> Assignment:
    """Deal responses, given as (id, item, language of the reply expected), to graders.

    A response goes to a grader of its language; several of one language share its items in turn. Where none reads it,
    graders without a language share it in turn; where there is none of those either, the first grader gets it and it is
    told as unmatched. All responses of an item in one language go to the same grader. ``shared`` responses are read by
    every other grader as well.
    """
    owner: dict[str, str] = {}
    unmatched: list[str] = []
    turns: dict[tuple[str, ...], int] = {}
    dealt: dict[tuple[str, str], str] = {}
    open_to_all = [g for g in graders if not g.languages]
    for response, item, language in responses:
        spoken = folded(language)
        readers = [g for g in graders if spoken and spoken in map(folded, g.languages)] or open_to_all
        if not readers:
            readers = [graders[0]]
            unmatched.append(response)
        group = tuple(g.name for g in readers)
        if (item, spoken) not in dealt:
            turn = turns.get(group, 0)
            dealt[item, spoken] = group[turn % len(group)]
            turns[group] = turn + 1
        owner[response] = dealt[item, spoken]
    further = {r: tuple(g.name for g in graders if g.name != owner[r]) for r in owner if r in shared}
    return Assignment(owner=owner, further=further, unmatched=tuple(unmatched))


def draw_sample(
    of_run: Mapping[str, Sequence[str]], per_run: int, seed: int, left_out: Collection[str] = ()
) -> list[str]:
    """Return ``per_run`` responses of every run, drawn at random; ``seed`` alone decides, so that the draw can be repeated.

    ``of_run`` maps runs to their responses in the order of the items; runs in ``left_out`` are not drawn from.
    """
    source = random.Random(seed)  # noqa: S311  (a sample, no secret)
    drawn: list[str] = []
    for run in sorted(of_run):
        responses = list(of_run[run])
        picked = source.sample(responses, min(per_run, len(responses)))
        drawn += [] if run in left_out else picked
    return drawn
