"""Processes that lead a group and are killed together with everything they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads a group, with its whole group."""
    if process.returncode is not None:
        return  # another process may have its pid by now
    if sys.platform == "win32":
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):  # it may refuse while it is ending
        os.killpg(process.pid, signal.SIGKILL)
