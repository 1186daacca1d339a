"""What is asked of Excel beyond xlwings, on stand-ins that answer as its reference says: no Excel was at hand."""

import types

import pytest

from lark_sheets.adapters.live_book.native import ExcelForMac, ExcelForWindows, native
from lark_sheets.adapters.live_book.pressing import is_busy, language_of, path_of
from lark_sheets.errors import MissingPiece, UsageError

ALLOWED = ("FormattingCells", "FormattingColumns", "FormattingRows", "InsertingColumns", "InsertingRows",
           "InsertingHyperlinks", "DeletingColumns", "DeletingRows", "Sorting", "Filtering", "UsingPivotTables")  # fmt: skip
MAC = ("formatting_cells", "formatting_columns", "formatting_rows", "inserting_columns", "inserting_rows",
       "inserting_hyperlinks", "deleting_columns", "deleting_rows", "sorting", "filtering", "using_pivot_table")  # fmt: skip


class WindowsSheet:
    """A worksheet as COM shows it: protected, filters and sorting allowed, with or without a password."""

    def __init__(self, password=""):
        self.password = password
        self.ProtectContents = True
        self.ProtectDrawingObjects, self.ProtectScenarios = True, False
        self.Protection = types.SimpleNamespace(
            **{f"Allow{a}": a in ("Sorting", "Filtering") for a in ALLOWED}
        )
        self.calls = []

    def Unprotect(self, password):
        self.calls.append(("Unprotect", password))
        if password != self.password:
            raise RuntimeError("1004: wrong password")
        self.ProtectContents = False

    def Protect(self, *arguments):
        self.calls.append(("Protect", *arguments))
        self.ProtectContents = True


def sheet_of(own):
    return types.SimpleNamespace(api=own, name="Grading", book=types.SimpleNamespace(name="campaign.xlsx"))


def test_on_windows_the_same_protection_is_put_back():
    """Positions of Excel's Protect: password, drawings, contents, scenarios, only the screen, then eleven permissions."""
    own = WindowsSheet()

    with ExcelForWindows().unprotected(sheet_of(own)):
        assert not own.ProtectContents

    allowed = [a in ("Sorting", "Filtering") for a in ALLOWED]
    assert own.calls == [("Unprotect", ""), ("Protect", "", True, True, False, False, *allowed)]


def test_on_windows_it_is_put_back_after_a_fault_too():
    own = WindowsSheet()

    with pytest.raises(ValueError), ExcelForWindows().unprotected(sheet_of(own)):
        raise ValueError

    assert own.ProtectContents


def test_on_windows_a_password_is_told_and_nothing_is_protected_anew():
    own = WindowsSheet(password="secret")

    with pytest.raises(MissingPiece) as told, ExcelForWindows().unprotected(sheet_of(own)):
        pass

    assert [(p.code, p.sheet) for p in told.value.problems] == [("sheet_locked", "Grading")]
    assert [name for name, *_ in own.calls] == ["Unprotect"]


def test_on_windows_an_open_sheet_is_left_as_it_is():
    own = WindowsSheet()
    own.ProtectContents = False

    with ExcelForWindows().unprotected(sheet_of(own)):
        pass

    assert own.calls == []


@pytest.mark.parametrize(("answer", "hidden"), [(True, True), (False, False), (None, None)])
def test_on_windows_whole_rows_are_asked_at_once(answer, hidden):
    cells = types.SimpleNamespace(api=types.SimpleNamespace(EntireRow=types.SimpleNamespace(Hidden=answer)))

    assert ExcelForWindows().hidden(cells, "rows") is hidden


def test_on_windows_the_book_tells_of_itself(tmp_path):
    copies = []
    own = types.SimpleNamespace(ReadOnly=False, Saved=True, SaveCopyAs=copies.append)
    book = types.SimpleNamespace(api=own)

    assert not ExcelForWindows().is_read_only(book)
    assert not ExcelForWindows().has_changes(book)
    ExcelForWindows().save_copy(book, tmp_path / "copy.xlsx")
    assert copies == [str(tmp_path / "copy.xlsx")]


class Event:
    """A property as appscript shows it: ``get()`` gives its value."""

    def __init__(self, value):
        self.get = lambda: value


class MacSheet:
    def __init__(self, password=False):
        self.protected, self.password = True, password
        self.protection_object = types.SimpleNamespace(**{f"allow_{a}": Event(a == "sorting") for a in MAC})
        self.protect_drawing_objects, self.protect_scenarios = Event(False), Event(True)
        self.calls = []

    @property
    def protect_contents(self):
        return Event(self.protected)

    def unprotect(self):
        if self.password:
            raise RuntimeError("-50")
        self.protected = False

    def protect_worksheet(self, **words):
        self.calls.append(words)
        self.protected = True


def test_on_a_mac_the_same_protection_is_put_back():
    own = MacSheet()

    with ExcelForMac().unprotected(sheet_of(own)):
        assert not own.protected

    allowed = {f"allow_{a}": a == "sorting" for a in MAC}
    assert own.calls == [{"drawing_objects": False, "worksheet_contents": True, "scenarios": True, **allowed}]


def test_on_a_mac_the_words_are_those_of_its_dictionary():
    """xlwings ships the dictionary of Excel for Mac: a wrong word would fail there only."""
    from pathlib import Path

    import xlwings

    text = (Path(xlwings.__file__).parent / "mac_dict.py").read_text("utf-8")
    words = {f"allow_{a}" for a in MAC} | {
        "protect_worksheet",
        "worksheet_contents",
        "protection_object",
        "unprotect",
    }
    words |= {"protect_contents", "protect_drawing_objects", "protect_scenarios", "read_only", "saved"}

    assert [word for word in words if f'"{word}"' not in text] == []


def test_on_a_mac_a_password_is_told():
    with pytest.raises(MissingPiece), ExcelForMac().unprotected(sheet_of(MacSheet(password=True))):
        pass


def test_on_a_mac_a_copy_is_the_saved_file(tmp_path):
    path = tmp_path / "book.xlsx"
    book = types.SimpleNamespace(fullname=str(path), save=lambda: path.write_bytes(b"saved"))

    ExcelForMac().save_copy(book, tmp_path / "copy.xlsx")

    assert (tmp_path / "copy.xlsx").read_bytes() == b"saved"


@pytest.mark.parametrize(
    ("platform", "engine", "kind"),
    [("win32", "excel", ExcelForWindows), ("darwin", "excel", ExcelForMac)],
)
def test_each_spreadsheet_is_asked_in_its_own_way(monkeypatch, platform, engine, kind):
    monkeypatch.setattr("sys.platform", platform)
    app = types.SimpleNamespace(engine=types.SimpleNamespace(name=engine))

    assert isinstance(native(app), kind)


# -- busy, paths, language -------------------------------------------------------------------------------------------


def com_error(hresult, inner=None):
    error = RuntimeError("com")
    error.hresult = hresult
    error.excepinfo = None if inner is None else (0, "Excel", "busy", None, 0, inner)
    return error


def caused(inner):
    outer = ValueError("wrapped")
    outer.__cause__ = inner
    return outer


@pytest.mark.parametrize(
    ("error", "busy"),
    [
        (com_error(-2147418111), True),
        (com_error(-2147417846), True),
        (com_error(-2147352567, inner=-2146777998), True),
        (com_error(-2147352567, inner=-2146827284), False),
        (caused(com_error(-2147418111)), True),
        (type("ExcelBusyError", (Exception,), {})(), True),
        (type("CommandError", (Exception,), {"errornumber": -1712})(), True),
        (ValueError("x"), False),
    ],
)
def test_a_spreadsheet_in_the_middle_of_something_is_recognised(error, busy):
    assert is_busy(error) is busy


@pytest.mark.parametrize(
    ("fullname", "code"),
    [
        ("Book1", "book_never_saved"),
        ("https://d.docs.live.net/abc/campaign.xlsx", "book_in_cloud"),
        (LookupError("no local path"), "book_in_cloud"),
    ],
)
def test_a_book_without_a_file_on_this_computer_is_told(fullname, code):
    class Book:
        name = "campaign.xlsx"

        @property
        def fullname(self):
            if isinstance(fullname, Exception):
                raise fullname
            return fullname

    with pytest.raises((UsageError, MissingPiece)) as told:
        path_of(Book())

    assert [p.code for p in told.value.problems] == [code]


@pytest.mark.parametrize(
    ("sheets", "language"),
    [
        (["Guide", "Notation"], "fr"),
        (["Guide", "Grading"], "en"),
        (["Résultats", "Accord"], "fr"),
        (["Sheet1"], None),
        (["Guide"], None),
    ],
)
def test_a_book_speaks_the_language_of_its_sheets(sheets, language):
    assert language_of(sheets) == language
