"""Redealing what a viewer cannot know, consistent with everything the viewer has seen.

Every tile drawn out of sight fills a *slot*. A slot can only hold what was in the bag when it was filled:
tiles shown in a swap are back in the bag only after that swap's own draw, and a reshuffled pile holds exactly
the cards discarded before. The time between two such moments is an *era*. Tiles that came out of hidden racks
(placed, played, swapped) are assigned to slots first; the rest is filled at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from genial.core.deal import Dealer
from genial.core.errors import HiddenError
from genial.core.events import Dealt, Drew, Event, Opened, Placed, Played, Reshuffled, Swapped
from genial.core.position import Log, Position
from genial.core.tiles import HIDDEN, NORMAL, TILES, Tile, arranged
from genial.core.title import CardPlan
from genial.core.view import View

_Item = TypeVar("_Item")
_TRIES = 20
_EXCHANGES = 1000


class Rng(Protocol):
    """A random source, such as `random.Random`."""

    def randrange(self, stop: int, /) -> int: ...
    def getrandbits(self, k: int, /) -> int: ...


def determinize(view: View, rng: Rng) -> Position:
    """A complete position that the viewer cannot tell from the true one, ready to be played on.

    >>> import genial
    >>> from random import Random
    >>> view = genial.new("classic", seats=2, seed=7).view({0})
    >>> redealt = determinize(view, Random(1))
    >>> redealt.view({0}) == view, redealt.racks[1].count("??")
    (True, 0)
    """
    if not view.events:
        raise HiddenError("history-missing")
    history = _gather(view)
    for _ in range(_TRIES):
        slots = [replace(slot) for slot in history.slots]
        ledger = _Ledger(history)
        _fill(history, slots, ledger, rng)
        if _repair(slots, ledger, rng):
            return _position(view, history, slots, rng)
    raise HiddenError("redeal-failed")


@dataclass(slots=True)
class _Slot:
    """A drawn tile: who drew it (None: it is in the bag now), in which era, and what it is."""

    seat: int | None
    era: int
    tile: Tile | None
    fixed: bool = False
    """The viewer saw this draw."""
    drawn_before: int | None = None
    """How many slots had been drawn when the tile left the rack; it cannot belong to a later one."""


@dataclass(slots=True)
class _History:
    """What the events reveal: who drew when, what came out, and what went into bag or pile in each era."""

    piles: bool
    """Card game: each era has its own pile. Otherwise one bag lasts through all eras."""
    stock: list[Counter[Tile]]
    slots: list[_Slot] = field(default_factory=list)
    reveals: list[tuple[int, Tile, int]] = field(default_factory=list)
    """Tiles that came out of racks: seat, tile, and how many slots had been drawn by then."""
    discard: list[Tile] = field(default_factory=list)


def _gather(view: View) -> _History:
    setup, plan = view.setup, view.setup.title.plan
    history = _History(isinstance(plan, CardPlan), [Counter(setup.tiles)])
    rows: list[list[Tile]] = [[] for _ in range(setup.seats)]
    aside: tuple[Tile, ...] = ()
    mover = 0

    def drop_old_cards(seat: int) -> None:
        if isinstance(plan, CardPlan):
            surplus = max(len(rows[seat]) - plan.open_cards[setup.seats], 0)
            history.discard += rows[seat][:surplus]
            rows[seat] = rows[seat][surplus:]

    for event in view.events:
        match event:
            case Dealt(seat, tiles) | Drew(seat, tiles):
                drop_old_cards(seat)
                era = len(history.stock) - 1
                history.slots += [_Slot(seat, era, NORMAL.get(tile), tile != HIDDEN) for tile in tiles]
                if aside:  # SWAP: the shown tiles go back after the draw
                    history.stock.append(Counter(aside))
                    aside = ()
            case Opened(seat, tile):
                rows[seat].append(NORMAL[tile])
                history.stock[0][NORMAL[tile]] -= 1
            case Placed(seat=seat, tile=tile) | Played(seat=seat, tile=tile):
                drop_old_cards(seat)
                rows[seat].append(NORMAL[tile])
                mover = seat
                history.reveals.append((seat, NORMAL[tile], len(history.slots)))
            case Swapped(seat, tiles):
                drop_old_cards(seat)
                history.reveals += [(seat, NORMAL[tile], len(history.slots)) for tile in tiles]
                if history.piles:
                    history.discard += arranged(tiles)
                else:
                    aside = arranged(tiles)
            case Reshuffled():
                drop_old_cards(mover)
                history.stock.append(Counter(history.discard))
                history.discard = []
    if view.bonus:  # CARD-BONUS: the oldest card goes before the next is played
        drop_old_cards(view.seat)
    last = len(history.stock) - 1
    history.slots += [_Slot(None, last, None) for _ in range(view.supply)]
    return history


class _Ledger:
    """Tiles of each kind left in the bag at the end of each era; below zero where too many were drawn."""

    def __init__(self, history: _History) -> None:
        self._piles = history.piles
        self._eras = range(len(history.stock))
        self._left = {tile: [0] * len(history.stock) for tile in TILES}
        for era, added in enumerate(history.stock):
            for tile, count in added.items():
                self._change(tile, era, count)
        for slot in history.slots:
            if slot.tile is not None:
                self.take(slot.tile, slot.era)

    def _reach(self, era: int) -> Sequence[int]:
        # A pile lasts one era only; a bag carries what is left over to the next.
        return (era,) if self._piles else self._eras[era:]

    def _change(self, tile: Tile, era: int, count: int) -> None:
        left = self._left[tile]
        for later in self._reach(era):
            left[later] += count

    def take(self, tile: Tile, era: int) -> None:
        self._change(tile, era, -1)

    def put_back(self, tile: Tile, era: int) -> None:
        self._change(tile, era, 1)

    def room(self, tile: Tile, era: int) -> int:
        """How many more of a kind can be drawn in an era without running short then or later."""
        left = self._left[tile]
        return max(min([left[later] for later in self._reach(era)]), 0)

    def lack(self, tile: Tile) -> int:
        """How many of a kind are drawn before they are available."""
        return sum([max(-left, 0) for left in self._left[tile]])

    def lacking(self) -> list[Tile]:
        """The kinds that are drawn before they are available."""
        return [tile for tile in TILES if self.lack(tile)]

    def is_short(self, tile: Tile, era: int) -> bool:
        """True if drawing this kind in this era is one too many, then or later."""
        left = self._left[tile]
        return any(left[later] < 0 for later in self._reach(era))


def _fill(history: _History, slots: list[_Slot], ledger: _Ledger, rng: Rng) -> None:
    """Assign what came out of hidden racks to slots and fill the others; some may not fit yet."""
    held: dict[int | None, list[int]] = {}
    for n, slot in enumerate(slots):
        held.setdefault(slot.seat, []).append(n)
    for seat, tile, drawn in history.reveals:
        mine = [n for n in held[seat] if n < drawn]
        known = [n for n in mine if slots[n].tile == tile]
        if known:
            held[seat].remove(known[0])
            continue
        empty = [n for n in mine if slots[n].tile is None]
        roomy = [n for n in empty if ledger.room(tile, slots[n].era)] or empty
        chosen = roomy[rng.randrange(len(roomy))]
        held[seat].remove(chosen)
        slots[chosen].tile, slots[chosen].drawn_before = tile, drawn
        ledger.take(tile, slots[chosen].era)
    rest = Counter[Tile]()
    for added in history.stock:
        rest.update(added)
    rest.subtract(slot.tile for slot in slots if slot.tile)
    for slot in slots:
        if slot.tile is None:
            weights = [min(ledger.room(tile, slot.era), rest[tile]) for tile in TILES]
            slot.tile = _weighted(weights if any(weights) else [rest[tile] for tile in TILES], rng)
            rest[slot.tile] -= 1
            ledger.take(slot.tile, slot.era)


def _repair(slots: list[_Slot], ledger: _Ledger, rng: Rng) -> bool:
    """Exchange tiles between slots until every tile was in the bag when it was drawn."""
    movable = [n for n, slot in enumerate(slots) if not slot.fixed]
    for _ in range(_EXCHANGES):
        lacking = ledger.lacking()
        if not lacking:
            return True
        wanted = lacking[rng.randrange(len(lacking))]
        here = [n for n in movable if slots[n].tile == wanted and ledger.is_short(wanted, slots[n].era)]
        first = here[rng.randrange(len(here))]
        others = [n for n in movable if _may_exchange(slots, first, n)]
        if others:
            _exchange(slots[first], slots[others[rng.randrange(len(others))]], ledger)
    return False


def _may_exchange(slots: list[_Slot], first: int, second: int) -> bool:
    a, b = slots[first], slots[second]
    if a.era == b.era or a.tile == b.tile:
        return False
    if a.seat != b.seat:  # what came out of a rack has to stay in it
        return a.drawn_before is None and b.drawn_before is None
    return (b.drawn_before is None or first < b.drawn_before) and (
        a.drawn_before is None or second < a.drawn_before
    )


def _exchange(a: _Slot, b: _Slot, ledger: _Ledger) -> None:
    """Exchange two tiles, unless that makes more tiles appear too early."""
    assert a.tile is not None
    assert b.tile is not None
    before = ledger.lack(a.tile) + ledger.lack(b.tile)
    for _ in range(2):  # once to exchange, and once more to undo it if that was worse
        ledger.put_back(a.tile, a.era)
        ledger.put_back(b.tile, b.era)
        a.tile, b.tile = b.tile, a.tile
        a.drawn_before, b.drawn_before = b.drawn_before, a.drawn_before
        ledger.take(a.tile, a.era)
        ledger.take(b.tile, b.era)
        if ledger.lack(a.tile) + ledger.lack(b.tile) <= before:
            return


def _weighted(weights: Sequence[int], rng: Rng) -> Tile:
    left = rng.randrange(sum(weights))
    for tile, weight in zip(TILES, weights, strict=True):
        if left < weight:
            return tile
        left -= weight
    raise AssertionError("the weights add up")


def _position(view: View, history: _History, slots: list[_Slot], rng: Rng) -> Position:
    filled = iter(slots)
    log: Log = None
    for event in view.events:
        log = (log, _shown(event, filled))
    racks = list(view.racks)
    for seat in set(range(view.setup.seats)) - view.viewer:
        drawn = Counter(slot.tile for slot in slots if slot.seat == seat and slot.tile)
        gone = Counter(tile for other, tile, _ in history.reveals if other == seat)
        racks[seat] = arranged((drawn - gone).elements())
    return Position(
        setup=view.setup,
        table=view.table,
        racks=tuple(racks),
        tracks=view.tracks,
        bag=_shuffled([slot.tile for slot in filled if slot.tile], rng),
        dealer=Dealer(f"{rng.getrandbits(128):032x}"),
        phase=view.phase,
        seat=view.seat,
        turn=view.turn,
        bonus=view.bonus,
        last_turns=view.last_turns,
        discard=tuple(history.discard),
        ending=view.result.reason if view.result else None,
        result=view.result,
        log=log,
    )


def _shown(event: Event, filled: Iterator[_Slot]) -> Event:
    """The event with the tiles that its slots were given."""
    if not isinstance(event, Dealt | Drew):
        return event
    tiles = tuple(slot.tile or HIDDEN for _, slot in zip(event.tiles, filled, strict=False))
    return event if HIDDEN not in event.tiles else replace(event, tiles=tiles)


def _shuffled(items: list[_Item], rng: Rng) -> tuple[_Item, ...]:
    for last in range(len(items) - 1, 0, -1):
        other = rng.randrange(last + 1)
        items[last], items[other] = items[other], items[last]
    return tuple(items)
