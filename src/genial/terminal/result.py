"""The end of a game in words: ranks, the deciding comparison, the reason, where the record is."""

from __future__ import annotations

from genial.core.messages import render
from genial.core.ranking import SideStanding
from genial.core.sides import Sides
from genial.terminal.session import Session
from genial.terminal.standings import decided_at, series_standing, standings
from genial.terminal.telling import Teller


def result_lines(session: Session) -> list[str]:
    """The result, one sentence per line."""
    view, teller = session.view(), Teller(session)
    if view.result is None:
        return []
    found = standings(view)
    lines = ["", teller.say("game-over"), render(f"reason-{view.result.reason}", {}, session.language)]
    lines += teller.tracks(view)
    lines += [_place(session, teller, standing) for standing in found]
    lines += decision_lines(session)
    lines += series_lines(session)
    if session.path is not None and not session.trouble:
        lines.append(teller.say("record-in", path=session.path))
    return lines


def _place(session: Session, teller: Teller, standing: SideStanding) -> str:
    name = session.side_name(standing.seats[0])
    values = ", ".join(map(str, standing.figures))
    rank = teller.say(f"rank-{standing.rank}")
    if session.setup.title.sides is Sides.SHARED:
        own, distance = standing.figures
        return teller.say("place-pegs", rank=rank, name=name, count=own, distance=distance)
    if session.setup.title.is_solo:
        return teller.say("place-solo", name=name, values=values, lowest=standing.figures[0])
    return teller.say("place", rank=rank, name=name, values=values)


def series_lines(session: Session) -> list[str]:
    """The state of a series after this game: what each side noted, game by game, and finally the winner."""
    series, teller = session.standing, Teller(session)
    if series.games == 1:
        return []
    lines = [teller.say("series-after", game=series.played, games=series.games)]
    ranked = series_standing(session)
    for line in ranked:
        games = " + ".join(map(str, line.noted)) + (f" = {line.total}" if series.played > 1 else "")
        lines.append(
            teller.say("series-side", rank=teller.say(f"rank-{line.rank}"), name=line.name, games=games)
        )
    if series.is_over and len(ranked) > 1:
        winners = [line.name for line in ranked if line.rank == 1]
        key = "series-won" if len(winners) == 1 else "series-shared"
        lines.append(teller.say(key, names=teller.listed(winners)))
    return lines


def decision_lines(session: Session) -> list[str]:
    """Which comparison put the winner ahead of the runner-up."""
    found, teller = standings(session.view()), Teller(session)
    if len(found) < 2:
        return []
    first, second = found[:2]
    place = decided_at(first, second)
    if place is None:
        return [teller.say("shared")]
    values = {
        "first": session.side_name(first.seats[0]),
        "second": session.side_name(second.seats[0]),
        "one": first.figures[place],
        "other": second.figures[place],
    }
    if session.setup.title.sides is Sides.SHARED:
        return [teller.say("decided-colours" if place == 0 else "decided-distance", **values)]
    return [teller.say("decided" if place else "decided-lowest", number=place + 1, **values)]
