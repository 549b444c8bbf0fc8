"""The browser client's colours are made from the palettes, their one source."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "web" / "scripts" / "look.py"


def test_the_clients_colours_are_the_palettes() -> None:
    found = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, f"{found.stdout}: run web/scripts/look.py"
