"""Compiled kernels for tests of packages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hatch_build import PLATFORMS, compiled
from tests.once import once
from tools.kernel.targets import TARGETS

from genial.kernel import library


def kernels_of(platform: str, factory: pytest.TempPathFactory) -> Path:
    """A folder with the kernels of a platform, also for older processors: copied if built, or compiled."""

    def make(folder: Path) -> None:
        needed = {name: TARGETS[name].file for name in PLATFORMS[platform] if name != "ptx"}
        here = [file for file in needed.values() if (library.FOLDER / file).exists()]
        compiled([name for name, file in needed.items() if file not in here], folder)
        for file in here:
            shutil.copy(library.FOLDER / file, folder)

    return once(factory, "kernels", make)
