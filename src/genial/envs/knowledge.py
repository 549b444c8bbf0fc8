"""What a seat knows at a moment: what it may see now, and everything it has seen, as text and as numbers.

All of it passes through the one filter for events and views, so it cannot contain anything hidden. Without a
seat, it is what a spectator knows.
"""

from __future__ import annotations

from functools import cache, lru_cache

from genial.core.actions import Place, Play
from genial.core.colours import COLOURS
from genial.core.editions import usual_turns
from genial.core.events import Dealt, Drew, Ended, Event, Opened, Placed, Played, Reshuffled, Swapped, seen_by
from genial.core.layout import Layout
from genial.core.notation import move_text, table_text
from genial.core.numbering import numbering
from genial.core.observation import observation_size, observe
from genial.core.situation import Phase
from genial.core.tiles import HIDDEN, NORMAL, ORDER, TILES, Tile, arranged
from genial.core.title import BoardPlan, CardPlan, Setup
from genial.envs.chance import Moment

HIDDEN_TILE, FIRST_TILE = 1, 2
SWAP = FIRST_TILE + len(TILES)
RESHUFFLE = SWAP + 1
FIRST_MOVE = RESHUFFLE + 1
"""Numbers in a history: 0 is nothing, then an unseen tile, the kinds of tiles, a swap (followed by the tiles
shown), a reshuffle; from here on placements, by the numbering of actions.
"""

_LONGEST_CARD_GAME = 8
"""A generous multiple of the usual turns: no rule limits a card game. Random ones take up to 2.5 times."""


# What is visible now


def seen(moment: Moment, seat: int) -> bytes:
    """The observation of a seat, in core's layout; zeros until the first tiles are dealt.

    While tiles are drawn, it looks as if the drawing seat had to place one.
    """
    position = moment.position
    if position.phase is Phase.DEAL or position.log is None:
        return bytes(observation_size(position.setup))
    stacking = isinstance(position.table, Layout) and position.table.stacking  # then its past is needed
    return observe(moment.view(seat, past=stacking), seat)


def seen_text(moment: Moment, seat: int | None) -> str:
    """The same in one line."""
    view = moment.view(seat, past=False)
    words = {
        "game": f"{view.setup.title.variant}/{view.setup.seats}",
        "observer": "-" if seat is None else seat,
        "phase": "chance" if moment.is_chance else view.phase.value,
        "seat": view.seat,
        "turn": view.turn,
        "bonus": view.bonus,
        "last_turns": view.last_turns or 0,
        "supply": view.supply,
        "discarded": view.discarded,
        "tracks": "/".join(".".join(map(str, markers)) for markers in view.tracks),
        "racks": "/".join(_tiles_text(rack) for rack in view.racks),
        "table": table_text(view.table) if moment.stones is None else "-",
    }
    if view.result:
        words["end"] = _line(view.setup, view.result, seat)
    return " ".join(f"{key}={value}" for key, value in words.items())


def rack_text(moment: Moment, seat: int) -> str:
    """What only this seat sees: its rack or hand."""
    return _tiles_text(moment.view(seat, past=False).racks[seat])


def _tiles_text(tiles: tuple[Tile, ...]) -> str:
    return ".".join(_in_order(tiles)) or "-"


def _in_order(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The order in which tiles came does not matter; they are either all seen or all hidden."""
    return tiles if HIDDEN in tiles else arranged(tiles)


# What has been seen


def history_text(moment: Moment, seat: int | None) -> str:
    """Everything a seat has seen, event by event. It cannot tell apart two moments with the same text.

    >>> from genial.core.title import setup
    >>> from genial.core.titles import title_of
    >>> from genial.envs.chance import begin
    >>> moment = begin(setup(title_of("classic-solo"), 1)).after_chance(4)
    >>> history_text(moment, 0)
    'classic-solo/1 seat 0: 0 draws RB'
    """
    found = moment.position.setup
    told = [_stones(moment), *(_line(found, event, seat) for event in moment.events), _drawing(moment, seat)]
    who = "spectator" if seat is None else f"seat {seat}"
    return f"{found.title.variant}/{found.seats} {who}: " + "; ".join(filter(None, told))


def _stones(moment: Moment) -> str:
    cells = _stone_cells(moment)
    return "stones " + ".".join(map(str, cells)) if cells else ""


def _stone_cells(moment: Moment) -> tuple[int, ...]:
    """The cells of the loose start stones, by number (3D-START)."""
    plan, table = moment.position.setup.title.plan, moment.position.table
    if moment.stones is not None:
        return moment.stones
    if not isinstance(plan, BoardPlan) or plan.printed is not None or not isinstance(table, Layout):
        return ()
    return tuple(table.board.start.index(cell) for cell in table.start)


def drawn_text(moment: Moment, seat: int) -> str:
    """What only this seat has seen: the tiles it was dealt and drew."""
    found = moment.position.setup
    mine = [event for event in moment.events if isinstance(event, Dealt | Drew) and event.seat == seat]
    return "; ".join(filter(None, [*(_line(found, event, seat) for event in mine), _drawing(moment, seat)]))


def _drawing(moment: Moment, seat: int | None) -> str:
    if not moment.owed:
        return ""
    phase, mover = moment.position.phase, moment.position.seat
    if phase is Phase.DEAL:
        racks = moment.position.racks
        mover = racks.index(()) if () in racks else -1
    tiles = moment.drawn if seat == mover else (HIDDEN,) * len(moment.drawn)
    return f"drawing {_tiles_text(tiles)}"


@lru_cache(maxsize=1 << 16)
def _line(found: Setup, event: Event, seat: int | None) -> str:
    """An event as a seat may know it, in a few words."""
    match seen_by(event, set() if seat is None else {seat}):
        case Dealt(who, tiles):
            return f"{who} is dealt {_tiles_text(tiles)}"
        case Opened(who, tile):
            return f"{who} opens {tile}"
        case Placed(seat=who, tile=tile, cells=cells):
            return f"{who} {move_text(found, Place(tile, cells))}"
        case Played(seat=who, tile=tile):
            return f"{who} {tile}"
        case Swapped(who, tiles):
            return f"{who} swaps {_tiles_text(tiles)}"
        case Drew(who, tiles):
            return f"{who} draws {_tiles_text(tiles)}"
        case Reshuffled():
            return "reshuffle"
        case Ended(reason, _, ranks):
            return f"{reason} {'.'.join(map(str, ranks))}"


def history_numbers(moment: Moment, seat: int) -> list[int]:
    """The same as numbers, as defined by the constants above.

    >>> from genial.core.title import setup
    >>> from genial.core.titles import title_of
    >>> from genial.envs.chance import begin
    >>> history_numbers(begin(setup(title_of("classic-solo"), 1)).after_chance(4), 0)
    [6]
    """
    found = moment.position.setup
    numbers = [FIRST_TILE + cell for cell in _stone_cells(moment)]
    for event in moment.events:
        numbers += _numbers(found, event, seat)
    return numbers


@lru_cache(maxsize=1 << 16)
def _numbers(found: Setup, event: Event, seat: int) -> tuple[int, ...]:
    match seen_by(event, {seat}):
        case Dealt(_, tiles) | Drew(_, tiles):
            return _tile_numbers(tiles)
        case Opened(_, tile):
            return _tile_numbers((tile,))
        case Placed(tile=tile, cells=cells):
            return (FIRST_MOVE + numbering(found).number_of(Place(tile, cells)),)
        case Played(tile=tile):
            return (FIRST_MOVE + numbering(found).number_of(Play(tile)),)
        case Swapped(_, tiles):
            return (SWAP, *_tile_numbers(tiles))
        case Reshuffled():
            return (RESHUFFLE,)
    return ()


def _tile_numbers(tiles: tuple[Tile, ...]) -> tuple[int, ...]:
    return tuple(
        HIDDEN_TILE if tile == HIDDEN else FIRST_TILE + ORDER[NORMAL[tile]] for tile in _in_order(tiles)
    )


# How long a game can be


@cache
def most_placements(found: Setup) -> int:
    """How many tiles or cards can be placed in a game; for cards, more than anybody has seen.

    >>> from genial.core.title import setup
    >>> from genial.core.titles import title_of
    >>> most_placements(setup(title_of("classic"), 2))
    42
    """
    title, board = found.title, found.board
    if board is None:
        return _LONGEST_CARD_GAME * found.seats * usual_turns(title, found.seats)
    if isinstance(title.plan, BoardPlan) and title.plan.stacking:
        return len(found.tiles)
    return min((len(board.cells) - len(COLOURS)) // 2, len(found.tiles))


@cache
def most_chances(found: Setup) -> int:
    """The most stones and tiles that chance may have to draw in a game."""
    title = found.title
    stones = len(COLOURS) - 1 if isinstance(title.plan, BoardPlan) and title.plan.printed is None else 0
    opened = found.seats * title.plan.open_cards[found.seats] if isinstance(title.plan, CardPlan) else 0
    dealt = found.seats * title.rack
    if title.is_solo:
        return stones + most_placements(found) + 1
    return stones + dealt + opened + most_placements(found) * title.rack


@cache
def most_numbers(found: Setup) -> int:
    """The most numbers in a history: for every turn a placement, a swap, the tiles shown, a draw."""
    a_turn = 1 if found.title.is_solo else 3 + found.title.rack
    return 1 + most_chances(found) + a_turn * most_placements(found)
