"""Installing, removing and checking the add-in on machines that are made up: fake homes, fake registries, no Excel."""

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from lark_sheets import __version__, wiring
from lark_sheets.adapters.excel_machine import ThisMachine
from lark_sheets.addin import XLWINGS_VERSION
from lark_sheets.addin.build.parts import part
from lark_sheets.cli import main
from lark_sheets.core.problems import sentences
from lark_sheets.errors import MissingPiece, Severity
from lark_sheets.locales import translator
from lark_sheets.usecases.addin_setup import (
    ADDIN,
    DEFENDER,
    NO_CHILD_PROCESSES,
    OWN,
    PANEL,
    POLICIES,
    SCRIPT,
    check,
    install,
    interpreter_setting,
    places,
    remove,
)

SCRIPT_NAME = f"xlwings-{XLWINGS_VERSION}.applescript"


@dataclass
class Imaginary:
    """A computer that is a dictionary."""

    system: str = "windows"
    home: Path = Path("/people/ann")
    startup: Path = Path("/people/ann/XLSTART")
    scripts: Path = Path("/people/ann/scripts")
    interpreter: Path = Path("/people/ann/my venv/python")
    site: Path | None = None
    package: Path = Path("/people/ann/lark-sheets")
    libraries: dict = field(default_factory=lambda: {"win32com": True})
    files: dict = field(default_factory=dict)
    executable: set = field(default_factory=set)
    marked: set = field(default_factory=set)
    registry: dict = field(default_factory=dict)
    disabled: str = ""
    version: str | None = "16.0.18925"
    finds: str | None = __version__
    clouds: list = field(default_factory=list)

    def read(self, path):
        return self.files.get(path)

    def write(self, path, data, *, executable=False):
        self.files[path] = data
        self.marked.discard(path)
        (self.executable.add if executable else self.executable.discard)(path)

    def remove(self, path):
        return self.files.pop(path, None) is not None

    def is_from_internet(self, path):
        return path in self.marked

    def setting(self, root, key, name):
        return self.registry.get((root, key, name))

    def disabled_items(self):
        return self.disabled

    def excel(self):
        return self.version

    def version_in(self, interpreter):
        """A Python finds what it has, or what a path file in its site folder points to."""
        pointed = self.site is not None and self.files.get(self.site / "lark_sheets.pth")
        return __version__ if pointed else self.finds

    def cloud_folders(self):
        return self.clouds


def build(language, interpreter):
    return {what: f"{what} {language} {interpreter}".encode() for what in (ADDIN, PANEL, SCRIPT)}


def where(machine):
    return places(machine, Path("/state"), Path("/documents"), SCRIPT_NAME)


def look(machine, language="en"):
    return check(machine, where(machine), build, language, key_kept=False, provider="anthropic")


def codes(findings, *, at_least=Severity.WARNING):
    order = list(Severity)
    return [f.code for f in findings if order.index(f.severity) <= order.index(at_least)]


# -- install, remove -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["windows", "macos"])
def test_what_is_installed_passes_the_check_and_a_second_time_nothing_is_written(system):
    machine = Imaginary(system=system)
    at = where(machine)

    first, again = install(machine, at, build, "fr"), install(machine, at, build, "fr")

    assert first.files[:1] == (at.addin,)
    assert again.files == ()
    assert json.loads(machine.files[at.settings]) == {"language": "fr"}
    assert codes(look(machine, "fr")) == []


def test_a_dry_run_names_the_files_and_writes_none():
    machine = Imaginary()

    done = install(machine, where(machine), build, "en", dry=True)

    assert done.dry
    assert len(done.files) == 3
    assert machine.files == {}


def test_other_settings_are_kept():
    machine = Imaginary()
    machine.files[Path("/state/settings.json")] = b'{"judge_model": "m", "language": "fr"}'

    install(machine, where(machine), build, "en")

    assert json.loads(machine.files[Path("/state/settings.json")]) == {"judge_model": "m", "language": "en"}


def test_a_python_without_lark_sheets_installs_nothing():
    machine = Imaginary(finds=None)

    with pytest.raises(MissingPiece) as told:
        install(machine, where(machine), build, "en")

    assert [p.code for p in told.value.problems] == ["addin_python"]
    assert machine.files == {}


def test_a_marked_file_is_written_again_and_loses_its_mark():
    machine = Imaginary()
    at = where(machine)
    install(machine, at, build, "en")
    machine.marked.add(at.addin)

    assert install(machine, at, build, "en").files == (at.addin,)
    assert machine.marked == set()


def test_only_what_excel_loads_is_removed():
    """The workbook with buttons may have been changed by its owner, and the settings serve the command line too."""
    machine = Imaginary(system="macos")
    at = where(machine)
    install(machine, at, build, "en")

    script = Path("/people/ann/.lark-sheets/python")
    assert set(remove(machine, at, dry=True).files) == {at.addin, at.script, script}
    assert at.addin in machine.files
    remove(machine, at)

    assert at.addin not in machine.files
    assert at.panel in machine.files
    assert remove(machine, at).files == ()


def test_there_is_no_place_for_it_on_linux():
    with pytest.raises(MissingPiece) as told:
        where(Imaginary(system="linux"))

    assert [p.code for p in told.value.problems] == ["addin_system"]


def test_in_a_checkout_the_python_is_shown_the_way(tmp_path):
    machine = Imaginary(finds=None, site=Path("/people/ann/my venv/site-packages"))

    assert install(machine, where(machine), build, "en", dry=True).files[0].name == "lark_sheets.pth"
    assert machine.files == {}
    done = install(machine, where(machine), build, "en")

    assert machine.files[done.files[0]] == b"/people/ann/lark-sheets\n"
    assert codes(look(machine)) == []
    assert install(machine, where(machine), build, "en").files == ()


# -- the python on a mac ---------------------------------------------------------------------------------------------


def test_a_plain_path_is_named_as_it_is():
    machine = Imaginary(system="macos", interpreter=Path("/opt/lark/bin/python3"))

    assert interpreter_setting(machine) == "/opt/lark/bin/python3"


def test_a_path_that_a_shell_would_take_apart_gets_a_script_that_starts_it(tmp_path):
    """The script is run here for real: it hands every argument on as it came."""
    odd = tmp_path / "Ann's $HOME & co" / "python"
    odd.parent.mkdir()
    odd.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    odd.chmod(0o755)
    machine = Imaginary(system="macos", home=Path("/people/ann"), interpreter=odd)
    at = where(machine)

    install(machine, at, build, "en")

    script = Path("/people/ann/.lark-sheets/python")
    assert interpreter_setting(machine) == str(script)
    assert script in machine.executable
    started = tmp_path / "stand-in"
    started.write_bytes(machine.files[script])
    started.chmod(0o755)
    run = subprocess.run([started, "-c", "a b", "$x"], capture_output=True, text=True, check=True)
    assert run.stdout == "-c|a b|$x|"


def test_a_home_that_no_script_can_be_put_into_is_told():
    machine = Imaginary(system="macos", home=Path("/people/ann b"))

    with pytest.raises(MissingPiece) as told:
        interpreter_setting(machine)

    assert [p.code for p in told.value.problems] == ["addin_odd_path"]
    assert codes(look(machine)) == ["addin_odd_path"]


# -- findings --------------------------------------------------------------------------------------------------------

SECURITY = rf"{POLICIES}\Excel\Security"
PLACES = rf"{OWN}\Excel\Security\Trusted Locations"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"version": None}, ["addin_no_excel"]),
        ({"version": "15.0.5"}, ["addin_old_excel"]),
        ({"finds": None}, ["addin_python"]),
        ({"libraries": {"win32com": False}}, ["addin_library"]),
        ({"disabled": "...\\XLSTART\\LARK_SHEETS.XLAM\0"}, ["addin_disabled"]),
        ({"registry": {("user", SECURITY, "DisableAllAddins"): "1"}}, ["addin_macros_off"]),
        ({"registry": {("user", SECURITY, "RequireAddinSig"): "1"}}, ["addin_signed_only"]),
        (
            {"registry": {("user", rf"{POLICIES}\Common\Security", "RequireAlwaysOnMacroSig"): "1"}},
            ["addin_signed_only"],
        ),
        ({"registry": {("user", SECURITY, "VBAWarnings"): "4"}}, []),
        ({"registry": {("user", PLACES, "AllLocationsDisabled"): "1"}}, ["addin_untrusted_place"]),
        (
            {
                "registry": {
                    ("user", SECURITY, "VBAWarnings"): "4",
                    ("user", PLACES, "AllLocationsDisabled"): "1",
                }
            },
            ["addin_macros_off"],
        ),
        (
            {
                "registry": {
                    ("user", SECURITY, "VBAWarnings"): "3",
                    ("user", PLACES, "AllLocationsDisabled"): "1",
                }
            },
            ["addin_signed_only"],
        ),
        ({"registry": {("machine", DEFENDER, NO_CHILD_PROCESSES): "1"}}, ["addin_no_child"]),
        ({"registry": {("machine", DEFENDER, NO_CHILD_PROCESSES): "2"}}, []),
    ],
)
def test_each_thing_in_the_way_is_found(change, found):
    """Macros switched off do not matter in a trusted folder, which Excel's start-up folder is unless somebody switched that off."""
    machine = Imaginary(**change)
    sound = Imaginary()
    install(sound, where(sound), build, "en")
    machine.files = sound.files

    assert codes(look(machine)) == found


def test_an_addin_of_another_version_or_python_is_found():
    machine = Imaginary()
    install(machine, where(machine), build, "en")
    machine.interpreter = Path("/elsewhere/python")

    assert codes(look(machine)) == ["addin_outdated"]


def test_an_addin_that_is_not_there_or_marked_is_found():
    machine = Imaginary()
    at = where(machine)
    assert codes(look(machine)) == ["addin_absent"]

    install(machine, at, build, "en")
    machine.marked.add(at.addin)
    assert codes(look(machine)) == ["addin_blocked"]


def test_a_lost_script_is_found_on_a_mac():
    machine = Imaginary(system="macos", interpreter=Path("/opt/python"))
    at = where(machine)
    install(machine, at, build, "en")
    machine.remove(at.script)

    assert codes(look(machine)) == ["addin_script_absent"]


def test_documents_in_a_cloud_folder_are_told():
    machine = Imaginary(clouds=[Path("/documents")])
    install(machine, where(machine), build, "en")

    assert "addin_in_cloud" in codes(look(machine), at_least=Severity.NOTE)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_finding_has_its_remedy_in_the_readers_language(language):
    machine = Imaginary(finds=None, version=None, disabled="lark_sheets.xlam", libraries={"win32com": False})

    for finding in look(machine, language):
        words = sentences(finding, translator(language))
        assert all(words)
        assert "{" not in "".join(words)


# -- this machine ----------------------------------------------------------------------------------------------------


def test_real_files_in_a_made_up_windows_home(tmp_path, monkeypatch):
    """The whole way of the command but for the system's name: real add-in, real files, the Python that runs this test."""
    home = tmp_path / "Ann Über"
    machine = ThisMachine(home, {"APPDATA": str(home / "Roaming")}, platform="win32")
    at = places(machine, home / "state", home / "Documents", SCRIPT_NAME)
    home.mkdir()
    monkeypatch.setattr(machine, "version_in", lambda interpreter: __version__)

    done = install(machine, at, wiring.addin_files, "fr")

    addin = (home / "Roaming/Microsoft/Excel/XLSTART/lark_sheets.xlam").read_bytes()
    assert at.addin in done.files
    assert str(machine.interpreter) in part(addin, "xl/sharedStrings.xml").decode()
    assert 'label="Rapport"' in part(addin, "customUI/customUI.xml").decode()
    found = check(machine, at, wiring.addin_files, "fr", key_kept=True, provider="anthropic")
    assert codes(found) == ["addin_no_excel", "addin_library", "addin_library"]
    (at.addin.with_name(at.addin.name + ":Zone.Identifier")).write_text("[ZoneTransfer]\nZoneId=3\n")
    assert machine.is_from_internet(at.addin)
    assert install(machine, at, wiring.addin_files, "fr").files == (at.addin,)
    assert not machine.is_from_internet(at.addin)
    assert set(remove(machine, at).files) == {at.addin}


def test_the_python_of_this_test_finds_lark_sheets_only_where_it_is_installed(tmp_path, monkeypatch):
    """It is started apart from this folder, as Excel would start it."""
    machine = ThisMachine(tmp_path, {}, platform="win32")

    assert machine.version_in(tmp_path / "no-python") is None
    assert machine.version_in(machine.interpreter) in (None, __version__)


@pytest.mark.parametrize("words", [["install", "--dry-run"], ["check"], ["remove"]])
def test_on_this_system_the_command_says_where_excel_is(words, capsys):
    if wiring.addin_machine.__module__ and __import__("sys").platform != "linux":
        pytest.skip("this system has Excel")

    assert main(["addin", *words, "--lang", "en"]) == 3
    out, err = capsys.readouterr()
    assert "no Excel with macros for this system" in out + err
