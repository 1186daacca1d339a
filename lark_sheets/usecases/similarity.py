"""``similarity``: which responses to read first, by how far they stand from a reference answer. Enters no grade, no result, no verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from lark_sheets.core.code_checks import reply_of
from lark_sheets.core.problems import problem
from lark_sheets.core.results_json import dumps, plain
from lark_sheets.core.similarity import (
    RunShift,
    Similar,
    adjust,
    cosine,
    ranked,
    reading_list,
    shift,
)
from lark_sheets.core.text import canonical
from lark_sheets.errors import DataError, UsageError
from lark_sheets.ports import Embeddings
from lark_sheets.usecases.comparing import BLIND, pair_runs, shared_items
from lark_sheets.usecases.folders import folder_of
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.recomputing import Computed, compute
from lark_sheets.usecases.reporting import KEPT_PRIVATE

SIMILARITY_SCHEMA = "lark-sheets/similarity/1"
FILE = "similarity.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityRequest:
    """What ``similarity`` was asked for. ``earlier`` is the campaign to compare with; ``runs`` names one of its runs and one of today's."""

    book: Path
    key: Path | None = None
    earlier: Path | None = None
    key_earlier: Path | None = None
    runs: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Similarity:
    """What came of it: every response, the order to read them in, and the changes against the earlier campaign.

    ``named`` says whether runs may be named (after the reveal). ``without`` counts responses without a value.
    """

    campaign: str
    model: str
    remote: str
    named: bool
    rows: tuple[Similar, ...]
    to_read: tuple[Similar, ...]
    shifts: tuple[RunShift, ...]
    without: int
    path: Path


def similarity(request: SimilarityRequest, needs: Needs, embeddings: Embeddings) -> Similarity:
    """Measure how far each reply stands from its ticket's reference, and write ``similarity.json`` beside the campaign.

    Ranks are within a run even before the reveal (the key is used, no name is told). Raises :class:`DataError` when no ticket has a
    reference, :class:`UsageError` when texts that never leave would be sent to a service, or the earlier runs cannot be paired.
    """
    now = compute(load_one(request.book, needs), needs, key=request.key)
    sides = [now]
    if request.earlier is not None:
        sides.insert(0, compute(load_one(request.earlier, needs), needs, key=request.key_earlier))
    for side in sides:
        if embeddings.remote and side.results.rubric.id in KEPT_PRIVATE:
            raise UsageError(
                problem("similarity_private", found=side.results.rubric.id, url=embeddings.remote)
            )
    tables = [_measured(side, needs, embeddings) for side in sides]
    rows = ranked(tables[-1])
    if all(row.value is None for row in rows):
        raise DataError(problem("no_reference", file=now.loaded.path.name))
    shifts = _shifts(request, sides, tables) if len(sides) > 1 else ()
    path = folder_of(now.loaded.path).root / FILE
    done = Similarity(
        campaign=now.results.campaign,
        model=embeddings.name,
        remote=embeddings.remote,
        named=bool(now.results.runs),
        rows=rows,
        to_read=reading_list(rows, shifts),
        shifts=shifts,
        without=sum(row.value is None for row in rows),
        path=path,
    )
    needs.files.write_text(path, dumps(similarity_plain(done)))
    return done


def _measured(side: Computed, needs: Needs, embeddings: Embeddings) -> list[Similar]:
    """Return every response with its value; each distinct text is embedded once."""
    campaign = side.loaded.campaign
    items = campaign.item()
    # The only run of a campaign that is not revealed needs no name; of several, the ranks need to know which is which.
    grouped = bool(side.key.matches) and (bool(side.results.runs) or campaign.runs_expected > 1)
    run_of = side.key.run_of if grouped else {}
    pairs = [(r, canonical(reply_of(r.text)), canonical(items[r.item].reference)) for r in campaign.responses]
    wanted = dict.fromkeys(
        text for _, reply, reference in pairs if reply and reference for text in (reply, reference)
    )
    needs.progress.step(needs.translate("Embedding {count} texts", count=len(wanted)))
    vectors = dict(zip(wanted, embeddings.embed(list(wanted)), strict=True))
    return [
        Similar(
            id=response.id,
            item=response.item,
            label=response.label,
            run=run_of.get(response.id, BLIND),
            value=cosine(vectors[reply], vectors[reference]) if reply and reference else None,
        )
        for response, reply, reference in pairs
    ]


def _shifts(
    request: SimilarityRequest, sides: Sequence[Computed], tables: Sequence[Sequence[Similar]]
) -> tuple[RunShift, ...]:
    """Compare run by run with the earlier campaign, on items whose text and reference are the same."""
    before, after = (side.loaded.campaign for side in sides)
    items, _ = shared_items(before, after)
    references = [{item.id: canonical(item.reference) for item in c.items} for c in (before, after)]
    items = {item for item in items if references[0][item] == references[1][item]}
    values: list[dict[str, dict[str, Fraction | None]]] = []
    for side, table in zip(sides, tables, strict=True):
        by_run: dict[str, dict[str, Fraction | None]] = {run.run: {} for run in side.results.runs}
        for row in table:
            if row.item in items:
                by_run.setdefault(row.run, {})[row.item] = row.value
        values.append(by_run)
    pairs = pair_runs(request.runs, sides, values)
    return adjust([shift(values[0][one], values[1][two], (one, two)) for one, two in pairs])


def similarity_plain(done: Similarity) -> dict[str, Any]:
    """Return everything as plain JSON data: cosines from -1 to 1, never a percentage; runs are null before the reveal."""

    def named(run: str) -> str | None:
        return run if done.named and run else None

    return {
        "schema": SIMILARITY_SCHEMA,
        "campaign": done.campaign,
        "model": done.model,
        "service": done.remote or None,
        "use": "sorting only: no percentage of quality, no threshold, in no grade and no verdict",
        "without_value": done.without,
        "to_read": [
            {
                "id": row.id,
                "item": row.item,
                "label": row.label,
                "run": named(row.run),
                "similarity": plain(row.value),
                "rank": row.rank,
                "of": row.of,
            }
            for row in done.to_read
        ],
        "changes": [
            {
                "before": named(one.before),
                "after": named(one.after),
                "n": len(one.shifts),
                "mean_change": plain(one.mean),
                "interval": plain(one.interval),
                "p": one.p,
                "p_is_upper_bound": one.at_most,
                "p_holm": one.adjusted,
                "items": [
                    {
                        "item": s.item,
                        "before": plain(s.before),
                        "after": plain(s.after),
                        "change": plain(s.change),
                    }
                    for s in one.shifts
                ],
            }
            for one in done.shifts
        ],
    }
