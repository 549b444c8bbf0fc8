"""Provably fair dealing (DEAL): the host commits to a secret, players add bits, all is revealed later."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256


def commitment(secret: str) -> str:
    """The hash that is published before the first tile.

    >>> commitment("00")[:16]
    '9e6729f5eccdf8e1'
    """
    return sha256(f"genial-commit/1|{secret}".encode("ascii")).hexdigest()


def game_seed(secret: str, bits: Sequence[str]) -> str:
    """The seed of the game: the hash of the secret and everybody's bits, in the order of places.

    >>> game_seed("00", ["ab", ""])[:16]
    '2d6e784c06f2e857'
    """
    return sha256(f"genial-seed/1|{secret}|{'|'.join(bits)}".encode("ascii")).hexdigest()
