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
    """Somebody who was banned, and has to be disconnected."""

    kind: BanKind
    key: str
    """A device, or an address in the form used by limits."""

    def is_meant(self, device: str, address: str) -> bool:
        """True if the ban covers this device or address."""
        return self.key == (device if self.kind == "device" else address)


class Invitation(NamedTuple):
    """A host invites a bot that plays over HTTP to a table."""

    device: str
    table: str
    variant: str
    seats: int
    place: int | None


class Peers:
    """This process among others. As it stands here it is alone: it owns everything and tells nobody.

    Any process may serve any table and write to its log: the primary key (table, seq) decides who was first.
    So that they don't all think for the same bot, each running game has one owner, which moves its bots and
    runs its clock. If two processes both believe they own a game, the only harm is thinking twice.
    """

    alone = True
    """True if no other process can write to the store, so that nothing ever has to be read again."""

    def __init__(self) -> None:
        self.id = secrets.token_urlsafe(6)
        """Identifies this process; never used before or again."""

    @property
    def living(self) -> frozenset[str]:
        """The processes that are alive, including this one."""
        return frozenset({self.id})

    def wrote(self, table_id: str, seq: int) -> None:
        """Tell the others that a table's log now goes up to `seq`."""

    def owns(self, table_id: str) -> bool:
        """True if this process owns a game, as far as it knows."""
        return True

    async def claim(self, table_id: str) -> bool:
        """Claim a game if nobody owns it. Returns whether this process owns it now."""
        return True

    def want(self, table_id: str) -> None:
        """Claim a game soon, without waiting for the result."""

    async def take_over(self, table_ids: Sequence[str]) -> list[str]:
        """Claim those of these games that no living process owns. Returns the ones this process got."""
        return list(table_ids)

    def release(self, table_id: str) -> None:
        """Give up a game that is over and needs no owner."""

    async def may_write(self, table_id: str, *, person: bool) -> bool:
        """True if this process may write to a table. If only its owner may, a person's deed makes it that."""
        return True

    def tell_present(self, table_id: str, devices: Iterable[str], watching: int) -> None:
        """Set who is at a table through this process from now on."""

    def elsewhere(self, table_id: str) -> Elsewhere:
        """Who is at a table through other processes, as last heard."""
        return NOWHERE

    async def look(self, table_id: str) -> Elsewhere:
        """Who is at a table through other processes right now."""
        return NOWHERE

    def waits(self, table_id: str, place: int, seq: int, line: int) -> None:
        """Tell the others that a bot has to wait before it can think, as in `news.Waiting`."""

    def put_out(self, banned: Banned) -> None:
        """Tell the others to close the sockets of a banned device or address."""

    def listens(self, device: str, name: str | None) -> None:
        """A bot listens to this process under a name; with None it no longer does."""

    def listening(self) -> dict[str, str]:
        """The names of the bots that listen to other processes, by device."""
        return {}

    def invite(self, invitation: Invitation) -> None:
        """Tell the others of an invitation: the bot may listen to one of them, and accept through another."""

    def sat(self, device: str, table_id: str) -> None:
        """A bot that plays over HTTP sat down: the process it listens to follows the table for it."""
