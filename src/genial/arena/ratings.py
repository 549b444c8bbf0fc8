"""OpenSkill ratings: one number per bot, from games of two to four players, teams included."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from msgspec import Struct

from genial.arena.extras import extra
from genial.core.sides import Sides

extra("openskill", install="openskill")  # optional on a server; says what to install

from openskill.models import PlackettLuce, PlackettLuceRating  # noqa: E402


class Rating(Struct, frozen=True):
    """How strong a bot is believed to be, and how uncertain that is."""

    mu: float
    sigma: float


def rate(games: Iterable[tuple[Sequence[str], Sequence[int]]], sides: Sides) -> dict[str, Rating]:
    """The ratings after these games, given who sat on each seat and each seat's rank.

    A bot on several seats plays each of them with its rating, and takes the mean of the results.

    >>> ratings = rate([(("a", "b"), (1, 2))] * 9, Sides.EACH)
    >>> ratings["a"].mu > 25 > ratings["b"].mu
    True
    """
    model = PlackettLuce()
    ratings: dict[str, PlackettLuceRating] = {}
    for players, ranks in games:
        for player in players:
            ratings.setdefault(player, model.rating(name=player))
        ratings |= _after(model, ratings, players, ranks, sides)
    return {name: Rating(round(rating.mu, 3), round(rating.sigma, 3)) for name, rating in ratings.items()}


def _after(
    model: PlackettLuce,
    ratings: dict[str, PlackettLuceRating],
    players: Sequence[str],
    ranks: Sequence[int],
    sides: Sides,
) -> dict[str, PlackettLuceRating]:
    seats = range(len(players))
    teams = [[s for s in seats if sides.side_of(s) == side] for side in range(sides.side_count(len(players)))]
    rated = model.rate(
        [[ratings[players[seat]] for seat in team] for team in teams],
        ranks=[float(ranks[team[0]]) for team in teams],
    )
    after: dict[str, list[PlackettLuceRating]] = {}
    for team, results in zip(teams, rated, strict=True):
        for seat, result in zip(team, results, strict=True):
            after.setdefault(players[seat], []).append(result)
    return {
        player: model.rating(fmean(r.mu for r in found), fmean(r.sigma for r in found), name=player)
        for player, found in after.items()
    }
