"""The end of a game in words: places, the comparison that decided, the reason, where the record lies."""

from __future__ import annotations

from genial.core.messages import render
from genial.core.sides import Sides
from genial.terminal.session import Session
from genial.terminal.standings import Standing, decided_at, standings
from genial.terminal.telling import Teller


def result_lines(session: Session) -> list[str]:
    """The result, one sentence a line."""
    view, teller = session.view(), Teller(session)
    if view.result is None:
        return []
    found = standings(view)
    lines = ["", teller.say("game-over"), render(f"reason-{view.result.reason}", {}, session.language)]
    lines += teller.tracks(view)
    lines += [_place(session, teller, standing) for standing in found]
    lines += decision_lines(session)
    if session.path is not None and not session.trouble:
        lines.append(teller.say("record-in", path=session.path))
    return lines


def _place(session: Session, teller: Teller, standing: Standing) -> str:
    name = session.side_name(standing.seat)
    values = ", ".join(map(str, standing.compared))
    if session.setup.title.sides is Sides.SHARED:
        own, distance = standing.compared
        return teller.say("place-pegs", rank=standing.rank, name=name, own=own, distance=distance)
    if session.setup.title.is_solo:
        return teller.say("place-solo", name=name, values=values, lowest=standing.compared[0])
    return teller.say("place", rank=standing.rank, name=name, values=values)


def decision_lines(session: Session) -> list[str]:
    """Which comparison put the winner ahead of the next side."""
    found, teller = standings(session.view()), Teller(session)
    if len(found) < 2:
        return []
    first, second = found[:2]
    place = decided_at(first, second)
    if place is None:
        return [teller.say("shared")]
    values = {
        "first": session.side_name(first.seat),
        "second": session.side_name(second.seat),
        "one": first.compared[place],
        "other": second.compared[place],
    }
    if session.setup.title.sides is Sides.SHARED:
        return [teller.say("decided-colours" if place == 0 else "decided-distance", **values)]
    return [teller.say("decided" if place else "decided-lowest", number=place + 1, **values)]
