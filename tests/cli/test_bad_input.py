"""Bad input: one clear message each (place, found, expected, remedy), the right exit code, inputs untouched, no traceback."""

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from lark_sheets.cli import main
from lark_sheets.workbook import layout
from tests.cases.kit import Bench, bench


@pytest.fixture
def book(tmp_path: Path) -> Bench:
    """Return a graded workbook."""
    made = bench(tmp_path)
    made.save()
    return made


def _not_there(b: Bench, folder: Path) -> Path:
    return folder / "nowhere.xlsx"


def _empty(b: Bench, folder: Path) -> Path:
    path = folder / "empty.xlsx"
    path.write_bytes(b"")
    return path


def _text(b: Bench, folder: Path) -> Path:
    path = folder / "notes.xlsx"
    path.write_text("just words", encoding="utf-8")
    return path


def _word(b: Bench, folder: Path) -> Path:
    path = folder / "letter.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<w:document/>")
    return path


def _truncated(b: Bench, folder: Path) -> Path:
    path = folder / "half.xlsx"
    path.write_bytes(b.path.read_bytes()[: b.path.stat().st_size // 2])
    return path


def _foreign(b: Bench, folder: Path) -> Path:
    path = folder / "budget.xlsx"
    other = openpyxl.Workbook()
    other.active["A1"] = "Budget"
    other.save(path)
    return path


def _newer(b: Bench, folder: Path) -> Path:
    return _remark(b, folder, "layout", "99")


def _remark(b: Bench, folder: Path, key: str, value: str) -> Path:
    for sheet in b.book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value == layout.MARK + key:
                    sheet.cell(cell.row, cell.column + 1).value = value
    path = folder / "changed.xlsx"
    b.book.save(path)
    return path


def _no_sheet(b: Bench, folder: Path) -> Path:
    del b.book[b.sheet.title]
    path = folder / "gone.xlsx"
    b.book.save(path)
    return path


def _no_column(b: Bench, folder: Path) -> Path:
    b.sheet.cell(b.header, b.column("format")).value = "Mise en page"
    path = folder / "renamed.xlsx"
    b.book.save(path)
    return path


def _empty_folder(b: Bench, folder: Path) -> Path:
    path = folder / "nothing"
    path.mkdir()
    return path


BAD: list[tuple[Callable[[Bench, Path], Path], int, str]] = [
    (_not_there, 2, "no such file"),
    (_empty, 1, "the file is empty"),
    (_text, 1, "not a workbook"),
    (_word, 1, "not a workbook"),
    (_truncated, 1, "damaged"),
    (_foreign, 1, "not made by lark-sheets"),
    (_newer, 1, "newer lark-sheets"),
    (_no_sheet, 1, "no sheet with the table"),
    (_no_column, 1, "no column"),
    (_empty_folder, 2, "no campaign.xlsx"),
]


@pytest.mark.parametrize(("spoil", "code", "words"), BAD, ids=[row[0].__name__.strip("_") for row in BAD])
@pytest.mark.parametrize("command", ["recompute", "check", "reveal", "report"])
def test_a_bad_workbook_is_told_in_one_message(
    book: Bench,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Bench, Path], Path],
    code: int,
    words: str,
    command: str,
) -> None:
    path = spoil(book, tmp_path)
    before = path.read_bytes() if path.is_file() else None
    assert main([command, str(path), "--lang", "en"]) == code
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said
    assert (path.read_bytes() if path.is_file() else None) == before


def test_an_encrypted_workbook_is_called_so(
    book: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from msoffcrypto.format.ooxml import OOXMLFile

    path = tmp_path / "secret.xlsx"
    with book.path.open("rb") as plain, path.open("wb") as target:
        OOXMLFile(plain).encrypt("x", target)
    assert main(["recompute", str(path), "--lang", "en"]) == 1
    assert "protected by a password" in capsys.readouterr().err


def test_a_key_that_does_not_fit_gives_no_names(
    book: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.key.json"
    other.write_text(book.key.read_text(encoding="utf-8").replace("run A", "run X"), encoding="utf-8")
    assert main(["reveal", str(book.path), "--key", str(other), "--lang", "en"]) == 1
    assert "SHA-256" in capsys.readouterr().err
    target = tmp_path / "r.json"
    assert (
        main(["recompute", str(book.path), "--key", str(other), "--json", str(target), "--lang", "en"]) == 1
    )
    found = json.loads(target.read_text(encoding="utf-8"))
    assert (found["runs"], found["key"]["matches"]) == ([], False)


def test_reveal_without_a_key_says_where_it_should_be(
    book: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = tmp_path / "alone" / "campaign.xlsx"
    alone.parent.mkdir()
    shutil.copy(book.path, alone)
    assert main(["reveal", str(alone), "--lang", "en"]) == 2
    assert ".key.json" in capsys.readouterr().err


def test_grades_of_an_unknown_run_are_refused_by_row(
    book: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "grades.csv"
    table.write_text(
        "grader,item,run,accuracy,completeness,format,abstention\ng1,K01,run Z,2,2,2,2\ng1,K01,run A,2,2,2,2\n",
        encoding="utf-8",
    )
    assert main(["import", str(book.path), "--grades", str(table), "--lang", "en"]) == 1
    said = capsys.readouterr()
    assert "grades.csv, row 2: the run “run Z” is not in the key" in said.err
    assert "run A" not in said.err
    assert "1 already there, 1 refused" in said.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["recompte", "x.xlsx"], 2, "recompute"),
        (["recompute"], 2, "BOOK"),
        (["new", "--rubric", "lark"], 2, "--items"),
        (["report", "x.xlsx", "--appendix", "all"], 2, "appendix"),
        ([], 2, ""),
    ],
)
def test_wrong_words_are_usage_errors_with_a_suggestion(
    words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--lang", "en"] if words else []) == code
    assert said in capsys.readouterr().err + ""


def test_new_tells_every_fault_of_its_inputs_at_once_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = tmp_path / "items.csv"
    items.write_text("item,text\nS01,a\nS01,b\n,c\n", encoding="utf-8")
    responses = tmp_path / "responses.csv"
    responses.write_text("item,run,response\nS01,one,x\n", encoding="utf-8")
    out = tmp_path / "out"
    words = [
        "new",
        "--rubric",
        "larkfield",
        "--items",
        str(items),
        "--responses",
        str(responses),
        "--out",
        str(out),
    ]
    assert main([*words, "--lang", "en"]) == 1
    said = capsys.readouterr().err
    assert "“S01” stands more than once (2, 3)" in said
    assert "“item” is empty in row 4" in said
    assert not out.exists()


def test_new_never_writes_over_a_campaign(book: Bench, tmp_path: Path) -> None:
    before = book.path.read_bytes()
    words = ["--items", str(tmp_path / "items.csv"), "--responses", str(tmp_path / "responses.csv")]
    assert main(["new", "--rubric", "larkfield", *words, "--out", str(tmp_path / "campaign")]) == 2
    assert book.path.read_bytes() == before


def test_a_locked_workbook_is_told_with_its_remedy_and_nothing_changes(
    book: Bench, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows refuses to replace a file that is open in Excel."""
    before = book.path.read_bytes()

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(book.path))

    monkeypatch.setattr("os.replace", refuse)
    assert main(["reveal", str(book.path), "--lang", "en"]) == 3
    assert "Close it in Excel" in capsys.readouterr().err
    assert book.path.read_bytes() == before


def test_several_workbooks_of_which_one_is_bad(book: Bench, tmp_path: Path) -> None:
    bad = _text(book, tmp_path)
    target = tmp_path / "batch.json"
    assert main(["recompute", str(book.path), str(bad), "--json", str(target), "--lang", "en"]) == 1
    found = json.loads(target.read_text(encoding="utf-8"))
    assert found["schema"] == "lark-sheets/batch/1"
    assert len(found["results"]) == 1
    assert found["failed"][0]["code"] == "not_a_workbook"
