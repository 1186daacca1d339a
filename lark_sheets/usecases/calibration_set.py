"""The set of labelled responses as a table that people edit: read with every fault at once, extended case by case."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from lark_sheets.core.grades import read_grade
from lark_sheets.core.judging.calibration import Case, outcome
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.text import canonical, folded
from lark_sheets.errors import DataError, Problem
from lark_sheets.ports import Files

TRUE_WORDS = frozenset({"1", "yes", "oui", "true", "vrai", "x"})
TEXTS = ("id", "language", "author_family", "ticket", "response", "reference", "human_verdict")
REMARKS = ("borderline", "human_reason", "annotator", "date")


def read_cases(rows: Sequence[Mapping[str, str]], rubric: Rubric, file: str) -> tuple[Case, ...]:
    """Return the labelled cases of a table.

    Columns: id, ticket, response; human_verdict (an outcome's id or name) and one column per criterion; optional language,
    author_family, reference, borderline, human_reason, annotator, date. Raises :class:`DataError` with every fault at once.
    """
    faults: list[Problem] = []
    needed = ["id", "ticket", "response", *(c.id for c in rubric.criteria)]
    if rows:
        seen = ", ".join(rows[0])
        faults += [
            problem("missing_column", file=file, column=name, found=seen)
            for name in needed
            if name not in rows[0]
        ]
    if faults:
        raise DataError(*faults)
    cases = [_case(row, number, rubric, file, faults) for number, row in enumerate(rows, 2)]
    ids = Counter(case.id for case in cases)
    for name in [name for name, count in ids.items() if count > 1]:
        where = ", ".join(str(n) for n, case in enumerate(cases, 2) if case.id == name)
        faults.append(problem("repeated_id", file=file, found=name, rows=where))
    if faults:
        raise DataError(*faults)
    return tuple(cases)


def _case(row: Mapping[str, str], number: int, rubric: Rubric, file: str, faults: list[Problem]) -> Case:
    def text(name: str) -> str:
        return (row.get(name) or "").strip()

    faults += [
        problem("empty_value", file=file, column=name, row=number)
        for name in ("id", "ticket", "response")
        if not text(name)
    ]
    grades: dict[str, Level | None] = {}
    for criterion in rubric.criteria:
        read = read_grade(text(criterion.id), criterion)
        grades[criterion.id] = read.level
        if read.refused:
            levels = ", ".join(map(str, criterion.levels))
            faults.append(
                problem(
                    read.problem,
                    file=file,
                    item=text("id"),
                    found=text(criterion.id),
                    criterion=criterion.id,
                    levels=levels,
                )
            )
    return Case(
        id=text("id"),
        ticket=row.get("ticket") or "",
        response=row.get("response") or "",
        reference=row.get("reference") or "",
        grades=grades,
        verdict=_verdict(text("human_verdict"), text("id"), rubric, file, faults),
        language=text("language"),
        family=text("author_family"),
        borderline=folded(text("borderline")) in TRUE_WORDS,
        reason=text("human_reason"),
        annotator=text("annotator"),
        date=text("date"),
    )


def _verdict(typed: str, name: str, rubric: Rubric, file: str, faults: list[Problem]) -> str | None:
    if not typed or not rubric.outcomes:
        return None
    for key, words in rubric.outcomes.items():
        if folded(typed) in (folded(key), *map(folded, words.both())):
            return key
    faults.append(
        problem("unknown_outcome", file=file, item=name, found=typed, outcomes=", ".join(rubric.outcomes))
    )
    return None


def add_case(files: Files, path: Path, rubric: Rubric, case: Case) -> bool:
    """Let a case that the judge missed enter the set: one more row of its table, everything else kept as it is.

    Return False when it is there already with the same verdict. Raises :class:`DataError` when it is there with another.
    The set has then changed, so calibrations on it are stale until they are made again.
    """
    columns = [*TEXTS, *(c.id for c in rubric.criteria), *REMARKS]
    rows: list[dict[str, str]] = []
    if files.exists(path):
        reader = csv.DictReader(io.StringIO(files.read_text(path).removeprefix("\ufeff")))
        rows = [{k: v or "" for k, v in row.items() if k is not None} for row in reader]
        columns = [*(reader.fieldnames or ()), *(c for c in columns if c not in (reader.fieldnames or ()))]
    wanted = outcome(rubric, case.verdict, case.grades)
    for known in read_cases(rows, rubric, path.name):
        same = (canonical(known.ticket), canonical(known.response)) == (
            canonical(case.ticket),
            canonical(case.response),
        )
        if same and outcome(rubric, known.verdict, known.grades) == wanted:
            return False
        if same:
            raise DataError(
                problem("case_conflict", file=path.name, item=known.id, found=known.verdict or "")
            )
    rows.append(_row(case, {row["id"] for row in rows}))
    target = io.StringIO()
    writer = csv.DictWriter(target, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    files.write_text(path, target.getvalue())
    return True


def _row(case: Case, taken: set[str]) -> dict[str, str]:
    name, number = case.id, 2
    while name in taken:
        name, number = f"{case.id}-{number}", number + 1
    grades = {key: "" if level is None else str(level) for key, level in case.grades.items()}
    return {
        "id": name,
        "language": case.language,
        "author_family": case.family,
        "ticket": case.ticket,
        "response": case.response,
        "reference": case.reference,
        "human_verdict": case.verdict or "",
        **grades,
        "borderline": "1" if case.borderline else "0",
        "human_reason": case.reason,
        "annotator": case.annotator,
        "date": case.date,
    }
