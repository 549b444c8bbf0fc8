"""The learned weights that come with the package: raw 32-bit floats, little-endian."""

from __future__ import annotations

from array import array
from functools import cache
from pathlib import Path

from genial.kernel.network import WEIGHTS

FOLDER = Path(__file__).parent / "weights"
VERSION = 2
"""The newest version. Older ones stay, each in its own folder: bots that use them serve as a benchmark."""


@cache
def weights_of(variant: str, seats: int, version: int = VERSION) -> array[float] | None:
    """The weights learned for a variant and seat count; None if there are none."""
    path = file_of(FOLDER / str(version), variant, seats)
    return read(path) if path.exists() else None


def file_of(folder: Path, variant: str, seats: int) -> Path:
    """The path of a variant's weights for a seat count in a folder."""
    return folder / f"{variant}-{seats}.f32"


def read(path: Path) -> array[float]:
    """The weights in a file; raises ValueError if their number does not fit the network."""
    data = path.read_bytes()
    if len(data) != 4 * WEIGHTS:
        raise ValueError(f"{path.name} has {len(data) / 4:,.10g} weights instead of {WEIGHTS:,}.")
    return array("f", data)


def write(path: Path, weights: array[float]) -> None:
    """Write weights to a file."""
    path.write_bytes(weights.tobytes())
