"""What holds in every game, whatever is played."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.play import games, scored_pairs, seeds, walk

import genial
from genial.core.actions import Place, Play
from genial.core.errors import IllegalAction
from genial.core.events import Drew, Ended, Placed, Played
from genial.core.explain import explain
from genial.core.fold import fold
from genial.core.moves import outcome
from genial.core.notation import move_text, parse_move, parse_position, position_text
from genial.core.open_cards import OpenCards
from genial.core.position import Position, before_dealing
from genial.core.record import deal_key, dump, read, record_of
from genial.core.referee import load, replay
from genial.core.situation import Phase, markers_of
from genial.core.tiles import NORMAL, arranged


def tiles_everywhere(position: Position) -> Counter[str]:
    """Every tile of the set, wherever it is: hidden, open, placed or discarded."""
    placed = [event.tile for event in position.events if isinstance(event, Placed)]
    found = Counter(NORMAL[tile] for tile in placed)
    found.update(position.bag + position.discard + position.aside)
    for rack in position.racks:
        found.update(rack)
    if isinstance(position.table, OpenCards):
        for row in position.table.rows:
            found.update(row)
    return found


@given(games, seeds, st.booleans())
def test_tiles_are_conserved_at_every_event(game: tuple[str, int], seed: int, greedily: bool) -> None:
    end = walk(game, seed, greedily=greedily)[-1]
    whole = Counter(end.setup.tiles)
    for position in replay(read(record_of(end))):
        assert tiles_everywhere(position) == whole


@given(games, seeds, st.booleans())
def test_scores_change_only_by_the_explained_rays(game: tuple[str, int], seed: int, greedily: bool) -> None:
    positions = walk(game, seed, greedily=greedily)
    for before, after in pairwise(positions):
        event = after.events[len(before.events)]
        if not isinstance(event, Placed | Played):
            assert before.tracks == after.tracks
            continue
        action = Place(event.tile, event.cells) if isinstance(event, Placed) else Play(event.tile)
        explanation = explain(before, action)
        moved = Counter[int]()
        for half in explanation.halves:
            moved[half.colour] += half.moved
            counted = sum(len(ray.cells) for ray in half.rays) + len(half.matches)
            assert half.points == counted >= half.moved >= 0
        assert event.gain == explanation.gain == tuple(moved[colour] for colour in range(6))
        assert markers_of(after, before.seat) == explanation.markers
        others = [seat for seat in range(game[1]) if _track(before, seat) != _track(before, before.seat)]
        assert all(markers_of(before, seat) == markers_of(after, seat) for seat in others)


def _track(position: Position, seat: int) -> int:
    return position.setup.title.sides.track_of(seat)


@given(games, seeds)
def test_apply_never_changes_an_earlier_position(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    position = genial.new(game[0], seats=game[1], seed=seed)
    kept, texts, hashes = [position], [position_text(position)], [hash(position)]
    while not position.is_over:
        actions = position.actions()
        position, _ = position.apply(actions[rng.randrange(len(actions))])
        kept.append(position)
        texts.append(position_text(position))
        hashes.append(hash(position))
    assert [position_text(earlier) for earlier in kept] == texts
    assert [hash(earlier) for earlier in kept] == hashes


@given(games, seeds)
def test_keeping_the_earlier_position_is_enough_for_undo(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    position = genial.new(game[0], seats=game[1], seed=seed)
    for _ in range(10):
        if position.is_over:
            break
        actions = position.actions()
        action = actions[rng.randrange(len(actions))]
        other = actions[rng.randrange(len(actions))]
        once = position.apply(action)
        position.apply(other)
        assert position.apply(action) == once
        position = once[0]


@given(games, seeds, st.booleans())
def test_record_round_trips_and_replay_equals_play(game: tuple[str, int], seed: int, greedily: bool) -> None:
    positions = walk(game, seed, greedily=greedily)
    for position in (positions[len(positions) // 2], positions[-1]):
        text = dump(record_of(position, **deal_key(position)))
        again = load(text)
        assert again == position
        assert again.events == position.events
        assert dump(record_of(again, **deal_key(again))) == text
        unseeded = load(record_of(position))
        assert unseeded.dealer is None
        assert unseeded.change(bag=position.bag, dealer=position.dealer) == position.change(
            discard=unseeded.discard
        )
        assert arranged(unseeded.bag) == arranged(position.bag)


@given(games, seeds)
def test_a_position_is_the_fold_of_its_events(game: tuple[str, int], seed: int) -> None:
    end = walk(game, seed)[-1]
    start = before_dealing(end.setup, dealer=genial.new(game[0], seats=game[1], seed=seed).dealer)
    for event in end.events:
        start = fold(start, event)
    assert start == end


@given(games, seeds, st.booleans())
def test_notation_round_trips(game: tuple[str, int], seed: int, greedily: bool) -> None:
    for position in walk(game, seed, greedily=greedily)[:: 1 + seed % 5]:
        assert parse_position(position_text(position)) == position
        actions = position.actions()
        for action in actions[:: max(1, len(actions) // 7)]:
            text = move_text(position.setup, action)
            assert parse_move(position.setup, text) == action
            assert " " not in text


@given(games, seeds)
def test_actions_is_a_sequence_that_knows_its_length(game: tuple[str, int], seed: int) -> None:
    for position in walk(game, seed)[::7]:
        actions = position.actions()
        listed = list(actions)
        assert len(actions) == len(listed) == len(set(listed))
        assert [actions[n] for n in range(len(actions))] == listed
        assert list(actions[2:9]) == listed[2:9]
        assert all(action in actions for action in listed[::11])
        if listed:
            assert actions[-1] == listed[-1]


@given(games, seeds)
def test_exactly_the_listed_placements_are_accepted(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    positions = walk(game, seed)
    position = positions[rng.randrange(len(positions))]
    board = position.setup.board
    if board is None or position.phase is not Phase.PLACE:
        return
    lawful = {(NORMAL[a.tile], frozenset(a.cells)) for a in position.actions() if isinstance(a, Place)}
    for tile in {*position.racks[position.seat], *position.bag[:3]}:
        for _ in range(30):
            cells = board.pairs[rng.randrange(len(board.pairs))].cells
            if (tile, frozenset(cells)) in lawful:
                position.apply(Place(tile, cells))
            else:
                with pytest.raises(IllegalAction) as caught:
                    position.apply(Place(tile, cells))
                assert caught.value.ruling


@given(games, seeds, st.booleans())
def test_the_table_of_points_agrees_with_counting(game: tuple[str, int], seed: int, greedily: bool) -> None:
    for position in walk(game, seed, greedily=greedily)[::5]:
        board = position.setup.board
        for place in scored_pairs(position) if board and position.phase is Phase.PLACE else ():
            pair = board.pairs[place.pair] if board else None
            assert pair is not None
            action = Place(place.tile, pair.turned if place.turned else pair.cells)
            assert tuple(points for _, points in outcome(position, action).halves) == place.points


@given(games, seeds)
def test_only_the_mover_ends_a_turn(game: tuple[str, int], seed: int) -> None:
    """After the last placement it is still the mover's turn, swap or not, unless no refill is possible."""
    positions = walk(game, seed)
    for before, after in pairwise(positions):
        event = after.events[len(before.events)]
        if isinstance(event, Placed | Played) and not after.is_over:
            last_round = before.last_turns is not None
            stays = after.bonus or after.phase is Phase.END_TURN
            assert stays or last_round or before.setup.title.is_solo
            assert not stays or after.seat == before.seat


@given(games, seeds)
def test_positions_copy_pickle_and_compare_as_values(game: tuple[str, int], seed: int) -> None:
    position = walk(game, seed)[-1]
    assert copy.deepcopy(position) is position
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert hash(again) == hash(position)
    assert again.events == position.events


@given(games, seeds)
def test_one_seed_deals_one_game(game: tuple[str, int], seed: int) -> None:
    first, second = (genial.new(game[0], seats=game[1], seed=seed) for _ in range(2))
    assert first == second
    assert genial.new(game[0], seats=game[1], seed=str(seed)) == first


@given(games, seeds)
def test_the_nth_tile_out_is_the_same_whatever_is_played(game: tuple[str, int], seed: int) -> None:
    """DEAL: until the first swap or reshuffle."""
    start = genial.new(game[0], seats=game[1], seed=seed)
    rng = Random(seed)
    position = start
    out: list[str] = []
    while not position.is_over and len(out) < 15:
        action = position.actions()
        position, events = position.apply(
            action[0] if position.phase is Phase.END_TURN else action[rng.randrange(len(action))]
        )
        out += [tile for event in events if isinstance(event, Drew) for tile in event.tiles]
    assert tuple(out) == start.bag[: len(out)]


@given(games, seeds)
def test_the_end_is_the_last_event_and_names_the_tracks(game: tuple[str, int], seed: int) -> None:
    end = walk(game, seed, greedily=True)[-1]
    assert [isinstance(event, Ended) for event in end.events].index(True) == len(end.events) - 1
    assert end.result is not None
    for seat in range(game[1]):
        assert end.result.tracks[seat] == end.tracks[_track(end, seat)]
    assert min(end.result.ranks) == 1
    assert end.actions() == ()
