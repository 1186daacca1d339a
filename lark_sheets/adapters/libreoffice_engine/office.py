"""Starting LibreOffice for ourselves alone, talking to it, and ending it: a private pipe, a private profile, no screen."""

from __future__ import annotations

import atexit
import contextlib
import importlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from functools import cache
from pathlib import Path
from typing import Any

from lark_sheets.core.problems import problem
from lark_sheets.errors import MissingPiece

_BRIDGE_FOLDERS = (
    "/usr/lib/python3/dist-packages",
    "/usr/lib/libreoffice/program",
    "/usr/lib64/libreoffice/program",
    "/opt/libreoffice/program",
)
"""Where systems put the bridge's two modules; only these two are loaded from there, never the folder as a whole."""
_PROGRAMS = ("soffice", "libreoffice")
_SECONDS_TO_START = 90
_SECONDS_TO_END = 10
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Save/Document"><prop oor:name="AutoSave" oor:op="fuse"><value>false</value></prop></item>
<item oor:path="/org.openoffice.Office.Recovery/AutoSave"><prop oor:name="Enabled" oor:op="fuse"><value>false</value></prop></item>
</oor:items>
"""
"""Formulas are computed anew on opening (their cached values are not trusted), and nothing is saved behind our back."""


@cache
def bridge() -> Any:
    """Return LibreOffice's Python module ``uno``.

    A virtual environment does not see the system's copy; then its two modules are loaded by themselves. Raises
    :class:`MissingPiece` where there is none, or none for this version of Python.
    """
    try:
        return importlib.import_module("uno")
    except ImportError:
        pass
    for folder in map(Path, _BRIDGE_FOLDERS):
        if (folder / "uno.py").exists():
            try:
                for name in ("uno", "unohelper"):
                    _load(name, folder / f"{name}.py")
                return sys.modules["uno"]
            except ImportError as fault:
                raise MissingPiece(problem("no_libreoffice", found=str(fault))) from fault
    raise MissingPiece(problem("no_libreoffice", found="python3-uno"))


def _load(name: str, path: Path) -> None:
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise ImportError(name)
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except ImportError:
        del sys.modules[name]
        raise


def struct(name: str, *values: Any) -> Any:
    """Return a UNO structure by its full name, its members given in order."""
    return bridge().createUnoStruct(name, *values)


def properties(**values: Any) -> tuple[Any, ...]:
    """Return named values as UNO takes them."""
    return tuple(
        struct("com.sun.star.beans.PropertyValue", name, 0, value, 0) for name, value in values.items()
    )


class Office:
    """One LibreOffice that is ours: its process, its profile, and the way to talk to it (``context``, ``desktop``)."""

    def __init__(self, *, visible: bool = False) -> None:
        """Start it and wait until it answers. Raises :class:`MissingPiece` where it is absent or does not start."""
        uno = bridge()
        program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
        if program is None:
            raise MissingPiece(problem("no_libreoffice", found="soffice"))
        self.profile = Path(tempfile.mkdtemp(prefix="lark-sheets-office-"))
        (self.profile / "user").mkdir()
        (self.profile / "user" / "registrymodifications.xcu").write_text(_PROFILE, "utf-8")
        pipe = f"larksheets{uuid.uuid4().hex}"
        own_group: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}
        self.process = subprocess.Popen(
            [
                program,
                *([] if visible else ["--headless"]),
                "--norestore",
                "--nologo",
                "--nodefault",
                "--nofirststartwizard",
                "--nolockcheck",
                f"-env:UserInstallation={self.profile.as_uri()}",
                f"--accept=pipe,name={pipe};urp;StarOffice.ComponentContext",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **own_group,
        )
        atexit.register(self.end)
        self.context = self._connect(uno, pipe)
        self.desktop = self.service("com.sun.star.frame.Desktop")

    def _connect(self, uno: Any, pipe: str) -> Any:
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        give_up = time.monotonic() + _SECONDS_TO_START
        while True:
            try:
                return resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
            except Exception as fault:
                if time.monotonic() > give_up or self.process.poll() is not None:
                    self.end()
                    raise MissingPiece(problem("no_libreoffice", found="soffice --headless")) from fault
                time.sleep(0.05)

    def service(self, name: str) -> Any:
        """Return one of LibreOffice's services by its full name."""
        return self.context.ServiceManager.createInstanceWithContext(name, self.context)

    @property
    def version(self) -> str:
        """Return LibreOffice's version, such as "7.4.7.2"."""
        provider = self.service("com.sun.star.configuration.ConfigurationProvider")
        access = provider.createInstanceWithArguments(
            "com.sun.star.configuration.ConfigurationAccess",
            properties(nodepath="/org.openoffice.Setup/Product"),
        )
        return str(access.ooSetupVersionAboutBox)

    def end(self) -> None:
        """End it, by asking first, and remove its profile; a second call does nothing."""
        atexit.unregister(self.end)
        desktop, self.desktop = getattr(self, "desktop", None), None
        if desktop is not None:
            with contextlib.suppress(Exception):
                desktop.terminate()
        try:
            self.process.wait(_SECONDS_TO_END if desktop is not None else 0.1)
        except subprocess.TimeoutExpired:
            self._kill()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()
