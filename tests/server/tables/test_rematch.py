"""The next game: offered by one, accepted by all, and never begun without somebody."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.server.desk import ADA, BEN, Desk, desk
from tests.server.harness import Player, Server, Wire, play, running
from tests.server.several import PROCESSES

from genial.core.errors import GenialError
from genial.server.tables import decisions, rematch
from genial.server.tables.entries import kind_of
from genial.server.tables.log import table_from
from genial.server.tables.settings import PlaceChoice, TableSettings
from genial.server.tables.views import SPECTATOR, table_view

DEVICES = [ADA, BEN + "1", "c" * 32 + "2", "c" * 32 + "3"]
EVERYBODY = range(4)


def over(seats: int = 2, games: int = 1) -> Desk:
    made = desk(TableSettings("cards", seats, games=games))
    made.play_out(Random(1))
    return made


def agrees(made: Desk, place: int, present: Any = EVERYBODY, number: int | None = None) -> list[str]:
    bodies = rematch.agree(made.table, DEVICES[place], "77" * 16, present, number)
    return [kind_of(entry.body) for entry in made.put(bodies)] if bodies else []


def refused(made: Desk, place: int) -> str:
    with pytest.raises(GenialError) as caught:
        agrees(made, place)
    return caught.value.code


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("games", [1, 2])
def test_the_last_acceptance_starts_the_game(seats: int, games: int) -> None:
    made = over(seats, games)
    status = made.table.status
    for place in range(seats - 1):
        assert agrees(made, place) == ["offered", "mixed"]
        assert made.table.status == status
        offer = table_view(made.table, SPECTATOR, 5).offer
        assert offer is not None
        assert (offer.place, offer.ready) == (0, list(range(place + 1)))
        assert offer.waits == list(range(place + 1, seats))
    assert agrees(made, seats - 1) == ["offered", "mixed", "started"]
    assert made.table.is_running
    assert made.game.started.bits == ["77" * 16] * seats
    assert table_view(made.table, SPECTATOR, 5).offer is None


def test_nobodys_clock_runs_while_an_offer_stands() -> None:
    made = desk(TableSettings("cards", 2))
    made.put(decisions.resign(made.table, 0))
    agrees(made, 0)
    assert not made.table.is_running
    assert decisions.run_out(made.table, made.now + 10**9) == []


def test_offering_twice_counts_once() -> None:
    made = over()
    assert agrees(made, 0, number=1) == ["offered", "mixed"]
    assert agrees(made, 0, number=1) == []
    assert agrees(made, 1, number=1)[-1] == "started"
    # The answer was lost, and the request is sent again.
    assert agrees(made, 1, number=1) == []
    assert refused(made, 1) == "rematch-early"


def test_a_player_who_accepted_and_left_is_asked_again() -> None:
    made = over(3)
    agrees(made, 0)
    assert agrees(made, 1, present=[1, 2]) == ["lapsed", "offered", "mixed"]
    assert made.table.ready == (1,)
    assert agrees(made, 2, present=[1, 2]) == ["offered", "mixed"]
    assert agrees(made, 0)[-1] == "started"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_anybody_may_decline_or_withdraw(place: int) -> None:
    made = over(3)
    agrees(made, 0)
    agrees(made, 1)
    made.put(rematch.decline(made.table, DEVICES[place]))
    assert not made.table.ready
    assert made.table.declined == (place or None)  # the one who offered withdraws it
    assert rematch.decline(made.table, DEVICES[place]) == []
    for other in range(2):
        agrees(made, other)
        assert not made.table.is_running
    assert agrees(made, 2)[-1] == "started"


def test_the_next_game_of_a_series_cannot_be_declined() -> None:
    made = over(2, games=3)
    agrees(made, 0)
    assert rematch.decline(made.table, DEVICES[1]) == []
    assert agrees(made, 1)[-1] == "started"


@pytest.mark.parametrize("seats", [2, 3])
def test_an_offer_lapses_when_somebody_leaves(seats: int) -> None:
    """LEAVING: with more than two sides a bot then takes the place, and is always ready."""
    made = over(seats)
    agrees(made, 0)
    made.put(decisions.leave(made.table, DEVICES[1], 1))
    assert not made.table.ready
    agrees(made, 0)
    assert made.table.ready == (0,)
    if seats == 3:
        assert agrees(made, 2)[-1] == "started"


def test_a_rematch_alone_or_on_one_device_needs_nobody_else() -> None:
    for places in ("mrr", "mmm", "mrm"):
        made = Desk()
        choices = [PlaceChoice("me") if each == "m" else PlaceChoice("bot", "random") for each in places]
        made.put(decisions.create(TableSettings("cards", 3), choices, ADA, "Ada", "00" * 16, "CODES"))
        made.put(decisions.start(made.table, ADA))
        made.play_out(Random(1))
        assert agrees(made, 0, present=[])[-1] == "started"


def test_a_watching_host_can_let_the_bots_play_again() -> None:
    made = Desk()
    made.put(
        decisions.create(TableSettings("cards", 2), [PlaceChoice("bot", "random")] * 2, ADA, "Ada", "", "C")
    )
    made.put(decisions.start(made.table, ADA))
    made.play_out(Random(1))
    assert refused(made, 1) == "rematch-seated"
    assert agrees(made, 0) == ["started"]


def test_a_bot_playing_over_http_joins_the_rematch() -> None:
    made = desk(TableSettings("cards", 2), start=False)
    made.put(decisions.leave(made.table, DEVICES[1], 1))
    made.put(decisions.sit(made.table, BEN, "Ben (bot)", "", program=True))
    made.put(decisions.start(made.table, ADA))
    made.play_out(Random(1))
    assert agrees(made, 0, present=[])[-1] == "started"


def test_offers_are_limited_but_acceptances_are_not() -> None:
    made = over()
    for _ in range(rematch.MOST_OFFERS):
        agrees(made, 0)
        made.put(rematch.decline(made.table, DEVICES[1]))
    assert refused(made, 0) == "rematch-often"
    agrees(made, 1)
    assert agrees(made, 0)[-1] == "started"
    made.play_out(Random(2))
    assert agrees(made, 0) == ["offered", "mixed"]


def test_the_host_can_start_only_the_first_game() -> None:
    made = over()
    with pytest.raises(GenialError) as caught:
        decisions.start(made.table, ADA)
    assert caught.value.code == "table-started"


@pytest.mark.parametrize("seed", range(30))
def test_whatever_people_do_a_rematch_needs_everybodys_consent(seed: int) -> None:
    """Any order of offering, declining, going and coming: a game begins when everybody present agrees."""
    rng = Random(seed)
    made = over(rng.choice((2, 3)), rng.choice((1, 2)))
    seats, before = len(made.table.holders), len(made.table.games)
    present = set(range(seats))
    said: set[int] = set()
    for _ in range(40):
        place = rng.randrange(seats)
        match rng.choice(("agree", "agree", "decline", "go", "come")):
            case "agree":
                if made.table.status == "over" and not made.table.ready and made.table.offers[place] == 5:
                    continue
                if place not in made.table.ready:  # otherwise it was said before, and nothing happens
                    said = (said & present) | {place}
                agrees(made, place, present | {place})
            case "decline":
                if bodies := rematch.decline(made.table, DEVICES[place]):
                    made.put(bodies)
                    said = set()
            case "go":
                present.discard(place)
            case "come":
                present.add(place)
        begun = len(made.table.games) > before
        assert begun == (said >= set(range(seats)))
        if begun:
            break
        assert set(made.table.ready) >= said
    again = table_from("desk", made.kept)
    assert (again.ready, again.offers, again.status) == (
        made.table.ready,
        made.table.offers,
        made.table.status,
    )


# Over a real server


async def _two(server: Server, **settings: Any) -> tuple[Player, Player, Wire, Wire, str]:
    ada, ben = Player(server, "Ada"), Player(server, "Ben")
    await ada.__aenter__()
    await ben.__aenter__()
    table = await ada.create("cards", "mo", first=0, **settings)
    await ben.join(table["code"])
    hers, his = await ada.wire(table["id"]), await ben.wire(table["id"])
    await hers.hear()
    await his.hear()
    await ada.post(f"/api/tables/{table['id']}/resign", {})
    for wire in (hers, his):
        while wire.now["status"] == "running":
            await wire.hear()
    return ada, ben, hers, his, table["id"]


def test_nothing_starts_and_no_clock_runs_while_the_other_is_away(server: Server) -> None:
    async def asked() -> None:
        ada, ben, hers, his, table = await _two(server, clock={"move": 1})
        call = f"/api/tables/{table}/rematch"
        await his.connection.close()
        await ada.post(call, {"number": 1})
        await hers.until_entry("offered")
        await hers.settled()
        assert hers.now["status"] == "over"
        assert hers.state["offer"] == {"place": 0, "ready": [0], "waits": [1]}
        # Ada goes too; when Ben accepts later, that is an offer of his own, until she is back.
        await hers.connection.close()
        his = await ben.wire(table)
        await his.hear()
        assert his.state["offer"]["place"] == 0
        await his.until(lambda m: m["type"] == "presence" and m["places"] == [1])
        await ben.post(call, {"number": 1})
        await his.until_entry("offered")
        assert his.now["status"] == "over"
        assert his.state["offer"] == {"place": 1, "ready": [1], "waits": [0]}
        hers = await ada.wire(table)
        await hers.hear()
        await his.until(lambda m: m["type"] == "presence" and m["places"] == [0, 1])
        await ada.post(call, {"number": 1})
        await his.until_entry("started")
        assert his.now["status"] == "running"

    play(asked())


@pytest.mark.skipif(PROCESSES > 1, reason="stops the one server")
def test_an_offer_survives_a_server_restart(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"

    async def offered(server: Server) -> tuple[str, Any, Any]:
        ada, ben, _, _, table = await _two(server)
        await ada.post(f"/api/tables/{table}/rematch", {})
        return table, ada.http.cookies, ben.http.cookies

    async def declined(server: Server, table: str, cookies: Any) -> Any:
        async with Player(server, "Ben") as ben:
            ben.http.cookies = cookies
            state = await ben.get(f"/api/tables/{table}")
            await ben.post(f"/api/tables/{table}/rematch", {"yes": False})
            return state["offer"], (await ben.get(f"/api/tables/{table}"))["offer"]

    with running(path) as server:
        table, _, bens = play(offered(server))
    with running(path) as server:
        before, after = play(declined(server, table, bens))
    assert before == {"place": 0, "ready": [0], "waits": [1]}
    assert after is None
