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
    "no_dialog": (
        ERROR,
        N_("a window to type in cannot be shown here ({found})"),
        N_("Python with its windows (tkinter)"),
        N_("Type it in a terminal instead: lark-sheets addin key"),
    ),
    "no_calibration_set": (
        ERROR,
        N_("there are no labelled responses in {found}"),
        N_("calibration.csv with the columns id, ticket, response, human_verdict and one per criterion"),
        N_("Put the table into the campaign’s folder and press the button again."),
    ),
    # -- the installation -------------------------------------------------------------------------------------------
    "addin_system": (
        ERROR,
        N_("there is no Excel with macros for this system ({found})"),
        N_("Windows or macOS"),
        N_(
            "Use the command line, or lark-sheets attach with a workbook; LibreOffice opens every workbook of ours."
        ),
    ),
    "addin_no_excel": (
        ERROR,
        N_("Excel was not found on this computer"),
        N_("Excel of Microsoft 365, or Excel 2016 or newer"),
        N_("Install Excel, or use the command line: it needs none."),
    ),
    "addin_old_excel": (
        WARNING,
        N_("this Excel is of version {found}"),
        N_("version 16 or newer"),
        N_("Update Excel; older versions were never tried."),
    ),
    "addin_absent": (
        ERROR,
        N_("the add-in is not where Excel loads it ({found})"),
        N_("the file that this version writes there"),
        N_("Run the installer once more (lark-sheets addin install), then start Excel anew."),
    ),
    "addin_outdated": (
        WARNING,
        N_("the add-in is of another version or of another Python ({found})"),
        N_("the one that this version writes"),
        N_("Run the installer once more (lark-sheets addin install), then start Excel anew."),
    ),
    "addin_python": (
        ERROR,
        N_("the Python of the add-in does not find Lark Sheets ({found})"),
        N_("a Python in which lark_sheets {version} is installed"),
        N_("Run the installer once more; do not move or delete its folder afterwards."),
    ),
    "addin_library": (
        ERROR,
        N_("the library through which Python speaks to Excel is missing: {found}"),
        N_("{found}, which xlwings brings along"),
        N_("Run the installer once more."),
    ),
    "addin_blocked": (
        ERROR,
        N_("the add-in is marked as coming from the internet: Excel refuses its macros ({found})"),
        N_("a file without that mark"),
        N_("Run the installer once more; by hand: right-click the file, Properties, Unblock."),
    ),
    "addin_macros_off": (
        ERROR,
        N_("macros are switched off here by a rule of your office ({found})"),
        N_("macros allowed in the start-up folder of Excel"),
        N_(
            "Ask whoever runs your computers to allow this add-in; until then use lark-sheets attach, which needs no macro."
        ),
    ),
    "addin_signed_only": (
        ERROR,
        N_("only signed add-ins are allowed here by a rule of your office ({found}); ours is not signed"),
        N_("unsigned add-ins allowed, or ours signed by your office"),
        N_(
            "Ask whoever runs your computers to sign or allow it; until then use lark-sheets attach, which needs no macro."
        ),
    ),
    "addin_untrusted_place": (
        WARNING,
        N_("trusted folders are switched off ({found}): Excel may ask about macros at every start"),
        N_("Excel’s start-up folder trusted"),
        N_(
            "Excel, File, Options, Trust Center, Trusted Locations: switch them on, or allow the macros when asked."
        ),
    ),
    "addin_disabled": (
        ERROR,
        N_("Excel has put the add-in on its list of disabled items after a crash"),
        N_("the add-in enabled"),
        N_("Excel, File, Options, Add-ins, Manage: Disabled Items, Go: enable it, then start Excel anew."),
    ),
    "addin_no_child": (
        ERROR,
        N_("a rule of Microsoft Defender keeps Excel from starting Python ({found})"),
        N_("Excel allowed to start programs"),
        N_(
            "Use lark-sheets attach: it works on the open workbook from outside, which the rule does not touch."
        ),
    ),
    "addin_script_absent": (
        ERROR,
        N_("the script through which Excel for Mac starts Python is missing ({found})"),
        N_("the script that the installer writes"),
        N_("Run the installer once more (lark-sheets addin install)."),
    ),
    "addin_odd_path": (
        ERROR,
        N_("the path of your home folder holds characters that Excel for Mac cannot pass on ({found})"),
        N_("letters, digits, dots and dashes"),
        N_("Use the command line or lark-sheets attach, which do not need the add-in."),
    ),
    "addin_mac_asks": (
        NOTE,
        N_("at the first press macOS asks whether Excel may be controlled"),
        N_("your permission"),
        N_("Allow it; later: System Settings, Privacy & Security, Automation."),
    ),
    "addin_in_cloud": (
        NOTE,
        N_("documents lie in a cloud folder ({found})"),
        N_("workbooks that are on this computer"),
        N_("Set the campaign’s folder to “Always keep on this device”."),
    ),
    "addin_key_kept": (
        NOTE,
        N_("a key of {provider} is in the key store of this system"),
        N_("a key, if a model is to judge"),
        N_("Nothing to do."),
    ),
    "addin_key_absent": (
        NOTE,
        N_("no key of {provider} is kept: a model cannot judge yet"),
        N_("a key, if a model is to judge"),
        N_("Judge, API key on the ribbon, or lark-sheets addin key."),
    ),
    "addin_fine": (
        NOTE,
        N_("installed: {found}"),
        N_("version {version}"),
        N_("Nothing to do."),
    ),
    "addin_probe": (
        ERROR,
        N_("the spreadsheet gave back “{found}” for {what}"),
        N_("“{expected}”"),
        N_("Please send this line with the version of your spreadsheet: grades could be misread."),
    ),
    "addin_probe_fine": (
        NOTE,
        N_("written and read back without loss: {found}"),
        N_("values as they were written"),
        N_("Nothing to do."),
    ),
}
