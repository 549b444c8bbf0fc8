"""Attacks on people at a table: chat floods, guessed codes, known racks, borrowed names, forced games."""

from __future__ import annotations

import asyncio
import re
import secrets
import string
from contextlib import closing
from http import HTTPStatus
from random import Random
from time import perf_counter
from typing import Any

import msgspec
from benchmarks.load_clients import Door, Http
from tools.attack.result import Attack, Outcome
from tools.attack.scene import (
    ATTACKER,
    BEARER,
    ME,
    OPEN,
    OPERATOR,
    SETTLE_SECONDS,
    VISITOR,
    Scene,
    bits,
    bystander,
    device,
    error_code,
    join,
    new_table,
    operator_options,
)

import genial
from genial.bots import bot_named, play_out
from genial.core.record import dump, record_of

FLOODERS, LINES_EACH = 20, 20
MOST_LINES = 80
"""Within a few seconds, from one address."""
GUESSES = 60
PAIRS = 3
_SOON = 5.0
_LINE = re.compile(rb"flood-\d+-\d+")
_SECRET = "between us spectators"
_NAME = "Ada"
LIKE_NAME = (_NAME, f"{_NAME}\u3164", "\u0410d\u0430")
"""The same name, then with a blank after it, and with two letters from another alphabet."""
_GONE_SECONDS = 3.0


async def chat_flood(scene: Scene) -> Outcome:
    """Many devices at one address chat as much as each of them may, at somebody else's table."""
    heard: dict[bytes, float] = {}

    def hear(data: bytes) -> None:
        for line in _LINE.findall(data):
            heard.setdefault(line, perf_counter())

    with scene.serving() as servers, closing(device(servers.door(bystander(0)))) as host:
        table = new_table(host, ME, OPEN)
        path = f"/api/tables/{table['id']}/socket"
        listening = await servers.door(bystander(0)).connect(path, hear, host.cookie)
        sockets = []
        for number in range(FLOODERS):
            door = servers.door(ATTACKER, number)
            with closing(device(door)) as flooder:
                watching = f"{path}?watch={table['watch']}"
                sockets.append(await door.connect(watching, lambda _: None, flooder.cookie))
        for line in range(LINES_EACH):
            for number, socket in enumerate(sockets):
                said = {"type": "chat", "move_id": secrets.token_hex(8), "name": "Eve"}
                socket.send(msgspec.json.encode({**said, "text": f"flood-{number}-{line}"}))
        await asyncio.sleep(_SOON)
        for socket in (listening, *sockets):
            socket.close()
    first = min(heard.values(), default=0.0)
    lines = sum(time < first + 1 for time in heard.values())
    return Outcome(f"{lines} lines in the first second, {len(heard)} in all", len(heard) <= MOST_LINES)


async def guessing(scene: Scene) -> Outcome:
    """Too many wrong codes, then right ones, each right after a wrong one."""
    with scene.serving() as servers, closing(device(servers.door(bystander(0)))) as host:
        code = new_table(host, ME, OPEN, OPEN, OPEN)["code"]
        guessers = [device(door) for door in servers.doors(ATTACKER)]
        for number in range(GUESSES):
            join(guessers[number % len(guessers)], _wrong(code))
        if len(guessers) > 1:
            await asyncio.sleep(SETTLE_SECONDS)
        pairs = [[_told(join(guessers[0], given)) for given in (_wrong(code), code)] for _ in range(PAIRS)]
        with closing(device(servers.door(bystander(1)))) as other:
            elsewhere, _ = join(other, code)
        for guesser in guessers:
            guesser.close()
    # One guess may become free between the two.
    alike = sum(wrong == right for wrong, right in pairs)
    wrong, right = pairs[0]
    shown = f"wrong {wrong}, then right {right}; alike {alike} of {PAIRS} times; from elsewhere {elsewhere}"
    return Outcome(shown, alike >= PAIRS - 1 and elsewhere == HTTPStatus.OK)


def _wrong(code: str) -> str:
    """A code that nobody has."""
    return "".join(secrets.choice(string.ascii_uppercase) for _ in code)


def _told(answered: tuple[int, Any]) -> str:
    """The answer to a guess, as far as it may tell wrong from right."""
    status, answer = answered
    return f"{status} {error_code(answer)}".rstrip()


def _a_record() -> Any:
    """A finished game."""
    bot = bot_named("random")
    return msgspec.Raw(
        dump(record_of(play_out(genial.new("classic", seats=2, seed=1), [bot] * 2, Random(1)))).encode()
    )


async def continue_in_public(scene: Scene) -> Outcome:
    """Whoever brings the record knows the rack of whoever sits down."""
    body = {
        "settings": {"variant": "classic", "seats": 2, "public": True},
        "places": [ME, OPEN],
        "name": "Eve",
        "bits": bits(),
        "ply": 4,
        "record": _a_record(),
    }
    with scene.serving() as servers, closing(device(servers.door(ATTACKER))) as host:
        status, answer = host.request("POST", "/api/records/continue", msgspec.json.encode(body))
        listed = bool(host.get("/api/tables")["tables"])
    shown = _told((status, answer)) + (", in the lobby" if listed else "")
    return Outcome(shown, 400 <= status < 500 and not listed)


async def banned_address(scene: Scene) -> Outcome:
    """A socket that is open when its address is banned."""
    with scene.serving(*operator_options(scene)) as servers:
        door = servers.door(ATTACKER, -1)
        with closing(device(door)) as banned:
            path = f"/api/tables/{new_table(banned, ME, OPEN)['id']}/socket"
            socket = await door.connect(path, lambda _: None, banned.cookie)
        with closing(Http(servers.door(OPERATOR))) as operator:
            ban = msgspec.json.encode({"kind": "address", "key": ATTACKER})
            status, _ = operator.request("POST", "/api/operator/ban", ban, BEARER)
        begun = perf_counter()
        while not socket.lost and perf_counter() < begun + _SOON:
            await asyncio.sleep(0.01)
        lost, seconds = socket.lost, perf_counter() - begun
        socket.close()
    if status != HTTPStatus.OK:
        return Outcome(f"the ban was refused: {status}", False)
    return Outcome(f"closed after {seconds:.1f} s" if lost else "stays open", lost)


async def watch_code(scene: Scene) -> Outcome:
    """A player in a team game reads what spectators say, using the watch code."""
    with scene.serving() as servers:
        player = device(servers.door(ATTACKER))
        bots = [{"kind": "bot", "bot": "level-1"}] * 3
        table = new_table(player, ME, *bots, variant="classic-team")
        path, watch = f"/api/tables/{table['id']}", f"?watch={table['watch']}"
        said = {"move_id": "1", "text": _SECRET, "name": "Cleo"}
        with closing(device(servers.door(VISITOR))) as spectator:
            spectator.post(f"{path}/chat{watch}", said)
        with closing(device(servers.door(ATTACKER))) as second:
            readers = {"own device": player, "second device": second}
            read = {who: _SECRET in str(http.request("GET", path + watch)) for who, http in readers.items()}
        # A player without any identity: no cookie at all.
        with closing(Http(servers.door(ATTACKER))) as nobody:
            read["no device"] = _SECRET in str(nobody.request("GET", path + watch))
        player.close()
    shown = ", ".join(f"{who}: {'reads it' if reads else 'no'}" for who, reads in read.items())
    return Outcome(shown, not any(read.values()))


async def own_token(scene: Scene) -> Outcome:
    """A token made up by the caller, as a cookie and as a header, and the name of the cookie on HTTPS."""
    made_up = "A" * 22
    with scene.serving("--trusted-proxy", OPERATOR) as servers:
        door = servers.door(ATTACKER)
        by_cookie = _table_status(door, {"Cookie": f"genial={made_up}"})
        by_header = _table_status(door, {"Authorization": f"Bearer {made_up}"})
        secure = {
            "X-Forwarded-Proto": "https",
            "Host": "play.example.org",
            "Origin": "https://play.example.org",
        }
        with closing(Http(servers.door(OPERATOR))) as browser:
            browser.request("POST", "/api/hello", b"{}", secure)
            name = browser.cookie.partition("=")[0]
    taken = {HTTPStatus.CREATED} & {by_cookie, by_header}
    shown = f"as a cookie {by_cookie}, as a header {by_header}; the cookie on https is {name}"
    return Outcome(shown, not taken and name.startswith("__Host-"))


def _table_status(door: Door, headers: dict[str, str]) -> int:
    """The answer to somebody who creates a table with these headers."""
    body = {"settings": {"variant": "classic", "seats": 2}, "places": [ME, OPEN], "name": "Eve"}
    with closing(Http(door)) as caller:
        return caller.request("POST", "/api/tables", msgspec.json.encode(body), headers)[0]


async def http_origin(scene: Scene) -> Outcome:
    """A page without HTTPS sends something to a site of the same name that has it."""
    with scene.serving("--trusted-proxy", OPERATOR) as servers:
        forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-For": ATTACKER, "Host": "play.example.org"}
        statuses = {}
        for scheme in ("https", "http"):
            with closing(Http(servers.door(OPERATOR))) as browser:
                headers = {**forwarded, "Origin": f"{scheme}://play.example.org"}
                statuses[scheme], _ = browser.request("POST", "/api/hello", b"{}", headers)
    shown = ", ".join(f"{scheme}: {status}" for scheme, status in statuses.items())
    return Outcome(shown, statuses == {"https": HTTPStatus.OK, "http": HTTPStatus.FORBIDDEN})


async def look_alikes(scene: Scene) -> Outcome:
    """Somebody takes a player's name, and a spectator chats under it and under names that look like it."""
    with scene.serving() as servers, closing(device(servers.door(bystander(0)))) as host:
        table = new_table(host, ME, OPEN, OPEN, name=_NAME)
        path, watch = f"/api/tables/{table['id']}", f"?watch={table['watch']}"
        with closing(device(servers.door(ATTACKER))) as guest:
            join(guest, table["code"], name=_NAME)
        with closing(device(servers.door(ATTACKER))) as spectator:
            for number, name in enumerate(LIKE_NAME):
                said = {"move_id": str(number), "text": "I resign", "name": name}
                spectator.post(f"{path}/chat{watch}", said)
        view = host.get(path)
    players = [holder.get("mark") for holder in view["places"] if holder["kind"] == "person"]
    lines = sum(_is_a_strangers(line, players) for line in view["chat"])
    apart = None not in players and len(set(players)) == len(players)
    marked = "the players too" if apart else "the players none"
    shown = f"{lines} of {len(LIKE_NAME)} lines have a mark of their own, {marked}"
    return Outcome(shown, apart and lines == len(LIKE_NAME))


def _is_a_strangers(line: Any, players: list[str | None]) -> bool:
    """True if a line says that it is not from anybody with a seat, and who it is from."""
    mark = line.get("mark")
    return line["place"] is None and mark is not None and mark not in players


async def rematch_away(scene: Scene) -> Outcome:
    """After a game on the clock, a rematch against somebody who has left."""
    with scene.serving() as servers:
        door = servers.door(bystander(0))
        with closing(device(door)) as host, closing(device(door)) as guest:
            table = new_table(host, ME, OPEN, clock={"total": 600})
            join(guest, table["code"])
            path = f"/api/tables/{table['id']}"
            host.post(f"{path}/resign", {"place": 0})
            socket = await door.connect(f"{path}/socket", lambda _: None, host.cookie)
            answered = host.request("POST", f"{path}/rematch", msgspec.json.encode({"bits": bits()}))
            await asyncio.sleep(_GONE_SECONDS)
            view = host.get(path)
            socket.close()
    running, clock = view["status"] == "running", view["clock"]
    if running and clock["mover"] == 1:
        spent = (clock["now"] - clock["since"]) / 1000
        shown = f"it begins; {spent:.0f} s of the time of who is away are gone"
    else:
        shown = "it begins" if running else f"{_told(answered)}, it waits for consent"
    return Outcome(shown, answered[0] == HTTPStatus.OK and not running)


ATTACKS = [
    Attack(
        "chat-flood",
        f"{FLOODERS} devices at one address say {LINES_EACH} lines each at somebody's table",
        f"{MOST_LINES} lines in all",
        chat_flood,
    ),
    Attack(
        "guessing",
        f"{GUESSES} wrong codes, then right ones",
        "the right one is refused as the wrong ones are; it holds elsewhere",
        guessing,
    ),
    Attack(
        "continue-public",
        "a record continued at a table that the lobby shows",
        "refused",
        continue_in_public,
    ),
    Attack("banned-address", "a socket that is open when its address is banned", "closed", banned_address),
    Attack(
        "watch-code",
        "a player of a team game reads what spectators say, by the watch code",
        "not read",
        watch_code,
    ),
    Attack(
        "own-token",
        "a token of the caller's own making",
        "refused; the cookie on https is __Host-",
        own_token,
    ),
    Attack(
        "look-alikes",
        "a player by another's name, a spectator by it and by names that look like it",
        "each of them has a mark of their own",
        look_alikes,
    ),
    Attack(
        "rematch-away",
        "a rematch on the clock against somebody who has gone",
        "no game begins without them",
        rematch_away,
    ),
    Attack("http-origin", "a page on http:// calls the site on https://", "refused", http_origin),
]
