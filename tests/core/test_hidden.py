"""Nobody learns a tile that they may not see: non-interference, and redealing that fits what was seen."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.play import games, seeds, walk

import genial
from genial.core.actions import Action, Place, Refill, Swap
from genial.core.errors import GenialError, HiddenError
from genial.core.events import Dealt, Drew, seen_by
from genial.core.fold import fold
from genial.core.judge import judge
from genial.core.layout import Layout
from genial.core.notation import parse_position, position_text
from genial.core.position import Position, before_dealing
from genial.core.situation import Phase
from genial.core.tiles import HIDDEN, arranged
from genial.core.view import EVERYONE
from genial.core.viewdata import view_bytes

viewers = st.sets(st.integers(min_value=0, max_value=3))


def seats_of(chosen: set[int], seats: int) -> frozenset[int]:
    return frozenset(seat for seat in chosen if seat < seats)


@given(games, seeds, viewers, st.booleans())
def test_games_that_differ_only_in_what_is_hidden_look_the_same(
    game: tuple[str, int], seed: int, chosen: set[int], greedily: bool
) -> None:
    """Two such games, continued with the same actions, stay the same in every byte of view and event."""
    viewer, rng = seats_of(chosen, game[1]), Random(seed)
    positions = walk(game, seed, greedily=greedily)
    one = positions[rng.randrange(len(positions))]
    other = one.determinize(viewer, rng)
    for _ in range(12):
        assert view_bytes(one.view(viewer)) == view_bytes(other.view(viewer))
        assert list(one.view(viewer).actions()) == list(other.view(viewer).actions())
        shared = _shared_action(one, other, viewer, rng)
        if shared is None:
            break
        if one.seat in viewer or one.setup.title.is_solo:
            # What the viewer draws is no secret: the other game must deal the same.
            other = _with_front(other, one.bag[: one.setup.title.rack])
        one, events = one.apply(shared)
        other, other_events = other.apply(shared)
        assert [seen_by(e, viewer) for e in events] == [seen_by(e, viewer) for e in other_events]


def _shared_action(one: Position, other: Position, viewer: frozenset[int], rng: Random) -> Action | None:
    """An action that is lawful in both games, however different the hidden racks are."""
    if one.phase is Phase.END_TURN:
        mine = one.seat in viewer
        return Refill() if not mine or rng.random() < 0.5 or Swap() not in one.actions() else Swap()
    both = set(one.racks[one.seat]) & set(other.racks[one.seat]) if not one.is_over else set()
    options = [a for a in one.actions() if arranged([getattr(a, "tile", "RR")])[0] in both][:400]
    return options[rng.randrange(len(options))] if options else None


def _with_front(position: Position, front: tuple[str, ...]) -> Position:
    rest = list(position.bag)
    for tile in front:
        assume(tile in rest)
        rest.remove(tile)
    return position.change(bag=(*front, *rest))


@given(games, seeds)
def test_an_open_swap_is_visible_to_nobody_else(game: tuple[str, int], seed: int) -> None:
    """Phase, seat to move and numbering are the same whether or not the mover may swap."""
    for position in walk(game, seed):
        if position.phase is Phase.END_TURN:
            others = frozenset(range(game[1])) - {position.seat}
            shown = view_bytes(position.view(others))
            for rack in (position.racks[position.seat], ("RR",) * len(position.racks[position.seat])):
                racks = tuple(rack if s == position.seat else r for s, r in enumerate(position.racks))
                assert view_bytes(position.change(racks=racks).view(others)) == shown


@given(games, seeds, viewers)
def test_a_view_holds_no_tile_of_another_seat(game: tuple[str, int], seed: int, chosen: set[int]) -> None:
    viewer = seats_of(chosen, game[1])
    for position in walk(game, seed)[::9]:
        view = position.view(viewer)
        for seat, rack in enumerate(view.racks):
            expected = position.racks[seat] if seat in viewer else (HIDDEN,) * len(position.racks[seat])
            assert rack == expected
        for event in view.events:
            if isinstance(event, Dealt | Drew):
                assert (HIDDEN in event.tiles) == (event.seat not in viewer)
        assert not {"bag", "dealer", "discard", "log", "seed"} & set(dir(view))


@given(games, seeds, viewers, st.booleans())
def test_redealing_fits_everything_seen(
    game: tuple[str, int], seed: int, chosen: set[int], greedily: bool
) -> None:
    """A redealt position has its own lawful past, the same to the viewer, shown swaps included."""
    viewer, rng = seats_of(chosen, game[1]), Random(seed)
    positions = walk(game, seed, greedily=greedily)
    for position in (positions[rng.randrange(len(positions))], positions[-1]):
        redealt = position.determinize(viewer, rng)
        assert redealt.view(viewer) == position.view(viewer)
        start = position.table.start if isinstance(position.table, Layout) else None
        again = before_dealing(position.setup, start)
        for event in redealt.events:
            judge(again, event)
            again = fold(again, event)
        assert again.racks == redealt.racks
        assert arranged(again.bag) == arranged(redealt.bag)
        assert arranged(again.discard) == arranged(redealt.discard)


def test_redealing_varies_what_is_unknown() -> None:
    position = genial.new("classic", seats=2, seed=7)
    view = position.view({0})
    seen = {position.determinize({0}, Random(n)).racks[1] for n in range(30)}
    assert len(seen) == 30
    assert view.racks[0] == position.racks[0]
    assert position.determinize({0}, Random(1)) == position.determinize({0}, Random(1))


def test_swapped_tiles_are_not_redealt_into_the_rack_drawn_before_they_went_back() -> None:
    """SWAP: six new tiles are drawn, then the old ones go back."""
    for seed in range(300):
        for position in walk(("classic", 2), seed, greedily=True):
            last = position.events[-2:]
            if len(last) == 2 and last[0].type == "swap" and last[1].type == "draw":
                swapper = last[0].seat  # type: ignore[union-attr]
                everywhere = arranged(position.setup.tiles)
                for n in range(5):
                    redealt = position.determinize({1 - swapper}, Random(n))
                    shown = arranged(last[0].tiles)  # type: ignore[union-attr]
                    kept = redealt.racks[swapper]
                    for tile in set(shown):
                        # As many as there are in the set, minus those that were shown and lie aside.
                        assert kept.count(tile) <= everywhere.count(tile) - shown.count(tile)
                return
    pytest.fail("no swap in any game")


def test_everyone_sees_everything_only_after_the_end() -> None:
    positions = walk(("cards", 3), 5)
    with pytest.raises(HiddenError) as caught:
        positions[0].view(EVERYONE)
    assert caught.value.code == "view-not-over"
    view = positions[-1].view(EVERYONE)
    assert view.racks == positions[-1].racks
    assert view.events == positions[-1].events
    spectator = positions[-1].view(set())
    assert set(spectator.racks[0]) <= {HIDDEN}


@pytest.mark.parametrize("viewer", [{7}, {-1}, {"0"}, "nobody", {0, 2}])
def test_an_unknown_viewer_is_refused(viewer: object) -> None:
    with pytest.raises(HiddenError):
        genial.new("classic", seats=2, seed=1).view(viewer)  # type: ignore[arg-type]


def test_a_position_without_a_past_cannot_be_redealt() -> None:
    position = parse_position(position_text(genial.new("classic", seats=2, seed=1)))
    with pytest.raises(GenialError) as caught:
        position.determinize({0}, Random(1))
    assert caught.value.code == "history-missing"


def test_errors_name_no_hidden_tile() -> None:
    """An error goes to the mover, whose own rack it may quote; it knows nothing about other racks."""
    position = genial.new("classic", seats=2, seed=7)
    tile = next(t for t in position.racks[1] if t not in position.racks[0])
    with pytest.raises(GenialError) as caught:
        position.apply(Place(tile, ((0, 0), (1, 0))))
    assert caught.value.params["held"] == list(position.racks[0])
