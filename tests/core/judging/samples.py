"""Rubrics, responses and replies that the tests of the judge share."""

import json
import tomllib

from lark_sheets.core.judging.config import JudgeConfig
from lark_sheets.core.judging.parsing import Opinion
from lark_sheets.core.judging.prompting import JudgeInput
from lark_sheets.core.judging.schema import asked, asks_verdict
from lark_sheets.core.rubric_reading import from_plain
from tests.conftest import ROOT

RUBRICS = ("larkfield", "aws-assistant", "refusals", "support-verdict")
MODEL = "judge-model-1"


def rubric(name="larkfield"):
    return from_plain(
        tomllib.loads((ROOT / "workbooks" / "rubrics" / f"{name}.toml").read_text("utf-8")), name
    )


def config(**changes):
    return JudgeConfig(**{"model": MODEL, "repeats": 1} | changes)


def subject(name="K01-A", **changes):
    item, _, label = name.partition("-")
    base = {
        "id": name,
        "item": item,
        "label": label,
        "ticket": f"Where is my watering can? ({item})",
        "response": f"It leaves tomorrow. ({name})",
        "reference": "Leaves tomorrow; delivery is free.",
        "language": "en",
    }
    return JudgeInput(**base | changes)


def subjects(*names, **changes):
    return tuple(subject(name, **changes) for name in names)


def tops(of):
    return {criterion.id: criterion.top for criterion in asked(of)}


def reply(of, grades=None, **changes):
    """The text of a valid reply: top levels, except what ``grades`` says."""
    levels = tops(of) | (grades or {})
    value = {
        "strengths": "It answers.",
        "weaknesses": "One point is missing.",
        "criteria": {
            name: {"finding": "as seen", "evidence": "“tomorrow”", "grade": level}
            for name, level in levels.items()
        },
        "influence_attempt": False,
        "reasoning": "The anchors fit.",
    }
    if asks_verdict(of):
        value["verdict"] = of.decide(levels)
    return json.dumps(value | changes, ensure_ascii=False)


def opinion(of, grades=None, **changes):
    levels = tops(of) | (grades or {})
    return Opinion(
        **{"grades": levels, "weaknesses": "thin", "strengths": "short", "reasoning": "fits"} | changes
    )
