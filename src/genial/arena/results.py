"""The result of a contest, in one stable format: `genial-arena/1`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean

import msgspec

from genial import __version__
from genial.arena.contest import Contest, Race
from genial.arena.errors import WrongContest
from genial.arena.game import Forfeit, Played
from genial.arena.ratings import Rating, rate
from genial.arena.sequential import Question
from genial.arena.settings import Settings
from genial.arena.statistics import Estimate, Times, mean_estimate, score_estimate, set_score, times
from genial.core.titles import title_of

FORMAT = "genial-arena/1"


class Verdict(msgspec.Struct, frozen=True):
    """The answer to a demand."""

    at_least: float
    met: bool
    answer: str
    """The sequential test's `yes` or `no`; `open`: it ran out of games; `counted`: there was no test."""
    llr: float | None = None
    """The logarithm of the likelihood ratio at the end of the test."""


class PairResult(msgspec.Struct, frozen=True):
    """How one player did against another."""

    a: str
    b: str
    games: int
    sets: int
    score: Estimate
    """The score of a: the share of pairs of opposing seats in which it finished ahead, ties counting half."""
    outcomes: tuple[tuple[float, int], ...]
    """How many sets had each score."""
    verdict: Verdict | None = None


class SoloResult(msgspec.Struct, frozen=True):
    """How one player did alone."""

    bot: str
    games: int
    lowest: Estimate
    best: int
    distribution: tuple[tuple[int, int], ...]
    """How many games had each lowest marker."""
    verdict: Verdict | None = None


class BotResult(msgspec.Struct, frozen=True):
    """One player over all its games; a game on two seats counts twice."""

    bot: str
    games: int
    firsts: float
    """The share of first places; a shared one counts in part."""
    noted: float
    """The mean of what a series notes: the lowest marker, or the duel's colours."""
    forfeits: int
    rating: Rating | None
    """OpenSkill rating; None in solo games."""
    ms: Times | None
    nodes: float | None
    """Per move, if the bot says."""


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game that counts."""

    lineup: int
    deal: int
    seating: int
    ranks: tuple[int, ...]
    noted: tuple[int, ...]
    reason: str
    forfeit: Forfeit | None = None


class Result(msgspec.Struct, frozen=True):
    """A whole contest: what was asked, how it was made, the outcome, and every game."""

    format: str
    command: str
    version: str
    cores: int
    settings: Settings
    games: int
    """The most games per lineup."""
    question: Question | None
    complete: bool
    pairs: tuple[PairResult, ...]
    solo: tuple[SoloResult, ...]
    bots: tuple[BotResult, ...]
    lines: tuple[Line, ...]

    @property
    def verdicts(self) -> list[Verdict]:
        found = [pair.verdict for pair in self.pairs] + [solo.verdict for solo in self.solo]
        return [verdict for verdict in found if verdict]

    @property
    def forfeits(self) -> list[tuple[str, str]]:
        """Who lost by forfeit, and why, game by game."""
        lineups = self.settings.lineups
        return [
            (lineups[line.lineup].seated(line.seating)[line.forfeit.seat], line.forfeit.problem)
            for line in self.lines
            if line.forfeit
        ]


def result_of(contest: Contest, games: int, command: str, solo_at_least: float | None = None) -> Result:
    """The result of the contest so far; `solo_at_least` is demanded of the first bot's mean."""
    settings, counted = contest.settings, contest.counted()
    alone = settings.seats == 1
    return Result(
        format=FORMAT,
        command=command,
        version=__version__,
        cores=os.cpu_count() or 1,
        settings=settings,
        games=games,
        question=contest.question,
        complete=all(race.is_settled for race in contest.races),
        pairs=tuple(pair for race in contest.races for pair in _pairs(race, contest.question)),
        solo=tuple(
            _solo(race, None if number else solo_at_least)
            for number, race in enumerate(contest.races)
            if alone and race.counted_sets
        ),
        bots=tuple(_bots(settings, counted)),
        lines=tuple(
            Line(*game.key, ranks=game.ranks, noted=game.noted, reason=game.reason, forfeit=game.forfeit)
            for game in counted
        ),
    )


def _pairs(race: Race, question: Question | None) -> Iterable[PairResult]:
    games, size = race.counted(), len(race.lineup.seatings)
    if not games:
        return
    for a, b in combinations(range(len(race.lineup.players)), 2):
        scores = [
            set_score([game.ranks for game in games[n : n + size]], race.lineup.seatings, a, b)
            for n in range(0, len(games), size)
        ]
        score = score_estimate(scores, len(games))
        asked = question if len(race.lineup.players) == 2 else None
        yield PairResult(
            race.lineup.players[a],
            race.lineup.players[b],
            len(games),
            len(scores),
            score,
            tuple(sorted((round(s, 4), count) for s, count in Counter(scores).items())),
            _verdict(asked, race, score.mean) if asked else None,
        )


def _verdict(question: Question, race: Race, score: float) -> Verdict:
    if question.fixed:
        return Verdict(question.at_least, score >= question.at_least, "counted")
    met = race.answer == "yes" or (race.answer is None and score >= question.at_least)
    return Verdict(question.at_least, met, race.answer or "open", round(race.ratio, 3))


def _solo(race: Race, at_least: float | None) -> SoloResult:
    noted = [game.noted[0] for game in race.counted()]
    lowest = mean_estimate(noted)
    return SoloResult(
        race.lineup.players[0],
        len(noted),
        lowest,
        max(noted),
        tuple(sorted(Counter(noted).items())),
        None if at_least is None else Verdict(at_least, lowest.mean >= at_least, "counted"),
    )


def _bots(settings: Settings, games: Sequence[Played]) -> Iterable[BotResult]:
    alone = settings.seats == 1
    sides = title_of(settings.variant).sides
    ratings = {} if alone else rate(((game.players, game.ranks) for game in games), sides)
    for name in dict.fromkeys(player for lineup in settings.lineups for player in lineup.players):
        seats = [(game, seat) for game in games for seat, bot in enumerate(game.players) if bot == name]
        if not seats:
            continue
        milliseconds = [ms for game, seat in seats if game.ms for ms in game.ms[seat]]
        nodes = [count for game, seat in seats if game.nodes and (count := game.nodes[seat]) is not None]
        yield BotResult(
            name,
            len(seats),
            round(fmean((game.ranks[seat] == 1) / game.ranks.count(1) for game, seat in seats), 4),
            round(fmean(game.noted[seat] for game, seat in seats), 3),
            sum(game.forfeit is not None and game.forfeit.seat == seat for game, seat in seats),
            ratings.get(name),
            times(milliseconds),
            round(sum(nodes) / len(milliseconds), 1) if nodes else None,
        )


def dumped(result: msgspec.Struct) -> str:
    """A result as JSON text: one line for each key, and for each pair, bot, game or trial."""
    keys = []
    for key in result.__struct_fields__:
        value = getattr(result, key)
        text = msgspec.json.encode(value).decode()
        if isinstance(value, tuple) and value:
            items = ",\n  ".join(msgspec.json.encode(item).decode() for item in value)
            text = f"[\n  {items}\n ]"
        keys.append(f' "{key}": {text}')
    return "{\n" + ",\n".join(keys) + "\n}\n"


def write(result: msgspec.Struct, path: Path) -> None:
    """Write a result so that the file is always complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(dumped(result), encoding="utf-8")
    fresh.replace(path)


def read(path: Path) -> Result:
    """The result in a file; raises SetupError if it contains none."""
    try:
        result = msgspec.json.decode(path.read_bytes(), type=Result)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise WrongContest("arena-file", path=str(path), problem=str(error)) from None
    if result.format != FORMAT:
        raise WrongContest("arena-file", path=str(path), problem=f"format {result.format}")
    return result
