"""The desktop around the spreadsheet: showing a file, a message box of the system's own, a window to type a secret into."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

from lark_sheets.core.problems import problem
from lark_sheets.errors import MissingPiece

_TITLE = "Lark Sheets"
_ALERT = 'on run words\ndisplay alert "Lark Sheets" message (item 1 of words)\nend run'


def show(path: Path) -> None:
    """Show a file in the program that the system has for it; where there is none, nothing happens."""
    command = {"darwin": ["open"], "win32": ["explorer"]}.get(sys.platform, ["xdg-open"])
    with contextlib.suppress(OSError):
        subprocess.Popen([*command, str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def last_word(text: str) -> None:
    """Tell a person something when the spreadsheet cannot: in the system's own message box, else on the error stream."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, text, _TITLE, 0x30)
    elif sys.platform == "darwin":
        with contextlib.suppress(OSError):
            subprocess.run(["osascript", "-e", _ALERT, text], check=False, capture_output=True)
    else:
        print(text, file=sys.stderr, flush=True)


def ask_text(text: str, *, secret: bool = False) -> str:
    """Ask for a line of text in a window of its own, hidden while it is typed when it is ``secret``; "" when it is closed.

    Raises :class:`MissingPiece` where no window can be shown.
    """
    try:
        import tkinter as tk
        from tkinter import simpledialog

        root = tk.Tk()
    except Exception as fault:
        raise MissingPiece(problem("no_dialog", found=type(fault).__name__)) from fault
    root.withdraw()
    root.attributes("-topmost", True)
    try:
        said = simpledialog.askstring(_TITLE, text, show="•" if secret else None, parent=root)
    finally:
        root.destroy()
    return (said or "").strip()
