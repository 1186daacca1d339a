"""``new``: items, responses and a rubric become one blind workbook per grader, and a key that stays behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lark_sheets.core.assignment import Assignment, assign, draw_sample
from lark_sheets.core.blinding import BlindingKey, KeyedResponse, commitment, draw_labels, random_ids
from lark_sheets.core.campaign import Campaign, Grader, Item, LogEntry, Reading, Response
from lark_sheets.core.language import Language
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Rubric
from lark_sheets.core.text import squeezed
from lark_sheets.errors import DataError, Problem, UsageError
from lark_sheets.usecases.folders import CampaignFolder
from lark_sheets.usecases.inputs import (
    GivenResponse,
    load_practice,
    load_rubric,
    read_items,
    read_responses,
    telling_words,
)
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook.build import build_campaign, build_grader
from lark_sheets.workbook.grades import named
from lark_sheets.workbook.practice import Practice

ONLY_GRADER = "reader-1"
JUDGE = "judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCampaign:
    """What ``new`` was asked for. ``salt`` is None except for the demo, whose salt is fixed and public; ``ranking`` adds the ranking sheet."""

    rubric: str
    items: Path
    responses: Path
    out: Path
    language: Language
    graders: tuple[Grader, ...] = ()
    shared: int = 0
    not_shared: tuple[str, ...] = ()
    block: int | None = None
    seed: int = 0
    salt: str | None = None
    practice: Practice | None = None
    ranking: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Created:
    """What ``new`` made."""

    campaign: Campaign
    workbooks: tuple[Path, ...]
    key: Path
    problems: tuple[Problem, ...]


def create(request: NewCampaign, needs: Needs) -> Created:
    """Create a campaign folder.

    Nothing is written when an input has a fault. Raises :class:`UsageError` for a missing path or a folder that
    already holds a campaign, :class:`DataError` with every fault of the inputs.
    """
    folder = CampaignFolder(request.out)
    if needs.files.exists(folder.campaign):
        raise UsageError(problem("already_there", file=str(request.out)))
    rubric = load_rubric(request.rubric, needs)
    practice = request.practice or load_practice(request.rubric, rubric, needs)
    items = read_items(request.items, needs)
    given = read_responses(request.responses, items, needs)
    salt = request.salt or needs.new_salt()
    graders = request.graders or (_default_grader(rubric),)
    campaign, key, problems = _blind(request, rubric, items, given, graders, salt, needs)
    needs.progress.step(needs.translate("Writing the workbooks"))
    written = [folder.campaign]
    key_path = folder.key(campaign.id)
    needs.files.write_text(key_path, key.to_json(), private=True)
    for grader in request.graders:
        plan = build_grader(
            campaign, grader.name, needs.translate, practice=practice, ranking=request.ranking
        )
        needs.books.write(plan, folder.grader(grader.name))
        written.append(folder.grader(grader.name))
    needs.books.write(build_campaign(campaign, needs.translate, practice=practice), folder.campaign)
    return Created(campaign=campaign, workbooks=tuple(written), key=key_path, problems=tuple(problems))


def _default_grader(rubric: Rubric) -> Grader:
    if rubric.graded_by_default == "judge":
        return Grader(name=JUDGE, model=JUDGE)
    return Grader(name=ONLY_GRADER)


def _blind(
    request: NewCampaign,
    rubric: Rubric,
    items: tuple[Item, ...],
    given: Sequence[GivenResponse],
    graders: tuple[Grader, ...],
    salt: str,
    needs: Needs,
) -> tuple[Campaign, BlindingKey, list[Problem]]:
    """Draw letters and ids, seal the key, deal the responses."""
    _check_graders(graders)
    name = f"{rubric.id}-{random_ids(salt, 1, prefix='', length=6)[0]}"
    runs = tuple(dict.fromkeys(r.run for r in given))
    _check_not_shared(request.not_shared, runs)
    by_item: dict[str, list[str]] = {item.id: [] for item in items}
    for row in given:
        by_item[row.item].append(row.run)
    runs_of = {item: found for item, found in by_item.items() if found}
    labels = draw_labels(salt, runs_of, request.block)
    names = random_ids(salt, len(given))
    item_of = {item.id: item for item in items}
    position = {item.id: n for n, item in enumerate(items)}
    run_of: dict[str, GivenResponse] = {}
    responses: list[Response] = []
    for row, response_id in zip(given, names, strict=True):
        run_of[response_id] = row
        responses.append(
            Response(
                id=response_id,
                item=row.item,
                label=labels[row.item, row.run],
                text=row.text,
                language=row.language or item_of[row.item].language,
                fields=row.fields,
            )
        )
    key = BlindingKey(
        campaign=name,
        salt=salt,
        responses={
            r.id: KeyedResponse(
                run=run_of[r.id].run,
                item=r.item,
                label=r.label,
                given_id=run_of[r.id].given_id,
                fingerprint=r.fingerprint,
            )
            for r in responses
        },
    )
    responses.sort(
        key=lambda r: (r.label[:-1] if request.block else "", position[r.item], len(r.label), r.label)
    )
    sample = _sample(request, responses, run_of)
    assignment = assign([(r.id, r.item, r.language) for r in responses], graders, set(sample))
    campaign = Campaign(
        id=name,
        rubric=rubric,
        language=request.language,
        items=items,
        responses=tuple(responses),
        readings=_readings(rubric, responses, assignment, graders),
        graders=graders,
        commitments=(commitment(key.to_json()),),
        runs_expected=len(runs),
        block=request.block,
        graded_by="judge" if not request.graders and rubric.graded_by_default == "judge" else "people",
        versions=(rubric,),
        log=(_created(needs, responses, runs, request, sample),),
    )
    return (
        campaign,
        key,
        [
            *_gaps(runs_of, runs),
            *telling_problems(responses, runs),
            *_unmatched(assignment, responses, graders),
        ],
    )


def _check_graders(graders: Sequence[Grader]) -> None:
    names = [g.name.casefold() for g in graders]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise UsageError(
            problem("repeated_id", item="--graders", found=", ".join(repeated), rows="--graders")
        )


def _check_not_shared(not_shared: Sequence[str], runs: Sequence[str]) -> None:
    unknown = [run for run in not_shared if run not in runs]
    if unknown:
        raise DataError(
            *(problem("unknown_run", item="--not-shared", found=run, count=len(runs)) for run in unknown)
        )


def _sample(
    request: NewCampaign, responses: Sequence[Response], run_of: dict[str, GivenResponse]
) -> list[str]:
    if not request.shared:
        return []
    of_run: dict[str, list[str]] = {}
    for response in sorted(responses, key=lambda r: r.item):
        of_run.setdefault(run_of[response.id].run, []).append(response.id)
    return draw_sample(of_run, request.shared, request.seed, request.not_shared)


def _readings(
    rubric: Rubric, responses: Sequence[Response], assignment: Assignment, graders: Sequence[Grader]
) -> tuple[Reading, ...]:
    def blank(response: Response, grader: str, *, owner: bool) -> Reading:
        grades = dict.fromkeys(c.id for c in rubric.criteria)
        return Reading(
            response=response.id, grader=grader, owner=owner, grades=grades, version=rubric.version
        )

    rows = []
    for grader in graders:
        for response in responses:
            if assignment.owner[response.id] == grader.name:
                rows.append(blank(response, grader.name, owner=True))
            elif grader.name in assignment.further.get(response.id, ()):
                rows.append(blank(response, grader.name, owner=False))
    return tuple(rows)


def _created(
    needs: Needs,
    responses: Sequence[Response],
    runs: Sequence[str],
    request: NewCampaign,
    sample: Sequence[str],
) -> LogEntry:
    detail = f"responses {len(responses)}; runs {len(runs)}; shared {len(sample)} (seed {request.seed})"
    return LogEntry(
        when=needs.clock.now().isoformat(timespec="seconds"),
        who=needs.who,
        event="created",
        detail=detail,
        version=1,
    )


def _gaps(runs_of: dict[str, list[str]], runs: Sequence[str]) -> list[Problem]:
    missing = sum(len(runs) - len(found) for found in runs_of.values())
    if not missing:
        return []
    items = named(item for item, found in runs_of.items() if len(found) < len(runs))
    return [problem("missing_responses", found=items, count=missing)]


def telling_problems(responses: Sequence[Response], runs: Sequence[str]) -> list[Problem]:
    """Tell the responses that may name a run; by ticket and letter, since even this message may be read by a grader."""
    telling = telling_words(runs)
    whole = {squeezed(run) for run in runs}
    found = []
    for response in responses:
        words = {squeezed(word) for word in response.text.split()}
        flat = squeezed(response.text)
        if words & telling.keys() or any(name in flat for name in whole):
            found.append(f"{response.item}-{response.label}")
    return [problem("run_name_in_text", found=named(found))] if found else []


def _unmatched(
    assignment: Assignment, responses: Sequence[Response], graders: Sequence[Grader]
) -> list[Problem]:
    if not assignment.unmatched:
        return []
    languages = {r.id: r.language for r in responses}
    found = named(sorted({languages[r] or "?" for r in assignment.unmatched}))
    return [
        problem("language_unmatched", found=found, count=len(assignment.unmatched), grader=graders[0].name)
    ]
