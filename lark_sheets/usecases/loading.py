"""Reading workbooks from paths: several at once, grouped by campaign, a bad one told without stopping the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from lark_sheets.core.campaign import Campaign, Reading
from lark_sheets.errors import LarkError, Problem
from lark_sheets.usecases.folders import workbook_of
from lark_sheets.usecases.keys import FoundKey, find_key
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook.codec import ReadBook, merge, read_campaign


@dataclass(slots=True, kw_only=True)
class Loaded:
    """One campaign as its workbooks tell it: the campaign's own first, then its graders'."""

    path: Path
    read: ReadBook
    books: list[tuple[Path, ReadBook]] = field(default_factory=list)

    @property
    def campaign(self) -> Campaign:
        """Return the campaign with all readings merged."""
        return self.read.campaign

    @property
    def problems(self) -> list[Problem]:
        """Return everything to tell of the workbooks."""
        return self.read.problems


@dataclass(slots=True, kw_only=True)
class LoadedAll:
    """Several campaigns, and the workbooks that could not be read."""

    campaigns: list[Loaded]
    failed: list[LarkError]


def load_one(path: Path, needs: Needs) -> Loaded:
    """Read one workbook (or the campaign's in a folder). Raises :class:`LarkError` when it cannot be used."""
    workbook = workbook_of(path, needs.files)
    read = read_campaign(needs.books.read(workbook))
    return Loaded(path=workbook, read=read, books=[(workbook, read)])


def load_all(paths: Sequence[Path], needs: Needs) -> LoadedAll:
    """Read several workbooks and merge those of one campaign; each one that fails is told apart."""
    groups: dict[str, list[tuple[Path, ReadBook]]] = {}
    failed: list[LarkError] = []
    for path in dict.fromkeys(paths):
        try:
            one = load_one(path, needs)
        except LarkError as error:
            failed.append(error)
        else:
            groups.setdefault(one.campaign.id, []).append((one.path, one.read))
    campaigns = []
    for books in groups.values():
        books.sort(key=lambda pair: pair[1].kind != "campaign")
        merged = merge([read for _, read in books]) if books[0][1].kind == "campaign" else _together(books)
        campaigns.append(Loaded(path=books[0][0], read=merged, books=books))
    return LoadedAll(campaigns=campaigns, failed=failed)


def _together(books: list[tuple[Path, ReadBook]]) -> ReadBook:
    """Put grader files without their campaign together: every file brings its own rows."""
    first = books[0][1]
    responses = {r.id: r for _, read in books for r in read.campaign.responses}
    items = {i.id: i for _, read in reversed(books) for i in read.campaign.items}
    readings: dict[tuple[str, str, int], Reading] = {}
    for _, read in books:
        readings |= {r.key: r for r in read.campaign.readings if r.key not in readings}
    campaign = replace(
        first.campaign,
        items=tuple(items.values()),
        responses=tuple(responses.values()),
        readings=tuple(readings.values()),
        lost=sum(read.campaign.lost for _, read in books),
    )
    whole = ReadBook(
        book=first.book,
        marks=first.marks,
        campaign=campaign,
        grades=first.grades,
        problems=list(first.problems),
    )
    return merge([whole, *(read for _, read in books[1:])])


def with_key(loaded: Loaded, needs: Needs, given: Path | None = None) -> FoundKey:
    """Find the key of a loaded campaign and add what it tells: whether it fits, and responses whose rows are gone."""
    key = find_key(loaded.campaign, loaded.path, needs.files, given)
    loaded.read.problems.extend(key.problems)
    return key
