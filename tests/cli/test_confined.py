"""Nothing here needs the network, and nothing outside --out is written."""

import gc
import socket
from pathlib import Path

import pytest

from lark_sheets.cli import main

pytestmark = pytest.mark.xdist_group("demo")


def test_the_demo_needs_no_network_and_writes_only_where_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In French, with every socket closed, from an empty folder with an empty home and an empty place for temporary files."""

    def closed(*_: object, **__: object) -> None:
        raise OSError("no network here")

    monkeypatch.setattr(socket, "socket", closed)
    monkeypatch.setattr(socket, "create_connection", closed)
    for name in ("home", "work", "tmp"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(tmp_path / "work")
    out = tmp_path / "out" / "démo"
    assert main(["demo", "--out", str(out), "--lang", "fr"]) == 0
    said = capsys.readouterr().out
    assert "9,84" in said
    assert str(out / "report.pdf") in said
    gc.collect()  # WeasyPrint keeps its folder of fonts until its objects go
    assert {p.name for p in tmp_path.iterdir()} == {"home", "work", "tmp", "out"}
    assert not [p for name in ("work", "tmp") for p in (tmp_path / name).rglob("*")]
    assert not [p for p in (tmp_path / "home").rglob("*") if p.is_file() and "fontconfig" not in str(p)]
