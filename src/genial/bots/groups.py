"""Processes that lead a group, and are killed with everything they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads a group, and the whole group."""
    if process.returncode is not None:
        return  # its number may be another process's by now
    if sys.platform == "win32":
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):  # one that is ending already may refuse
        os.killpg(process.pid, signal.SIGKILL)
