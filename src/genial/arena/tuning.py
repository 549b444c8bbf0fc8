"""The result of tuning a bot, in one stable format: `genial-tuning/1`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from genial.arena.errors import WrongContest
from genial.arena.statistics import Estimate
from genial.bots.tuned import name_of

FORMAT = "genial-tuning/1"
EVEN = 0.5
"""The score of a bot against itself."""


class Range(msgspec.Struct, frozen=True):
    """A parameter that was tuned: the bot's own value, and the range that was tried."""

    name: str
    own: float
    low: float
    high: float
    step: float


class Search(msgspec.Struct, frozen=True):
    """What determines every trial, but not how many there are."""

    bot: str
    variant: str
    seats: int
    seed: str
    ranges: tuple[Range, ...]
    games: int
    """Games of one trial, against the bot as it is."""
    deadline: float
    nodes: int | None = None
    seconds: float | None = None

    @property
    def own(self) -> dict[str, float]:
        return {found.name: found.own for found in self.ranges}


class Trial(msgspec.Struct, frozen=True):
    """One set of parameters, and how it did. All trials play the same deals."""

    parameters: dict[str, float]
    games: int
    score: Estimate
    hopeless: bool
    """Given up, because its interval had fallen below the best so far."""


class Check(msgspec.Struct, frozen=True):
    """The best parameters again, on deals that no trial has seen: the best of many was also lucky."""

    games: int
    score: Estimate

    @property
    def is_better(self) -> bool:
        """True if the whole interval is above the bot's score against itself."""
        return self.score.low > EVEN


class Tuning(msgspec.Struct, frozen=True):
    """A whole tuning: what was asked, how it was made, the outcome, and every trial."""

    format: str
    command: str
    version: str
    optuna: str
    cores: int
    search: Search
    complete: bool
    best: Trial | None
    """None if nothing scored above one half."""
    check: Check | None
    trials: tuple[Trial, ...]
    """Each set of parameters once; Optuna may return to one."""

    @property
    def name(self) -> str | None:
        """The name of the best bot, for example in the arena."""
        return name_of(self.search.bot, self.best.parameters) if self.best else None


def best_of(trials: tuple[Trial, ...]) -> Trial | None:
    """The trial with the highest score, the first in a tie, if it is above one half."""
    whole = [trial for trial in trials if not trial.hopeless and trial.score.mean > EVEN]
    return max(whole, key=lambda trial: trial.score.mean, default=None)


def read(path: Path) -> Tuning:
    """The tuning in a file; raises SetupError if it contains none."""
    try:
        tuning = msgspec.json.decode(path.read_bytes(), type=Tuning)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise WrongContest("tuning-file", path=str(path), problem=str(error)) from None
    if tuning.format != FORMAT:
        raise WrongContest("tuning-file", path=str(path), problem=f"format {tuning.format}")
    return tuning
