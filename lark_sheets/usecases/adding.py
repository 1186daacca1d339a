"""``new --more``: graders or responses join a campaign later; nothing that was graded is touched, old seals stay valid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lark_sheets.core.assignment import assign, draw_sample
from lark_sheets.core.blinding import (
    BlindingKey,
    KeyedResponse,
    commitment,
    generator,
    letters,
    random_ids,
)
from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.campaign import Campaign, Grader, Item, LogEntry, Reading, Response
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError, Problem, UsageError
from lark_sheets.usecases.creating import telling_problems
from lark_sheets.usecases.folders import CampaignFolder, folder_of
from lark_sheets.usecases.inputs import GivenResponse, read_items, read_responses
from lark_sheets.usecases.keys import FoundKey, need_key
from lark_sheets.usecases.loading import Loaded, load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import build_grader
from lark_sheets.workbook.filling import add_rows
from lark_sheets.workbook.grades import show_fields
from lark_sheets.workbook.journal import add_rows as add_table_rows, log_lines
from lark_sheets.workbook.marks import graders_mark
from lark_sheets.workbook.summary import refresh_summary


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreRequest:
    """What joins: new graders, new responses (of new runs, or of new items), and how many re-reads are mixed in per grader."""

    campaign: Path
    items: Path | None = None
    responses: Path | None = None
    graders: tuple[Grader, ...] = ()
    shared: int = 0
    not_shared: tuple[str, ...] = ()
    repeat: int = 0
    seed: int = 0
    key: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What was added: the workbooks for graders, the new key if there is one, the backup of the campaign, what to tell."""

    workbooks: tuple[Path, ...]
    key: Path | None
    backup: Path | None
    readings: int
    problems: tuple[Problem, ...]


def add_more(request: MoreRequest, needs: Needs) -> Added:
    """Add graders or responses to a campaign.

    New responses get the letters after those their ticket has, drawn anew from a salt of their own, and a second key file; the graders get a
    workbook of the new rows only. Raises :class:`UsageError` when nothing is to be added, :class:`DataError` with every
    fault of the inputs, or after the reveal.
    """
    loaded = load_one(request.campaign, needs)
    campaign = loaded.campaign
    if loaded.read.kind != "campaign":
        raise UsageError(problem("no_campaign", file=str(request.campaign), found=loaded.path.name))
    if not (request.responses or request.graders):
        allowed = "--responses FILE, --graders NAME ..."
        raise UsageError(problem("wrong_usage", found="--more", allowed=allowed, command="new"))
    if campaign.revealed:
        raise DataError(problem("already_revealed", file=loaded.path.name))
    known = {g.name for g in campaign.graders}
    repeated = [g.name for g in request.graders if g.name in known]
    if repeated:
        raise UsageError(
            problem("repeated_id", item="--graders", found=", ".join(repeated), rows=loaded.path.name)
        )
    found = need_key(campaign, loaded.path, needs.files, request.key)
    items, given = _inputs(request, campaign, needs)
    _check_new(given, found)
    salt = needs.new_salt()
    responses = _responses(campaign, given, {i.id: i for i in (*campaign.items, *items)}, salt)
    readings = _readings(request, campaign, responses, found)
    after = replace(
        campaign,
        items=(*campaign.items, *items),
        responses=(*campaign.responses, *(r for r, _ in responses)),
        readings=(*campaign.readings, *readings),
        graders=(*campaign.graders, *request.graders),
        runs_expected=len({*found.runs, *(g.run for _, g in responses)}),
    )
    folder = folder_of(loaded.path)
    key_path: Path | None = None
    if responses:
        text = _key(after, responses, salt).to_json()
        after = replace(after, commitments=(*campaign.commitments, commitment(text)))
        key_path = folder.key(campaign.id, len(after.commitments))
        needs.files.write_text(key_path, text, private=True)
    backup = needs.books.patch(loaded.path, _patch(loaded, after, items, readings, needs))
    workbooks = _grader_books(after, readings, folder, len(after.commitments), needs)
    told = [*telling_problems([r for r, _ in responses], [*found.runs, *(g.run for g in given)])]
    old_items = {item.id for item in campaign.items}
    if len({g.run for g in given if g.item in old_items}) == 1 and not request.repeat:
        told.append(problem("one_new_run"))
    return Added(
        workbooks=workbooks, key=key_path, backup=backup, readings=len(readings), problems=tuple(told)
    )


def _inputs(
    request: MoreRequest, campaign: Campaign, needs: Needs
) -> tuple[tuple[Item, ...], tuple[GivenResponse, ...]]:
    items = read_items(request.items, needs) if request.items else ()
    old = {item.id for item in campaign.items}
    new = tuple(item for item in items if item.id not in old)
    if not request.responses:
        return new, ()
    return new, read_responses(request.responses, (*campaign.items, *new), needs)


def _check_new(given: Sequence[GivenResponse], found: FoundKey) -> None:
    """Refuse responses that the campaign has: what is graded is never touched."""
    there = found.by_item_and_run()
    again = [f"{g.item} × {g.run}" for g in given if (g.item, g.run) in there]
    if again:
        raise DataError(*(problem("repeated_id", found=name, rows="key") for name in again))


def _responses(
    campaign: Campaign, given: Sequence[GivenResponse], items: Mapping[str, Item], salt: str
) -> list[tuple[Response, GivenResponse]]:
    """Return the new responses with ids and letters of their own; within a ticket, letters follow those it has, in random order."""
    taken = {r.id for r in campaign.responses}
    fresh = [name for name in random_ids(salt, len(given) + len(taken)) if name not in taken]
    by_item: dict[str, list[GivenResponse]] = {}
    for row in given:
        by_item.setdefault(row.item, []).append(row)
    labels: dict[tuple[str, str], str] = {}
    for item, rows in by_item.items():
        used = {r.label for r in campaign.responses if r.item == item}
        free = [letter for letter in letters(len(used) + len(rows)) if letter not in used][: len(rows)]
        generator(salt, f"letters {item}").shuffle(free)
        labels |= {(item, row.run): letter for row, letter in zip(rows, free, strict=True)}
    return [
        (
            Response(
                id=name,
                item=row.item,
                label=labels[row.item, row.run],
                text=row.text,
                language=row.language or items[row.item].language,
                fields=row.fields,
            ),
            row,
        )
        for name, row in zip(fresh, given, strict=False)
    ]


def _readings(
    request: MoreRequest,
    campaign: Campaign,
    responses: Sequence[tuple[Response, GivenResponse]],
    found: FoundKey,
) -> list[Reading]:
    graders = (*campaign.graders, *request.graders)
    blank = dict.fromkeys(c.id for c in campaign.rubric.criteria)

    def reading(response: str, grader: str, *, owner: bool = False, number: int = 1) -> Reading:
        version = campaign.rubric.version
        return Reading(
            response=response, grader=grader, owner=owner, grades=blank, version=version, number=number
        )

    rows: list[Reading] = []
    sample = _sample(request, campaign, responses, found)
    dealt = assign([(r.id, r.item, r.language) for r, _ in responses], graders, set(sample))
    for response, _ in responses:
        rows.append(reading(response.id, dealt.owner[response.id], owner=True))
        rows += [reading(response.id, name) for name in dealt.further.get(response.id, ())]
    old = {r.id for r in campaign.responses}
    rows += [
        reading(response, grader.name) for grader in request.graders for response in sample if response in old
    ]
    return rows + _repeats(request, campaign, rows)


def _sample(
    request: MoreRequest,
    campaign: Campaign,
    responses: Sequence[tuple[Response, GivenResponse]],
    found: FoundKey,
) -> list[str]:
    """Return the shared sample: of the new responses, and of all old ones for graders who are new."""
    if not request.shared:
        return []
    of_run: dict[str, list[str]] = {}
    for response, given in sorted(responses, key=lambda pair: pair[0].item):
        of_run.setdefault(given.run, []).append(response.id)
    if request.graders:
        for old in sorted(campaign.responses, key=lambda r: r.item):
            of_run.setdefault(found.run_of[old.id], []).append(old.id)
    return draw_sample(of_run, request.shared, request.seed, request.not_shared)


def _repeats(request: MoreRequest, campaign: Campaign, new: Sequence[Reading]) -> list[Reading]:
    """Return re-reads: responses that a grader has graded before and gets once more, mixed among the new ones."""
    if not request.repeat:
        return []
    graded: dict[str, list[Reading]] = {}
    highest: dict[tuple[str, str], int] = {}
    for reading in campaign.readings:
        place = (reading.response, reading.grader)
        highest[place] = max(highest.get(place, 0), reading.number)
        if reading.is_complete and reading.number == 1:
            graded.setdefault(reading.grader, []).append(reading)
    rows = []
    for grader in dict.fromkeys(r.grader for r in new):
        drawn = draw_sample(
            {grader: [r.response for r in graded.get(grader, [])]}, request.repeat, request.seed
        )
        for response in drawn:
            blank = dict.fromkeys(c.id for c in campaign.rubric.criteria)
            number = highest[response, grader] + 1
            version = campaign.rubric.version
            rows.append(
                Reading(
                    response=response,
                    grader=grader,
                    owner=False,
                    grades=blank,
                    version=version,
                    number=number,
                )
            )
    return rows


def _key(after: Campaign, responses: Sequence[tuple[Response, GivenResponse]], salt: str) -> BlindingKey:
    return BlindingKey(
        campaign=after.id,
        salt=salt,
        responses={
            r.id: KeyedResponse(
                run=g.run, item=r.item, label=r.label, given_id=g.given_id, fingerprint=r.fingerprint
            )
            for r, g in responses
        },
    )


def _patch(
    loaded: Loaded, after: Campaign, items: Sequence[Item], readings: Sequence[Reading], needs: Needs
) -> BookPatch:
    patch = BookPatch()
    read = replace(loaded.read, campaign=replace(after, readings=loaded.campaign.readings))
    add_rows(patch, read, readings)
    tickets: list[dict[str, str | int | None]] = [
        {
            "item": i.id,
            "text": i.text,
            "language": i.language,
            "type": i.type,
            "difficulty": i.difficulty,
            "stratum": i.stratum,
            "reference": i.reference,
            "must_mention": i.must_mention,
            "must_not_mention": i.must_not_mention,
            "fields": show_fields(i.fields),
        }
        for i in items
    ]
    if tickets:
        add_table_rows(patch, read.book, layout.TICKETS_TABLE, tickets)
    values = {
        "graders": graders_mark(after.graders),
        "commitments": " ".join(after.commitments),
        "runs": str(after.runs_expected),
        "rows": str(len(after.readings)),
        "owned": str(sum(r.owner for r in after.readings)),
    }
    for key, value in values.items():
        if key in read.marks.cells:
            patch.set(read.marks.sheet, *read.marks.cells[key], value)
    refresh_summary(patch, read, after, needs.translator_of(after.language))
    detail = f"readings {len(readings)}; responses {len(after.responses) - len(loaded.campaign.responses)}; graders {len(after.graders)}"
    now = needs.clock.now().isoformat(timespec="seconds")
    entry = LogEntry(when=now, who=needs.who, event="added", detail=detail, version=after.rubric.version)
    log_lines(patch, read.book, [entry])
    return patch


def _grader_books(
    after: Campaign, readings: Sequence[Reading], folder: CampaignFolder, number: int, needs: Needs
) -> tuple[Path, ...]:
    """Write a workbook of the new rows for every grader who has some; an earlier workbook of theirs stays as it is."""
    written = []
    part = replace(after, readings=tuple(readings))
    for grader in after.graders:
        if not any(r.grader == grader.name for r in readings):
            continue
        path = folder.grader(grader.name)
        if needs.files.exists(path):
            n = number
            while needs.files.exists(path := folder.grader(f"{grader.name}.more-{n}")):
                n += 1
        needs.books.write(build_grader(part, grader.name, needs.translator_of(after.language)), path)
        written.append(path)
    return tuple(written)
