"""Lies: changes to a lawful record that no lawful game can contain, each with the rulings that may be cited.

Each kind takes a record (as plain data) and a random source, and returns the changed record and the rulings
of which the referee must cite one; or None if the record has no place for such a lie.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from genial.core.moves import may_swap
from genial.core.position import Position
from genial.core.record import read
from genial.core.referee import replay
from genial.core.situation import Phase
from genial.core.tiles import TILES, arranged
from genial.core.title import Title
from genial.core.titles import title_of

Data = dict[str, Any]
Lie = tuple[Data, set[str]]
Mutation = Callable[[Data, Random], Lie | None]


def _title(record: Data) -> Title:
    return title_of(record["variant"])


def _pick(record: Data, rng: Random, *types: str) -> int | None:
    numbers = [n for n, event in enumerate(record["events"]) if event["type"] in types]
    return numbers[rng.randrange(len(numbers))] if numbers else None


def _end(record: Data) -> Data:
    end: Data = record["events"][-1]
    return end


def _positions(record: Data) -> list[Position]:
    return list(replay(read(copy.deepcopy(record))))


def a_point_more(record: Data, rng: Random) -> Lie | None:
    n = _pick(record, rng, "place", "play")
    if n is None:
        return None
    record["events"][n]["gain"][rng.randrange(6)] += 1
    # A point that the track cut off points to the track's ruling.
    return record, {_title(record).cites.scoring, _title(record).cites.track}


def a_cell_on_its_partner(record: Data, rng: Random) -> Lie | None:
    n = _pick(record, rng, "place")
    if n is None:
        return None
    cells = record["events"][n]["cells"]
    cells[1] = list(cells[0])
    return record, {_title(record).cites.placing}


def a_wrong_level(record: Data, rng: Random) -> Lie | None:
    n = _pick(record, rng, "place")
    if n is None:
        return None
    record["events"][n]["level"] += rng.choice((-1, 1))
    return record, {_title(record).cites.placing}


def an_event_dropped(record: Data, rng: Random) -> Lie | None:
    cites = _title(record).cites
    n = rng.randrange(len(record["events"]))
    dropped = record["events"].pop(n)
    # A missing tile shows in what it would have changed: whose turn it is, a bonus move, points of a later
    # tile, a tile that nobody holds, a swap of another rack, an end that is too early.
    placing = {cites.turn, cites.bonus, cites.scoring, cites.track, cites.tiles, cites.swap}
    placing |= {cites.placing, cites.opening, *cites.ends.values()}
    rulings = {
        "deal": {cites.tiles},
        "open": {cites.tiles},
        "draw": {cites.turn},
        "swap": {cites.turn},
        "reshuffle": {cites.turn},
        "end": set(cites.ends.values()),
        "place": placing,
        "play": placing,
    }
    return record, rulings[dropped["type"]]


def a_seat_exchanged(record: Data, rng: Random) -> Lie | None:
    cites, seats = _title(record).cites, record["seats"]
    n = _pick(record, rng, "deal", "open", "place", "play", "swap", "draw")
    if n is None:
        return None
    event = record["events"][n]
    event["seat"] = (event["seat"] + rng.randrange(1, max(seats, 2))) % max(seats, 2)
    if seats == 1:
        return record, {"RECORD"}
    rulings = {"deal": {cites.tiles}, "open": {cites.tiles}, "place": {cites.turn, cites.bonus}}
    return record, rulings.get(event["type"], {cites.turn, cites.bonus})


def a_tile_that_is_not_there(record: Data, rng: Random) -> Lie | None:
    n = _pick(record, rng, "place", "play")
    if n is None:
        return None
    event = record["events"][n]
    racks = _positions(record)[n].racks[event["seat"]]
    absent = [tile for tile in TILES if tile not in racks]
    event["tile"] = absent[rng.randrange(len(absent))]
    return record, {_title(record).cites.tiles}


def a_tile_drawn_from_nowhere(record: Data, rng: Random) -> Lie | None:
    """Draw one more tile of a kind of which none is left."""
    positions = _positions(record)
    spots = []
    for n, event in enumerate(record["events"]):
        if event["type"] in ("deal", "draw"):
            gone = [tile for tile in TILES if tile not in positions[n].bag]
            spots += [(n, tile) for tile in gone]
    if not spots:
        return None
    n, tile = spots[rng.randrange(len(spots))]
    record["events"][n]["tiles"][0] = tile
    return record, {_title(record).cites.tiles}


def a_rank_turned(record: Data, rng: Random) -> Lie | None:
    ranks = _end(record)["ranks"]
    turned = [max(ranks) + 1 - rank for rank in ranks]
    _end(record)["ranks"] = turned if turned != ranks else [rank + 1 for rank in ranks]
    return record, {_title(record).cites.ranking}


def an_early_end(record: Data, rng: Random) -> Lie | None:
    n = _pick(record, rng, "place", "play")
    if n is None or n >= len(record["events"]) - 2:
        return None
    end = copy.deepcopy(_end(record))
    record["events"] = [*record["events"][: n + 1], end]
    return record, {_title(record).cites.end(end["reason"])}


def a_turn_too_many(record: Data, rng: Random) -> Lie | None:
    cites, end = _title(record).cites, _end(record)
    if end["reason"] not in cites.ends:
        return None
    n = _pick(record, rng, "place", "play")
    assert n is not None
    extra = copy.deepcopy(record["events"][n])
    where = len(record["events"]) - rng.randrange(2)  # before the end, or after it
    record["events"].insert(where, extra)
    return record, {cites.end(end["reason"])}


def a_swap_after_part_of_the_draw(record: Data, rng: Random) -> Lie | None:
    events = record["events"]
    placed = ("place", "play")
    draws = [n for n, event in enumerate(events) if event["type"] == "draw" and n]
    draws = [n for n in draws if events[n - 1]["type"] in placed]
    if not draws:
        return None
    n = max(draws, key=lambda n: (len(events[n]["tiles"]) > 1, rng.random()))
    draw, seat = events[n], events[n]["seat"]
    racks = _positions(record)
    part = draw["tiles"][: max(1, len(draw["tiles"]) - 1)]
    rack = arranged((*racks[n].racks[seat], *part))
    swap = {"type": "swap", "seat": seat, "tiles": list(rack)}
    events[n : n + 1] = [draw | {"tiles": part}, swap, draw]
    return record, {_title(record).cites.swap}


def an_unlawful_swap(record: Data, rng: Random) -> Lie | None:
    """Swap a rack that shows a lowest colour."""
    events, title = record["events"], _title(record)
    positions = _positions(record)
    spots = [
        n
        for n, position in enumerate(positions)
        if position.phase is Phase.END_TURN and not may_swap(position)
    ]
    if not spots:
        return None
    n = spots[rng.randrange(len(spots))]
    seat = positions[n].seat
    events.insert(n, {"type": "swap", "seat": seat, "tiles": list(positions[n].racks[seat]) or ["RR"]})
    return record, {title.cites.swap}


def a_wrong_reason(record: Data, rng: Random) -> Lie | None:
    end = _end(record)
    reasons = ["board-full", "all-max", "no-move", "last-round", "bag-empty", "goal", "resign", "because"]
    true = end["reason"]
    end["reason"] = rng.choice([reason for reason in reasons if reason != true])
    return record, {_title(record).cites.end(true)}


def an_invented_bonus(record: Data, rng: Random) -> Lie | None:
    """Let the same seat place twice without having earned it."""
    events, cites = record["events"], _title(record).cites
    positions = _positions(record)
    spots = [n for n, p in enumerate(positions) if p.phase is Phase.END_TURN and p.racks[p.seat]]
    if not spots:
        return None
    n = spots[rng.randrange(len(spots))]
    extra = copy.deepcopy(events[n - 1]) | {"tile": positions[n].racks[positions[n].seat][0]}
    events.insert(n, extra)
    return record, {cites.bonus}


def a_missed_bonus(record: Data, rng: Random) -> Lie | None:
    """Do not place an earned bonus move."""
    events, cites = record["events"], _title(record).cites
    positions = _positions(record)
    spots = [
        n for n, position in enumerate(positions) if position.bonus and events[n]["type"] in ("place", "play")
    ]
    last = [n for n in spots if events[n + 1]["type"] in ("draw", "reshuffle")]
    if not last:
        return None
    n = last[rng.randrange(len(last))]
    events.pop(n)
    return record, {cites.bonus}


MUTATIONS: dict[str, Mutation] = {
    function.__name__.replace("_", " "): function
    for function in (
        a_point_more,
        a_cell_on_its_partner,
        a_wrong_level,
        an_event_dropped,
        a_seat_exchanged,
        a_tile_that_is_not_there,
        a_tile_drawn_from_nowhere,
        a_rank_turned,
        an_early_end,
        a_turn_too_many,
        a_swap_after_part_of_the_draw,
        an_unlawful_swap,
        a_wrong_reason,
        an_invented_bonus,
        a_missed_bonus,
    )
}
