"""``addin install | remove | check``: the add-in put where Excel loads it, taken away, and looked at; every finding with its remedy."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lark_sheets import __version__
from lark_sheets.core.language import Language
from lark_sheets.core.problems import problem
from lark_sheets.errors import MissingPiece, Problem

ADDIN, PANEL, SCRIPT = "addin", "panel", "script"
"""What is installed: the ribbon add-in, the workbook with buttons, the script that Excel for Mac needs."""
FILE = "lark_sheets.xlam"
PATH_FILE = "lark_sheets.pth"
PANEL_FILE = "Lark Sheets.xlsm"
WINDOWS, MACOS = "windows", "macos"
POLICIES, OWN = r"Software\Policies\Microsoft\Office\16.0", r"Software\Microsoft\Office\16.0"
DEFENDER = r"SOFTWARE\Policies\Microsoft\Windows Defender\Windows Defender Exploit Guard\ASR\Rules"
NO_CHILD_PROCESSES = "d4f940ab-401b-4efc-aadc-ad5f3c50688a"
"""Microsoft's id of the rule "block all Office applications from creating child processes"."""
PLAIN_PATH = re.compile(r"[A-Za-z0-9/._-]+")
STAND_IN = (".lark-sheets", "python")
"""Where, below a person's home, a script stands for a Python whose path is not plain."""
BLOCKED = ("1", "6")
"""What such a rule says when it blocks, or asks first."""


class Machine(Protocol):
    """The computer that Excel runs on, as far as the add-in is concerned."""

    system: str
    home: Path
    startup: Path
    scripts: Path
    interpreter: Path
    site: Path | None
    """Where the Python to run looks for paths to packages, None where that is not ours to add to."""
    package: Path
    """The folder in which this ``lark_sheets`` lies."""
    libraries: Mapping[str, bool]
    """Whether the libraries that xlwings needs on this system can be imported, by name."""

    def read(self, path: Path) -> bytes | None:
        """Return a file's bytes, None where there is none."""
        ...

    def write(self, path: Path, data: bytes, *, executable: bool = False) -> None:
        """Write a file whole, with its folder; ``executable`` lets it be started as a program."""
        ...

    def remove(self, path: Path) -> bool:
        """Remove a file; say whether it was there."""
        ...

    def is_from_internet(self, path: Path) -> bool:
        """Say whether a file bears the mark of having come from the internet."""
        ...

    def setting(self, root: str, key: str, name: str) -> str | None:
        """Return a value of the Windows registry as text, None where there is none; ``root`` is "user" or "machine"."""
        ...

    def disabled_items(self) -> str:
        """Return Excel's list of disabled items as text, "" where there is none."""
        ...

    def excel(self) -> str | None:
        """Return the version of Excel, "" when it is there without telling, None when it is not there."""
        ...

    def version_in(self, interpreter: Path) -> str | None:
        """Return the version of Lark Sheets that a Python finds, None when it finds none or does not start."""
        ...

    def cloud_folders(self) -> Sequence[Path]:
        """Return the folders that a cloud service keeps in step."""
        ...


Build = Callable[[Language, str], Mapping[str, bytes]]
"""Gives the files to install by what they are, for a language and the Python to run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where things go on a machine."""

    addin: Path
    panel: Path
    script: Path | None
    settings: Path

    def of(self, what: str) -> Path | None:
        """Return the place of one of the files."""
        return {ADDIN: self.addin, PANEL: self.panel, SCRIPT: self.script}[what]


def places(machine: Machine, state: Path, documents: Path, script: str) -> Places:
    """Return where the add-in goes. Raises :class:`MissingPiece` on a system that has no Excel with macros."""
    if machine.system not in (WINDOWS, MACOS):
        raise MissingPiece(problem("addin_system", found=machine.system))
    return Places(
        addin=machine.startup / FILE,
        panel=documents / PANEL_FILE,
        script=machine.scripts / script if machine.system == MACOS else None,
        settings=state / "settings.json",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What was written, or would be (``dry``), or was removed; unchanged files are not among it."""

    files: tuple[Path, ...]
    dry: bool


def install(
    machine: Machine, at: Places, build: Build, language: Language, *, dry: bool = False
) -> Installed:
    """Put the add-in where Excel loads it, and what it needs beside it; a second time, nothing changes.

    Raises :class:`MissingPiece` when Python there does not find Lark Sheets (nothing is written then) or a file is in use.
    """
    path = _made_importable(machine, dry=dry)
    wanted = {
        place: data
        for what, data in build(language, interpreter_setting(machine)).items()
        if (place := at.of(what)) is not None
    }
    wanted[at.settings] = _settings(machine.read(at.settings), language)
    if (stand := stand_in(machine)) is not None:
        wanted[stand[0]] = stand[1]
    new = [
        path for path, data in wanted.items() if machine.read(path) != data or machine.is_from_internet(path)
    ]
    if not dry:
        for place in new:
            machine.write(place, wanted[place], executable=stand is not None and place == stand[0])
    return Installed(files=tuple(path + new), dry=dry)


def _made_importable(machine: Machine, *, dry: bool) -> list[Path]:
    """Let the Python to run find this ``lark_sheets`` where it does not: in a checkout, whose own environment holds only libraries."""
    if machine.version_in(machine.interpreter) is not None:
        return []
    lacking = MissingPiece(problem("addin_python", found=str(machine.interpreter), version=__version__))
    if machine.site is None:
        raise lacking
    path = machine.site / PATH_FILE
    if not dry:
        machine.write(path, f"{machine.package}\n".encode())
        if machine.version_in(machine.interpreter) is None:
            raise lacking
    return [path]


def interpreter_setting(machine: Machine) -> str:
    """Return the Python to run as the add-in's settings name it.

    On a Mac the path goes through a script and a shell without quotation marks: where it holds more than plain letters, a small script
    with a plain path stands for it (:func:`stand_in`).
    """
    stand = stand_in(machine)
    return str(machine.interpreter if stand is None else stand[0])


def stand_in(machine: Machine) -> tuple[Path, bytes] | None:
    """Return the script that stands for a Python whose path a shell would take apart, and its text; None where none is needed.

    Raises :class:`MissingPiece` when not even the person's home has a plain path.
    """
    if machine.system != MACOS or PLAIN_PATH.fullmatch(str(machine.interpreter)):
        return None
    path = machine.home.joinpath(*STAND_IN)
    if not PLAIN_PATH.fullmatch(str(path)):
        raise MissingPiece(problem("addin_odd_path", found=str(machine.home)))
    quoted = str(machine.interpreter).replace("'", "'\\''")
    return path, f"#!/bin/sh\nexec '{quoted}' \"$@\"\n".encode()


def _settings(now: bytes | None, language: Language) -> bytes:
    try:
        plain = json.loads(now or b"{}")
    except ValueError:
        plain = {}
    kept = plain if isinstance(plain, dict) else {}
    return (json.dumps(kept | {"language": language}, ensure_ascii=False, indent=1) + "\n").encode()


def remove(machine: Machine, at: Places, *, dry: bool = False) -> Installed:
    """Take away what was installed; campaigns, the log, and a workbook with buttons that was changed stay."""
    stand = machine.home.joinpath(*STAND_IN) if machine.system == MACOS else None
    ours = [p for p in (at.addin, at.script, stand) if p is not None and machine.read(p) is not None]
    if not dry:
        for path in ours:
            machine.remove(path)
    return Installed(files=tuple(ours), dry=dry)


# -- looking -------------------------------------------------------------------------------------------------------------


def check(
    machine: Machine, at: Places, build: Build, language: Language, *, key_kept: bool, provider: str
) -> list[Problem]:
    """Look at the installation and return every finding; nothing is changed."""
    found = [*_excel(machine), *_files(machine, at, build, language), *_python(machine)]
    found += _rules(machine) if machine.system == WINDOWS else [problem("addin_mac_asks")]
    found += [
        problem("addin_in_cloud", found=str(folder))
        for folder in machine.cloud_folders()
        if at.panel.is_relative_to(folder)
    ]
    found.append(problem("addin_key_kept" if key_kept else "addin_key_absent", provider=provider))
    return found


def _excel(machine: Machine) -> list[Problem]:
    version = machine.excel()
    if version is None:
        return [problem("addin_no_excel")]
    major = version.partition(".")[0]
    return [problem("addin_old_excel", found=version)] if major.isdecimal() and int(major) < 16 else []


def _files(machine: Machine, at: Places, build: Build, language: Language) -> list[Problem]:
    try:
        wanted = build(language, interpreter_setting(machine))
    except MissingPiece as lacking:
        return list(lacking.problems)
    found = []
    addin = machine.read(at.addin)
    if addin is None:
        found.append(problem("addin_absent", found=str(at.addin)))
    elif addin != wanted[ADDIN]:
        found.append(problem("addin_outdated", found=str(at.addin)))
    else:
        found.append(problem("addin_fine", found=str(at.addin), version=__version__))
    if addin is not None and machine.is_from_internet(at.addin):
        found.append(problem("addin_blocked", found=str(at.addin)))
    if at.script is not None and machine.read(at.script) != wanted[SCRIPT]:
        found.append(problem("addin_script_absent", found=str(at.script)))
    return found


def _python(machine: Machine) -> list[Problem]:
    found = []
    if machine.version_in(machine.interpreter) is None:
        found.append(problem("addin_python", found=str(machine.interpreter), version=__version__))
    found += [problem("addin_library", found=name) for name, there in machine.libraries.items() if not there]
    return found


def _rules(machine: Machine) -> list[Problem]:
    """Return what rules of an office, or Excel's own settings, keep from working."""

    def of_excel(name: str, below: str = "") -> str | None:
        """Look where a rule stands before where a person's own choice does: the rule counts."""
        policy = machine.setting("user", rf"{POLICIES}\Excel\Security{below}", name)
        return (
            policy if policy is not None else machine.setting("user", rf"{OWN}\Excel\Security{below}", name)
        )

    found = []
    warnings = of_excel("VBAWarnings")
    trusted_off = of_excel("AllLocationsDisabled", r"\Trusted Locations") == "1"
    if of_excel("DisableAllAddins") == "1":
        found.append(problem("addin_macros_off", found="DisableAllAddins = 1"))
    if warnings in ("3", "4") and trusted_off:
        code = "addin_macros_off" if warnings == "4" else "addin_signed_only"
        found.append(problem(code, found=f"VBAWarnings = {warnings}"))
    elif trusted_off:
        found.append(problem("addin_untrusted_place", found="AllLocationsDisabled = 1"))
    if of_excel("RequireAddinSig") == "1":
        found.append(problem("addin_signed_only", found="RequireAddinSig = 1"))
    if machine.setting("user", rf"{POLICIES}\Common\Security", "RequireAlwaysOnMacroSig") == "1":
        found.append(problem("addin_signed_only", found="RequireAlwaysOnMacroSig = 1"))
    if FILE.casefold() in machine.disabled_items().casefold():
        found.append(problem("addin_disabled"))
    if machine.setting("machine", DEFENDER, NO_CHILD_PROCESSES) in BLOCKED:
        found.append(problem("addin_no_child", found=NO_CHILD_PROCESSES))
    return found
