"""Check that every library that runs here, natively or emulated, plays what the numba source played.

    python -m tools.kernel.agreement FILE --folder FOLDER [--case classic-2] [--searches 2]

FILE is what `tools.kernel.expectations` wrote, FOLDER where `tools.kernel` put the libraries. A small C
program (driver.c) is compiled against the header and each library. arm64 runs in Debian's qemu-user, Windows
in its wine. Nothing here emulates macOS: its library is linked, and its symbols and its signature are
checked. An emulated arm64 takes half a minute for a game by search, so fewer of them can be requested.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tools.kernel.expectations import read, write
from tools.kernel.header import NAME, header
from tools.kernel.targets import TARGETS, Target, native

_DRIVER = Path(__file__).with_name("driver.c")
_ARM_LIBRARIES = Path("/usr/aarch64-linux-gnu")
"""Where Debian keeps the C library for arm64."""
_WINE = Path(__file__).parents[2] / "build" / "kernel" / "wine"
"""The folder wine uses as a Windows disk. Creating one takes longer than a game, so it is kept."""


class Machine(NamedTuple):
    """What runs a target's programs here, and what to install if it is missing."""

    command: tuple[str, ...]
    packages: str

    def lacks(self) -> str | None:
        """What has to be installed first, as a sentence."""
        for part in self.command:
            if not (shutil.which(part) or Path(part).exists() or part.startswith("-")):
                return f"{part} is missing. As root: apt-get install --no-install-recommends {self.packages}"
        return None


HERE = Machine((), "")
IMITATED = {
    "linux-arm64": Machine(("qemu-aarch64", "-L", str(_ARM_LIBRARIES)), "qemu-user libc6-arm64-cross"),
    "windows-x86-64-v3": Machine(("wine",), "wine wine64"),
    "windows-x86-64-v2": Machine(("wine",), "wine wine64"),
}


def machine_of(target: Target) -> Machine | None:
    """What runs a target's programs; None if nothing can."""
    return HERE if target in native() else IMITATED.get(target.name)


def driver(target: Target, library: Path, folder: Path) -> Path:
    """Build the C program for a target, in a folder together with a copy of the library."""
    (folder / NAME).write_text(header(), encoding="utf-8")
    shutil.copy(library, folder / target.file)
    shutil.copy(_DRIVER, folder)
    program = folder / ("driver.exe" if target.file.endswith(".dll") else "driver")
    command = ["cc", "-target", target.linker, "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", _DRIVER.name]
    origin = [] if target.file.endswith(".dll") else ["-Wl,-rpath,$ORIGIN"]
    subprocess.run(
        [sys.executable, "-m", "ziglang", *command, target.file, *origin, "-o", program.name],
        cwd=folder,
        check=True,
    )
    return program


def play(target: Target, library: Path, expectations: Path, case: str | None = None) -> int:
    """Have a library play, with its output going where ours goes. Returns 0 if all is the same."""
    machine = machine_of(target)
    assert machine is not None, f"nothing here runs {target.name}"
    _WINE.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        program = driver(target, library, Path(folder))
        command = [*machine.command, str(program), str(expectations.resolve()), *filter(None, [case])]
        wine = {"WINEDEBUG": "-all", "WINEPREFIX": os.environ.get("WINEPREFIX", str(_WINE))}
        return subprocess.run(command, env=os.environ | wine).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    """Have every library in a folder that can run here play; 1 if one of them plays differently."""
    parser = argparse.ArgumentParser(prog="python -m tools.kernel.agreement")
    parser.add_argument("file", type=Path, help="what tools.kernel.expectations wrote")
    parser.add_argument("--folder", type=Path, required=True, help="where the libraries are")
    parser.add_argument("--case", help="such as classic-2; all if none is named")
    parser.add_argument("--searches", type=int, help="games by search of each case; all if not said")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        file = chosen.file
        if chosen.searches is not None:
            file = Path(folder, "expectations.bin")
            write(
                file, (case._replace(searches=case.searches[: chosen.searches]) for case in read(chosen.file))
            )
        return _all(file, chosen.folder, chosen.case)


def _all(file: Path, folder: Path, case: str | None) -> int:
    failed = []
    for target in TARGETS.values():
        library = folder / target.file
        machine = machine_of(target)
        if not library.exists() or machine is None:
            continue
        if lack := machine.lacks():
            print(f"{target.name}: not played. {lack}")
        else:
            print(f"{target.name}:", flush=True)
            if play(target, library, file, case):
                failed.append(target.name)
    if failed:
        print(f"Played otherwise than the source: {', '.join(failed)}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
