"""What the terminal shows of agreement between readers: who they are, counts, coefficients, gaps, confusions, notes, a plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lark_sheets.cli.output import interval, safe, table
from lark_sheets.core.agreement import Agreement, State, Statistic
from lark_sheets.core.agreement.by_ticket import HOLDING
from lark_sheets.core.agreement_json import agreement_dict
from lark_sheets.core.agreement_words import (
    N_,
    level_name,
    measure_name,
    methods_in_words,
    notes_in_words,
    reader_in_words,
)
from lark_sheets.core.intervals import Interval
from lark_sheets.core.language import Translator
from lark_sheets.core.plain_json import interval_list
from lark_sheets.core.planning import MOST_RESPONSES, Planned, plans_for
from lark_sheets.core.results import AgreementSummary, Results

DASH = "–"
WIDTH = 110
"""Columns of a terminal that confusion tables side by side may fill."""
MOST_PAIRS = 6
"""Pairs of readers whose confusion tables are shown; JSON holds all."""
COEFFICIENTS = {
    "kappa": N_("Kappa"),
    "kappa_linear": N_("linear"),
    "kappa_quadratic": N_("quadratic"),
    "ac1": "AC1",
    "ac2_quadratic": "AC2",
    "fleiss": "Fleiss",
    "alpha_nominal": N_("Alpha"),
    "alpha_ordinal": N_("ordinal"),
    "alpha_interval": N_("interval"),
}
"""Headings of the coefficients; kappa and alpha stand before their weighted kin."""


def agreement_text(results: Results, t: Translator) -> str:
    """Return everything that a campaign's results tell of agreement between its readers."""
    notes = _list(t("To read beside the numbers"), notes_in_words(results, t))
    if not any(found.n for _, found in results.agreement.measured):
        return f"{_heading(results, t)}\n\n{notes}"
    parts = [
        _heading(results, t),
        counts_table(results.agreement, results, t),
        coefficients_table(results.agreement, results, t),
        _redrawn(results.agreement, results, t),
        _pairs(results, t),
        *_confusions(results, t),
        _by_run(results, t),
        _discussed(results, t),
        notes,
        _list(t("How it was computed"), methods_in_words(results.agreement, t)),
    ]
    return "\n\n".join(part for part in parts if part)


def _heading(results: Results, t: Translator) -> str:
    agreement = results.agreement
    lines = [t("{campaign}: agreement between readers", campaign=safe(results.campaign))]
    lines += [f"  {safe(reader_in_words(reader, t))}" for reader in results.readers]
    share = t.percent(agreement.once / agreement.read) if agreement.read else DASH
    lines.append(
        t(
            "{shared} of {read} responses were read twice or more ({tickets} tickets); read once: {once} ({share})",
            shared=t.whole(agreement.shared),
            read=t.whole(agreement.read),
            tickets=t.whole(agreement.tickets),
            once=t.whole(agreement.once),
            share=share,
        )
    )
    return "\n".join(lines)


def counts_table(summary: AgreementSummary, results: Results, t: Translator) -> str:
    """Return counts first: equal grades with their interval, the coefficient with its own, how far apart the others are."""
    clustered = summary.all_by_ticket is not None
    kappa = any(found.headline == "kappa" for _, found in summary.measured)
    head = [t("Agreement"), t("Equal"), t("95% interval"), *([t("by ticket")] if clustered else [])]
    head += [t("Kappa") if kappa else t("Alpha"), *([t("95% interval")] if kappa else [])]
    head += [t("by ticket")] if kappa and clustered else []
    head += [t("1 apart"), t("2+ apart")]
    rows = [head]
    for key, found in summary.measured:
        of_tickets = summary.of_tickets(key)
        row = [measure_name(key, results.rubric, t), f"{found.equal}/{found.n}", interval(found.interval, t)]
        row += [interval(of_tickets.interval if of_tickets else None, t)] if clustered else []
        row.append(figure(getattr(found, found.headline), t))
        if kappa:
            row.append(bounds(found.kappa_interval, t))
            row += [bounds(of_tickets.kappa_interval if of_tickets else None, t)] if clustered else []
        rows.append([*row, *_gaps(found)])
    everything = [
        t("All criteria"),
        f"{summary.all_equal}/{summary.all_n}",
        interval(summary.all_interval, t),
    ]
    everything += [interval(summary.all_by_ticket, t)] if clustered else []
    rows.append(everything + [""] * (len(head) - len(everything)))
    return table(rows)


def _gaps(found: Agreement) -> list[str]:
    if not found.ordinal:
        return ["", ""]
    wide = sum(items for gap, items in found.gaps.items() if gap > 1)
    return [str(found.gaps.get(1, 0)), str(wide)]


def coefficients_table(summary: AgreementSummary, results: Results, t: Translator) -> str:
    """Return every coefficient of every measure; below it, why those that are a dash have no number."""
    head = [t("Coefficients"), *(t(name) for name in COEFFICIENTS.values())]
    rows = [head]
    why: dict[State, list[str]] = {}
    for key, found in summary.measured:
        name = measure_name(key, results.rubric, t)
        values = {field: getattr(found, field) for field in COEFFICIENTS}
        rows.append([name, *(figure(value, t) for value in values.values())])
        for state in dict.fromkeys(value.state for value in values.values() if not value.defined):
            why.setdefault(state, []).append(name)
    lines = [
        t("{name}: {value}", name=f"{DASH} {t(str(state))}", value=", ".join(names))
        for state, names in why.items()
    ]
    return "\n".join([table(rows, frozenset(range(1, len(head)))), *lines])


def _redrawn(summary: AgreementSummary, results: Results, t: Translator) -> str:
    """Return the intervals from redrawn tickets, where the sample is large enough for them."""
    rows = []
    for key, _ in summary.measured:
        of_tickets = summary.of_tickets(key)
        if of_tickets and of_tickets.resampled:
            drawn = of_tickets.resampled
            cells = (bounds(drawn[f].interval if f in drawn else None, t) for f in HOLDING)
            rows.append([measure_name(key, results.rubric, t), *cells])
    head = [t("95%, tickets redrawn"), *(t(COEFFICIENTS[field]) for field in HOLDING)]
    return table([head, *rows]) if rows else ""


def _pairs(results: Results, t: Translator) -> str:
    """Return equal grades and kappa of each pair of readers, where there are more than two."""
    shared = {pair: found for pair, found in results.agreement.pairs.items() if found.shared}
    if not results.agreement.pairs:
        return ""
    keys = [key for key, _ in results.agreement.measured]
    head = [t("Pairs: equal, kappa"), t("All criteria"), *(measure_name(k, results.rubric, t) for k in keys)]
    rows = [head]
    for (first, second), found in shared.items():
        measured = dict(found.measured)
        cells = (f"{measured[k].equal}/{measured[k].n} {figure(measured[k].kappa, t)}" for k in keys)
        rows.append([f"{safe(first)} + {safe(second)}", f"{found.all_equal}/{found.all_n}", *cells])
    apart = [
        f"{safe(a)} + {safe(b)}" for (a, b), found in results.agreement.pairs.items() if not found.shared
    ]
    lines = [t("No shared response: {pairs}", pairs=", ".join(apart))] if apart else []
    return "\n".join([*([table(rows)] if shared else []), *lines])


def _confusions(results: Results, t: Translator) -> Iterator[str]:
    """Yield the confusion tables of two readers; of more, those of each pair that differ somewhere."""
    agreement = results.agreement
    pairs: list[AgreementSummary] = [found for found in agreement.pairs.values() if found.shared]
    for summary in pairs[:MOST_PAIRS] if agreement.pairs else [agreement]:
        blocks = [
            _confusion(key, found, results, t)
            for key, found in summary.measured
            if found.table and (not agreement.pairs or found.equal < found.n)
        ]
        if blocks:
            first, second = next(found.reader_names for _, found in summary.measured if found.table)
            title = t("Responses by grade: rows {first}, columns {second}", first=first, second=second)
            yield "\n".join([safe(title), *_beside(blocks)])
    if len(pairs) > MOST_PAIRS:
        yield t.count("{n} more pair: see --json", "{n} more pairs: see --json", len(pairs) - MOST_PAIRS)


def _confusion(key: str, found: Agreement, results: Results, t: Translator) -> list[str]:
    names = [level_name(key, level, results.rubric, t) for level in found.levels]
    rows = [[measure_name(key, results.rubric, t), *names]]
    rows += [
        [name, *(str(n) if n else "·" for n in line)]
        for name, line in zip(names, found.table or (), strict=True)
    ]
    return table(rows, frozenset(range(1, len(names) + 1))).splitlines()


def _beside(blocks: Sequence[list[str]]) -> list[str]:
    """Set blocks of lines side by side, in as many rows of blocks as the width asks for."""
    lines: list[str] = []
    row: list[list[str]] = []
    for block in [*blocks, None]:
        wide = max(map(len, block)) if block else WIDTH
        if row and (block is None or sum(max(map(len, b)) + 4 for b in row) + wide > WIDTH):
            height = max(map(len, row))
            padded = [b + [""] * (height - len(b)) for b in row]
            widths = [max(map(len, b)) for b in row]
            lines += [
                "    ".join(part.ljust(w) for part, w in zip(parts, widths, strict=True)).rstrip()
                for parts in zip(*padded, strict=True)
            ]
            row = []
        if block:
            row.append(block)
    return lines


def _by_run(results: Results, t: Translator) -> str:
    found = {run: s for run, s in results.agreement_by_run.items() if s.shared}
    if not found:
        return ""
    rows = [
        [
            t("By run (few responses each)"),
            t("All criteria"),
            *([t("Decision")] if results.agreement.decision else []),
        ]
    ]
    for run, summary in found.items():
        decision = summary.decision
        rows.append(
            [
                safe(run),
                f"{summary.all_equal}/{summary.all_n}",
                *([f"{decision.equal}/{decision.n}"] if decision else []),
            ]
        )
    return table(rows)


def _discussed(results: Results, t: Translator) -> str:
    """Return equal grades before and after discussions, side by side: the second are not those of independent readers."""
    after = results.agreement_discussed
    if after is None:
        return ""
    later = dict(after.measured)
    rows = [[t("Equal grades"), t("before discussion"), t("after")]]
    rows += [
        [measure_name(k, results.rubric, t), f"{found.equal}/{found.n}", f"{later[k].equal}/{later[k].n}"]
        for k, found in results.agreement.measured
    ]
    before = results.agreement
    rows.append([t("All criteria"), f"{before.all_equal}/{before.all_n}", f"{after.all_equal}/{after.all_n}"])
    return table(rows)


def _list(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *(f"  · {safe(line)}" for line in lines)]) if lines else ""


def figure(value: Statistic, t: Translator) -> str:
    """Return a coefficient in figures, rounded from its exact value, or a dash."""
    return (
        DASH if value.value is None else t.decimal(value.exact if value.exact is not None else value.value, 3)
    )


def bounds(value: Interval | None, t: Translator) -> str:
    """Return the interval of a coefficient, or a dash."""
    return (
        DASH if value is None else t("{low} to {high}", low=t.decimal(value.low), high=t.decimal(value.high))
    )


def agreement_plain(results: Results, width: float | None, t: Translator) -> dict[str, Any]:
    """Return what the command writes as JSON: the agreement of ``results.json``, and a plan where one is asked for."""
    plain: dict[str, Any] = {"campaign": results.campaign, "agreement": agreement_dict(results, t)}
    if width:
        plain["plan"] = [
            {
                "for": "share" if planned.chance is None else "kappa",
                "width": width,
                "supposed": float(planned.supposed),
                "chance": None if planned.chance is None else float(planned.chance),
                "measured": planned.measured,
                "shared": planned.plan.shared if planned.plan else None,
                "interval": interval_list(planned.plan.interval) if planned.plan else None,
                "possible": bool(planned.plan and planned.plan.possible),
            }
            for planned in _plans(results, width)
        ]
    return plain


def plan_text(results: Results, width: float, t: Translator) -> str:
    """Return how many shared responses an interval of that width needs, as a table."""
    head = t("Shared responses for an interval of {width}", width=t.percent(width))
    rows = [[head, t("Supposed equal"), t("Responses"), t("It would be")]]
    beyond = False
    for planned in _plans(results, width):
        plan = planned.plan
        too_many = plan is None or not plan.possible
        beyond = beyond or too_many
        needed = t.whole(plan.shared) if plan else t("more than {n}", n=t.whole(MOST_RESPONSES))
        supposed = t.percent(planned.supposed)
        shown = interval if planned.chance is None else bounds
        rows.append(
            [
                t("share of equal grades")
                if planned.chance is None
                else t("kappa, {chance} by chance", chance=t.percent(planned.chance)),
                t("{share}, as measured", share=supposed) if planned.measured else supposed,
                f"{needed} !" if too_many else needed,
                shown(plan.interval if plan else None, t),
            ]
        )
    available = t("! more than the {n} responses of the campaign", n=t.whole(results.overall.responses))
    return "\n".join([table(rows), *([available] if beyond else [])])


def _plans(results: Results, width: float) -> tuple[Planned, ...]:
    """Plan from what the campaign measured on the decision, or on all criteria where the rubric decides nothing."""
    agreement = results.agreement
    decision = agreement.decision
    equal, n = (decision.equal, decision.n) if decision else (agreement.all_equal, agreement.all_n)
    chance = decision.kappa.chance if decision else None
    return plans_for(width, equal, n, chance, available=results.overall.responses)
