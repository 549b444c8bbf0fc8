"""The browser for tests and pictures: Debian's Chromium, without its windows where that is installed."""

from __future__ import annotations

import shutil

COMMANDS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first that is there. The headless shell is the same engine, and opens a page in half the time."""
NO_BROWSER = (
    "no Chromium here: install it with `apt-get install chromium-headless-shell` (Debian), "
    "or run `make chromium` as root"
)

CHROMIUM = next(filter(None, map(shutil.which, COMMANDS)), None)
"""Where it is; None where there is none."""
