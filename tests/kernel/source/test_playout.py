"""Playouts, the scan for the best placement, features, batches."""

from __future__ import annotations

from collections import Counter
from random import Random
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from tests.kernel.agreement import bare
from tests.play import games, scored_pairs, seeds, walk

from genial.core.deal import Dealer
from genial.core.layout import Layout
from genial.core.observation import REASONS
from genial.core.pairs import legal_pairs
from genial.core.situation import Phase, markers_of
from genial.core.tiles import SYMBOLS, TILES, without
from genial.kernel import state as at
from genial.kernel.api import Game
from genial.kernel.batch import Batch


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_a_playout_ends_the_game_and_depends_only_on_its_seed(variant: str, seats: int, policy: str) -> None:
    game = Game.of(variant, seats)
    one, two = game.new(seed=3), game.new(seed=3)
    assert game.playout(one, policy) == game.playout(two, policy) > 0
    assert one == two
    assert game.is_over(one)
    assert REASONS[one[at.REASON]] in _reasons(variant)
    assert sorted(game.ranks(one))[0] == 1
    assert not len(game.legal(one).numbers)


def _reasons(variant: str) -> set[str]:
    flat = {"board-full", "all-max"}
    solo = {"bag-empty", "no-move", "all-max"}
    three = {"last-round", "no-move", "all-max"}
    return {"cards": {"goal"}, "3d": three, "3d-solo": solo}.get(variant, flat)


def test_random_play_without_planes_is_the_same_game_as_step_by_step(variant: str, seats: int) -> None:
    """Playouts count points on the board; steps, which agree with core, look them up in planes."""
    game = Game.of(variant, seats)
    for seed in range(30):
        batch = Batch(game, 1, seed=seed)
        stepped = batch.states[0]
        played = stepped.copy()
        placements = 0
        while not game.is_over(stepped):
            placements += bool(stepped[at.PHASE] == at.PLACE)
            assert game.step(stepped, int(batch.choose()[0])) == 0
        assert game.playout(played) == placements
        assert game.to_core(played) == game.to_core(stepped)
        assert (played[: at.GRID] == stepped[: at.GRID]).all()


def test_tiles_from_the_kernels_own_stream_are_drawn_as_in_core(variant: str, seats: int) -> None:
    """Each action of a game that the kernel deals is core's, with the drawn tiles at the front of the bag."""
    game = Game.of(variant, seats)
    is_solo = game.tables.setup.title.is_solo
    for seed in range(4):
        batch = Batch(game, 1, seed=seed)
        state = batch.states[0]
        while not game.is_over(state):
            number = int(batch.choose()[0])
            before = game.to_core(state)
            assert game.step(state, number) == 0
            after = game.to_core(state)
            all_new = is_solo or number == game.swap
            kept = Counter(() if all_new else before.racks[before.seat])
            drawn = tuple((Counter(after.racks[before.seat]) - kept).elements())
            if len(drawn) > len(before.bag):  # a reshuffle: the order of core's pile is its dealer's
                assert len(after.racks[before.seat]) == before.setup.title.rack
                continue
            rest = without(before.bag, drawn)
            ready = before.change(bag=drawn + rest, dealer=Dealer("own"))
            assert bare(ready.apply(game.action_of(number))[0]) == after


def test_greed_scores_more_than_chance(variant: str, seats: int) -> None:
    game = Game.of(variant, seats)
    sums: dict[str, list[int]] = {"random": [], "greedy": []}
    lengths: dict[str, list[int]] = {"random": [], "greedy": []}
    for policy in sums:
        for seed in range(40):
            state = game.new(seed)
            lengths[policy].append(game.playout(state, policy))
            sums[policy].append(sum(state[at.TRACKS : at.TRACKS + 6]))
    if variant == "cards":  # both play until someone reaches the goal; greedy play gets there sooner
        assert mean(lengths["greedy"]) < mean(lengths["random"])
    elif variant != "duel":  # shared pegs go to and fro
        assert mean(sums["greedy"]) > mean(sums["random"])


@given(games.filter(lambda game: game[0] != "cards"), seeds)
@settings(max_examples=25)
def test_the_scan_finds_the_most_points_that_count(game: tuple[str, int], seed: int) -> None:
    kernel, rng = Game.of(*game), Random(seed)
    positions = [p for p in walk(game, seed, greedily=True) if p.phase is Phase.PLACE]
    for position in rng.sample(positions, min(5, len(positions))):
        track, markers = position.setup.title.track, markers_of(position, position.seat)
        state = Game.from_core(position, seed)
        chosen = kernel.best(state)
        pair, group = chosen % kernel.tables.numbering.pairs, chosen // kernel.tables.numbering.pairs
        assert legal_pairs(position) >> pair & 1
        room = [track.advance(markers, colour, 99) - markers[colour] for colour in range(6)]

        def value(tile: str, points: tuple[int, int], room: list[int] = room) -> int:
            first, second = SYMBOLS[tile]
            if first == second:
                return min(sum(points), room[first])
            return min(points[0], room[first]) + min(points[1], room[second])

        found = {(p.tile, p.pair, p.turned): value(p.tile, p.points) for p in scored_pairs(position)}
        assert found[TILES[group >> 1], pair, bool(group & 1)] == max(found.values())
        assert kernel.step(state, chosen) == 0


@given(games.filter(lambda game: game[0] in ("classic", "3d")), seeds)
@settings(max_examples=10)
def test_features_count_playable_cells(game: tuple[str, int], seed: int) -> None:
    kernel = Game.of(*game)
    position = walk(game, seed)[Random(seed).randrange(20)]
    layout = position.table
    assert isinstance(layout, Layout)
    found = kernel.features(Game.from_core(position), 0)
    rows = np.array(found[: 6 * kernel.feature_count]).reshape(6, -1)
    cells = [n for n, pairs in enumerate(layout.board.pairs_of) if pairs & layout.open_pairs]
    for colour in range(6):
        best = [
            max(layout.points(cell, colour, other) for other in layout.board.neighbours[cell])
            for cell in cells
        ]
        assert rows[colour, 0] == sum(points >= 1 for points in best)
        assert rows[colour, 8] == max(best)
        assert rows[colour, 9] == position.tracks[0][colour]
        assert rows[colour, 11] == sum(colour in SYMBOLS[tile] for tile in position.racks[0])


def test_a_batch_plays_the_same_games_as_single_states(variant: str, seats: int) -> None:
    """Stepped together or one by one, masks and all; finished games are redealt."""
    game = Game.of(variant, seats)
    batch = Batch(game, 6, seed=4)
    ended = 0
    for _ in range(120):
        masks = batch.masks()
        before = batch.states.copy()
        actions = batch.choose()
        chosen = batch.states.copy()
        for n, number in enumerate(actions.tolist()):
            assert masks[n, number >> 3] >> (number & 7) & 1
        bits = np.unpackbits(masks, axis=1, bitorder="little")
        assert [row.nonzero()[0].tolist() for row in bits] == [
            game.legal(state).numbers.tolist() for state in before
        ]
        assert batch.step(actions) == 0
        for n in range(6):
            game.step(chosen[n], int(actions[n]))
            if batch.over[n]:
                ended += 1
                assert tuple(batch.ranks[n].tolist()) == game.ranks(chosen[n])
                assert batch.states[n, at.PHASE] == at.PLACE
            else:
                assert (batch.states[n] == chosen[n]).all()
    assert ended or variant != "3d-solo"


def test_every_placement_is_equally_likely() -> None:
    game = Game.of("classic", 2)
    batch = Batch(game, 4096, seed=5)
    batch.states[:, : at.RNG] = batch.states[0, : at.RNG]
    batch.states[:, at.RNG + 8 :] = batch.states[0, at.RNG + 8 :]  # one game, many streams
    chosen = Counter(number for _ in range(25) for number in batch.choose().tolist())
    numbers = game.legal(batch.states[0]).numbers.tolist()
    assert sorted(chosen) == numbers
    even = 25 * 4096 / len(numbers)
    assert all(abs(count - even) < 6 * even**0.5 for count in chosen.values())


def test_every_tile_is_equally_likely() -> None:
    game = Game.of("classic", 4)
    racks = Batch(game, 4096, seed=6).states[:, at.RACKS : at.BAG].reshape(-1, 4, at.RACK_STRIDE)
    drawn = racks[:, :, : at.KINDS].sum(axis=0)
    copies = np.bincount([TILES.index(tile) for tile in game.tables.setup.tiles])
    even = 4096 * 6 * copies / copies.sum()
    assert (abs(drawn - even) < 6 * even**0.5).all()


def test_neighbouring_seeds_give_different_games() -> None:
    game = Game.of("classic", 2)
    streams = [Batch(game, 64, seed=seed).states[:, at.RACKS : at.BAG] for seed in range(20)]
    assert len(np.unique(np.concatenate(streams), axis=0)) == 20 * 64


def test_threads_change_nothing() -> None:
    game = Game.of("classic", 2)
    one, many = Batch(game, 600, seed=9, threads=1), Batch(game, 600, seed=9, threads=2)
    for _ in range(100):
        assert one.step(one.choose()) == many.step(many.choose()) == 0
    assert (one.states == many.states).all()
    assert (one.observe() == many.observe()).all()
    many.close()
