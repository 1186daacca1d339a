"""LibreOffice and Gnumeric, started once for all the files of a test run, told to compute everything anew."""

import shutil
import subprocess
from pathlib import Path

SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="ODFRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""


def soffice() -> str | None:
    """The program, or None where it is not installed."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def convert(files: list[Path], out: Path, form: str = "xlsx") -> list[Path]:
    """Open files in LibreOffice, compute every formula, save them under the same name elsewhere."""
    profile = out / "profile"
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(SETTINGS, "utf-8")
    subprocess.run(
        [
            soffice(),
            f"-env:UserInstallation={profile.as_uri()}",
            "--headless",
            "--convert-to",
            form,
            "--outdir",
            str(out),
            *map(str, files),
        ],
        check=True,
        capture_output=True,
        timeout=300,
    )
    return [out / f"{file.stem}.{form}" for file in files]


def recalculate_in_gnumeric(file: Path, out: Path) -> Path:
    """Open a file in Gnumeric, compute every formula, save it elsewhere."""
    target = out / f"{file.stem}.gnumeric.xlsx"
    subprocess.run(
        ["ssconvert", "--recalc", str(file), str(target)], check=True, capture_output=True, timeout=300
    )
    return target
