"""What ``import`` and ``gather`` share: comparing what arrives with what is there, writing it, telling the rest.

A blank never overwrites; a grade that differs from one already there is a conflict, told with both values, and nothing of that reading
is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.campaign import Grader, LogEntry, Reading
from lark_sheets.core.problems import problem
from lark_sheets.core.rescoring.regrading import is_answer, rejoined
from lark_sheets.errors import Problem
from lark_sheets.usecases.loading import Loaded
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook.codec import difference
from lark_sheets.workbook.discussing import add_disagreements
from lark_sheets.workbook.filling import add_rows, fill_rows, with_readings
from lark_sheets.workbook.journal import log_lines
from lark_sheets.workbook.marks import graders_mark
from lark_sheets.workbook.summary import refresh_summary


@dataclass(slots=True, kw_only=True)
class Filled:
    """What was written: readings changed or added, readings that said the same, readings refused, and what to tell."""

    written: int = 0
    same: int = 0
    refused: int = 0
    failed: int = 0
    """Exit code of the gravest input that could not be used at all."""
    backup: Path | None = None
    problems: list[Problem] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Incoming:
    """One reading that arrives, with where it came from for messages."""

    reading: Reading
    source: str


def merge_incoming(known: Reading, new: Reading) -> Reading | None:
    """Return the reading with the blanks of ``known`` filled from ``new``, or None when the two differ.

    Codes and reasons travel with the grades: they fill where none stand yet.
    """
    grades = dict(known.grades)
    for criterion, level in new.grades.items():
        if level is None:
            continue
        if grades.get(criterion) not in (None, level):
            return None
        grades[criterion] = level
    if known.codes and new.codes and known.codes != new.codes:
        return None
    return replace(
        known,
        grades=grades,
        codes=known.codes or new.codes,
        reason=known.reason or new.reason,
        discuss=known.discuss or new.discuss,
    )


def write_incoming(
    loaded: Loaded,
    incoming: Sequence[Incoming],
    needs: Needs,
    *,
    event: str,
    source: str,
    new_graders: Sequence[Grader] = (),
) -> Filled:
    """Write readings into a loaded workbook and its log; one patch, or none when nothing is new."""
    read, campaign = loaded.read, loaded.campaign
    done = Filled(problems=list(loaded.problems))
    there = {r.key: r for r in campaign.readings}
    responses = campaign.response()
    changed: list[Reading] = []
    added: list[Reading] = []
    for arriving in incoming:
        new = arriving.reading
        known = there.get(new.key)
        if known is None:
            added.append(new)
            continue
        if is_answer(
            known, new
        ):  # a work-list comes back: its answers take the place of what they answer for
            new = rejoined(known, new, campaign.rubric)
        merged = new if new.version > known.version else merge_incoming(known, new)
        if merged is None or known.refused:
            done.refused += 1
            response = responses[new.response]
            done.problems.append(
                problem(
                    "conflicting_copies",
                    file=arriving.source,
                    sheet=known.place.sheet,
                    item=f"{response.item}-{response.label}",
                    found=difference(known, new),
                    grader=new.grader,
                    first=read.book.name,
                    second=arriving.source,
                )
            )
        elif merged == known:
            done.same += 1
        else:
            changed.append(merged)
    # In the order of tickets and letters: the order of the table that arrived may tell which rows are of one run.
    position = {name: place for place, name in enumerate(responses)}
    added.sort(key=lambda r: (r.grader, r.number, position[r.response]))
    done.written = len(changed) + len(added)
    if not done.written:
        return done
    patch = BookPatch()
    fill_rows(patch, read, changed)
    add_rows(patch, read, added)
    after = with_readings(campaign, changed, added)
    if new_graders:
        after = replace(after, graders=(*campaign.graders, *new_graders))
        _set_mark(patch, loaded, "graders", graders_mark(after.graders))
    if added:
        _set_mark(patch, loaded, "rows", str(len(after.readings)))
    refresh_summary(patch, read, after, needs.translator_of(campaign.language))
    add_disagreements(patch, read.book, after)
    if read.kind == "campaign":
        detail = f"{source}: {done.written} written, {done.same} same, {done.refused} refused"
        now = needs.clock.now().isoformat(timespec="seconds")
        entry = LogEntry(when=now, who=needs.who, event=event, detail=detail, version=campaign.rubric.version)
        log_lines(patch, read.book, [entry])
    done.backup = needs.books.patch(loaded.path, patch)
    return done


def _set_mark(patch: BookPatch, loaded: Loaded, key: str, value: str) -> None:
    row, column = loaded.read.marks.cells[key]
    patch.set(loaded.read.marks.sheet, row, column, value)
