"""What holds of an edition where its file does not say it: every question has an answer for every title."""

from __future__ import annotations

from genial.core.colours import COLOURS
from genial.core.title import BoardPlan, Title, setup
from genial.core.titles import TITLES, about_of

_BOARD_USED = 0.4
"""So many tiles to a free cell are placed in a usual game on a flat board, before nothing fits any more."""
_SUPPLY_USED = 2 / 3
"""Of the tiles that may be stacked; the rest is left on racks, or goes with bonus moves."""
_POINTS_A_CARD = 4
_DECISIVE_LEAD = 6.0


def name_of(variant: str, language: str = "en") -> str:
    """The name of an edition as players read it.

    >>> name_of("travel"), name_of("travel", "de"), name_of("for-ada", "nl")
    ('Travel edition', 'Reise-Edition', 'For ada')
    """
    title = TITLES.get(variant)
    names = about_of(title).names if title else {}
    return names.get(language) or names.get("en") or variant.replace("-", " ").capitalize()


def usual_turns(title: Title, seats: int) -> int:
    """How many turns a player usually has; a rough reckoning where nobody has measured it.

    >>> usual_turns(TITLES["classic"], 2)
    17
    """
    return about_of(title).turns.get(seats) or reckoned_turns(title, seats)


def reckoned_turns(title: Title, seats: int) -> int:
    """About how many turns a player has, from board, tiles and track alone."""
    table, plan = setup(title, seats), title.plan
    if table.board is None:
        turns = (title.track.highest_step - title.track.lowest_step) * len(COLOURS) / _POINTS_A_CARD
    elif isinstance(plan, BoardPlan) and plan.stacking:
        turns = len(table.tiles) * (1 if title.is_solo else _SUPPLY_USED) / seats
    else:
        turns = min((len(table.board.cells) - len(COLOURS)) * _BOARD_USED, len(table.tiles)) / seats
    return max(1, round(turns))


def page_of(title: Title) -> str | None:
    """The page in docs/rules that teaches an edition: its own, or that of the title it is played like."""
    about = about_of(title)
    return about.page or (about_of(about.like).page if about.like else None)


def decisive_lead(title: Title) -> float:
    """How large a lead is as good as a win; on short tracks a third of their length."""
    return about_of(title).decisive_lead or min(_DECISIVE_LEAD, title.track.highest_step / 3)
