"""`genial arena dataset`: self-play games to learn from."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from genial.arena.options import Variant
from genial.core.printable import printable
from genial.options import AsJson, bar


def dataset(
    variant: Variant,
    /,
    *,
    out: Annotated[Path, Parameter(help="The file to write, *.parquet; its card goes next to it.")],
    seats: Annotated[int | None, Parameter(help="How many seats. Default: as few as possible.")] = None,
    bots: Annotated[str, Parameter(help="One bot for all seats, or one for each, with commas.")] = "balanced",
    games: Annotated[int, Parameter(help="How many games.")] = 1000,
    seed: Annotated[str, Parameter(help="Game k is dealt from the seed SEED-k.")] = "0",
    licence: Annotated[str, Parameter(help="What the card says that others may do with it.")] = "CC0-1.0",
    jobs: Annotated[int | None, Parameter(help="How many processes. Default: one for each core.")] = None,
    as_json: AsJson = False,
) -> int:
    """Let bots play each other and save every decision as a data set (Parquet), with a card."""
    from genial.arena.dataset import write_dataset
    from genial.arena.simulate import plan_of

    plan = plan_of(variant, seats, bots, games, seed, jobs)
    words = ["genial", "arena", "dataset", variant, "--seats", str(plan.seats), "--bots", bots]
    words += ["--games", str(games), "--seed", plan.seed, "--out", out.name]
    with bar("Games", games) as shown:
        rows = write_dataset(
            plan,
            out,
            command=shlex.join(words),
            licence=licence,
            jobs=jobs or os.cpu_count() or 1,
            progress=shown.step,
        )
    told = {"file": str(out), "card": str(out.with_suffix(".md")), "games": games, "rows": rows}
    if as_json:
        print(json.dumps(told))
    else:
        print(printable(f"{rows:,} decisions of {games:,} games saved in {out}, the card in {told['card']}"))
    return 0
