"""A thought that can run anywhere: it asks for searches, and the caller decides where to run them.

A bot that searches is a generator: it yields what to search and is sent the results. `at_once` runs each
search here and now. A page has one worker for the rules and another for searches; there `elsewhere` waits for
them. The bot's logic is written only once, so it plays the same moves either way.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:  # numba takes most of a second to import
    from genial.bots.search import Question, Rows

_T = TypeVar("_T")

Thought: TypeAlias = "Generator[Question, Rows, _T]"


async def elsewhere(thought: Thought[_T], search: Callable[[Question], Awaitable[Rows]]) -> _T:
    """The result of a thought whose searches are run by `search`."""
    go_on: Callable[[], Question] = partial(next, thought)
    try:
        while True:
            question = go_on()
            try:
                go_on = partial(thought.send, await search(question))
            except Exception as error:
                go_on = partial(thought.throw, error)
    except StopIteration as end:
        found: _T = end.value
        return found
    finally:
        thought.close()


def at_once(thought: Thought[_T]) -> _T:
    """The result of a thought whose searches are run here."""
    thinking = elsewhere(thought, _here)
    try:
        thinking.send(None)
    except StopIteration as end:
        found: _T = end.value
        return found
    raise RuntimeError("A search that is run at once waits for nothing.")


async def _here(question: Question) -> Rows:
    return question.run()
