"""The rubric as the coordinator's sheet shows it, and the versions that the workbook keeps."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lark_sheets.core.cells import BookData, shown
from lark_sheets.core.rubric import Combine, Rubric, TestKind, to_plain
from lark_sheets.core.rubric_reading import from_plain
from lark_sheets.core.text import clean_id
from lark_sheets.errors import DataError
from lark_sheets.workbook import layout
from lark_sheets.workbook.locate import FoundTable, find_table, maybe_table


def kept_versions(book: BookData) -> tuple[Rubric, ...]:
    """Return every rubric version that the workbook keeps, oldest first; none in a grader's workbook.

    Raises :class:`DataError` when a kept version is not whole.
    """
    found = maybe_table(book, layout.VERSIONS)
    if found is None:
        return ()
    parts: dict[int, dict[int, str]] = {}
    for row in found.rows():
        version, part = found.text(row, "version"), found.text(row, "part")
        if version.isdecimal():
            parts.setdefault(int(version), {})[int(part) if part.isdecimal() else 1] = found.text(
                row, "content"
            )
    rubrics = []
    for _, pieces in sorted(parts.items()):
        text = "".join(piece for _, piece in sorted(pieces.items()))
        try:
            rubrics.append(from_plain(json.loads(text), source=found.sheet.name))
        except ValueError as error:
            from lark_sheets.core.problems import problem

            raise DataError(
                problem("damaged_file", file=book.name, sheet=found.sheet.name, found=str(error))
            ) from error
    return tuple(rubrics)


def sheet_rubric(book: BookData, kept: Rubric) -> Rubric:
    """Return the rubric that the Rubric sheet shows today.

    What the sheet does not hold (title, strata, rule in words ...) comes from ``kept``. Raises :class:`DataError` with every
    fault of the sheet.
    """
    criteria = find_table(book, layout.CRITERIA, ("criterion", "kind"))
    anchors = find_table(book, layout.ANCHORS, ("criterion", "level"))
    plain: dict[str, Any] = to_plain(kept)
    known = {c.id: c for c in kept.criteria}
    levels: dict[str, list[dict[str, Any]]] = {}
    for row in anchors.rows():
        name = clean_id(anchors.text(row, "criterion"))
        levels.setdefault(name, []).append(
            {
                "level": _level(anchors, row),
                "name": _both(anchors, row, "name"),
                "description": _both(anchors, row, "description"),
                "example": _both(anchors, row, "example"),
            }
        )
    plain["criteria"] = [
        {
            "id": (name := clean_id(criteria.text(row, "criterion"))),
            "kind": clean_id(criteria.text(row, "kind")),
            "name": _both(criteria, row, "name"),
            "question": _both(criteria, row, "question"),
            "judged_by": clean_id(criteria.text(row, "judged_by"))
            or str(known[name].judged_by if name in known else "model"),
            "anchors": levels.get(name, []),
        }
        for row in criteria.rows()
    ]
    plain["codes"] = _codes(book)
    outcomes, plain["verdict"] = _verdict(book)
    plain["outcomes"] = {
        name: outcomes.get(name, words) for name, words in plain["outcomes"].items()
    } | outcomes
    return from_plain(plain, source=criteria.sheet.name)


def _both(found: FoundTable, row: int, key: str) -> dict[str, str]:
    return {language: text for language in ("fr", "en") if (text := found.text(row, f"{key}_{language}"))}


def _level(found: FoundTable, row: int) -> int | str:
    value = found.value(row, "level")
    if isinstance(value, float) and value.is_integer():
        return int(value)
    text = clean_id(shown(value))
    return int(text) if text.isdecimal() else text


def _number(found: FoundTable, row: int, key: str) -> int | None:
    text = clean_id(found.text(row, key))
    return int(text) if text.lstrip("-").isdecimal() else None


def _codes(book: BookData) -> list[dict[str, Any]]:
    found = maybe_table(book, layout.CODES)
    codes: dict[str, dict[str, Any]] = {}
    for row in found.rows() if found else ():
        name = clean_id(found.text(row, "code")) if found else ""
        if not found or not name:
            continue
        cap = _number(found, row, "cap")
        code = codes.setdefault(name, {"id": name, "label": _both(found, row, "label"), "caps": []})
        code["caps"].append(
            {"criterion": clean_id(found.text(row, "criterion"))} | ({} if cap is None else {"cap": cap})
        )
    return list(codes.values())


def _verdict(book: BookData) -> tuple[dict[str, Mapping[str, str]], list[dict[str, Any]]]:
    found = maybe_table(book, layout.VERDICT)
    outcomes: dict[str, Mapping[str, str]] = {}
    rows: dict[str, dict[str, Any]] = {}
    for row in found.rows() if found else ():
        if found is None:
            break
        outcome = clean_id(found.text(row, "outcome"))
        combine = clean_id(found.text(row, "combine")).upper()
        outcomes.setdefault(outcome, _both(found, row, "outcome"))
        verdict = rows.setdefault(
            found.text(row, "order"), {"outcome": outcome, "combine": combine, "tests": []}
        )
        kind = clean_id(found.text(row, "test"))
        if combine != Combine.OTHERWISE and kind:
            verdict["tests"].append(_test(found, row, kind))
    return outcomes, list(rows.values())


def _test(found: FoundTable, row: int, kind: str) -> dict[str, Any]:
    test: dict[str, Any] = {"kind": kind, "target": clean_id(found.text(row, "target"))}
    if kind == TestKind.LABEL:
        return test | {"label": clean_id(found.text(row, "number"))}
    test |= {
        "operator": clean_id(found.text(row, "operator")) or "=",
        "number": _number(found, row, "number"),
    }
    return test | ({"level": _number(found, row, "at_level")} if kind == TestKind.COUNT else {})


def same_rubric(sheet: Rubric, kept: Rubric) -> bool:
    """Say whether the sheet still shows the kept version (blanks, line ends and Unicode form change nothing)."""
    return replace(sheet, version=kept.version, date=kept.date).fingerprint == kept.fingerprint
