"""The bot's side of the protocol: one of our bots, asked over standard input and output."""

from __future__ import annotations

import json
import os
import sys
from random import Random
from typing import Any, BinaryIO

from genial.bots.bot import Bot, Budget
from genial.bots.driver import DEADLINE, choose
from genial.bots.protocol import LONGEST_FROM_HOST, PROTOCOL, Message, error, event_seen, view_seen
from genial.core.events import Event
from genial.core.notation import move_text
from genial.core.titles import TITLES
from genial.core.view import View


class Talk:
    """What a bot's program knows about the game, and how it answers each message.

    >>> from genial.bots import bot_named
    >>> talk = Talk(bot_named("greedy"))
    >>> talk.answer({"type": "hello", "protocol": "genial-bot/1"})["name"]
    'greedy'
    >>> talk.answer({"type": "go", "id": 7})["code"]
    'no-view'
    """

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._new: Message = {}
        self._events: list[Event] = []
        self._view: View | None = None

    def answer(self, message: Message) -> Message | None:
        """The answer to a message; None for no answer."""
        match message.get("type"):
            case "hello":
                return {
                    "type": "hello",
                    "protocol": PROTOCOL,
                    "name": self._bot.name,
                    "variants": list(TITLES),
                }
            case "new":
                self._new, self._events, self._view = message, [], None
            case "view":
                return self._look(message)
            case "go":
                return self._act(message)
            case "over":
                self._view = None
        return None

    def _look(self, message: Message) -> Message | None:
        try:
            self._events += [event_seen(event) for event in message["events"]]
            self._view = view_seen(self._new, message["view"], self._events)
        except Exception as problem:  # a host may send anything
            self._view = None
            return error("view-unreadable", f"{type(problem).__name__}: {problem}")
        return None

    def _act(self, message: Message) -> Message:
        number, view = message.get("id"), self._view
        if view is None or view.is_over or view.seat not in view.viewer:
            return error("no-view", "there is no position in which this seat is to move", number)
        try:
            budget, rng = _budget(message.get("budget")), Random(_whole(message.get("seed")))
            action = choose(self._bot, view, rng, budget, _seconds(message.get("deadline"))).action
        except Exception as problem:
            return error("bot-failed", f"{type(problem).__name__}: {problem}", number)
        return {"type": "action", "id": number, "action": move_text(view.setup, action)}


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _seconds(value: object) -> float:
    return float(value) if isinstance(value, int | float) and value > 0 else DEADLINE


def _budget(data: object) -> Budget | None:
    if not isinstance(data, dict) or not (data.get("nodes") or data.get("seconds")):
        return None
    nodes, seconds = data.get("nodes"), data.get("seconds")
    return Budget(None if nodes is None else int(nodes), None if seconds is None else float(seconds))


def serve(bot: Bot, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer until the host says quit or is gone."""
    talk = Talk(bot)
    while line := source.readline(LONGEST_FROM_HOST + 1):
        if not line.strip():
            continue
        try:
            message: Any = json.loads(line)
        except (ValueError, RecursionError):
            answer: Message | None = error("unreadable", "a line is one JSON object of at most 1 MiB")
        else:
            if isinstance(message, dict) and message.get("type") == "quit":
                return
            answer = talk.answer(message) if isinstance(message, dict) else error("unreadable", "no object")
        if answer:
            sink.write(json.dumps(answer).encode() + b"\n")
            sink.flush()


def run(bot: Bot) -> None:
    """Serve on this process's own pipes, keeping them clear of anything the bot prints."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdin = open(os.devnull)  # noqa: SIM115, for the rest of the process
    serve(bot, source, sink)
