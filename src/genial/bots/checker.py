"""Checks that a program follows the bot protocol: it has to play every edition and survive odd messages."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from genial.bots import bot_named, protocol
from genial.bots.bot import Bot
from genial.bots.child import BotFailure, Child, failure
from genial.bots.driver import DEADLINE, choose
from genial.bots.external import ExternalBot
from genial.core.new import new
from genial.core.position import Position
from genial.core.situation import Phase
from genial.core.titles import TITLES, title_of

_SECONDS = 20.0
_OPPONENT = "random"
_STARTS = "it starts and answers hello"

ODDITIES: dict[str, bytes] = {
    "a message of an unknown type": b'{"type":"weather","sky":"blue"}\n',
    "a message without a type": b'{"sky":"blue"}\n',
    "an empty line": b"\n",
    "a line that isn't JSON": b"good morning\n",
    "JSON that isn't an object": b"[1,2,3]\n",
    "a nested list": b"[" * 500 + b"]" * 500 + b"\n",
    "bytes that aren't UTF-8": b'{"type":"\xff\xfe"}\n',
    "a number of a thousand digits": b'{"type":"weather","sky":' + b"9" * 1000 + b"}\n",
    "a long line": b'{"type":"weather","sky":"' + b"x" * 300_000 + b'"}\n',
    "an error": b'{"type":"error","id":null,"code":"test","text":"only a test"}\n',
    "the end of a game that never started": b'{"type":"over","game":0,"result":null,"events":[]}\n',
}
"""What a program must survive; it may reply with an error, or not at all."""


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check."""

    name: str
    ok: bool
    detail: str = ""


def check(command: Sequence[str], seconds: float = _SECONDS, seed: int = 0) -> Iterator[Check]:
    """Check a program step by step, stopping at the first fatal failure.

    `seconds` is the deadline for a move.
    """
    try:
        answer = _greeting(command)
    except BotFailure as problem:
        yield Check(_STARTS, False, problem.problem)
        return
    yield Check(_STARTS, True, protocol.PROTOCOL)
    yield Check("it has a name", _is_name(answer.get("name")), str(answer.get("name")))
    variants = answer.get("variants", list(TITLES))
    fits = isinstance(variants, list) and bool(variants) and set(map(str, variants)) <= set(TITLES)
    yield Check("it plays editions that exist", fits, ", ".join(map(str, variants or ())))
    for variant in variants if fits else ():
        for seats in title_of(variant).seats:
            name = f"it plays {variant} with {seats} seats" if seats > 1 else f"it plays {variant}"
            yield _attempt(name, partial(_games, command, variant, seats, seconds, seed))
    played = variants[0] if fits else next(iter(TITLES))
    yield _attempt("it starts a new game in the middle of another", partial(_anew, command, played, seconds))
    yield _attempt("it answers hello again", partial(_odd, command, b""))
    for name, line in ODDITIES.items():
        yield _attempt(f"it survives {name}", partial(_odd, command, line))
    yield _attempt("it survives go without a game", partial(_odd, command, b'{"type":"go","id":0}\n'))
    yield _attempt("it stops when told to", partial(_ends, command, Child.quit))
    yield _attempt("it stops when its input ends", partial(_ends, command, Child.close_input))


def _attempt(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, look())
    except BotFailure as problem:
        return Check(name, False, problem.problem)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name.strip()) <= 40 and name.isprintable()


def _hello(child: Child, *, errors: bool = False) -> protocol.Message:
    """The answer to hello; before it only errors may come, and only if `errors` is set."""
    child.send(protocol.hello())
    until = time.monotonic() + _SECONDS
    while True:
        answer = child.receive(until)
        if answer["type"] == "hello" and answer.get("protocol") == protocol.PROTOCOL:
            return answer
        if not (errors and answer["type"] == "error"):
            raise failure("", f"refused: {str(answer)[:120]}")


def _greeting(command: Sequence[str]) -> protocol.Message:
    child = Child(command, "")
    try:
        return _hello(child)
    finally:
        child.kill()


def _odd(command: Sequence[str], line: bytes) -> str:
    child = Child(command, "")
    try:
        _hello(child)
        child.send_raw(line)
        _hello(child, errors=True)
        return ""
    finally:
        child.kill()


def _ends(command: Sequence[str], end: Callable[[Child], int | None]) -> str:
    child = Child(command, "")
    try:
        _hello(child)
        status = end(child)
        if status is None:
            raise failure("", "deadline: it had to be killed")
        if status != 0:
            raise failure("", f"died: exit {status}")
        return ""
    finally:
        child.kill()


def _games(command: Sequence[str], variant: str, seats: int, seconds: float, seed: int) -> str:
    """Play one game on each seat with a single process; every lawful way to end a turn is tried too."""
    bot = _bot(command, seconds)
    slowest, moves = 0.0, 0
    try:
        bot.prepare()
        for seat in range(seats):
            position, rng = new(variant, seats=seats, seed=f"check-{seed}-{seat}"), Random(f"{seed}-{seat}")
            while not position.is_over:
                if position.seat == seat:
                    started = time.monotonic()
                    position = _moved(position, bot, rng, seconds)
                    slowest, moves = max(slowest, time.monotonic() - started), moves + 1
                else:
                    position = _moved(position, bot_named(_OPPONENT), rng)
            bot.game_over(position, seat)
    finally:
        bot.kill()
    return f"{moves} moves, the longest {slowest * 1000:.0f} ms"


def _anew(command: Sequence[str], variant: str, seconds: float) -> str:
    bot = _bot(command, seconds)
    try:
        for seed in range(3):
            position = new(variant, seed=f"anew-{seed}")
            for _ in range(3):
                if position.seat == 0 and position.phase is Phase.PLACE:
                    position = _moved(position, bot, Random(seed), seconds)
        return ""
    finally:
        bot.kill()


def _bot(command: Sequence[str], seconds: float) -> ExternalBot:
    return ExternalBot("the program", shlex.join(command), seconds)


def _moved(position: Position, bot: Bot, rng: Random, seconds: float = DEADLINE) -> Position:
    view = position.view({position.seat})
    return position.apply(choose(bot, view, rng, deadline=seconds).action)[0]
