"""The judge's page: may it block? Counts of people against judge, what it could not grade, whether its check is still valid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lark_sheets.core.results import Results
from lark_sheets.report.parts import Block, Column, Pair, Row, Section, Table, number, table_block, text
from lark_sheets.report.words import Phrases

MOST_DISAGREEMENTS = 30


def judge_section(results: Results, phrases: Phrases) -> Section | None:
    """Return the page, or None for a campaign without a judge.

    Reads ``results.judge``: ``model``, ``gate``, ``conclusive``, ``unscored`` and ``calibration`` (``equal n interval chance kappa
    kappa_interval table why labels_needed date disagreements criteria``); whatever is not there says "not stated".
    """
    judge = results.judge
    if judge is None:
        return None
    translate = phrases.translate
    found = judge.get("calibration")
    calibration: Mapping[str, Any] = found if isinstance(found, Mapping) else {}
    blocks: list[Block] = []
    matrix = _matrix(calibration, phrases)
    if matrix is not None:
        blocks.append(table_block(matrix))
    blocks.append(Block(kind="pairs", pairs=tuple(_pairs(judge, calibration, phrases))))
    disagreements = _disagreements(calibration, phrases)
    if disagreements is not None:
        blocks.append(table_block(disagreements, translate("Where people and judge differ")))
    return Section(
        id="judge",
        title=translate("Automatic judge"),
        take=_take(judge, calibration, phrases),
        blocks=tuple(blocks),
        new_page=False,
    )


def _take(judge: Mapping[str, Any], calibration: Mapping[str, Any], phrases: Phrases) -> str:
    translate = phrases.translate
    gate = str(judge.get("gate", "none"))
    sentences = {
        "blocking": translate("The judge may block: its check against people passed the gate."),
        "indicative": translate("The judge is indicative only: it blocks nothing."),
        "stale": translate("The judge's check is out of date: it blocks nothing until it is made again."),
        "none": translate("The judge was never checked against people: it blocks nothing."),
    }
    take = sentences.get(gate, sentences["none"])
    if gate == "blocking" and judge.get("conclusive") is False:
        take += " " + translate("The sample is too small to be sure.")
    if gate != "none" and calibration.get("kappa") is not None:
        take += " " + translate("Kappa {kappa}.", kappa=translate.decimal(float(calibration["kappa"])))
    return take


def _pairs(judge: Mapping[str, Any], calibration: Mapping[str, Any], phrases: Phrases) -> list[Pair]:
    translate = phrases.translate
    missing = translate("not stated")
    equal, n = calibration.get("equal"), calibration.get("n")
    pairs = [Pair(name=translate("Model"), value=str(judge.get("model") or missing))]
    if equal is not None and n is not None:
        pairs.append(
            Pair(
                name=translate("Same outcome"),
                value=phrases.of(int(equal), int(n))
                + _bracket(calibration.get("interval"), phrases, share=True),
            )
        )
    if calibration.get("chance") is not None:
        pairs.append(
            Pair(name=translate("Expected by chance"), value=translate.percent(float(calibration["chance"])))
        )
    kappa = calibration.get("kappa")
    if calibration:
        state = str(calibration.get("state", ""))
        value = (
            translate(state)
            if kappa is None and state
            else missing
            if kappa is None
            else translate.decimal(float(kappa))
            + _bracket(calibration.get("kappa_interval"), phrases, share=False)
        )
        pairs.append(Pair(name=translate("Kappa, gate at {gate}", gate=translate.decimal(0.6)), value=value))
    if calibration.get("labels_needed") is not None:
        pairs.append(
            Pair(
                name=translate("To be conclusive"),
                value=translate("about {n} human labels at this agreement", n=calibration["labels_needed"]),
            )
        )
    if calibration.get("date"):
        pairs.append(Pair(name=translate("Checked on"), value=str(calibration["date"])[:10]))
    why = calibration.get("why")
    if isinstance(why, Sequence) and not isinstance(why, str) and why:
        pairs.append(
            Pair(
                name=translate("Why the gate is closed"),
                value=phrases.listing([_reason(str(w), phrases) for w in why]),
            )
        )
    unscored = judge.get("unscored")
    counted = {str(k): int(v) for k, v in unscored.items()} if isinstance(unscored, Mapping) else {}
    whole = sum(counted.values())
    detail = ", ".join(
        f"{reason.replace('_', ' ')} {count}" for reason, count in sorted(counted.items()) if count
    )
    pairs.append(
        Pair(
            name=translate("Could not be graded"),
            value=translate("{n}, never replaced by a grade", n=whole) + (f" ({detail})" if detail else ""),
        )
    )
    pairs.append(
        Pair(
            name=translate("Stays with a person"),
            value=translate("every answer in French, and every answer that decides between runs"),
        )
    )
    return pairs


def _reason(code: str, phrases: Phrases) -> str:
    translate = phrases.translate
    known = {
        "none": translate("no human labels"),
        "too_small": translate("fewer than 20 labels"),
        "unbalanced": translate("one outcome is too rare among the labels"),
        "no_borderline": translate("no borderline case among the labels"),
        "no_outcome": translate("the rubric decides nothing"),
        "kappa_undefined": translate("kappa is undefined"),
        "kappa_low": translate("kappa is below the gate"),
        "not_all_judged": translate("the judge did not grade every label"),
    }
    return known.get(code, code.replace("_", " "))


def _bracket(interval: object, phrases: Phrases, *, share: bool) -> str:
    if not isinstance(interval, Sequence) or len(interval) != 2:
        return ""
    write = phrases.translate.percent if share else phrases.translate.decimal
    low, high = (write(float(bound)) for bound in interval)
    return " (" + phrases.translate("95%: {low} to {high}", low=low, high=high) + ")"


def _matrix(calibration: Mapping[str, Any], phrases: Phrases) -> Table | None:
    """Return the 2 x 2 table of people against judge; a table, because so few labels make no chart."""
    table = calibration.get("table")
    if not isinstance(table, Sequence) or len(table) != 2 or any(len(row) != 2 for row in table):
        return None
    translate, rubric = phrases.translate, phrases.results.rubric
    good = phrases.outcome(rubric.favourable) if rubric.favourable else phrases.label(rubric.main_label)
    bad = translate("not {outcome}", outcome=good)
    rows = tuple(
        Row(
            cells=(
                text(phrases.colon(translate("People"), name), "name"),
                *(
                    number(str(int(count)), zero=not count, strong=bool(count) and line != place)
                    for place, count in enumerate(row)
                ),
            )
        )
        for line, (name, row) in enumerate(zip((good, bad), table, strict=True))
    )
    return Table(
        caption=translate("People against judge"),
        columns=(
            Column(text="", kind="name", width="58mm"),
            Column(text=phrases.colon(translate("Judge"), good), kind="number", width="40mm"),
            Column(text=phrases.colon(translate("Judge"), bad), kind="number", width="40mm"),
        ),
        rows=rows,
        look="matrix2",
    )


def _disagreements(calibration: Mapping[str, Any], phrases: Phrases) -> Table | None:
    found = calibration.get("disagreements")
    if not isinstance(found, Sequence) or not found:
        return None
    translate = phrases.translate
    rows = [
        Row(
            cells=(
                text(str(case.get("id", "–")), "name"),
                text(str(case.get("human", "–"))),
                text(str(case.get("judge", "–"))),
                text(str(case.get("reason", "")) or "–", "muted"),
            )
        )
        for case in found[:MOST_DISAGREEMENTS]
        if isinstance(case, Mapping)
    ]
    return Table(
        caption="",
        columns=(
            Column(text=translate("Case"), kind="name", width="30mm"),
            Column(text=translate("People"), width="32mm"),
            Column(text=translate("Judge"), width="32mm"),
            Column(text=translate("The person's reason")),
        ),
        rows=tuple(rows),
        look="disagreements",
    )
