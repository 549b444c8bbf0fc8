"""Other people's programs as bots: `cmd:PROGRAM ARGUMENTS` is started and asked over the protocol.

Only the user at the command line may name a program. Names from a file, a table or the network are looked up
with `bot_named`, which starts nothing.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from random import Random

from genial.bots import protocol
from genial.bots.bot import Advice, Bot, Budget, Candidate, Chosen
from genial.bots.child import BotFailure, Child, failure
from genial.bots.driver import DEADLINE
from genial.bots.errors import WrongBot
from genial.bots.tuned import of_the_house
from genial.core.actions import Action, Place, Play
from genial.core.colours import COLOURS
from genial.core.errors import GenialError
from genial.core.events import Event
from genial.core.moves import outcome
from genial.core.notation import parse_move
from genial.core.position import Position
from genial.core.title import Setup
from genial.core.view import EVERYONE, View

PREFIX = "cmd:"
_HELLO_SECONDS = 20.0
_MOST_REMARKS = 10_000
UNLAWFUL, REFUSED = "unlawful", "refused"


def player_named(name: str, deadline: float = DEADLINE) -> Bot:
    """One of our bots by name, possibly with other parameters, or the program behind `cmd:`.

    >>> player_named("greedy").name, player_named("cmd:./mybot --fast").name
    ('greedy', 'cmd:./mybot --fast')
    """
    if name.startswith(PREFIX):
        return ExternalBot(name, name.removeprefix(PREFIX), deadline)
    return of_the_house(name)


class ExternalBot:
    """A bot's program. It starts when it is first needed, and serves further games until it fails.

    `alone` gives it its own process group. Otherwise it belongs to this process's group and dies with it,
    which is right if this process may itself be killed at a deadline.
    """

    def __init__(self, name: str, command: str, deadline: float = DEADLINE, *, alone: bool = True) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError:
            self._command = []
        if not self._command:
            raise WrongBot("program-unreadable", text=command)
        self.name = name
        self.deadline = deadline
        """Seconds for one move; after that the program is killed."""
        self._alone = alone
        self._child: Child | None = None
        self._variants: list[str] | None = None
        self._game, self._asked = 0, 0
        self._playing: tuple[Setup, int] | None = None
        self._known: tuple[Event, ...] = ()

    def prepare(self) -> None:
        """Start the program now, so that its first move does not have to wait for it."""
        try:
            self._child = self._child or self._start()
        except BotFailure:
            self.kill()
            raise

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Action:
        """What the program does; raises BotFailure and kills it if it makes no lawful move in time."""
        return self.choose_within(view, rng, budget, self.deadline).action

    def end_within(self, view: View, rng: Random, seconds: float) -> Action:
        """The same for the end of its turn, within what is left of the whole turn's time."""
        return self.choose_within(view, rng, None, seconds).action

    def choose_within(self, view: View, rng: Random, budget: Budget | None, seconds: float) -> Chosen:
        """Like `choose`, but within this many seconds, if that is less than its own deadline."""
        deadline = min(seconds, self.deadline)
        seed = rng.getrandbits(52)
        try:
            child = self._child or self._start()
            self._show(child, view)
            self._asked += 1
            child.send(protocol.go(view, self._asked, seed, budget, deadline))
            return self._answer(child, view, time.monotonic() + deadline)
        except BotFailure:
            self.kill()
            raise

    def advise(
        self, view: View, rng: Random, budget: Budget | None = None, include: Sequence[Action] = ()
    ) -> Advice:
        """The program's choice, valued by the points it scores: programs are asked for nothing more."""
        actions = dict.fromkeys([self.choose(view, rng, budget), *include])
        return Advice(tuple(_counted(view, action) for action in actions), "points")

    def game_over(self, position: Position, seat: int) -> None:
        """Tell the program how its game ended, or that it was broken off."""
        if self._child and self._playing == (position.setup, seat):
            view = position.view(EVERYONE if position.is_over else {seat})
            self._child.send(protocol.over(view, len(self._known), self._game))
        self._playing = None

    def close(self) -> None:
        """Ask the program to quit, and kill it if it does not."""
        if self._child:
            self._child.quit()
        self._child = self._playing = None

    def kill(self) -> None:
        """Kill the program now."""
        if self._child:
            self._child.kill()
        self._child = self._playing = None

    def _start(self) -> Child:
        child = self._child = Child(self._command, self.name, alone=self._alone)
        child.send(protocol.hello())
        patience = _HELLO_SECONDS if self._alone else self.deadline / 2
        answer = child.receive(time.monotonic() + patience)
        if answer["type"] != "hello" or answer.get("protocol") != protocol.PROTOCOL:
            raise failure(self.name, f"{REFUSED}: it answered hello with {str(answer)[:80]}")
        variants = answer.get("variants")
        self._variants = variants if isinstance(variants, list) else None
        return child

    def _show(self, child: Child, view: View) -> None:
        """Tell the program what has happened since it was last asked; for a new game, everything."""
        variant = view.setup.title.variant
        if self._variants is not None and variant not in self._variants:
            raise failure(self.name, f"{REFUSED}: it doesn't play {variant}")
        known = len(self._known)
        if self._playing != (view.setup, view.seat) or view.events[:known] != self._known:
            known = 0
            self._game += 1
            self._playing = view.setup, view.seat
            child.send(protocol.new_game(view, view.seat, self._game))
        child.send(protocol.state(view, known))
        self._known = view.events

    def _answer(self, child: Child, view: View, until: float) -> Chosen:
        for _ in range(_MOST_REMARKS):
            message = child.receive(until)
            if message["type"] == "action" and message.get("id") == self._asked:
                nodes = message.get("nodes")
                counted = nodes if isinstance(nodes, int) and 0 <= nodes < 1 << 53 else None
                return Chosen(self._lawful(child, view, message.get("action")), counted)
            if message["type"] == "error":
                raise failure(self.name, f"{REFUSED}: {str(message.get('text'))[:120]}")
        raise failure(self.name, f"{REFUSED}: {_MOST_REMARKS} messages without an action")

    def _lawful(self, child: Child, view: View, text: object) -> Action:
        try:
            action = parse_move(view.setup, text if isinstance(text, str) else "")
        except GenialError as error:
            problem: GenialError | None = error
        else:
            if action in view.actions():
                return action
            problem = None
        said = str(problem) if problem else f"{text} is not lawful here"
        child.send(protocol.error(UNLAWFUL, said, self._asked))
        raise failure(self.name, f"{UNLAWFUL}: {said[:120]}")


def _counted(view: View, action: Action) -> Candidate:
    if not isinstance(action, Place | Play):
        return Candidate(action, 0.0, (0,) * len(COLOURS))
    score = outcome(view, action).score
    return Candidate(action, float(sum(score.gain)), score.gain, score.bonus)
