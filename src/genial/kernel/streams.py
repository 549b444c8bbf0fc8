"""Where the random streams of a batch start: the same on the processor and on the graphics card."""

from __future__ import annotations

from hashlib import sha256


def first_stream(seed: int) -> int:
    """The seed of a batch's first game; the others follow one by one.

    Hashed, so that the streams of adjacent seeds are far apart.

    >>> first_stream(1) == first_stream(1) != first_stream(2)
    True
    """
    return int.from_bytes(sha256(f"genial-batch|{seed}".encode()).digest()[:8], "big") >> 2
