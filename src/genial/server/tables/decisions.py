"""What people, bots and the clock may do at a table. Each decision returns the entries to write, or refuses.

Nothing here changes a table: entries do, once they are stored.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Sequence
from typing import Any, Literal

from msgspec.structs import replace

from genial.bots import BOTS
from genial.core.actions import Action
from genial.core.deal import Dealer
from genial.core.events import Drew, Reshuffled, Swapped
from genial.core.fair import commitment, game_seed
from genial.core.position import Position
from genial.core.record import RULES
from genial.core.sides import Sides
from genial.core.situation import Phase
from genial.server.tables.entries import (
    Acted,
    Answered,
    Asked,
    Body,
    Chatted,
    Closed,
    Committed,
    Created,
    Declined,
    Entry,
    Holder,
    Mixed,
    Muted,
    Removed,
    Resumed,
    Revealed,
    Seated,
    Started,
    TakenBack,
)
from genial.server.tables.errors import Forbidden, NotFound, Refused
from genial.server.tables.settings import Limits, PlaceChoice, TableSettings
from genial.server.tables.table import Game, Table, setup_of

Decide = Callable[[Table], Sequence[Body]]
"""A decision to take on the table as it then is."""

OnLeave = Literal["waits", "bot", "ends"]
"""What happens to a game when somebody leaves it."""

SUBSTITUTE = "balanced"
"""The bot that takes over from somebody who left (LEAVING)."""

PHRASES = ("hello", "good-luck", "well-played", "thanks", "oops", "thinking", "good-game")
REACTIONS = ("clap", "smile", "wow", "sad")
TEAM_PHRASES = ("hello", "good-game")
"""TEAM: all that players may say between deal and end, unless table talk is allowed."""

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters for codes that people read out: without I and O."""


def new_secret() -> str:
    """A 256-bit secret for one game, independent of every other game's (DEAL)."""
    return secrets.token_hex(32)


def new_code(length: int = 5) -> str:
    """A code short enough to read out."""
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


# Before the game


def create(
    settings: TableSettings,
    places: Sequence[PlaceChoice],
    device: str,
    name: str,
    bits: str,
    code: str,
    start: dict[str, Any] | None = None,
) -> list[Body]:
    """Set up a table, with the host and the bots in their places; its first game may continue a record."""
    setup = setup_of(settings, RULES)  # refuses variants and seat counts that do not exist
    if len(places) != setup.seats:
        raise Refused("places-count", got=len(places), expected=setup.seats)
    if settings.first != "lot" and settings.first >= setup.seats:
        raise Refused("seat-unknown", ruling="FIRST-SEAT", seat=settings.first, seats=setup.seats)
    if start is not None and settings.public:
        raise Refused("continue-public")
    bodies: list[Body] = [Created(settings, device, code, new_code(8), start), _committed(0)]
    seated: list[Holder] = []
    for place, choice in enumerate(places):
        if choice.kind == "open":
            continue
        if choice.kind == "me":
            seated.append(Holder("person", choice.name or name, device=device, bits=bits))
        else:
            seated.append(_bot(choice.bot, seated))
        bodies.append(Seated(place, seated[-1]))
    return bodies


def _bot(name: str | None, others: Sequence[Holder]) -> Holder:
    """A house bot, numbered if another one has the same name."""
    if name not in BOTS:
        raise Refused("bot-unknown", name=name, expected=list(BOTS))
    taken = {holder.name for holder in others}
    names = itertools.chain([name], (f"{name} {number}" for number in itertools.count(2)))
    return Holder("bot", next(free for free in names if free not in taken), bot=name)


def sit(
    table: Table, device: str, name: str, bits: str, place: int | None = None, *, program: bool = False
) -> list[Body]:
    """Take an open place, or return to your own. `program` marks a bot that plays over HTTP."""
    check_open(table)
    if table.has_removed(device):
        raise Forbidden("removed")
    mine = table.places_of(device)
    if mine and place is None:
        return come_back(table, device, min(mine)) if table.holders[min(mine)].away else []
    if table.status != "open":
        raise Refused("table-started")
    chosen = place if place is not None else min(table.open_places, default=None)
    if chosen is None:
        raise Refused("table-full")
    check_place(table, chosen)
    if table.holders[chosen].kind != "open":
        raise Refused("place-taken", place=chosen + 1)
    return [Seated(chosen, Holder("person", name, device=device, bits=bits, program=program))]


def set_place(table: Table, device: str, place: int, choice: PlaceChoice) -> list[Body]:
    """The host gives a place to a bot, takes it, or opens it, before the first game."""
    check_open(table)
    _check_host(table, device)
    check_place(table, place)
    if table.status != "open":
        raise Refused("table-started")
    if choice.kind == "bot":
        others = [holder for at, holder in enumerate(table.holders) if at != place]
        return [Seated(place, _bot(choice.bot, others))]
    if choice.kind == "open":
        return [Seated(place, Holder("open"))]
    own = next((h for h in table.holders if h.device == device), None)
    name, bits = (own.name, own.bits) if own else ("", "")
    return [Seated(place, Holder("person", choice.name or name, device=device, bits=bits))]


def _committed(number: int) -> Committed:
    secret = new_secret()
    return Committed(number, commitment(secret), secret)


def mix(table: Table, device: str, bits: str) -> list[Body]:
    """Add a device's bits to the next deal, whose commitment is published by now (DEAL)."""
    check_open(table)
    if table.is_running:
        raise Refused("table-started")
    return [Mixed(place, bits) for place in sorted(table.places_of(device))]


def is_ready(table: Table) -> bool:
    """True if the first game can start by itself: all places are taken, and the host has added bits.

    A host who has added none wants to see the commitment first (DEAL).
    """
    if table.status != "open" or table.open_places:
        return False
    return all(table.bits[place] for place in table.places_of(table.host))


def start(table: Table, device: str | None, bits: str = "") -> list[Body]:
    """The host starts the first game. With `device` None it starts by itself, because the table is full.

    Later games need everybody's consent: see `rematch`.
    """
    check_open(table)
    if device is not None:
        _check_host(table, device)
    if table.status != "open":
        raise Refused("table-started")
    return begin(table, mix(table, device, bits) if device is not None and bits else [])


def begin(table: Table, mixed: Sequence[Body] = ()) -> list[Body]:
    """Start the next game, adding the given bits first: the first one, one of a series, or a rematch."""
    if table.open_places:
        raise Refused("places-open", places=[place + 1 for place in table.open_places])
    number = len(table.games)
    committed = table.committed or _committed(number)
    everyones = list(table.bits)
    for body in mixed:
        assert isinstance(body, Mixed)
        everyones[body.place] = body.bits
    # A series is finished under the rules it was started with.
    rules = table.rules if table.status == "between" else RULES
    first = _first_place(table, game_seed(committed.secret, everyones))
    secret, published = committed.secret, committed.commitment
    begun = table.start if number == 0 else None
    return [*mixed, Started(number, first, published, everyones, secret, begun, rules)]


def _first_place(table: Table, seed: str) -> int:
    seats, last = table.setup.seats, table.series
    if table.start is not None and last is None:
        return 0  # a continued game keeps its seats
    if last is not None:  # the first turn passes clockwise, into a rematch too
        return (last.first + (last.played if last.is_over else 0)) % seats
    if table.settings.first == "lot":
        return Dealer(seed).lot(seats)
    return table.settings.first


# The game


def act(
    table: Table,
    place: int,
    action: Action,
    then: Action | None = None,
    *,
    bot: str | None = None,
    fallback: bool = False,
) -> list[Body]:
    """Do something in the game. Raises the engine's own coded error if it isn't allowed.

    `then` ends the turn along with it, and is ignored if the turn goes on or the game is over.
    """
    game = running_game(table)
    check_place(table, place)
    if game.mover != place:
        raise Refused("not-your-turn", ruling="TURN", got=place + 1, expected=(game.mover or 0) + 1)
    after, events = game.position.apply(action)
    bodies: list[Body] = [Acted(place, action, events, bot, fallback, after)]
    if then is not None and after.phase is Phase.END_TURN and after.seat == game.position.seat:
        after, events = after.apply(then)
        bodies.append(Acted(place, then, events, bot, fallback, after))
    return [*bodies, *_afterwards(game, after)]


def _afterwards(game: Game, after: Position) -> list[Body]:
    if not after.is_over:
        return []
    # The next game's secret is independent, and committed to before anybody adds bits.
    return [Revealed(game.number, game.started.secret), _committed(game.number + 1)]


def take_back(table: Table, place: int) -> list[Body]:
    """Take back the last placement of the current turn, provided nobody has learned anything new since."""
    game = running_game(table)
    before = step_back(game, place)
    if before is None:
        raise Refused("take-back-none", ruling="TURN")
    return [TakenBack(place, before)]


def step_back(game: Game, place: int) -> int | None:
    """The entry before the mover's last placement in this turn, if that can be taken back."""
    if len(game.positions) < 2 or game.mover != place:
        return None
    (seq, before), (_, now) = game.positions[-2:]
    same_turn = before.phase is Phase.PLACE and before.seat == now.seat and not _drew(before, now)
    return seq if same_turn else None


def _drew(earlier: Position, later: Position) -> bool:
    """True if anybody has seen new tiles between two positions of one game."""
    log = later.log
    while log is not None and log is not earlier.log:
        log, event = log
        if isinstance(event, Drew | Swapped | Reshuffled):
            return True
    return False


def ask_target(table: Table, place: int) -> int | None:
    """The entry before a place's last placement, if that place may ask the others to return there."""
    game = table.game
    if game is None or not table.is_running:
        return None
    for seq, earlier in reversed(game.positions[:-1]):
        if earlier.phase is Phase.PLACE and game.place_of(earlier.seat) == place:
            return seq if table.settings.practice or not _drew(earlier, game.position) else None
    return None


def ask_back(table: Table, place: int, to: int) -> list[Body]:
    """Ask all others to return to an earlier entry: never across a draw, except at a practice table."""
    game = running_game(table)
    check_place(table, place)
    _check_ask(table, game, to)
    bodies: list[Body] = [Asked(place, to)]
    if _all_agree(table, frozenset({place})):
        bodies.append(_back_to(game, place, to))
    return bodies


def _check_ask(table: Table, game: Game, to: int) -> None:
    earlier = next((position for seq, position in game.positions if seq == to), None)
    if earlier is None or to == game.seq:
        raise Refused("take-back-unknown", to=to)
    if _drew(earlier, game.position) and not table.settings.practice:
        raise Refused("take-back-draw", ruling="DEAL")


def answer(table: Table, place: int, yes: bool) -> list[Body]:
    """Say yes or no to what was asked; once everybody has said yes, it is done."""
    game, asked = running_game(table), table.asked
    check_place(table, place)
    if asked is None:
        raise Refused("nothing-asked")
    bodies: list[Body] = [Answered(place, yes)]
    if yes and _all_agree(table, table.agreed | {place}):
        bodies.append(_back_to(game, asked.place, asked.to))
    return bodies


def _without(table: Table, place: int) -> list[Body]:
    """When a player leaves, withdraw their request; other people's requests stop waiting for them."""
    asked = table.asked
    if asked is None or not table.is_running or table.game is None:
        return []
    if asked.place == place:
        return [Answered(place, False)]
    if set(table.people) - {place} <= table.agreed:
        return [_back_to(table.game, asked.place, asked.to)]
    return []


def _all_agree(table: Table, agreed: frozenset[int]) -> bool:
    return set(table.people) <= agreed


def _back_to(game: Game, place: int, to: int) -> TakenBack:
    earlier = next(position for seq, position in game.positions if seq == to)
    return TakenBack(place, to, across_draw=_drew(earlier, game.position))


# Leaving and coming back


def resign(table: Table, place: int, reason: str = "resign") -> list[Body]:
    """LEAVING: with two sides the game ends; with more, a bot plays on."""
    game = running_game(table)
    check_place(table, place)
    if side_count(table) > 2:
        holder = table.holders[place]
        return [Seated(place, Holder("bot", holder.name, bot=SUBSTITUTE)), *_without(table, place)]
    after, events = game.position.leave(game.seat_of(place), reason)
    return [Acted(place, None, events, after=after), *_afterwards(game, after)]


def leave(table: Table, device: str, place: int) -> list[Body]:
    """LEAVING: get up. Before the first game the place opens; after a game, any offer of another is off.

    `on_leave` says what else it means.
    """
    check_open(table)
    _check_own(table, device, place)
    if table.status == "open":
        return [Seated(place, Holder("open"))]
    lapses: list[Body] = [Declined(place)] if table.ready else []
    match on_leave(table, device):
        case "ends":
            return resign(table, place, "abandoned")
        case "bot" if not table.holders[place].away:
            return [*lapses, *substitute(table, place)]
    return lapses


def on_leave(table: Table, device: str) -> OnLeave:
    """What leaving means once a game has begun.

    With two sides the game `ends`, and the leaver's side comes last. With more, a `bot` plays on until they
    come back. If nobody else is playing, the game `waits`.
    """
    if not table.has_others(device):
        return "waits"
    if side_count(table) > 2:
        return "bot"
    return "ends" if table.is_running else "waits"


def substitute(table: Table, place: int) -> list[Body]:
    """Let a bot play on for somebody until they come back."""
    return [Seated(place, _away(table.holders[place], True)), *_without(table, place)]


def side_count(table: Table) -> int:
    """The number of opposing sides."""
    return table.setup.title.sides.side_count(table.setup.seats)


def come_back(table: Table, device: str, place: int) -> list[Body]:
    """Take your seat back from the bot."""
    check_open(table)
    _check_own(table, device, place)
    holder = table.holders[place]
    return [Seated(place, _away(holder, False))] if holder.away else []


def _away(holder: Holder, away: bool) -> Holder:
    return replace(holder, bot=SUBSTITUTE if away else None, away=away)


# Talking, time, closing


def chat(
    table: Table, place: int | None, name: str, text: str, phrase: str, limits: Limits, mark: str = ""
) -> list[Body]:
    """Say something, if the table allows it."""
    said = phrase or text.strip()
    if mark in table.removed:
        raise Forbidden("removed")
    if mark in table.muted:
        raise Forbidden("muted")
    if table.settings.chat == "off" or not said:
        raise Refused("chat-off" if said else "chat-empty")
    if phrase and phrase not in PHRASES + REACTIONS:
        raise Refused("chat-phrase", expected=[*PHRASES, *REACTIONS])
    if text and not phrase and table.settings.chat == "phrases":
        raise Refused("chat-phrases-only")
    if len(text) > limits.chat_length:
        raise Refused("chat-long", limit=limits.chat_length)
    if place is not None and closed_talk(table) and phrase not in TEAM_PHRASES:
        raise Refused("chat-team", ruling="TEAM")
    return [Chatted(place, name, "" if phrase else text.strip(), phrase, mark)]


def closed_talk(table: Table) -> bool:
    """TEAM: True while players must be silent, between deal and end without table talk."""
    if not table.is_running or table.settings.open_talk:
        return False
    return table.setup.title.sides is Sides.TEAMS


def is_held_back(table: Table, said: Entry) -> bool:
    """TEAM: what spectators say during a silent game stays hidden from everybody until it is over.

    Players may not read it, and any of them could be watching from another device.
    """
    game = table.game
    by_spectator = isinstance(said.body, Chatted) and said.body.place is None
    return by_spectator and closed_talk(table) and game is not None and said.seq > game.since


def mute(table: Table, device: str, mark: str, muted: bool) -> list[Body]:
    """The host mutes somebody here, quick messages included, or lets them speak again."""
    _check_house_right(table, device, mark)
    return [] if (mark in table.muted) == muted else [Muted(mark, muted)]


def remove(table: Table, device: str, mark: str) -> list[Body]:
    """The host removes somebody: a spectator at any time, a player only before the first game.

    Nobody is removed from a running game: a losing host would be judge in their own cause.
    """
    _check_house_right(table, device, mark)
    places = [place for place, holder in enumerate(table.holders) if table.mark(holder.device) == mark]
    if places and table.status != "open":
        raise Refused("remove-player")
    return [] if mark in table.removed else [*(Seated(at, Holder("open")) for at in places), Removed(mark)]


def run_out(table: Table, now: int) -> list[Body]:
    """The clock: if the mover has run out of time, they leave the game for that reason."""
    deadline, game = table.clock.deadline(), table.game
    if not table.is_running or deadline is None or now < deadline or game is None or game.mover is None:
        return []
    if table.bot_to_move():
        return []
    return resign(table, game.mover, "time")


def resume(table: Table) -> list[Body]:
    """The server is back and finds a running game: its downtime is charged to nobody.

    Neither clocks nor absent people pay for it: their waiting time starts again from zero.
    """
    if not table.is_running or (table.clock.rules is None and not table.absences):
        return []
    return [Resumed(max(0, table.time - table.clock.since))]


def close_as_host(table: Table, device: str) -> list[Body]:
    """The host closes the table: before a game, between games, or where nobody else plays.

    Other people's running game is never cut off: a losing host would be judge in their own cause.
    """
    _check_host(table, device)
    if table.is_running and table.has_others(device):
        raise Refused("table-started")
    return close(table, "host")


def close(table: Table, reason: str) -> list[Body]:
    """Close a table; if that cuts a game off, its secret is revealed."""
    check_open(table)
    game = table.game
    bodies: list[Body] = []
    if table.is_running and game is not None:
        bodies.append(Revealed(game.number, game.started.secret))
    return [*bodies, Closed(reason)]  # type: ignore[arg-type]


# Checks


def running_game(table: Table) -> Game:
    """The current game; refused if none is running."""
    check_open(table)
    game = table.game
    if game is None or not table.is_running:
        raise Refused("table-not-running")
    return game


def check_open(table: Table) -> None:
    """Refuse a table that is closed."""
    if table.closed:
        raise NotFound("table-closed")


def _check_host(table: Table, device: str) -> None:
    if device != table.host:
        raise Forbidden("host-only")


def _check_house_right(table: Table, device: str, mark: str) -> None:
    """Refuse anybody but the host, and a target who neither sits here, nor has spoken, nor is muted."""
    check_open(table)
    _check_host(table, device)
    if mark == table.mark(table.host):
        raise Refused("host-self")
    here = {table.mark(holder.device) for holder in table.holders}
    spoke = {entry.body.mark for entry in table.chat if isinstance(entry.body, Chatted)}
    if not mark or mark not in here | spoke | table.muted:
        raise NotFound("person-unknown")


def check_place(table: Table, place: int) -> None:
    """Refuse a place that the table does not have."""
    if place not in range(len(table.holders)):
        raise Refused("place-unknown", place=place + 1, places=len(table.holders))


def _check_own(table: Table, device: str, place: int) -> None:
    check_place(table, place)
    if table.holders[place].device != device:
        raise Forbidden("place-not-yours", place=place + 1)
