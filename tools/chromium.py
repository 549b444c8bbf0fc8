"""The browser for tests and pictures: Debian's Chromium, in its headless version if that is installed."""

from __future__ import annotations

import shutil

COMMANDS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first one found is used. The headless shell is the same engine, and opens a page in half the time."""
NO_BROWSER = (
    "no Chromium here: install it with `apt-get install chromium-headless-shell` (Debian), "
    "or run `make chromium` as root"
)

CHROMIUM = next(filter(None, map(shutil.which, COMMANDS)), None)
"""The path of the browser; None if there is none."""
