"""The judge against people: what was compared, whether the set is fit to compare on, and what the comparison says.

Only the binary outcome (ready, acceptable, full refusal: or not) opens the gate; agreement per criterion is shown
and gates nothing. A case that the judge did not grade is counted, never filled in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from lark_sheets.core.agreement import Agreement, agreement
from lark_sheets.core.intervals import wilson
from lark_sheets.core.judging.config import Conditions
from lark_sheets.core.judging.gate import (
    FEWEST_LABELS,
    LEAST_MINORITY,
    Gate,
    is_conclusive,
    labels_needed,
    opens,
)
from lark_sheets.core.results import Rate
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.text import canonical, canonical_json, sha256

YES, NO = "yes", "no"
HUMAN, JUDGE = "human", "judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One response that people labelled. ``verdict`` is theirs; where they gave none, it follows from their grades by the rule."""

    id: str
    ticket: str
    response: str
    grades: Mapping[str, Level | None]
    verdict: str | None = None
    language: str = ""
    family: str = ""
    borderline: bool = False
    reason: str = ""
    reference: str = ""
    annotator: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the judge held of a case: the levels most repeats gave, its verdict, and what each repeat said."""

    levels: Mapping[str, Level | None]
    verdict: str | None
    outcomes: tuple[str, ...] = ()
    """The verdicts (or main labels) of the valid repeats, for their dispersion."""
    unscored: Mapping[str, int]
    reason: str = ""


class Status(StrEnum):
    """Whether a set of labels can tell anything about a judge."""

    NONE = "none"
    TOO_SMALL = "too_small"
    UNBALANCED = "unbalanced"
    NO_BORDERLINE = "no_borderline"
    MEASURED = "measured"


REFUSED = frozenset({Status.NONE, Status.TOO_SMALL, Status.UNBALANCED})
"""A set that can tell nothing: the judge is not even asked, so nothing is spent."""


def positive(rubric: Rubric) -> str:
    """Return the outcome or label whose presence is the binary outcome; empty when the rubric decides nothing."""
    return rubric.favourable or rubric.main_label


def outcome(rubric: Rubric, verdict: str | None, levels: Mapping[str, Level | None]) -> str | None:
    """Return the binary outcome ("yes" or "no") of one reading, or None when it has none."""
    if rubric.favourable:
        held = verdict if verdict is not None else rubric.decide(levels)
        return None if held is None else (YES if held == rubric.favourable else NO)
    label = next((levels.get(c.id) for c in rubric.criteria if c.is_category), None)
    if not rubric.main_label or label is None:
        return None
    return YES if label == rubric.main_label else NO


def set_status(rubric: Rubric, cases: Sequence[Case]) -> Status:
    """Say whether a set is fit: at least 20 labels, the rarer outcome at least 30 % of them, some cases marked borderline.

    A rubric without an outcome has no balance to keep.
    """
    labels = Counter(o for c in cases if (o := outcome(rubric, c.verdict, c.grades)) is not None)
    labelled = sum(labels.values()) if positive(rubric) else sum(None not in c.grades.values() for c in cases)
    if not cases:
        return Status.NONE
    if labelled < FEWEST_LABELS:
        return Status.TOO_SMALL
    if positive(rubric) and Fraction(min(labels[YES], labels[NO]), labelled) < LEAST_MINORITY:
        return Status.UNBALANCED
    return Status.MEASURED if any(c.borderline for c in cases) else Status.NO_BORDERLINE


def set_fingerprint(cases: Sequence[Case]) -> str:
    """Return the SHA-256 of a set's texts and labels, whatever the order of its rows."""
    rows = sorted(
        canonical_json(
            [
                canonical(c.ticket),
                canonical(c.response),
                c.verdict,
                dict(c.grades),
                c.borderline,
                c.language,
                c.family,
            ]
        )
        for c in cases
    )
    return sha256("\n".join(rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A comparison that was made, kept whole so that every figure can be computed again."""

    rubric: Rubric
    conditions: Conditions
    cases: tuple[Case, ...]
    judged: Mapping[str, Judged]
    repeats: int
    date: str
    recorded: bool = False
    """Whether the judge's replies were recorded earlier and only replayed."""

    @property
    def status(self) -> Status:
        """Return whether the set can tell anything."""
        return set_status(self.rubric, self.cases)

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the set."""
        return set_fingerprint(self.cases)


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One case on which people and judge differ in the outcome, with what each side said.

    ``failed`` are the criteria on which their levels differ or that one side failed. ``by_rule`` says that the people's own
    grades, put through the rule, give the judge's verdict: then the rule should be looked at, not the judge.
    """

    case: Case
    judged: Judged
    human: str
    judge: str
    failed: tuple[str, ...]
    by_rule: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Everything a calibration says. ``sensitivity``: of the cases people call positive, those the judge does too;
    ``specificity``: the same of the negative ones. ``steady`` counts cases on which all valid repeats say the same.
    """

    status: Status
    labelled: int
    judged: int
    unscored: Mapping[str, int]
    binary: Agreement | None
    criteria: Mapping[str, Agreement]
    sensitivity: Rate | None
    specificity: Rate | None
    by_language: Mapping[str, Agreement]
    by_family: Mapping[str, Agreement]
    disagreements: tuple[Disagreement, ...]
    steady: Rate
    conclusive: bool | None
    labels_needed: int | None
    gate: Gate
    why: tuple[str, ...]

    @property
    def kappa(self) -> Fraction | None:
        """Return kappa of the binary outcome, exact."""
        return None if self.binary is None else self.binary.kappa_exact


def measure(calibration: Calibration) -> Measures:
    """Compute every figure of a calibration, and the gate as it was on its day (staleness is another question)."""
    rubric, cases = calibration.rubric, calibration.cases
    human = {c.id: outcome(rubric, c.verdict, c.grades) for c in cases}
    judge = {key: outcome(rubric, j.verdict, j.levels) for key, j in calibration.judged.items()}
    labelled = [c for c in cases if human[c.id] is not None] if positive(rubric) else list(cases)
    judged = (
        [c for c in labelled if judge.get(c.id) is not None] if positive(rubric) else _graded(calibration)
    )
    unscored: Counter[str] = Counter()
    for one in calibration.judged.values():
        unscored.update(one.unscored)

    def binary(chosen: Sequence[Case]) -> Agreement:
        pairs = [{HUMAN: human[c.id], JUDGE: judge.get(c.id)} for c in chosen]
        return agreement(pairs, (YES, NO), ordinal=False, readers=(HUMAN, JUDGE))

    whole = binary(labelled) if positive(rubric) else None
    kappa = None if whole is None else whole.kappa_exact
    chance = None if whole is None else whole.kappa.chance
    why = _why(calibration, labelled=len(labelled), judged=len(judged), kappa=kappa)
    outcomes = [calibration.judged[c.id].outcomes for c in judged]
    repeated = [o for o in outcomes if len(o) > 1]
    steady = sum(len(set(o)) == 1 for o in repeated)
    return Measures(
        status=calibration.status,
        labelled=len(labelled),
        judged=len(judged),
        unscored=dict(unscored),
        binary=whole,
        criteria=_by_criterion(calibration),
        sensitivity=_share(judged, human, judge, YES) if whole else None,
        specificity=_share(judged, human, judge, NO) if whole else None,
        by_language=_grouped(labelled, lambda c: c.language, binary) if whole else {},
        by_family=_grouped(labelled, lambda c: c.family, binary) if whole else {},
        disagreements=_disagreements(calibration, judged, human, judge) if whole else (),
        steady=Rate(k=steady, n=len(repeated), interval=wilson(steady, len(repeated))),
        conclusive=None if whole is None else is_conclusive(whole.kappa_interval),
        labels_needed=None if whole is None else labels_needed(whole.equal, whole.n, chance),
        gate=Gate.INDICATIVE if why else Gate.BLOCKING,
        why=why,
    )


def _graded(calibration: Calibration) -> list[Case]:
    """Return the cases whose every criterion the judge graded, for a rubric without an outcome."""
    whole = {key for key, j in calibration.judged.items() if j.levels and None not in j.levels.values()}
    return [c for c in calibration.cases if c.id in whole]


def _why(calibration: Calibration, *, labelled: int, judged: int, kappa: Fraction | None) -> tuple[str, ...]:
    """Return why the gate is not open, as keys; empty when it is."""
    why = []
    if calibration.status is not Status.MEASURED:
        why.append(str(calibration.status))
    if not positive(calibration.rubric):
        why.append("no_outcome")
    elif kappa is None:
        why.append("kappa_undefined")
    elif not opens(kappa):
        why.append("kappa_low")
    if judged < labelled:
        why.append("not_all_judged")
    return tuple(why)


def _by_criterion(calibration: Calibration) -> dict[str, Agreement]:
    return {
        c.id: agreement(
            [
                {HUMAN: case.grades.get(c.id), JUDGE: calibration.judged[case.id].levels.get(c.id)}
                for case in calibration.cases
                if case.id in calibration.judged
            ],
            c.levels,
            ordinal=not c.is_category,
            readers=(HUMAN, JUDGE),
        )
        for c in calibration.rubric.criteria
    }


def _share(
    cases: Sequence[Case], human: Mapping[str, str | None], judge: Mapping[str, str | None], wanted: str
) -> Rate:
    of = [c for c in cases if human[c.id] == wanted]
    k = sum(judge[c.id] == wanted for c in of)
    return Rate(k=k, n=len(of), interval=wilson(k, len(of)))


def _grouped(
    cases: Sequence[Case], group: Callable[[Case], str], binary: Callable[[Sequence[Case]], Agreement]
) -> dict[str, Agreement]:
    names = sorted({name for c in cases if (name := group(c))})
    return {name: binary([c for c in cases if group(c) == name]) for name in names}


def _disagreements(
    calibration: Calibration,
    cases: Sequence[Case],
    human: Mapping[str, str | None],
    judge: Mapping[str, str | None],
) -> tuple[Disagreement, ...]:
    rubric = calibration.rubric
    found = []
    for case in cases:
        said, held = human[case.id], judge[case.id]
        if said is None or held is None or said == held:
            continue
        judged = calibration.judged[case.id]
        failed = [
            c.id
            for c in rubric.criteria
            if judged.levels.get(c.id) != case.grades.get(c.id)
            or (not c.is_category and case.grades.get(c.id) != c.top)
        ]
        by_rule = bool(rubric.favourable) and outcome(rubric, None, case.grades) == held
        found.append(
            Disagreement(
                case=case, judged=judged, human=said, judge=held, failed=tuple(failed), by_rule=by_rule
            )
        )
    return tuple(found)
