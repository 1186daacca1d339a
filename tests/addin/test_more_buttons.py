"""Re-score, the judge, the self-test, the key, and the same buttons from outside (attach)."""

import dataclasses
import json
import shutil

import pytest

from lark_sheets import wiring
from lark_sheets.adapters import desktop
from lark_sheets.adapters.books import FileBooks
from lark_sheets.adapters.live_book.reading import formulas_of
from lark_sheets.cli import main
from lark_sheets.usecases.loading import load_one
from lark_sheets.workbook import layout
from lark_sheets.workbook.locate import find_table
from lark_sheets.workbook.starter_layout import MESSAGES
from tests.addin.buttons import Buttons
from tests.addin.test_buttons import REST, at_rest, message
from tests.desk import desk, write_csv
from tests.live import IN_OFFICE
from tests.usecases.revising import small_desk

pytestmark = [*IN_OFFICE, pytest.mark.usefixtures("home")]


@pytest.fixture
def buttons(app, tmp_path):
    return Buttons(app, tmp_path)


def contents(path):
    """Every sheet of a saved workbook but the one for messages, values without blank ends, tables."""
    found = {}
    for sheet in FileBooks().read(path).sheets:
        if sheet.name in MESSAGES.name.both():
            continue
        rows = [[sheet.value(r, c) for c in range(1, len(row) + 1)] for r, row in enumerate(sheet.rows, 1)]
        for row in rows:
            while row and row[-1] is None:
                row.pop()
        while rows and not rows[-1]:
            rows.pop()
        found[sheet.name] = (rows, dict(sheet.tables))
    return found


# -- Re-score --------------------------------------------------------------------------------------------------------


@pytest.fixture
def edited(tmp_path, monkeypatch):
    """A campaign whose coordinator has decided to tolerate fences and signed it; two copies, and a clock that stands still."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    made = small_desk(tmp_path / "made")
    made.tolerate_fence()
    made.add_row(layout.CHANGES, author="Grace", reason="The application strips fences.")
    copies = [tmp_path / name / "campaign" for name in ("line", "button")]
    for copy in copies:
        shutil.copytree(made.root, copy)
    return copies


def test_rescore_gives_the_same_workbook_and_history_by_button_and_by_command(app, buttons, edited):
    """Shown first, applied, pressed again, taken back: each time the two campaigns hold the same."""
    line, button = edited
    book = app.books.open(str(button / "campaign.xlsx"))
    before = contents(button / "campaign.xlsx")

    buttons.press("Preview", on=book)
    assert contents(button / "campaign.xlsx") == before
    preview = message(book)
    assert "Nothing is written yet" in preview[2][0]
    assert len(preview) > 8

    assert main(["rescore", str(line), "--apply", "--lang", "en"]) == 0
    buttons.press("Apply", on=book)
    assert contents(line / "campaign.xlsx") == contents(button / "campaign.xlsx")
    assert contents(button / "campaign.xlsx") != before
    history = [
        [(e.when, e.who, e.event, e.version) for e in load_one(each, desk()).campaign.log] for each in edited
    ]
    assert history[0] == history[1]
    assert load_one(button, desk()).campaign.rubric.version == 2

    after = contents(button / "campaign.xlsx")
    buttons.press("Apply", on=book)
    assert "Nothing to do" in message(book)[1][0]
    assert contents(button / "campaign.xlsx") == after

    assert main(["rescore", str(line), "--undo", "--lang", "en"]) == 0
    buttons.press("Undo", on=book)
    assert contents(line / "campaign.xlsx") == contents(button / "campaign.xlsx")
    assert at_rest(app) == REST


def test_an_edit_that_nobody_signed_is_not_applied(app, buttons, tmp_path):
    made = small_desk(tmp_path / "made")
    made.tolerate_fence()
    book = app.books.open(str(made.book))
    before = contents(made.book)

    buttons.press("Apply", on=book)

    assert message(book)[1] == ["Nothing was done."]
    assert any("author" in " ".join(line).casefold() for line in message(book)[4:])
    assert contents(made.book) == before


def test_the_spreadsheet_computes_what_was_written(app, buttons, edited):
    """After Apply the formulas of the grading table are still formulas, and show what Python computes."""
    _, button = edited
    book = app.books.open(str(button / "campaign.xlsx"))
    buttons.press("Apply", on=book)

    read = load_one(button, desk()).read
    grades = find_table(read.book, layout.grades_table(read.campaign.rubric), ())
    sheet = book.sheets[grades.sheet.name]
    for reading in read.campaign.readings:
        cell = sheet.range((reading.place.row, grades.columns["total"]))
        assert str(formulas_of(cell)[0][0]).startswith("=")
        assert cell.value == sum(reading.grades.values())


# -- the judge -------------------------------------------------------------------------------------------------------


CASES = 24


def level(number):
    """People's grade of a labelled case, and the recorded judge's."""
    return 2 if number % 2 else 0


@pytest.fixture
def judged(campaign, monkeypatch):
    """A judge whose replies are recorded: full marks for every response of the campaign."""
    found = load_one(campaign.root, desk()).campaign
    rows = [
        {"ticket": found.item()[r.item].text, "response": r.text, "judge_reason": "fine"}
        | {f"judge_{c.id}": 2 for c in found.rubric.criteria}
        for r in found.responses
    ]
    rows += [
        {"ticket": f"Q{n}", "response": f"A{n}", "judge_reason": "fine"}
        | {f"judge_{c.id}": level(n) for c in found.rubric.criteria}
        for n in range(CASES)
    ]
    recorded = write_csv(campaign.root.parent / "recorded.csv", rows)
    real = wiring.asking_needs

    def asking(t, *, offline=False, **words):
        return real(t, offline=offline, **words, **({} if offline else {"recorded": recorded}))

    monkeypatch.setattr(wiring, "asking_needs", asking)
    monkeypatch.setenv("LARK_SHEETS_JUDGE_MODEL", "recorded-model")
    return campaign


def test_an_estimate_sends_nothing(app, buttons, judged):
    book = app.books.open(str(judged.book))

    buttons.press("Estimate", on=book)

    assert message(book)[1][0].startswith("24 calls to make")
    assert message(book)[2] == ["Nothing was sent."]
    assert not (judged.root / "judge.json").exists()


@pytest.mark.parametrize(("answer", "asked"), [("yes", True), ("no", False)])
def test_the_judge_is_asked_only_after_a_yes(app, buttons, judged, answer, asked):
    book = app.books.open(str(judged.book))
    app.impl.answer = lambda text, title, kind: answer

    buttons.press("Start", on=book)

    assert [kind for _, _, kind in app.impl.told][:1] == ["yes_no"]
    assert (judged.root / "judge.json").exists() is asked
    assert ("8 of 8 responses judged" in message(book)[1][0]) is asked
    assert all(r.is_blank for r in load_one(judged.root, desk()).campaign.readings), (
        "people's grades are people's"
    )
    assert at_rest(app) == REST


def test_without_a_key_nothing_is_sent(app, buttons, campaign, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("LARK_SHEETS_JUDGE_MODEL", "some-model")
    monkeypatch.setattr("lark_sheets.adapters.key_store.stored_key", lambda provider: "")
    book = app.books.open(str(campaign.book))

    buttons.press("Start", on=book)

    assert message(book)[1] == ["Nothing was done."]
    assert any("key" in " ".join(line) for line in message(book)[4:])
    assert app.impl.told == []


def test_without_a_model_it_is_told_how_to_name_one(app, buttons, campaign, monkeypatch):
    monkeypatch.delenv("LARK_SHEETS_JUDGE_MODEL", raising=False)
    book = app.books.open(str(campaign.book))

    buttons.press("Estimate", on=book)

    assert any("no model was named" in " ".join(line) for line in message(book))


def test_a_calibration_needs_its_table_and_shows_the_gate(app, buttons, judged):
    book = app.books.open(str(judged.book))
    buttons.press("Calibrate", on=book)
    assert any("calibration.csv" in " ".join(line) for line in message(book))

    criteria = load_one(judged.root, desk()).campaign.rubric.criteria
    rows = [
        {
            "id": f"C{n}",
            "ticket": f"Q{n}",
            "response": f"A{n}",
            "human_verdict": "ready" if level(n) else "not_ready",
        }
        | {"borderline": "yes" if n % 4 == 0 else ""}
        | {c.id: level(n) for c in criteria}
        for n in range(CASES)
    ]
    write_csv(judged.root / "calibration.csv", rows)
    app.impl.answer = lambda text, title, kind: "yes"
    buttons.press("Calibrate", on=book)

    said = message(book)
    assert said[1][0].startswith("Gate:")
    assert ["Judge against people"] in said
    assert any(line[:2] == ["Accuracy", "24/24"] for line in said), said


def test_the_key_goes_to_the_key_store_and_is_not_shown(app, buttons, campaign, monkeypatch, home):
    kept = {}
    answers = iter(["sk-secret", "some-model"])
    monkeypatch.setattr(desktop, "ask_text", lambda text, secret=False: next(answers))
    monkeypatch.setattr("lark_sheets.adapters.key_store.store_key", kept.__setitem__)
    monkeypatch.delenv("LARK_SHEETS_JUDGE_MODEL", raising=False)
    book = app.books.open(str(campaign.book))

    buttons.press("API key", on=book)

    assert kept == {"anthropic": "sk-secret"}
    assert wiring.judge_model() == "some-model"
    assert "sk-secret" not in json.dumps(message(book)) + (home / "lark-sheets.log").read_text("utf-8")


# -- Help ------------------------------------------------------------------------------------------------------------


def test_the_self_test_writes_and_reads_every_kind_of_value(app, buttons, campaign):
    book = app.books.open(str(campaign.book))
    open_before = [each.name for each in app.books]

    buttons.press("Help", on=book)

    said = [" ".join(line) for line in message(book)]
    assert said[1] == "Lark Sheets was tested."
    assert any("written and read back without loss" in line for line in said)
    assert sorted(each.name for each in app.books) == sorted(open_before)
    assert at_rest(app) == REST


def test_a_spreadsheet_that_changes_a_text_is_found_out(app, buttons, campaign, monkeypatch):
    """A probe that could not fail would be none: here the apostrophe is left out, and "2" becomes a number."""
    import lark_sheets.adapters.live_book.writing as writing

    book = app.books.open(str(campaign.book))
    monkeypatch.setattr(writing, "as_input", lambda value: value)

    buttons.press("Help", on=book)

    assert any("write_not_kept" in line or "did not keep" in " ".join(line) for line in message(book))


# -- attach ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("named", ["by path", "by folder", "by name", "in front"])
def test_attach_works_on_the_open_workbook(app, campaign, capsys, named, monkeypatch):
    campaign.grade("ana")
    book = app.books.open(str(campaign.book))
    app.activate()
    words = {
        "by path": [str(campaign.book)],
        "by folder": [str(campaign.root)],
        "by name": ["campaign.xlsx"],
        "in front": [],
    }
    monkeypatch.chdir(campaign.root.parent)

    assert main(["attach", *words[named], "--lang", "en"]) == 0

    assert "of 8 responses graded." in capsys.readouterr().out
    assert "of 8 responses graded." in message(book)[1][0]
    assert app.books.active.name == "results.xlsx"


def test_attach_works_on_a_file_that_is_open_nowhere(app, campaign, capsys):
    """The workbook dropped on the launcher."""
    campaign.grade("ana")

    assert main(["attach", str(campaign.book), "--lang", "en"]) == 0

    assert "of 8 responses graded." in capsys.readouterr().out
    assert (campaign.root / "results.xlsx").exists()
    assert list(app.books) == []


def test_attach_on_a_file_does_not_reveal_without_somebody_to_ask(app, campaign, monkeypatch):
    campaign.grade("ana")
    campaign.grade("ben")
    main(["attach", str(campaign.book)])

    main(["attach", str(campaign.book), "--do", "report"])

    assert not load_one(campaign.root, desk()).campaign.revealed


@pytest.mark.parametrize(
    ("words", "code", "said"), [(["nowhere.xlsx"], 2, "nowhere.xlsx"), ([], 3, "no running Excel")]
)
def test_attach_without_anything_to_work_on_is_told(app, words, code, said, capsys):
    assert main(["attach", *words, "--lang", "en"]) == code

    out, err = capsys.readouterr()
    assert said in out + err


def test_attach_tells_what_is_wrong_and_says_so_by_its_exit_code(app, campaign, capsys):
    book = app.books.open(str(campaign.book), read_only=True)
    campaign.grade("ana")
    app.activate()

    assert main(["attach", book.name, "--lang", "en"]) == 1

    out, err = capsys.readouterr()
    assert "read-only" in out + err


def test_the_desk_of_the_ribbon_has_everything_its_buttons_use():
    from lark_sheets.usecases.buttons import Desk

    assert {f.name for f in dataclasses.fields(Desk)} >= {"needs", "find_path", "ask", "reports", "asking"}
