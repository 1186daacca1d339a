"""Small campaigns of the other systems, built by the commands a person types."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from lark_sheets.cli import main
from tests.desk import write_csv


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def json_of(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def run(*words: object) -> int:
    return main([str(word) for word in words])


class Desk:
    """A folder in which a test makes campaigns."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def table(self, name: str, rows: Sequence[Mapping[str, object]]) -> Path:
        return write_csv(self.folder / name, rows)

    def campaign(
        self,
        name: str,
        rubric: str,
        items: Sequence[Mapping[str, object]],
        responses: Sequence[Mapping[str, object]],
        grades: Sequence[Mapping[str, object]] = (),
        *,
        graders: Sequence[str] = ("ana",),
        reveal: bool = True,
    ) -> Path:
        """Make, grade and reveal a campaign; return its folder."""
        out = self.folder / name
        words = ["new", "--rubric", rubric, "--out", out, "--lang", "en"]
        words += ["--items", self.table(f"{name}-items.csv", items)]
        words += ["--responses", self.table(f"{name}-responses.csv", responses)]
        assert run(*words, *(["--graders", *graders] if graders else [])) == 0
        if grades:
            assert run("import", out, "--grades", self.table(f"{name}-grades.csv", grades)) == 0
        if reveal:
            assert run("reveal", out, "--force", "--reason", "test") == 0
        return out


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)
