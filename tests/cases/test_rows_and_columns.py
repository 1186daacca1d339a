"""Cases 06, 08, 09, 10, 12: rows duplicated, columns moved, rows hidden, cells merged, ids with what nobody sees."""

from copy import copy
from pathlib import Path

import openpyxl
import pytest
from openpyxl.utils import get_column_letter

from lark_sheets.errors import DataError
from lark_sheets.workbook import layout
from tests.cases.kit import Bench, bench
from tests.desk import results, told
from tests.factories import BASE


def _copy_row(b: Bench, source: int, target: int) -> None:
    for cell in b.sheet[source]:
        b.sheet.cell(target, cell.column).value = copy(cell.value)


def test_case_06_an_identical_copy_counts_once_and_a_different_one_counts_neither(tmp_path: Path) -> None:
    b = bench(tmp_path)
    first, last = b.row("K01-A"), b.row("K02-D")
    end = b.sheet.max_row if b.sheet.max_row == b.header + len(BASE) else b.header + len(BASE)
    _copy_row(b, first, end + 1)
    _copy_row(b, last, end + 2)
    b.sheet.cell(end + 2, b.column("format")).value = 2
    found = b.results()
    assert told(found, "duplicate_row_same")[0]["found"] == f"{first}, {end + 1}"
    assert told(found, "duplicate_row_conflict")[0]["found"] == f"{last}, {end + 2}"
    overall = found["overall"]
    assert (overall["responses"], overall["graded"], overall["points"], overall["ready"]) == (8, 7, 43, 4)
    assert overall["zeros"] == {"accuracy": 1, "completeness": 2, "format": 0, "abstention": 0}
    assert b.by_name(found, "ready")["K02-D"] is None


def test_case_06_a_second_graders_row_is_no_duplicate(tmp_path: Path) -> None:
    found = bench(tmp_path, graders=("g1", "g2")).results()
    assert found["agreement"]["shared"] == 8
    assert not told(found, "duplicate_row_same")


def _moved(b: Bench, accuracy_header: str = "ACCURACY") -> Path:
    """Rebuild the grading sheet as in the case: a title above, a column inserted, two exchanged, headers respelt, not the first sheet."""
    source, header = b.sheet, b.header
    keys = [c.key for c in layout.grades_table(b_rubric()).columns]
    a, c = keys.index("accuracy"), keys.index("completeness")
    keys[a], keys[c] = keys[c], keys[a]
    names = {
        "accuracy": accuracy_header,
        "completeness": "Completeness",
        "format": "format\u00a0",
        "item": "Ticket ",
    }
    target = b.book.create_sheet("Notation – équipe 2 (fini)")
    target["A1"] = "Notation à l’aveugle, ronde 2"
    columns: list[str | None] = [*keys[:9], None, *keys[9:]]
    for place, key in enumerate(columns, 1):
        old = b.column(key) if key else 0
        header_text = names.get(key, source.cell(header, old).value) if key else "à revoir ?"
        target.cell(3, place).value = header_text
        for offset in range(1, len(BASE) + 1):
            value = source.cell(header + offset, old).value if key else "oui"
            target.cell(3 + offset, place).value = value
    del b.book[source.title]
    return b.save()


def b_rubric():
    from tests.factories import shipped

    return shipped()


def test_case_08_columns_are_found_by_name_wherever_they_stand(tmp_path: Path) -> None:
    b = bench(tmp_path)
    found = results(_moved(b))
    overall = found["overall"]
    assert (overall["points"], overall["ready"], overall["score_10"]) == (49, 4, "7.66")
    assert overall["zeros"] == {"accuracy": 1, "completeness": 2, "format": 1, "abstention": 0}
    assert b.by_name(found, "ready")["K01-B"] is True
    assert "à revoir ?" in told(found, "unknown_column")[0]["found"]


def test_case_08_an_unknown_header_is_refused_never_read_by_position(tmp_path: Path) -> None:
    b = bench(tmp_path)
    with pytest.raises(DataError) as caught:
        results(_moved(b, "Justesse?"))
    problem = caught.value.problems[0]
    assert problem.code == "missing_column"
    assert "Justesse?" in problem.found


def test_case_08_french_headers_read_like_english_ones(tmp_path: Path) -> None:
    assert bench(tmp_path, language="fr").results()["overall"]["points"] == 49


def test_case_09_hidden_rows_and_columns_count_and_are_told(tmp_path: Path) -> None:
    b = bench(tmp_path)
    rows = sorted(b.row(name) for name in ("K01-A", "K01-B", "K01-C", "K01-D", "K02-D"))
    for row in rows:
        b.sheet.row_dimensions[row].hidden = True
    b.sheet.column_dimensions[get_column_letter(b.column("format"))].hidden = True
    found = b.results()
    assert found["overall"]["points"] == 49
    assert found["overall"]["zeros"]["format"] == 1
    assert told(found, "hidden_rows_counted")[0]["found"] == ", ".join(map(str, rows))
    assert told(found, "hidden_columns_counted")[0]["found"] == "format"


def test_case_10_merged_context_cells_keep_their_rows(tmp_path: Path) -> None:
    b = bench(tmp_path)
    top = b.header + 1
    for key in ("item", "grader", "message"):
        column = b.column(key)
        if key == "grader":
            b.sheet.merge_cells(start_row=top, end_row=top + 7, start_column=column, end_column=column)
        else:
            for start in (top, top + 4):
                b.sheet.merge_cells(
                    start_row=start, end_row=start + 3, start_column=column, end_column=column
                )
    found = b.results()
    assert found["overall"]["points"] == 49
    assert [r["grader"] for r in found["responses"]] == ["g1"] * 8
    assert sorted(r["item"] for r in found["responses"]) == ["K01"] * 4 + ["K02"] * 4


def test_case_10_merged_grades_are_refused_and_never_filled_down(tmp_path: Path) -> None:
    b = bench(tmp_path)
    column, top = b.column("accuracy"), b.header + 1
    names = {b.row(name): name for name in BASE}
    b.sheet.merge_cells(start_row=top, end_row=top + 1, start_column=column, end_column=column)
    found = b.results()
    area = f"{get_column_letter(column)}{top}:{get_column_letter(column)}{top + 1}"
    assert [p["found"] for p in told(found, "merged_grade_cells")] == [area]
    totals = b.by_name(found, "total")
    assert totals[names[top]] == sum(BASE[names[top]])
    assert totals[names[top + 1]] is None
    assert found["overall"]["graded"] == 7


def test_case_12_ids_with_invisible_characters_still_join(tmp_path: Path) -> None:
    """Seven of the second reader's ids came by e-mail; all eight responses are read twice, kappa on eight."""
    b = bench(tmp_path, graders=("g1", "g2"))
    spoil = {
        "K01-A": "{}\u00a0",
        "K01-B": "\u200b{}",
        "K01-C": "{} ",
        "K01-D": "{}",
        "K02-A": "{}\u2060",
        "K02-B": "{}\t",
        "K02-C": "\ufeff{}",
    }
    for name, pattern in spoil.items():
        cell = b.cell(name, "id", "g2")
        cell.value = pattern.format(cell.value.upper() if name == "K01-D" else cell.value)
    b.ids |= {}
    b.sheet.cell(_row_of(b, "K01-C", "g2"), b.column("accuracy")).value = 2
    b.cell("K02-D", "format", "g2").value = 1
    found = b.results()
    agreement = found["agreement"]
    assert (agreement["shared"], agreement["all_criteria"]["equal"]) == (8, 6)
    equal = {c: (s["equal"], s["n"]) for c, s in agreement["criteria"].items()}
    assert equal == {"accuracy": (7, 8), "completeness": (8, 8), "format": (7, 8), "abstention": (8, 8)}
    kappas = {c: round(s["kappa"], 6) for c, s in agreement["criteria"].items()}
    assert kappas == {"accuracy": 0.619048, "completeness": 1.0, "format": 0.757576, "abstention": 1.0}
    assert "7" in str(len(told(found, "id_cleaned")[0]["found"].split(", ")))
    assert len({r["id"] for r in found["responses"]}) == 8


def _row_of(b: Bench, name: str, grader: str) -> int:
    """Return the row of a response whose id was spoilt."""
    for row in range(b.header + 1, b.header + 17):
        typed = str(b.sheet.cell(row, b.column("id")).value)
        if b.ids[name] in typed.casefold() and b.sheet.cell(row, b.column("grader")).value == grader:
            return row
    raise KeyError(name)


def test_a_column_sorted_alone_is_refused_row_by_row(tmp_path: Path) -> None:
    """Texts of two rows exchanged: both rows are refused by place, the other six count."""
    b = bench(tmp_path)
    one, two = b.cell("K01-A", "response"), b.cell("K02-A", "response")
    one.value, two.value = two.value, one.value
    found = b.results()
    assert {p["cell"] for p in told(found, "row_identity_broken")} == {
        b.address("K01-A", "id"),
        b.address("K02-A", "id"),
    }
    assert found["overall"]["graded"] == 6
    assert found["coverage"]["expected"] == 8


def test_rows_sorted_whole_change_nothing(tmp_path: Path) -> None:
    b = bench(tmp_path)
    rows = [[cell.value for cell in b.sheet[r]] for r in range(b.header + 1, b.header + 9)]
    for target, values in enumerate(sorted(rows, key=lambda r: str(r[0])), b.header + 1):
        for column, value in enumerate(values, 1):
            b.sheet.cell(target, column).value = value
    assert b.results()["overall"]["points"] == 49


def test_the_workbook_is_never_changed_by_reading_it(tmp_path: Path) -> None:
    b = bench(tmp_path)
    before = b.save().read_bytes()
    results(b.path)
    assert b.path.read_bytes() == before
    assert openpyxl.load_workbook(b.path).sheetnames == b.book.sheetnames
