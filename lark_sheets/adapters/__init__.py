"""One library each: spreadsheets, tables, PDF, the judge. Adapters do not know each other.

What they share, and nothing more, stands here: how a file is replaced whole or not at all.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from lark_sheets.core.problems import problem
from lark_sheets.errors import MissingPiece, UsageError


@contextlib.contextmanager
def disk_faults_told(path: Path) -> Iterator[None]:
    """Turn what the operating system refuses into one clear problem about ``path``.

    A locked or forbidden file is ``file_locked``, a path that is not there ``missing_file``, anything else (disk full, drive
    gone, name too long ...) ``disk_fault``.
    """
    try:
        yield
    except PermissionError as fault:
        raise MissingPiece(problem("file_locked", file=path.name, found=str(path))) from fault
    except FileNotFoundError as fault:
        raise UsageError(problem("missing_file", file=path.name, found=str(path))) from fault
    except OSError as fault:
        raise MissingPiece(
            problem("disk_fault", file=path.name, found=fault.strerror or str(fault))
        ) from fault


def replace_whole(
    path: Path,
    write: Callable[[BinaryIO], object],
    *,
    private: bool = False,
    check: Callable[[], object] = lambda: None,
) -> None:
    """Write a file whole or not at all: a temporary file beside it, flushed to the disk, then put in its place.

    ``write`` fills the open file. The folder is made when it is not there; an existing file keeps its permissions, a
    ``private`` one is readable by its owner only. A link is followed: its target is replaced. Whatever happens before the
    last step, the old file is untouched and no temporary file stays. ``check`` is called just before that step and may raise.
    """
    with disk_faults_told(path):
        target = Path(os.path.realpath(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".lark-", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(_mode(target, private=private))
            check()
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        _flush_folder(target.parent)


def free_backup(path: Path) -> Path:
    """Return a name for a copy of a file as it was: in ``backups/`` beside it, numbered, where no file stands yet."""
    target = Path(os.path.realpath(path))
    folder = target.parent / "backups"
    with disk_faults_told(folder):
        folder.mkdir(exist_ok=True)
        number = 1
        while os.path.lexists(backup := folder / f"{target.stem}.backup-{number}{target.suffix}"):
            number += 1
    return backup


def _mode(target: Path, *, private: bool) -> int:
    if private:
        return 0o600
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _flush_folder(folder: Path) -> None:
    """Make the replacement itself survive a power cut, where the system can do that."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
