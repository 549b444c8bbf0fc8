"""The other server processes on the same store: what a process tells them, and what it may leave to them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Who is at a table through other processes."""

    devices: frozenset[str] = frozenset()
    watching: int = 0


NOWHERE = Elsewhere()


class Invitation(NamedTuple):
    """A host asks a bot that plays by HTTP to a table."""

    device: str
    table: str
    variant: str
    seats: int
    place: int | None


def new_id() -> str:
    """A name for a process."""
    return secrets.token_urlsafe(6)


class Peers(Protocol):
    """One process among others, or alone.

    Any process may serve any table and write to its log: the primary key (game, seq) says who was first. So
    that not all of them think for the same bot, each running game has one owner, which moves its bots and
    rings its clock. Should two processes believe to be it, they only think twice.
    """

    id: str
    """This process; no other has, or had, the same."""
    alone: bool
    """Whether no other process can write to the store; then nothing ever has to be read again."""

    @property
    def living(self) -> frozenset[str]:
        """The processes that live, this one among them."""

    def wrote(self, game: str, seq: int) -> None:
        """Tell the others that a table's log goes up to `seq` now."""

    def owns(self, game: str) -> bool:
        """Whether this process is a game's owner, as far as it knows."""

    async def claim(self, game: str) -> bool:
        """Become the owner of a game if it has none; whether this process is its owner now."""

    def want(self, game: str) -> None:
        """Claim a game soon; nobody waits for it."""

    async def take_over(self, games: Sequence[str]) -> list[str]:
        """Become the owner of these games where nobody alive is; gives those that this process got."""

    def release(self, game: str) -> None:
        """A game is over and needs no owner."""

    def here(self, game: str, devices: Iterable[str], watching: int) -> None:
        """Who is at a table through this process from now on."""

    def elsewhere(self, game: str) -> Elsewhere:
        """Who is at a table through others, as was last heard."""

    async def look(self, game: str) -> Elsewhere:
        """Who is at a table through others, now."""

    def put_out(self, device: str) -> None:
        """A device was banned: the others close its sockets too."""

    def listens(self, device: str, name: str | None) -> None:
        """A bot listens to this process by a name, or no longer."""

    def listening(self) -> dict[str, str]:
        """The bots that listen to others, by name."""

    def invite(self, invitation: Invitation) -> None:
        """Tell the others of an invitation: the bot may listen to one of them, and accept at another."""

    def sat(self, device: str, table: str) -> None:
        """A bot that plays by HTTP sat down: the process that it listens to follows the table for it."""


class Alone:
    """The only process: it owns everything and tells nobody."""

    alone = True

    def __init__(self) -> None:
        self.id = new_id()

    @property
    def living(self) -> frozenset[str]:
        return frozenset({self.id})

    def wrote(self, game: str, seq: int) -> None:
        """Nobody asks."""

    def owns(self, game: str) -> bool:
        return True

    async def claim(self, game: str) -> bool:
        return True

    async def take_over(self, games: Sequence[str]) -> list[str]:
        return list(games)

    def want(self, game: str) -> None:
        """It is ours already."""

    def release(self, game: str) -> None:
        """It stays ours."""

    def here(self, game: str, devices: Iterable[str], watching: int) -> None:
        """Nobody asks."""

    def elsewhere(self, game: str) -> Elsewhere:
        return NOWHERE

    async def look(self, game: str) -> Elsewhere:
        return NOWHERE

    def put_out(self, device: str) -> None:
        """There are no others."""

    def listens(self, device: str, name: str | None) -> None:
        """Nobody asks."""

    def listening(self) -> dict[str, str]:
        return {}

    def invite(self, invitation: Invitation) -> None:
        """There are no others."""

    def sat(self, device: str, table: str) -> None:
        """There are no others."""
