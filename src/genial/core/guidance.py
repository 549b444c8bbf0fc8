"""What to do now, and what an unfinished move still needs: tile, then cell, then direction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from genial.core.actions import Place, Play
from genial.core.bits import members
from genial.core.cellnames import cell_name
from genial.core.errors import IllegalAction
from genial.core.hexes import DIRECTIONS, Cell, step
from genial.core.layout import Layout
from genial.core.messages import render
from genial.core.moves import check_tile, may_swap, outcome
from genial.core.open_cards import OpenCards
from genial.core.pairs import check_cells, legal_pairs, opening_breach, opens_every_start
from genial.core.situation import Phase, Situation, weakest
from genial.core.tiles import Tile


class Status(Enum):
    """How far an unfinished move has come."""

    IMPOSSIBLE = "impossible"
    INCOMPLETE = "incomplete"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class Guidance:
    """A verdict, the code of its sentence, and what may be picked next."""

    status: Status
    code: str
    params: Mapping[str, object] = field(default_factory=dict)
    ruling: str | None = None
    tiles: tuple[Tile, ...] = ()
    cells: tuple[Cell, ...] = ()
    directions: tuple[int, ...] = ()
    action: Place | Play | None = None
    """The whole move, once complete."""

    def text(self, language: str = "en") -> str:
        """The sentence in a language."""
        return render(self.code, self.params, language)


def guide(
    situation: Situation,
    tile: Tile | None = None,
    cell: Cell | None = None,
    direction: int | None = None,
) -> Guidance:
    """Judge a move as far as it has been made, and say what to pick next.

    `direction` is where the second symbol lies from the first, in `DIRECTIONS`. In the card game the tile
    alone, its symbols in the order they will be scored, is the whole move.

    >>> import genial
    >>> position = genial.new("classic", seats=2, seed=7)
    >>> guide(position).code, guide(position, "OB").code, guide(position, "OB", (0, 0)).status.value
    ('pick-tile', 'pick-cell', 'impossible')
    >>> guide(position, "OB", (1, -5), 0).action
    Place(tile='OB', cells=((1, -5), (2, -5)))
    """
    if tile is None:
        if situation.phase is not Phase.PLACE:
            now = what_now(situation)
            return Guidance(Status.IMPOSSIBLE, now.code, now.params)
        kinds = tuple(dict.fromkeys(situation.racks[situation.seat]))
        code = "pick-card" if isinstance(situation.table, OpenCards) else "pick-tile"
        return Guidance(Status.INCOMPLETE, code, tiles=kinds)
    try:
        check_tile(situation, tile)
        if isinstance(situation.table, OpenCards):
            return _complete(situation, Play(tile))
        return _guide_placement(situation, situation.table, tile, cell, direction)
    except IllegalAction as error:
        return Guidance(Status.IMPOSSIBLE, error.code, error.params, error.ruling)


def _guide_placement(
    situation: Situation, layout: Layout, tile: Tile, cell: Cell | None, direction: int | None
) -> Guidance:
    board, pairs = layout.board, legal_pairs(situation)
    if cell is None:
        open_cells = {c for n in members(pairs) for c in board.pairs[n].cells}
        return Guidance(Status.INCOMPLETE, "pick-cell", cells=tuple(sorted(open_cells)))
    if cell not in board.number:
        cites = situation.setup.title.cites
        raise IllegalAction("cell-off-board", ruling=cites.board, cell=cell, radius=board.radius)
    if direction is not None:
        if direction not in range(len(DIRECTIONS)):
            raise IllegalAction("direction-unknown", direction=direction)
        cells = (cell, step(cell, direction))
        check_cells(situation, layout, cells)
        return _complete(situation, Place(tile, cells))
    directions = tuple(
        d
        for d in range(len(DIRECTIONS))
        if (number := board.pair_number.get((cell, step(cell, d)))) is not None and pairs >> number & 1
    )
    if directions:
        return Guidance(Status.INCOMPLETE, "pick-direction", directions=directions)
    raise _why_no_direction(situation, layout, cell)


def _why_no_direction(situation: Situation, layout: Layout, cell: Cell) -> IllegalAction:
    cites, number = situation.setup.title.cites, layout.board.number[cell]
    if layout.heights[number] and not layout.stacking:
        return IllegalAction("cell-taken", ruling=cites.placing, cells=[cell_name(layout.board, cell)])
    if layout.open_pairs & layout.board.pairs_of[number]:
        return opening_breach(situation, layout, (cell,))
    return IllegalAction("cell-alone", ruling=cites.placing, cell=cell_name(layout.board, cell))


def _complete(situation: Situation, action: Place | Play) -> Guidance:
    score = outcome(situation, action).score
    code = "move-bonus" if score.bonus else "move-complete"
    return Guidance(Status.COMPLETE, code, {"points": sum(score.gain), "count": score.bonus}, action=action)


def what_now(situation: Situation) -> Guidance:
    """The one sentence that tells the seat to move what to do.

    >>> import genial
    >>> what_now(genial.new("classic", seats=2, seed=7)).text()
    'Place a tile next to a printed symbol that nobody has used yet.'
    """
    if situation.phase is Phase.OVER:
        return Guidance(Status.COMPLETE, "now-over")
    if situation.phase is Phase.END_TURN:
        if may_swap(situation):
            colours = list(weakest(situation, situation.seat))
            return Guidance(Status.INCOMPLETE, "now-swap", {"colours": colours})
        return Guidance(Status.INCOMPLETE, "now-refill")
    kind = "play" if isinstance(situation.table, OpenCards) else "place"
    if situation.bonus:
        return Guidance(Status.INCOMPLETE, f"now-bonus-{kind}", {"count": situation.bonus})
    if isinstance(situation.table, Layout) and legal_pairs(situation) != situation.table.open_pairs:
        stones = opens_every_start(situation)
        return Guidance(Status.INCOMPLETE, "now-opening-stone" if stones else "now-opening-printed")
    return Guidance(Status.INCOMPLETE, f"now-{kind}")
