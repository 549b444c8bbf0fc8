"""Moments of games, for screens that need the moment and not the way there: played over HTTP, always alike.

The server has to be a seeded one. The person's browser makes the requests, so that the table is theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from playwright.sync_api import APIResponse
from tests.browser.person import Person
from tests.browser.waiting import until
from tests.legal import placements

BITS = "5eed" * 8
_LETTERS = {"m": {"kind": "me"}, "o": {"kind": "open"}, "r": {"kind": "bot", "bot": "random"}}
_ids = count()

State = dict[str, Any]
Moment = Callable[[State], bool]


class Moments:
    """Tables of one person at one server."""

    def __init__(self, person: Person, url: str) -> None:
        self._request, self._url = person.page.request, url
        self._name = person.name
        self._post("/api/hello", {})

    def table(self, variant: str, places: str, *, bits: str = BITS, **settings: Any) -> str:
        """Create a table and return its id. Places: m mine, o open, r a bot. The same bits, the same deal."""
        body = {
            "settings": {"variant": variant, "seats": len(places), "first": 0, **settings},
            "places": [_LETTERS[letter] for letter in places],
            "name": self._name,
            "bits": bits,
        }
        return str(self._post("/api/tables", body)["id"])

    def look(self, table: str) -> State:
        """The table as this person sees it."""
        found: State = self._read(self._request.get(f"{self._url}/api/tables/{table}"))
        return found

    def play(self, table: str, moment: Moment) -> None:
        """Play on until the moment comes, always making the move that scores most."""
        board = None
        while not moment(state := self.look(table)):
            assert state["status"] == "running", "the game ended before the moment came"
            if not state["legal"]:
                seq = state["game"]["seq"]
                until(lambda seq=seq: self.look(table)["game"]["seq"] != seq, "no bot moves")  # type: ignore[misc]
                continue
            board = board or self._board(state)
            body = {"seq": state["seq"], "move_id": f"moment-{next(_ids)}", "place": state["game"]["mover"]}
            self._post(f"/api/tables/{table}/act", body | {"action": best(state["legal"], board)})

    def _board(self, state: State) -> Any:
        settings = state["settings"]
        address = f"{self._url}/api/boards/{settings['variant']}/{settings['seats']}"
        return self._read(self._request.get(address))

    def _post(self, path: str, body: object) -> Any:
        return self._read(self._request.post(self._url + path, data=body, headers={"origin": self._url}))

    def _read(self, answer: APIResponse) -> Any:
        assert answer.ok, answer.text()
        return answer.json()


def best(legal: Any, board: Any) -> str:
    """The move that scores most, as the server counts it; of several, the first."""
    if legal["phase"] == "end-turn":
        return "refill"
    if legal["cards"]:
        return str(max(legal["cards"], key=lambda card: sum(card["gain"]))["tile"])
    found = (
        (sum(place.points), place.tile, board["pairs"][place.pair][:: -1 if place.turned else 1])
        for place in placements(legal)
    )
    _, tile, cells = max(found, key=lambda one: one[0])
    return f"{tile}@{','.join(board['names'][cell] for cell in cells)}"


# Moments to wait for


def start(state: State) -> bool:
    """It's this person's turn for the first time."""
    return bool(state["legal"])


def middle(turns: int) -> Moment:
    """At least `turns` moves have been made, and this person is about to place."""
    return lambda state: _moves(state) >= turns and _phase(state) == "place" and bool(state["legal"])


def end_of_turn(turns: int) -> Moment:
    """After at least `turns` moves, this person has placed and not ended the turn yet."""
    return lambda state: _moves(state) >= turns and _phase(state) == "end-turn" and bool(state["legal"])


def swap(state: State) -> bool:
    """This person may swap."""
    return bool(state["legal"] and state["legal"]["swap"])


def bonus(state: State) -> bool:
    """This person has a bonus move."""
    return bool(state["legal"] and state["game"]["view"]["bonus"])


def over(state: State) -> bool:
    return bool(state["status"] != "running")


def _phase(state: State) -> str:
    return str(state["game"]["view"]["phase"])


def _moves(state: State) -> int:
    return sum(event["type"] in ("place", "play") for event in state["game"]["view"]["events"])
