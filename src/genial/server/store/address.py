"""Where a store is: the path of a file, or the address of a database, whose password is never shown."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit

from genial.server.tables.errors import WrongSetup

_SCHEMES = ("postgresql", "postgres")


@dataclass(frozen=True, slots=True)
class Address:
    """A PostgreSQL database.

    >>> Address("postgresql://ada:secret@db.example.org:5432/genial?sslmode=require")
    postgresql://ada@db.example.org:5432/genial
    """

    url: str
    password: str | None = None
    """A password that isn't in the address; without one, the driver looks in `~/.pgpass`."""

    def __post_init__(self) -> None:
        _split(self.url)

    @property
    def shown(self) -> str:
        """Without the password, and without parameters, which may contain one too."""
        parts = _split(self.url)
        return f"postgresql://{parts.netloc.rpartition('@')[0].partition(':')[0]}{_at(parts)}{parts.path}"

    def __repr__(self) -> str:
        return self.shown

    __str__ = __repr__


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        if "," not in parts.netloc:  # with several hosts the driver takes the first that answers
            _ = parts.port
    except ValueError:
        raise WrongSetup("store-address") from None  # the error's message may quote a password
    if parts.scheme not in _SCHEMES:
        raise WrongSetup("store-address")
    return parts


def _at(parts: SplitResult) -> str:
    user, at, host = parts.netloc.rpartition("@")
    return f"{'@' if at and user.partition(':')[0] else ''}{host}"


def parse(db: str | Path) -> Path | Address:
    """The store that an option names.

    >>> parse("postgresql://localhost/genial").shown
    'postgresql://localhost/genial'
    """
    if isinstance(db, Path) or "://" not in db:
        return Path(db)
    scheme = db.partition("://")[0]
    if scheme not in _SCHEMES:
        raise WrongSetup("store-kind", db=scheme)  # never the rest: it may contain a password
    return Address(db)


def from_command_line(db: str) -> Path | Address:
    """The store that an option names, with its password hidden from process lists and from our children.

    Anybody who lists processes can read every command line. So the program restarts itself without the
    password, and passes it on in the environment, which only the same user can read; from there it is removed
    at once.
    """
    if os.name == "posix" and any(db in argument for argument in sys.orig_argv[1:]):
        without, password = _parted(db)
        if password:
            arguments = [each.replace(db, without) for each in sys.orig_argv[1:]]
            os.execve(sys.executable, [sys.executable, *arguments], {**os.environ, "PGPASSWORD": password})
    store = parse(db)
    return replace(store, password=_password()) if isinstance(store, Address) else store


@cache
def _password() -> str | None:
    return os.environ.pop("PGPASSWORD", None)


def _parted(db: str) -> tuple[str, str]:
    """An address without its password, and the password.

    >>> _parted("postgresql://ada:se%20cret@host/genial?sslmode=require")
    ('postgresql://ada@host/genial?sslmode=require', 'se cret')
    >>> _parted("postgresql://ada@host/genial?password=secret")
    ('postgresql://ada@host/genial', 'secret')
    """
    if "://" not in db:
        return db, ""
    parts = urlsplit(db)
    user, at, hosts = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    query = parse_qsl(parts.query)
    password = unquote(password) or dict(query).get("password", "")
    kept = urlencode([(key, value) for key, value in query if key != "password"], safe="/:,")
    return parts._replace(netloc=f"{name}{at}{hosts}", query=kept).geturl(), password
