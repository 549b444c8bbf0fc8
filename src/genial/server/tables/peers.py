"""The other server processes on the same store: what a process tells them, and what it may leave to them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from genial.server.tables.store import BanKind


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Who is at a table through other processes."""

    devices: frozenset[str] = frozenset()
    watching: int = 0


NOWHERE = Elsewhere()


class Banned(NamedTuple):
    """Who is kept out from now on, and has to be put out."""

    kind: BanKind
    key: str
    """A device, or an address as limits count it."""

    def is_meant(self, device: str, address: str) -> bool:
        """Whether somebody with this device, at this address, is meant."""
        return self.key == (device if self.kind == "device" else address)


class Invitation(NamedTuple):
    """A host asks a bot that plays by HTTP to a table."""

    device: str
    table: str
    variant: str
    seats: int
    place: int | None


class Peers:
    """This process among others; as it stands here it is the only one, owns everything and tells nobody.

    Any process may serve any table and write to its log: the primary key (table, seq) says who was first. So
    that not all of them think for the same bot, each running game has one owner, which moves its bots and
    rings its clock. Should two processes believe to be it, they only think twice.
    """

    alone = True
    """Whether no other process can write to the store; then nothing ever has to be read again."""

    def __init__(self) -> None:
        self.id = secrets.token_urlsafe(6)
        """This process; no other has, or had, the same."""

    @property
    def living(self) -> frozenset[str]:
        """The processes that live, this one among them."""
        return frozenset({self.id})

    def wrote(self, table_id: str, seq: int) -> None:
        """Tell the others that a table's log goes up to `seq` now."""

    def owns(self, table_id: str) -> bool:
        """Whether this process is a game's owner, as far as it knows."""
        return True

    async def claim(self, table_id: str) -> bool:
        """Become the owner of a game if it has none; whether this process is its owner now."""
        return True

    def want(self, table_id: str) -> None:
        """Claim a game soon; nobody waits for it."""

    async def take_over(self, table_ids: Sequence[str]) -> list[str]:
        """Become the owner of these games where nobody alive is; gives those that this process got."""
        return list(table_ids)

    def release(self, table_id: str) -> None:
        """A game is over and needs no owner."""

    async def may_write(self, table_id: str, *, person: bool) -> bool:
        """Whether this process may write to a table. Where only its owner may, a person makes it that."""
        return True

    def tell_present(self, table_id: str, devices: Iterable[str], watching: int) -> None:
        """Who is at a table through this process from now on."""

    def elsewhere(self, table_id: str) -> Elsewhere:
        """Who is at a table through others, as was last heard."""
        return NOWHERE

    async def look(self, table_id: str) -> Elsewhere:
        """Who is at a table through others, now."""
        return NOWHERE

    def waits(self, table_id: str, place: int, seq: int, line: int) -> None:
        """Tell the others that a bot has to wait for its thought, as in `news.Waiting`."""

    def put_out(self, banned: Banned) -> None:
        """A device or an address was banned: the others close its sockets too."""

    def listens(self, device: str, name: str | None) -> None:
        """A bot listens to this process by a name, or no longer."""

    def listening(self) -> dict[str, str]:
        """The bots that listen to others, by name."""
        return {}

    def invite(self, invitation: Invitation) -> None:
        """Tell the others of an invitation: the bot may listen to one of them, and accept at another."""

    def sat(self, device: str, table_id: str) -> None:
        """A bot that plays by HTTP sat down: the process that it listens to follows the table for it."""
