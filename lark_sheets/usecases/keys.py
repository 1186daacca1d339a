"""Finding and checking the key of a campaign."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from lark_sheets.core.blinding import BlindingKey, commitment, key_from_plain
from lark_sheets.core.campaign import Campaign
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError, Problem, UsageError
from lark_sheets.ports import Files
from lark_sheets.usecases.folders import KEY_SUFFIX, KEYS, folder_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundKey:
    """The key files of a campaign together: run by response, and whether every file fits its commitment.

    ``matches`` is None when no key was found.
    """

    run_of: dict[str, str]
    runs: tuple[str, ...]
    keys: tuple[BlindingKey, ...]
    matches: bool | None
    problems: tuple[Problem, ...] = ()

    def given_ids(self) -> dict[str, str]:
        """Return our response id by the id a response was given with."""
        return {r.given_id: name for key in self.keys for name, r in key.responses.items() if r.given_id}

    def by_item_and_run(self) -> dict[tuple[str, str], str]:
        """Return our response id by item and run."""
        return {(r.item, r.run): name for key in self.keys for name, r in key.responses.items()}


NO_KEY = FoundKey(run_of={}, runs=(), keys=(), matches=None)


def find_key(campaign: Campaign, workbook: Path, files: Files, given: Path | None = None) -> FoundKey:
    """Return the key of a campaign: the one given, or those in ``key/`` beside the workbook.

    A key that does not fit the commitment in the workbook gives a problem and no names. Raises :class:`UsageError` when
    the given path is not there.
    """
    if given is not None:
        if not files.exists(given):
            raise UsageError(problem("missing_file", file=str(given), found=str(given)))
        paths = sorted(files.list(given, f"*{KEY_SUFFIX}")) if given.is_dir() else [given]
        if not given.is_dir() and len(campaign.commitments) > 1:
            paths += [p for p in files.list(given.parent, f"{campaign.id}*{KEY_SUFFIX}") if p != given]
    else:
        folder = folder_of(workbook).root / KEYS
        paths = list(files.list(folder, f"{campaign.id}*{KEY_SUFFIX}"))
    if not paths:
        return NO_KEY
    keys: list[BlindingKey] = []
    problems: list[Problem] = []
    for path in paths:
        text = files.read_text(path)
        seal = commitment(text)
        if seal not in campaign.commitments:
            wanted = ", ".join(campaign.commitments)
            problems.append(problem("key_does_not_fit", file=path.name, found=seal, commitment=wanted))
            continue
        try:
            keys.append(key_from_plain(json.loads(text)))
        except ValueError as error:
            problems.append(problem("damaged_file", file=path.name, found=str(error)))
    if problems:
        return FoundKey(run_of={}, runs=(), keys=(), matches=False, problems=tuple(problems))
    run_of = {name: r.run for key in keys for name, r in key.responses.items()}
    runs = tuple(dict.fromkeys(run for key in keys for run in key.runs))
    return FoundKey(run_of=run_of, runs=runs, keys=tuple(keys), matches=True)


def need_key(campaign: Campaign, workbook: Path, files: Files, given: Path | None = None) -> FoundKey:
    """Return the key, or raise :class:`DataError` when there is none or it does not fit."""
    key = find_key(campaign, workbook, files, given)
    if key.problems:
        raise DataError(*key.problems)
    if not key.keys:
        raise UsageError(problem("missing_key", file=str(workbook), campaign=campaign.id))
    return key
