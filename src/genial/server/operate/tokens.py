"""The tokens of the operator and of bot workers elsewhere: each in a file, known here only by its hash."""

from __future__ import annotations

import hmac
import logging
import os
import stat
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request

from genial.server.messages import WORDS
from genial.server.tables.errors import WrongSetup

log = logging.getLogger("genial.server")

_SHORTEST = 32
"""Characters in a token; 128 bits in hexadecimal."""
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def token_in(path: Path) -> str:
    """The token in a file; WrongSetup if it is too short."""
    token = path.read_text(encoding="utf-8").strip()
    if len(token) < _SHORTEST:
        raise WrongSetup("token-short", path=str(path), got=len(token), expected=_SHORTEST)
    return token


def warn_of_open_files(*paths: Path | None) -> None:
    """Warn if others can read a token's file, and say what to do."""
    for path in paths:
        if path is not None and _others_can_read(path):
            log.warning(WORDS.render("token-open", {"path": path}))


def _others_can_read(path: Path) -> bool:
    # systemd protects a service's credentials in its own way, which looks like read access for a group.
    guarded = os.environ.get("CREDENTIALS_DIRECTORY")
    if os.name != "posix" or (guarded and path.resolve().is_relative_to(Path(guarded).resolve())):
        return False
    return bool(path.stat().st_mode & _OTHERS)


def token_hash(token: str) -> bytes:
    """All that the server keeps of a token."""
    return sha256(f"genial-operator/1|{token}".encode()).digest()


def has_token(request: Request, expected: bytes | None) -> bool:
    """True if a request carries the token with this hash; False if no token is configured."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    given = token_hash(token.strip() if scheme.lower() == "bearer" else "")
    return hmac.compare_digest(given, expected or b"") and expected is not None
