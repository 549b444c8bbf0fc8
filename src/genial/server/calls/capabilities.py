"""What is available where tables are kept: a server can do things that a page on its own can't.

`Hello.can` tells the client, which shows what is available and never asks where it runs. A call that makes no
sense without a capability declares it (`needs`), and is refused where it is missing.
"""

from __future__ import annotations

from typing import Literal, get_args

from genial.server.tables.errors import Refused

Capability = Literal["links", "lobby", "spectators", "http-bots", "proof", "api", "keeps-here"]
"""links: others can join, by a link, a code or a QR code. lobby: public tables are listed. spectators: others
can watch. http-bots: programs that play over HTTP. proof: the dealer commits before the others add their
bits, so that a deal can be proven. api: documents for programs. keeps-here: games and results are kept on
this device and nowhere else.
"""

PAGE: frozenset[Capability] = frozenset({"keeps-here"})
"""A page without a server: it keeps everything itself, and nobody else can join."""
SERVER: frozenset[Capability] = frozenset(get_args(Capability)) - PAGE


class NotHere(Refused):
    """This needs a capability that isn't available here."""

    status = 501


def listed(can: frozenset[Capability]) -> list[Capability]:
    """Capabilities in their declared order.

    >>> listed(PAGE), listed(SERVER)[:2]
    (['keeps-here'], ['links', 'lobby'])
    """
    return [capability for capability in get_args(Capability) if capability in can]
