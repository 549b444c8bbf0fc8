"""What is said at a table, line by line: a recorded session of the real client, and how another compares.

`record_conversation.py` writes such files from a browser. Load clients are checked against them, so that what
is measured is what people's browsers do. Types, order, sizes and reasons are kept; tiles and names are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

FOLDER = Path(__file__).parent / "conversations"
NOW = "now"
"""The conversation of this checkout's own client."""
ROLES = ("mover", "opponent", "spectator")
Way = Literal["<", ">"]
_UNTIMELY = ("< presence", "> ping", "< pong")
"""Sent when somebody comes or goes, or when it is quiet, and not because of a deed."""


class Line(Struct, frozen=True, omit_defaults=True):
    """One frame on a socket, or one call over HTTP."""

    what: str
    """`>` to the server, `<` from it, and its type with the reason; or a method, a route and a status."""
    size: int
    """The size in bytes of the frame, or of the answer."""
    seq: int | None = None
    """The entry it is about; for a deed, the one that it follows."""


Part = dict[str, list[Line]]
"""What each role has said and heard, in order."""


class Recording(Struct, frozen=True):
    """A session of two players and a spectator: how each joins the running game, then turn by turn."""

    commit: str
    opening: Part
    """By role: two players, and a spectator."""
    turns: list[Part]
    """By role; a turn is a placement, preceded by its preview, and the end of the turn."""


def read(name: str) -> Recording | None:
    """A stored session, by commit or `now`; None if there is none."""
    path = FOLDER / f"{name}.json"
    return msgspec.json.decode(path.read_bytes(), type=Recording) if path.exists() else None


def write(recording: Recording, name: str) -> Path:
    """Store a session, one line per line."""
    path = FOLDER / f"{name}.json"
    encode = msgspec.json.encode

    def part(found: Part) -> bytes:
        roles = (encode(role) + b": [\n" + b",\n".join(map(encode, found[role])) + b"\n]" for role in found)
        return b"{" + b",\n".join(roles) + b"}"

    turns = b",\n".join(map(part, recording.turns))
    text = b'{"commit": %b,\n"opening": %b,\n"turns": [%b]}\n'
    path.write_bytes(text % (encode(recording.commit), part(recording.opening), turns))
    return path


def line_of(way: Way, data: bytes) -> Line:
    """A frame as a line.

    >>> line_of(">", b'{"type":"act","seq":7,"place":0,"action":"RB@f6,f7","then":null}').what
    '> act place'
    >>> line_of("<", b'{"type":"update","entries":[{"seq":8,"kind":"acted"}],"state":{"seq":8}}')
    Line(what='< update acted state', size=72, seq=8)
    """
    message: dict[str, Any] = msgspec.json.decode(data)
    kind = str(message["type"])
    words, seq = [way, kind], message.get("seq")
    match kind:
        case "act":
            words.append("place" if "@" in message["action"] else message["action"])
            words += ["then", message["then"]] if message.get("then") else []
        case "entry":
            words += [message["entry"]["kind"], *(["now"] if message["now"] is not None else [])]
            seq = message["entry"]["seq"]
        case "state":
            seq = message["state"]["seq"]
        case "update":
            words += [entry["kind"] for entry in message["entries"]]
            words += [name for name in ("state", "done") if message.get(name) is not None]
            seq = message["entries"][-1]["seq"] if message["entries"] else (message["state"] or {}).get("seq")
        case "error":
            words.append(message["error"]["code"])
    return Line(" ".join(words), len(data), seq)


def route(path: str) -> str:
    """A path without what differs from session to session.

    >>> route("/api/tables/abc/explain?move=RB%40f6%2Cf7&place=0")
    '/api/tables/{table}/explain'
    """
    path = re.sub(r"/tables/[^/]+", "/tables/{table}", path.partition("?")[0])
    path = re.sub(r"^/table/[^/]+", "/table/{table}", path)
    return re.sub(r"^/assets/.*\.", "/assets/*.", path)


def essence(lines: Iterable[Line], *, http: bool = True) -> list[str]:
    """What has to be the same, line by line, whoever plays."""
    said = (line.what for line in lines if line.what not in _UNTIMELY)
    return [what for what in said if http or what[0] in "<>"]


def differences(recorded: Recording, opening: Part, turns: list[Part], *, http: bool = True) -> list[str]:
    """Where a session differs from a recorded one: the sockets of those who join, then every turn.

    Turns are compared with the recorded ones by number; a page's own loading is left out.
    """
    found = []
    for role in ROLES:
        found += _unlike(f"{role} comes", recorded.opening[role], opening[role], http=False)
    for number, (expected, played) in enumerate(zip(recorded.turns, turns, strict=False), 1):
        for role in ROLES:
            found += _unlike(f"turn {number}, {role}", expected[role], played[role], http=http)
    return found


def _unlike(where: str, expected: list[Line], played: list[Line], *, http: bool) -> list[str]:
    one, other = essence(expected, http=http), essence(played, http=http)
    return [] if one == other else [f"{where}: {other}, recorded {one}"]
