"""Where one WebSocket frame ends (RFC 6455, 5.2), without looking into it."""

from __future__ import annotations

_HEAD = 2
_MASK = 4
_LENGTHS = {126: 2, 127: 8}
"""How many further bytes hold the length, by the 7-bit value that says so."""


def frame_size(data: bytes, most: int) -> int | None:
    """The size of the first frame, head included; None while part of it is missing.

    A frame that announces more than `most` counts as long as what is there: the parser refuses it by its
    head, and nothing has to be kept for it.

    >>> ping = bytes([0x89, 0x80, 1, 2, 3, 4])
    >>> frame_size(ping + ping, 100), frame_size(ping[:5], 100), frame_size(bytes([0x82, 0xFE, 9, 9]), 100)
    (6, None, 4)
    """
    if len(data) < _HEAD:
        return None
    length, start = data[1] & 0x7F, _HEAD
    if more := _LENGTHS.get(length, 0):
        start += more
        if len(data) < start:
            return None
        length = int.from_bytes(data[_HEAD:start], "big")
    if length > most:
        return len(data)
    end = start + (_MASK if data[1] & 0x80 else 0) + length
    return end if len(data) >= end else None
