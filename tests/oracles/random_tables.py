"""Five hundred tables of readings: 2-6 readers, 2-5 levels, up to 40 % gaps, some readers or whole tables constant."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

TABLES = 500


@dataclass(frozen=True)
class Table:
    """Rows of readings, None where a reader is missing; levels are 0, 1, 2 ..."""

    rows: list[list[int | None]]
    levels: range

    @property
    def readers(self) -> int:
        return len(self.rows[0])

    @property
    def complete(self) -> bool:
        return all(level is not None for row in self.rows for level in row)

    @property
    def readings(self) -> list[dict[str, int]]:
        """As our functions take them: a missing reading is absent."""
        return [{f"r{r}": level for r, level in enumerate(row) if level is not None} for row in self.rows]


def random_tables(seed: int = 7) -> list[Table]:
    random = Random(seed)
    return [_table(random) for _ in range(TABLES)]


def _table(random: Random) -> Table:
    readers, levels, items = random.randint(2, 6), range(random.randint(2, 5)), random.randint(2, 60)
    gaps = random.choice([0, 0, random.uniform(0, 0.4)])
    weights = [random.choice([0, 1, 1, 3, 9]) for _ in levels]
    weights[random.randrange(len(levels))] += 1
    truth = random.choices(levels, weights, k=items)
    if random.random() < 0.06:
        truth = [random.choice(levels)] * items
    slip = random.choice([0, 0.02, 0.1, 0.3, 1])
    rows: list[list[int | None]] = [
        [random.choices(levels, weights)[0] if random.random() < slip else level for _ in range(readers)]
        for level in truth
    ]
    if random.random() < 0.2:
        reader, level = random.randrange(readers), random.choice(levels)
        for row in rows:
            row[reader] = level
    return Table([[None if random.random() < gaps else level for level in row] for row in rows], levels)
