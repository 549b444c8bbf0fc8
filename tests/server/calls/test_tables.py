"""Tables over HTTP: what there is, the lobby, the host's rights, finished games, words for errors."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.legal import placements
from tests.server.harness import Player, Server, bits, code, lawful, play, play_on
from tests.server.paged import over_http

from genial.bots import BOTS
from genial.core.messages import LANGUAGES
from genial.core.titles import TITLES
from genial.server.messages import WORDS


def test_variants_rules_boards_bots_and_messages_are_listed(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            variants = (await ada.get("/api/variants"))["variants"]
            assert [found["variant"] for found in variants] == list(TITLES)
            duel = next(found for found in variants if found["variant"] == "duel")
            assert duel["reconstructed"]
            assert duel["names"]["de"] == "Duell (rekonstruiert)"
            assert (duel["track"], duel["seats"], duel["rack"]) == ([-9, 9], [2], 6)
            team = next(found for found in variants if found["variant"] == "classic-team")
            assert (team["page"], team["lesson"], team["ours"]) == ("classic", "classic-team", False)
            rules = await ada.get("/api/rules/classic-team/de")
            assert (rules["page"], rules["short"]) == ("classic", [])
            assert [one["topic"] for one in rules["glance"]] == ["score", "lowest", "swap", "bonus"]
            assert code(await ada.get("/api/rules/chess/de", 422)) == "variant-unknown"
            assert code(await ada.get("/api/rules/classic/fr", 404)) == "path-unknown"
            board = await ada.get("/api/boards/classic/2")
            assert (len(board["cells"]), len(board["pairs"]), board["names"][board["start"]["R"]]) == (
                91,
                240,
                "a1",
            )
            assert (await ada.get("/api/boards/cards/3"))["cells"] == []
            assert code(await ada.get("/api/boards/classic/5", 422)) == "seats-unknown"
            assert code(await ada.get("/api/boards/chess/2", 422)) == "variant-unknown"
            bots = [bot for bot in (await ada.get("/api/bots"))["bots"] if bot["house"]]
            house = [bot["name"] for bot in bots]
            assert [bot["level"] for bot in bots] == [1, 2, 3, 4, 5, 6, None, None, None]
            assert [bot["nodes"] > 0 for bot in bots[:6]] == [False] * 3 + [True] * 3
            assert house == list(BOTS)
            assert (await ada.get("/api/bots"))["usual"] in house
            assert all(found["sample"]["seats"] in found["seats"] for found in variants)
            assert variants[0]["sample"]["table"].count("/") == 10
            assert (variants[0]["tiles"], variants[3]["tiles"]) == ([120, 120, 120], [57])
            for language in LANGUAGES:
                words = (await ada.get(f"/api/messages/{language}"))["messages"]
                assert words["stale"] == WORDS.messages(language)["stale"]
            assert code(await ada.get("/api/messages/fr", 404)) == "path-unknown"
            assert "hello" in (await ada.get("/api/phrases"))["team"]

    play(asked())


def test_the_lobby_lists_public_tables_until_they_are_full(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            hidden = await ada.create("travel", "mo", name="Secret")
            shown = await ada.create("travel", "mo", name="Come in", public=True)
            tables = (await ben.get("/api/tables"))["tables"]
            found = [table for table in tables if table["id"] == shown["id"]]
            assert [(table["name"], table["open_places"]) for table in found] == [("Come in", 1)]
            assert hidden["id"] not in [table["id"] for table in tables]
            seen = await ben.get(f"/api/tables/{shown['id']}", code=found[0]["code"])
            assert (seen["status"], seen["code"], seen["viewer"]) == ("open", None, [])
            await ben.post(
                f"/api/tables/{shown['id']}/sit",
                {"code": found[0]["code"], "name": "Ben", "bits": bits(), "place": 1},
            )
            assert shown["id"] not in [table["id"] for table in (await ben.get("/api/tables"))["tables"]]
            mine = (await ben.get("/api/me/games"))["tables"]
            assert [(table["id"], table["status"]) for table in mine] == [(shown["id"], "running")]

    play(asked())


def test_my_games_show_who_is_playing_and_whose_turn_it_is(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            game = await ada.create("travel", "mo", first=0)
            open_table = (await ada.get("/api/me/games"))["tables"][0]
            assert [place["kind"] for place in open_table["places"]] == ["person", "open"]
            assert open_table["mover"] is None
            sitting = {"code": game["code"], "name": "Ben", "bits": bits(), "place": 1}
            await ben.post(f"/api/tables/{game['id']}/sit", sitting)
            for player, own in ((ada, 0), (ben, 1)):
                [found] = (await player.get("/api/me/games"))["tables"]
                assert [place["name"] for place in found["places"]] == ["Ada", "Ben"]
                assert [place["yours"] for place in found["places"]] == [own == 0, own == 1]
                assert (found["status"], found["mover"]) == ("running", 0)
                assert found.keys().isdisjoint({"game", "legal", "code", "watch"})

    play(asked())


def test_my_running_game_shows_its_board_and_standings(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            game = await ada.create("travel", "mg", first=0)
            [found] = (await ada.get("/api/me/games"))["tables"]
            assert found["table"] == (await ada.get(f"/api/tables/{game['id']}"))["game"]["view"]["table"]
            assert found["figures"] == [0, 0]
            await ada.create("travel", "mo")
            opened = (await ada.get("/api/me/games"))["tables"][0]
            assert (opened["table"], opened["figures"]) == ("", [])

    play(asked())


def test_finished_games_are_listed_with_their_results_page_by_page(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Eve") as eve:
            board = await ada.get("/api/boards/travel/2")
            ends = {}
            for _ in range(3):
                game = await ada.create("travel", "mg")
                async with await ada.wire(game["id"]) as wire:
                    await wire.hear()
                    await play_on(wire, {0}, board, Random(3))
                ends[game["id"]] = (await ada.get(f"/api/tables/{game['id']}"))["game"]
            resigned = await ada.create("travel", "mg")
            await ada.post(f"/api/tables/{resigned['id']}/resign", {})
            await ada.create("travel", "mo")
            await ada.create("travel", "mg")

            first = await ada.get("/api/me/finished", tables=3)
            second = await ada.get("/api/me/finished", tables=3, before=first["next"])
            assert second["next"] is None
            games = first["games"] + second["games"]
            assert [game["table"] for game in games] == [resigned["id"], *reversed(ends)]
            assert (games[0]["reason"], games[0]["places"][0]["rank"]) == ("resign", 2)
            for found in games[1:]:
                result, places = ends[found["table"]]["result"], ends[found["table"]]["places"]
                assert [place["yours"] for place in found["places"]] == [True, False]
                assert [place["bot"] for place in found["places"]] == [None, "greedy"]
                for standing in result["standings"]:
                    place = found["places"][places[standing["seats"][0]]]
                    assert (place["rank"], place["figure"]) == (standing["rank"], standing["figures"][0])
            assert (await eve.get("/api/me/finished"))["games"] == []
            for wrong in ({"tables": 13}, {"tables": 0}, {"before": "yesterday"}):
                assert code(await ada.get("/api/me/finished", 400, **wrong)) == "message-unreadable"

    play(asked())


def test_leavers_see_nothing_more_of_a_table_without_spectators(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben, Player(server, "Cat") as cat:
            game = await ada.create("classic", "moo", spectators=False)
            for place, player in ((1, ben), (2, cat)):
                sitting = {"code": game["code"], "name": "Somebody", "bits": bits(), "place": place}
                await player.post(f"/api/tables/{game['id']}/sit", sitting)
            await ben.post(f"/api/tables/{game['id']}/resign", {})
            [left] = (await ben.get("/api/me/games"))["tables"]
            [stayed] = (await cat.get("/api/me/games"))["tables"]
            assert (left["places"], left["mover"]) == ([], None)
            assert len(stayed["places"]) == 3

    play(asked())


def test_the_lobby_shows_public_games_that_everybody_may_watch(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Cat") as cat:
            shown = await ada.create("travel", "mg", name="Look on", public=True)
            closed = await ada.create("travel", "mg", public=True, spectators=False)
            private = await ada.create("travel", "mg")
            running = {table["id"]: table for table in (await cat.get("/api/tables"))["running"]}
            assert running.keys() & {shown["id"], closed["id"], private["id"]} == {shown["id"]}
            found = running[shown["id"]]
            assert (found["name"], found["variant"], found["people"][0]) == ("Look on", "travel", "Ada")
            seen = await cat.get(f"/api/tables/{shown['id']}")
            assert (seen["viewer"], seen["code"], seen["watch"], seen["legal"]) == ([], None, None, None)
            assert all(set(rack) == {"??"} for rack in seen["game"]["view"]["racks"])
            for hidden in (closed, private):
                assert code(await cat.get(f"/api/tables/{hidden['id']}", 404)) == "table-unknown"
            refused = await cat.post(f"/api/tables/{shown['id']}/resign", {}, 403)
            assert code(refused) == "place-not-yours"

    play(asked())


def test_the_advertised_table_options_are_the_ones_accepted(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            options = await ada.get("/api/options")
            most = options["games"][1]
            clock = {"move": options["move"][1], "increment": options["increment"][1]}
            await ada.create("travel", "mo", games=most, clock=clock, name="n" * options["name"][1])
            body = {"places": [{"kind": "me"}, {"kind": "open"}], "name": "Ada"}
            for wrong, why in (
                ({"games": most + 1}, "message-unreadable"),
                ({"clock": {"move": options["move"][1] + 1}}, "message-unreadable"),
                ({"name": "n" * (options["name"][1] + 1)}, "field-long"),
            ):
                settings = {"variant": "travel", "seats": 2, **wrong}
                refused = await ada.post("/api/tables", {**body, "settings": settings}, 400)
                assert code(refused) == why
            longest = options["code"][1]
            assert code(await ada.post("/api/join", {"code": "C" * longest}, 404)) == "code-unknown"
            refused = await ada.post("/api/join", {"code": "C" * (longest + 1)}, 400)
            assert refused["error"]["text"] == f"The table code is too long. Keep it to {longest} characters."

    play(asked())


def test_joining_by_code(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben, Player(server, "Cat") as cat:
            table = await ada.create("travel", "mo")
            assert len(table["code"]) == 5
            seen = await ben.post("/api/join", {"code": table["code"].lower()})
            assert (seen["id"], seen["places"][1]["kind"]) == (table["id"], "open")
            sat = await ben.join(table["code"])
            assert sat["places"][1] == {
                "kind": "person",
                "name": "Ben",
                "bot": None,
                "away": False,
                "yours": True,
                "host": False,
                "seat": sat["places"][1]["seat"],
                "mark": sat["places"][1]["mark"],
                "shares": [],
                "covered": 0,
            }
            assert (await ben.join(table["code"]))["viewer"] == [1]
            assert code(await cat.post("/api/join", {"code": table["code"]}, 403)) == "table-started"
            late = {"code": table["code"], "name": "Cat", "bits": bits()}
            assert code(await cat.post("/api/join", late, 409)) == "table-started"
            assert code(await cat.post("/api/join", {"code": "QQQQQ"}, 404)) == "code-unknown"
            for path in ("sit", "start", "leave", "resign", "close", "chat"):
                body = {"name": "Cat", "bits": bits()} if path == "sit" else {}
                body = {"move_id": "1", "text": "hi"} if path == "chat" else body
                assert code(await cat.post(f"/api/tables/{table['id']}/{path}", body, 404)) == "table-unknown"

    play(asked())


def test_only_the_host_changes_places_and_only_before_the_start(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            table = await ada.create("cards", "moo", start="host")
            path = f"/api/tables/{table['id']}"
            await ben.join(table["code"])
            bot = {"kind": "bot", "bot": "greedy"}
            wishes: list[tuple[str, object]] = [("places/2", bot), ("start", None), ("close", None)]
            if "http-bots" in server.can:
                wishes.append(("invite", {"bot": "x"}))
            for place, body in wishes:
                assert code(await ben.post(f"{path}/{place}", body, 403)) == "host-only"
            assert code(await ada.post(f"{path}/start", None, 409)) == "places-open"
            assert code(await ada.post(f"{path}/places/7", bot, 409)) == "place-unknown"
            assert (
                code(await ada.post(f"{path}/places/2", {"kind": "bot", "bot": "deep"}, 409)) == "bot-unknown"
            )
            await ada.post(f"{path}/places/1", {"kind": "open"})  # Ben is asked to get up
            assert (await ben.get(path))["viewer"] == []
            await ada.post(f"{path}/places/1", bot)
            await ada.post(f"{path}/places/2", {"kind": "me", "name": "Ada's sister"})
            assert (await ada.get(path))["status"] == "open"
            await ada.post(f"{path}/start")
            seen = await ada.get(path, place=2)
            assert [place["name"] for place in seen["places"]] == ["Ada", "greedy", "Ada's sister"]
            assert code(await ada.post(f"{path}/places/1", {"kind": "open"}, 409)) == "table-started"
            await ada.post(f"{path}/close")
            assert (await ada.get(path))["status"] == "closed"
            assert code(await ada.post(f"{path}/start", None, 404)) == "table-closed"

    play(asked())


def test_the_host_closes_a_waiting_table_and_everybody_is_told(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben, Player(server, "Cat") as cat:
            table = await ada.create("cards", "moo")
            path = f"/api/tables/{table['id']}"
            seen = await ben.join(table["code"])
            assert [place["host"] for place in seen["places"]] == [True, False, False]
            assert seen["closed"] is None
            async with await ben.wire(table["id"]) as wire:
                await wire.hear()
                assert code(await ben.post(f"{path}/close", None, 403)) == "host-only"
                await ada.post(f"{path}/close")
                assert (await wire.until_entry("closed"))["data"] == {"reason": "host"}
                assert (wire.state["closed"], wire.state["game"]) == ("host", None)
            assert code(await cat.post("/api/join", {"code": table["code"]}, 404)) == "code-unknown"
            assert code(await ada.post(f"{path}/close", None, 404)) == "table-closed"

    play(asked())


def test_a_host_cannot_close_a_game_that_others_are_playing(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            table = await ada.create("travel", "mo")
            path = f"/api/tables/{table['id']}"
            await ben.join(table["code"])
            assert (await ada.get(path))["status"] == "running"
            assert code(await ada.post(f"{path}/close", None, 409)) == "table-started"
            await ben.post(f"{path}/resign", {"place": 1})
            await ada.post(f"{path}/close")
            assert (await ben.get(path))["closed"] == "host"

    play(asked())


@pytest.mark.parametrize(
    ("change", "status", "expected"),
    [
        ({"settings": {"variant": "chess", "seats": 2}}, 422, "variant-unknown"),
        ({"settings": {"variant": "travel", "seats": 3}}, 422, "seats-unknown"),
        ({"settings": {"variant": "travel", "seats": 2, "cheat": True}}, 400, "message-unreadable"),
        ({"settings": {"variant": "travel", "seats": "2"}}, 400, "message-unreadable"),
        ({"settings": {"variant": "travel", "seats": 2, "first": 2}}, 409, "seat-unknown"),
        ({"places": [{"kind": "me"}]}, 409, "places-count"),
        ({"name": " \u202e "}, 409, "name-empty"),
        ({"name": "x" * 25}, 400, "field-long"),
        ({"name": ""}, 400, "field-short"),
        ({"bits": "xyz"}, 400, "message-unreadable"),
    ],
)
def test_an_impossible_table_is_refused(
    server: Server, change: dict[str, Any], status: int, expected: str
) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            body = {
                "settings": {"variant": "travel", "seats": 2},
                "places": [{"kind": "me"}, {"kind": "open"}],
                "name": "Ada",
                "bits": bits(),
            }
            assert code(await ada.post("/api/tables", body | change, status)) == expected
            assert (await ada.get("/api/me/games"))["tables"] == []

    play(asked())


def test_errors_speak_the_users_language(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            for header, language in (
                ("de-AT, en;q=0.5", "de"),
                ("fr, nl;q=0.3", "nl"),
                ("*", "en"),
                ("x" * 9999, "en"),
            ):
                answer = await ada.http.get("/api/tables/nowhere", headers={"accept-language": header})
                assert answer.status_code == 404
                assert answer.json()["error"] == {
                    "code": "table-unknown",
                    "params": {},
                    "ruling": None,
                    "text": WORDS.messages(language)["table-unknown"],
                }
            answer = await ada.get("/api/tables/nowhere", 404, language="de")
            assert answer["error"]["text"] == WORDS.messages("de")["table-unknown"]
            assert code(await ada.get("/api/nowhere", 404)) == "path-unknown"
            assert code(await ada.get("/api/hello", 405)) == "method-wrong"
            assert code(await ada.get("/api/variants", 400, wrong=1)) == "message-unreadable"

    play(asked())


@over_http
def test_an_options_request_lists_the_methods_of_a_path(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            for path, allowed in (("/api/hello", "POST"), ("/api/tables", "GET, HEAD, POST")):
                assert (await ada.http.options(path)).headers["allow"] == allowed

    play(asked())


def test_only_the_mover_can_preview_a_move(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            board = await ada.get("/api/boards/classic/2")
            table = await ada.create("classic", "mo", first=0)
            await ben.join(table["code"])
            path = f"/api/tables/{table['id']}"
            legal = (await ada.get(path))["legal"]
            move = lawful(legal, board, Random(3))
            tile, cell = move.split("@")[0], move.split("@")[1].split(",")[0]
            told = await ada.get(f"{path}/explain", move=move)
            pair = {board["names"][n]: n for n in range(len(board["names"]))}
            first, second = (pair[name] for name in move.split("@")[1].split(","))
            place = next(n for n, found in enumerate(board["pairs"]) if set(found) == {first, second})
            turned = board["pairs"][place] != [first, second]
            (points,) = [found.points for found in placements(legal) if found[:3] == (tile, place, turned)]
            assert tuple(half["points"] for half in told["halves"]) == points
            assert (await ada.get(f"{path}/guide"))["code"] == "pick-tile"
            assert (await ada.get(f"{path}/guide", tile=tile))["code"] == "pick-cell"
            assert (await ada.get(f"{path}/guide", tile=tile, cell=cell))["status"] == "incomplete"
            assert (await ada.get(f"{path}/guide", tile=tile, cell="f6"))["code"] == "opening-untouched"
            for wrong in ("zz", "refill", "RB@a1"):
                assert code(await ada.get(f"{path}/explain", 422, move=wrong)) == "move-unreadable"
            for call in (f"{path}/explain?move={move}", f"{path}/guide"):
                assert code(await ben.get(call, 409)) == "not-your-turn"
            assert (await ben.get(path))["legal"] is None

    play(asked())


def test_a_finished_game_can_be_replayed_in_full(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Cat") as cat:
            board = await ada.get("/api/boards/cards/2")
            table = await ada.create("cards", "mg")
            path = f"/api/tables/{table['id']}/games/0"
            for kind in ("record", "replay"):
                assert code(await ada.get(f"{path}/{kind}", 403)) == "record-not-over"
            async with await ada.wire(table["id"]) as wire:
                await wire.hear()
                await play_on(wire, {0}, board, Random(4))
            record = await ada.get(f"{path}/record")
            acts = [event for event in record["events"] if event["type"] in ("play", "swap")]
            replay = await ada.get(f"{path}/replay")
            frames = replay["frames"]
            assert [frame["act"] for frame in frames[1:]] == acts
            assert frames[-1]["game"]["view"]["result"] == record["events"][-1]
            assert not any("??" in rack for rack in frames[0]["game"]["view"]["racks"])
            assert replay["names"] == record["names"]
            assert frames[-1]["lowest"] == [min(markers) for markers in record["events"][-1]["tracks"]]
            assert code(await ada.get(f"/api/tables/{table['id']}/games/9/record", 404)) == "game-unknown"
            assert code(await cat.get(f"{path}/record", 404)) == "table-unknown"
            assert await cat.get(f"{path}/record", watch=table["watch"]) == record

    play(asked())


def test_solo_results_are_kept_per_device(server: Server) -> None:
    """SOLO"""

    async def asked() -> None:
        async with Player(server, "Ada") as ada, Player(server, "Ben") as ben:
            board = await ada.get("/api/boards/classic-solo/1")
            table = await ada.create("classic-solo", "m")
            async with await ada.wire(table["id"]) as wire:
                await wire.hear()
                await play_on(wire, {0}, board, Random(4))
            view = await ada.get(f"/api/tables/{table['id']}/games/0/replay")
            markers = view["frames"][-1]["game"]["view"]["tracks"][0]
            given_up = await ada.create("classic-solo", "m")
            await ada.post(f"/api/tables/{given_up['id']}/resign")
            results = (await ada.get("/api/me/results"))["results"]
            assert [(r["variant"], r["table"], r["lowest"], r["total"]) for r in results] == [
                ("classic-solo", table["id"], min(markers), sum(markers))
            ]
            assert (await ada.get("/api/me/results", variant="3d-solo"))["results"] == []
            assert (await ben.get("/api/me/results"))["results"] == []

    play(asked())


@over_http
def test_large_answers_are_compressed(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            table = await ada.create("classic", "mmmm")
            answer = await ada.http.get(f"/api/tables/{table['id']}?place={table['game']['mover']}")
            assert answer.headers["content-encoding"] == "gzip"
            assert len(answer.content) < 64 * 1024
            plain = await ada.http.get("/api/phrases")
            assert "content-encoding" not in plain.headers

    play(asked())


@over_http
def test_a_caller_without_a_cookie_is_not_signed_in(server: Server) -> None:
    async def asked() -> None:
        async with Player(server, "Ada") as ada:
            ada.http.cookies.clear()
            assert code(await ada.get("/api/me/games", 401)) == "not-signed-in"
            assert code(await ada.post("/api/join", {"code": "ABCDE"}, 401)) == "not-signed-in"

    play(asked())
