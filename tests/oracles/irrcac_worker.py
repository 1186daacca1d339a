"""Run by the oracle's own Python: readings in (JSON on standard input), irrCAC's coefficients out."""

import json
import math
import sys

import pandas as pd
from irrCAC.raw import CAC

ASKED = {
    "identity": {"ac1": "gwet", "fleiss": "fleiss", "alpha_nominal": "krippendorff", "kappa": "conger"},
    "quadratic": {"ac2_quadratic": "gwet", "alpha_interval": "krippendorff", "kappa_quadratic": "conger"},
    "linear": {"kappa_linear": "conger"},
}


def coefficients(rows: list, categories: list) -> dict:
    """With `categories=` given (without it a missing reading counts as a category) and nothing rounded to 5 digits.

    Conger's kappa is asked for two readers only: it is Cohen's then.
    """
    frame = pd.DataFrame(rows, dtype=float)
    found = {}
    for weights, methods in ASKED.items():
        for name, method in methods.items():
            if method == "conger" and len(rows[0]) != 2:
                continue
            try:
                made = CAC(frame, weights=weights, categories=categories, digits=15)
                value = float(getattr(made, method)()["est"]["coefficient_value"])
            except (ArithmeticError, ValueError, IndexError):
                value = math.nan
            found[name] = value if math.isfinite(value) else None
    return found


json.dump([coefficients(**table) for table in json.load(sys.stdin)], sys.stdout)
