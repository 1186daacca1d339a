"""The scripts that people double-click or drop a workbook on: whole, and with words that the command line knows."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lark_sheets.cli.parser import build_parser
from lark_sheets.locales import translator
from tests.conftest import ROOT

FOLDER = ROOT / "launchers"
SCRIPTS = sorted(path for path in FOLDER.rglob("*") if path.suffix in (".cmd", ".command", ".sh"))
SHELL = [path for path in SCRIPTS if path.suffix != ".cmd"]


def test_there_is_one_to_install_on_each_system_that_has_excel_and_one_to_work_on_every_system():
    names = {
        path.parent.name: {each.name for each in SCRIPTS if each.parent == path.parent} for path in SCRIPTS
    }

    assert sorted(names) == ["linux", "macos", "windows"]
    assert len(names["windows"]) == len(names["macos"]) == 2


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.name)
def test_its_words_are_words_of_the_command_line(path):
    text = path.read_text("utf-8")
    found = re.findall(r"run\.py\"? ([a-z ]+)", text)

    assert found
    for words in found:
        build_parser(translator("en")).parse_args(words.split())
    assert (path.parents[2] / "run.py").exists()
    assert re.search(r"\.\.[\\/]\.\.", text), "it goes to the folder of run.py"


@pytest.mark.parametrize("path", SHELL, ids=lambda p: p.name)
def test_a_shell_takes_it(path):
    subprocess.run(["sh", "-n", str(path)], check=True)
    assert os.access(path, os.X_OK)


@pytest.mark.parametrize("path", [p for p in SCRIPTS if p.suffix == ".cmd"], ids=lambda p: p.name)
def test_windows_reads_its_lines(path):
    """Labels are found only where lines end as Windows ends them."""
    data = path.read_bytes()

    assert data.count(b"\n") == data.count(b"\r\n")
    assert data.isascii()
    for label in re.findall(rb"goto (\w+)", data):
        assert b"\r\n:" + label + b"\r\n" in data


@pytest.mark.parametrize("path", [p for p in SHELL if "nstall" not in p.name], ids=lambda p: p.name)
def test_every_workbook_dropped_on_it_reaches_the_command(path, tmp_path):
    """Names with spaces and accents, a failure among them: run for real, with a Python that only notes its words."""
    folder = tmp_path / "Lark Sheets"
    shutil.copytree(FOLDER, folder / "launchers")
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    noted = tmp_path / "noted"
    python.write_text(f'#!/bin/sh\nprintf "%s|" "$@" >> "{noted}"\ncase "$3" in *bad*) exit 1;; esac\n')
    python.chmod(0o755)
    books = ["été 1.xlsx", "bad one.xlsx", "$x.xlsx"]
    run = subprocess.run(
        [str(folder / path.relative_to(ROOT)), *books],
        env={**os.environ, "PATH": f"{python.parent}:{os.environ['PATH']}"},
        input="\n", capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip

    words = noted.read_text("utf-8").split("|")
    assert [Path(w).name for w in words[0::3] if w] == ["run.py"] * 3
    assert [words[n] for n in (1, 4, 7)] == ["attach"] * 3
    assert [words[n] for n in (2, 5, 8)] == books
    assert run.returncode == 1
