"""The only device in a page."""

from __future__ import annotations

from hashlib import sha256

from genial.server.calls.devices import Device

HERE = Device(sha256(b"genial-page/1").digest()[:16])
"""Whoever plays in the page. It is the same in every browser, so that games carried from one to another still
belong to the person playing; no token names it, so nobody can be this device on a server.
"""
