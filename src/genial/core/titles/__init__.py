"""Every title that Genial plays, by the name of its variant."""

from __future__ import annotations

from genial.core.errors import SetupError
from genial.core.title import Title
from genial.core.titles import cards, classic, duel, three_d, travel

TITLES: dict[str, Title] = {
    title.variant: title
    for title in (
        classic.CLASSIC,
        classic.TEAM,
        classic.SOLO,
        travel.TRAVEL,
        three_d.THREE_D,
        three_d.SOLO,
        cards.CARDS,
        duel.DUEL,
    )
}

VARIANTS: tuple[str, ...] = tuple(TITLES)


def title_of(variant: object) -> Title:
    """The title of a variant.

    >>> title_of("travel").rack
    6
    """
    if variant is None:
        raise SetupError("variant-missing", expected=list(VARIANTS))
    title = TITLES.get(variant) if isinstance(variant, str) else None
    if title is None:
        raise SetupError("variant-unknown", variant=variant, expected=list(VARIANTS))
    return title
