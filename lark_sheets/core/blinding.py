"""Blind letters, random ids and the sealed key.

Everything random follows from the campaign's salt (32 random bytes, kept in the key file only), so that a key can be
checked: without the salt, letters and ids tell nothing; with it, they can be drawn again.
"""

from __future__ import annotations

import hashlib
import random
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lark_sheets.core.text import canonical_json, sha256

KEY_SCHEMA = "lark-sheets/key/1"
SALT_BYTES = 32
_ID_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # without the characters that people mix up: i l o 0 1


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedResponse:
    """What the key knows of one response: its run, the id it was given with, and the seal of its row."""

    run: str
    item: str
    label: str
    given_id: str
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindingKey:
    """Which run wrote which response; one file in ``key/``, never handed out."""

    campaign: str
    salt: str
    responses: Mapping[str, KeyedResponse] = field(default_factory=dict)

    @property
    def runs(self) -> tuple[str, ...]:
        """Return the names of the runs, in the order of the input file."""
        return tuple(dict.fromkeys(response.run for response in self.responses.values()))

    def to_json(self) -> str:
        """Return the key file's text: canonical, so that its SHA-256 is its commitment."""
        plain = {
            "schema": KEY_SCHEMA,
            "campaign": self.campaign,
            "salt": self.salt,
            "responses": {
                key: {
                    "run": r.run,
                    "item": r.item,
                    "label": r.label,
                    "given_id": r.given_id,
                    "fingerprint": r.fingerprint,
                }
                for key, r in self.responses.items()
            },
            "order": list(self.responses),
        }
        return canonical_json(plain)


def commitment(key_text: str) -> str:
    """Return the SHA-256 that every workbook and report carries in place of the key."""
    return sha256(key_text)


def key_from_plain(plain: Mapping[str, object]) -> BlindingKey:
    """Return the key a JSON object describes; ``ValueError`` when it is no key of this schema."""
    if plain.get("schema") != KEY_SCHEMA:
        raise ValueError(str(plain.get("schema")))
    responses = plain.get("responses")
    order = plain.get("order")
    if not isinstance(responses, dict) or not isinstance(order, list) or sorted(order) != sorted(responses):
        raise ValueError("responses")
    try:
        return BlindingKey(
            campaign=str(plain["campaign"]),
            salt=str(plain["salt"]),
            responses={
                name: KeyedResponse(**{k: str(v) for k, v in responses[name].items()}) for name in order
            },
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from error


def generator(salt: str, purpose: str) -> random.Random:
    """Return a random generator that only the salt's owner can repeat; ``purpose`` keeps the draws apart."""
    seed = hashlib.sha256(f"{salt}\x1f{purpose}".encode()).digest()
    return random.Random(int.from_bytes(seed, "big"))  # noqa: S311  (the secret is the salt, hashed)


def random_ids(salt: str, count: int, prefix: str = "r", length: int = 8) -> list[str]:
    """Return ``count`` different short ids that say nothing about what they name."""
    source = generator(salt, f"ids {prefix}")
    ids: dict[str, None] = {}
    while len(ids) < count:
        ids[f"{prefix}{''.join(source.choices(_ID_ALPHABET, k=length))}"] = None
    return list(ids)


def letters(count: int) -> list[str]:
    """Return A, B ... Z, AA, AB ... for ``count`` responses."""
    alphabet = string.ascii_uppercase
    return [alphabet[n] if n < 26 else alphabet[n // 26 - 1] + alphabet[n % 26] for n in range(count)]


def draw_labels(
    salt: str, runs_of: Mapping[str, Sequence[str]], block: int | None = None
) -> dict[tuple[str, str], str]:
    """Return the letter of every (item, run).

    ``runs_of`` maps each item to the runs that answered it. Letters are drawn anew for every item; over the items each
    run stands at each position about equally often, so that position carries no information. With ``block``, the runs
    of an item are dealt at random into blocks of that many letters, labelled "1A" ... "2D".
    """
    labels: dict[tuple[str, str], str] = {}
    seen: dict[tuple[str, int], int] = {}
    source = generator(salt, "letters")
    order = list(runs_of)
    source.shuffle(order)
    for item in order:
        runs = list(dict.fromkeys(runs_of[item]))
        positions = _balanced_positions(runs, seen, source)
        size = block if block and block < len(runs) else None
        names = letters(size or len(runs))
        for run, position in positions.items():
            seen[run, position] = seen.get((run, position), 0) + 1
            labels[item, run] = f"{position // size + 1}{names[position % size]}" if size else names[position]
    return labels


def _balanced_positions(
    runs: list[str], seen: Mapping[tuple[str, int], int], source: random.Random
) -> dict[str, int]:
    """Return a random assignment of runs to positions that prefers the positions each run has had least.

    A maximum matching (Kuhn's augmenting paths) over the allowed pairs, tried with a growing tolerance; the random
    order of the search makes the result random among the balanced ones.
    """
    count = len(runs)
    least = {run: min(seen.get((run, p), 0) for p in range(count)) for run in runs}
    for tolerance in range(len(seen) + 2):
        allowed = {
            run: [
                p
                for p in source.sample(range(count), count)
                if seen.get((run, p), 0) <= least[run] + tolerance
            ]
            for run in runs
        }
        taken: dict[int, str] = {}
        if all(_augment(run, allowed, taken, set()) for run in source.sample(runs, count)):
            return {run: position for position, run in taken.items()}
    raise AssertionError("a complete assignment exists at the largest tolerance")


def _augment(run: str, allowed: Mapping[str, list[int]], taken: dict[int, str], visited: set[int]) -> bool:
    for position in allowed[run]:
        if position in visited:
            continue
        visited.add(position)
        if position not in taken or _augment(taken[position], allowed, taken, visited):
            taken[position] = run
            return True
    return False
