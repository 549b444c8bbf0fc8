"""A newcomer's path to research, timed: from an empty environment to a trained policy that beats `random`.

python -m tools.newcomer_research dist/genial-*-manylinux_2_17_x86_64.whl

Without a wheel, this checkout is installed in place; pip then also fetches what builds the package. What runs
is the script of the tutorial in docs/research.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from tools.installed import Environment

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "baselines" / "first_policy.py"


class Trained(NamedTuple):
    """The script's outcome: mean lowest colours with their intervals."""

    seconds: float
    random: dict[str, float]
    trained: dict[str, float]

    @property
    def is_better(self) -> bool:
        """Clearly better than random."""
        return self.trained["low"] > self.random["high"]


def train(python: str, folder: Path, variables: Mapping[str, str], arguments: Sequence[str] = ()) -> Trained:
    """Run the tutorial's script in a folder with this Python."""
    begin = monotonic()
    subprocess.run([python, SCRIPT, "--out", "first", *arguments], cwd=folder, env=variables, check=True)
    found = json.loads((folder / "first.json").read_text(encoding="utf-8"))
    return Trained(monotonic() - begin, found["random"], found["trained"])


def main(given: Sequence[str] | None = None) -> int:
    """Install, train and report; 1 if the trained policy is no better than random."""
    ask = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    ask.add_argument("wheel", nargs="?", type=Path)
    ask.add_argument("--minutes", default="1", help="of training")
    asked = ask.parse_args(given)
    with tempfile.TemporaryDirectory() as folder:
        begin = monotonic()
        environment = Environment(Path(folder) / "environment")
        environment.install(*([f"{asked.wheel}[rl]"] if asked.wheel else ["-e", f"{ROOT}[rl]"]))
        installed = monotonic() - begin
        (python,) = environment.command("python")
        found = train(python, Path(folder), environment.variables, ["--minutes", asked.minutes])
    print(f"environment and packages: {installed:.0f} s")
    print(f"training and test: {found.seconds:.0f} s, on {os.cpu_count()} cores")
    print(f"in all: {installed + found.seconds:.0f} s")
    return 0 if found.is_better else 1


if __name__ == "__main__":
    sys.exit(main())
