"""Genial Bench: players measured against opponents that never change, in files that can be checked.

An entry is a contest with all its games. Anyone who has the file can recompute the scores from the games;
docs/research.md has the rules for a fair entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from genial import kernel
from genial.arena.contest import Contest
from genial.arena.errors import WrongContest
from genial.arena.fixtures import Lineup, lineups
from genial.arena.game import Played
from genial.arena.results import Result, result_of
from genial.arena.settings import Settings
from genial.bots.driver import DEADLINE
from genial.bots.external import player_named
from genial.bots.searcher import SearchBot
from genial.core.errors import SetupError
from genial.core.title import Setup, setup
from genial.core.titles import title_of

FORMAT = "genial-bench/1"
SEED = "bench-1"
"""The seed of the deals used for all entries."""
GAMES = 200
"""The fewest games an entry plays against each opponent; more if a duplicate set is larger."""


class Opponent(msgspec.Struct, frozen=True):
    """A player that never changes: a better one gets a new version and replaces nobody."""

    name: str
    version: int
    nodes: int | None
    """Nodes per move; None if it does not look ahead."""
    bot: str
    """Its name in the arena."""

    @property
    def title(self) -> str:
        """Name, version and nodes.

        >>> OPPONENTS[-1].title
        'master 1, 24,000 nodes'
        """
        return f"{self.name} {self.version}" + (f", {self.nodes:,} nodes" if self.nodes else "")


OPPONENTS: tuple[Opponent, ...] = (
    Opponent("random", 1, None, "random"),
    Opponent("greedy", 1, None, "greedy"),
    Opponent("balanced", 1, None, "balanced"),
    Opponent("master", 1, 240, "master-1@240n"),
    Opponent("master", 1, 4000, "master-1@4000n"),
    Opponent("master", 1, 24_000, "master-1@24000n"),
)
"""From weakest to strongest. Add new versions at the end; never change one (tests/arena/test_bench.py)."""


class Entry(msgspec.Struct, frozen=True):
    """A submission: who plays, what it is, and the contest."""

    format: str
    name: str
    author: str
    about: str
    """How it was made: method, training games, hardware and hours; what it spends on a move."""
    result: Result

    @property
    def table(self) -> str:
        """The table it belongs to: variant and seats."""
        return f"{self.result.settings.variant}/{self.result.settings.seats}"

    @property
    def score(self) -> float:
        """The mean over all opponents; in solo games, the mean lowest marker."""
        if self.result.solo:
            return self.result.solo[0].lowest.mean
        return fmean(pair.score.mean for pair in self.result.pairs)


def bench_settings(
    variant: str, seats: int | None, player: str, opponents: Sequence[str] = (), deadline: float = DEADLINE
) -> Settings:
    """The contest an entry has to play; against only some of the opponents, if they are named.

    >>> settings = bench_settings("classic", 2, "level-3", ["greedy"])
    >>> settings.mode, settings.lineups[0].players, settings.seed
    ('gauntlet', ('level-3', 'greedy'), 'bench-1')
    """
    title = title_of(variant)
    found = setup(title, title.seats[0] if seats is None else seats)
    known = [opponent.bot for opponent in OPPONENTS]
    for name in opponents:
        if name not in known:
            raise WrongContest("bench-opponent", got=name, expected=known)
    mode = "solo" if found.seats == 1 else "gauntlet"
    field = [bot for bot in known if bot != player and (not opponents or bot in opponents)]
    return Settings(mode, variant, found.seats, SEED, _lineups(mode, found, player, field), deadline)


def _lineups(mode: str, found: Setup, player: str, field: Sequence[str]) -> tuple[Lineup, ...]:
    return lineups(mode, found, [player] if mode == "solo" else [player, *field])


def check_kernel(settings: Settings) -> None:
    """Raise SetupError if one of our players looks ahead but the kernel is not available."""
    players = {player for lineup in settings.lineups for player in lineup.players}
    searching = [name for name in players if isinstance(player_named(name), SearchBot)]
    if searching and not (usable := kernel.available()):
        raise WrongContest("bench-kernel", got=sorted(searching), problem=usable.reason)


def shortcomings(entry: Entry) -> list[str]:
    """What an entry lacks to be comparable with others, in words; empty if it is complete and fair.

    Its numbers are right: `read` has recomputed them.
    """
    result, settings = entry.result, entry.result.settings
    player = settings.lineups[0].players[0]
    found = []
    missing = [
        lineup.players[1]
        for lineup in bench_settings(settings.variant, settings.seats, player).lineups
        if lineup not in settings.lineups
    ]
    if missing and settings.seats > 1:
        found.append(f"didn't play {', '.join(missing)}")
    if result.games < GAMES or not result.complete:
        found.append(f"fewer than {GAMES} games")
    if settings.deadline > DEADLINE:
        found.append(f"more than {DEADLINE:g} seconds for a move")
    if settings.nodes is not None or settings.seconds is not None:
        found.append("the opponents had another budget than their own")
    if not entry.about:
        found.append("doesn't say how it was made")
    return found


# Files


def read(path: Path) -> Entry:
    """The entry in a file, its scores recomputed from its games; raises SetupError if they differ."""
    try:
        entry = msgspec.json.decode(path.read_bytes(), type=Entry)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise _wrong(path, str(error)) from None
    if entry.format != FORMAT:
        raise _wrong(path, f"format {entry.format}")
    if not entry.name.strip():
        raise _wrong(path, "it has no name")
    try:
        problem = _problem(entry)
    except (SetupError, IndexError, ValueError, ZeroDivisionError) as error:
        problem = f"its games can't be counted: {error}"
    if problem:
        raise _wrong(path, problem)
    return entry


def _problem(entry: Entry) -> str | None:
    """What is inconsistent in an entry, or None."""
    result, settings = entry.result, entry.result.settings
    player = settings.lineups[0].players[0]
    field = [lineup.players[-1] for lineup in settings.lineups]
    expected = bench_settings(
        settings.variant, settings.seats, player, () if settings.seats == 1 else field, settings.deadline
    )
    if msgspec.structs.replace(settings, nodes=None, seconds=None) != expected:
        return "its contest isn't the bench's: other deals, seats or opponents"
    contest = Contest(settings, result.games)
    for line in result.lines:
        seated = settings.lineups[line.lineup].seated(line.seating)
        if not len(line.ranks) == len(line.noted) == settings.seats:
            return f"a game has {len(line.ranks)} ranks for {settings.seats} seats"
        if any(rank != 1 + sum(other < rank for other in line.ranks) for rank in line.ranks):
            return f"nobody can be ranked {list(line.ranks)}"
        contest.add(
            Played(
                line.lineup,
                line.deal,
                line.seating,
                seated,
                line.ranks,
                line.noted,
                line.reason,
                forfeit=line.forfeit,
            )
        )
    again = result_of(contest, result.games, result.command)
    if (again.pairs, again.solo, again.complete) != (result.pairs, result.solo, result.complete):
        return "its scores don't follow from its games"
    return None if again.lines == result.lines and again.lines else "games are missing"


def _wrong(path: Path, problem: str) -> WrongContest:
    return WrongContest("bench-file", path=str(path), problem=problem)
