"""A bot that waits, so that a test knows which games are in progress. A process for games calls `install`.

It marks in RAY_TMPDIR that it was asked, once for each process, and moves when the file `go` is there.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from genial.bots import BOTS, bot_named
from genial.bots.bot import Advice, Budget
from genial.core.actions import Action
from genial.core.view import View

MARK, GO = "asked-", "go"
_LONGEST = 600


@dataclass(frozen=True)
class WaitingBot:
    name: str = "waiting"

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Action:
        folder = Path(os.environ["RAY_TMPDIR"])
        (folder / f"{MARK}{os.getpid()}").touch()
        until = time.monotonic() + _LONGEST
        while not (folder / GO).exists() and time.monotonic() < until:
            time.sleep(0.05)
        return bot_named("greedy").choose(view, rng)

    def advise(
        self, view: View, rng: Random, budget: Budget | None = None, include: Sequence[Action] = ()
    ) -> Advice:
        return bot_named("greedy").advise(view, rng, budget, include)


def install() -> None:
    BOTS["waiting"] = WaitingBot()
