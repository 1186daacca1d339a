"""The catalogue of problems, part of the add-in: severities and sentences, merged into :data:`~lark_sheets.core.problems.CATALOGUE`."""

from __future__ import annotations

from lark_sheets.errors import Severity

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

Words = tuple[Severity, str, str, str]
"""Severity, what happened, what is expected, what to do."""


def N_(message: str) -> str:  # noqa: N802  (gettext's name for "translate later")
    """Mark a message for the catalogue without translating it here."""
    return message


ADDIN_PROBLEMS: dict[str, Words] = {
    # -- the open workbook ------------------------------------------------------------------------------------------
    "no_open_book": (
        ERROR,
        N_("no workbook is open"),
        N_("a campaign’s workbook open in the spreadsheet"),
        N_("Open the campaign’s workbook and press the button again."),
    ),
    "book_never_saved": (
        ERROR,
        N_("“{found}” has never been saved, so it lies in no folder"),
        N_("a workbook saved in a folder of this computer"),
        N_("Save it in the campaign’s folder and press the button again."),
    ),
    "book_in_cloud": (
        ERROR,
        N_("the folder of “{found}” cannot be found on this computer (OneDrive or SharePoint)"),
        N_("a workbook in a folder of this computer"),
        N_(
            "In OneDrive, choose “Always keep on this device” for the folder, or copy the folder to Documents and open it from there."
        ),
    ),
    "book_read_only": (
        ERROR,
        N_("the workbook is open read-only"),
        N_("a workbook that may be changed"),
        N_(
            "Close it, make sure nobody else has it open and that the file is not marked read-only, open it again, and press the button again."
        ),
    ),
    "sheet_locked": (
        ERROR,
        N_("the sheet is protected with a password"),
        N_("a sheet without a password; ours have none"),
        N_("Take the protection off (Review, Unprotect Sheet) and press the button again."),
    ),
    "write_not_kept": (
        ERROR,
        N_("the spreadsheet did not keep what was written (it shows “{found}”)"),
        N_("“{expected}”"),
        N_("Show all rows (clear the filters), unprotect the sheet, and press the button again."),
    ),
    "application_busy": (
        ERROR,
        N_("the spreadsheet is busy: a cell is being edited or a window waits for an answer"),
        N_("a spreadsheet at rest"),
        N_("Finish the cell with Enter or leave it with Esc, close the window, and press the button again."),
    ),
    "already_running": (
        ERROR,
        N_("another button is still at work on this campaign"),
        N_("one button at a time"),
        N_("Wait until the status bar says that it is done."),
    ),
    "unexpected": (
        ERROR,
        N_("something went wrong that should not have ({found})"),
        N_("an outcome or a reason"),
        N_(
            "Nothing half written was left behind. Try again; if it happens again, send the log with your question: {log}"
        ),
    ),
    "not_a_campaign_book": (
        ERROR,
        N_("“{found}” is a grader’s workbook"),
        N_("the coordinator’s workbook, campaign.xlsx"),
        N_("Open campaign.xlsx of this campaign and press the button again."),
    ),
    # -- the starter workbook ---------------------------------------------------------------------------------------
    "starter_value": (
        ERROR,
        N_("“{found}” cannot be used for {what}"),
        N_("{allowed}"),
        N_("Correct the cell and press New again."),
    ),
    # -- the machine ------------------------------------------------------------------------------------------------
    "no_libreoffice": (
        ERROR,
        N_("LibreOffice, or its bridge to Python, is missing here ({found})"),
        N_("LibreOffice with python3-uno, for the same version of Python"),
        N_("Install LibreOffice and its Python bridge (on Debian: libreoffice-calc and python3-uno)."),
    ),
    "no_excel": (
        ERROR,
        N_("no running Excel was found ({found})"),
        N_("Excel for Windows or Mac, running, with the workbook open"),
        N_("Open the workbook in Excel first, or name a workbook: it is then worked on as a file."),
    ),
    "several_excels": (
        ERROR,
        N_("“{found}” is open in no Excel that answers; open there: {seen}"),
        N_("the name of an open workbook"),
        N_("Name one of them, or give the path of a workbook."),
    ),
    "no_key_store": (
        ERROR,
        N_("the key store of this system cannot be used ({found})"),
        N_("the key store of Windows, macOS or the Linux desktop"),
        N_("Unlock it or install one, or set the variable ANTHROPIC_API_KEY for this session."),
    ),
    "no_api_key": (
        ERROR,
        N_("no API key for {provider} was found in the key store or in {variable}"),
        N_("a key of {provider}"),
        N_(
            "Store it once: lark-sheets addin key. It is kept by the system’s key store, never in a file of ours."
        ),
    ),
}
