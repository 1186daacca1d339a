"""The files of a campaign, and finding them from a folder or a workbook."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lark_sheets.core.problems import problem
from lark_sheets.errors import UsageError
from lark_sheets.ports import Files

CAMPAIGN = "campaign.xlsx"
GRADERS = "graders"
KEYS = "key"
KEY_SUFFIX = ".key.json"


@dataclass(frozen=True, slots=True)
class CampaignFolder:
    """Where the files of one campaign lie."""

    root: Path

    @property
    def campaign(self) -> Path:
        """Return the coordinator's workbook."""
        return self.root / CAMPAIGN

    @property
    def results_json(self) -> Path:
        """Return the results for programs."""
        return self.root / "results.json"

    @property
    def results_book(self) -> Path:
        """Return the results workbook."""
        return self.root / "results.xlsx"

    @property
    def report(self) -> Path:
        """Return the manager's report."""
        return self.root / "report.pdf"

    def grader(self, name: str) -> Path:
        """Return a grader's workbook."""
        return self.root / GRADERS / f"{safe_name(name)}.xlsx"

    def key(self, campaign: str, number: int = 1) -> Path:
        """Return the key file of a campaign; later ones, made by ``new --more``, carry a number."""
        suffix = "" if number == 1 else f"-{number}"
        return self.root / KEYS / f"{campaign}{suffix}{KEY_SUFFIX}"


def safe_name(name: str) -> str:
    """Return a grader's name as a file name that every system takes."""
    kept = "".join(c if c.isalnum() or c in "-_. " else "_" for c in name).strip(". ")
    return kept or "_"


def workbook_of(path: Path, files: Files) -> Path:
    """Return the workbook that a path names: itself, or the campaign's in a folder.

    Raises :class:`UsageError` when the path is not there or the folder holds no campaign.
    """
    if not files.exists(path):
        raise UsageError(problem("missing_file", file=str(path), found=str(path)))
    if path.is_dir():
        campaign = path / CAMPAIGN
        if not files.exists(campaign):
            raise UsageError(problem("no_campaign", file=str(path), found=str(path)))
        return campaign
    return path


def folder_of(workbook: Path) -> CampaignFolder:
    """Return the campaign folder a workbook belongs to (a grader's workbook lies one folder deeper)."""
    parent = workbook.parent
    return CampaignFolder(parent.parent if parent.name == GRADERS else parent)
