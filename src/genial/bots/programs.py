"""Programs that an operator offers as bots: at the server's tables they have names like any other bot.

Only the operator's command line can name them. The worker processes that think for bots get them through
their environment, and start a program when it is first needed.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import shutil
from collections.abc import Sequence

from genial.bots import BOTS
from genial.bots.errors import WrongBot
from genial.bots.external import ExternalBot
from genial.bots.levels import FROZEN

ENVIRONMENT = "GENIAL_PROGRAMS"
SETUP = f"{__name__}:install"
"""What a worker calls when it starts."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}")
_SHARE = 0.8
"""Share of a worker's time for a move: a program is killed before its worker would be."""


def offer(texts: Sequence[str], seconds: float) -> None:
    """Make each `NAME=COMMAND` a bot of this process and of all workers it starts; `seconds` is a worker's
    limit.

    Raises WrongBot if one of them is invalid or has the name of another bot.
    """
    programs, taken = {}, [*BOTS, *(bot.name for bot in FROZEN)]
    for text in texts:
        name, equals, command = text.partition("=")
        if not equals or not _NAME.fullmatch(name) or name in taken or name in programs:
            raise WrongBot("program-name", text=text, taken=taken)
        programs[name] = command
    bots = _bots(programs, seconds)
    for name, command in programs.items():
        program = shlex.split(command)[0]
        if shutil.which(program) is None:
            raise WrongBot("program-failed", name=name, problem=f"{os.strerror(errno.ENOENT)}: {program}")
    os.environ[ENVIRONMENT] = json.dumps({"programs": programs, "seconds": seconds})
    BOTS.update({bot.name: bot for bot in bots})


def setup() -> str | None:
    """What workers have to call, if there are programs."""
    return SETUP if ENVIRONMENT in os.environ else None


def install() -> None:
    """Make the programs in the environment bots of this process."""
    told = json.loads(os.environ[ENVIRONMENT])
    BOTS.update({bot.name: bot for bot in _bots(told["programs"], told["seconds"])})


def _bots(programs: dict[str, str], seconds: float) -> list[ExternalBot]:
    limit = seconds * _SHARE
    return [ExternalBot(name, command, limit, alone=False) for name, command in programs.items()]
