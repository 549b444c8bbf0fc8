"""A contest in progress: which games come next, what is known so far, and when that is enough.

Sets are counted in the order of their deals, however many games are in progress at once. So the same settings
give the same result on one core and on a hundred: games played beyond the answer stay in the log but do not
count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from math import ceil
from statistics import fmean

from genial.arena.fixtures import Fixture, Key, Lineup
from genial.arena.game import Played
from genial.arena.runner import Runner
from genial.arena.sequential import Question, likelihood_ratio
from genial.arena.settings import Settings
from genial.arena.statistics import set_score

Keep = Callable[[Played], None]


class Contest:
    """The games of a contest, both known and still to come.

    `games` limits the games of each lineup; it is rounded up to whole sets.
    """

    def __init__(
        self,
        settings: Settings,
        games: int,
        question: Question | None = None,
        played: Mapping[Key, Played] | None = None,
        records: str | None = None,
    ) -> None:
        self.settings = settings
        self.question = question
        self.races = [Race(lineup, games, question) for lineup in settings.lineups]
        self._records = records
        for game in (played or {}).values():
            self.add(game)

    @property
    def most_games(self) -> int:
        """How many games there are if no question is answered early."""
        return sum(race.sets * len(race.lineup.seatings) for race in self.races)

    @property
    def known_games(self) -> int:
        """How many of them no longer need to be played."""
        return sum(race.known_games for race in self.races)

    def add(self, played: Played) -> None:
        """Add a finished game."""
        self.races[played.lineup].add(played)

    def fixtures(self) -> Iterator[Fixture]:
        """The games still to be played, deal by deal; ends when everything is settled."""
        for deal in range(max(race.sets for race in self.races)):
            for number, race in enumerate(self.races):
                for seating in range(len(race.lineup.seatings)):
                    if deal < race.sets and not race.is_settled and not race.has(deal, seating):
                        yield self.settings.fixture((number, deal, seating), self._records)

    def play(self, runner: Runner, keep: Keep, step: Callable[[], None] = lambda: None) -> None:
        """Play until everything is settled; each game is stored before it counts, then `step` is called."""
        for played in runner.play(self.fixtures()):
            keep(played)
            self.add(played)
            step()

    def counted(self) -> list[Played]:
        """All games that count, deal by deal."""
        found = [game for race in self.races for game in race.counted()]
        return sorted(found, key=lambda game: (game.deal, game.lineup, game.seating))

    def so_far(self) -> str:
        """What is known about the first lineup still playing, in a few words."""
        running = [race for race in self.races if not race.is_settled]
        more = f", {len(running) - 1} more" if len(running) > 1 else ""
        return f"{running[0].so_far()}{more}" if running else ""


class Race:
    """The games of one lineup."""

    def __init__(self, lineup: Lineup, games: int, question: Question | None) -> None:
        self.lineup = lineup
        self.sets = ceil(games / len(lineup.seatings))
        self.answer: str | None = None
        """The sequential test's answer, once there is one."""
        self.ratio = 0.0
        self.scores: list[float] = []
        """The first player's score against the second, set by set, as far as they count."""
        self._question = question if len(lineup.players) == 2 else None
        self._games: dict[tuple[int, int], Played] = {}
        self._complete = 0

    def add(self, played: Played) -> None:
        self._games[played.deal, played.seating] = played
        while not self.is_settled and all(self.has(self._complete, n) for n in self._seatings):
            self._count(self._complete)
            self._complete += 1

    def _count(self, deal: int) -> None:
        if len(self.lineup.players) < 2:
            return
        games = [self._games[deal, seating] for seating in self._seatings]
        self.scores.append(set_score([game.ranks for game in games], self.lineup.seatings, 0, 1))
        question = self._question
        if question and not question.fixed:
            outcomes = Counter(self.scores)
            self.ratio = likelihood_ratio(outcomes, question.low, question.high)
            self.answer = question.answer(outcomes)

    @property
    def _seatings(self) -> range:
        return range(len(self.lineup.seatings))

    def has(self, deal: int, seating: int) -> bool:
        return (deal, seating) in self._games

    @property
    def is_settled(self) -> bool:
        """True if nothing more has to be played."""
        return self.answer is not None or self._complete >= self.sets

    @property
    def known_games(self) -> int:
        most = self.sets * len(self.lineup.seatings)
        return most if self.is_settled else min(most, len(self._games))

    @property
    def counted_sets(self) -> int:
        """How many complete sets count."""
        return self._complete

    def counted(self) -> list[Played]:
        """The games that count."""
        return [self._games[deal, n] for deal in range(self._complete) for n in self._seatings]

    def so_far(self) -> str:
        """Who is playing, and the score."""
        names = " : ".join(self.lineup.players)
        score = f" {fmean(self.scores):.0%}" if self.scores else ""
        return f"{names}{score}"
