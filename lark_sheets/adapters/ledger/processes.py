"""Whether the process that started a run is still at work: what it sent is then its own business."""

from __future__ import annotations

import os
import sys


def is_running(pid: int) -> bool:
    """Say whether a process of this machine runs, without touching it."""
    if sys.platform == "win32":
        import ctypes

        synchronize, still_waiting = 0x0010_0000, 0x102
        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(synchronize, False, pid)
        if not handle:
            return False
        try:
            return bool(kernel.WaitForSingleObject(handle, 0) == still_waiting)
        finally:
            kernel.CloseHandle(handle)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
