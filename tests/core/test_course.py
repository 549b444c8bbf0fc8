"""How a game went: its figures move by move, and where it turned."""

from __future__ import annotations

from hypothesis import given
from tests.play import games, seeds, walk

from genial.core.course import course
from genial.core.events import Placed, Played, Swapped
from genial.core.position import Position
from genial.core.ranking import decision, standing


def standings(position: Position) -> list[tuple[int, ...]]:
    sides = position.setup.title.sides
    return [standing(sides, seat, position.tracks) for seat in range(position.setup.seats)]


@given(games, seeds)
def test_the_figures_match_every_moment(game: tuple[str, int], seed: int) -> None:
    positions = walk(game, seed, greedily=True)
    last = positions[-1]
    told = course(last)
    acts = [event for event in last.events if isinstance(event, Placed | Played | Swapped)]
    for seat, figures in enumerate(told.figures):
        assert len(figures) == len(acts) + 1
        assert figures[-1] == standings(last)[seat][0]
        assert figures[0] == 0
    for position in positions:  # each of them was the state after as many actions
        made = sum(isinstance(event, Placed | Played | Swapped) for event in position.events)
        assert [figures[made] for figures in told.figures] == [first for first, *_ in standings(position)]


@given(games, seeds)
def test_the_turning_point_is_where_the_winner_took_the_lead_for_good(
    game: tuple[str, int], seed: int
) -> None:
    positions = walk(game, seed, greedily=True)
    last = positions[-1]
    assert last.result is not None
    first = [seat for seat, rank in enumerate(last.result.ranks) if rank == 1]
    sides = last.setup.title.sides
    turned = course(last).turned
    if sides.side_count(game[1]) == 1 or len({sides.side_of(seat) for seat in first}) > 1:
        assert turned is None
        return
    assert turned is not None
    decided = decision(sides, game[1], last.tracks)
    assert decided is not None
    compared = decided.index + 1
    for position in positions:
        made = sum(isinstance(event, Placed | Played | Swapped) for event in position.events)
        row = [figures[:compared] for figures in standings(position)]
        ahead = all(row[first[0]] > other for seat, other in enumerate(row) if seat not in first)
        if made >= turned.move:
            assert ahead
        elif made == turned.move - 1:
            assert not ahead
    acts = [event for event in last.events if isinstance(event, Placed | Played | Swapped)]
    act = acts[turned.move - 1]
    assert isinstance(act, Placed | Played)
    assert (turned.seat, turned.tile) == (act.seat, act.tile)
    mine = course(last).figures[first[0]]
    assert (turned.before, turned.after) == (mine[turned.move - 1], mine[turned.move])


def test_a_game_ended_by_leaving_has_no_turning_point() -> None:
    """LEAVING: nothing is compared."""
    position = walk(("travel", 2), 1)[20]
    after, _ = position.leave(0, "resign")
    assert course(after).turned is None
    assert len(course(after).figures[0]) > 1
