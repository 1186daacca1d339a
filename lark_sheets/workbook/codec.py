"""From the cells of a workbook to a :class:`Campaign`, with every problem by its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lark_sheets.core.campaign import Campaign, Item, LogEntry, Reading
from lark_sheets.core.cells import BookData
from lark_sheets.core.discussion import settled
from lark_sheets.core.language import DEFAULT_LANGUAGE, Language
from lark_sheets.core.problems import problem
from lark_sheets.core.rescoring.regrading import is_answer, rejoined
from lark_sheets.core.rubric import Rubric
from lark_sheets.core.text import clean_id
from lark_sheets.errors import DataError, Problem
from lark_sheets.workbook import layout
from lark_sheets.workbook.discussing import read_discussions
from lark_sheets.workbook.grades import REQUIRED, Defaults, GradesRead, parse_fields, read_grades
from lark_sheets.workbook.locate import FoundTable, find_table, maybe_table
from lark_sheets.workbook.marks import Marks, read_marks
from lark_sheets.workbook.rubric_sheet_reading import kept_versions, same_rubric, sheet_rubric


@dataclass(slots=True, kw_only=True)
class ReadBook:
    """One workbook understood: the campaign it holds, what to tell, and where things stand for a later patch."""

    book: BookData
    marks: Marks
    campaign: Campaign
    grades: FoundTable
    problems: list[Problem] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """Return "campaign" or "grader"."""
        return self.marks.values.get("kind", "campaign")

    @property
    def grader(self) -> str:
        """Return whose workbook this is, empty for a campaign's."""
        return self.marks.values.get("grader", "")


def read_campaign(book: BookData) -> ReadBook:
    """Read a campaign's or a grader's workbook.

    Bad cells and rows are told and refused one by one, the rest counts. Raises :class:`DataError` when the workbook as a
    whole cannot be used: not ours, newer than this program, no grading table, a criterion's column missing.
    """
    marks = read_marks(book)
    problems: list[Problem] = []
    versions = kept_versions(book)
    rubric = marks.rubric()
    if rubric is None:
        if not versions:
            raise DataError(problem("damaged_file", file=book.name, sheet=marks.sheet, found="rubric"))
        rubric = versions[-1]
    _compare_rubric(book, rubric, marks, problems)
    language: Language = "fr" if marks.values.get("language") == "fr" else DEFAULT_LANGUAGE
    found = find_table(book, layout.grades_table(rubric), (*REQUIRED, *(c.id for c in rubric.criteria)))
    texts = _long_texts(book)
    defaults = Defaults(
        grader=marks.values.get("grader", ""),
        version=marks.number("version") or rubric.version,
        texts=texts,
        older=tuple(reversed([v for v in versions if v.version != rubric.version])),
    )
    read = read_grades(found, rubric, defaults, book.name)
    problems += read.problems
    missing = marks.number("rows") - len(read.readings)
    if missing > 0:
        where = found.sheet.name
        problems.append(problem("missing_rows", file=book.name, sheet=where, count=missing))
    campaign = Campaign(
        id=marks.values.get("campaign", ""),
        rubric=rubric,
        language=language,
        items=_items(book, read, found, texts),
        responses=tuple(read.responses.values()),
        readings=tuple(read.readings),
        graders=marks.graders(),
        commitments=tuple(marks.values.get("commitments", "").split()),
        runs_expected=marks.number("runs"),
        block=marks.number("block") or None,
        graded_by=marks.values.get("graded_by") or "people",
        revealed=marks.values.get("revealed") == "yes",
        versions=versions or (rubric,),
        log=_log(book),
        lost=max(0, marks.number("owned") - sum(r.owner for r in read.readings)),
    )
    if marks.values.get("kind") == "campaign":
        ended, unclear = read_discussions(book, rubric)
        campaign = settled(campaign, ended)
        problems += unclear
    return ReadBook(book=book, marks=marks, campaign=campaign, grades=found, problems=problems)


def _compare_rubric(book: BookData, rubric: Rubric, marks: Marks, problems: list[Problem]) -> None:
    """Tell an edited Rubric sheet: the kept version applies until the coordinator re-scores."""
    if marks.values.get("kind") != "campaign":
        return
    try:
        sheet = sheet_rubric(book, rubric)
        if same_rubric(sheet, rubric):
            return
        found = sheet.fingerprint[:12]
    except DataError as error:
        problems.extend(error.problems)
        found = "?"
    name = layout.RUBRIC.name.in_(marks.values.get("language", "en"))
    problems.append(problem("rubric_edited", file=book.name, sheet=name, found=found, version=rubric.version))


def _items(
    book: BookData, read: GradesRead, grades: FoundTable, texts: Mapping[str, str]
) -> tuple[Item, ...]:
    """Return the items of the Tickets sheet; in a grader's workbook, what the grading rows tell of them."""

    def whole(item: str, shown_text: str) -> str:
        return texts.get(layout.item_text_id(item), shown_text)

    found = maybe_table(book, layout.TICKETS_TABLE)
    if found is not None:
        return tuple(
            Item(
                id=clean_id(found.text(row, "item")),
                text=whole(clean_id(found.text(row, "item")), found.text(row, "text")),
                fields=parse_fields(found.text(row, "fields")),
                **{key: found.text(row, key) for key in _ITEM_TEXTS},
            )
            for row in found.rows()
            if clean_id(found.text(row, "item"))
        )
    messages: dict[str, str] = {}
    for reading in read.readings:
        item = read.responses[reading.response].item
        messages[item] = messages.get(item) or grades.text(reading.place.row, "message")
    return tuple(Item(id=name, text=whole(name, text)) for name, text in messages.items())


_ITEM_TEXTS = ("language", "type", "difficulty", "stratum", "reference", "must_mention", "must_not_mention")


def _long_texts(book: BookData) -> dict[str, str]:
    """Return the texts too long for one cell, joined from the sheet that keeps their parts."""
    found = maybe_table(book, layout.TEXTS_TABLE)
    parts: dict[str, dict[int, str]] = {}
    for row in found.rows() if found else ():
        if found:
            number = found.text(row, "part")
            name = clean_id(found.text(row, "id")).casefold()
            parts.setdefault(name, {})[int(number) if number.isdecimal() else 1] = found.text(row, "text")
    return {name: "".join(text for _, text in sorted(pieces.items())) for name, pieces in parts.items()}


def _log(book: BookData) -> tuple[LogEntry, ...]:
    found = maybe_table(book, layout.LOG_TABLE)
    if found is None:
        return ()
    return tuple(
        LogEntry(
            when=found.text(row, "when"),
            who=found.text(row, "who"),
            event=found.text(row, "event"),
            detail=found.text(row, "detail"),
            version=int(version) if (version := found.text(row, "version")).isdecimal() else 0,
        )
        for row in found.rows()
        if found.text(row, "event")
    )


def merge(books: list[ReadBook]) -> ReadBook:
    """Return the first book (a campaign's) with what the others' readings add.

    A gathered copy that says the same is no duplicate; one that differs is a conflict, told by both places, and neither counts. A blank
    never overwrites, and a grader's file fills what the campaign does not have yet. After a revision, the answers of a work-list take the place
    of what they answer for, and copies from before it are no conflict.
    """
    first, *others = books
    readings: dict[tuple[str, str, int], Reading] = {r.key: r for r in first.campaign.readings}
    problems = list(first.problems)
    from dataclasses import replace

    for other in others:
        problems += other.problems
        if other.campaign.id != first.campaign.id:
            problems.append(
                problem(
                    "other_campaign",
                    file=other.book.name,
                    found=other.campaign.id,
                    campaign=first.campaign.id,
                )
            )
            continue
        if other.campaign.rubric.version > first.campaign.rubric.version:
            found, version = other.campaign.rubric.version, first.campaign.rubric.version
            problems.append(problem("other_version", file=other.book.name, found=found, version=version))
            continue
        for reading in other.campaign.readings:
            known = readings.get(reading.key)
            if known is None or reading.is_blank:
                continue
            if reading.version < known.version and not known.is_blank:
                continue  # a copy from before a revision: the campaign's reading has taken its place
            if is_answer(known, reading):
                answer = rejoined(known, reading, first.campaign.rubric)
                if reading.version > known.version:
                    readings[reading.key] = answer
                    continue
                reading = answer
            same = (dict(known.grades), known.codes) == (dict(reading.grades), reading.codes)
            if known.is_blank:
                readings[reading.key] = replace(reading, owner=known.owner)
            elif not same:
                response = first.campaign.response()[reading.response]
                problems.append(
                    problem(
                        "conflicting_copies",
                        file=other.book.name,
                        sheet=reading.place.sheet,
                        item=f"{response.item}-{response.label}",
                        found=difference(known, reading),
                        grader=reading.grader,
                        first=first.book.name,
                        second=other.book.name,
                    )
                )
                blank = dict.fromkeys(known.grades)
                readings[reading.key] = replace(known, grades=blank, codes=(), refused=tuple(known.grades))
    campaign = replace(first.campaign, readings=tuple(readings.values()))
    return ReadBook(
        book=first.book, marks=first.marks, campaign=campaign, grades=first.grades, problems=problems
    )


def difference(first: Reading, second: Reading) -> str:
    """Return what two readings disagree on, both values side by side, for a message."""
    said = [
        f"{key}: {'–' if first.grades[key] is None else first.grades[key]} / {'–' if value is None else value}"
        for key, value in second.grades.items()
        if first.grades.get(key) != value
    ]
    if first.codes != second.codes:
        said.append(f"{'+'.join(first.codes) or '–'} / {'+'.join(second.codes) or '–'}")
    return "; ".join(said)
