"""The whole build: from the source to files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from tools.kernel import header, versions
from tools.kernel.link import link
from tools.kernel.lower import lower
from tools.kernel.ptx import ptx
from tools.kernel.source import unoptimised
from tools.kernel.targets import Form, Target

from genial.kernel.library import FOLDER


def build(
    targets: Sequence[Target], folder: Path = FOLDER, say: Callable[[str], None] = lambda _: None
) -> list[Path]:
    """Build the files for these targets and the C header in a folder; `say` is told the progress."""
    versions.check()
    folder.mkdir(parents=True, exist_ok=True)
    say("Reading the kernel's source ...")
    text = unoptimised() if any(target.form is not Form.PTX for target in targets) else ""
    with ProcessPoolExecutor(min(len(targets), os.cpu_count() or 1)) as pool:
        begun = [pool.submit(_one, text, target, folder / target.file) for target in targets]
        say(f"Compiling for {', '.join(target.name for target in targets)} ...")
        for done, ended in enumerate(as_completed(begun), 1):
            path = ended.result()
            say(f"{done} of {len(targets)}: {path.name}, {path.stat().st_size:,} bytes")
    written = folder / header.NAME
    written.write_text(header.header(), encoding="utf-8")
    return [*(folder / target.file for target in targets), written]


def _one(text: str, target: Target, out: Path) -> Path:
    if target.form is Form.PTX:  # has its own entries
        out.write_text(ptx(), "ascii")
    else:
        link(lower(text, target), target, out)
    return out
