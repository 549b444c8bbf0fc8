"""Random messages that nobody should send to a table's socket."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection

from genial.server.tables.settings import Limits

FRAME = Limits().frame_bytes


@dataclass(frozen=True, slots=True)
class Bad:
    """One message, and how it is sent: as text, as binary, in pieces, or bypassing the protocol."""

    kind: str
    data: bytes
    way: str = "text"

    async def send(self, socket: ClientConnection) -> None:
        match self.way:
            case "text":
                await socket.send(self.data, text=True)
            case "binary":
                await socket.send(self.data)
            case "pieces":
                await socket.send(_pieces(self.data))
            case "raw":
                socket.transport.write(self.data)


def _pieces(data: bytes) -> Iterator[bytes]:
    size = max(1, len(data) // 5)
    for start in range(0, len(data), size):
        yield data[start : start + size]


def _form(rng: Random) -> dict[str, Any]:
    """A well-formed message of each kind that is not lawful: outdated, or for a tile that does not exist."""
    move_id = f"{rng.randrange(2**64):x}"
    seq = rng.choice((0, 1, 2, 3))
    forms: tuple[dict[str, Any], ...] = (
        {"type": "act", "seq": seq, "move_id": move_id, "place": 0, "action": "RR@a1,a2"},
        {"type": "act", "seq": seq, "move_id": move_id, "place": 0, "action": "RR@a1,a2", "then": "refill"},
        {"type": "back", "seq": seq, "move_id": move_id, "place": 0},
        {"type": "ask", "move_id": move_id, "place": 0, "to": 10**9},
        {"type": "answer", "move_id": move_id, "place": 0, "yes": rng.random() < 0.5},
        {"type": "choose", "move_id": move_id, "place": 0, "absent": 1, "choice": "end"},
        {"type": "chat", "move_id": move_id, "place": 0, "text": "hello", "phrase": "", "name": "Eve"},
        {"type": "resync"},
        {"type": "ping", "n": 7},
        {"type": "watch-place", "place": 0},
    )
    return rng.choice(forms)


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


# Unreadable


def _noise(rng: Random) -> Bad:
    return Bad("noise", rng.randbytes(rng.randrange(200)), "binary")


def _words(rng: Random) -> Bad:
    letters = '{}[]":,0123456789.eE+-truefalsn\\u d8\u00e9\u2028\U0001f600\x00'
    return Bad("words", "".join(rng.choices(letters, k=rng.randrange(100))).encode())


def _truncated(rng: Random) -> Bad:
    data = _json(_form(rng))
    return Bad("truncated", data[: rng.randrange(len(data))])


def _mutated(rng: Random) -> Bad:
    data = bytearray(_json(_form(rng)))
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(data))
        match rng.randrange(3):
            case 0:
                data[at] = rng.randrange(32, 127)
            case 1:
                del data[at : at + rng.randrange(1, 4)]
            case _:
                data[at:at] = rng.choice((b'"', b"{", b"}", b"[", b"0", b"\\", b",", b"null"))
        if not data:
            break
    return Bad("mutated", bytes(data))


def _type(rng: Random) -> Bad:
    kinds: tuple[object, ...] = (
        "Act",
        "close",
        "state",
        "__class__",
        "",
        None,
        3,
        [],
        {},
        "act\x00",
        "entry",
    )
    return Bad("unknown type", _json(_form(rng) | {"type": rng.choice(kinds)}))


def _field(rng: Random) -> Bad:
    name = rng.choice(("device", "viewer", "__proto__", "secret", "Seq", "", "x" * 500))
    return Bad("unknown field", _json(_form(rng) | {name: rng.choice((1, None, "x"))}))


def _wrong(rng: Random) -> Bad:
    values: tuple[object, ...] = (None, True, -1, 1.5, "0", [], {}, [[]], "\ud800", "x" * 3000, 4)
    form = _form(rng)
    return Bad("wrong type", _json(form | {rng.choice(list(form)): rng.choice(values)}))


def _missing(rng: Random) -> Bad:
    form = _form(rng)
    del form[rng.choice(list(form))]
    return Bad("field missing", _json(form))


def _huge(rng: Random) -> Bad:
    number = rng.choice(
        ("9" * 4000, "-" + "9" * 30, "1e999", "1e-999", "NaN", "Infinity", str(2**63), str(2**64))
    )
    name = rng.choice(("seq", "place", "to", "n"))
    kind = {"to": "ask", "n": "ping"}.get(name, "act")
    return Bad("huge number", f'{{"type":"{kind}","move_id":"x","{name}":{number}}}'.encode())


def _deep(rng: Random) -> Bad:
    depth = rng.choice((50, 500, 4000))
    opened, closed = rng.choice((("[", "]"), ('{"type":', "}")))
    depth = min(depth, (FRAME - 40) // (len(opened) + 1))
    inner = opened * depth + "1" + closed * depth * (rng.random() < 0.7)
    return Bad("deep", f'{{"type":"ping","n":{inner}}}'.encode() if rng.random() < 0.5 else inner.encode())


def _twice(rng: Random) -> Bad:
    return Bad("field twice", b'{"type":"act","type":"ping","n":[],"n":' + str(rng.random()).encode() + b"}")


def _plain(rng: Random) -> Bad:
    texts = (b"", b" ", b"null", b"[]", b"0", b'"act"', b"{}", b"\xef\xbb\xbf{}", b'{"type":"act"}', b"true")
    return Bad("no message", rng.choice(texts), rng.choice(("text", "binary", "pieces")))


def _long(rng: Random) -> Bad:
    form = _form(rng) | {
        rng.choice(("move_id", "action", "text", "name")): "x" * rng.randrange(3000, FRAME - 300)
    }
    return Bad("long", _json(form), rng.choice(("text", "binary", "pieces")))


_UNREADABLE: tuple[Callable[[Random], Bad], ...] = (
    *(_noise, _words, _truncated, _mutated, _type, _field, _wrong, _missing, _huge, _deep, _twice, _plain),
    _long,
)


def unreadable(rng: Random) -> Bad:
    """Something that is usually not a message at all; the server closes after some of these."""
    return rng.choice(_UNREADABLE)(rng)


# Refused


def refused(rng: Random, fresh: int) -> Bad:
    """A readable message that must be refused; `fresh` is the number of an action that is not stale."""
    move_id = rng.choice(("again", "a" * 64, f"{rng.randrange(2**64):x}"))
    act = {"type": "act", "seq": 0, "move_id": move_id, "place": 0, "action": "RR@a1,a2"}
    actions = (
        "RR@f6,f6",
        "swap",
        "refill",
        "RB",
        "??",
        "RB@z9,z8",
        "RB@a1",
        "\u202e\u202e",
        "@@@@,,,,",
        "RR@a1,a2",
    )
    bad: dict[str, dict[str, Any]] = {
        "stale": act | {"seq": rng.choice((0, 1, 2))},
        "early": act | {"seq": rng.choice((10**6, 2**53))},
        "not lawful": act | {"seq": fresh, "action": rng.choice(actions)},
        "others' place": act | {"place": rng.choice((1, 2, 3)), "seq": rng.randrange(100)},
        "nothing to take back": {"type": "back", "seq": rng.randrange(9), "move_id": move_id, "place": 0},
        "nowhere to go back to": {
            "type": "ask",
            "move_id": move_id,
            "place": 0,
            "to": rng.randrange(1000, 2000),
        },
        "nothing asked": {"type": "answer", "move_id": move_id, "place": rng.randrange(4), "yes": True},
        "nobody away": {"type": "choose", "move_id": move_id, "place": 0, "absent": 1, "choice": "bot"},
        "chat is off": {"type": "chat", "move_id": move_id, "text": "x" * rng.choice((0, 1, 999))},
        "others' view": {"type": "watch-place", "place": rng.choice((1, 2, 3))},
    }
    kind = rng.choice(list(bad))
    return Bad(kind, _json(bad[kind]), rng.choice(("text", "text", "binary", "pieces")))


# Ending


def ending(rng: Random, number: int) -> Bad:
    """Something a server can only hang up on; one after another."""
    bad = (
        Bad("over-long", b'{"type":"ping","n":' + b" " * FRAME + b"1}"),
        Bad("over-long", rng.randbytes(FRAME + 1), "binary"),
        Bad("over-long", b" " * (16 * FRAME), "pieces"),
        Bad("over-long", rng.randbytes(1 << 20), "binary"),
        Bad("no UTF-8", b'{"type":"ping","n":\xff\xfe}'),
        Bad("no UTF-8", b"\xed\xa0\x80"),
        # Short and complete: if a frame announces more, the server rightly waits for the rest.
        Bad("past the protocol", bytes([0xFF, rng.randrange(126)]) + rng.randbytes(300), "raw"),
        Bad("past the protocol", b"\x81\x05hello", "raw"),
        Bad("past the protocol", b"\x83\x80\x00\x00\x00\x00", "raw"),
        Bad("past the protocol", b"\x89\xfe\x01\x00" + rng.randbytes(300), "raw"),
        Bad("past the protocol", b"\x80\x80\x00\x00\x00\x00", "raw"),
        Bad("past the protocol", b"\x88\x82\x00\x00\x00\x00\x03\xe7", "raw"),
        Bad("past the protocol", b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff" + rng.randbytes(64), "raw"),
    )
    return bad[number % len(bad)]
