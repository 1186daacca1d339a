"""Every button, pressed for real; and what a person reads when something is in the way."""

import json
import shutil

import pytest

from lark_sheets.adapters.books import FileBooks
from lark_sheets.adapters.one_at_a_time import alone
from lark_sheets.usecases.loading import load_one
from lark_sheets.workbook.starter_layout import MESSAGES
from tests.addin.buttons import Buttons
from tests.desk import desk
from tests.factories import BASE
from tests.live import IN_OFFICE

pytestmark = [*IN_OFFICE, pytest.mark.usefixtures("home")]


@pytest.fixture
def buttons(app, tmp_path):
    return Buttons(app, tmp_path)


def message(book, language="en"):
    """The sheet for messages: its lines without blank ends."""
    sheet = book.sheets[MESSAGES.name.in_(language)]
    rows = sheet.range((1, 1), (sheet.used_range.last_cell.row, 6)).options(ndim=2).value
    return [[text for text in row if text] for row in rows]


def at_rest(app):
    return app.screen_updating, app.calculation, app.enable_events, app.display_alerts, app.status_bar


REST = (True, "automatic", True, True, False)


def test_each_button_runs_its_own_function(buttons, app, monkeypatch):
    """Captions in the order of the sheet, each bound to a macro, each macro to one Python function."""
    import lark_sheets.ribbon

    for name in set(vars(lark_sheets.ribbon)) - {"annotations"}:
        if not name.startswith("_"):
            monkeypatch.setattr(lark_sheets.ribbon, name, lambda: None)

    for caption in buttons.scripts:
        buttons.press(caption)

    asked = [command.partition("lark_sheets.ribbon.")[2].removesuffix("()") for command in buttons.commands]
    assert dict(zip(buttons.scripts, asked, strict=True)) == {
        "New": "new",
        "Update": "update",
        "Preview": "preview",
        "Apply": "apply",
        "Undo": "undo",
        "Estimate": "estimate",
        "Calibrate": "calibrate",
        "Start": "judge",
        "API key": "store_key",
        "Report": "report",
        "Help": "self_test",
    }


class TestUpdate:
    def test_it_gathers_computes_and_shows_the_results(self, app, buttons, campaign):
        campaign.grade("ana")
        campaign.grade("ben", {name: BASE[name] for name in list(BASE)[:3]})
        book = app.books.open(str(campaign.book))

        buttons.press("Update", on=book)

        results = json.loads((campaign.root / "results.json").read_text("utf-8"))
        lines = message(book)
        assert lines[1] == [f"{results['coverage']['graded']} of 8 responses graded."]
        assert results["coverage"]["graded"] > 0
        assert results["runs"] == []
        assert app.books.active.name == "results.xlsx"
        graded = [r for r in load_one(campaign.root, desk()).campaign.readings if not r.is_blank]
        assert {r.grader for r in graded} == {"ana", "ben"}
        assert at_rest(app) == REST
        assert any("Reading ana.xlsx" in text for text in app.impl.shown)

    def test_a_second_press_changes_nothing(self, app, buttons, campaign):
        campaign.grade("ana")
        book = app.books.open(str(campaign.book))
        buttons.press("Update", on=book)
        first = {
            p: p.read_bytes()
            for p in campaign.root.rglob("*")
            if p.is_file() and not p.name.startswith(".~lock")
        }
        told = message(book)[:2]

        buttons.press("Update", on=book)

        again = {
            p: p.read_bytes()
            for p in campaign.root.rglob("*")
            if p.is_file() and not p.name.startswith(".~lock")
        }
        assert first.keys() == again.keys()
        assert [p.name for p in first if first[p] != again[p]] == []
        assert message(book)[:2] == told

    def test_it_works_from_the_results_and_from_a_graders_workbook(self, app, buttons, campaign):
        """Whatever of the campaign is in front, the campaign is meant, open or not."""
        campaign.grade("ana")
        grader = app.books.open(str(campaign.grader("ana")))

        buttons.press("Update", on=grader)
        buttons.press("Update", on=app.books["results.xlsx"])

        assert (campaign.root / "results.json").exists()
        assert any(not r.is_blank for r in load_one(campaign.root, desk()).campaign.readings)

    def test_problems_are_told_by_cell_with_what_to_do(self, app, buttons, campaign):
        campaign.grade("ana")
        book = app.books.open(str(campaign.grader("ana")))
        read = load_one(campaign.grader("ana"), desk()).read
        row = read.campaign.readings[0].place.row
        book.sheets[read.grades.sheet.name].range((row, read.grades.columns["accuracy"])).value = "'two"
        front = app.books.open(str(campaign.book))

        buttons.press("Update", on=front)

        told = next(line for line in message(front) if "“two”" in " ".join(line))
        assert "ana.xlsx" in told[0]
        assert told[3].startswith("Type one of")
        assert app.books.active.name == "campaign.xlsx"

    def test_in_french_the_message_is_french(self, app, buttons, tmp_path):
        from tests.addin.conftest import make_campaign

        made = make_campaign(tmp_path / "fr", "fr") if (tmp_path / "fr").mkdir() is None else None
        made.grade("ana")
        book = app.books.open(str(made.book))

        buttons.press("Update", on=book)

        assert "notées" in message(book, "fr")[1][0]


class TestReport:
    def graded(self, app, campaign):
        campaign.grade("ana")
        campaign.grade("ben")
        return app.books.open(str(campaign.book))

    def test_when_all_is_graded_it_asks_and_reveals(self, app, buttons, campaign, shown):
        book = self.graded(app, campaign)
        buttons.press("Update", on=book)
        app.impl.answer = lambda text, title, kind: "yes"

        buttons.press("Report", on=book)

        assert [kind for _, _, kind in app.impl.told] == ["yes_no"]
        assert load_one(campaign.root, desk()).campaign.revealed
        assert [path.name for path in shown] == ["report.pdf"]
        assert (campaign.root / "report.pdf").read_bytes().startswith(b"%PDF")
        assert at_rest(app) == REST

    def test_a_no_writes_the_report_without_names(self, app, buttons, campaign, shown):
        book = self.graded(app, campaign)
        buttons.press("Update", on=book)
        app.impl.answer = lambda text, title, kind: "no"

        buttons.press("Report", on=book)

        assert not load_one(campaign.root, desk()).campaign.revealed
        assert "not revealed yet" in message(book)[2][0]
        assert shown

    def test_it_does_not_ask_while_a_grade_is_missing(self, app, buttons, campaign, shown):
        campaign.grade("ana")
        book = app.books.open(str(campaign.book))

        buttons.press("Report", on=book)

        assert app.impl.told == []
        assert not load_one(campaign.root, desk()).campaign.revealed

    def test_without_its_key_nothing_is_revealed(self, app, buttons, campaign, shown):
        book = self.graded(app, campaign)
        buttons.press("Update", on=book)
        campaign.key.rename(campaign.root.parent / "elsewhere.json")
        app.impl.answer = lambda text, title, kind: "yes"

        buttons.press("Report", on=book)

        assert message(book)[1] == ["Nothing was done."]
        assert any("key" in " ".join(line) for line in message(book)[4:])
        assert not load_one(campaign.root, desk()).campaign.revealed
        assert shown == []


class TestInTheWay:
    """Each time: a sentence and what to do, the spreadsheet as it was, no traceback."""

    def test_a_workbook_that_is_not_ours(self, app, buttons, tmp_path):
        other = app.books.add()
        other.sheets[0].range("A1").value = "budget"
        other.save(str(tmp_path / "budget.xlsx"))

        buttons.press("Update", on=other)

        text = app.impl.told[-1][0]
        assert text.startswith("Nothing was done.")
        assert "budget.xlsx" in text
        assert [sheet.name for sheet in other.sheets] == ["Sheet1"]
        assert at_rest(app) == REST

    def test_a_workbook_that_was_never_saved(self, app, buttons):
        buttons.press("Update", on=app.books.add())

        assert "never been saved" in app.impl.told[-1][0]

    def test_no_workbook_at_all(self, app, buttons, last_words, home):
        import lark_sheets.ribbon

        buttons.book.close()

        lark_sheets.ribbon.update()

        assert "no workbook is open" in last_words[0]
        assert "no workbook" in (home / "lark-sheets.log").read_text("utf-8")

    def test_a_sheet_with_a_password(self, app, buttons, campaign):
        campaign.grade("ana")
        book = app.books.open(str(campaign.book))
        sheet = load_one(campaign.root, desk()).read.grades.sheet.name
        book.sheets[sheet].api.unprotect("")
        book.sheets[sheet].api.protect("secret")

        buttons.press("Update", on=book)

        line = next(line for line in message(book) if "password" in " ".join(line))
        assert sheet in line[0]
        assert "Unprotect" in line[3]
        assert all(r.is_blank for r in load_one(campaign.root, desk()).campaign.readings)
        assert at_rest(app) == REST

    def test_a_workbook_open_read_only(self, app, buttons, campaign):
        campaign.grade("ana")
        book = app.books.open(str(campaign.book), read_only=True)
        before = campaign.book.read_bytes()

        buttons.press("Update", on=book)

        said = (
            " ".join(" ".join(line) for line in message(book))
            if MESSAGES.name.en in [s.name for s in book.sheets]
            else app.impl.told[-1][0]
        )
        assert "read-only" in said
        assert campaign.book.read_bytes() == before

    def test_a_cell_is_being_edited(self, app, buttons, campaign, monkeypatch, home):
        """Excel refuses every call meanwhile; the message box of the system is all that is left to say so."""

        class ComError(Exception):
            hresult = -2147418111

        book = app.books.open(str(campaign.book))
        cells = type(book.sheets[0].range("A1").impl)
        refuse = property(lambda self: (_ for _ in ()).throw(ComError("Call was rejected by callee.")))
        monkeypatch.setattr(cells, "raw_value", refuse)

        buttons.press("Update", on=book)

        monkeypatch.undo()
        assert "a cell is being edited" in app.impl.told[-1][0]
        assert "Esc" in app.impl.told[-1][0]
        assert at_rest(app) == REST

    def test_another_button_is_at_work(self, app, buttons, campaign, home):
        campaign.grade("ana")
        book = app.books.open(str(campaign.book))
        before = campaign.book.read_bytes()

        with alone(home / "button.lock") as free:
            assert free
            buttons.press("Update", on=book)
            said = message(book)
        assert "another button is still at work" in " ".join(said[5])
        assert campaign.book.read_bytes() == before
        assert not (campaign.root / "results.json").exists()

        buttons.press("Update", on=book)
        assert (campaign.root / "results.json").exists()

    def test_what_nobody_foresaw(self, app, buttons, campaign, monkeypatch, home):
        """The person reads a sentence; the log holds where it happened, and not what the error quoted."""
        from lark_sheets.usecases import buttons as actions

        def broken(desk):
            raise ValueError("Gemma wrote response K01-A")

        monkeypatch.setattr(actions, "update", broken)
        book = app.books.open(str(campaign.book))

        buttons.press("Update", on=book)

        said = " ".join(" ".join(line) for line in message(book))
        log = (home / "lark-sheets.log").read_text("utf-8")
        assert "should not have (ValueError)" in said
        assert "Traceback" not in said
        assert "broken" in log
        assert "Gemma" not in log
        assert at_rest(app) == REST

    def test_the_disk_refuses_the_results(self, app, buttons, campaign, monkeypatch):
        campaign.grade("ana")
        book = app.books.open(str(campaign.book))

        def locked(self, plan, path):
            raise PermissionError(13, "in use", str(path))

        monkeypatch.setattr(FileBooks, "write", locked)
        buttons.press("Update", on=book)

        assert "results.xlsx" in " ".join(" ".join(line) for line in message(book))
        assert at_rest(app) == REST


class TestNew:
    def test_a_starter_is_written_filled_in_and_becomes_a_campaign(self, app, buttons, tmp_path, monkeypatch):
        from lark_sheets import wiring
        from lark_sheets.workbook.starter_layout import START

        monkeypatch.setattr(wiring, "documents_folder", lambda: tmp_path / "Lark Sheets")
        buttons.press("New", on=app.books.add())
        starter = app.books["starter.xlsx"]
        assert "press New again" in message(starter)[2][0]

        tickets, responses = starter.sheets["Tickets"], starter.sheets["Responses"]
        tickets.range("A5").value = ["'T1", "Bonjour"]
        responses.range("A5").value = [["'T1", "Modèle A", "'=Oui"], ["'T1", "Modèle B", "Non"]]
        settings = starter.sheets[START.name.en]
        settings.range("C6").value = "larkfield"
        buttons.press("New", on=starter)

        made = tmp_path / "Lark Sheets" / "campaign"
        found = load_one(made, desk()).campaign
        assert sorted(r.text for r in found.responses) == ["=Oui", "Non"]
        book = app.books["campaign.xlsx"]
        assert message(book)[1] == ["Campaign made: 2 responses."]

        buttons.press("New", on=starter)
        assert "already" in " ".join(" ".join(line) for line in message(starter))

    def test_a_setting_that_cannot_be_is_told_by_its_cell(self, app, buttons, tmp_path, monkeypatch):
        from lark_sheets import wiring
        from lark_sheets.workbook.starter_layout import START

        monkeypatch.setattr(wiring, "documents_folder", lambda: tmp_path)
        buttons.press("New", on=app.books.add())
        starter = app.books["starter.xlsx"]
        starter.sheets[START.name.en].range("C9").value = "four"

        buttons.press("New", on=starter)

        line = next(line for line in message(starter) if "“four”" in " ".join(line))
        assert "C9" in line[0]
        assert not (tmp_path / "campaign").exists()


def test_the_macros_stay_when_the_workbook_is_copied(buttons, tmp_path):
    """The workbook with buttons may be put into any campaign's folder."""
    copy = tmp_path / "copy.xlsm"
    shutil.copy(tmp_path / "buttons.xlsm", copy)
    book = buttons.app.books.open(str(copy))

    assert book.macro("LarkButtons.LarkUpdate") is not None
    assert len(buttons.scripts) == 11
