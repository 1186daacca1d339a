"""How often the 95 % intervals that we print hold the true value, in designs like those of a campaign.

`python benchmarks/coverage_simulation.py` prints the tables; `--write` puts them into docs/statistics.md between its two
marks. Everything is drawn from fixed seeds. Exact sums stand in for draws where the outcomes can be listed. The whole run
takes some minutes on two cores; `--quick` draws a tenth, to try a change.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import comb, sqrt
from pathlib import Path

import numpy as np
from scipy.special import ndtr

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from lark_sheets.core.agreement import Agreement, agreement_of, by_ticket
from lark_sheets.core.agreement.distances import nominal
from lark_sheets.core.agreement.large_sample import cohen_errors
from lark_sheets.core.agreement.tables import CountTable
from lark_sheets.core.intervals import Interval, mean_interval, wilson
from lark_sheets.core.paired import mcnemar, paired_difference, permutation
from lark_sheets.core.resampling import resample_mean

DOCUMENT = ROOT / "docs/statistics.md"
START, END = "<!-- coverage: written by benchmarks/coverage_simulation.py -->", "<!-- end of coverage -->"
LOW, HIGH = 0.93, 0.97
DRAWS = 2000
BOOT = 800
"""Samples of tickets within one simulated campaign (the product draws 2,000; the ends hardly differ)."""

MARGINS = {
    "50/50": (0.5, 0.5),
    "86/14": (0.86, 0.14),
    "third each": (1 / 3, 1 / 3, 1 / 3),
    "60/30/10": (0.6, 0.3, 0.1),
    "85/12/3": (0.85, 0.12, 0.03),
}
SCORES = {
    "nearly perfect (90 % full marks)": (0, 0, 0, 0, 0.01, 0.01, 0.02, 0.06, 0.90),
    "good (60 % full marks)": (0, 0, 0, 0.02, 0.03, 0.05, 0.1, 0.2, 0.6),
    "middling": (0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.2, 0.15, 0.1),
    "two humps": (0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.1, 0.15, 0.3),
    "weak": (0.1, 0.1, 0.15, 0.2, 0.2, 0.1, 0.05, 0.05, 0.05),
    "one in five empty": (0.2, 0, 0, 0, 0, 0.05, 0.1, 0.15, 0.5),
}
REDRAWN = (
    "kappa", "kappa_linear", "kappa_quadratic", "ac1", "ac2_quadratic", "fleiss", "alpha_nominal", "alpha_ordinal", "alpha_interval",
)  # fmt: skip
TOP = 8
TRUE_KAPPAS = (0.4, 0.6, 0.8, 0.9)


def starred(share: float) -> str:
    """A coverage in percent, with a star when what is printed is outside 93.0-97.0."""
    percent = f"{100 * share:.1f}"
    return percent if 100 * LOW <= float(percent) <= 100 * HIGH else f"{percent} *"


@dataclass
class Count:
    """Intervals seen, those that held the truth, their widths, and samples without an interval."""

    held: int = 0
    seen: int = 0
    width: float = 0.0
    none: int = 0

    def see(self, interval: Interval | None, truth: float) -> None:
        if interval is None:
            self.none += 1
            return
        self.seen += 1
        self.held += interval.low - 1e-12 <= truth <= interval.high + 1e-12
        self.width += interval.width

    @property
    def share(self) -> float:
        return self.held / self.seen

    def __str__(self) -> str:
        return starred(self.share)

    @property
    def mean_width(self) -> str:
        return f"{self.width / self.seen:.2f}"


def table(title: str, heads: list[str], rows: list[list[str]]) -> str:
    lines = [f"**{title}**", "", "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)])


# --- shares: exact ------------------------------------------------------------------------------------------------------


@cache
def wilson_coverage(share: float, n: int) -> float:
    """Probability that Wilson's interval holds the share, summed over all counts."""
    return sum(
        comb(n, k) * share**k * (1 - share) ** (n - k)
        for k in range(n + 1)
        if (found := wilson(k, n)) and found.low <= share <= found.high
    )


def shares() -> str:
    """By n: what single shares give, and the mean over shares near each (a single one jumps with the whole numbers)."""
    rows = []
    for n in (22, 24, 28, 60, 90, 192):
        row = [str(n)]
        for low, high in ((0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 0.995)):
            values = [wilson_coverage(round(low + (high - low) * step / 40, 6), n) for step in range(41)]
            mean = sum(values) / len(values)
            row.append(f"{starred(mean)} ({100 * min(values):.0f}-{100 * max(values):.0f})")
        rows.append(row)
    heads = ["n", "true share .50-.70", ".70-.90", ".90-.97", ".97-.995"]
    return table("Wilson: mean coverage in % (lowest-highest single share), exact", heads, rows)


# --- kappa, independent items -------------------------------------------------------------------------------------------


def joint_of(margins: tuple[float, ...], kappa: float) -> np.ndarray:
    """Cells when both readers have the same margins and agree beyond chance by kappa."""
    p = np.array(margins)
    return kappa * np.diag(p) + (1 - kappa) * np.outer(p, p)


def as_table(cells: np.ndarray) -> CountTable:
    levels = range(len(cells))
    patterns = {(a, b): int(cells[a, b]) for a in levels for b in levels if cells[a, b]}
    return CountTable(tuple(levels), ("a", "b"), patterns)


def kappas(scale: float) -> str:
    """Each cell: coverage of ours, and of Wald's beside it; then the same samples for AC1."""
    generator = np.random.default_rng(20261129)
    size = int(DRAWS * scale)
    rows, others = [], []
    for n in (22, 28, 60, 192):
        for name, margins in MARGINS.items():
            row, other, widths, lacking = [], [], [], 0
            used = np.array(margins)
            chance = (used * (1 - used)).sum() / (len(margins) - 1)
            for kappa in TRUE_KAPPAS:
                cells = joint_of(margins, kappa)
                ac1 = (np.trace(cells) - chance) / (1 - chance)
                ours, wald, gwet = Count(), Count(), Count()
                for draw in generator.multinomial(n, cells.ravel(), size=size):
                    found = agreement_of(as_table(draw.reshape(cells.shape)), ordinal=False)
                    ours.see(found.kappa_interval, kappa)
                    gwet.see(found.ac1_interval, ac1)
                    if found.kappa.defined and found.table:
                        wald.see(cohen_errors(found.table, nominal(found.levels)).wald(), kappa)
                row.append(f"{ours} ({100 * wald.share:.0f})")
                other.append(f"{gwet}")
                widths.append(ours.mean_width)
                lacking = max(lacking, ours.none)
            rows.append([n, name, *row, " ".join(widths), f"{100 * lacking / size:.1f}"])
            others.append([n, name, *other])
    heads = [f"true kappa {kappa}" for kappa in TRUE_KAPPAS]
    first = table(
        "Kappa of two readers, one response a ticket: coverage in % of Wilson mapped through (of Wald's)",
        ["items", "levels used", *heads, "mean widths", "undefined, at most %"],
        rows,
    )
    return (
        first
        + "\n\n"
        + table("AC1 of the same samples, mapped alike", ["items", "levels used", *heads], others)
    )


# --- kappa, several responses a ticket ----------------------------------------------------------------------------------


def clustered(
    tickets: int,
    answers: int,
    margins: tuple[float, ...],
    slip: float,
    alike: float,
    generator: np.random.Generator,
    size: int,
) -> np.ndarray:
    """Two readers; levels and slips of one ticket resemble each other with correlation `alike` (normal copula)."""
    edges = np.cumsum(margins)[:-1]

    def uniform() -> np.ndarray:
        shared = generator.standard_normal((size, tickets, 1))
        own = generator.standard_normal((size, tickets, answers))
        return ndtr(sqrt(alike) * shared + sqrt(1 - alike) * own)

    truth = np.searchsorted(edges, uniform())
    shared_slip = generator.standard_normal((size, tickets, 1))
    readers = []
    for _ in range(2):
        own = generator.standard_normal((size, tickets, answers))
        slips = ndtr(sqrt(alike) * shared_slip + sqrt(1 - alike) * own) < slip
        readers.append(np.where(slips, np.searchsorted(edges, generator.random(truth.shape)), truth))
    return np.stack(readers, axis=-1)


def true_values(sample: np.ndarray, levels: int) -> Agreement:
    cells = np.bincount((sample[..., 0] * levels + sample[..., 1]).ravel(), minlength=levels**2)
    return agreement_of(as_table(cells.reshape(levels, levels)), ordinal=True)


def clusters(scale: float) -> str:
    rows = []
    generator = np.random.default_rng(20261130)
    designs = [(28, 1), (18, 2), (24, 4), (24, 8), (48, 2), (96, 1)]
    for tickets, answers in designs:
        for name in ("60/30/10", "85/12/3"):
            for alike in (0.0, 0.3, 0.5) if answers > 1 else (0.0,):
                margins = MARGINS[name]
                truth = true_values(clustered(40_000, answers, margins, 0.15, alike, generator, 1)[0], 3)
                plain, wide, share = Count(), Count(), Count()
                drawn = {key: Count() for key in REDRAWN}
                size = int(DRAWS * scale * 0.4)
                for sample in clustered(tickets, answers, margins, 0.15, alike, generator, size):
                    readings = {
                        (t, a): {"a": int(sample[t, a, 0]), "b": int(sample[t, a, 1])}
                        for t in range(tickets)
                        for a in range(answers)
                    }
                    found = by_ticket(
                        readings, {key: key[0] for key in readings}, (0, 1, 2), ordinal=True, draws=BOOT
                    )
                    kappa = truth.kappa.value
                    plain.see(found.agreement.kappa_interval, kappa)
                    wide.see(found.kappa_interval, kappa)
                    share.see(found.interval, truth.equal / truth.n)
                    for key, count in drawn.items():
                        bounds = found.resampled.get(key)
                        count.see(bounds.interval if bounds else None, getattr(truth, key).value)
                rows.append(
                    [
                        f"{tickets} x {answers}",
                        name,
                        alike,
                        f"{truth.kappa.value:.2f}",
                        plain,
                        wide,
                        share,
                        *drawn.values(),
                    ]
                )
    heads = [
        "tickets x responses", "levels used", "likeness", "true kappa", "kappa, responses", "kappa, tickets",
        "share, tickets", *(f"{key.replace('_', ' ')}, redrawn" for key in REDRAWN),
    ]  # fmt: skip
    return table("Two readers, several responses a ticket: coverage in %", heads, rows)


# --- mean scores and differences ----------------------------------------------------------------------------------------


def correlated(
    first: tuple[float, ...],
    second: tuple[float, ...],
    n: int,
    alike: float,
    generator: np.random.Generator,
    size: int,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Totals of two runs on the same tickets."""
    shared = generator.standard_normal((size, n))

    def totals(scores: tuple[float, ...]) -> np.ndarray:
        own = generator.standard_normal((size, n))
        return np.searchsorted(np.cumsum(scores)[:-1], ndtr(sqrt(alike) * shared + sqrt(1 - alike) * own))

    yield from zip(totals(first), totals(second), strict=True)


def means(scale: float) -> str:
    rows = []
    generator = np.random.default_rng(20261201)
    for n in (12, 24, 60):
        for name, scores in SCORES.items():
            truth = float(np.arange(TOP + 1) @ np.array(scores))
            ours, drawn = Count(), Count()
            for sample in generator.choice(TOP + 1, size=(int(DRAWS * scale), n), p=scores):
                totals = [int(total) for total in sample]
                ours.see(mean_interval(totals, [1] * n, TOP), truth)
                drawn.see(resample_mean(totals, [1] * n, draws=BOOT).interval, truth)
            rows.append([n, name, f"{truth:.2f}", ours, ours.mean_width, drawn, drawn.mean_width])
    heads = [
        "tickets",
        "totals out of 8",
        "true mean",
        "score interval %",
        "mean width",
        "redrawn tickets %",
        "mean width",
    ]
    return table("Mean total of a run, one response a ticket", heads, rows)


def differences(scale: float) -> str:
    rows = []
    generator = np.random.default_rng(20261202)
    names = list(SCORES)
    for first, second in ((0, 0), (0, 1), (1, 1), (1, 2), (0, 4), (2, 4)):
        for alike in (0.0, 0.5):
            one, two = SCORES[names[first]], SCORES[names[second]]
            gap = float(np.arange(TOP + 1) @ (np.array(one) - np.array(two)))
            ready = sum(one[7:]) - sum(two[7:])
            total, share = Count(), Count()
            wrong = [0, 0]
            size = int(DRAWS * scale)
            for a, b in correlated(one, two, 24, alike, generator, size):
                gaps = [int(x) for x in a - b]
                if len(set(gaps)) > 1:
                    total.see(resample_mean(gaps, [1] * 24, draws=BOOT).interval, gap)
                else:
                    total.see(None, gap)
                ups, downs = int(((a >= 7) & (b < 7)).sum()), int(((a < 7) & (b >= 7)).sum())
                both = int(((a >= 7) & (b >= 7)).sum())
                share.see(paired_difference(both, ups, downs, 24 - both - ups - downs), ready)
                if first == second:
                    test = permutation(gaps)
                    wrong[0] += mcnemar(ups, downs) < 0.05
                    wrong[1] += test is not None and test.p < 0.05
            false = f"{100 * wrong[0] / size:.1f} / {100 * wrong[1] / size:.1f}" if first == second else ""
            label = f"{names[first].split(' (')[0]} - {names[second].split(' (')[0]}"
            rows.append([label, alike, f"{gap:.2f}", total, f"{ready:.2f}", share, false])
    heads = [
        "runs", "likeness", "true difference of means", "redrawn tickets %", "true difference ready", "Newcombe, paired %",
        "told apart though equal, %: McNemar / permutation",
    ]  # fmt: skip
    return table("Difference of two runs on the same 24 tickets", heads, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/statistics.md")
    parser.add_argument("--quick", action="store_true", help="a tenth of the draws")
    options = parser.parse_args()
    scale = 0.1 if options.quick else 1.0
    parts: list[Callable[[], str]] = [
        shares, lambda: kappas(scale), lambda: clusters(scale), lambda: means(scale), lambda: differences(scale)
    ]  # fmt: skip
    found = []
    for part in parts:
        found.append(part())
        print(found[-1], end="\n\n", flush=True)
    if options.write:
        text = DOCUMENT.read_text(encoding="utf-8")
        before, rest = text.split(START)
        after = rest.split(END)[1]
        joined = "\n\n".join(found)
        DOCUMENT.write_text(f"{before}{START}\n\n{joined}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
