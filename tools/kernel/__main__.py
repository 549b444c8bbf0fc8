"""Compiles the kernel: see the package."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.kernel.build import build
from tools.kernel.targets import GROUPS, TARGETS, named
from tools.kernel.versions import WrongVersion

from genial.kernel.library import FOLDER


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile for the named targets; 1 if that is impossible, 2 if there is no such target."""
    parser = argparse.ArgumentParser(prog="python -m tools.kernel", description="Compile the kernel.")
    known = ", ".join(["native", *GROUPS, *TARGETS])
    parser.add_argument("targets", nargs="*", default=["native"], help=f"native if none is named; {known}")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the files go")
    chosen = parser.parse_args(arguments)
    try:
        targets = named(chosen.targets)
    except ValueError as error:
        parser.error(str(error))
    if not targets:
        print("There is no compiled kernel for this machine.", file=sys.stderr)
        return 1
    try:
        build(targets, chosen.folder, lambda line: print(line, flush=True))
    except WrongVersion as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
