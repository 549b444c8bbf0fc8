"""Commands for bot authors: speak the protocol, check a program."""

from __future__ import annotations

import json
from typing import Annotated

from cyclopts import App, Parameter

from genial.options import AsJson, wrong_use


def register(app: App) -> None:
    """Add these commands to the command line."""
    bot = App(name="bot", help="For bot authors: see docs/bots.md.")
    bot.command(run)
    bot.command(check)
    bot.command(list_, name="list")
    app.command(bot)


def run(name: Annotated[str, Parameter(help="One of our bots.")], /) -> int:
    """Run one of our bots: it speaks the bot protocol on standard input and output."""
    from genial.bots import bot_named
    from genial.bots.stdio import run as serve

    serve(bot_named(name))
    return 0


def check(
    *command: Annotated[str, Parameter(help="The program and its arguments.", allow_leading_hyphen=True)],
    seconds: Annotated[float, Parameter(help="Seconds allowed per move.")] = 20.0,
    as_json: AsJson = False,
) -> int:
    """Check that a program follows the bot protocol: it plays every edition and has to survive odd input."""
    import shlex

    from genial.bots.checker import check as look
    from genial.bots.errors import WrongBot
    from genial.core.printable import printable

    if not command:
        return wrong_use("Name the program to check.")
    if not 0 < seconds < 1e6:
        return wrong_use(f"--seconds can't be {seconds:g}. Use a number above 0.")
    try:
        words = shlex.split(command[0]) if len(command) == 1 else list(command)
    except ValueError:
        words = []
    if not words:
        raise WrongBot("program-unreadable", text=command[0])
    found = []
    for result in look(words, seconds):
        found.append(result)
        if not as_json:
            detail = printable(f" ({result.detail})") if result.detail else ""
            print(f"{'ok    ' if result.ok else 'FAILED'}  {result.name}{detail}", flush=True)
    failed = [result for result in found if not result.ok]
    if as_json:
        data = [{"check": each.name, "ok": each.ok, "detail": each.detail} for each in found]
        print(json.dumps({"ok": not failed, "checks": data}))
    else:
        print(f"{len(found) - len(failed)} of {len(found)} checks passed")
    return int(bool(failed))


def list_(*, as_json: AsJson = False) -> int:
    """List our bots."""
    from genial.bots import BOTS

    print(json.dumps(list(BOTS)) if as_json else "\n".join(BOTS))
    return 0
