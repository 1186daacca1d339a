"""Files are written whole or not at all; what cannot be read or written is told in one clear problem."""

import errno
import os
import stat
from pathlib import Path

import pytest

from lark_sheets.adapters import replace_whole
from lark_sheets.adapters.files import DiskFiles
from lark_sheets.errors import DataError, LarkError, MissingPiece, UsageError

files = DiskFiles()


def codes(caught: pytest.ExceptionInfo[LarkError]) -> list[str]:
    return [problem.code for problem in caught.value.problems]


@pytest.mark.parametrize("text", ["", "é\r\nœ\n", "\ufeffa", "x" * 100_000])
def test_a_text_comes_back_as_it_was_written(tmp_path, text):
    path = tmp_path / "new folder" / "note.txt"
    files.write_text(path, text)
    assert files.exists(path)
    assert files.read_text(path) == text.removeprefix("\ufeff")


def test_a_private_file_is_readable_by_its_owner_only(tmp_path):
    path = tmp_path / "k.json"
    path.write_text("old")
    path.chmod(0o644)
    files.write_text(path, "{}", private=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_rewritten_file_keeps_its_permissions_and_a_new_one_follows_the_mask(tmp_path):
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("old")
    old.chmod(0o640)
    mask = os.umask(0o027)
    try:
        files.write_text(old, "changed")
        files.write_text(new, "new")
    finally:
        os.umask(mask)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (old, new)] == [0o640, 0o640]


def test_a_link_is_followed_and_stays_a_link(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    files.write_text(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"


@pytest.mark.parametrize(
    ("fault", "kind", "code"),
    [
        (PermissionError(errno.EACCES, "denied"), MissingPiece, "file_locked"),
        (OSError(errno.ENOSPC, "No space left on device"), MissingPiece, "disk_fault"),
        (OSError(errno.EIO, "Input/output error"), MissingPiece, "disk_fault"),
    ],
)
@pytest.mark.parametrize("where", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path, monkeypatch, fault, kind, code, where
):
    path = tmp_path / "note.txt"
    path.write_text("old")

    def fails(*_, **__):
        raise fault

    monkeypatch.setattr(*((os, "fsync", fails) if where == "fsync" else (Path, "replace", fails)))
    with pytest.raises(kind) as caught:
        files.write_text(path, "new")
    assert codes(caught) == [code]
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["note.txt"]


def test_the_content_reaches_the_disk_before_the_name_does(tmp_path, monkeypatch):
    """A power cut between two writes must find the old file or the new one, never an empty one."""
    order = []
    flush, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (order.append("flush"), flush(handle))[1])
    monkeypatch.setattr(Path, "replace", lambda self, to: (order.append("replace"), replace(self, to))[1])
    replace_whole(tmp_path / "a", lambda file: file.write(b"x"))
    assert order == ["flush", "replace", "flush"]


def test_a_write_that_is_interrupted_leaves_the_old_file(tmp_path):
    path = tmp_path / "note.txt"
    path.write_text("old")

    def stops(file):
        file.write(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace_whole(path, stops)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("note.txt", "old")]


def test_a_missing_file_is_wrong_usage_and_bytes_that_are_no_text_are_damage(tmp_path):
    with pytest.raises(UsageError) as caught:
        files.read_text(tmp_path / "absent.txt")
    assert codes(caught) == ["missing_file"]
    (tmp_path / "odd.txt").write_bytes(b"abc\xff")
    with pytest.raises(DataError) as damaged:
        files.read_text(tmp_path / "odd.txt")
    assert codes(damaged) == ["damaged_file"]
    assert "4" in damaged.value.problems[0].found


def test_a_folder_is_listed_without_what_open_programs_leave_there(tmp_path):
    for name in ("b.xlsx", "a.xlsx", "~$a.xlsx", ".~lock.a.xlsx#", "._a.xlsx", ".lark-1.tmp", "c.csv"):
        (tmp_path / name).write_text("x")
    (tmp_path / "folder.xlsx").mkdir()
    assert [path.name for path in files.list(tmp_path, "*.xlsx")] == ["a.xlsx", "b.xlsx"]
    assert files.list(tmp_path / "absent", "*") == []
