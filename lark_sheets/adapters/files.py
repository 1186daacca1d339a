"""Plain files: written whole or not at all, read with a clear word when they cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lark_sheets.adapters import disk_faults_told, replace_whole
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError

_LEFT_BY_OPEN_PROGRAMS = ("~$", ".~lock.", ".lark-", "._")
"""Starts of names that Excel, LibreOffice, our own unfinished writes and macOS leave beside real files."""


class DiskFiles:
    """The files of this machine (implements :class:`lark_sheets.ports.Files`)."""

    def exists(self, path: Path) -> bool:
        """Say whether a path is there; one that may not be looked at counts as absent."""
        try:
            return path.exists()
        except OSError:
            return False

    def read_text(self, path: Path) -> str:
        """Return a UTF-8 text file's content, a byte order mark dropped, line ends as they are.

        Raises :class:`~lark_sheets.errors.UsageError` for a missing path, :class:`~lark_sheets.errors.MissingPiece` for a locked
        one, :class:`~lark_sheets.errors.DataError` when the bytes are not UTF-8.
        """
        with disk_faults_told(path):
            data = path.read_bytes()
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            raise DataError(
                problem("damaged_file", file=path.name, found=f"UTF-8, byte {fault.start + 1}")
            ) from fault

    def read_bytes(self, path: Path) -> bytes:
        """Return a file's bytes; the same errors as for text, without the question of UTF-8."""
        with disk_faults_told(path):
            return path.read_bytes()

    def remove(self, path: Path) -> None:
        """Remove a file; one that is not there is no fault."""
        with disk_faults_told(path):
            path.unlink(missing_ok=True)

    def write_text(self, path: Path, text: str, *, private: bool = False) -> None:
        """Write a text file in UTF-8, whole or not at all; ``private`` files are readable by their owner only."""
        data = text.encode("utf-8")
        replace_whole(path, lambda file: file.write(data), private=private)

    def list(self, folder: Path, pattern: str) -> Sequence[Path]:
        """Return the files of a folder that match a pattern, sorted by name, without those an open program leaves there."""
        with disk_faults_told(folder):
            found = [
                path
                for path in folder.glob(pattern)
                if not path.name.startswith(_LEFT_BY_OPEN_PROGRAMS) and path.is_file()
            ]
        return sorted(found, key=lambda path: path.name)
