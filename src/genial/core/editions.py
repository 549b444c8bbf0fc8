"""Defaults for what an edition's file leaves out, so that every title has an answer to every question."""

from __future__ import annotations

from genial.core.colours import COLOURS
from genial.core.title import BoardPlan, Title, setup
from genial.core.titles import TITLES, about_of

_BOARD_USED = 0.4
"""Tiles per free cell placed in a typical game on a flat board before nothing fits any longer."""
_SUPPLY_USED = 2 / 3
"""The share of stackable tiles that get used; the rest stay on racks or go with bonus moves."""
_POINTS_A_CARD = 4
_DECISIVE_LEAD = 6.0


def name_of(variant: str, language: str = "en") -> str:
    """The display name of an edition.

    >>> name_of("travel"), name_of("travel", "de"), name_of("for-ada", "nl")
    ('Travel edition', 'Reise-Edition', 'For ada')
    """
    title = TITLES.get(variant)
    names = about_of(title).names if title else {}
    return names.get(language) or names.get("en") or variant.replace("-", " ").capitalize()


def usual_turns(title: Title, seats: int) -> int:
    """How many turns a player usually has; a rough estimate where nobody has measured it.

    >>> usual_turns(TITLES["classic"], 2)
    17
    """
    return about_of(title).turns.get(seats) or reckoned_turns(title, seats)


def reckoned_turns(title: Title, seats: int) -> int:
    """A rough number of turns per player, from board, tiles and track alone."""
    table, plan = setup(title, seats), title.plan
    if table.board is None:
        turns = (title.track.highest_step - title.track.lowest_step) * len(COLOURS) / _POINTS_A_CARD
    elif isinstance(plan, BoardPlan) and plan.stacking:
        turns = len(table.tiles) * (1 if title.is_solo else _SUPPLY_USED) / seats
    else:
        turns = min((len(table.board.cells) - len(COLOURS)) * _BOARD_USED, len(table.tiles)) / seats
    return max(1, round(turns))


def page_of(title: Title) -> str | None:
    """The page in docs/rules that teaches an edition: its own, or that of the title it plays like."""
    about = about_of(title)
    return about.page or (about_of(about.like).page if about.like else None)


def decisive_lead(title: Title) -> float:
    """The lead that is as good as a win; on short tracks a third of their length."""
    return about_of(title).decisive_lead or min(_DECISIVE_LEAD, title.track.highest_step / 3)
