"""Published tables of readings, small enough to stand here, and the values their authors print for them.

Each entry names its source. A digit is a level, a dot a missing reading.
"""

from __future__ import annotations

from lark_sheets.core.agreement import CountTable, count


def two_readers(joint: list[list[int]], levels: tuple = ()) -> CountTable:
    """A confusion table as a count table."""
    places = range(len(joint))
    patterns = {
        (row, column): joint[row][column] for row in places for column in places if joint[row][column]
    }
    return CountTable(tuple(levels or places), ("first", "second"), patterns)


def readings(rows: str) -> list[dict[str, int]]:
    """Items written as "11.1 2232": one digit per reader, a dot where the reader is missing."""
    return [
        {f"r{place}": int(level) for place, level in enumerate(row) if level != "."} for row in rows.split()
    ]


def distributed(rows: list[list[int]]) -> CountTable:
    """Items given as the number of readers at each level, readers being interchangeable."""
    spread = [[level for level, times in enumerate(row) for _ in range(times)] for row in rows]
    names = [f"r{place:02}" for place in range(max(map(len, spread)))]
    items = [dict(zip(names, row, strict=False)) for row in spread]
    return count(items, range(len(rows[0])), names)


def repeated(patterns: str) -> list[dict[str, int]]:
    """Items written as "112:5": this pattern of readings, five times."""
    items = []
    for entry in patterns.split():
        row, times = entry.split(":")
        items += readings(row) * int(times)
    return items


# J. Cohen (1960), proportions of 200 items; quoted by R psych, man/kappa.Rd.
COHEN_1960 = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
COHEN_1968_DISTANCE = [[0, 1, 3], [1, 0, 6], [3, 6, 0]]

# SAS printout quoted in statsmodels, stats/tests/test_inter_rater.py (BSD-3).
SAS = [[0, 4, 1], [0, 8, 0], [0, 1, 5]]

# R irr 0.84.1, anxiety (artificial data), raters 2 and 3, scale 1-6 of which 5 is never used.
ANXIETY_2_3 = "32 61 44 64 23 42 21 46 31 31 21 32 33 33 21 21 13 33 32 42"

# J. L. Fleiss (1971): 30 patients, 6 psychiatrists, 5 diagnoses (readers at each level).
FLEISS_1971 = (
    "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 "
    "00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"
)

# Worked example of the Wikipedia article on Fleiss' kappa: 10 subjects, 14 raters; in statsmodels' tests.
FLEISS_WIKIPEDIA = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]

# K. L. Gwet, R irrCAC 1.4, README: cont3x3abstractors, cac.raw4raters, distrib.6raters (first 15 of Fleiss), cac.dist4cat.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
RAW_4_RATERS = "11.1 2232 3333 3333 2222 1234 4444 1121 2222 .555 ..11 ..3."
DISTRIB_6_RATERS = " ".join(FLEISS_1971.split()[:15])
DIST_4_CAT = "301 211 211 202 310 310 040 031 004 310 040 031 022 004 310"

# K. Krippendorff's example as in the Wikipedia article (CC BY-SA) and fast-krippendorff: 15 units, 3 coders.
KRIPPENDORFF = ".1. ... .22 .11 .33 334 444 13. 2.2 1.1 1.1 3.3 3.3 ... 3.4"

# R. Artstein and M. Poesio (2008), tables 1 and 4; weights: all in scikit-learn's test_classification.py (BSD-3).
ARTSTEIN_POESIO_1 = [[20, 20], [10, 50]]
ARTSTEIN_POESIO_4 = ([46, 44, 10], [52, 32, 16])
SCIKIT_WEIGHTS = ([46, 44, 10], [50, 40, 10])

# Maple help, EssayTools, QuadraticWeightedKappa: marks out of 10.
MAPLE = [
    ([9, 7, 8, 7, 6, 8, 3, 5, 10], [8, 8, 6, 6, 7, 6, 1, 4, 8], 0.758620689655172),
    ([9, 7, 8, 7, 6, 8, 3, 5, 10], [3, 5, 6, 6, 7, 6, 1, 4, 8], 0.438095238095238),
    ([9, 7, 8, 7, 6, 8, 3, 5, 10], [1, 2, 3, 4, 5, 6, 7, 8, 9], -0.166666666666667),
]

# J. J. Randolph's online calculator, in statsmodels' tests: 2 items, 8 raters.
RANDOLPH = [[7, 1], [3, 5]]

# XSTest (P. Röttger et al., NAACL 2024, CC BY 4.0): two people, labels full compliance, full refusal, partial refusal.
XSTEST = {
    "llama2orig": ([[97, 1, 2], [1, 290, 4], [1, 7, 47]], 96.4, 0.93),
    "llama2new": ([[171, 2, 3], [1, 228, 6], [4, 3, 32]], 95.8, 0.93),
    "mistralinstruct": ([[366, 2, 7], [0, 49, 1], [1, 0, 24]], 97.6, 0.92),
    "mistralguard": ([[198, 6, 10], [1, 194, 3], [4, 4, 30]], 93.8, 0.89),
    "gpt4": ([[230, 0, 1], [1, 206, 5], [0, 0, 7]], 98.4, 0.97),
}

# Newsroom human evaluation (Grusky, Naaman and Artzi, NAACL 2018): 420 summaries, 3 readings each, as sorted patterns;
# alphas: JUDGE-BENCH, results/regular/newsroom.json (Apache-2.0).
NEWSROOM = {
    "informativeness": (
        (
            "111:2 112:5 113:18 114:8 115:3 123:14 124:10 125:4 133:10 134:15 135:4 144:6 145:2 223:6 224:9 225:1 "
            "233:16 234:22 235:3 244:12 245:8 255:2 333:12 334:34 335:7 344:52 345:36 355:3 444:34 445:37 455:24 555:1"
        ),
        0.2848732349364207,
    ),
    "relevance": (
        (
            "111:1 112:5 113:3 114:16 115:7 123:4 124:11 125:6 133:3 134:6 135:3 144:5 145:5 155:1 223:1 224:3 225:4 "
            "233:6 234:14 235:12 244:20 245:19 255:9 333:5 334:21 335:13 344:26 345:47 355:15 444:33 445:52 455:36 555:8"
        ),
        0.11512128779864284,
    ),
    "fluency": (
        (
            "111:2 112:1 113:6 114:9 115:11 122:4 123:7 124:13 125:18 133:1 134:9 135:16 144:8 145:3 223:3 224:2 225:7 "
            "233:5 234:20 235:23 244:14 245:24 255:7 333:5 334:12 335:35 344:22 345:60 355:21 444:10 445:16 455:22 555:4"
        ),
        -0.015808123685552733,
    ),
    "coherence": (
        (
            "112:2 113:8 114:14 115:6 122:4 123:4 124:15 125:7 133:3 134:15 135:11 144:12 145:11 223:1 224:7 225:6 233:9 "
            "234:31 235:12 244:9 245:12 255:5 333:4 334:29 335:18 344:34 345:46 355:4 444:17 445:39 455:21 555:4"
        ),
        0.06497202567878013,
    ),
}

# Calibration of a judge against a person on 22 answers: acceptable, unacceptable.
CALIBRATION = [[13, 0], [1, 8]]

# Unaided vision of 7,477 women (A. Stuart 1953), right eye by left eye, best grade first; R vcd and irr.
VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
