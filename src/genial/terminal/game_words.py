"""The sentences around the board: header, what to do now, the moves so far, the keys that work now."""

from __future__ import annotations

from rich.text import Text

from genial.core.cellnames import cell_name
from genial.core.events import Placed, Played, Swapped
from genial.core.guidance import Status, what_now
from genial.core.messages import render
from genial.core.moves import may_swap
from genial.core.situation import Phase
from genial.core.view import View
from genial.terminal.glyphs import QUIET, TEXT
from genial.terminal.half_made import HalfMade
from genial.terminal.preview import Preview
from genial.terminal.session import Session
from genial.terminal.telling import Teller


def header_text(session: Session, view: View) -> Text:
    """Title, whose turn it is, round, what is left to draw: most important first, since it may be cut off."""
    teller = Teller(session)
    turn = view.turn - (view.phase is Phase.END_TURN)
    parts = [teller.say("round", turn=turn // view.setup.seats + 1)]
    parts.append(teller.supply(view))
    if view.last_turns is not None and not view.is_over:
        parts = [teller.say("last-round").split(":")[0], *parts]
    series = session.series
    if series.games > 1:
        parts = [teller.say("series-game", game=series.played + 1, games=series.games), *parts]
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(teller.title(), f"bold {TEXT}")
    text.append(f"  ·  {_whose_turn(session, view, teller)}", f"bold {TEXT}")
    return text.append("".join(f"  ·  {part}" for part in parts), QUIET)


def _whose_turn(session: Session, view: View, teller: Teller) -> str:
    if view.is_over:
        return teller.say("game-over")
    alone = len(session.people) == 1 and session.at_keyboard == view.seat
    if view.bonus and view.phase is Phase.PLACE:
        key = "your-bonus" if alone else "bonus-of"
    else:
        key = "your-turn" if alone else "to-move"
    return teller.say(key, name=session.names[view.seat])


def now_text(
    session: Session, view: View, half_made: HalfMade, preview: Preview, message: str | None
) -> Text:
    """What to do now, what the unfinished move scores, what happened last; it may wrap."""
    teller = Teller(session)
    lines = [(_sentence(session, view, teller), f"bold {TEXT}")]
    lines.append((message or _brings(session, view, half_made, preview, teller), f"bold {TEXT}"))
    trouble = teller.say("not-saved", why=session.trouble) if session.trouble else session.bot_trouble
    lines.append((trouble or _last(view, teller), QUIET))
    text = Text()
    for number, (line, style) in enumerate(lines):
        text.append(("\n" if number else "") + line, style)
    return text


def _sentence(session: Session, view: View, teller: Teller) -> str:
    if view.is_over:
        assert view.result is not None
        return render(f"reason-{view.result.reason}", {}, session.language)
    if session.bot_to_move or session.curtain_for is not None:
        return teller.say("bot-thinks" if session.bot_to_move else "to-move", name=session.names[view.seat])
    return what_now(view).text(session.language)


def _brings(session: Session, view: View, half_made: HalfMade, preview: Preview, teller: Teller) -> str:
    if view.phase is Phase.END_TURN and session.at_keyboard == view.seat:
        return teller.say("turn-done-swap" if may_swap(view) else "turn-done")
    guidance, found = preview.guidance, preview.explanation
    if guidance is None:
        return ""
    if found is not None:
        text = teller.gain(found.gain)
        if found.bonus:
            text += f"; {teller.say('brings-bonus', count=found.bonus)}"
    elif guidance.status is Status.IMPOSSIBLE:
        return teller.problem(guidance)
    else:
        text = guidance.text(session.language)
    if view.setup.board is None:
        return text
    return teller.say("cursor-at", cell=cell_name(view.setup.board, half_made.cell), text=text)


def _last(view: View, teller: Teller) -> str:
    """The last action at the table, in words."""
    for number in range(len(view.events) - 1, -1, -1):
        if isinstance(view.events[number], Placed | Played | Swapped):
            return teller.event(view.events, number) or ""
    return ""


def moves_text(session: Session, view: View, lines: int) -> Text:
    """The moves so far in brief, the latest first."""
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(Teller(session).say("moves"), f"bold {TEXT}")
    shown = 0
    for event in reversed(view.events):
        match event:
            case Placed(seat, tile, cells, _, gain):
                where = (
                    ",".join(cell_name(view.setup.board, cell) for cell in cells) if view.setup.board else ""
                )
                line = f"{tile}@{where} +{sum(gain)}"
            case Played(seat, tile, gain):
                line = f"{tile} +{sum(gain)}"
            case Swapped(seat, tiles):
                line = f"⇄ {','.join(tiles)}"
            case _:
                continue
        text.append(f"\n{line} {session.names[seat]}")
        shown += 1
        if shown >= lines:
            break
    return text


def keys_now(session: Session, view: View, *, waiting: bool) -> list[tuple[str, str]]:
    """The keys that do something now, and what they do."""
    teller, board = Teller(session), view.setup.board is not None
    keys: list[tuple[str, str]] = []
    if waiting:
        keys = [("space", "key-skip")]
    elif view.is_over:
        keys = [("enter", "key-result")]
    elif view.phase is Phase.END_TURN:
        keys = [("enter", "key-refill")] + ([("s", "key-swap")] if may_swap(view) else [])
    elif view.phase is Phase.PLACE and board:
        keys = [] if view.setup.title.is_solo else [("", "key-pick")]
        keys += [("", "key-move"), ("space", "key-next"), ("r", "key-rotate")]
        keys += [("f", "key-flip"), ("enter", "key-place")]
    elif view.phase is Phase.PLACE:
        keys = [("", "key-pick-card"), ("r", "key-order"), ("enter", "key-play")]
    if session.can_take_back:
        keys.append(("u", "key-undo"))
    if board and view.phase is Phase.PLACE:
        keys.append(("m", "key-heat"))
    keys += [("z", "key-zoom")] if board else []
    keys += [("h", "key-help"), ("l", "key-language"), ("q", "key-quit")]
    count = max(len(view.racks[view.seat]), 1)
    return [(key, teller.say(word, count=count)) for key, word in keys]
