"""Binary workbooks are read in a process of their own.

The library that reads .xls and .xlsb can end its process, or print its panics, on files that are damaged in certain ways (measured:
three in 5,000 mutated .xls files). Apart, such an end is one more told problem. What comes back is JSON, dates spelled out.
"""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from typing import Any

from lark_sheets.adapters.books.calamine_values import RawSheet, all_sheets
from lark_sheets.core.cells import Area
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError, Problem

_SECONDS = 300
_MEMORY = 6 * 2**30


def sheets_read_apart(data: bytes, name: str) -> list[RawSheet]:
    """Return every worksheet of a binary workbook. Raises what the reader tells, and ``damaged_file`` when it came to an end."""
    code = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import main; main()"
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        run = subprocess.run(
            [sys.executable, "-c", code],
            input=data,
            capture_output=True,
            timeout=_SECONDS,
            check=True,
            creationflags=flags,
        )
        answer = json.loads(run.stdout)
    except (subprocess.SubprocessError, OSError, ValueError) as fault:
        raise DataError(problem("damaged_file", file=name, found=type(fault).__name__)) from fault
    if "problem" in answer:
        raise DataError(Problem(**answer["problem"] | {"file": name}))
    return [
        RawSheet(
            title,
            visible,
            [[_value(value) for value in row] for row in rows],
            [Area(*area) for area in merged],
        )
        for title, visible, rows, merged in answer["sheets"]
    ]


def main() -> None:
    """Read a workbook from the standard input, write its sheets or the problem as JSON."""
    _bound_memory()
    try:
        sheets = all_sheets(sys.stdin.buffer.read(), "")
    except DataError as fault:
        first = fault.problems[0]
        answer: dict[str, Any] = {
            "problem": {
                "code": first.code,
                "severity": first.severity.value,
                "sheet": first.sheet,
                "found": first.found,
                "parameters": first.parameters,
            }
        }
    else:
        answer = {"sheets": sheets}
    sys.stdout.write(json.dumps(answer, default=_spelled))


def _bound_memory() -> None:
    """Let the process end rather than the machine, where the system can do that."""
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, hard))


def _spelled(value: object) -> dict[str, Any]:
    if isinstance(value, dt.datetime):
        return {"moment": value.isoformat()}
    if isinstance(value, dt.date):
        return {"date": value.isoformat()}
    if isinstance(value, dt.time):
        return {"time": value.isoformat()}
    if isinstance(value, dt.timedelta):
        return {"days": value.days, "seconds": value.seconds, "microseconds": value.microseconds}
    raise TypeError(type(value).__name__)


def _value(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if "moment" in value:
        return dt.datetime.fromisoformat(value["moment"])
    if "date" in value:
        return dt.date.fromisoformat(value["date"])
    if "time" in value:
        return dt.time.fromisoformat(value["time"])
    return dt.timedelta(**value)
