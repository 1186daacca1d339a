"""The layout: names that every spreadsheet takes, no two alike, the contract of tables and columns."""

import pytest

from lark_sheets.core.rubric_reading import from_plain
from lark_sheets.core.text import folded
from lark_sheets.workbook import layout
from tests.workbook.factory import SHIPPED, shipped

LANGUAGES = ("fr", "en")
TABLES = [value for value in vars(layout).values() if isinstance(value, layout.Table)] + [
    table
    for name in SHIPPED
    for table in (layout.grades_table(shipped(name)), layout.practice_table(shipped(name)))
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheet_names_are_unique_short_and_allowed(language):
    names = [sheet.name.in_(language) for sheet in layout.SHEETS]
    assert len({name.casefold() for name in names}) == len(names)
    assert all(0 < len(name) <= 31 and not set(name) & set("[]:*?/\\'") for name in names)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table.name}-{len(table.columns)}")
def test_headers_are_unique_in_their_table(table, language):
    """Two headers alike would make a table that Excel repairs, and a column that cannot be found."""
    headers = [folded(column.header.in_(language)) for column in table.columns]
    assert len(set(headers)) == len(headers)
    assert all(headers)
    keys = [column.key for column in table.columns]
    assert len(set(keys)) == len(keys)


def test_a_header_means_one_column_in_both_languages():
    for table in TABLES:
        meaning: dict[str, str] = {}
        for column in table.columns:
            for text in column.header.both():
                assert meaning.setdefault(folded(text), column.key) == column.key, (table.name, text)


def test_table_names_are_the_promised_ones():
    promised = {
        "tblCriteria", "tblAnchors", "tblCodes", "tblVerdict", "tblChanges", "tblVersions", "tblTickets", "tblGrades",
        "tblPractice", "tblRanking", "tblDiscuss", "tblLog",
    }  # fmt: skip
    assert promised <= {table.name for table in TABLES}


def named(*names: str):
    return from_plain(
        {
            "id": "names",
            "criteria": [
                {
                    "id": f"c{n}",
                    "name": name,
                    "anchors": [{"level": level, "description": "x"} for level in (0, 1)],
                }
                for n, name in enumerate(names)
            ],
        }
    )


@pytest.mark.parametrize(
    "names", [("Total",), ("Same", "Same"), ("Réponse à noter", "State"), ("raison (UNE ligne)",)]
)
def test_a_criterion_named_like_another_column_is_told_apart(names):
    """The coordinator may name a criterion as he likes: its column carries the id where the name is taken."""
    table = layout.grades_table(named(*names))
    headers = [folded(text) for column in table.columns for text in set(column.header.both())]
    assert len(set(headers)) == len(headers)
    assert all(table.column(f"c{n}").header.en.startswith(name) for n, name in enumerate(names))


def test_the_verdict_asks_ready_only_where_ready_is_the_question():
    assert layout.grades_table(shipped("larkfield")).column("verdict").header.en == "Ready"
    assert layout.grades_table(shipped("support-verdict")).column("verdict").header.en == "Decision"
    with pytest.raises(KeyError):
        layout.grades_table(shipped("aws-assistant")).column("verdict")


def test_a_rubric_of_labels_has_no_total_and_asks_for_no_codes():
    keys = [column.key for column in layout.grades_table(shipped("refusals")).columns]
    assert not {"total", "verdict", "code_1"} & set(keys)
    assert {"category", "reason", "state"} <= set(keys)


def test_only_a_campaign_shows_who_grades():
    rubric = shipped("larkfield")
    assert layout.grades_table(rubric).column("grader").hidden
    assert not layout.grades_table(rubric, shows_grader=True).column("grader").hidden
