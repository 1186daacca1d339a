"""The environment of the oracle that pins old libraries; `run.py test` builds it from requirements/oracles.txt."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv-oracles"
WORKER = Path(__file__).with_name("irrcac_worker.py")


def oracle_python() -> Path:
    """The Python that has irrCAC; without it the test is skipped, saying what is not being checked."""
    for python in (FOLDER / "bin/python", FOLDER / "Scripts/python.exe"):
        if python.exists():
            return python
    pytest.skip(
        "NOT CHECKED against irrCAC: there is no .venv-oracles. `python run.py test` builds it from requirements/oracles.txt"
    )


def ask_irrcac(tables: list[dict[str, Any]]) -> list[dict[str, float | None]]:
    """Coefficients of every table according to irrCAC; None where it fails or says NaN."""
    done = subprocess.run(
        [oracle_python(), "-W", "ignore", WORKER],
        input=json.dumps(tables),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
