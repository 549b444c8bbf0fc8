"""Tables for the tests, with a clock that tests move, and no store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from genial.server.tables import decisions
from genial.server.tables.entries import Body, Entry
from genial.server.tables.log import append_of, entries_from
from genial.server.tables.settings import PlaceChoice, TableSettings
from genial.server.tables.store import StoredEntry
from genial.server.tables.table import Game, Table
from genial.server.tables.views import Viewer

ADA, BEN, CAT = "a" * 32, "b" * 32, "c" * 32


class Desk:
    """A table with its log. Entries go through their stored form, as they would in a server."""

    def __init__(self) -> None:
        self.table = Table("desk")
        self.log: list[Entry] = []
        self.kept: list[StoredEntry] = []
        self.now = 1_000_000

    def put(self, bodies: Sequence[Body]) -> list[Entry]:
        written = self.table.writing(bodies, self.now)
        append = append_of(self.table, written)
        kept = [
            StoredEntry(self.table.id, seq, new.time, new.kind, new.move_id, new.data)
            for seq, new in enumerate(append.entries, append.first_seq)
        ]
        entries = entries_from(self.table, kept)
        folded = self.table.after(entries)
        # The table that a decision predicts is the one that reading the log gives.
        assert not bodies or folded == written.table
        self.table = folded
        self.log += entries
        self.kept += kept
        return entries

    @property
    def game(self) -> Game:
        assert self.table.game is not None
        return self.table.game

    def random_act(self, rng: Random) -> list[Entry]:
        """Make a random allowed move for whoever's turn it is."""
        position = self.game.position
        actions = position.actions()
        action = actions[rng.randrange(len(actions))]
        assert self.game.mover is not None
        return self.put(decisions.act(self.table, self.game.mover, action))

    def next_game(self) -> None:
        """Begin another game, as if everybody had agreed."""
        self.put(decisions.begin(self.table))

    def play_out(self, rng: Random) -> None:
        while self.table.is_running:
            self.random_act(rng)


def desk(
    settings: TableSettings, devices: tuple[str, ...] = (ADA, BEN, CAT, CAT), *, start: bool = True
) -> Desk:
    """A table with one person per place, each with their own device; its first game has begun."""
    made = Desk()
    places = [PlaceChoice("me")] + [PlaceChoice("open")] * (settings.seats - 1)
    made.put(decisions.create(settings, places, devices[0], "Ada", "00" * 16, "CODES"))
    for place in range(1, settings.seats):
        made.put(decisions.sit(made.table, devices[place] + str(place), f"P{place}", "11" * 16, place))
    if start:
        made.put(decisions.start(made.table, devices[0]))
    return made


def at(places: Iterable[int], *, host: bool = False) -> Viewer:
    """Somebody who holds these places, and looks from all of them."""
    return Viewer(frozenset(places), frozenset(places), host)
