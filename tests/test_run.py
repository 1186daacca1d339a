"""run.py: what it decides on machines that lack one thing or another. Nothing is installed here."""

from __future__ import annotations

import ast
import subprocess
import sys
from types import SimpleNamespace

import pytest

import run
from tests.conftest import ROOT

PDF = ["libpango-1.0-0", "libpangoft2-1.0-0", "libharfbuzz-subset0"]
SOURCE = (ROOT / "run.py").read_text("utf-8")


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A Debian machine that has everything and a root user; what run.py would start is noted, not started.

    ``has`` is what can be found, ``fails`` the programs that end with an error, ``gets`` what an installation brings.
    """
    it = SimpleNamespace(
        started=[],
        fails=set(),
        has={"ensurepip", *PDF, *run.TEST_TOOLS},
        gets=set(),
        folder=tmp_path / ".venv",
    )
    libraries = {part[0]: package for package, parts in run.PDF_LIBRARIES.items() for part in parts}
    programs = {sign: package for package, sign in run.TEST_TOOLS.items()} | {"uv": "uv", "brew": "brew"}

    def call(*command, quiet=False):
        words = [str(word) for word in command]
        it.started.append(" ".join(words))
        if any(word in it.fails for word in words):
            return 1
        if words[0] == "sh":
            it.has |= it.gets
        if "venv" in words:
            python = it.folder / "bin/python"
            python.parent.mkdir(parents=True)
            python.touch()
        return 0

    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "TEST_LOCK", tmp_path / "requirements/test.txt")
    monkeypatch.setattr(run, "SYSTEM", "debian")
    monkeypatch.setattr(run, "call", call)
    monkeypatch.setattr(run, "loads", lambda name, _number: libraries[name] in it.has)
    monkeypatch.setattr(run.shutil, "which", lambda name, *_: name if programs[name] in it.has else None)
    monkeypatch.setattr(run.importlib.util, "find_spec", lambda name: name if name in it.has else None)
    monkeypatch.setattr(run.os, "geteuid", lambda: 0, raising=False)
    (tmp_path / "requirements").mkdir()
    for name in ("run", "test", "oracles"):
        (tmp_path / f"requirements/{name}.txt").write_text(f"{name}==1\n")
    return it


def lock(name):
    return run.ROOT / f"requirements/{name}.txt"


# --- the file itself --------------------------------------------------------------------------------------------------


def test_it_is_short_and_needs_nothing():
    """A person should be able to read it before running it; a bare Python should be able to run it."""
    imported = {
        alias.name.split(".")[0]
        for node in ast.walk(ast.parse(SOURCE))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in (node.names if isinstance(node, ast.Import) else [ast.alias(node.module or "")])
    }

    assert imported <= sys.stdlib_module_names
    assert len(SOURCE.splitlines()) < 150


def test_an_older_python_can_read_it_far_enough_to_refuse():
    """Syntax of Python 3.7 throughout, and the refusal before anything else is imported or defined."""
    tree = ast.parse(SOURCE, feature_version=(3, 7))

    assert [type(node).__name__ for node in tree.body[:3]] == ["Expr", "Import", "If"]
    assert "3.11 or newer" in ast.unparse(tree.body[2])


def test_a_command_starts_free_of_other_environments(monkeypatch, tmp_path):
    """Started from inside another virtual environment, ours is not mixed with it."""
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))
    monkeypatch.setenv("PYTHONHOME", str(tmp_path))
    told = tmp_path / "told"
    code = f"import os, pathlib; pathlib.Path({str(told)!r}).write_text(' '.join(sorted(os.environ)))"

    assert run.call(sys.executable, "-c", code) == 0
    assert not {"VIRTUAL_ENV", "PYTHONHOME"} & set(told.read_text().split())


# --- what is missing, and how to get it ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "system", "without", "lacks"),
    [
        ("demo", "debian", set(), []),
        ("demo", "debian", {"libpangoft2-1.0-0"}, ["libpangoft2-1.0-0"]),
        ("demo", "debian", {"gnumeric"}, []),
        ("test", "debian", {"gnumeric", "python3-uno"}, ["gnumeric", "python3-uno"]),
        ("test", "linux", {"gnumeric"}, ["gnumeric"]),
        ("test", "darwin", {"gnumeric"}, []),
        ("test", "win32", {"gnumeric"}, []),
        ("recompute", "debian", set(PDF), []),
        ("recompute", "debian", {"ensurepip"}, [run.VENV_PACKAGE]),
    ],
)
def test_what_a_machine_lacks(machine, monkeypatch, command, system, without, lacks):
    monkeypatch.setattr(run, "SYSTEM", system)
    machine.has -= without

    assert sorted(run.lacking(command)) == lacks


def test_uv_makes_the_venv_module_needless(machine):
    machine.has = machine.has - {"ensurepip"} | {"uv"}

    assert run.lacking("demo") == []


def test_a_uv_that_does_not_answer_is_no_uv(machine):
    """pyenv leaves a program of that name on PATH that only says that there is none."""
    machine.has = machine.has - {"ensurepip"} | {"uv"}
    machine.fails = {"uv"}

    assert run.lacking("demo") == [run.VENV_PACKAGE]


@pytest.mark.parametrize(
    ("system", "sudo", "line"),
    [
        ("debian", "", "apt-get update && apt-get install -y --no-install-recommends a b"),
        ("debian", "sudo ", "sudo apt-get update && sudo apt-get install -y --no-install-recommends a b"),
        ("darwin", "sudo ", "brew install pango"),
        (
            "win32",
            "sudo ",
            r"winget install MSYS2.MSYS2 & C:\msys64\usr\bin\pacman -S mingw-w64-ucrt-x86_64-pango",
        ),
        ("linux", "sudo ", "your package manager"),
    ],
)
def test_the_remedy_is_one_line(system, sudo, line):
    assert run.remedy(["a", "b"], system, sudo) == line


def test_root_on_debian_gets_what_is_missing(machine, capsys):
    run.get(["libpango-1.0-0"])

    assert machine.started == [
        "sh -c apt-get update && apt-get install -y --no-install-recommends libpango-1.0-0"
    ]
    assert "Missing" not in capsys.readouterr().out


def test_without_root_the_line_is_told_and_nothing_started(machine, monkeypatch, capsys):
    monkeypatch.setattr(run.os, "geteuid", lambda: 1000, raising=False)

    run.get(["libpango-1.0-0"])

    assert machine.started == []
    assert (
        capsys.readouterr()
        .out.splitlines()[1]
        .strip()
        .startswith("sudo apt-get update && sudo apt-get install")
    )


def test_what_could_not_be_got_is_told(machine, capsys):
    """No network, a broken mirror: the line to try again by hand, not silence."""
    machine.fails = {"sh"}

    run.get(["libpango-1.0-0"])

    assert "Missing here: libpango-1.0-0" in capsys.readouterr().out


def test_a_mac_with_brew_gets_pango(machine, monkeypatch):
    monkeypatch.setattr(run, "SYSTEM", "darwin")
    machine.has.add("brew")

    run.get(PDF)

    assert machine.started == ["sh -c brew install pango"]


# --- the environment ----------------------------------------------------------------------------------------------------


def test_an_environment_is_made_once(machine):
    """The second run of the same command starts at once: nothing is started to find that nothing is to do."""
    python = run.prepare(machine.folder, lock("run"))
    assert [command.split()[1:3] for command in machine.started] == [["-m", "venv"], ["-m", "pip"]]
    assert machine.started[1].endswith(f"--require-hashes --no-deps -r {lock('run')}")
    machine.started.clear()

    assert run.prepare(machine.folder, lock("run")) == python
    assert machine.started == []


def test_the_environment_of_the_tests_serves_the_demo(machine):
    """The test lock holds the run lock, so one environment is enough for both."""
    run.prepare(machine.folder, lock("test"))
    machine.started.clear()

    run.prepare(machine.folder, lock("run"))

    assert machine.started == []


def remove_stamp(folder):
    (folder / "held").unlink()


def remove_python(folder):
    (folder / "bin/python").unlink()


def change_lock(_folder):
    lock("run").write_text("run==2\n")


def of_another_python(folder):
    (folder / "held").write_text(
        (folder / "held").read_text().replace(str(sys.implementation.cache_tag), "cpython-39")
    )


@pytest.mark.parametrize("accident", [remove_stamp, remove_python, change_lock, of_another_python])
def test_an_environment_that_does_not_fit_is_made_anew(machine, accident):
    """Half built, its Python gone, a new lock, another Python: nothing of the old folder stays."""
    run.prepare(machine.folder, lock("run"))
    (machine.folder / "left-over").touch()
    accident(machine.folder)
    machine.started.clear()

    run.prepare(machine.folder, lock("run"))

    assert len(machine.started) == 2
    assert not (machine.folder / "left-over").exists()


def test_a_failed_installation_leaves_no_stamp(machine, capsys):
    """No network: exit 3, told, and the next run begins again."""
    machine.fails = {"install"}

    with pytest.raises(SystemExit) as end:
        run.prepare(machine.folder, lock("run"))

    assert end.value.code == 3
    assert not (machine.folder / "held").exists()
    assert ".venv could not be made" in capsys.readouterr().out


def test_uv_is_used_where_it_is(machine):
    machine.has.add("uv")

    run.prepare(machine.folder, lock("run"))

    assert [command.split()[:2] for command in machine.started] == [
        ["uv", "--version"],
        ["uv", "venv"],
        ["uv", "pip"],
    ]


# --- the commands -------------------------------------------------------------------------------------------------------


def last(machine):
    return machine.started[-1].removeprefix(str(machine.folder / "bin/python")).strip()


def test_the_demo_lands_in_the_checkout(machine):
    """Wherever it was started from."""
    assert run.main("demo", "--lang", "fr") == 0
    assert last(machine) == f"-P -m lark_sheets demo --out {run.ROOT / 'demo'} --lang fr"


@pytest.mark.parametrize("option", [["--out", "here"], ["--out=here"]])
def test_the_demo_lands_where_it_is_told(machine, option):
    run.main("demo", *option)

    assert last(machine) == "-P -m lark_sheets demo " + " ".join(option)


def test_any_other_command_is_passed_on(machine):
    assert run.main("recompute", "book.xlsx") == 0
    assert last(machine) == "-P -m lark_sheets recompute book.xlsx"


def test_the_tests_have_both_environments_and_take_options(machine, monkeypatch):
    made = []
    monkeypatch.setattr(
        run, "prepare", lambda folder, lock: made.append((folder.name, lock.name)) or "python"
    )

    assert run.main("test", "--full", "tests/core") == 0

    assert made[0] == (".venv", "test.txt")
    assert ((".venv-oracles", "oracles.txt") in made) == (sys.version_info < (3, 13))
    assert last(machine) == f"python {run.ROOT / 'tests'} --full tests/core"


def test_the_exit_code_is_that_of_the_command(machine):
    machine.fails = {"lark_sheets"}

    assert run.main("demo") == 1


def test_without_pango_the_demo_goes_on(machine):
    """It then writes everything but the PDF, says so and ends with 3 by itself: never a fake success here."""
    machine.has -= set(PDF)
    machine.fails = {"sh"}

    run.main("demo")

    assert "lark_sheets demo" in machine.started[-1]


@pytest.mark.parametrize(
    ("command", "without"), [("test", {"gnumeric"}), ("test", set(PDF)), ("demo", {"ensurepip"})]
)
def test_what_cannot_be_done_without_ends_with_3(machine, command, without):
    machine.has -= without
    machine.fails = {"sh"}

    assert run.main(command) == 3
    assert [program.split()[0] for program in machine.started] == ["sh"]


def test_what_was_got_is_looked_for_again(machine):
    """Root on a bare Debian: everything is missing, one call of apt brings it, the demo runs."""
    machine.has -= {"ensurepip", *PDF}
    machine.gets = {"ensurepip", *PDF}

    assert run.main("demo") == 0
    assert machine.started[0].endswith(" ".join([*PDF, run.VENV_PACKAGE]))
    assert "lark_sheets demo" in machine.started[-1]


@pytest.mark.parametrize(("arguments", "code"), [([], 2), (["--help"], 0), (["-h"], 0)])
def test_usage(machine, capsys, arguments, code):
    assert run.main(*arguments) == code
    assert "python3 run.py demo" in capsys.readouterr().out
    assert machine.started == []


@pytest.mark.skipif(sys.platform == "win32", reason="bash")
def test_ci_make_and_people_share_one_path():
    """.ci/run and the Makefile call run.py and nothing else of weight."""
    ci = [line for line in (ROOT / ".ci/run").read_text().splitlines() if line and not line.startswith("#")]

    assert ci[0] == "set -euo pipefail"
    assert ci[-1] == "exec python3 run.py test"
    assert subprocess.run(["bash", "-n", ROOT / ".ci/run"], check=False).returncode == 0
    assert "\tpython3 run.py demo\n" in (ROOT / "Makefile").read_text()
