"""The arrows of the design, and what no module and no committed file may hold."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from lark_sheets.workbook import layout
from tests.conftest import ROOT

PACKAGE = ROOT / "lark_sheets"
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = ["anthropic", "babel", "jinja2", "numpy", "openpyxl", "pandas", "weasyprint", "xlwings"]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def run_python(code: str) -> str:
    """Run a few lines in a fresh interpreter and return what they print."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.strip()


# --- arrows -----------------------------------------------------------------------------------------------------------


def contracts(folder: Path) -> tuple[int, str]:
    """Check the arrows of the package in a folder; return the exit code and what was told."""
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(cache_dir=None))"
    env = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200"}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    return run.returncode, run.stdout + run.stderr


def test_arrows_point_inwards():
    """cli | ribbon -> wiring -> adapters | usecases -> report | workbook -> ports -> core -> errors."""
    outcome, told = contracts(ROOT)

    assert outcome == 0, told


@pytest.mark.parametrize(
    ("module", "line", "broken"),
    [
        pytest.param(
            "core/text.py", "import openpyxl", "The inside knows no heavy library", id="library in core"
        ),
        pytest.param(
            "core/text.py", "import lark_sheets.ports", "Arrows point inwards", id="core looks outwards"
        ),
        pytest.param("surprise.py", "", "Arrows point inwards", id="a module nobody planned"),
    ],
)
def test_an_arrow_the_wrong_way_is_seen(tmp_path, module, line, broken):
    """The contracts bite: one wrong line in a copy of the package breaks the contract that forbids it."""
    copy = tmp_path / "lark_sheets"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (copy / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")

    outcome, told = contracts(tmp_path)

    assert outcome == 1
    assert re.search(rf"^{broken} +BROKEN", told, re.MULTILINE), told


# --- modules ----------------------------------------------------------------------------------------------------------


# Looked up entry by entry, never read from end to end.
CATALOGUES = ["lark_sheets/core/problems.py"]


def test_a_module_is_read_in_one_sitting():
    lengths = {named(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}

    assert {path: lines for path, lines in lengths.items() if lines > 400 and path not in CATALOGUES} == {}


CLOCK_AND_ENVIRONMENT = re.compile(
    r"os\.(environb?|getenvb?|putenv)|time\.(time|time_ns|localtime|gmtime|ctime|asctime)"
    r"|(datetime|date)\.(now|utcnow|today)|locale\.(getlocale|getdefaultlocale|getencoding)"
)


def reads_clock_or_environment(source: str) -> list[str]:
    """Return every reading of the clock or the environment, "line: name", imported by name or through its module."""
    found = []
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.Attribute):
            names = [ast.unparse(node)]
        elif isinstance(node, ast.ImportFrom) and node.module in ("os", "time", "locale"):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found += [
            f"{node.lineno}: {name}"
            for name in names
            if CLOCK_AND_ENVIRONMENT.fullmatch(".".join(name.split(".")[-2:]))
        ]
    return found


def test_only_wiring_reads_the_environment_and_the_clock():
    outside = [
        path for path in MODULES if not named(path).startswith(("lark_sheets/wiring", "lark_sheets/cli"))
    ]

    assert {named(p): r for p in outside if (r := reads_clock_or_environment(p.read_text("utf-8")))} == {}


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("import os\nos.environ['A']", ["2: os.environ"]),
        ("from os import getenv", ["1: os.getenv"]),
        ("import datetime\ndatetime.datetime.now()", ["2: datetime.datetime.now"]),
        ("from datetime import date\ndate.today()", ["2: date.today"]),
        ("import time\ntime.time()", ["2: time.time"]),
        ("import os, time\nos.replace('a', 'b')\ntime.monotonic()", []),
    ],
)
def test_readings_of_clock_and_environment_are_seen(source, seen):
    assert reads_clock_or_environment(source) == seen


CATALOGUE_CALLS = ("_", "t", "translate", "single", "short", "count")


def literals(tree: ast.Module) -> list[ast.Constant]:
    """Return the text literals that may name a place: neither a message for the catalogue nor an exported name."""
    words = {
        id(word)
        for node in ast.walk(tree)
        for word in (
            node.args
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in CATALOGUE_CALLS
            else ast.walk(node.value)
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
            else ()
        )
    }
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in words
    ]


LAYOUT = [f"lark_sheets/workbook/{name}.py" for name in ("layout", "results_layout", "starter_layout")]


def test_only_the_layout_knows_a_sheet_or_a_table():
    sheets = {name for sheet in layout.SHEETS for name in (sheet.name.fr, sheet.name.en)}
    assert {"Notation", "Grading"} <= sheets

    found = {
        f"{named(path)}:{node.lineno}": node.value
        for path in MODULES
        if named(path) not in LAYOUT
        for node in literals(ast.parse(path.read_text("utf-8")))
        if node.value in sheets or re.fullmatch(r"tbl[A-Z]\w+", node.value)
    }

    assert found == {}


# --- libraries --------------------------------------------------------------------------------------------------------


def test_nothing_of_xlwings_pro_is_named():
    pro = re.compile(
        r"xlwings\.(pro|reports)|from xlwings import .*\b(pro|reports)\b|XLWINGS_LICENSE_KEY|__pro__"
    )

    assert [named(path) for path in MODULES if pro.search(path.read_text("utf-8"))] == []


def test_xlwings_stays_without_pro():
    assert run_python("import xlwings; print(xlwings.__pro__)") == "False"


def test_the_version_is_told_without_any_heavy_library():
    """Importing the heavy libraries costs seconds: `lark-sheets --version` and a wrong option must not pay for them."""
    code = (
        "import contextlib, sys; from lark_sheets.cli import main; sys.argv = ['lark-sheets', '--version']\n"
        "with contextlib.suppress(SystemExit): main()\n"
        f"print(sorted({set(HEAVY)} & sys.modules.keys()))"
    )

    assert run_python(code).splitlines()[1:] == ["[]"]


# --- committed files --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tracked() -> list[Path]:
    """The committed files; skipped where this is not a git checkout (an unpacked source archive)."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("no git, or not a checkout")
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for name in listing.stdout.split("\0") if name and (path := ROOT / name).is_file()]


# Written in pieces, so that this file does not find itself.
FOREIGN = re.compile(
    rb"(?<![\w.])/(?:wo" rb"rk|ro" rb"ot|fa" rb"rm|home/\w+|Users/\w+)/|C:\\Users\\"
    rb"|python" rb"hosted\.|pypi\." rb"org|registry\.npm" rb"js|deb\.debian\." rb"org"
)  # fmt: skip


def contents(path: Path) -> list[bytes]:
    """Return the bytes of a file, and of every part of a workbook or another zip archive."""
    if not zipfile.is_zipfile(path):
        return [path.read_bytes()]
    with zipfile.ZipFile(path) as archive:
        return [archive.read(name) for name in archive.namelist()]


def test_no_committed_file_names_a_machine_or_a_registry(tracked):
    found = {
        named(path): match[0]
        for path in tracked
        for text in contents(path)
        if (match := FOREIGN.search(text))
    }

    assert found == {}


@pytest.mark.parametrize(
    "text",
    ["see /ro~ot/x", "open '/ho~me/ann/book.xlsx'", r"C:\Us~ers\ann", "--index-url https://pypi.~org/simple"],
)
def test_a_machine_path_is_seen(text):
    assert FOREIGN.search(text.replace("~", "").encode())


@pytest.mark.parametrize("text", ["reframe/worked/x", "https://example.org/home", "a/root/b", "~/work"])
def test_an_innocent_path_is_left_alone(text):
    assert not FOREIGN.search(text.encode())


def test_no_committed_file_is_large(tracked):
    assert {named(path): path.stat().st_size for path in tracked if path.stat().st_size > 1_000_000} == {}
