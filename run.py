#!/usr/bin/env python3
"""Try Lark Sheets, or test it, on a machine that has Python 3.11 or newer and nothing else of ours.

    python3 run.py demo [options]     build the demo campaign and its PDF        (Windows: py run.py demo)
    python3 run.py test [options]     get what the tests need; style, types, tests (options: pytest's)
    python3 run.py COMMAND ...        any other command of lark-sheets

Exit 3: something of this machine is missing and could not be got from here; its remedy is told.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (said before anything an older Python would stumble over)
    sys.exit("Lark Sheets needs Python 3.11 or newer; this is Python " + sys.version.split()[0])

import ctypes
import hashlib
import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent
SYSTEM = "debian" if shutil.which("apt-get") else sys.platform  # else "linux", "darwin", "win32"
OURS = getattr(sys, "_base_executable", "") or sys.executable  # not the one of a .venv that may be rebuilt
TEST_LOCK = ROOT / "requirements/test.txt"
VENV_PACKAGE = "python{}.{}-venv".format(*sys.version_info)  # Debian cuts this part off from Python
# Debian package: what shows that its content is here, whoever brought it. First what WeasyPrint opens to draw ...
PDF_LIBRARIES = {
    "libpango-1.0-0": [("gobject-2.0", 0), ("pango-1.0", 0), ("harfbuzz", 0)],
    "libpangoft2-1.0-0": [("fontconfig", 1), ("pangoft2-1.0", 0)],
    "libharfbuzz-subset0": [("harfbuzz-subset", 0)],
}
MSYS = [rf"C:\{folder}\bin\lib{{}}-{{}}.dll" for folder in (r"msys64\ucrt64", r"msys64\mingw64")]
PLACES = {
    "win32": [*MSYS, r"C:\Program Files\GTK3-Runtime Win64\bin\lib{}-{}.dll"],
    "darwin": ["lib{}.{}.dylib", "/opt/homebrew/lib/lib{}.{}.dylib", "/usr/local/lib/lib{}.{}.dylib"],
}.get(SYSTEM, ["lib{}.so.{}"])
# ... then the programs that the tests compare with.
TEST_TOOLS = {"libreoffice-calc": "localc", "libreoffice-writer": "lowriter", "gnumeric": "ssconvert"}
TEST_TOOLS |= {"chromium": "chromium", "poppler-utils": "pdftoppm"}
TEST_TOOLS |= {"python3-uno": "/usr/lib/python3/dist-packages/uno.py"} if SYSTEM == "debian" else {}


def call(*command: str | Path, quiet: bool = False) -> int:
    """Run a command in an environment that no other virtual environment reaches into; give its exit code."""
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "VIRTUAL_ENV")}
    env |= {"PYTHONPATH": str(ROOT), "PIP_USER": "0", "DEBIAN_FRONTEND": "noninteractive"}
    if SYSTEM == "darwin":  # where brew puts what WeasyPrint looks for
        env.setdefault("DYLD_FALLBACK_LIBRARY_PATH", "/opt/homebrew/lib:/usr/local/lib")
    output = subprocess.DEVNULL if quiet else None
    return subprocess.run(command, env=env, stdout=output, check=False).returncode


def loads(name: str, number: int) -> bool:
    """Tell whether a shared library opens from one of the places where WeasyPrint looks."""
    for place in PLACES:
        try:
            return bool(ctypes.CDLL(place.format(name, number)))
        except OSError:
            continue
    return False


def has_uv() -> bool:
    """Tell whether uv answers (its name on PATH may be an empty shim)."""
    return bool(shutil.which("uv")) and call("uv", "--version", quiet=True) == 0


def lacking(command: str) -> list[str]:
    """List the Debian packages (elsewhere their names serve to tell) whose content this machine lacks."""
    lacks = []
    if command in ("demo", "test"):
        lacks += [name for name, parts in PDF_LIBRARIES.items() if not all(loads(*part) for part in parts)]
    if command == "test" and SYSTEM in ("debian", "linux"):
        lacks += [name for name, sign in TEST_TOOLS.items() if not shutil.which(sign, os.F_OK)]
    importlib.invalidate_caches()
    if not (importlib.util.find_spec("ensurepip") or (ROOT / ".venv/held").exists() or has_uv()):
        lacks.append(VENV_PACKAGE)
    return lacks


def remedy(lacks: list[str], system: str, sudo: str = "") -> str:
    """Give the line that gets what a machine lacks."""
    return {
        "debian": f"{sudo}apt-get update && {sudo}apt-get install -y --no-install-recommends {' '.join(lacks)}",
        "darwin": "brew install pango",
        "win32": r"winget install MSYS2.MSYS2 & C:\msys64\usr\bin\pacman -S mingw-w64-ucrt-x86_64-pango",
    }.get(system, "your package manager")


def get(lacks: list[str]) -> None:
    """Install what is missing where that is ours to do (root on Debian, brew on a Mac); else tell the line."""
    if (SYSTEM == "debian" and os.geteuid() == 0) or (SYSTEM == "darwin" and shutil.which("brew")):
        print(f"Installing {' '.join(lacks)} (may take some minutes)", flush=True)
        if call("sh", "-c", remedy(lacks, SYSTEM), quiet=True) == 0:
            return
    print(f"Missing here: {' '.join(lacks)}. To get it:\n    {remedy(lacks, SYSTEM, 'sudo ')}", flush=True)


def stamp(lock: Path) -> str:
    """Name what an environment depends on: the lock and the kind of Python."""
    return f"{lock.name} {sys.implementation.cache_tag} {hashlib.sha256(lock.read_bytes()).hexdigest()}"


def prepare(folder: Path, lock: Path) -> Path:
    """Give the Python of a virtual environment that holds a lock (made anew if it does not), or exit 3."""
    python = folder / ("Scripts/python.exe" if SYSTEM == "win32" else "bin/python")
    held = folder / "held"  # written last: a half-built environment has none
    if python.exists() and held.exists() and held.read_text() in (stamp(lock), stamp(TEST_LOCK)):
        return python
    print(f"Making {folder.name} from requirements/{lock.name} (a minute or two)", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    make, install = [OURS, "-m", "venv"], [str(python), "-m", "pip", "install", "--disable-pip-version-check"]
    if has_uv():
        make, install = ["uv", "venv", "-q", "--python", OURS], ["uv", "pip", "install", f"--python={python}"]
    # A lock is complete: asking the index for what a package wants besides lets a newer release in, which no hash fits.
    if call(*make, folder) or call(*install, "-q", "--require-hashes", "--no-deps", "-r", lock):
        print(f"{folder.name} could not be made (see above): the network, or an index pip knows, is needed.")
        sys.exit(3)
    held.write_text(stamp(lock))
    return python


def main(command: str = "", *options: str) -> int:
    """Do one command; give its exit code."""
    if command in ("", "-h", "--help"):
        print(__doc__)
        return 0 if command else 2
    tests = command == "test"
    lacks = lacking(command)
    if lacks:
        get(lacks)
        lacks = lacking(command)
    if VENV_PACKAGE in lacks or (lacks and tests and SYSTEM in ("debian", "linux")):
        return 3
    python = prepare(ROOT / ".venv", TEST_LOCK if tests else ROOT / "requirements/run.txt")
    if tests and sys.version_info < (3, 13):  # what the oracles pin was not made for later ones
        prepare(ROOT / ".venv-oracles", ROOT / "requirements/oracles.txt")
    if tests:
        return call(python, ROOT / "tests", *options)
    if command == "demo" and not any(option.startswith("--out") for option in options):
        options = ("--out", str(ROOT / "demo"), *options)
    return call(python, "-P", "-m", "lark_sheets", command, *options)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
