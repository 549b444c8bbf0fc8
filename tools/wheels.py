"""`make wheels`: an sdist, and from it a wheel for each platform and a generic one, into dist/.

python -m tools.wheels [PLATFORM ...] --libraries FOLDER [--folder dist]

The kernels of all platforms are in one folder (`python -m tools.kernel all --folder FOLDER`). The same tree,
lock files and Python give the same bytes: files are sorted, and have one date (SOURCE_DATE_EPOCH, or
hatchling's own).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from hatch_build import PLATFORMS

ROOT = Path(__file__).resolve().parents[1]


def wheels(platforms: Iterable[str], libraries: Path, folder: Path) -> list[Path]:
    """The sdist, and the wheels made from it for these platforms."""
    with tempfile.TemporaryDirectory() as empty:
        sdist = _built(ROOT, "sdist", folder)
        with tarfile.open(sdist) as packed:
            packed.extractall(empty, filter="data")
        (source,) = Path(empty).iterdir()
        return [sdist, *(_built(source, "wheel", folder, platform, libraries) for platform in platforms)]


def _built(source: Path, kind: str, folder: Path, platform: str = "", libraries: Path | None = None) -> Path:
    """One file, made by hatchling in a separate process, which sees only what is in this tree."""
    asked = {"GENIAL_PLATFORM": platform, "GENIAL_LIBRARIES": str(libraries)} if libraries else {}
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as empty:
        command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", empty]
        done = subprocess.run(
            command, cwd=source, env=os.environ | asked, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"hatchling made no {kind} {platform}:\n{done.stderr}")
        (made,) = Path(empty).iterdir()
        return made.replace(folder / made.name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make them, and report their sizes and hashes."""
    parser = argparse.ArgumentParser(prog="python -m tools.wheels", description="An sdist and wheels.")
    parser.add_argument("platforms", nargs="*", default=[*PLATFORMS], help="all of them if none is named")
    parser.add_argument("--libraries", type=Path, required=True, help="where the compiled kernels are")
    parser.add_argument("--folder", type=Path, default=ROOT / "dist")
    chosen = parser.parse_args(arguments)
    for path in wheels(chosen.platforms, chosen.libraries.resolve(), chosen.folder.resolve()):
        print(f"{sha256(path.read_bytes()).hexdigest()}  {path.stat().st_size:>9,}  {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
