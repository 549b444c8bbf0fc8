"""The one device that there is in a page."""

from __future__ import annotations

from hashlib import sha256

from genial.server.calls.devices import Device

HERE = Device(sha256(b"genial-page/1").digest()[:16])
"""Whoever plays in the page. The same in every browser, so that games which are carried from one to another
still belong to who plays there; no token names it, so that nobody can be it at a server."""
