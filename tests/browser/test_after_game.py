"""After the game: replay, records from a file, going on from a position, another game, coming back."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect
from tests.browser import moments
from tests.browser.conftest import Arrive, Download
from tests.browser.moments import Moments
from tests.browser.person import Person, play, until
from tests.browser.record import shown_tracks
from tests.browser.server import House
from tests.browser.tables import QUICK_BOT, begun, play_against_bots, sit_together

SAMPLES = Path(__file__).parents[1] / "samples"


def over(person: Person, url: str, variant: str = "travel") -> None:
    """A game that has just ended."""
    tables = Moments(person, url)
    table = tables.table(variant, "mr")
    tables.play(table, moments.over)
    person.page.goto(f"{url}/table/{table}")
    expect(person.screen.over).to_be_attached()


def test_both_play_again(server: House, arrive: Arrive, downloads: Download) -> None:
    ada, bert = arrive("Ada"), arrive("Bert")
    sit_together(server.url, [ada, bert], "cards", 2)
    play([ada, bert])
    ada.page.get_by_role("button", name=ada.words("rematch")).click()
    for person in (ada, bert):
        expect(person.screen.over).to_have_count(0)
        expect(person.screen.history).to_have_text([person.words("table_no_moves")])
    expect(bert.screen.turn).to_be_visible()  # the start passes on


def test_a_replay_ends_where_the_game_ended(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    over(ada, seeded.url)
    final = shown_tracks(ada, "Ada")
    ada.page.get_by_role("link", name=ada.words("replay_link")).click()
    slider = ada.page.get_by_role("slider", name=ada.words("replay_slider"))
    slider.press("Home")
    assert shown_tracks(ada, "Ada") == [[0] * 6]
    slider.press("End")
    until(lambda: shown_tracks(ada, "Ada") == final, "the replay ends elsewhere")


def test_a_replay_says_its_moves_as_the_table_did(seeded: House, arrive: Arrive) -> None:
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


def test_the_rows_of_a_result_keep_apart_beside_a_replay(seeded: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    over(ada, seeded.url)
    ada.page.get_by_role("link", name=ada.words("replay_link")).click()
    expect(ada.page.get_by_role("slider", name=ada.words("replay_slider"))).to_be_visible()
    sides = ada.page.get_by_role("row").filter(has=ada.page.get_by_role("rowheader"))
    expect(sides).to_have_count(2)
    for side in sides.all():
        row, markers = side.bounding_box(), side.get_by_role("listitem").last.bounding_box()
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


def test_a_record_is_opened_from_a_file_and_gone_on_with(server: House, arrive: Arrive) -> None:
    ada = arrive("Ada")
    page, words = ada.page, ada.words
    page.goto(f"{server.url}/replay")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=words("record_pick")).click()
    chooser.value.set_files(SAMPLES / "travel-2.genial.json")
    page.get_by_role("slider", name=words("replay_slider")).press("Home")
    for _ in range(8):
        page.get_by_role("button", name=words("replay_on")).click()
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
    ada.screen.button("table_leave").click()
    own = ada.page.get_by_role("region", name=ada.words("running_games")).get_by_role("listitem").first
    expect(own).to_contain_text(ada.words("game_with", names=ada.words(f"bot-{QUICK_BOT}")))
    expect(own).to_contain_text(ada.words("your_turn_tab"))
    ada.page.get_by_role(
        "link", name=ada.words.pattern("continue_game", title=ada.words("title-duel"))
    ).click()
    begun(ada)
    expect(ada.screen.history).to_have_count(moves)
