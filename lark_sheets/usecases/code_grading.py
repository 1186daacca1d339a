"""``code-checks``: what programs propose beside what people graded, and how often a search for words errs. Nothing is written to a workbook."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lark_sheets.core.campaign import Campaign, Item, RaterKind, Reading, Response
from lark_sheets.core.code_checks import reply_of
from lark_sheets.core.code_graders import (
    Beside,
    CheckFile,
    Subject,
    beside,
    checks_from_plain,
    propose,
    provable,
)
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.scoring import counted_grades, is_ready
from lark_sheets.core.word_check import Checked, WordErrors, by_group, check_words, word_errors, words_of
from lark_sheets.errors import DataError, UsageError
from lark_sheets.usecases.loading import load_one, with_key
from lark_sheets.usecases.needs import Needs

CHECKS = "checks"
CODE_CHECKS_SCHEMA = "lark-sheets/code-checks/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeTally:
    """One issue code over all graded responses: seen by both, by the program alone, by the person alone."""

    both: int
    program: int
    person: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeChecks:
    """What came of the checks. ``words`` is None where nothing says what a right answer is; ``by_run`` is empty before the reveal.

    ``waiting`` counts responses that no person has graded completely: nothing is shown of them.
    """

    rubric: Rubric
    campaign: str
    revealed: bool
    compared: tuple[Beside, ...]
    tallies: Mapping[str, CodeTally]
    waiting: int
    words: WordErrors | None
    by_run: Mapping[str, WordErrors]
    right_means: tuple[str, ...]


def load_checks(rubric: Rubric, needs: Needs, given: Path | None = None) -> CheckFile | None:
    """Return the check file of a rubric: the one given, else the shipped one of its id, else None.

    Raises :class:`UsageError` for a path that is not there, :class:`DataError` for a file that does not fit the rubric.
    """
    path = given or needs.rubrics.parent / CHECKS / f"{rubric.id}.toml"
    if not needs.files.exists(path):
        if given is None:
            return None
        raise UsageError(problem("missing_file", file=str(given), found=str(given)))
    try:
        return checks_from_plain(tomllib.loads(needs.files.read_text(path)), rubric)
    except (tomllib.TOMLDecodeError, ValueError, TypeError, AttributeError) as fault:
        if given is None:
            return None  # an edited rubric may have dropped what the shipped file speaks of
        raise DataError(
            problem("checks_fault", file=path.name, found=str(fault), rubric=rubric.id)
        ) from fault


def check_codes(
    book: Path, needs: Needs, *, key: Path | None = None, checks: Path | None = None
) -> CodeChecks:
    """Run the checks over a campaign and hold them against the people who graded; runs are named only after the reveal."""
    loaded = load_one(book, needs)
    campaign = loaded.campaign
    found = with_key(loaded, needs, key)
    names = found.run_of if campaign.revealed and found.matches else {}
    held = load_checks(campaign.rubric, needs, checks)
    graded = people(campaign)
    items, responses = campaign.item(), campaign.response()
    known = provable(campaign.rubric, held)
    compared, checked = [], []
    for response in campaign.responses:
        reading = graded.get(response.id)
        if reading is None:
            continue
        item = items[response.item]
        grades = counted_grades(campaign, reading)
        proposals = propose(subject_of(response, item), campaign.rubric, held)
        place = {
            "id": response.id,
            "item": response.item,
            "label": response.label,
            "run": names.get(response.id, ""),
            "grader": reading.grader,
        }
        compared.append(beside(proposals, grades, reading.codes, known, **place))
        checked.append(_words(response, item, names, reading.codes, right(campaign.rubric, grades, held)))
    knows = bool(held and held.right_when_top) or bool(campaign.rubric.favourable)
    return CodeChecks(
        rubric=campaign.rubric,
        campaign=campaign.id,
        revealed=campaign.revealed,
        compared=tuple(compared),
        tallies=tallies(
            compared, {r.id: graded[r.id].codes for r in responses.values() if r.id in graded}, known
        ),
        waiting=len(campaign.responses) - len(compared),
        words=word_errors(checked) if knows else None,
        by_run=_in_order(by_group(checked, lambda c: c.run), found.runs) if knows and names else {},
        right_means=held.right_when_top if held else (),
    )


def _in_order(groups: Mapping[str, WordErrors], runs: Sequence[str]) -> dict[str, WordErrors]:
    return {run: groups[run] for run in runs if run in groups}


def people(campaign: Campaign) -> dict[str, Reading]:
    """Return, by response, the complete and current reading of a person: the owner's if a person owns it, else the first other."""
    human = {g.name for g in campaign.graders if g.kind is RaterKind.HUMAN}
    found: dict[str, Reading] = {}
    for reading in sorted(campaign.readings, key=lambda r: not r.owner):
        usable = reading.is_complete and not campaign.is_stale(reading)
        if usable and reading.grader in human and reading.response not in found:
            found[reading.response] = reading
    return found


def subject_of(response: Response, item: Item) -> Subject:
    """Return a response as the checks read it: its ticket's columns by name."""
    ticket = {
        **item.fields,
        "language": response.language or item.language,
        "type": item.type,
        "difficulty": item.difficulty,
        "stratum": item.stratum,
        "reference": item.reference,
    }
    return Subject(text=response.text, language=ticket["language"], ticket=ticket)


def right(rubric: Rubric, grades: Mapping[str, Level | None], checks: CheckFile | None) -> bool | None:
    """Say whether a person found the response right: the top on the criteria that the check file names, else the favourable verdict."""
    if checks and checks.right_when_top:
        return all(grades.get(c) == rubric.criterion(c).top for c in checks.right_when_top)
    return is_ready(rubric, grades)


def _words(
    response: Response, item: Item, names: Mapping[str, str], codes: tuple[str, ...], found_right: bool | None
) -> Checked:
    found = check_words(reply_of(response.text), words_of(item.must_mention), words_of(item.must_not_mention))
    where = f"{response.item}-{response.label}"
    return Checked(id=where, run=names.get(response.id, ""), found=found, right=found_right, codes=codes)


def tallies(
    compared: Sequence[Beside], recorded: Mapping[str, Sequence[str]], known: frozenset[str]
) -> dict[str, CodeTally]:
    """Count each code that the checks can propose: by both, by the program alone, by the person alone."""
    counts = {}
    for code in sorted(known):
        pairs = [(code in {p.code for p in b.proposals}, code in recorded[b.id]) for b in compared]
        counts[code] = CodeTally(
            both=sum(p and r for p, r in pairs),
            program=sum(p and not r for p, r in pairs),
            person=sum(r and not p for p, r in pairs),
        )
    return counts


def checks_plain(done: CodeChecks) -> dict[str, Any]:
    """Return everything found as plain JSON data; runs are null before the reveal, and no text of a response is in it."""
    return {
        "schema": CODE_CHECKS_SCHEMA,
        "campaign": done.campaign,
        "revealed": done.revealed,
        "graded": len(done.compared),
        "waiting": done.waiting,
        "right_means": {"top_on": list(done.right_means), "favourable": done.rubric.favourable or None},
        "codes": {
            code: {"both": t.both, "program_only": t.program, "person_only": t.person}
            for code, t in done.tallies.items()
        },
        "differences": [_difference(b) for b in done.compared if b.differs],
        "words": None if done.words is None else _errors(done.words),
        "words_by_run": {run: _errors(errors) for run, errors in done.by_run.items()},
    }


def _difference(found: Beside) -> dict[str, Any]:
    return {
        "id": found.id,
        "item": found.item,
        "label": found.label,
        "run": found.run or None,
        "grader": found.grader,
        "proposals": [
            {"check": p.check, "code": p.code or None, "caps": dict(p.caps)} for p in found.proposals
        ],
        "unrecorded": list(found.unrecorded),
        "unseen": list(found.unseen),
        "above": {c: {"grade": grade, "cap": cap} for c, (grade, cap) in found.above.items()},
    }


def _errors(errors: WordErrors) -> dict[str, Any]:
    return {
        "right": errors.right,
        "wrong": errors.wrong,
        "rejected_right": [
            {"response": c.id, "kinds": [str(k) for k in c.found.kinds]} for c in errors.rejected_right
        ],
        "accepted_wrong": [{"response": c.id, "codes": list(c.codes)} for c in errors.accepted_wrong],
        "rejected_for": {
            "missing": errors.for_missing,
            "unwanted": errors.for_unwanted,
            "negated": errors.for_negated,
        },
    }
