"""Play in the terminal: full screen (`app.py`) or line by line (`plain.py`)."""

from __future__ import annotations

from genial.terminal.entry import play

__all__ = ["play"]
