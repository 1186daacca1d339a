"""A refusal bench as data: where its requests come from, how a few of each type are chosen, and how to know the list again.

The choice is made by a hash of the text, so it needs no random numbers, does not depend on the order of rows, and is the same
on every machine. Chosen items carry the list's own SHA-256; a campaign whose items no longer give it is an exploratory sample.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from lark_sheets.core.campaign import Item
from lark_sheets.core.language import Words
from lark_sheets.core.text import canonical, sha256

PROTOCOL_FIELD, LIST_FIELD, SOURCE_FIELD = "protocol", "list_sha256", "source_sha256"
EXPLORATORY_MARK = "exploratory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where the requests come from, and the two hashes that are told: the one that was printed, and that of the revision's file."""

    name: str
    authors: str
    published: str
    url: str
    licence: str
    licence_url: str
    file: str
    requests: int
    revision: str
    sha256_printed: str
    sha256_of_revision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of every run; what was sent is recorded by :mod:`lark_sheets.core.run_conditions`."""

    system: str
    words: int
    max_tokens: int
    temperature: float
    seed: int
    generations: int
    conversation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """A bench whole. ``strata`` maps the source's labels to strata; ``expected`` counts the chosen requests of each."""

    id: str
    version: int
    rubric: str
    language: str
    title: Words
    source: Source
    columns: Mapping[str, str]
    strata: Mapping[str, str]
    per_type: int
    list_sha256: str
    expected: Mapping[str, int]
    asked: Asked
    limits: Mapping[str, tuple[str, ...]]


def protocol_from_plain(plain: Mapping[str, Any]) -> Protocol:
    """Return the protocol that plain data (its TOML file) describe. ``KeyError`` or ``TypeError`` when a part is missing or strange."""
    selection, asked = plain["selection"], plain["asked"]
    return Protocol(
        id=plain["id"],
        version=plain["version"],
        rubric=plain["rubric"],
        language=plain["language"],
        title=Words(**plain["title"]),
        source=Source(**plain["source"]),
        columns=plain["columns"],
        strata=plain["strata"],
        per_type=selection["per_type"],
        list_sha256=selection["list_sha256"],
        expected=selection["expected"],
        asked=Asked(**{**asked, "system": asked["system"].format(words=asked["words"])}),
        limits={language: tuple(texts) for language, texts in plain["limits"].items()},
    )


class Fit(StrEnum):
    """How a file of requests stands to the two hashes of its source."""

    PRINTED = "printed"
    """It is the file whose hash was printed."""
    REVISION = "revision"
    """It is the file of the revision named; the printed hash is another one's."""
    LINE_ENDS = "line_ends"
    """It is the file of the revision, saved with other line ends."""
    OTHER = "other"
    """It is neither."""


def fit(content: bytes, source: Source) -> tuple[Fit, str]:
    """Return how a file fits its source, and its SHA-256."""
    found = hashlib.sha256(content).hexdigest()
    if found == source.sha256_printed:
        return Fit.PRINTED, found
    if found == source.sha256_of_revision:
        return Fit.REVISION, found
    unix = content.replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf")
    same = hashlib.sha256(unix).hexdigest() in (source.sha256_of_revision, source.sha256_printed)
    return (Fit.LINE_ENDS if same else Fit.OTHER), found


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request of the source: its id, text, type and stratum."""

    item: str
    text: str
    type: str
    stratum: str


def place_of(request: Request, protocol: str) -> str:
    """Return what requests of a type are ordered by: the SHA-256 of protocol, type and canonical text."""
    return sha256("\x1f".join((protocol, request.type, canonical(request.text))))


def choose(requests: Iterable[Request], protocol: Protocol, per_type: int | None) -> tuple[Request, ...]:
    """Return the first ``per_type`` requests of each type (all, where None), types in the order of their names.

    Requests with the same text follow their id, so that even they are in one order everywhere.
    """
    types: dict[str, list[Request]] = defaultdict(list)
    for request in requests:
        types[request.type].append(request)
    chosen: list[Request] = []
    for name in sorted(types):
        ordered = sorted(types[name], key=lambda r: (place_of(r, protocol.id), r.item))
        chosen += ordered[:per_type]
    return tuple(chosen)


def list_sha256(entries: Iterable[tuple[str, str]]) -> str:
    """Return the SHA-256 of a list of (id, text), whatever its order."""
    return sha256("\n".join(sorted(f"{item}\t{sha256(canonical(text))}" for item, text in entries)))


def digest(requests: Sequence[Request]) -> str:
    """Return the SHA-256 of chosen requests."""
    return list_sha256((r.item, r.text) for r in requests)


def short_types(requests: Sequence[Request], per_type: int) -> dict[str, int]:
    """Return the types that have fewer requests than wanted, with how many they have."""
    counts = Counter(r.type for r in requests)
    return {name: count for name, count in sorted(counts.items()) if count < per_type}


def marks(
    protocol: Protocol, chosen: Sequence[Request], source: tuple[Fit, str], *, exploratory: bool
) -> dict[str, str]:
    """Return the fields that every chosen item carries: its protocol, the list it belongs to, the file it came from and how that fitted."""
    name = f"{protocol.id} ({EXPLORATORY_MARK})" if exploratory else protocol.id
    how, sha = source
    return {PROTOCOL_FIELD: name, LIST_FIELD: digest(chosen), SOURCE_FIELD: f"{sha} ({how})"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What a campaign's items say of the bench they come from. ``whole`` tells that they are the list that was chosen, unchanged.

    ``source_sha256`` and ``fit`` are those of the file that the requests were read from.
    """

    protocol: str
    list_sha256: str
    source_sha256: str
    fit: str
    whole: bool
    exploratory: bool


def bench_of(items: Sequence[Item]) -> Bench | None:
    """Return the bench of a campaign's items, or None when none of them comes from one.

    Exploratory when its maker said so, or when the items are no longer the list that was fixed: one missing, one more, one reworded.
    """
    wanted = (PROTOCOL_FIELD, LIST_FIELD, SOURCE_FIELD)
    named = {tuple(item.fields.get(name, "") for name in wanted) for item in items}
    if not any(found[0] for found in named):
        return None
    name, kept, source = max(named)
    whole = len(named) == 1 and list_sha256((i.id, i.text) for i in items) == kept
    protocol, _, mark = name.partition(" ")
    sha, _, how = source.partition(" ")
    return Bench(
        protocol=protocol,
        list_sha256=kept,
        source_sha256=sha,
        fit=how.strip("()"),
        whole=whole,
        exploratory=bool(mark) or not whole,
    )


def why_unranked(
    *,
    graded: int,
    expected: int,
    bench: Bench | None,
    judge_graded: bool,
    judge_checked: bool,
) -> tuple[str, ...]:
    """Return why a run stays out of the ranking, as keys; empty when it may be ranked.

    Every request must have been asked and graded (a request without a response counts), the list must be the one fixed before
    measuring, and a judge that graded must have been checked against people.
    """
    why = []
    if not expected or graded < expected:
        why.append("incomplete_coverage")
    if bench is not None and bench.exploratory:
        why.append("exploratory")
    if judge_graded and not judge_checked:
        why.append("judge_not_checked")
    return tuple(why)
