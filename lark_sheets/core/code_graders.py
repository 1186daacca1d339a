"""Code as the first grader: what a program can prove of a response, as proposals beside a person's grades, never as grades.

The checks of :mod:`lark_sheets.core.code_checks` see wrapping, sentences and languages. Here they are joined by what a rubric's
own check file says: exactly which fields an object must have, with which values, how a field stands to the ticket's answer
key, how many sentences a reply needs, whether code parses. A proposal is shown only once a person has graded the response.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lark_sheets.core.code_checks import EMPTY, object_of, reply_of, seen_in, sentences_of
from lark_sheets.core.language_hints import Hint, hints
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.syntax_checks import syntax_fault
from lark_sheets.core.text import folded

FIELDS, SHORT, MIXED, COMPARED, SYNTAX = "fields", "few_sentences", "mixed_sentence", "compared", "syntax"
TRUE_WORDS = frozenset({"1", "true", "yes", "oui", "vrai", "x"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRule:
    """What one field must hold: a text, a true-or-false, a number, or one of some values."""

    name: str
    kind: str = "text"
    allowed: tuple[str, ...] = ()

    def fits(self, value: object) -> bool:
        """Say whether a value is of the kind and among the values."""
        if self.allowed:
            return isinstance(value, str) and value in self.allowed
        match self.kind:
            case "boolean":
                return isinstance(value, bool)
            case "number":
                return isinstance(value, (int, float)) and not isinstance(value, bool)
            case _:
                return isinstance(value, str)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRule:
    """A field held against a column of the ticket; ``code`` for any difference, or one code for each way of a yes and a no."""

    field: str
    column: str
    after: tuple[str, ...] = ()
    code: str = ""
    yes_for_no: str = ""
    no_for_yes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFile:
    """What may be checked under one rubric; without one only the general checks run."""

    right_when_top: tuple[str, ...] = ()
    fields: tuple[FieldRule, ...] = ()
    fields_code: str = ""
    least: int = 0
    most: int = 0
    compare: tuple[KeyRule, ...] = ()
    syntax_column: str = ""
    syntax_criterion: str = ""
    syntax_highest: int = 0


def checks_from_plain(plain: Mapping[str, Any], rubric: Rubric) -> CheckFile:
    """Return the check file that plain data describe. ``ValueError`` names every code or criterion that the rubric does not have."""
    syntax, sentences = plain.get("syntax", {}), plain.get("sentences", {})
    made = CheckFile(
        right_when_top=tuple(plain.get("right_when_top", ())),
        fields=tuple(
            FieldRule(name=name, kind=rule.get("kind", "text"), allowed=tuple(rule.get("allowed", ())))
            for name, rule in plain.get("fields", {}).items()
        ),
        fields_code=plain.get("fields_code", ""),
        least=sentences.get("least", 0),
        most=sentences.get("most", 0),
        compare=tuple(
            KeyRule(**{**rule, "after": tuple(rule.get("after", ()))}) for rule in plain.get("compare", ())
        ),
        syntax_column=syntax.get("column", ""),
        syntax_criterion=syntax.get("criterion", ""),
        syntax_highest=syntax.get("highest", 0),
    )
    codes = [made.fields_code, *(c for r in made.compare for c in (r.code, r.yes_for_no, r.no_for_yes))]
    strange = [code for code in codes if code and rubric.code(code) is None]
    known = [c.id for c in rubric.criteria]
    strange += [c for c in (*made.right_when_top, made.syntax_criterion) if c and c not in known]
    if strange:
        raise ValueError(", ".join(dict.fromkeys(strange)))
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One thing a program saw: the check, the issue code it proposes (or none), what it saw, and the levels it would cap."""

    check: str
    code: str
    what: str
    caps: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One response to check: its text, the language of the reply expected, and the ticket's columns by name."""

    text: str
    language: str
    ticket: Mapping[str, str]


def propose(subject: Subject, rubric: Rubric, checks: CheckFile | None = None) -> tuple[Proposal, ...]:
    """Return what the checks see in one response; a code that the rubric does not have is shown as an observation without code."""
    checks = checks or CheckFile()
    found = [(seen.code, seen.code, seen.what) for seen in seen_in(subject.text, subject.language)]
    empty = any(check == EMPTY for check, _, _ in found)
    made = [] if checks.syntax_column else [_proposal(rubric, *one) for one in found]
    if empty:
        return tuple(_proposal(rubric, *one) for one in found)
    reply = reply_of(subject.text)
    if checks.fields:
        made += _fields(subject, rubric, checks)
    if checks.least and (count := len(sentences_of(reply))) < checks.least:
        made.append(Proposal(check=SHORT, code="", what=str(count)))
    if checks.syntax_column:
        made += _syntax(subject, checks)
    elif subject.language in ("fr", "en"):
        made += [Proposal(check=MIXED, code="", what=s.text) for s in hints(reply) if s.hint is Hint.MIXED]
    return tuple(_once(made))


def _proposal(rubric: Rubric, check: str, code: str, what: str) -> Proposal:
    known = rubric.code(code)
    caps = {cap.criterion: cap.cap for cap in known.caps if cap.cap is not None} if known else {}
    return Proposal(check=check, code=code if known else "", what=what, caps=caps)


def _fields(subject: Subject, rubric: Rubric, checks: CheckFile) -> list[Proposal]:
    """Hold a readable object against the fields wanted, then its fields against the ticket; what cannot be read was proposed already."""
    data = object_of(subject.text)
    if data is None:
        return []
    wanted = {rule.name: rule for rule in checks.fields}
    faults = [f"− {name}" for name in wanted if name not in data]
    faults += [f"+ {name}" for name in data if name not in wanted]
    faults += [
        f"{name} = {data[name]!r}"
        for name, rule in wanted.items()
        if name in data and not rule.fits(data[name])
    ]
    made = [_proposal(rubric, FIELDS, checks.fields_code, "; ".join(faults))] if faults else []
    for rule in checks.compare:
        if rule.field not in data:
            continue
        code = _against_key(data[rule.field], subject.ticket.get(rule.column, ""), rule)
        if code:
            made.append(_proposal(rubric, COMPARED, code, f"{rule.field} = {data[rule.field]!r}"))
    return made


def _against_key(value: object, key: str, rule: KeyRule) -> str:
    """Return the code that a field's difference from the answer key gives, or nothing when they agree or the key is silent."""
    expected = folded(key)
    if rule.after:
        expected = next((w for mark in rule.after if (w := _word_after(expected, folded(mark)))), "")
    if not expected:
        return ""
    if isinstance(value, bool):
        wanted = expected in TRUE_WORDS
        return "" if value == wanted else (rule.yes_for_no if value else rule.no_for_yes)
    return "" if folded(str(value)) == expected else rule.code


def _word_after(text: str, mark: str) -> str:
    _, found, rest = text.partition(mark)
    return rest.split(None, 1)[0].rstrip(".;,") if found and rest.split() else ""


def _syntax(subject: Subject, checks: CheckFile) -> list[Proposal]:
    fault = syntax_fault(subject.text, subject.ticket.get(checks.syntax_column, ""))
    if not fault:
        return []
    caps = {checks.syntax_criterion: checks.syntax_highest} if checks.syntax_criterion else {}
    return [Proposal(check=SYNTAX, code="", what=fault, caps=caps)]


def _once(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Keep the first proposal of each code; observations without a code all stay."""
    seen: set[str] = set()
    kept = []
    for proposal in proposals:
        if proposal.code and proposal.code in seen:
            continue
        seen.add(proposal.code)
        kept.append(proposal)
    return kept


def provable(rubric: Rubric, checks: CheckFile | None) -> frozenset[str]:
    """Return the issue codes of a rubric that these checks can propose."""
    from lark_sheets.core.code_checks import CHECKED

    codes = set(CHECKED) if checks is None or not checks.syntax_column else {EMPTY}
    if checks is not None:
        codes |= {
            checks.fields_code,
            *(c for r in checks.compare for c in (r.code, r.yes_for_no, r.no_for_yes)),
        }
    return frozenset(code.id for code in rubric.codes if code.id in codes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """A program's proposals beside one person's reading.

    ``unrecorded`` were seen by the program and not recorded by the person, ``unseen`` recorded and not seen although the checks know
    the code, ``above`` are grades higher than a proposal would leave: criterion -> (grade, cap).
    """

    id: str
    item: str
    label: str
    run: str
    grader: str
    proposals: tuple[Proposal, ...]
    unrecorded: tuple[str, ...]
    unseen: tuple[str, ...]
    above: Mapping[str, tuple[int, int]]

    @property
    def differs(self) -> bool:
        """Say whether a person should look again: a grade above what was seen, or codes of one side only."""
        return bool(self.above or self.unrecorded or self.unseen)


def beside(
    proposals: Sequence[Proposal],
    grades: Mapping[str, Level | None],
    codes: Iterable[str],
    known: frozenset[str],
    **place: str,
) -> Beside:
    """Hold proposals against a complete reading: ``codes`` are those the person recorded, ``known`` those the checks could propose.

    ``place`` says whose reading of what it is: id, item, label, run, grader.
    """
    proposed, recorded = {p.code for p in proposals if p.code}, set(codes)
    above: dict[str, tuple[int, int]] = {}
    for proposal in proposals:
        for criterion, cap in proposal.caps.items():
            grade = grades.get(criterion)
            if isinstance(grade, int) and grade > cap:
                above[criterion] = (grade, min(cap, above.get(criterion, (grade, cap))[1]))
    return Beside(
        proposals=tuple(proposals),
        unrecorded=tuple(sorted(proposed - recorded)),
        unseen=tuple(sorted((recorded & known) - proposed)),
        above=above,
        **place,
    )
