"""Programs that speak the bot protocol well or badly, for its tests. Run as a script with the name of one."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def command(name: str) -> list[str]:
    """The command that starts a program in this file."""
    return [sys.executable, str(Path(__file__).resolve()), name]


def player(name: str) -> str:
    """The same as a bot's name."""
    return f"cmd:{shlex.join(command(name))}"


def _say(**message: Any) -> None:
    print(json.dumps(message), flush=True)


def _first(message: dict[str, Any], board: dict[str, Any] | None) -> str:
    legal = message["legal"]
    if legal["phase"] == "end-turn":
        return "refill"
    if legal["cards"]:
        return str(legal["cards"][-1]["tile"])
    assert board is not None
    one, two = (board["names"][cell] for cell in board["pairs"][legal["pairs"][0]])
    return f"{legal['tiles'][0]['tile']}@{one},{two}"


Go = Callable[[dict[str, Any], str], None]


def _act(message: dict[str, Any], move: str) -> None:
    _say(type="action", id=message["id"], action=move, nodes=7)


def _chatty(message: dict[str, Any], move: str) -> None:
    for number in range(300):
        _say(type="info", depth=number)
        print("thinking", file=sys.stderr)
    _say(type="action", id=message["id"] - 1, action="RR@zz,zz")
    _act(message, move)


def _hang(message: dict[str, Any], move: str) -> None:
    time.sleep(60)


def _children(message: dict[str, Any], move: str) -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    print(child.pid, file=sys.stderr, flush=True)
    time.sleep(60)


def _flood(message: dict[str, Any], move: str) -> None:
    while True:
        sys.stderr.write("x" * 4096)
        print("y" * 100_000, flush=True)


def _loud(message: dict[str, Any], move: str) -> None:
    print("x" * 1_000_000, file=sys.stderr, flush=True)
    _act(message, move)


def _exit(message: dict[str, Any], move: str) -> None:
    print("my last words", file=sys.stderr)
    os._exit(3)


PROGRAMS: dict[str, Go] = {
    "first": _act,
    "chatty": _chatty,
    "hang": _hang,
    "children": _children,
    "flood": _flood,
    "exit": _exit,
    "loud": _loud,
    "unlawful": lambda message, move: _act(message, "swap"),
    "nonsense": lambda message, move: _act(message, "x" * 1000),
    "number": lambda message, move: _say(type="action", id=message["id"], action=7),
    "garbage": lambda message, move: print("my move is", move, flush=True),
    "sorry": lambda message, move: _say(type="error", id=message["id"], text="I do not know"),
}


def main(name: str) -> None:
    """Speak the protocol; what `go` leads to differs."""
    if name == "deaf":
        time.sleep(60)
    board = None
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except ValueError:
            if name == "fragile":
                raise
            continue
        if not isinstance(message, dict):
            continue
        match message.get("type"):
            case "hello" if name == "stranger":
                _say(type="hello", protocol="uci")
            case "hello":
                more = {"variants": ["cards"]} if name == "cards-only" else {}
                _say(type="hello", protocol="genial-bot/1", name=name, **more)
            case "new":
                board = message["board"]
            case "go" if "legal" in message:
                PROGRAMS.get(name, _act)(message, _first(message, board))
            case "quit" if name == "stubborn":
                time.sleep(60)
            case "quit":
                return


if __name__ == "__main__":
    main(sys.argv[1])
