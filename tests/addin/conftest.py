"""What the add-in's tests share: LibreOffice, a home of its own for log and lock, campaigns with grades typed in."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from lark_sheets import wiring
from lark_sheets.adapters import desktop
from lark_sheets.core.campaign import Grader
from lark_sheets.usecases.creating import NewCampaign, create
from lark_sheets.usecases.importing import import_table
from lark_sheets.usecases.loading import load_one
from tests.desk import desk, write_csv
from tests.factories import BASE, CRITERIA
from tests.live import app

__all__ = ["app"]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The folder of log, lock and settings; files are shown and last words said nowhere, but kept in lists."""
    folder = tmp_path / "home"
    monkeypatch.setenv(wiring.HOME_VARIABLE, str(folder))
    monkeypatch.setenv(wiring.LANGUAGE_VARIABLE, "en")
    return folder


@pytest.fixture
def shown(monkeypatch):
    """Files that were handed to the system to be shown."""
    files: list[Path] = []
    monkeypatch.setattr(desktop, "show", files.append)
    return files


@pytest.fixture
def last_words(monkeypatch):
    """What was said when the spreadsheet could not say it."""
    texts: list[str] = []
    monkeypatch.setattr(desktop, "last_word", texts.append)
    return texts


@dataclass(frozen=True)
class Made:
    """A campaign on the disk."""

    root: Path
    key: Path

    @property
    def book(self) -> Path:
        return self.root / "campaign.xlsx"

    def grader(self, name: str) -> Path:
        return self.root / "graders" / f"{name}.xlsx"

    def grade(self, name: str, grades=BASE, codes: str = "", reason: str = "noted") -> None:
        """Type grades into a grader's workbook, by given response id."""
        loaded = load_one(self.grader(name), desk())
        given = {
            ours: r["given_id"] for ours, r in json.loads(self.key.read_text("utf-8"))["responses"].items()
        }
        rows = [
            {"grader": name, "response_id": r.response, "reason": reason, "codes": codes}
            | dict(zip(CRITERIA, grades[given[r.response]], strict=True))
            for r in loaded.campaign.readings
            if given[r.response] in grades
        ]
        import_table(self.grader(name), write_csv(self.root / "typed.csv", rows), desk(), key=self.key)


@pytest.fixture
def campaign(tmp_path):
    """Two tickets with four responses each, two graders, one response per run read by both; nothing graded yet."""
    return make_campaign(tmp_path)


def make_campaign(folder: Path, language: str = "en") -> Made:
    items = write_csv(folder / "items.csv", [{"item": i, "text": f"Message {i}"} for i in ("K01", "K02")])
    rows = [
        {
            "item": name[:3],
            "run": f"Modèle {name[-1]}",
            "response": f"Réponse {name} de l’essai.",
            "response_id": name,
        }
        for name in BASE
    ]
    made = create(
        NewCampaign(
            rubric="larkfield",
            items=items,
            responses=write_csv(folder / "responses.csv", rows),
            out=folder / "campaign é",
            language=language,
            graders=(Grader(name="ana"), Grader(name="ben")),
            shared=1,
        ),
        desk(language),
    )
    return Made(root=folder / "campaign é", key=made.key)
