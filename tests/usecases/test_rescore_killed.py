"""Whatever moment the process is killed at, the campaign is the old one or the new one, whole; the history tells what happened and nothing else."""

import os
import signal
import sys
import zipfile

import pytest

from lark_sheets.workbook import layout
from lark_sheets.workbook.history import RESCORED, UNDONE
from tests.workbook import office

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="killing a copy of the process needs fork"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]

WRITING = {"os.rename", "os.remove", "os.mkdir", "os.chmod", "os.truncate", "os.link"}
MOST = 200


def killed_at(step, root, action):
    """Run ``action`` in a copy of this process that is killed just before its n-th change on the disk under ``root``.

    Returns True when it was killed, False when it ended by itself before that.
    """
    child = os.fork()
    if child == 0:
        left = [step]

        def watch(event, args):
            if event == "open":
                path, mode, flags = args
                changes = bool((flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)) or any(
                    sign in str(mode) for sign in "wax+"
                )
            else:
                path, changes = (args[0] if args else ""), event in WRITING
            if changes and str(path).startswith(str(root)):
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        try:
            action()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def state(desk):
    """What a reader of the workbook sees: version, grades, and what the log tells happened."""
    with zipfile.ZipFile(desk.book) as archive:
        assert archive.testzip() is None
    read = desk.read()
    assert [p for p in read.problems if p.code != "rubric_edited"] == []
    told = [e.event for e in read.campaign.log if e.event in (RESCORED, UNDONE)]
    return read.campaign.rubric.version, desk.grades(), tuple(told)


def every_kill(made, tmp_path, prepare, action):
    """Kill at the first change, the second, and so on until the action ends; yield each folder that is left."""
    prepared = made.copy_to(tmp_path / "prepared")
    prepare(prepared)
    for step in range(1, MOST):
        desk = prepared.copy_to(tmp_path / f"kill{step}")
        if not killed_at(step, desk.root, lambda: action(desk)):  # noqa: B023
            assert step > 3, "the watch saw nothing: the test is blind"
            return
        yield desk
    raise AssertionError("the action never ends")


def test_killed_at_every_change_of_an_apply(made_small, tmp_path):
    def edit(desk):
        desk.edit_anchor("Fine after a touch-up, and never signed")

    whole = made_small.copy_to(tmp_path / "whole")
    edit(whole)
    old = state(whole)
    result = whole.apply()
    new = state(whole)
    assert (old[0], new[0]) == (1, 2)
    seen = set()
    for desk in every_kill(made_small, tmp_path, edit, lambda desk: desk.apply()):
        now = state(desk)
        assert now in (old, new)
        seen.add(now[0])
        # Pressing again brings it to the end: the same campaign, every work-list there.
        desk.apply()
        assert state(desk) == new
        assert [p.name for p in sorted((desk.root / "graders").glob("*-v2.xlsx"))] == [
            p.name for p in result.worklists
        ]
    assert seen == {1, 2}


def test_killed_at_every_change_of_an_undo(made_small, tmp_path):
    def applied(desk):
        desk.tolerate_fence()
        desk.apply()

    whole = made_small.copy_to(tmp_path / "whole")
    start = whole.grades()
    applied(whole)
    old = state(whole)
    whole.rescore(undo=True, author="Grace")
    new = state(whole)
    assert new[1] == start
    for desk in every_kill(
        made_small, tmp_path, applied, lambda desk: desk.rescore(undo=True, author="Grace")
    ):
        assert state(desk) in (old, new)


@pytest.mark.office
@pytest.mark.xdist_group("office")
def test_libreoffice_opens_what_was_applied_and_computes_the_same(demo, tmp_path):
    """Every cached figure of the revised workbook is what LibreOffice computes anew."""
    if office.soffice() is None:
        pytest.skip("LibreOffice is not installed")
    demo.tolerate_fence()
    demo.apply()
    out = tmp_path / "out"
    out.mkdir()
    (path,) = office.convert([demo.book], out)
    ours, theirs = demo.read(), demo.read(path)
    assert theirs.campaign.readings[0].version == 2
    for row in ours.grades.rows():
        for key in ("format", "total", "verdict", "state"):
            assert theirs.grades.text(row, key) == ours.grades.text(row, key)
    guide = {s.name: s for s in ours.book.sheets}[layout.GUIDE.name.en]
    again = {s.name: s for s in theirs.book.sheets}[layout.GUIDE.name.en]
    for place in guide.marks:
        assert again.value(*place) == guide.value(*place)
