"""What server processes must have in common to share tables."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import get_args

from genial import __version__
from genial.core.record import RULES
from genial.server.calls.conversation import CONVERSATION
from genial.server.store.migrations import newest
from genial.server.tables.log import STORED


@cache
def build() -> str:
    """This program's build, as far as it matters to other processes on its database.

    The release counts, because nobody tests two of them side by side. Between releases, what one process
    leaves for another counts: rulings, schema, log entries, and what the clients of both are told. Commits
    that differ in none of these are compatible.

    >>> len(build())
    8
    """
    entries = sorted((kind.__struct_config__.tag, kind.__struct_fields__) for kind in get_args(STORED))
    shared = __version__, RULES, newest("postgres"), entries, CONVERSATION
    return blake2b(repr(shared).encode(), digest_size=4).hexdigest()


def is_ours(process: str) -> bool:
    """True if the process with this id has the same build."""
    return process.rpartition(".")[2] == build()
