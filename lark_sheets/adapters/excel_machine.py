"""This computer, as far as the add-in is concerned: Excel, its start-up folder, the registry, marks on files (implements ``Machine``)."""

from __future__ import annotations

import contextlib
import plistlib
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from lark_sheets.adapters import disk_faults_told, replace_whole

_MARK = ":Zone.Identifier"
"""The stream in which Windows writes that a file came from the internet."""
_QUARANTINE = "com.apple.quarantine"
_VERSION = "import lark_sheets; print(lark_sheets.__version__)"
_SECONDS = 60
_MAC_APPLICATIONS = ("/Applications/Microsoft Excel.app",)
_CLICK_TO_RUN = r"SOFTWARE\Microsoft\Office\ClickToRun\Configuration"
_APPLICATION = r"SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths\excel.exe"
_DISABLED = r"Software\Microsoft\Office\16.0\Excel\Resiliency\DisabledItems"


class ThisMachine:
    """The computer this runs on; ``environment`` and ``home`` are handed in, so that a test can give others."""

    def __init__(self, home: Path, environment: Mapping[str, str], platform: str = sys.platform) -> None:
        self.system = {"win32": "windows", "darwin": "macos"}.get(platform, platform)
        self.home = home
        self.environment = environment
        self.interpreter = Path(sys.executable)
        is_own = sys.prefix != sys.base_prefix  # a virtual environment: adding to it disturbs nobody
        self.site = Path(sysconfig.get_path("purelib")) if is_own else None
        self.package = Path(__file__).parents[2]
        roaming = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
        office = home / "Library" / "Group Containers" / "UBF8T346G9.Office"
        self.startup = (
            roaming / "Microsoft" / "Excel" / "XLSTART"
            if self.system == "windows"
            else office / "User Content.localized" / "Startup.localized" / "Excel"
        )
        self.scripts = home / "Library" / "Application Scripts" / "com.microsoft.Excel"
        needed = {"windows": ("win32com", "pythoncom"), "macos": ("appscript", "psutil")}.get(self.system, ())
        self.libraries: Mapping[str, bool] = {name: find_spec(name) is not None for name in needed}

    # -- files ---------------------------------------------------------------------------------------------------------

    def read(self, path: Path) -> bytes | None:
        """Return a file's bytes, None where there is none."""
        with disk_faults_told(path):
            return path.read_bytes() if path.is_file() else None

    def write(self, path: Path, data: bytes, *, executable: bool = False) -> None:
        """Write a file whole; it then bears no mark of the internet."""
        replace_whole(path, lambda file: file.write(data))
        with contextlib.suppress(OSError):
            Path(f"{path}{_MARK}").unlink()
        if executable:
            path.chmod(0o755)

    def remove(self, path: Path) -> bool:
        """Remove a file; say whether it was there."""
        with disk_faults_told(path):
            there = path.is_file()
            path.unlink(missing_ok=True)
        return there

    def is_from_internet(self, path: Path) -> bool:
        """Say whether a file bears the mark: Windows' zone 3 or 4, macOS' quarantine."""
        if self.system == "windows":
            with contextlib.suppress(OSError):
                said = Path(f"{path}{_MARK}").read_text("utf-8", "replace")
                return "ZoneId=3" in said or "ZoneId=4" in said
            return False
        if self.system == "macos" and path.exists():
            command = ["xattr", "-p", _QUARANTINE, str(path)]
            with contextlib.suppress(OSError):
                return subprocess.run(command, capture_output=True, check=False).returncode == 0
        return False

    def cloud_folders(self) -> Sequence[Path]:
        """Return the folders of OneDrive and, on a Mac, of iCloud Drive's documents."""
        named = [
            self.environment.get(name) for name in ("OneDrive", "OneDriveConsumer", "OneDriveCommercial")
        ]
        found = [Path(name) for name in dict.fromkeys(named) if name]
        cloud = self.home / "Library" / "CloudStorage"
        if self.system == "macos" and cloud.is_dir():
            found += sorted(folder for folder in cloud.iterdir() if folder.name.startswith("OneDrive"))
        return found

    # -- Excel ---------------------------------------------------------------------------------------------------------

    def excel(self) -> str | None:
        """Return Excel's version, "" when it is there without telling, None when it is not there."""
        if self.system == "windows":
            if not self.setting("machine", _APPLICATION, ""):
                return None
            return self.setting("machine", _CLICK_TO_RUN, "VersionToReport") or ""
        for folder in map(Path, _MAC_APPLICATIONS):
            with contextlib.suppress(OSError, plistlib.InvalidFileException):
                plain = plistlib.loads((folder / "Contents" / "Info.plist").read_bytes())
                return str(plain.get("CFBundleShortVersionString", ""))
        return None

    def version_in(self, interpreter: Path) -> str | None:
        """Return the version of Lark Sheets that a Python finds when it starts elsewhere, None when it finds none."""
        command = [str(interpreter), "-I", "-c", _VERSION]
        try:
            run = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=_SECONDS, cwd=self.home
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return run.stdout.strip() or None if run.returncode == 0 else None

    # -- registry ------------------------------------------------------------------------------------------------------

    def setting(self, root: str, key: str, name: str) -> str | None:
        """Return a value of the registry as text, None where there is none, or no registry."""
        return _registry_value(root, key, name)

    def disabled_items(self) -> str:
        """Return what Excel has disabled after crashes, as text; its entries hold file names among other bytes."""
        return "\n".join(data.decode("utf-16-le", "ignore") for data in _registry_bytes(_DISABLED))


if sys.platform == "win32":
    import winreg

    def _registry_value(root: str, key: str, name: str) -> str | None:
        hive = winreg.HKEY_CURRENT_USER if root == "user" else winreg.HKEY_LOCAL_MACHINE
        try:
            with winreg.OpenKey(hive, key) as opened:
                return str(winreg.QueryValueEx(opened, name)[0])
        except OSError:
            return None

    def _registry_bytes(key: str) -> list[bytes]:
        found = []
        with contextlib.suppress(OSError), winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
            found += [winreg.EnumValue(opened, number)[1] for number in range(winreg.QueryInfoKey(opened)[1])]
        return [value for value in found if isinstance(value, bytes)]

else:

    def _registry_value(root: str, key: str, name: str) -> str | None:
        del root, key, name
        return None

    def _registry_bytes(key: str) -> list[bytes]:
        del key
        return []
