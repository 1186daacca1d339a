"""``gather``: graders' workbooks come back into the campaign, both originals kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lark_sheets.core.problems import problem
from lark_sheets.errors import LarkError, Problem, UsageError
from lark_sheets.usecases.filling import Filled, Incoming, write_incoming
from lark_sheets.usecases.loading import Loaded, load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook.codec import ReadBook
from lark_sheets.workbook.grades import named

ROWS_REFUSED = frozenset({"row_identity_broken", "unknown_row", "date_in_id"})
"""Problems of a grader's workbook that refuse a whole row."""


def gather_books(campaign_path: Path, books: Sequence[Path], needs: Needs) -> Filled:
    """Bring readings from graders' workbooks into the campaign's.

    Rows are matched by their hidden id and their seal; blanks never overwrite; a reading that differs from one already there is told
    with both values and not written. A workbook that cannot be used is told and does not stop the others.
    """
    loaded = load_one(campaign_path, needs)
    if loaded.read.kind != "campaign":
        raise UsageError(problem("no_campaign", file=str(campaign_path), found=loaded.path.name))
    problems: list[Problem] = []
    incoming: dict[tuple[str, str, int], Incoming] = {}
    names = []
    failed = refused = 0
    for path in dict.fromkeys(books):
        needs.progress.step(needs.translate("Reading {name}", name=path.name))
        try:
            one = load_one(path, needs)
        except LarkError as error:
            problems += error.problems
            failed = max(failed, error.exit_code)
            continue
        if one.path.resolve() == loaded.path.resolve():
            continue
        problems += one.problems
        refused += sum(p.code in ROWS_REFUSED for p in one.problems)
        refused += sum(bool(r.refused) for r in one.campaign.readings)
        found = _fit(loaded, one.read)
        if found is not None:
            problems.append(found)
            continue
        names.append(path.name)
        _collect(loaded, one.read, incoming, problems)
    done = write_incoming(loaded, list(incoming.values()), needs, event="gather", source=named(names))
    done.problems += problems
    done.refused += refused
    done.failed = failed
    return done


def _fit(loaded: Loaded, other: ReadBook) -> Problem | None:
    """Return why a workbook cannot be gathered into this campaign, or None."""
    campaign = loaded.campaign
    if other.campaign.id != campaign.id:
        return problem("other_campaign", file=other.book.name, found=other.campaign.id, campaign=campaign.id)
    if other.campaign.rubric.version != campaign.rubric.version:
        found = other.campaign.rubric.version
        return problem("other_version", file=other.book.name, found=found, version=campaign.rubric.version)
    return None


def _collect(
    loaded: Loaded, other: ReadBook, incoming: dict[tuple[str, str, int], Incoming], problems: list[Problem]
) -> None:
    responses = loaded.campaign.response()
    there = {r.key for r in loaded.campaign.readings}
    for reading in other.campaign.readings:
        theirs = other.campaign.response()[reading.response] if reading.response not in responses else None
        if theirs is not None or reading.key not in there:
            problems.append(
                problem(
                    "unknown_row",
                    file=other.book.name,
                    sheet=reading.place.sheet,
                    cell=str(reading.place.row),
                    found=reading.response,
                )
            )
            continue
        if reading.is_blank:
            continue
        earlier = incoming.get(reading.key)
        if earlier is None or earlier.reading.is_blank:
            incoming[reading.key] = Incoming(reading=reading, source=other.book.name)
        elif dict(earlier.reading.grades) != dict(reading.grades):
            response = responses[reading.response]
            problems.append(
                problem(
                    "conflicting_copies",
                    file=other.book.name,
                    sheet=reading.place.sheet,
                    item=f"{response.item}-{response.label}",
                    found=", ".join(str(v) for v in reading.grades.values()),
                    grader=reading.grader,
                    first=earlier.source,
                    second=other.book.name,
                )
            )
            del incoming[reading.key]
            there.discard(reading.key)
