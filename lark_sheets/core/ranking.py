"""A grader's order of the responses to one ticket, against the rubric's totals: pairs, and Kendall's tau-b.

Kendall, M. G. (1945), "The treatment of ties in ranking problems", Biometrika 33(3), 239-251:
tau-b = (C - D) / sqrt((n0 - n1) (n0 - n2)), where n1 and n2 count the pairs tied in the one and in the other order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts:
    """The pairs of one ticket, or of several together.

    ``comparable`` pairs differ in the rubric's totals, ``ranked`` ones in the grader's order; ``concordant`` and
    ``discordant`` ones differ in both.
    """

    concordant: int = 0
    discordant: int = 0
    comparable: int = 0
    ranked: int = 0

    @property
    def tau_b(self) -> float | None:
        """Return Kendall's tau-b, or None (undefined) when all pairs are tied in one of the two orders."""
        product = self.comparable * self.ranked
        return (self.concordant - self.discordant) / math.sqrt(product) if product else None


def count_pairs(ranks: Sequence[int], totals: Sequence[int]) -> PairCounts:
    """Count the pairs of the responses to one ticket. Rank 1 is the best, the highest total is the best.

    Raises ``ValueError`` when the two have different lengths.
    """
    both = list(zip(ranks, totals, strict=True))
    signs = [
        ((rank_b > rank_a) - (rank_b < rank_a), (total_a > total_b) - (total_a < total_b))
        for (rank_a, total_a), (rank_b, total_b) in combinations(both, 2)
    ]
    return PairCounts(
        concordant=sum(rank * total > 0 for rank, total in signs),
        discordant=sum(rank * total < 0 for rank, total in signs),
        comparable=sum(total != 0 for _, total in signs),
        ranked=sum(rank != 0 for rank, _ in signs),
    )


def together(counts: Iterable[PairCounts]) -> PairCounts:
    """Add the pairs of several tickets; responses to different tickets are never compared."""
    given = list(counts)
    return PairCounts(
        concordant=sum(c.concordant for c in given),
        discordant=sum(c.discordant for c in given),
        comparable=sum(c.comparable for c in given),
        ranked=sum(c.ranked for c in given),
    )
