"""Small positions for the tests of the rulings.

They are built from what rulings.md says (boards, tile sets, start symbols), not from the engine's tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from genial.core.actions import Action, Place, Play, Refill
from genial.core.events import Drew, Ended, Event, Placed, Played
from genial.core.notation import parse_position
from genial.core.open_cards import OpenCards
from genial.core.position import Position

Cell = tuple[int, int]
Laid = tuple[str, Cell, Cell]
"""A tile on the board: its first letter lies on the first cell."""

LETTERS = "ROYGBP"  # COLOURS
NEIGHBOURS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # AXES
PRINTED = {"R": (0, -5), "G": (5, -5), "B": (5, 0), "O": (0, 5), "Y": (-5, 5), "P": (-5, 0)}  # PRINTED
STONE_CELLS: tuple[Cell, ...] = ((0, -3), (3, -3), (3, 0), (0, 3), (-3, 3), (-3, 0))  # 3D-BOARD
RACK = {"3d": 5, "classic-solo": 1, "3d-solo": 1}
_TILES = {  # pairs and doubles
    "travel": {2: (3, 2)},
    "3d": {2: (4, 0), 3: (4, 2), 4: (4, 3)},
    "3d-solo": {1: (4, 0)},
    "cards": {2: (4, 0), 3: (4, 0), 4: (4, 0)},
}


def six(others: int = 0, /, **places: int) -> tuple[int, ...]:
    """Six numbers in the order of the colours: `six(18, R=17)` is 18 for all but red."""
    return tuple(places.get(letter, others) for letter in LETTERS)


def radius_of(game: str, players: int) -> int:
    return 4 if game.startswith("3d") else {1: 5, 2: 5, 3: 6, 4: 7}[players]


def distance(cell: Cell, other: Cell = (0, 0)) -> int:
    q, r = cell[0] - other[0], cell[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def cells_of(radius: int) -> list[list[Cell]]:
    """The cells of a hexagon, row by row from the top, each row from left to right."""
    span = range(-radius, radius + 1)
    return [[(q, r) for q in span if distance((q, r)) <= radius] for r in span]


def tile_set(game: str, players: int) -> list[str]:
    """Every tile of a set, each written in the order of the colours."""
    pairs, doubles = _TILES.get(game, {}).get(players, (6, 5))
    kinds = [letter * 2 for letter in LETTERS for _ in range(doubles)]
    return kinds + [a + b for a, b in combinations(LETTERS, 2) for _ in range(pairs)]


def written(tile: str) -> str:
    """A tile in the order of the colours: `BR` is `RB`."""
    return "".join(sorted(tile, key=LETTERS.index))


def tiles(text: str) -> list[str]:
    return [written(tile) for tile in text.split()]


def arrange(
    game: str,
    players: int = 2,
    *,
    rack: str,
    laid: Iterable[Laid] = (),
    rows: Sequence[str] = (),
    racks: Mapping[int, str] | None = None,
    tracks: Mapping[int, tuple[int, ...]] | None = None,
    bag: str | None = None,
    discard: str = "",
    seat: int = 0,
    turn: int = 20,
    phase: str = "place",
    bonus: int = 0,
    last: int | None = None,
    stones: str = "RGBOYP",
    board: str | None = None,
) -> Position:
    """A position in the middle of a game, with no more tiles in it than the set has.

    `rack` is the mover's; other racks are full, and the bag holds the rest, unless they are given. Tracks not
    given are at 0. `rows` are the open cards of each seat, the oldest first. `stones` are the start stones,
    clockwise from the upper left. `board` is the board's text, for what tiles alone cannot express.
    """
    laid, given = list(laid), {**(racks or {}), seat: rack}
    used = Counter(written(tile) for tile, _, _ in laid)
    used.update(tile for text in (*given.values(), *rows, discard, bag or "") for tile in tiles(text))
    left = Counter(tile_set(game, players))
    assert used <= left, f"too many of {used - left}"
    spare = sorted((left - used).elements())
    hands = []
    for n in range(players):
        if n not in given:
            size = RACK.get(game, 6)
            hands.append(spare[-size:])
            del spare[-size:]
        else:
            hands.append(tiles(given[n]))
    count = {"duel": 1, "classic-team": 2}.get(game, players)
    markers = [(tracks or {}).get(n, six()) for n in range(count)]
    loose = f":{stones}" if game.startswith("3d") else ""
    end = "" if last is None else f";last={last}"
    table = "/".join(_text(tiles(row)) for row in rows)
    return parse_position(
        " ".join(
            (
                f"{game}/{players}{loose}",
                table or board or _board_text(game, players, stones, laid),
                "/".join(".".join(map(str, track)) for track in markers),
                "/".join(map(_text, hands)),
                _text(spare if bag is None else tiles(bag)),
                _text(tiles(discard)),
                f"{phase};seat={seat};turn={turn};bonus={bonus}{end}",
                "rulings+0+0",
            )
        )
    )


def _text(found: Iterable[str]) -> str:
    return "".join(found) or "-"


def _board_text(game: str, players: int, stones: str, laid: Iterable[Laid]) -> str:
    starts = dict(zip(STONE_CELLS, stones, strict=True))
    if not game.startswith("3d"):
        starts = {cell: letter for letter, cell in PRINTED.items()}
    tops = {cell: f"{letter}*" for cell, letter in starts.items()}
    heights = Counter(dict.fromkeys(tops, 1))
    for tile, first, second in laid:
        assert heights[first] == heights[second], f"{first} and {second} are not level"
        d = NEIGHBOURS.index((second[0] - first[0], second[1] - first[1]))
        for cell, letter, half in ((first, tile[0], d), (second, tile[1], (d + 3) % 6)):
            assert game.startswith("3d") or cell not in tops, f"{cell} is taken"
            tops[cell] = f"{letter}{half}" + "'" * heights[cell]
            heights[cell] += 1
    return "/".join(
        "".join(tops.get(cell, ".") for cell in row) for row in cells_of(radius_of(game, players))
    )


def pairs_among(cells: Iterable[Cell]) -> set[frozenset[Cell]]:
    """Every two neighbours among these cells."""
    return {frozenset(pair) for pair in combinations(cells, 2) if distance(*pair) == 1}


def free_cells(game: str, players: int, laid: Iterable[Laid] = ()) -> list[Cell]:
    """The cells of a flat board with neither a printed symbol nor a tile."""
    taken = {*PRINTED.values(), *(cell for _, first, second in laid for cell in (first, second))}
    return [cell for row in cells_of(radius_of(game, players)) for cell in row if cell not in taken]


def touching(pairs: Iterable[frozenset[Cell]], *symbols: Cell) -> set[frozenset[Cell]]:
    """The pairs of cells that are next to at least one of these cells."""
    return {p for p in pairs if any(distance(cell, symbol) == 1 for cell in p for symbol in symbols)}


def star(tile_kinds: str, centre: Cell, length: int, directions: Iterable[int] = range(1, 6)) -> list[Laid]:
    """Lines of one colour that all point at a cell; the tiles' other halves are off the lines."""
    kinds, found = iter(tile_kinds.split()), []
    for d in directions:
        (q, r), (side_q, side_r) = NEIGHBOURS[d], NEIGHBOURS[(d + 1) % 6]
        for n in range(1, length + 1):
            cell = (centre[0] + n * q, centre[1] + n * r)
            found.append((next(kinds), cell, (cell[0] + side_q, cell[1] + side_r)))
    return found


def filled(holes: Iterable[Cell]) -> list[Laid]:
    """The radius-5 board filled row by row, except for these cells; only orange, yellow, green and purple.

    One isolated cell stays free at the right end of every second row.
    """
    kinds = iter([tile for tile in tile_set("classic", 2) if not set(tile) & set("RB")])
    open_cells, found = set(holes), []
    for row in cells_of(5):
        free = [cell for cell in row if cell not in PRINTED.values()]
        for first, second in zip(free[::2], free[1::2], strict=False):
            if first not in open_cells:
                assert second not in open_cells
                found.append((next(kinds), first, second))
    return found


def rim(kinds: str = "OP OP OP OP BP BP") -> list[Laid]:
    """3D: a tile on the rim next to each start stone, so that the opening is over."""
    found = []
    for n, (tile, (q, r)) in enumerate(zip(kinds.split(), STONE_CELLS, strict=True)):
        (dq, dr), (eq, er) = NEIGHBOURS[(n + 4) % 6], NEIGHBOURS[(n + 3) % 6]
        found.append((tile, (q + dq, r + dr), (q + eq, r + er)))
    return found


def place(tile: str, first: Cell, second: Cell) -> Place:
    return Place(tile, (first, second))


def places(position: Position) -> list[Place]:
    """The placements among the actions, written out."""
    return [action for action in position.actions() if isinstance(action, Place)]


def lawful_cells(position: Position) -> set[frozenset[Cell]]:
    """The pairs of cells on which the mover may place."""
    return {frozenset(action.cells) for action in places(position)}


def after(position: Position, *actions: Action) -> Position:
    """The position after some actions."""
    for action in actions:
        position, _ = position.apply(action)
    return position


def gain_of(position: Position, action: Place | Play) -> tuple[int, ...]:
    """How far an action actually moves the markers."""
    event = position.apply(action)[1][0]
    assert isinstance(event, Placed | Played)
    return event.gain


def refill(position: Position) -> Position:
    return after(position, Refill())


def play_out(position: Position, step: int = 7919) -> list[Position]:
    """A whole game from here, one position after each action; another `step` gives another game."""
    found = [position]
    while not position.is_over:
        actions = position.actions()
        position, _ = position.apply(actions[len(found) * step % len(actions)])
        found.append(position)
        assert len(found) < 1000, "the game does not end"
    return found


def everything(position: Position) -> list[str]:
    """Every tile that is on a rack, in the bag, or open as a card."""
    table = position.table
    open_cards = [tile for row in table.rows for tile in row] if isinstance(table, OpenCards) else []
    return [*position.bag, *open_cards, *(tile for rack in position.racks for tile in rack)]


def drawn(events: Iterable[Event]) -> tuple[str, ...]:
    """All tiles drawn in these events."""
    return tuple(tile for event in events if isinstance(event, Drew) for tile in event.tiles)


def ended(position: Position) -> Ended:
    """The end of a finished game."""
    assert position.result is not None, "the game goes on"
    return position.result


def stuck_board(level_pair: tuple[Cell, Cell], symbol: str = "O") -> str:
    """A 3D board on which no two neighbours are level except one pair, six pieces high, of two tiles.

    Its towers could not really be built; what happens when nothing fits can only be tested on such a board.
    """
    first, second = level_pair
    text = []
    for row in cells_of(4):
        for cell in row:
            q, r = cell
            height = 6 if cell in level_pair else (1, 5, 9)[(q - r) % 3]
            away = next(
                d
                for d, (dq, dr) in enumerate(NEIGHBOURS)
                if distance((q + dq, r + dr)) <= 4 and (q + dq, r + dr) not in (first, second)
            )
            stone = "RGBOYP"[STONE_CELLS.index(cell)] + "*" if cell in STONE_CELLS else ""
            text.append(stone or f"{symbol}{away}" + "'" * (height - 1))
        text.append("/")
    return "".join(text[:-1])
