"""What spreadsheets compute is what Python computes: totals, verdicts, states, counts, for all that may stand in a cell."""

import itertools
import random
import shutil

import pytest

from lark_sheets.adapters.books import FileBooks
from lark_sheets.core.bookplan import CellPlan, Style
from lark_sheets.core.cells import split_address
from lark_sheets.core.scoring import total
from lark_sheets.core.states import state_of_grades
from lark_sheets.locales import translator
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import build_grader
from lark_sheets.workbook.build.grading import HEADER_ROW
from lark_sheets.workbook.formulas import outcome_words
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


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    books = {}
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
    from lark_sheets.workbook.marks import read_marks

    _, _, _, expected = written[case]
    book = BOOKS.read(request.getfixturevalue(program)[case])
    import json

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
