"""Building a refusal bench: a few requests of each type become items, with the protocol beside them."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from lark_sheets.core.problems import problem
from lark_sheets.core.refusal_measures import (
    protocol_plain,
)
from lark_sheets.core.refusal_protocol import (
    Fit,
    Protocol,
    Request,
    choose,
    digest,
    fit,
    marks,
    protocol_from_plain,
    short_types,
)
from lark_sheets.core.results_json import dumps
from lark_sheets.core.run_conditions import RunConditions
from lark_sheets.core.text import canonical, clean_id, folded, sha256
from lark_sheets.errors import DataError, Problem, UsageError
from lark_sheets.usecases.inputs import FIRST_DATA_ROW, read_rows
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook.grades import named

DEFAULT_PROTOCOL = "refus-v1"
PROTOCOLS = "protocols"
ITEMS, PROTOCOL_FILE, CONDITIONS_FILE = "items.csv", "protocol.json", "conditions.csv"
SYSTEM_FILE, PROMPT_FILE = "system.txt", "prompt.txt"
PROMPT = "{text}\n"
"""What is sent of each request: its text alone, neither translated nor rewritten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltBench:
    """What was built, and everything to tell of the file it was built from."""

    protocol: Protocol
    chosen: tuple[Request, ...]
    fit: Fit
    list_sha256: str
    exploratory: bool
    paths: tuple[Path, ...]
    problems: tuple[Problem, ...]


def load_protocol(wanted: str, needs: Needs) -> Protocol:
    """Return a shipped protocol by name, or the one of a TOML file. Raises :class:`UsageError` or :class:`DataError`."""
    folder = needs.rubrics.parent / PROTOCOLS
    shipped = folder / f"{wanted}.toml"
    path = shipped if needs.files.exists(shipped) else Path(wanted)
    if not needs.files.exists(path):
        names = ", ".join(p.stem for p in needs.files.list(folder, "*.toml"))
        raise UsageError(problem("unknown_protocol", found=wanted, allowed=names))
    try:
        return protocol_from_plain(tomllib.loads(needs.files.read_text(path)))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, AttributeError) as fault:
        raise DataError(problem("protocol_fault", file=path.name, found=str(fault))) from fault


def build_bench(
    prompts: Path, out: Path, needs: Needs, *, protocol: str = DEFAULT_PROTOCOL, per_type: int | None = None
) -> BuiltBench:
    """Choose a bench's requests and write them as items, with the protocol beside them and an empty table of conditions.

    ``per_type`` None is what the protocol fixes, 0 takes every request. Any other number, or a list that is not the one fixed,
    makes an exploratory sample. Raises :class:`UsageError` for a missing path, :class:`DataError` with every faulty row.
    """
    held = load_protocol(protocol, needs)
    requests = _requests(prompts, held, needs)
    source = fit(needs.files.read_bytes(prompts), held.source)
    wanted = held.per_type if per_type is None else per_type
    chosen = choose(requests, held, wanted or None)
    found = digest(chosen)
    told = [*_source_problems(prompts, source, held)]
    short = short_types(requests, wanted) if wanted else {}
    told += [
        problem("few_of_type", file=prompts.name, found=name, count=n, expected=wanted)
        for name, n in short.items()
    ]
    exploratory = bool(short)
    if wanted not in (0, held.per_type):
        exploratory = True
        told.append(problem("exploratory_sample", found=str(wanted), expected=held.per_type))
    elif wanted and held.list_sha256 not in ("", found):
        exploratory = True
        told.append(problem("prompt_list_differs", file=prompts.name, found=found, expected=held.list_sha256))
    carried = marks(held, chosen, source, exploratory=exploratory)
    rows = [
        {
            "item": r.item,
            "text": r.text,
            "language": held.language,
            "type": r.type,
            "stratum": r.stratum,
            **carried,
        }
        for r in chosen
    ]
    names = (ITEMS, PROTOCOL_FILE, CONDITIONS_FILE, SYSTEM_FILE, PROMPT_FILE)
    paths = tuple(out / name for name in names)
    needs.files.write_text(paths[0], _csv(list(rows[0]), rows))
    used = replace(held, per_type=wanted)
    needs.files.write_text(
        paths[1],
        dumps(
            protocol_plain(
                used, fit=str(source[0]), found_sha256=source[1], list_sha256=found, chosen=listed(chosen)
            )
        ),
    )
    columns = ["run", *(f.name for f in fields(RunConditions) if f.name not in ("run", "more"))]
    needs.files.write_text(paths[2], _csv(columns, []))
    needs.files.write_text(paths[3], held.asked.system + "\n")
    needs.files.write_text(paths[4], PROMPT)
    return BuiltBench(
        protocol=held,
        chosen=chosen,
        fit=source[0],
        list_sha256=found,
        exploratory=exploratory,
        paths=paths,
        problems=tuple(told),
    )


def _requests(path: Path, protocol: Protocol, needs: Needs) -> list[Request]:
    names = {key: folded(protocol.columns[key]) for key in ("item", "text", "type", "stratum")}
    rows = read_rows(path, needs, tuple(names.values()))
    faults: list[Problem] = []
    found = []
    for number, row in enumerate(rows, FIRST_DATA_ROW):
        value = {key: row[name].strip() for key, name in names.items()}
        faults += [
            problem("empty_value", file=path.name, cell=str(number), column=names[key], row=number)
            for key, text in value.items()
            if not text
        ]
        stratum = protocol.strata.get(value["stratum"], "")
        if value["stratum"] and not stratum:
            allowed = ", ".join(protocol.strata)
            faults.append(
                problem(
                    "unknown_stratum",
                    file=path.name,
                    cell=str(number),
                    found=value["stratum"],
                    allowed=allowed,
                )
            )
        item = clean_id(protocol.columns.get("prefix", "") + value["item"])
        found.append(Request(item=item, text=row[names["text"]], type=value["type"], stratum=stratum))
    seen: dict[str, list[int]] = {}
    for number, request in enumerate(found, FIRST_DATA_ROW):
        seen.setdefault(request.item, []).append(number)
    faults += [
        problem("repeated_id", file=path.name, found=item, rows=named(numbers))
        for item, numbers in seen.items()
        if len(numbers) > 1
    ]
    if faults:
        raise DataError(*faults)
    return found


def _source_problems(path: Path, source: tuple[Fit, str], protocol: Protocol) -> list[Problem]:
    how, found = source
    place = {"file": path.name, "found": found, "revision": protocol.source.revision}
    match how:
        case Fit.REVISION if protocol.source.sha256_printed != protocol.source.sha256_of_revision:
            return [problem("prompt_set_printed_hash", printed=protocol.source.sha256_printed, **place)]
        case Fit.LINE_ENDS:
            return [problem("prompt_set_line_ends", **place)]
        case Fit.OTHER:
            return [problem("prompt_set_differs", expected=protocol.source.sha256_of_revision, **place)]
    return []


def listed(requests: Sequence[Request]) -> list[dict[str, str]]:
    """Return requests as the protocol lists them: by id and fingerprint, without their text."""
    return [
        {
            "item": r.item,
            "type": r.type,
            "stratum": r.stratum,
            "text_sha256": sha256(canonical(r.text)),
        }
        for r in requests
    ]


def _csv(columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> str:
    target = io.StringIO()
    writer = csv.DictWriter(target, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return target.getvalue()
