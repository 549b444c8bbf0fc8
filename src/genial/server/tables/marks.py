"""A mark stands for a device at one table, so that people can tell speakers apart without identifying them.

The same device has a different mark at every table, so nobody can follow it from one to the next. Players
have one too: somebody who speaks and then sits down, or holds two places, keeps the same mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from hashlib import sha256

_LENGTH = 10
_SHOWN = 4


def mark_of(table_id: str, device: str) -> str:
    """A device's mark at a table; empty if there is no device.

    >>> mark_of("t1", "ada"), mark_of("t2", "ada"), mark_of("t1", "")
    ('53da83eb9f', '79b508bc07', '')
    """
    if not device:
        return ""
    return sha256(f"genial-mark/1|{table_id}|{device}".encode()).hexdigest()[:_LENGTH]


def spectator_name(name: str, mark: str, taken: Iterable[str]) -> str:
    """A spectator's name as shown; with part of the mark if somebody sitting here has a similar name.

    >>> spectator_name("Ａda", "53da83eb9f", ["ADA", "greedy"])
    'Ａda (53da)'
    """
    alike = _folded(name) in {_folded(other) for other in taken}
    return f"{name} ({mark[:_SHOWN]})" if alike else name


def _folded(name: str) -> str:
    """A name reduced so that capitals and other ways to write the same letters don't matter."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
