"""A patch changes the named cells and nothing else, or nothing at all."""

import errno
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings, strategies as st

from lark_sheets.adapters.books import FileBooks
from lark_sheets.adapters.books.cell_patch import recalculated_on_load
from lark_sheets.adapters.books.cell_xml import storable
from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.cells import Area, Mark
from lark_sheets.errors import DataError, LarkError, MissingPiece, UsageError
from tests.adapters.making import MAIN, STRICT, members, parts_of, relations, workbook_file, worksheet
from tests.adapters.rich import FIRST, LAST, rich_workbook
from tests.conftest import ROOT

books = FileBooks()
SHEET, BOOK, TABLE = "xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/tables/table1.xml"


@pytest.fixture(scope="module")
def rich_original(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("rich") / "rich.xlsx"
    rich_workbook(path)
    return path


@pytest.fixture
def rich(rich_original, tmp_path) -> Path:
    return Path(shutil.copy(rich_original, tmp_path / "rich.xlsx"))


def grading(path: Path):
    """The sheet as openpyxl sees it; it says that it would lose what it does not know, which is why it never saves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return openpyxl.load_workbook(path)["Grading"]


def patched(
    path: Path, *cells, grown: dict[str, Area] | None = None, sheet: str = "Grading", **options
) -> Path | None:
    """Patch cells given as (row, column, value[, formula])."""
    change = BookPatch(grown=grown or {})
    for row, column, value, *formula in cells:
        change.set(sheet, row, column, value, formula=formula[0] if formula else "", **options)
    return books.patch(path, change)


def refused(path: Path, *cells, kind: type[LarkError] = DataError, **options) -> list[tuple[str, str | None]]:
    """The codes and cells of a refusal; the file must be as before, and no backup left."""
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    listed = sorted(each.name for each in path.parent.iterdir())
    with pytest.raises(kind) as caught:
        patched(path, *cells, **options)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert sorted(each.name for each in path.parent.iterdir()) == listed
    return [(problem.code, problem.cell) for problem in caught.value.problems]


# -- nothing is lost -----------------------------------------------------------------------------------------------------


def test_every_other_part_stays_byte_for_byte(rich):
    before, original = members(rich), rich.read_bytes()
    backup = patched(
        rich,
        (FIRST, 3, 2),
        (FIRST + 1, 4, None),
        (FIRST + 2, 2, "réf <ok> & =1+1"),
        (FIRST, 7, 8, f"=SUM(C{FIRST}:F{FIRST})"),
        (40, 26, 1.5),
        (3, 3, True),
    )
    after = members(rich)
    assert list(before) == list(after)
    assert {name for name in before if before[name] != after[name]} == {SHEET}
    assert backup == rich.parent / "backups" / "rich.backup-1.xlsx"
    assert backup.read_bytes() == original
    with zipfile.ZipFile(rich) as archive:
        assert archive.comment == b"a comment of the archive"
        assert archive.testzip() is None


def test_only_the_named_cells_differ(rich):
    old = {(cell.coordinate): cell.value for row in grading(rich).iter_rows() for cell in row}
    looks = {(cell.coordinate): cell.style_id for row in grading(rich).iter_rows() for cell in row}
    patched(rich, (FIRST, 3, 1), (FIRST, 2, "é\n <b>"), (LAST, 7, 9, "=1+8"))
    sheet = grading(rich)
    new = {cell.coordinate: cell.value for row in sheet.iter_rows() for cell in row}
    assert {key: value for key, value in new.items() if old.get(key) != value} == {
        "C6": 1,
        "B6": "é\n <b>",
        "G25": "=1+8",
    }
    assert {cell.coordinate: cell.style_id for row in sheet.iter_rows() for cell in row} == looks


def test_the_reader_sees_value_formula_and_table(rich):
    patched(
        rich,
        (FIRST, 3, 2),
        (FIRST, 7, "prête", '=IF(1<2,"prête","")'),
        (FIRST + 1, 7, None, '=""'),
        (1, 1, "=still text"),
    )
    sheet = books.read(rich).sheets[0]
    assert (sheet.value(FIRST, 3), sheet.value(FIRST, 7), sheet.value(FIRST + 1, 7)) == (2, "prête", None)
    assert sheet.marks[FIRST, 7] is sheet.marks[FIRST + 1, 7] is Mark.FORMULA
    assert (1, 1) not in sheet.marks
    assert sheet.value(1, 1) == "=still text"


def test_a_second_press_changes_nothing(rich):
    """Idempotence holds whatever program wrote the value: shared, inline or computed."""
    cells = [
        (FIRST, 3, 0),
        (FIRST, 1, "S00"),
        (1, 1, "=not a formula"),
        (FIRST, 7, 6, f"=SUM(C{FIRST}:F{FIRST})"),
        (3, 9, None),
    ]
    original = rich.read_bytes()
    assert patched(rich, *cells) is None
    assert rich.read_bytes() == original
    assert not (rich.parent / "backups").exists()
    first = patched(rich, *cells, (FIRST, 2, "X"), (50, 2, "new"))
    once = rich.read_bytes()
    assert patched(rich, *cells, (FIRST, 2, "X"), (50, 2, "new")) is None
    assert (rich.read_bytes(), list((rich.parent / "backups").iterdir())) == (once, [first])


def test_a_text_with_formats_inside_is_not_taken_for_the_plain_one(rich):
    assert patched(rich, (1, 2, "plain bold end")) is not None
    assert books.read(rich).sheets[0].value(1, 2) == "plain bold end"


def test_backups_are_numbered_and_never_overwritten(rich):
    (rich.parent / "backups").mkdir()
    (rich.parent / "backups" / "rich.backup-2.xlsx").write_text("somebody's")
    names = [patched(rich, (FIRST, 3, n)).name for n in (2, 1, 0)]
    assert names == ["rich.backup-1.xlsx", "rich.backup-3.xlsx", "rich.backup-4.xlsx"]
    assert (rich.parent / "backups" / "rich.backup-2.xlsx").read_text() == "somebody's"


def test_nothing_to_do_is_nothing_done(rich):
    before = rich.read_bytes()
    assert books.patch(rich, BookPatch()) is None
    assert rich.read_bytes() == before


# -- tables that grow ----------------------------------------------------------------------------------------------------


def test_a_table_grows_with_its_lists_and_formats(rich):
    before = members(rich)
    rows = [
        (row, column, value) for row in (LAST + 1, LAST + 2) for column, value in ((1, f"S{row}"), (3, 2))
    ]
    formulas = [(row, 7, 2, f"=SUM(C{row}:F{row})") for row in (LAST + 1, LAST + 2)]
    patched(rich, *rows, *formulas, grown={"tblScores": Area(5, 1, LAST + 2, 7)}, style_of=(LAST, 3))
    after = members(rich)
    assert {name for name in before if before[name] != after[name]} == {SHEET, TABLE}
    assert books.read(rich).sheets[0].tables == {"tblScores": Area(5, 1, LAST + 2, 7)}
    assert after[TABLE].count(f'ref="A5:G{LAST + 2}"'.encode()) == 2
    sheet = grading(rich)
    assert {str(rule.sqref) for rule in sheet.data_validations.dataValidation} == {
        f"C6:F{LAST + 2}",
        f"B6:B{LAST + 2}",
    }
    assert f"<xm:sqref>G6:G{LAST + 2}</xm:sqref>".encode() in after[SHEET]
    assert {str(each.sqref) for each in sheet.conditional_formatting} == {
        f"C6:F{LAST + 2}",
        f"G6:G{LAST + 2}",
    }
    assert f"<xm:sqref>A{LAST}</xm:sqref>".encode() in after[SHEET]
    assert f'<protectedRange name="typed" sqref="C6:F{LAST + 2}"/>'.encode() in after[SHEET].replace(
        b'sqref="C6:F27" name="typed"', b'name="typed" sqref="C6:F27"'
    )
    assert sheet[f"C{LAST + 2}"].protection.locked is False
    assert sheet.dimensions.endswith(str(LAST + 2)) or sheet.max_row >= LAST + 2


@pytest.mark.parametrize(
    ("obstacle", "code"),
    [
        ((LAST + 2, 4, "a remark"), "D27"),
        ((LAST + 1, 7, 3, "=1+2"), "G26"),
    ],
)
def test_a_table_does_not_grow_over_what_somebody_wrote(rich, obstacle, code):
    patched(rich, obstacle)
    shutil.rmtree(rich.parent / "backups")
    assert refused(rich, grown={"tblScores": Area(5, 1, LAST + 2, 7)}) == [("no_room_below", code)]


def test_what_stands_beside_the_new_rows_is_no_obstacle(rich):
    patched(rich, (LAST + 1, 9, "a remark"))
    assert patched(rich, (LAST + 1, 1, "S99"), grown={"tblScores": Area(5, 1, LAST + 1, 7)}) is not None
    sheet = books.read(rich).sheets[0]
    assert (sheet.value(LAST + 1, 1), sheet.value(LAST + 1, 9)) == ("S99", "a remark")


def table_part(ref: str, name: str = "tblA", totals: int = 0) -> str:
    return f'<table xmlns="{MAIN}" id="1" name="{name}" displayName="{name}" ref="{ref}" totalsRowCount="{totals}"><autoFilter ref="{ref}"/></table>'


def two_tables(folder: Path, first: str, second: str = "", after: str = "") -> Path:
    extra = {
        "xl/worksheets/_rels/sheet1.xml.rels": relations(
            ("table", "../tables/table1.xml"), *([("table", "../tables/table2.xml")] if second else [])
        )
    }
    extra |= {"xl/tables/table1.xml": first} | ({"xl/tables/table2.xml": second} if second else {})
    return workbook_file(
        folder,
        worksheet('<row r="1"><c r="A1" t="str"><v>h</v></c></row>', after=after),
        names=("Grading",),
        extra=extra,
    )


@pytest.mark.parametrize(
    ("first", "second", "after", "place"),
    [
        (table_part("A1:B3"), table_part("B5:C9", "tblB"), "", "B5"),
        (table_part("A1:B3", totals=1), "", "", "A3"),
        (table_part("A1:B3"), "", '<mergeCells count="1"><mergeCell ref="B4:C4"/></mergeCells>', "B4"),
    ],
)
def test_tables_totals_and_merged_cells_below_are_in_the_way(tmp_path, first, second, after, place):
    path = two_tables(tmp_path, first, second, after)
    assert refused(path, grown={"tblA": Area(1, 1, 6, 2)}) == [("no_room_below", place)]


# -- formulas ------------------------------------------------------------------------------------------------------------


def test_a_persons_formula_is_not_overwritten_and_all_places_are_told_by_sheet(rich):
    assert refused(rich, (FIRST, 3, 2), (FIRST, 7, 8)) == [("formula_in_the_way", "G6")]


SHARED = (
    '<row r="1"><c r="A1"><f t="shared" ref="A1:A3" si="0">B1*2</f><v>2</v></c></row>'
    '<row r="2"><c r="A2"><f t="shared" si="0"/><v>4</v></c></row>'
    '<row r="3"><c r="A3"><f t="shared" si="0"/><v>6</v></c></row>'
)


def test_values_of_shared_formulas_are_refreshed_without_breaking_the_group(tmp_path):
    path = workbook_file(tmp_path, worksheet(SHARED), names=("Grading",))
    patched(path, (1, 1, 20, "=B1*2"), (2, 1, 40, "=B2*2"))
    content = members(path)[SHEET].decode()
    assert '<f t="shared" ref="A1:A3" si="0">B1*2</f><v>20</v>' in content
    assert '<f t="shared" si="0"/><v>40</v>' in content
    assert '<f t="shared" si="0"/><v>6</v>' in content


def test_a_whole_group_of_shared_formulas_may_be_replaced(tmp_path):
    path = workbook_file(tmp_path, worksheet(SHARED), names=("Grading",))
    patched(path, *((row, 1, row * 3, f"=B{row}*3") for row in (1, 2, 3)))
    content = members(path)[SHEET].decode()
    assert "shared" not in content
    assert [f"<f>B{row}*3</f><v>{row * 3}</v>" in content for row in (1, 2, 3)] == [True] * 3


def test_half_a_group_of_shared_formulas_is_not_replaced_by_another(tmp_path):
    path = workbook_file(tmp_path, worksheet(SHARED), names=("Grading",))
    assert refused(path, (1, 1, 3, "=B1*3")) == [("formula_in_the_way", "A1")]


def test_an_array_over_several_cells_is_not_broken(tmp_path):
    rows = '<row r="1"><c r="A1"><f t="array" ref="A1:A2">B1:B2*2</f><v>2</v></c></row><row r="2"><c r="A2"><v>4</v></c></row>'
    path = workbook_file(tmp_path, worksheet(rows), names=("Grading",))
    assert refused(path, (1, 1, 3, "=B1*3")) == [("formula_in_the_way", "A1")]


@pytest.mark.parametrize(
    ("book", "expected"),
    [
        ("", '</sheets><calcPr fullCalcOnLoad="1"/></workbook>'),
        (
            '<definedNames><definedName name="n">S1!$A$1</definedName></definedNames><oleSize ref="A1"/>',
            '</definedNames><calcPr fullCalcOnLoad="1"/><oleSize',
        ),
        ('<calcPr calcId="191029"/>', '<calcPr calcId="191029" fullCalcOnLoad="1"/>'),
        (
            '<calcPr fullCalcOnLoad="0" calcId="1"></calcPr>',
            '<calcPr calcId="1" fullCalcOnLoad="1"></calcPr>',
        ),
        ('<calcPr calcId="1" fullCalcOnLoad="true"/>', '<calcPr calcId="1" fullCalcOnLoad="true"/>'),
    ],
)
def test_programs_are_asked_to_recalculate(book, expected):
    content = str(parts_of(worksheet(""), book=book)[BOOK]).encode()
    changed = recalculated_on_load(content)
    assert expected in changed.decode()
    assert recalculated_on_load(changed) == changed


# -- odd but honest parts ------------------------------------------------------------------------------------------------


def test_cells_without_addresses_rows_out_of_use_and_prefixes_are_met(tmp_path):
    rows = '<x:row spans="1:3"><x:c><x:v>1</x:v></x:c><x:c s="0" t="e"><x:v>#N/A</x:v></x:c></x:row><x:row r="4" spans="1:3"/><x:row r="9"><x:c r="D9"/></x:row>'
    part = f'<x:worksheet xmlns:x="{MAIN}"><x:dimension ref="A1:B9"/><x:sheetData>{rows}</x:sheetData></x:worksheet>'
    path = workbook_file(tmp_path, part, names=("Grading",))
    patched(path, (1, 2, 2), (1, 4, "d"), (2, 1, "new row"), (4, 2, True), (9, 5, 5), (12, 3, "last"))
    sheet = books.read(path).sheets[0]
    found = {
        (r, c): sheet.value(r, c) for r in range(1, 13) for c in range(1, 6) if sheet.value(r, c) is not None
    }
    assert found == {
        (1, 1): 1,
        (1, 2): 2,
        (1, 4): "d",
        (2, 1): "new row",
        (4, 2): True,
        (9, 5): 5,
        (12, 3): "last",
    }
    assert b'<x:dimension ref="A1:E12"/>' in members(path)[SHEET]
    assert members(path)[SHEET].count(b"spans") == 0


def test_an_empty_sheet_takes_cells(tmp_path):
    path = workbook_file(tmp_path, f'<worksheet xmlns="{MAIN}"><sheetData /></worksheet>', names=("Grading",))
    patched(path, (2, 2, "x"))
    assert books.read(path).sheets[0].value(2, 2) == "x"


# -- refusals ------------------------------------------------------------------------------------------------------------


def test_a_sheet_that_is_not_there_and_every_other_fault_are_told_together(rich):
    change = BookPatch()
    change.set("Absent", 1, 1, 2)
    change.set("Grading", FIRST, 7, 2)
    with pytest.raises(DataError) as caught:
        books.patch(rich, change)
    assert sorted(problem.code for problem in caught.value.problems) == [
        "formula_in_the_way",
        "no_such_sheet",
    ]


def test_a_strict_workbook_is_left_alone(tmp_path):
    path = workbook_file(tmp_path, worksheet("", namespace=STRICT), namespace=STRICT, names=("Grading",))
    assert refused(path, (1, 1, 2)) == [("strict_workbook", None)]


@pytest.mark.parametrize(
    ("rows", "column", "where"),
    [
        ('<row r="2"/><row r="1"/>', 1, "A1"),
        ('<row r="1"><c r="B1"/><c r="A1"/></row>', 3, "A1"),
        ('<row r="1"><c r="A7"/></row>', 1, "A1"),
        ('<row r="1"><c r="A1"/><c r="A1"><v>1</v></c></row>', 1, "A1"),
        ("<!-- --><row r='1'/>", 1, None),
    ],
)
def test_a_part_out_of_order_is_left_alone(tmp_path, rows, column, where):
    path = workbook_file(tmp_path, worksheet(rows), names=("Grading",))
    assert refused(path, (1, column, 2)) == [("damaged_file", where)]


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(UsageError):
        patched(tmp_path / "absent.xlsx", (1, 1, 2))


@pytest.mark.parametrize(
    "name",
    ["25-password-protected/encrypted.xlsx", "26-ods-and-xls/grading.ods", "26-ods-and-xls/grading.xls"],
)
def test_what_cannot_be_changed_is_refused_whole(shared, tmp_path, name):
    path = Path(shutil.copy(shared / "cases" / name, tmp_path))
    codes = refused(path, (1, 1, 2), sheet="grading")
    assert codes in ([("encrypted_file", None)], [("read_only_format", None)])


@pytest.mark.parametrize("beside", ["~$rich.xlsx", ".~lock.rich.xlsx#"])
def test_a_workbook_open_elsewhere_is_left_alone(rich, beside):
    (rich.parent / beside).write_text("x")
    assert refused(rich, (FIRST, 3, 2), kind=MissingPiece) == [("open_elsewhere", None)]


@pytest.mark.parametrize("step", ["replace", "open"])
def test_case_13_a_locked_file_is_told_and_untouched(rich, monkeypatch, step):
    """Windows refuses to write or to replace a workbook that Excel holds."""
    real = Path.open

    def denied(self, *arguments, **named):
        if step == "replace" or arguments[:1] == ("r+b",):
            raise PermissionError(errno.EACCES, "in use")
        return real(self, *arguments, **named)

    monkeypatch.setattr(Path, step, denied)
    assert refused(rich, (FIRST, 3, 2), kind=MissingPiece) == [("file_locked", None)]


@pytest.mark.parametrize(
    "fault", [OSError(errno.ENOSPC, "No space left on device"), OSError(errno.EIO, "Input/output error")]
)
@pytest.mark.parametrize("when", [1, 2])
def test_a_disk_that_fails_leaves_the_file_as_it_was(rich, monkeypatch, fault, when):
    """The first flush is the backup's, the second the new file's."""
    calls, flush = [], os.fsync

    def fails(handle):
        calls.append(handle)
        if len(calls) == when:
            raise fault
        flush(handle)

    monkeypatch.setattr(os, "fsync", fails)
    before = rich.read_bytes()
    with pytest.raises(MissingPiece) as caught:
        patched(rich, (FIRST, 3, 2))
    assert [problem.code for problem in caught.value.problems] == ["disk_fault"]
    assert rich.read_bytes() == before
    assert not list(rich.parent.rglob("*.tmp"))
    assert not list(rich.parent.rglob("*.backup-*"))


def test_a_file_that_somebody_saves_meanwhile_is_left_to_them(rich, monkeypatch):
    def saves_meanwhile(*_):
        rich.write_bytes(b"saved by somebody")

    monkeypatch.setattr("lark_sheets.adapters.books.cell_patch.rewrite", _then(saves_meanwhile))
    with pytest.raises(DataError) as caught:
        patched(rich, (FIRST, 3, 2))
    assert [problem.code for problem in caught.value.problems] == ["file_changed"]
    assert rich.read_bytes() == b"saved by somebody"


def _then(action):
    from lark_sheets.adapters.books.raw_zip import rewrite

    def both(*arguments):
        rewrite(*arguments)
        action()

    return both


def test_a_part_that_came_out_otherwise_is_noticed_before_anything_is_replaced(rich, monkeypatch):
    from lark_sheets.adapters.books import cell_patch

    real = cell_patch.rewrite
    monkeypatch.setattr(
        cell_patch,
        "rewrite",
        lambda source, target, changed: real(source, target, changed | {"docProps/app.xml": b"<other/>"}),
    )
    assert refused(rich, (FIRST, 3, 2)) == [("damaged_file", None)]


def test_an_archive_with_sizes_behind_the_data_is_copied(tmp_path):
    """Writers that stream put sizes behind the data; the copy puts them in front, the data stay the same."""
    path = tmp_path / "streamed.xlsx"
    parts = parts_of(
        worksheet('<row r="1"><c r="A1"><v>1</v></c></row>'), names=("Grading",), extra={"xl/é.xml": "<é/>"}
    )

    class Stream:
        def __init__(self):
            self.data = b""

        def write(self, data):
            self.data += bytes(data)
            return len(data)

        def flush(self):
            pass

    stream = Stream()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    path.write_bytes(stream.data)
    before = members(path)
    patched(path, (1, 1, 2))
    after = members(path)
    assert list(before) == list(after)
    assert {name for name in before if before[name] != after[name]} == {SHEET, BOOK}


def test_the_backup_is_no_wider_open_than_the_file(rich):
    rich.chmod(0o600)
    backup = patched(rich, (FIRST, 3, 2))
    assert [path.stat().st_mode & 0o777 for path in (rich, backup)] == [0o600, 0o600]


# -- properties ----------------------------------------------------------------------------------------------------------

values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**15), 10**15),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(alphabet=st.characters(codec=None), max_size=40),
    st.sampled_from(["=1+1", "_x000D_", "a\r\nb", "\x00", " x ", "#N/A", '<c r="A1">', "]]>", "&amp;"]),
)
places = st.tuples(st.integers(1, 40), st.integers(1, 12))


@settings(max_examples=60, deadline=None)
@given(edits=st.dictionaries(places, values, min_size=1, max_size=12), data=st.data())
def test_a_patch_gives_exactly_the_edits(rich_original, tmp_path_factory, edits, data):
    """What is read after a patch is what was read before, with the edits and nothing else."""
    path = Path(shutil.copy(rich_original, tmp_path_factory.mktemp("property") / "book.xlsx"))
    before = books.read(path)
    formulas = {place for place in edits if place in before.sheets[0].marks}
    change = BookPatch()
    for (row, column), value in edits.items():
        change.set(
            "Grading",
            row,
            column,
            value,
            formula="=1" if (row, column) in formulas or data.draw(st.booleans()) else "",
        )
    books.patch(path, change)
    after = books.read(path)
    for row in range(1, 60):
        for column in range(1, 30):
            expected = edits.get((row, column), before.sheets[0].value(row, column))
            if isinstance(expected, str):
                expected = storable(expected) or None
            assert after.sheets[0].value(row, column) == expected, (row, column)
    assert after.sheets[1:] == before.sheets[1:]


def test_a_workbook_with_a_damaged_member_elsewhere_is_left_alone(tmp_path):
    """A part that nobody asked to change must be copied too: where it cannot be, nothing is."""
    path = workbook_file(
        tmp_path,
        worksheet('<row r="1"><c r="A1"><v>1</v></c></row>'),
        names=("Grading",),
        extra={"xl/other.xml": "<a/>"},
    )
    content = path.read_bytes()
    at = content.index(b"xl/other.xml") - 30
    path.write_bytes(content[:at] + b"XX" + content[at + 2 :])
    assert refused(path, (1, 1, 2)) == [("damaged_file", None)]


def test_the_validator_of_office_files_finds_nothing_new(rich):
    from tests.adapters.test_writer import faults

    before = faults(rich)
    rows = [(row, 3, True) for row in (FIRST, LAST + 1, 40)] + [
        (LAST + 2, 1, "x\ny"),
        (LAST + 2, 7, 9, f"=SUM(C{LAST + 2}:F{LAST + 2})"),
    ]
    patched(rich, *rows, grown={"tblScores": Area(5, 1, LAST + 2, 7)}, style_of=(LAST, 3))
    assert faults(rich) == before == []


KILLED = """
import os, signal, sys
from pathlib import Path
from lark_sheets.adapters.books import FileBooks
from lark_sheets.core.bookplan import BookPatch

at, calls = int(sys.argv[2]), []

def last(real):
    def step(*arguments):
        calls.append(real)
        if len(calls) == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments)
    return step

os.fsync, Path.replace, Path.chmod = last(os.fsync), last(Path.replace), last(Path.chmod)
change = BookPatch()
change.set("Grading", 6, 3, 2)
FileBooks().patch(Path(sys.argv[1]), change)
print("done")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal on this system")
def test_a_process_killed_at_any_write_leaves_the_old_file_or_the_new_one(rich):
    """Before each flush, change of permissions and replacement in turn, the process is killed for good."""
    original, seen = rich.read_bytes(), []
    for at in range(1, 20):
        rich.write_bytes(original)
        run = subprocess.run(
            [sys.executable, "-c", KILLED, rich, str(at)], cwd=ROOT, capture_output=True, check=False
        )
        after = rich.read_bytes()
        value = books.read(rich).sheets[0].value(FIRST, 3)
        seen.append((after == original, value))
        if after != original:
            assert any(backup.read_bytes() == original for backup in (rich.parent / "backups").iterdir())
        if run.returncode == 0:
            break
    assert run.stdout == b"done\n"
    assert set(seen) == {(True, 0), (False, 2)}
