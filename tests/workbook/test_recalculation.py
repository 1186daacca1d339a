"""What spreadsheets compute is what Python computes: totals, verdicts, states, counts, for all that may stand in a cell."""

import itertools
import json
import random
import shutil

import pytest

from lark_sheets.adapters.books import FileBooks
from lark_sheets.core.bookplan import CellPlan, Style
from lark_sheets.core.cells import split_address
from lark_sheets.core.problems import ERROR
from lark_sheets.core.ranking import count_pairs, together
from lark_sheets.core.scoring import total
from lark_sheets.core.states import state_of_grades
from lark_sheets.locales import translator
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import build_campaign, build_grader
from lark_sheets.workbook.build.grading import HEADER_ROW
from lark_sheets.workbook.build.practice import HEADER_ROW as PRACTICE_HEADER
from lark_sheets.workbook.build.ranking import HEADER_ROW as RANKING_HEADER
from lark_sheets.workbook.codec import read_campaign
from lark_sheets.workbook.formulas import outcome_words
from lark_sheets.workbook.marks import read_marks
from lark_sheets.workbook.practice import practice_from_plain
from tests.workbook import factory, office

pytestmark = [pytest.mark.office, pytest.mark.xdist_group("office")]
BOOKS = FileBooks()

# What may stand in a grade cell, and the grade it is (None: blank; "refused": anything else). A formula that gives a level is left out:
# LibreOffice calls the type of such a cell "formula" and asks to check it, Excel and Gnumeric take the level, and so does Python.
REFUSED = object()
ODD = [
    (CellPlan(value="2"), REFUSED),
    (CellPlan(value="two"), REFUSED),
    (CellPlan(value=1.5), REFUSED),
    (CellPlan(value=-1), REFUSED),
    (CellPlan(value=7), REFUSED),
    (CellPlan(value=True), REFUSED),
    (CellPlan(value=False), REFUSED),
    (CellPlan(value="#N/A", formula="=NA()"), REFUSED),
    (CellPlan(value="", formula='=""'), None),
    (CellPlan(value=1, style=Style(number_format="yyyy-mm-dd")), 1),
]


def fillings(rubric, seed):
    """Every combination of up to 90, then 200 rows at random: levels, blanks and whatever else people leave in a cell."""
    source = random.Random(seed)
    every = list(itertools.islice(itertools.product(*(c.levels for c in rubric.criteria)), 90))
    rows = [dict(zip((c.id for c in rubric.criteria), levels, strict=True)) for levels in every]
    drawn = ({c.id: source.choice([None, *c.levels, *c.levels]) for c in rubric.criteria} for _ in range(200))
    return [*rows, *drawn]


def cells_of(rubric, rows, seed, language):
    """The same rows as cells: numbers and labels as a person leaves them, now and then something odd."""
    source = random.Random(seed)
    for row in rows[90:]:
        for criterion in rubric.criteria:
            if source.random() < 0.12:
                odd = source.choice(ODD)
                if odd[1] is not REFUSED and odd[1] is not None and odd[1] not in criterion.levels:
                    odd = ODD[1]
                row[criterion.id] = odd
    said = []
    for row in rows:
        cells, grades, refused = {}, {}, []
        for criterion in rubric.criteria:
            value = row[criterion.id]
            cell, grade = value if isinstance(value, tuple) else (None, value)
            if cell is None and grade is not None:
                cell = CellPlan(value=criterion.shown(grade, language) if criterion.is_category else grade)
            if grade is REFUSED:
                refused.append(criterion.id)
                grade = None
            cells[criterion.id] = cell
            grades[criterion.id] = grade
        said.append((cells, grades, refused))
    return said


def planned(name, language):
    """A grader's workbook whose grade cells hold the fillings, and what Python makes of every row."""
    rubric = factory.shipped(name)
    rows = fillings(rubric, name)
    translate = translator(language)
    campaign = factory.campaign(rubric, [{}] * len(rows), language=language)
    plan = build_grader(campaign, "reader-a", translate)
    sheet = next(s for s in plan.sheets if s.name == layout.GRADING.name.in_(language))
    columns = {c.key: n for n, c in enumerate(layout.grades_table(rubric).columns, 1)}
    source = random.Random(1)
    expected = []
    for row, (cells, grades, refused) in enumerate(cells_of(rubric, rows, 2, language), HEADER_ROW + 1):
        explained = source.random() < 0.5
        for key, cell in cells.items():
            if cell is not None:
                sheet.cells[row, columns[key]] = cell
        if explained:
            key = source.choice([k for k in layout.EXPLANATIONS if k in columns])
            sheet.cells[row, columns[key]] = CellPlan(value="because")
        state = state_of_grades(rubric, grades, explained=explained, refused=refused)
        outcome = rubric.decide(grades)
        expected.append(
            {
                "total": None if refused else total(rubric, grades),
                "verdict": None if outcome is None or refused else outcome_words(rubric, language)[outcome],
                "state": layout.STATES[state].in_(language),
            }
        )
        assert len(expected) < 500
    return plan, rubric, columns, expected


CASES = [
    ("larkfield", "fr"),
    ("larkfield", "en"),
    ("aws-assistant", "fr"),
    ("support-verdict", "en"),
    ("refusals", "fr"),
]


PRACTICE = {
    "none": [None] * 12,
    "eleven": [2, 2, 2, 2, 2, 2, 2, 1, 0, 0, 1, None],
    "odd": [2, 2, 2, 2, 2, 2, 2, 1, 0, 0, 1, "1"],
    "all": [2, 2, 2, 2, 2, 2, 2, 1, 0, 0, 1, 1],
}
RANKS = [[1, 2, 3, 4], [4, 3, 2, 1], [2, 1, 4, 3], [1, 2, 3, None]]
TOTALS = [[8, 7, 6, 2], [8, 7, 6, 2], [8, 8, 2, 5], [8, 7, 6, 2]]


def demo_practice():
    plain = json.loads((factory.ROOT / "workbooks" / "demo" / "practice.json").read_text("utf-8"))
    return practice_from_plain(plain, factory.shipped("larkfield"))


def practised(grades):
    """A grader's workbook in whose practice sheet some grades are typed."""
    rubric = factory.shipped("larkfield")
    plan = build_grader(factory.campaign(rubric), "reader-a", translator("en"), practice=demo_practice())
    sheet = next(s for s in plan.sheets if s.name == "Practice")
    columns = {c.key: n for n, c in enumerate(layout.practice_table(rubric).columns, 1)}
    left = iter(grades)
    for row in range(PRACTICE_HEADER + 1, PRACTICE_HEADER + 4):
        for criterion in rubric.criteria:
            sheet.cells[row, columns[criterion.id]] = CellPlan(value=next(left))
    return plan


def ranked():
    """A grader's workbook with four tickets ranked (the last in part) and graded to known totals."""
    rubric = factory.shipped("larkfield")
    names = [c.id for c in rubric.criteria]
    grades = []
    for points in itertools.chain(*TOTALS):
        levels = [min(2, max(0, points - 2 * n)) for n in range(4)]
        grades.append(dict(zip(names, levels, strict=True)))
    plan = build_grader(factory.campaign(rubric, grades), "reader-a", translator("en"), ranking=True)
    sheet = next(s for s in plan.sheets if s.name == "Ranking")
    column = [c.key for c in layout.RANKING_TABLE.columns].index("rank") + 1
    for row, rank in enumerate(itertools.chain(*RANKS), RANKING_HEADER + 1):
        sheet.cells[row, column] = CellPlan(value=rank)
    return plan


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    books = {}
    extra = {f"practice-{name}": practised(grades) for name, grades in PRACTICE.items()} | {
        "ranking": ranked()
    }
    for name, plan in extra.items():
        BOOKS.write(plan, folder / f"{name}.xlsx")
        books[name] = (folder / f"{name}.xlsx", plan)
    for case in CASES:
        plan, *rest = planned(*case)
        path = folder / f"{case[0]}-{case[1]}.xlsx"
        BOOKS.write(plan, path)
        books[case] = (path, *rest)
    return books


@pytest.fixture(scope="module")
def libreoffice(written, tmp_path_factory):
    assert office.soffice(), "LibreOffice is not installed: python3 run.py test installs it"
    out = tmp_path_factory.mktemp("libreoffice")
    files = office.convert([path for path, *_ in written.values()], out)
    return dict(zip(written, files, strict=True))


@pytest.fixture(scope="module")
def gnumeric(written, tmp_path_factory):
    assert shutil.which("ssconvert"), "Gnumeric is not installed: python3 run.py test installs it"
    out = tmp_path_factory.mktemp("gnumeric")
    return {case: office.recalculate_in_gnumeric(path, out) for case, (path, *_) in written.items()}


@pytest.mark.parametrize("program", ["libreoffice", "gnumeric"])
@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_every_row_equals_python(request, written, program, case):
    """Blank is blank, a written zero counts, anything that is no level shows "check" and no total."""
    _, rubric, columns, expected = written[case]
    book = BOOKS.read(request.getfixturevalue(program)[case])
    sheet = next(s for s in book.sheets if s.name == layout.GRADING.name.in_(case[1]))
    found = [
        {
            key: sheet.value(row, columns[key]) if key in columns else None
            for key in ("total", "verdict", "state")
        }
        for row in range(HEADER_ROW + 1, HEADER_ROW + 1 + len(expected))
    ]
    if "verdict" not in columns:
        assert not rubric.verdict
    wrong = [(n, f, e) for n, (f, e) in enumerate(zip(found, expected, strict=True)) if f != e]
    assert not wrong


@pytest.mark.parametrize("program", ["libreoffice", "gnumeric"])
@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_counts_and_progress_equal_python(request, written, program, case):
    _, _, _, expected = written[case]
    book = BOOKS.read(request.getfixturevalue(program)[case])
    places = json.loads(read_marks(book).values[layout.PLACES])
    sheets = {s.name: s for s in book.sheets}

    def value(key):
        [(sheet, cell), *_] = places[key]
        return sheets[sheet].value(*split_address(cell))

    for key, words in layout.STATES.items():
        wanted = sum(row["state"] == words.in_(case[1]) for row in expected)
        assert value(f"count/{key}") == wanted, key
    done = sum(row["state"] == layout.STATES["done"].in_(case[1]) for row in expected)
    translate = translator(case[1])
    filled = 24 * done // len(expected)
    said = translate("Graded: {done} of {total}  ", done=done, total=len(expected))
    for sheet, cell in places["progress"]:
        assert sheets[sheet].value(*split_address(cell)) == said + "■" * filled + "□" * (24 - filled)
    for sheet, cell in places["next"]:
        assert sheets[sheet].value(*split_address(cell)) == translate("Go to the next response to grade")


def page(request, program, name, sheet):
    book = BOOKS.read(request.getfixturevalue(program)[name])
    return next(s for s in book.sheets if s.name == sheet)


@pytest.mark.parametrize("program", ["libreoffice", "gnumeric"])
@pytest.mark.parametrize("name", ["none", "eleven", "odd"])
def test_the_key_stays_hidden_until_the_last_practice_grade(request, written, program, name):
    """Neither the key nor a decision is to be seen while a grade is missing, or is none."""
    sheet = page(request, program, f"practice-{name}", "Practice")
    seen = {str(v) for row in sheet.rows for v in row if v not in (None, "")}
    assert "The key appears here once all are given." in seen
    assert not [text for text in seen if "✓" in text or "after a correction" in text or text in ("yes", "no")]


@pytest.mark.parametrize("program", ["libreoffice", "gnumeric"])
def test_the_key_appears_with_the_last_practice_grade(request, written, program):
    sheet = page(request, program, "practice-all", "Practice")
    rows = [[v for v in row if v not in (None, "")] for row in sheet.rows]
    flat = list(itertools.chain(*rows))
    assert "11 of 12 grades match the key." in flat
    start = next(n for n, row in enumerate(rows) if row == ["Key"])
    key = [row[:1] + row[2:] for row in rows[start + 1 : start + 4]]
    assert key == [
        ["X", "2 ✓", "2 ✓", "2 ✓", "2 ✓", 8, "yes"],
        ["Y", "2 ✓", "2 ✓", "1, you: 2", "1 ✓", 6, "yes, after a correction"],
        ["Z", "0 ✓", "0 ✓", "1 ✓", "1 ✓", 2, "no"],
    ]
    own = [sheet.value(row, 8) for row in range(PRACTICE_HEADER + 1, PRACTICE_HEADER + 4)]
    assert own == ["yes", "yes", "no"]


@pytest.mark.parametrize("program", ["libreoffice", "gnumeric"])
def test_the_two_orders_meet_as_python_counts_them(request, written, program):
    """Only tickets that are ranked and graded whole are compared; equal totals are not comparable."""
    sheet = page(request, program, "ranking", "Ranking")
    places = {c.key: n for n, c in enumerate(layout.RANKING_TABLE.columns, 1)}
    counts = [count_pairs(r, t) for r, t in zip(RANKS[:3], TOTALS[:3], strict=True)]
    for number, known in enumerate([*counts, None]):
        row = RANKING_HEADER + 1 + 4 * number
        found = [sheet.value(row, places[key]) for key in ("concordant", "comparable", "tau_b")]
        if known is None:
            assert found == [None, None, None]
        else:
            assert found[:2] == [known.concordant, known.comparable]
            assert found[2] == pytest.approx(known.tau_b)
    whole = together(counts)
    said = str(sheet.value(3, 2)).replace(",", ".")
    assert said.startswith(f"{whole.concordant} of {whole.comparable} comparable pairs in the same order")
    assert float(said.rpartition(": ")[2]) == pytest.approx(whole.tau_b, abs=0.005)


def test_protection_is_what_libreoffice_sees(request, written):
    """After LibreOffice has read and written a workbook, its sheets are still protected and the same cells open."""
    from openpyxl import load_workbook

    plan = written["practice-none"][1]
    book = load_workbook(request.getfixturevalue("libreoffice")["practice-none"])
    for sheet in plan.sheets:
        found = book[sheet.name]
        assert found.protection.sheet is True
        for (row, column), cell in sheet.cells.items():
            if sheet.name == "Grading":
                assert found.cell(row, column).protection.locked is cell.style.locked


# -- the way through other programs ------------------------------------------------------------------------------------


def known_campaign(language):
    """Every combination of grades that larkfield knows, with codes and reasons."""
    rubric = factory.shipped("larkfield")
    rows = fillings(rubric, 3)[:90]
    return factory.campaign(
        rubric, rows, language=language, codes=("fence", "grammar", "empty", "small_error"), reason="because"
    )


@pytest.fixture(scope="module")
def opened_elsewhere(tmp_path_factory):
    """One campaign's workbook, saved by Gnumeric, and by LibreOffice in its own format, which keeps no tables."""
    out = tmp_path_factory.mktemp("elsewhere")
    path = out / "campaign.xlsx"
    BOOKS.write(build_campaign(known_campaign("fr"), translator("fr"), practice=demo_practice()), path)
    [opened] = office.convert([path], out, "ods")
    return {"ods": opened, "gnumeric": office.recalculate_in_gnumeric(path, out)}


@pytest.mark.parametrize("program", ["ods", "gnumeric"])
def test_a_workbook_saved_by_another_program_is_read_alike(opened_elsewhere, program):
    """Tables, validations and styles may be gone: rows, columns and marks are found by their names."""
    made = known_campaign("fr")
    read = read_campaign(BOOKS.read(opened_elsewhere[program]))
    assert not [p for p in read.problems if p.severity is ERROR]
    assert read.campaign.response() == made.response()
    assert {r.key: (dict(r.grades), r.codes, r.reason) for r in read.campaign.readings} == {
        r.key: (dict(r.grades), r.codes, r.reason) for r in made.readings
    }
    assert read.campaign.rubric == made.rubric
    assert read.campaign.versions == made.versions
