"""What is no workbook, or would not end well, is refused in one clear problem: no traceback, no endless work, nothing changed."""

import io
import random
import shutil
import struct
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from lark_sheets.adapters.books import FileBooks, package
from lark_sheets.adapters.books.calamine_reader import read
from lark_sheets.errors import DataError, LarkError, MissingPiece, UsageError
from tests.adapters.making import MAIN, PACKAGE, packed, parts_of, workbook_file, worksheet
from tests.adapters.rich import rich_workbook


def told(path: Path, kind: type[LarkError] = DataError) -> tuple[str, str]:
    """Code and what was found; the file stays as it was."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(kind) as caught:
        read(path)
    assert before is None or path.read_bytes() == before
    (problem,) = caught.value.problems
    assert problem.file == path.name
    return problem.code, problem.found


def file_of(folder: Path, content: bytes, name: str = "book.xlsx") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


# -- no workbook at all --------------------------------------------------------------------------------------------------


def test_a_path_that_is_not_there_or_a_folder_is_wrong_usage(tmp_path):
    assert told(tmp_path / "absent.xlsx", UsageError)[0] == "missing_file"
    assert told(tmp_path, UsageError)[0] == "missing_file"


def test_a_locked_file_is_told(tmp_path, monkeypatch):
    path = file_of(tmp_path, b"x")
    monkeypatch.setattr(Path, "read_bytes", lambda _: (_ for _ in ()).throw(PermissionError(13, "denied")))
    with pytest.raises(MissingPiece) as caught:
        read(path)
    assert [problem.code for problem in caught.value.problems] == ["file_locked"]


def zipped(**parts: str) -> bytes:
    return packed({name.replace("__", "/"): content for name, content in parts.items()})


@pytest.mark.parametrize(
    ("content", "code", "found"),
    [
        (b"", "empty_file", ""),
        (b"item,text\nS01,x\n", "not_a_workbook", "CSV / TXT"),
        ("\ufeffitem;text\n".encode(), "not_a_workbook", "CSV / TXT"),
        ("item\ttext\n".encode("utf-16"), "not_a_workbook", "CSV / TXT"),
        (b"<html><table></table></html>", "not_a_workbook", "HTML"),
        (b"\r\n<!DOCTYPE html><html>", "not_a_workbook", "HTML"),
        (
            b'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
            "not_a_workbook",
            "XML",
        ),
        (b"%PDF-1.7", "not_a_workbook", "PDF"),
        (b"{\\rtf1", "not_a_workbook", "RTF"),
        (b"\x05\x07\x00\x01" * 20, "not_a_workbook", "?"),
        (b"PK\x03\x04 and then nothing", "damaged_file", "ZIP"),
        (b"PK", "damaged_file", "ZIP"),
        (zipped(a="x"), "not_a_workbook", "ZIP"),
        (packed({"[Content_Types].xml": "<Types/>", "word/document.xml": "<w/>"}), "not_a_workbook", "Word"),
        (
            packed({"[Content_Types].xml": "<Types/>", "ppt/presentation.xml": "<p/>"}),
            "not_a_workbook",
            "PowerPoint",
        ),
        (
            packed({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<a/>"}),
            "not_a_workbook",
            "text",
        ),
        (
            packed({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"}),
            "not_a_workbook",
            "_rels/.rels",
        ),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2048), "not_a_workbook", "OLE"),
    ],
)
def test_what_is_no_workbook_is_named(tmp_path, content, code, found):
    """The kind is seen from the content: the name of every one of these ends in .xlsx."""
    assert told(file_of(tmp_path, content)) == (code, found)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("25-password-protected/encrypted.xlsx", "encrypted_file"),
        ("25-password-protected/empty.xlsx", "empty_file"),
        ("25-password-protected/html_named.xls", "not_a_workbook"),
        ("25-password-protected/word_renamed.xlsx", "not_a_workbook"),
        ("13-workbook-open-in-excel/~$input.xlsx", "not_a_workbook"),
    ],
)
def test_the_handed_files_that_are_no_workbooks(shared, name, code):
    assert told(shared / "cases" / name)[0] == code


def test_an_encrypted_open_document_and_an_encrypted_member_are_told(tmp_path):
    manifest = "<manifest:manifest><manifest:encryption-data/></manifest:manifest>"
    document = {
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "content.xml": "x",
        "META-INF/manifest.xml": manifest,
    }
    assert told(file_of(tmp_path, packed(document), "a.ods"))[0] == "encrypted_file"
    content = bytearray(packed(parts_of(worksheet(""))))
    place = content.index(b"PK\x01\x02")
    content[place + 8] |= 1
    assert told(file_of(tmp_path, bytes(content)))[0] == "encrypted_file"


# -- damaged or hostile --------------------------------------------------------------------------------------------------

ROW = '<row r="1"><c r="A1"><v>1</v></c></row>'
BOMB = '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'


def without(parts: dict, *names: str) -> dict:
    return {name: content for name, content in parts.items() if name not in names}


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(parts_of(BOMB + worksheet(ROW)), id="a DTD in a sheet"),
        pytest.param(
            parts_of(worksheet(ROW), extra={"xl/workbook.xml": BOMB + "<workbook/>"}),
            id="a DTD in the main part",
        ),
        pytest.param(
            parts_of(('<?xml version="1.0" encoding="UTF-16"?>' + worksheet(ROW)).encode("utf-16")),
            id="a sheet in UTF-16",
        ),
        pytest.param(
            parts_of('<?xml version="1.0" encoding="ISO-8859-1"?>' + worksheet(ROW)), id="a sheet in Latin-1"
        ),
        pytest.param(
            without(parts_of(worksheet(ROW)), "xl/worksheets/sheet1.xml"), id="a sheet that is not there"
        ),
        pytest.param(without(parts_of(worksheet(ROW)), "xl/_rels/workbook.xml.rels"), id="no relationships"),
        pytest.param(parts_of(worksheet('<row r="1"><c r="A1"><v>1')), id="XML cut off"),
        pytest.param(
            parts_of(worksheet('<row r="1"><c r="A1" t="s"><v>7</v></c></row>')),
            id="a shared string that is not there",
        ),
        pytest.param(parts_of(worksheet('<row r="1"><c r="A0"><v>1</v></c></row>')), id="row zero"),
        pytest.param(parts_of(worksheet(ROW), worksheet(ROW), names=("a", "a")), id="two sheets of one name"),
        pytest.param(
            parts_of(worksheet(ROW), extra={"xl/_rels/workbook.xml.rels": "<Relationships><"}),
            id="broken relationships",
        ),
        pytest.param(
            parts_of(
                worksheet(ROW),
                extra={
                    "xl/worksheets/_rels/sheet1.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r" Type="x/table" Target="t.xml"/></Relationships>',
                    "xl/worksheets/t.xml": f'<table xmlns="{MAIN}" displayName="t" ref="A:B"/>',
                },
            ),
            id="a table without rows",
        ),
    ],
)
def test_damage_is_told_and_never_read_as_blank(tmp_path, parts):
    assert told(file_of(tmp_path, packed(parts)))[0] == "damaged_file"


def test_a_member_that_lies_about_its_size_is_refused(tmp_path):
    """The size in the directory says 4 bytes; the data would unfold to a sheet of 1,000 rows."""
    rows = "".join(f'<row r="{n}"><c r="A{n}"><v>1</v></c></row>' for n in range(1, 1000))
    content = bytearray(packed(parts_of(worksheet(rows))))
    place = content.rindex(b"xl/worksheets/sheet1.xml") - 46
    assert content[place : place + 4] == b"PK\x01\x02"
    struct.pack_into("<L", content, place + 24, 4)
    assert told(file_of(tmp_path, bytes(content)))[0] == "damaged_file"


def test_a_member_named_twice_is_refused(tmp_path):
    buffer = io.BytesIO(packed(parts_of(worksheet(ROW))))
    with zipfile.ZipFile(buffer, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("xl/worksheets/sheet1.xml", worksheet(""))
    assert told(file_of(tmp_path, buffer.getvalue())) == ("damaged_file", "xl/worksheets/sheet1.xml")


# -- bounded -------------------------------------------------------------------------------------------------------------


def test_a_zip_bomb_is_refused_by_its_declared_size(tmp_path):
    content = bytearray(packed(parts_of(worksheet(ROW))))
    place = content.rindex(b"xl/worksheets/sheet1.xml") - 46
    struct.pack_into("<L", content, place + 24, 3 * 2**30)
    assert told(file_of(tmp_path, bytes(content)))[0] == "too_large"


@pytest.mark.parametrize(
    "rows",
    [
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1048576"><v>1</v></c></row>',
        '<row r="1"><c r="XFD1048576"><v>1</v></c><c r="A1"><v>1</v></c></row>',
        '<row r="1"><c r="A1"><v>1</v></c><c r="A99999999999"><v>1</v></c></row>',
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c s="1" r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>',
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1000000"><c/><c/></row><row r="1048576"><c r="ZZ1048576"><f>1</f></c></row>',
    ],
)
def test_two_cells_at_the_corners_do_not_unfold_to_all_between(tmp_path, rows):
    """The library holds the whole rectangle and would end the process for want of memory."""
    assert told(file_of(tmp_path, packed(parts_of(worksheet(rows)))))[0] in ("too_large", "damaged_file")


def test_sixteen_thousand_columns_are_read(tmp_path):
    sheet = read(
        workbook_file(tmp_path, worksheet('<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>'))
    ).sheets[0]
    assert sheet.value(1, 16384) == 2


def test_ten_thousand_sheets_are_refused(tmp_path):
    listed = "".join(f'<sheet name="S{n}" sheetId="{n}" r:id="rId1"/>' for n in range(10_000))
    content = str(parts_of(worksheet(""))["xl/workbook.xml"])
    start = content.index("<sheets>")
    content = content[:start] + f"<sheets>{listed}</sheets></workbook>"
    path = file_of(tmp_path, packed(parts_of(worksheet(""), extra={"xl/workbook.xml": content})))
    assert told(path) == ("too_large", "10000")


def test_too_many_members_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(package, "MAX_PARTS", 3)
    assert told(workbook_file(tmp_path, worksheet("")))[0] == "too_large"


# -- mutations -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def seeds(tmp_path_factory) -> list[bytes]:
    """A rich workbook, and small ones whose XML is laid bare to the mutations."""
    path = tmp_path_factory.mktemp("seeds") / "rich.xlsx"
    rich_workbook(path)
    return [path.read_bytes()]


def read_or_refused(path: Path) -> None:
    try:
        book = FileBooks().read(path)
    except LarkError as refusal:
        words = refusal.problems
        assert words
        assert "Traceback" not in str(words)
    else:
        assert all(sheet.name for sheet in book.sheets)


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_mutated_file_is_read_or_refused(seeds, tmp_path_factory, seed):
    """Bytes of the archive are changed, cut out, doubled or swapped; nothing but a told problem may come of it."""
    rng = random.Random(seed)
    content = bytearray(rng.choice(seeds))
    for _ in range(rng.randint(1, 6)):
        place, length = rng.randrange(len(content)), rng.randint(1, 40)
        match rng.randrange(4):
            case 0:
                content[place] = rng.randrange(256)
            case 1:
                del content[place : place + length]
            case 2:
                content[place:place] = content[place : place + length]
            case _:
                content[place : place + length] = rng.randbytes(length)
    path = tmp_path_factory.mktemp("mutated") / "m.xlsx"
    path.write_bytes(bytes(content))
    read_or_refused(path)


WORDS = [
    '<c r="',
    "</c>",
    "<v>",
    "</v>",
    "<f>",
    "<row",
    "<is>",
    ' t="s"',
    ' t="e"',
    "hidden",
    '"',
    "<",
    ">",
    "&",
    "9",
    "A",
    "XFD",
    "/",
    " ",
    "\x00",
    "é",
]


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_workbook_with_mutated_parts_is_read_or_refused(seeds, tmp_path_factory, seed):
    """The archive is sound, the XML inside is not."""
    rng = random.Random(seed)
    with zipfile.ZipFile(io.BytesIO(rng.choice(seeds))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(
        [part for part in parts if part.endswith((".xml", ".rels"))] + ["xl/worksheets/sheet1.xml"] * 20
    )
    content = parts[name].decode()
    for _ in range(rng.randint(1, 5)):
        place, length = rng.randrange(len(content) + 1), rng.randint(0, 12)
        content = content[:place] + rng.choice(WORDS) + content[place + length :]
    path = tmp_path_factory.mktemp("mutated") / "m.xlsx"
    path.write_bytes(packed(parts | {name: content}))
    read_or_refused(path)


def test_the_same_bytes_under_another_name_are_the_same_workbook(tmp_path):
    path = workbook_file(tmp_path, worksheet(ROW))
    other = Path(shutil.copy(path, tmp_path / "book.xls"))
    assert read(other).sheets == read(path).sheets
    assert zlib
