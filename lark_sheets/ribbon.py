"""The buttons of the ribbon: each is one macro, one function here, one use case; and a message, whatever happens.

A macro calls ``import lark_sheets.ribbon; lark_sheets.ribbon.update()``. No function raises, none returns anything: what a person should
know stands in the workbook's sheet for messages or in a message box.
"""

from __future__ import annotations


def new() -> None:
    """New: write an empty starter workbook, or make the campaign that the filled one describes."""
    _press("new")


def update() -> None:
    """Update: gather the graders' workbooks, recompute, write the results and open them."""
    _press("update")


def preview() -> None:
    """Re-score: show what the edits of the rubric change; nothing is written."""
    _press("preview")


def apply() -> None:
    """Re-score, Apply: write what the preview shows."""
    _press("apply")


def undo() -> None:
    """Re-score, Undo: take the last revision back."""
    _press("undo")


def estimate() -> None:
    """Judge, Estimate: say what a run of the judge would take; nothing is sent."""
    _press("estimate")


def calibrate() -> None:
    """Judge, Calibrate: compare the judge with people on labelled responses."""
    _press("calibrate")


def judge() -> None:
    """Judge, Run: ask the judge for what it has not judged yet, after a person's yes to the estimate."""
    _press("judge")


def store_key() -> None:
    """Judge, Key: put the service's API key into the system's key store."""
    _press("store_key")


def report() -> None:
    """Report: reveal the runs if all is graded and a person says yes, then write and open the report."""
    _press("report")


def self_test() -> None:
    """Help: test the installation and say what to do about each finding."""
    _press("self_test")


def _press(name: str) -> None:
    from lark_sheets import wiring

    wiring.press(name)
