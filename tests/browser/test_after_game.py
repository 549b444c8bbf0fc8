"""After the game: replays, records from a file, playing on from a position, a rematch, coming back."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect
from tests.browser import moments
from tests.browser.conftest import Arrive
from tests.browser.moments import Moments
from tests.browser.person import Person, play
from tests.browser.record import shown_tracks
from tests.browser.server import House
from tests.browser.tables import QUICK_BOT, at_home, begun, left_open, play_against_bots, resign, sit_together
from tests.browser.waiting import until

SAMPLES = Path(__file__).parents[1] / "samples"


def over(person: Person, url: str, variant: str = "travel") -> None:
    """A game that has just ended."""
    tables = Moments(person, url)
    table = tables.table(variant, "mr")
    tables.play(table, moments.over)
    person.page.goto(f"{url}/table/{table}")
    expect(person.screen.over).to_be_attached()


def test_a_rematch_is_offered_and_begins_when_it_is_accepted(server: House, arrive: Arrive) -> None:
    ada, bert = arrive("Ada"), arrive("Bert", language="de")
    sit_together(server.url, [ada, bert], "cards", 2)
    play([ada, bert], lambda: ada.screen.history.count() >= 3)
    resign(ada)
    expect(ada.page.get_by_text(ada.words("rematch_here", count=1, names="Bert"))).to_be_visible()
    ada.screen.button("rematch_offer").click()
    expect(ada.page.get_by_text(ada.words("rematch_waiting", names="Bert"))).to_be_visible()
    expect(bert.page.get_by_text(bert.words("rematch_offered", name="Ada"))).to_be_visible()
    # "Not now" calls it off, and Ada is told. Then Bert changes his mind.
    bert.screen.button("rematch_not_now").click()
    expect(ada.page.get_by_text(ada.words("rematch_declined", name="Bert"))).to_be_visible()
    bert.screen.button("rematch_offer").click()
    expect(bert.screen.over).to_be_visible()
    ada.screen.button("rematch_accept").click()
    for person in (ada, bert):
        expect(person.screen.over).to_have_count(0)
        expect(person.screen.history).to_have_text([person.words("table_no_moves")])
    expect(bert.screen.turn).to_be_visible()  # the other player begins this time


def test_no_rematch_begins_while_the_other_player_is_away(server: House, arrive: Arrive) -> None:
    ada, bert = arrive("Ada"), arrive("Bert")
    sit_together(server.url, [ada, bert], "cards", 2)
    resign(ada)
    address = bert.page.url
    bert.page.goto(server.url)
    expect(ada.page.get_by_text(ada.words("rematch_gone", count=1, names="Bert"))).to_be_visible()
    ada.screen.button("rematch_offer").click()
    expect(ada.page.get_by_text(ada.words("rematch_waiting", names="Bert"))).to_be_visible()
    expect(ada.screen.over).to_be_visible()
    bert.page.goto(address)  # the offer is still there
    bert.screen.button("rematch_accept").click()
    for person in (ada, bert):
        expect(person.screen.over).to_have_count(0)


def test_a_replay_ends_where_the_game_ended(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    over(ada, seeded.url)
    row = ada.screen.over.get_by_role("row", name="Ada")
    final = [int(text) for text in row.get_by_role("cell").all_inner_texts()]
    ada.page.get_by_role("link", name=ada.words("replay_link")).click()
    slider = ada.page.get_by_role("slider", name=ada.words("replay_slider"))
    slider.press("Home")
    assert shown_tracks(ada, "Ada") == [[0] * 6]
    slider.press("End")
    until(lambda: shown_tracks(ada, "Ada") == [final], "the replay ends elsewhere")


def test_a_replay_describes_moves_as_the_table_did(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    over(ada, seeded.url)
    ada.page.get_by_role("link", name=ada.words("replay_link")).click()
    slider = ada.page.get_by_role("slider", name=ada.words("replay_slider"))
    slider.press("Home")
    slider.press("ArrowRight")
    colour = "|".join(ada.words(f"colour-{n}") for n in range(6))
    said = re.compile(rf"^Move 1 of \d+: Ada: ({colour}) ({colour}) tile on \w\d+ \w\d+, \d+ points?$")
    expect(slider).to_have_attribute("aria-valuetext", said)
    expect(ada.page.get_by_text(said)).to_be_visible()
    first = ada.page.get_by_role("list", name=ada.words("replay_moves")).get_by_role("listitem").nth(1)
    expect(first.get_by_role("img", name=ada.words.pattern("table_tile_name"))).to_be_visible()


def test_the_rows_of_a_result_do_not_overlap_beside_a_replay(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    over(ada, seeded.url)
    ada.page.get_by_role("link", name=ada.words("replay_link")).click()
    ada.page.get_by_role("slider", name=ada.words("replay_slider")).press("End")
    sides = ada.page.get_by_role("row").filter(has=ada.page.get_by_role("rowheader"))
    expect(sides).to_have_count(2)
    for side in sides.all():
        row, markers = side.bounding_box(), side.get_by_role("cell").last.bounding_box()
        assert row is not None
        assert markers is not None
        assert markers["y"] + markers["height"] <= row["y"] + row["height"]


def test_a_record_from_a_file_has_no_link_and_says_why(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    ada.page.goto(f"{server.url}/replay")
    with ada.page.expect_file_chooser() as chooser:
        ada.screen.button("record_pick").click()
    chooser.value.set_files(SAMPLES / "travel-2.genial.json")
    ada.screen.button("share").click()
    dialog = ada.page.get_by_role("dialog", name=ada.words("share_moment"))
    expect(dialog.get_by_text(ada.words("share_brought"))).to_be_visible()
    expect(dialog.get_by_role("textbox")).to_have_count(0)


def test_a_record_opened_from_a_file_can_be_continued(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    page, words = ada.page, ada.words
    page.goto(f"{server.url}/replay")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=words("record_pick")).click()
    chooser.value.set_files(SAMPLES / "travel-2.genial.json")
    page.get_by_role("slider", name=words("replay_slider")).press("End")
    for _ in range(5):
        page.get_by_role("button", name=words("replay_back")).click()
    page.get_by_role("button", name=words("go_on"), exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(words("your_name")).fill("Ada")
    bot = words("sit_bot", bot=words(f"bot-{QUICK_BOT}"))
    for chair in dialog.get_by_role("combobox").all():
        if chair.input_value() != "me":
            chair.select_option(label=bot)
    dialog.get_by_role("button", name=words("go_on"), exact=True).click()
    begun(ada)
    play([ada])


def test_playing_on_before_your_own_move_gives_you_your_own_seat(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    over(ada, seeded.url)
    page, words = ada.page, ada.words
    page.get_by_role("link", name=words("replay_link")).click()
    moves = page.get_by_role("list", name=words("replay_moves")).get_by_role("button")
    own = moves.filter(has_text="Ada").nth(2)
    number = int(own.inner_text().split()[0])
    own.click()
    ada.screen.button("go_on").click()
    dialog = page.get_by_role("dialog", name=words("go_on_before", move=number))
    expect(dialog.get_by_label(words("seat_to_move", name="Ada"))).to_have_value("me")
    expect(dialog.get_by_label(words("seat_of", name=words(f"bot-{QUICK_BOT}")))).not_to_have_value("me")
    dialog.get_by_role("button", name=words("go_on"), exact=True).click()
    begun(ada)
    expect(ada.screen.turn).to_be_visible()
    expect(ada.screen.history).to_have_count(number - 1)


def test_a_game_can_be_saved_as_a_picture(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    for variant in ("travel", "cards"):
        over(ada, seeded.url, variant)
        ada.page.evaluate("() => { navigator.canShare = undefined }")
        with ada.page.expect_download() as saved:
            ada.screen.button("share_picture").click()
        content = Path(saved.value.path()).read_bytes()
        assert content.startswith(b"\x89PNG")
        assert int.from_bytes(content[16:20]) == 1200
        expect(ada.page.get_by_text(ada.words("picture_saved"))).to_be_visible()


def test_a_record_that_breaks_a_rule_is_refused(server: House, arrive: Arrive, tmp_path: Path) -> None:
    ada = arrive("Ada", faults=True)
    text = (SAMPLES / "travel-2.genial.json").read_text(encoding="utf-8")
    ada.page.goto(f"{server.url}/replay")
    ada.page.get_by_label(ada.words("record_paste")).fill(text.replace('"draw"', '"deal"', 1))
    ada.page.get_by_role("button", name=ada.words("record_show")).click()
    expect(ada.screen.alert).to_be_visible()


def test_a_running_game_is_found_on_the_start_page(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    play_against_bots(ada, server.url, "duel", 2)
    play([ada], lambda: ada.screen.history.count() >= 4)
    moves = ada.screen.history.count()
    ada.screen.menu()
    ada.screen.button("table_leave").click()
    bot = ada.words(f"bot-{QUICK_BOT}")
    expect(ada.page.get_by_role("heading", name=ada.words("left_your_turn", names=bot))).to_be_visible()
    left_open(ada, "duel").click()
    begun(ada)
    expect(ada.screen.history).to_have_count(moves)


def test_a_finished_game_is_listed_with_its_result_and_opens_its_replay(
    seeded: House, arrive: Arrive
) -> None:
    ada = arrive("Ada")
    tables = Moments(ada, seeded.url)
    table = tables.table("quick", "mr")
    tables.play(table, moments.over)
    places = tables.look(table)["game"]["places"]
    first, second = tables.look(table)["game"]["result"]["standings"]
    won = places[first["seats"][0]] == 0
    mine, theirs = (first, second) if won else (second, first)
    said = ada.words(
        "finished_won" if won else "finished_lost", mine=mine["figures"][0], theirs=theirs["figures"][0]
    )
    at_home(ada, seeded.url)
    for name in (ada.words("running_games"), ada.words("games_over")):
        game = ada.page.get_by_role("region", name=name).get_by_role("link").filter(has_text=said)
        expect(game).to_contain_text(ada.words("title-quick"))
        expect(game).to_contain_text(ada.words("bot-random"))
        if name == ada.words("running_games"):
            ada.page.get_by_role("link", name=ada.words("games_all")).click()
            expect(ada.page.get_by_role("heading", level=1, name=ada.words("games_all"))).to_be_visible()
    game.click()
    title = ada.words("replay_title", title=ada.words("title-quick"))
    expect(ada.page.get_by_role("heading", level=1, name=title)).to_be_visible()
    assert f"/replay/{table}/0" in ada.page.url
