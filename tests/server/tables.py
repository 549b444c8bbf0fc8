"""Tables for the tests, with a clock that tests move, and no store."""

from __future__ import annotations

from random import Random

from genial.core.notation import move_text
from genial.server import decisions
from genial.server.entries import Body, Entry, decode, encode
from genial.server.settings import PlaceChoice, TableSettings
from genial.server.table import Game, Table

ADA, BEN, CAT = "a" * 32, "b" * 32, "c" * 32


class Desk:
    """A table with its log. Entries go through their stored form, as they would in a server."""

    def __init__(self) -> None:
        self.table = Table("desk")
        self.log: list[Entry] = []
        self.now = 1_000_000

    def put(self, bodies: list[Body]) -> list[Entry]:
        entries = []
        for body in bodies:
            entry = Entry(self.table.seq + 1, self.now, decode(encode(body)))
            self.table.evolve(entry)
            entries.append(entry)
        self.log += entries
        return entries

    @property
    def game(self) -> Game:
        assert self.table.game is not None
        return self.table.game

    def random_act(self, rng: Random) -> list[Entry]:
        """Whoever is to move does anything lawful."""
        position = self.game.position
        actions = position.actions()
        action = actions[rng.randrange(len(actions))]
        assert self.game.mover is not None
        return self.put(decisions.act(self.table, self.game.mover, move_text(position.setup, action)))

    def play_out(self, rng: Random) -> None:
        while self.table.is_running:
            self.random_act(rng)


def desk(
    settings: TableSettings, devices: tuple[str, ...] = (ADA, BEN, CAT, CAT), *, start: bool = True
) -> Desk:
    """A table with one person a place, each with a device of their own; its first game begun."""
    made = Desk()
    places = [PlaceChoice("me")] + [PlaceChoice("open")] * (settings.seats - 1)
    made.put(decisions.create(settings, places, devices[0], "Ada", "00" * 16, "CODES"))
    for place in range(1, settings.seats):
        made.put(decisions.sit(made.table, devices[place] + str(place), f"P{place}", "11" * 16, place))
    if start:
        made.put(decisions.start(made.table, devices[0]))
    return made
