"""Five hundred random tables: our coefficients equal those of every library that defines them, within 1e-9."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np
import pytest

from lark_sheets.core.agreement import Agreement, State, agreement
from tests.oracles.environment import ask_irrcac
from tests.oracles.random_tables import TABLES, Table, random_tables

pytestmark = pytest.mark.oracle

CLOSE = 1e-9


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    return random_tables()


@pytest.fixture(scope="module")
def ours(tables: list[Table]) -> list[Agreement]:
    return [agreement(table.readings, table.levels, ordinal=True) for table in tables]


def same(
    ours: Iterable[Agreement], names: Iterable[str], theirs: Callable[[int, str], float | None]
) -> Counter:
    """Compare wherever the other library gives a number that we define too; count what happened by coefficient."""
    met: Counter = Counter()
    wrong = []
    for place, found in enumerate(ours):
        for name in names:
            mine, other = getattr(found, name), theirs(place, name)
            if other is None or math.isnan(other):
                met[name, "silent", str(mine.state)] += 1
            elif mine.value is None:
                met[name, "ours undefined", str(mine.state)] += 1
            else:
                met[name, "compared", ""] += 1
                if abs(mine.value - other) > CLOSE:
                    wrong.append((place, name, mine.value, other))
    assert not wrong, wrong[:5]
    return met


def compared(met: Counter, name: str) -> int:
    return met[name, "compared", ""]


def test_the_tables_hold_what_they_should(tables, ours):
    """Gaps, constant readers and every named state are among them: the comparisons below are about those too."""
    assert len(tables) == TABLES == 500
    assert {table.readers for table in tables} == {2, 3, 4, 5, 6}
    assert {len(table.levels) for table in tables} == {2, 3, 4, 5}
    assert 100 < sum(not table.complete for table in tables) < 400
    assert sum(bool(found.constant_readers) for found in ours) > 50
    states = {found.kappa.state for found in ours} | {found.alpha_nominal.state for found in ours}
    assert states >= {State.DEFINED, State.ONE_VALUE_ONLY, State.MORE_THAN_TWO_READERS}


def test_irrcac(tables, ours):
    """AC1, AC2, Fleiss, alpha for any readers and gaps; Conger's coefficient is Cohen's kappa for two complete readers."""
    found = ask_irrcac([{"rows": table.rows, "categories": list(table.levels)} for table in tables])
    names = ("ac1", "ac2_quadratic", "fleiss", "alpha_nominal", "alpha_interval")
    met = same(ours, names, lambda place, name: found[place][name])
    assert all(compared(met, name) > 440 for name in names)
    # Where irrCAC gives a number and we give none: a table of one value, where its 0/0 gives 1.0 and even 1.5 by a rounding
    # error and its AC1 is 1, or one shared item. Our state is named.
    named = {State.ONE_VALUE_ONLY, State.ONE_ITEM_ONLY}
    assert {State(state) for _, what, state in met if what == "ours undefined"} <= named
    assert met["fleiss", "ours undefined", State.ONE_VALUE_ONLY] > 10
    assert met["ac1", "ours undefined", State.ONE_VALUE_ONLY] > 10
    # Where it is silent we name a state.
    assert all(State(state) is not State.DEFINED for name, what, state in met if what == "silent")

    pairs = [place for place, table in enumerate(tables) if table.readers == 2 and table.complete]
    kappas = ("kappa", "kappa_linear", "kappa_quadratic")
    met = same([ours[place] for place in pairs], kappas, lambda place, name: found[pairs[place]][name])
    assert all(compared(met, name) > 40 for name in kappas)
    assert all(State(state) is State.ONE_VALUE_ONLY for _, what, state in met if what == "silent")


def test_krippendorff(tables, ours):
    """The alphas, gaps and all. Without variation krippendorff raises or says NaN: we name the state."""
    import krippendorff

    measures = {"alpha_nominal": "nominal", "alpha_ordinal": "ordinal", "alpha_interval": "interval"}

    def alpha(place: int, name: str) -> float | None:
        table = tables[place]
        columns = np.array([[math.nan if level is None else level for level in row] for row in table.rows]).T
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return float(
                    krippendorff.alpha(
                        columns, level_of_measurement=measures[name], value_domain=list(table.levels)
                    )
                )
            except ValueError:
                return None

    met = same(ours, measures, alpha)
    assert all(compared(met, name) > 440 for name in measures)
    assert all(State(state) is not State.DEFINED for _, what, state in met if what == "silent")
    assert all(State(state) is State.ONE_ITEM_ONLY for _, what, state in met if what == "ours undefined")


def test_scikit_learn(tables, ours):
    """Kappa plain, linear and quadratic of two readers, on the items that both read, all levels given as `labels`."""
    from sklearn.metrics import cohen_kappa_score

    pairs = [place for place, table in enumerate(tables) if table.readers == 2]
    weights = {"kappa": None, "kappa_linear": "linear", "kappa_quadratic": "quadratic"}

    def kappa(place: int, name: str) -> float | None:
        table = tables[pairs[place]]
        shared = [row for row in table.rows if None not in row]
        if not shared:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(
                cohen_kappa_score(
                    *zip(*shared, strict=True), labels=list(table.levels), weights=weights[name]
                )
            )

    met = same([ours[place] for place in pairs], weights, kappa)
    assert all(compared(met, name) > 60 for name in weights)
    assert all(State(state) is not State.DEFINED for _, what, state in met if what == "silent")


def test_statsmodels(tables, ours):
    """Kappa and its errors for two readers; Fleiss' kappa for complete tables (it knows no missing reading)."""
    from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

    from lark_sheets.core.agreement import distances
    from lark_sheets.core.agreement.large_sample import cohen_errors

    pairs = [place for place, table in enumerate(tables) if table.readers == 2 and ours[place].n >= 2]
    weights = {"kappa": (None, distances.nominal), "kappa_linear": ("linear", distances.linear),
               "kappa_quadratic": ("quadratic", distances.quadratic)}  # fmt: skip

    def kappa(place: int, name: str) -> float | None:
        found = ours[pairs[place]]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            other = cohens_kappa(np.array(found.table), wt=weights[name][0])
        if getattr(found, name).defined:
            mine = cohen_errors(found.table, weights[name][1](found.levels))
            # At full agreement it takes the root of a rounding error below 0 and says NaN; ours is 0.
            assert mine.error == pytest.approx(np.nan_to_num(other.std_kappa), abs=1e-7)
            assert mine.null_error == pytest.approx(np.nan_to_num(other.std_kappa0), abs=1e-7)
        return float(other.kappa)

    met = same([ours[place] for place in pairs], weights, kappa)
    assert all(compared(met, name) > 60 for name in weights)

    complete = [place for place, table in enumerate(tables) if table.complete]

    def fleiss(place: int, _: str) -> float:
        table = tables[complete[place]]
        counts = np.array([[row.count(level) for level in table.levels] for row in table.rows])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(fleiss_kappa(counts))

    met = same([ours[place] for place in complete], ["fleiss"], fleiss)
    assert compared(met, "fleiss") > 250
    assert all(State(state) is not State.DEFINED for _, what, state in met if what == "silent")
