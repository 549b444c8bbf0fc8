"""Games that something is to be done for in the next round."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable


class Pending:
    """In the order in which they came, each once."""

    def __init__(self) -> None:
        self._games: dict[str, None] = {}

    def add(self, games: Iterable[str]) -> None:
        """To be done."""
        self._games.update(dict.fromkeys(games))

    async def settle(self, work: Callable[[list[str]], Awaitable[None]]) -> None:
        """Do it for all of them; what fails is done in the round after, with what has come meanwhile."""
        if not self._games:
            return
        games, self._games = self._games, {}
        try:
            await work(list(games))
        except BaseException:
            self._games = games | self._games
            raise
