"""Every title that Genial plays, by variant, and what is known about it."""

from __future__ import annotations

import re

from genial.core.about import About
from genial.core.errors import SetupError
from genial.core.sides import Sides
from genial.core.title import BoardPlan, Title
from genial.core.titles import cards, classic, duel, quick, three_d, travel

TITLES: dict[str, Title] = {}
ABOUT: dict[str, About] = {}

# The needs of the largest printed games; the kernel's tables and the screens have no room for more.
MOST_SEATS = 4
MOST_TILES = 120
LARGEST_RACK = 6
LARGEST_RADIUS = 7
LONGEST_TRACK = 54
MOST_OPEN_CARDS = 2

_VARIANT = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_NAME = 32
_SEATS = {Sides.TEAMS: (4,), Sides.SHARED: (2,)}


def register(title: Title, about: About | None = None) -> None:
    """Make a title playable everywhere under the name of its variant. Refuses titles that cannot be played.

    >>> register(classic.CLASSIC)
    Traceback (most recent call last):
    genial.core.errors.SetupError: There is already an edition named classic. ...
    """
    _check(title)
    if title.variant in TITLES:
        raise SetupError("edition-taken", variant=title.variant)
    TITLES[title.variant] = title
    ABOUT[title.variant] = about or About()


def title_of(variant: object) -> Title:
    """The title of a variant.

    >>> title_of("travel").rack
    6
    """
    if variant is None:
        raise SetupError("variant-missing", expected=list(TITLES))
    title = TITLES.get(variant) if isinstance(variant, str) else None
    if title is None:
        raise SetupError("variant-unknown", variant=variant, expected=list(TITLES))
    return title


def about_of(title: Title) -> About:
    """What is known about a title; an empty `About` if it is not registered."""
    return ABOUT.get(title.variant) or About()


def _check(title: Title) -> None:
    """Check that everything other code relies on is there and within its limits."""

    def demand(holds: bool, part: str, got: object, expected: str) -> None:
        if not holds:
            raise SetupError("edition-unfit", variant=title.variant, part=part, got=got, expected=expected)

    named = _VARIANT.fullmatch(title.variant) and len(title.variant) <= _LONGEST_NAME
    demand(bool(named), "variant", title.variant, f"a-z, 0-9, -; 1-{_LONGEST_NAME}")
    counts = title.seats
    in_order = bool(counts) and list(counts) == sorted({*counts} & {*range(1, MOST_SEATS + 1)})
    demand(in_order and (1 not in counts or title.is_solo), "seats", list(counts), f"(1,) / 2-{MOST_SEATS}")
    demand(title.sides not in _SEATS or counts == _SEATS[title.sides], "sides", title.sides.value, "each")
    demand(1 <= title.rack <= LARGEST_RACK, "rack", title.rack, f"1-{LARGEST_RACK}")
    span = title.track.highest_step - title.track.lowest_step
    demand(1 <= span <= LONGEST_TRACK, "track", span, f"1-{LONGEST_TRACK}")
    plan = title.plan
    by_seats = plan.radius if isinstance(plan, BoardPlan) else plan.open_cards
    for seats in counts:
        demand(seats in title.tiles, "tiles", sorted(title.tiles), str(seats))
        demand(seats in by_seats, "plan", sorted(by_seats), str(seats))
        tiles = len(title.tiles[seats].tiles())
        demand(
            seats * title.rack <= tiles <= MOST_TILES, "tiles", tiles, f"{seats * title.rack}-{MOST_TILES}"
        )
        if isinstance(plan, BoardPlan):
            demand(
                2 <= plan.radius[seats] <= LARGEST_RADIUS, "radius", plan.radius[seats], f"2-{LARGEST_RADIUS}"
            )
            demand(1 <= plan.ring <= plan.radius[seats], "ring", plan.ring, f"1-{plan.radius[seats]}")
        else:
            demand(
                1 <= plan.open_cards[seats] <= MOST_OPEN_CARDS, "open_cards", plan.open_cards[seats], "1-2"
            )


for _file in (classic, travel, three_d, cards, duel, quick):
    for _title, _about in _file.EDITIONS.items():
        register(_title, _about)
