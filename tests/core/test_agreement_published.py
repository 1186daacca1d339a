"""Our formulas give the figures that their authors printed, to the last digit printed."""

import csv
import json
from collections import Counter

import pytest

from lark_sheets.core.agreement import agreement, agreement_of, count, distances
from lark_sheets.core.agreement.coefficients import cohen, krippendorff
from lark_sheets.core.agreement.large_sample import (
    brennan_prediger_errors,
    cohen_errors,
    fleiss_errors,
    gwet_errors,
    krippendorff_errors,
    share_error,
)
from lark_sheets.core.agreement.moments import moments
from lark_sheets.core.intervals import kappa_interval, newcombe_difference, wilson
from tests.core import published
from tests.core.published import distributed, readings, repeated, two_readers


def digits(*pairs: tuple[float, float, int]) -> None:
    """Each value rounds to what is printed; half a unit of the last digit is allowed for how others round."""
    for value, printed, places in pairs:
        assert value == pytest.approx(printed, abs=0.5000001 * 10**-places)


def spread(rows: str):
    return distributed([[int(digit) for digit in row] for row in rows.split()])


def by_counts(first: list[int], second: list[int]):
    """Two readers whose readings were sorted each by level before being paired, as scikit-learn's tests do."""
    one, two = (
        [level for level, times in enumerate(marks) for _ in range(times)] for marks in (first, second)
    )
    return count([{"a": a, "b": b} for a, b in zip(one, two, strict=True)], (0, 1, 2))


def _anxiety(levels: tuple[int, ...]):
    return count(readings(published.ANXIETY_2_3), levels)


def _anxiety_as_r(distance):
    """R irr leaves out level 5, which nobody used, and takes 6 for the fifth: its values need that shorter level set."""
    shorter = [
        {reader: min(level, 5) for reader, level in row.items()} for row in readings(published.ANXIETY_2_3)
    ]
    levels = (1, 2, 3, 4, 5)
    return cohen_errors(count(shorter, levels).joint(), distance(levels))


def cohen1960_k():
    digits((agreement_of(two_readers(published.COHEN_1960), ordinal=True).kappa.value, 0.492, 3))


def cohen1968_kw():
    seen, expected = cohen(published.COHEN_1960, published.COHEN_1968_DISTANCE)
    digits((1 - seen / expected, 0.348, 3))


def sas_unw():
    found = cohen_errors(published.SAS, distances.nominal(range(3)))
    low, high = found.wald()
    digits((found.value, 0.4842, 4), (found.error, 0.1380, 4), (low, 0.2137, 4), (high, 0.7547, 4))
    digits((agreement_of(two_readers(published.SAS), ordinal=True).kappa.value, 0.4842, 4))


def sas_w():
    found = cohen_errors(published.SAS, distances.linear(range(3)))
    low, high = found.wald()
    digits((found.value, 0.4701, 4), (found.error, 0.1457, 4), (low, 0.1845, 4), (high, 0.7558, 4))
    digits((agreement_of(two_readers(published.SAS), ordinal=True).kappa_linear.value, 0.4701, 4))


def irr_anxiety_equal():
    found = _anxiety_as_r(distances.linear)
    digits((found.value, 0.1459075, 7), (found.z, 1.282472, 6), (found.p, 0.1996772, 7))
    full = agreement_of(_anxiety((1, 2, 3, 4, 5, 6)), ordinal=True)
    digits((full.kappa_linear.value, 0.1262, 4))  # with the scale that the readers had


def irr_anxiety_squared():
    found = _anxiety_as_r(distances.quadratic)
    digits((found.value, 0.2520325, 7), (found.z, 1.437451, 6), (found.p, 0.1505898, 7))
    full = agreement_of(_anxiety((1, 2, 3, 4, 5, 6)), ordinal=True)
    digits((full.kappa_quadratic.value, 0.2298, 4))


def irr_anxiety_own_weights():
    """R irr, weights = c(0, 0, 1, 1, 2): one distance for each number of levels between two readings."""
    far = (0, 0, 1, 1, 2)
    found = _anxiety_as_r(lambda levels: [[far[abs(a - b)] for b in levels] for a in levels])
    digits((found.value, 0.2391304, 7), (found.z, 1.223734, 6), (found.p, 0.2210526, 7))


def fleiss1971():
    table = spread(published.FLEISS_1971)
    found = fleiss_errors(table, distances.nominal(table.levels))
    digits((found.value, 0.4302445, 7), (found.z, 17.65183, 5))
    digits((agreement_of(table, ordinal=False).fleiss.value, 0.4302445, 7))


def fleiss_wikipedia():
    table = distributed(published.FLEISS_WIKIPEDIA)
    digits((agreement_of(table, ordinal=False).fleiss.value, 0.210, 3))


def abstractors():
    """All but Bangdiwala's B, which we do not compute. Gwet's errors for tables of two readers divide by n."""
    table = two_readers(published.ABSTRACTORS)
    plain = distances.nominal(table.levels)
    kappa = cohen_errors(published.ABSTRACTORS, plain)
    scott, ac1 = fleiss_errors(table, plain, sample=False), gwet_errors(table, plain, sample=False)
    bp, raw = brennan_prediger_errors(table, plain, sample=False), share_error(table, sample=False)
    alpha = krippendorff_errors(table, plain, sample=False)
    digits((kappa.value, 0.7964094, 7), (kappa.error, 0.05891072, 8))
    digits((scott.value, 0.7962397, 7), (scott.error, 0.05905473, 8))
    digits((ac1.value, 0.8493305, 7), (ac1.error, 0.04321747, 8))
    digits((bp.value, 0.835, 3), (bp.error, 0.04693346, 8))
    digits((alpha.value, 0.7972585, 7), (alpha.error, 0.05905473, 8))
    digits((raw.value, 0.89, 2), (raw.error, 0.03128898, 8))
    found = agreement_of(table, ordinal=False)
    digits((found.kappa.value, 0.7964094, 7), (found.fleiss.value, 0.7962397, 7))
    digits((found.ac1.value, 0.8493305, 7), (found.alpha_nominal.value, 0.7972585, 7))


def raw4raters():
    """Level use (AC1, Fleiss) counts the item read once, as Gwet does; ordinal and ratio alpha: fast-krippendorff."""
    table = count(readings(published.RAW_4_RATERS), (1, 2, 3, 4, 5))
    plain = distances.nominal(table.levels)
    raw, ac1 = share_error(table), gwet_errors(table, plain)
    fleiss, alpha = fleiss_errors(table, plain), krippendorff_errors(table, plain)
    digits(
        (raw.value, 0.8181818, 7), (raw.error, 0.12561, 5), (ac1.value, 0.77544, 5), (ac1.error, 0.14295, 5)
    )
    digits((fleiss.value, 0.76117, 5), (fleiss.error, 0.15302, 5))
    digits((alpha.value, 0.74342, 5), (alpha.error, 0.14548, 5))
    found = agreement_of(table, ordinal=True)
    digits(
        (found.ac1.value, 0.77544, 5), (found.fleiss.value, 0.76117, 5), (found.alpha_nominal.value, 0.743, 3)
    )
    seen, expected = krippendorff(moments(table), distances.ratio(table.levels))
    digits((found.alpha_ordinal.value, 0.815, 3), (float(1 - seen / expected), 0.797, 3))
    bp = brennan_prediger_errors(table, plain)
    digits((bp.value, 0.77273, 5), (bp.error, 0.14472, 5))


def _alpha_error_of_counts(table):
    """Error that R's krippen.alpha.dist prints: it counts the slope of chance once, its krippen.alpha.raw (ours) twice."""
    rows = [
        [pattern.count(k) for k in range(5)]
        for pattern, times in table.patterns.items()
        for _ in range(times)
    ]
    n, size = len(rows), 6
    share = [sum(row[k] for row in rows) / (n * size) for k in range(5)]
    chance = sum(part * part for part in share)
    alpha = agreement_of(table, ordinal=False).alpha_nominal.value
    once = 1 / (n * size)
    parts = [
        (1 - once) * sum(k * (k - 1) for k in row) / (size * (size - 1)) + once
        - (1 - alpha) * (sum(k * part for k, part in zip(row, share, strict=True)) / size - chance)
        - chance
        for row in rows
    ]  # fmt: skip
    return (sum((part / (1 - chance) - alpha) ** 2 for part in parts) / (n * (n - 1))) ** 0.5


def distrib6():
    """One error, alpha's, is another formula in R for counts of readers than for raw readings."""
    table = spread(published.DISTRIB_6_RATERS)
    plain = distances.nominal(table.levels)
    ac1, fleiss = gwet_errors(table, plain), fleiss_errors(table, plain)
    alpha, bp = krippendorff_errors(table, plain), brennan_prediger_errors(table, plain)
    digits((ac1.value, 0.4448007, 7), (ac1.error, 0.08418757, 8))
    digits((fleiss.value, 0.4139265, 7), (fleiss.error, 0.08119291, 8))
    digits(
        (alpha.value, 0.4204384, 7),
        (_alpha_error_of_counts(table), 0.08243228, 8),
        (alpha.error, 0.08119291, 8),
    )
    digits((bp.value, 0.4388889, 7), (bp.error, 0.08312142, 8))
    found = agreement_of(table, ordinal=False)
    digits((found.ac1.value, 0.4448007, 7), (found.fleiss.value, 0.4139265, 7))
    digits((found.alpha_nominal.value, 0.4204384, 7))


def dist4cat():
    digits((agreement_of(spread(published.DIST_4_CAT), ordinal=False).ac1.value, 0.3518903, 7))


def kripp_wiki():
    found = agreement(readings(published.KRIPPENDORFF), (1, 2, 3, 4), ordinal=True)
    digits((found.alpha_nominal.value, 0.691358, 6), (found.alpha_interval.value, 0.810845, 6))


def artstein_poesio_t1():
    found = agreement_of(two_readers(published.ARTSTEIN_POESIO_1), ordinal=False)
    digits((found.kappa.value, 0.348, 3))


def artstein_poesio_t4():
    found = agreement_of(by_counts(*published.ARTSTEIN_POESIO_4), ordinal=False)
    digits((found.kappa.value, 0.8013, 4))


def sk_weights():
    found = agreement_of(by_counts(*published.SCIKIT_WEIGHTS), ordinal=True)
    digits((found.kappa.value, 0.9315, 4), (found.kappa_linear.value, 0.9412, 4))
    digits((found.kappa_quadratic.value, 0.9541, 4))


def maple_qwk():
    """Maple takes every mark from the lowest to the highest met as a level, used or not."""
    for first, second, printed in published.MAPLE:
        levels = range(min(first + second), max(first + second) + 1)
        rows = [{"a": a, "b": b} for a, b in zip(first, second, strict=True)]
        digits((agreement(rows, levels, ordinal=True).kappa_quadratic.value, printed, 15))


def randolph():
    """Free-marginal kappa is Brennan and Prediger's coefficient."""
    table = distributed(published.RANDOLPH)
    free = brennan_prediger_errors(table, distances.nominal(table.levels))
    digits((agreement_of(table, ordinal=False).fleiss.value, 0.161905, 6), (free.value, 0.214286, 6))


def xstest():
    for joint, percent, kappa in published.XSTEST.values():
        found = agreement_of(two_readers(joint), ordinal=False)
        digits((100 * found.equal / found.n, percent, 1), (found.fleiss.value, kappa, 2))


def wilson_newcombe1998():
    printed = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (k, n), (low, high) in printed.items():
        found = wilson(k, n)
        digits((found.low, low, 4), (found.high, high, 4))


def newcombe_diff1998():
    found = newcombe_difference((56, 70), (48, 80))
    digits((found.low, 0.0524, 4), (found.high, 0.3339, 4))


def seed003():
    """21 of 22, kappa 104/115; the interval that we print, and the Wald interval that passes 1 and that we do not print."""
    found = agreement_of(two_readers(published.CALIBRATION, (True, False)), ordinal=False)
    digits(
        (found.equal / found.n, 0.9545, 4),
        (float(found.kappa.chance), 0.5248, 4),
        (found.kappa.value, 0.9043, 4),
    )
    digits(
        (found.kappa.value, 0.90, 2),
        (found.kappa_interval.low, 0.541, 3),
        (found.kappa_interval.high, 0.983, 3),
    )
    assert found.kappa_interval == kappa_interval(21, 22, found.kappa.chance)
    wald = cohen_errors(published.CALIBRATION, distances.nominal((True, False)))
    digits((wald.error, 0.0930, 4), (wald.wald().low, 0.7220, 4), (wald.wald().high, 1.0867, 4))


def newsroom():
    """Slots are positions, not persons: alpha, no kappa. The alpha of fluency is negative and is printed so."""
    for patterns, printed in published.NEWSROOM.values():
        found = agreement(repeated(patterns), (1, 2, 3, 4, 5), ordinal=True, persons=False)
        assert found.n == 420
        assert found.alpha_ordinal.value == pytest.approx(printed, abs=1e-12)
        assert found.kappa.value is None


def vision():
    """Measured with two libraries rather than printed: kappa 0.5954 (0.00729), quadratic 0.7023."""
    found = cohen_errors(published.VISION, distances.nominal(range(4)))
    digits((found.value, 0.5954, 4), (found.error, 0.00729, 5))
    digits((agreement_of(two_readers(published.VISION), ordinal=True).kappa_quadratic.value, 0.7023, 4))


ENTRIES = (
    cohen1960_k, cohen1968_kw, sas_unw, sas_w, irr_anxiety_equal, irr_anxiety_squared, fleiss1971, fleiss_wikipedia,
    abstractors, raw4raters, distrib6, kripp_wiki, artstein_poesio_t1, artstein_poesio_t4, sk_weights, maple_qwk,
    randolph, xstest, wilson_newcombe1998, newcombe_diff1998, seed003, newsroom,
)  # fmt: skip
FURTHER = (irr_anxiety_own_weights, dist4cat, vision)


@pytest.mark.parametrize("entry", [*ENTRIES, *FURTHER], ids=lambda entry: entry.__name__)
def test_published_values_come_out_to_the_last_printed_digit(entry):
    entry()


def test_no_reference_value_is_left_out(shared):
    """Every entry of the reference file is one of the functions above."""
    entries = json.loads((shared / "data/reference_values.json").read_text(encoding="utf-8"))
    assert {entry["id"] for entry in entries} == {entry.__name__ for entry in ENTRIES}


def test_the_small_tables_here_are_those_of_the_data_sets(shared):
    """What was copied by hand is what the data sets hold: newsroom and XSTest, counted again from their rows."""
    slots: dict[str, list[dict[str, str]]] = {}
    with (shared / "data/newsroom/scores.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            slots.setdefault(row["response_id"], []).append(row)
    for criterion, (patterns, _) in published.NEWSROOM.items():
        counted = Counter("".join(sorted(row[criterion] for row in rows)) for rows in slots.values())
        assert counted == {entry.split(":")[0]: int(entry.split(":")[1]) for entry in patterns.split()}
    with (shared / "data/xstest/xstest_v2_human_labels.csv").open(encoding="utf-8", newline="") as file:
        labels = Counter(
            (row["model"], int(row["annotation_1"][0]), int(row["annotation_2"][0]))
            for row in csv.DictReader(file)
        )
    for model, (joint, _, _) in published.XSTEST.items():
        assert joint == [[labels[model, a, b] for b in (1, 2, 3)] for a in (1, 2, 3)]


def test_the_synthetic_shop(shared):
    """The invented score set: 26, 27, 26 (24 at the first pass), 28 of 28 equal; 24 answers equal on all; ready 28."""
    with (shared / "data/larkfield-synthetic/second_reader.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    def measured(first: str, second: str):
        items = [{"r1": int(row[first]), "r2": int(row[second])} for row in rows]
        return agreement(items, (0, 1, 2), ordinal=True)

    printed = {
        ("r1_accuracy", "r2_accuracy"): (26, 0.7200),
        ("r1_completeness", "r2_completeness"): (27, 0.8848),
        ("r1_format", "r2_format"): (26, 0.7956),
        ("r1_format_first_pass", "r2_format"): (24, 0.5333),
        ("r1_abstention", "r2_abstention"): (28, 1.0),
    }
    for columns, (equal, kappa) in printed.items():
        found = measured(*columns)
        assert (found.equal, found.n) == (equal, 28)
        digits((found.kappa.value, kappa, 4))
    assert sum(row["equal_all"] == "1" for row in rows) == 24
