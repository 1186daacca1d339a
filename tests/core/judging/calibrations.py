"""Calibrations of a given shape, for the tests."""

from dataclasses import replace as changed

from lark_sheets.core.judging.calibration import Calibration, Case, Judged
from lark_sheets.core.judging.prompting import prompt_for
from tests.core.judging.samples import config, rubric

VERDICT = rubric("support-verdict")
PASSED = {"promise": 1, "invention": 1, "request": 1, "next_step": 1, "tone": 1}


def case(name, grades, **changes):
    base = {"id": name, "ticket": f"ticket {name}", "response": f"response {name}", "grades": grades}
    return Case(**base | changes)


def verdict_cases(yes, no, borderline=("C03", "C16")):
    """``yes`` acceptable cases, then ``no`` unacceptable ones (a promise too many), alternately English and French."""
    made = []
    for n in range(1, yes + no + 1):
        name = f"C{n:02}"
        made.append(
            case(
                name,
                PASSED if n <= yes else PASSED | {"promise": 0},
                verdict="acceptable" if n <= yes else "unacceptable",
                language="en" if n % 2 else "fr",
                family=f"family-{'abc'[n % 3]}",
                borderline=name in borderline,
            )
        )
    return made


def calibration(
    cases,
    *,
    of=VERDICT,
    flipped=(),
    levels=None,
    unscored=None,
    judged=None,
    replace=None,
    date="2026-11-01",
    **conditions,
):
    """A judge that agrees with people, except: ``flipped`` verdicts, other ``levels`` (verdicts kept), ``unscored`` cases."""
    found = {}
    for one in cases:
        if unscored and one.id in unscored:
            found[one.id] = Judged(levels={}, verdict=None, unscored={unscored[one.id]: 1})
            continue
        held = dict((judged or {}).get(one.id, one.grades))
        if one.id in flipped:
            held["promise"] = 1 - held["promise"]
        verdict = of.decide(held)
        found[one.id] = Judged(levels=held | (levels or {}), verdict=verdict, unscored={})
    base = prompt_for(of, config()).conditions
    return Calibration(
        rubric=of,
        conditions=changed(base, **({"served": ("served-1",)} | conditions)),
        cases=tuple(cases),
        judged=replace or found,
        repeats=1,
        date=date,
    )


def lesson_003():
    """The shape of lesson 003: 13 acceptable and 9 not, the judge 14 and 8; C15 fails only one secondary criterion."""
    cases = verdict_cases(13, 9)
    at = next(n for n, c in enumerate(cases) if c.id == "C15")
    cases[at] = changed(cases[at], grades=PASSED | {"request": 0}, reason="fraud needs a person")
    return calibration(cases)
