"""``rescore`` and ``drift`` on the command line: what is printed, what is written, the exit code."""

import pytest

from lark_sheets.cli import main
from tests.usecases.revising import small_desk


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return small_desk(tmp_path_factory.mktemp("cli") / "campaign")


@pytest.fixture
def desk(made, tmp_path):
    return made.copy_to(tmp_path / "campaign")


def run(desk, *words):
    return main(["rescore", str(desk.root), "--lang", "en", *words])


def test_the_preview_shows_and_writes_nothing(desk, capsys):
    desk.tolerate_fence()
    before = desk.book.read_bytes()
    assert run(desk) == 0
    said = capsys.readouterr().out
    assert "Grades that change by rule: 4 (3 that count, 1 of other readers)" in said
    assert "cap of an issue code: Format “code fence”, 1 → tolerated" in said
    assert "Nothing is written yet" in said
    assert desk.book.read_bytes() == before


def test_without_author_or_reason_exit_2(desk, capsys):
    desk.tolerate_fence()
    before = desk.book.read_bytes()
    assert run(desk, "--apply") == 2
    assert "Fill in a line of the table of changes" in capsys.readouterr().err
    assert desk.book.read_bytes() == before


def test_apply_press_again_undo(desk, capsys):
    desk.tolerate_fence()
    signed = ("--apply", "--author", "Grace", "--reason", "Fences are stripped.")
    assert run(desk, *signed) == 0
    assert "Applied:" in capsys.readouterr().out
    assert run(desk, *signed) == 0
    assert "Nothing to do: the rubric is as version 2 left it." in capsys.readouterr().out
    assert run(desk, "--undo") == 0
    assert "Version 2 undone, version 1 in force again: 4 grades restored." in capsys.readouterr().out
    assert run(desk, "--undo") == 1
    assert "there is no revision to undo" in capsys.readouterr().err


def test_declarations_and_corrections(desk, capsys):
    desk.tolerate_fence()
    desk.edit_anchor()
    assert run(desk) == 0
    assert "To grade again, by grader: reader-1 12, reader-2 3" in capsys.readouterr().out
    assert run(desk, "--covered", "format") == 0
    assert "To grade again" not in capsys.readouterr().out.split("Figures")[0]
    assert run(desk, "--covered", "accuracy") == 1
    assert run(desk, "--oversight", "fence") == 1
    assert "the rubric was edited too" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--apply", "--undo"), ("--aply",)])
def test_wrong_words_exit_2(desk, words):
    assert run(desk, *words) == 2


def test_a_missing_path_exit_2(tmp_path):
    assert main(["rescore", str(tmp_path / "nowhere")]) == 2


def test_the_work_lists_are_named(desk, capsys):
    desk.edit_anchor("Another meaning")
    assert run(desk, "--apply", "--author", "Grace", "--reason", "Sharper.") == 0
    said = capsys.readouterr().out
    for name in ("reader-1-v2.xlsx", "reader-2-v2.xlsx"):
        assert f"To grade again, for the grader: {desk.root / 'graders' / name}" in said


def test_drift_lists_every_series_and_accuses_nobody(desk, capsys):
    assert main(["drift", str(desk.root), "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert "reader-1" in said
    assert "a workbook without macros records no time" in said
