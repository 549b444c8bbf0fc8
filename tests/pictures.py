"""The README's picture, made by `genial show`."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from tempfile import TemporaryDirectory

from genial.cli import main

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "classic.svg"


def picture(folder: Path) -> str:
    """The SVG of a half-played game, as the player whose turn it is sees it."""
    with contextlib.redirect_stdout(io.StringIO()):
        main(
            [
                "simulate",
                "classic",
                "--games",
                "1",
                "--seed",
                "picture",
                "--jobs",
                "1",
                "--records",
                str(folder),
            ]
        )
        record = str(folder / "classic-2-picture-0.genial.json")
        main(["show", record, "--ply", "24", "--seat", "1", "--svg", str(folder / "picture.svg")])
    return (folder / "picture.svg").read_text(encoding="utf-8")


def write() -> None:
    """Draw the picture again, and store it."""
    with TemporaryDirectory() as folder:
        PICTURE.parent.mkdir(exist_ok=True)
        PICTURE.write_text(picture(Path(folder)), encoding="utf-8")
