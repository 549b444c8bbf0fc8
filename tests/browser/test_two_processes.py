"""Two people at one table, each connected to another server process: one is killed, and both play on.

The other browser tests run on two processes with `make two-processes`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.conftest import Arrive, Download
from tests.browser.person import Person, play
from tests.browser.record import agree
from tests.browser.server import row
from tests.browser.tables import resign, sit_together
from tests.browser.test_connection import moves
from tests.browser.waiting import until
from tests.server.several import Several


@pytest.fixture
def servers(browser: Browser) -> Iterator[Several]:
    with row() as found:
        yield found


def connected(servers: Several, *expected: int) -> None:
    """Wait until this many people are connected to each process."""
    until(
        lambda: servers.sockets == list(expected),
        f"{servers.sockets} are connected to the processes, not {expected}",
    )


def end_and_compare(people: list[Person], downloads: Download) -> None:
    """End the game, and expect both screens to show what the record says."""
    resign(people[0])
    record = downloads(people[0])
    for person in people:
        agree(person, record)


def test_a_game_across_two_processes(servers: Several, arrive: Arrive, downloads: Download) -> None:
    ada, bert = arrive("Ada"), arrive("Bert")
    sit_together(servers.url, [ada, bert], "travel", 2)
    connected(servers, 1, 1)
    play([ada, bert], moves(ada, 4))
    before = bert.screen.at_rest().aria_snapshot()
    bert.page.reload()
    expect(bert.screen.history).to_have_count(ada.screen.history.count())
    expect(bert.page.get_by_role("main")).to_match_aria_snapshot(before)
    play([ada, bert], moves(ada, 8))
    end_and_compare([ada, bert], downloads)


def test_a_killed_process_does_not_end_the_game(
    servers: Several, arrive: Arrive, downloads: Download
) -> None:
    ada, bert = arrive("Ada", faults=True), arrive("Bert", faults=True)
    sit_together(servers.url, [ada, bert], "travel", 2)
    connected(servers, 1, 1)
    play([ada, bert], moves(ada, 5))
    servers.kill(0)
    play([ada, bert], moves(ada, 9))
    connected(servers, 0, 2)
    servers.start()
    bert.page.reload()
    play([ada, bert], moves(ada, 11))
    servers.kill(1)
    play([ada, bert], moves(ada, 14))
    end_and_compare([ada, bert], downloads)
    connected(servers, 2, 0)
