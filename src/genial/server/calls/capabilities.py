"""What there is where tables are kept: a server can do some things that a page by itself cannot.

`Hello.can` tells the client, which shows what there is and never asks where it runs. A call that means
nothing without something declares it (`needs`), and is refused where that is not there.
"""

from __future__ import annotations

from typing import Literal, get_args

from genial.server.tables.errors import Refused

Capability = Literal["links", "lobby", "spectators", "http-bots", "proof", "api", "keeps-here"]
"""links: others can come, by a link, a code or a picture of it. lobby: public tables are listed. spectators:
others can watch. http-bots: programs that play over HTTP. proof: whoever deals is bound before the others add
their bits, so that it can be proven. api: documents for programs. keeps-here: games and results are kept on
this device and nowhere else."""

PAGE: frozenset[Capability] = frozenset({"keeps-here"})
"""A page without a server: it keeps all by itself, and nobody else can come."""
SERVER: frozenset[Capability] = frozenset(get_args(Capability)) - PAGE


class NotHere(Refused):
    """It needs something that is not there."""

    status = 501


def listed(can: frozenset[Capability]) -> list[Capability]:
    """Capabilities in their order.

    >>> listed(PAGE), listed(SERVER)[:2]
    (['keeps-here'], ['links', 'lobby'])
    """
    return [capability for capability in get_args(Capability) if capability in can]
