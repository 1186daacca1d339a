"""Publishing a refusal bench: protocol, catalogue and measures as JSON, never an output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lark_sheets.core.campaign import Campaign
from lark_sheets.core.problems import problem
from lark_sheets.core.refusal_measures import (
    JudgeCheck,
    catalogue_plain,
    check_judge,
    measures_plain,
    protocol_plain,
)
from lark_sheets.core.refusal_protocol import Request, bench_of, list_sha256, why_unranked
from lark_sheets.core.results import Results
from lark_sheets.core.results_json import dumps
from lark_sheets.core.rubric import Rubric
from lark_sheets.core.run_conditions import RunConditions, conditions_from_row
from lark_sheets.core.scoring import is_checked
from lark_sheets.core.text import folded
from lark_sheets.errors import DataError, Problem, UsageError
from lark_sheets.usecases.folders import folder_of
from lark_sheets.usecases.inputs import FIRST_DATA_ROW, read_rows
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.recomputing import compute
from lark_sheets.usecases.refusals import PROTOCOL_FILE, listed, load_protocol
from lark_sheets.workbook.grades import named

PUBLISHED = "refusals"
CATALOGUE_FILE, MEASURES_FILE = "catalogue.json", "measures.json"
FEWEST_CHECKED = 20
"""Labels of people below which a check says nothing about a judge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What was published, and everything to tell."""

    results: Results
    check: JudgeCheck | None
    paths: tuple[Path, ...]
    problems: tuple[Problem, ...]


def publish(
    book: Path,
    needs: Needs,
    *,
    key: Path | None = None,
    out: Path | None = None,
    conditions: Path | None = None,
    reference: Path | None = None,
    protocol: str = "",
) -> Published:
    """Write protocol, catalogue and measures of a campaign of categories; never an output, only its fingerprint.

    ``conditions`` is a table with one row a run; ``reference`` one with the columns ``people`` and ``judge``: labels of a reference sample,
    which stand in for a calibration made with this program. Before the reveal nothing written names a run. Raises
    :class:`UsageError` for a campaign without categories, :class:`DataError` with every faulty row of the tables.
    """
    loaded = load_one(book, needs)
    done = compute(loaded, needs, key=key)
    campaign, results = loaded.campaign, done.results
    if not results.rubric.main_label:
        raise UsageError(problem("not_a_refusal_campaign", file=loaded.path.name, found=results.rubric.id))
    check = _reference(reference, results.rubric, needs) if reference else None
    if check is not None and check.judged >= FEWEST_CHECKED:
        results = _ranked_again(results, campaign)
    told = list(results.problems)
    stated = _conditions(conditions, needs) if conditions else []
    told += _conditions_problems(stated, results)
    bench = bench_of(campaign.items)
    name = protocol or (bench.protocol if bench else "")
    held = load_protocol(name, needs) if name else None
    folder = out or folder_of(loaded.path).root / PUBLISHED
    written: dict[Path, Mapping[str, object]] = {
        folder / CATALOGUE_FILE: catalogue_plain(results, stated, held),
        folder / MEASURES_FILE: measures_plain(results, campaign, held, check),
    }
    if held is not None:
        requests = [Request(item=i.id, text=i.text, type=i.type, stratum=i.stratum) for i in campaign.items]
        written[folder / PROTOCOL_FILE] = protocol_plain(
            held,
            fit=bench.fit if bench else "",
            found_sha256=bench.source_sha256 if bench else "",
            list_sha256=list_sha256((r.item, r.text) for r in requests),
            chosen=listed(requests),
        )
    for path, plain in written.items():
        needs.files.write_text(path, dumps(plain))
    return Published(results=results, check=check, paths=tuple(written), problems=tuple(told))


def _ranked_again(results: Results, campaign: Campaign) -> Results:
    """Return results in which the reason "judge not checked" is gone: people checked it on a reference sample."""
    if campaign.graded_by != "judge" or is_checked(results.judge):
        return results
    bench = bench_of(campaign.items)
    runs = []
    for run in results.runs:
        why = why_unranked(
            graded=run.graded,
            expected=max(run.responses, len(campaign.items)),
            bench=bench,
            judge_graded=True,
            judge_checked=True,
        )
        runs.append(replace(run, ranked=not why, why_unranked=why))
    return replace(results, runs=tuple(runs))


def _reference(path: Path, rubric: Rubric, needs: Needs) -> JudgeCheck:
    category = next(c for c in rubric.criteria if c.is_category)
    names = {folded(word): str(a.level) for a in category.anchors for word in (str(a.level), *a.name.both())}
    rows = read_rows(path, needs, ("people", "judge"))
    faults = []
    pairs: list[tuple[str, str | None]] = []
    for number, row in enumerate(rows, FIRST_DATA_ROW):
        people, judge = row["people"], row["judge"]
        if folded(people) not in names:
            allowed = ", ".join(map(str, category.levels))
            faults.append(
                problem("unknown_label", file=path.name, cell=str(number), found=people, allowed=allowed)
            )
        else:
            # What a judge wrote that is no label is a failed judgement, not a fault of the table.
            pairs.append((names[folded(people)], names.get(folded(judge))))
    if faults:
        raise DataError(*faults)
    return check_judge(rubric, pairs)


def _conditions(path: Path, needs: Needs) -> list[RunConditions]:
    found, faults = [], []
    for number, row in enumerate(read_rows(path, needs, ("run",)), FIRST_DATA_ROW):
        try:
            found.append(conditions_from_row(row))
        except ValueError:
            faults.append(
                problem("conditions_kind", file=path.name, cell=str(number), found=row.get("kind", ""))
            )
    if faults:
        raise DataError(*faults)
    return found


def _conditions_problems(stated: Sequence[RunConditions], results: Results) -> list[Problem]:
    """Tell what is lacking, but name a run only once the campaign is revealed."""
    if not results.revealed:
        return []
    runs = [run.run for run in results.runs]
    known = {c.run for c in stated}
    told = [
        problem("conditions_lacking", run=c.run, found=", ".join(c.gaps))
        for c in stated
        if c.gaps and c.run in runs
    ]
    told += [problem("conditions_unknown_run", found=c.run) for c in stated if c.run not in runs]
    if stated and (absent := [run for run in runs if run not in known]):
        told.append(problem("conditions_absent", found=named(absent), count=len(absent)))
    return told
