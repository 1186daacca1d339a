"""Agreement between readers, on count tables: see docs/statistics.md for formulas, sources and limits."""

from lark_sheets.core.agreement.states import State, Statistic
from lark_sheets.core.agreement.summary import Agreement, agreement, agreement_of
from lark_sheets.core.agreement.tables import CountTable, Readings, count

__all__ = [
    "Agreement",
    "CountTable",
    "Readings",
    "State",
    "Statistic",
    "agreement",
    "agreement_of",
    "count",
]
