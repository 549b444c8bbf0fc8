"""A short game of every title: set up and begun by clicks, then a last round, and its result."""

from __future__ import annotations

import pytest
from tests.browser.conftest import Arrive, Download
from tests.browser.person import play
from tests.browser.record import agree
from tests.browser.server import House
from tests.browser.tables import begun, last_round, new_table

from genial.core.titles import TITLES


@pytest.mark.parametrize("variant", TITLES)
def test_a_short_game(server: House, arrive: Arrive, downloads: Download, variant: str) -> None:
    ada, seats = arrive("Ada"), TITLES[variant].seats[0]
    new_table(ada, server.url, variant, seats, "solo" if seats == 1 else "bots")
    begun(ada)
    play([ada], lambda: ada.screen.history.count() > seats)  # one turn for everybody, and one more
    last_round(ada, server.url, variant, seats)
    play([ada])
    agree(ada, downloads(ada))
