"""Workbook files: read whole, written from a plan, changed cell by cell."""

from __future__ import annotations

from pathlib import Path

from lark_sheets.core.bookplan import BookPatch, BookPlan
from lark_sheets.core.cells import BookData


class FileBooks:
    """Workbooks as files on this machine (implements :class:`lark_sheets.ports.Books`); libraries load when first used."""

    def read(self, path: Path) -> BookData:
        """Read every sheet of a workbook: see :func:`lark_sheets.adapters.books.calamine_reader.read`."""
        from lark_sheets.adapters.books.calamine_reader import read

        return read(path)

    def write(self, plan: BookPlan, path: Path) -> None:
        """Write a new workbook, whole or not at all: see :func:`lark_sheets.adapters.books.openpyxl_writer.write`."""
        from lark_sheets.adapters.books.openpyxl_writer import write

        write(plan, path)

    def patch(self, path: Path, patch: BookPatch) -> Path | None:
        """Change cells of a workbook in place: see :func:`lark_sheets.adapters.books.cell_patch.patch`."""
        from lark_sheets.adapters.books.cell_patch import patch as change

        return change(path, patch)
