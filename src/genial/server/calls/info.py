"""What there is to play, and the words for it: nothing here depends on the caller."""

from __future__ import annotations

import io
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from genial import __version__
from genial.bots import BOTS, FOR_STUDY, Bot
from genial.bots.levels import LEVELS
from genial.bots.searcher import SearchBot
from genial.core.cellnames import cell_name
from genial.core.colours import COLOURS
from genial.core.editions import name_of, page_of, usual_turns
from genial.core.messages import LANGUAGES
from genial.core.notation import table_text
from genial.core.summary import Topic, rules_at_a_glance, rules_in_short
from genial.core.title import BoardPlan, Title, setup
from genial.core.titles import TITLES, about_of, title_of
from genial.server.calls.answering import File, Unreadable
from genial.server.calls.call import Call, Calls, Query
from genial.server.calls.capabilities import listed
from genial.server.calls.options import TableOptions, table_options
from genial.server.calls.protocol import Hello
from genial.server.lessons import lesson_for, sample
from genial.server.messages import WORDS
from genial.server.tables.decisions import PHRASES, REACTIONS, TEAM_PHRASES
from genial.server.tables.errors import NotFound

CALLS = Calls("what there is")
_USUAL_BOT = "level-2"
_SVG = "image/svg+xml"


class Sample(Struct, frozen=True):
    """A moment of a game, to show what a title looks like."""

    seats: int
    table: str
    """Written as in positions (docs/notation.md)."""


class VariantInfo(Struct, frozen=True):
    """A title, as the lobby shows it."""

    variant: str
    names: dict[str, str]
    """By language."""
    seats: tuple[int, ...]
    tiles: tuple[int, ...]
    """The number of tiles or cards, for each seat count."""
    turns: tuple[int, ...]
    """The usual number of turns per player, for each seat count."""
    rack: int
    solo: bool
    sides: str
    """`each` seat for itself, `teams`, or `shared` pegs."""
    board: bool
    """False for the card game, which has no board."""
    stacking: bool
    track: tuple[int, int]
    """The lowest and the highest step of a marker."""
    bonus_steps: tuple[int, ...]
    line_steps: tuple[int, ...]
    """The steps at which a stretch of the track ends."""
    swaps: bool
    reconstructed: bool
    ours: bool
    """Our own invention: it isn't sold anywhere."""
    lesson: str | None
    """The variant whose lesson teaches it: its own, or that of the title it plays like."""
    page: str | None
    """The page of rules that covers it; a title's modes and relatives share one."""
    sample: Sample


class Variants(Struct, frozen=True):
    """Every title, and the letters of the colours in their order."""

    colours: str
    variants: list[VariantInfo]


class Glance(Struct, frozen=True):
    """A rule that people look up during a game."""

    topic: Topic
    text: str


class Rules(Struct, frozen=True):
    """Where to read the rules of a title."""

    page: str | None
    """A page of rules, named as in the documents; None if the short rules are all there is."""
    short: list[str]
    """The rules in short, as paragraphs. Empty if the page covers everything."""
    glance: list[Glance]
    """On one screen: how to score, what wins, when to swap, when to move again."""


class BoardInfo(Struct, frozen=True):
    """What a client needs to draw a board and to read legal moves."""

    radius: int
    cells: list[tuple[int, int]]
    """Axial coordinates (q, r); a cell's number is its index in this list."""
    names: list[str]
    """The name of each cell in notation."""
    pairs: list[tuple[int, int]]
    """Neighbouring cells, by number; `legal.pairs` holds indices into this list."""
    start: dict[str, int]
    """The cells of the start symbols, by letter; where they are loose stones, only the cells matter."""
    loose: bool


class BotInfo(Struct, frozen=True):
    """A bot that can be invited to a table: a house bot by its name, or a listening one by its id."""

    name: str
    house: bool
    id: str | None = None
    study: bool = False
    """One of the simple bots, which are offered last."""
    level: int | None = None
    """Its level on the ladder, from 1."""
    seconds: float = 0.0
    """The most it thinks about a move; 0 if it answers at once."""
    width: int = 0
    """The number of moves it examines, if it looks ahead."""
    nodes: int = 0
    """The number of look-aheads for one move."""


class Bots(Struct, frozen=True):
    """The house bots, and those that listen on the bot API."""

    bots: list[BotInfo]
    usual: str
    """The house bot for people who haven't chosen one yet."""


class Catalogue(Struct, frozen=True):
    """All messages of one language. A message is a text with {parameters}, or two: singular and plural."""

    language: str
    messages: dict[str, Any]


class Phrases(Struct, frozen=True):
    """What can be said without typing."""

    phrases: tuple[str, ...]
    reactions: tuple[str, ...]
    team: tuple[str, ...]
    """TEAM: all that partners may say during a game."""


class QrQuery(Query, frozen=True):
    """The page to link to; the code always leads to this server."""

    path: Annotated[str, Meta(pattern="^/[!-~]{0,200}$")]


@cache
def _variant(title: Title) -> VariantInfo:
    plan, about = title.plan, about_of(title)
    moment, lesson = sample(title), lesson_for(title)
    return VariantInfo(
        variant=title.variant,
        names={language: name_of(title.variant, language) for language in LANGUAGES},
        seats=title.seats,
        tiles=tuple(len(title.tiles[seats].tiles()) for seats in title.seats),
        turns=tuple(usual_turns(title, seats) for seats in title.seats),
        rack=title.rack,
        solo=title.is_solo,
        sides=title.sides.value,
        board=isinstance(plan, BoardPlan),
        stacking=isinstance(plan, BoardPlan) and plan.stacking,
        track=(title.track.lowest_step, title.track.highest_step),
        bonus_steps=tuple(title.track.bonus_steps),
        line_steps=tuple(title.track.line_steps),
        swaps=title.swaps,
        reconstructed=title.reconstructed,
        ours=about.ours,
        lesson=lesson.variant if lesson else None,
        page=page_of(title),
        sample=Sample(moment.setup.seats, table_text(moment.table)),
    )


@CALLS.get("/api/variants")
async def variants(call: Call) -> Variants:
    """Every title that can be played."""
    return Variants("".join(COLOURS), [_variant(title) for title in TITLES.values()])


@CALLS.get("/api/rules/{variant}/{code}")
async def rules(call: Call) -> Rules:
    """The rules of a title in a language."""
    title, language = title_of(str(call.path["variant"])), str(call.path["code"])
    if language not in LANGUAGES:
        raise NotFound("path-unknown")
    told = about_of(title).page is not None
    glance = [Glance(topic, text) for topic, text in rules_at_a_glance(title, language)]
    return Rules(page_of(title), [] if told else rules_in_short(title, language), glance)


@cache
def board_info(variant: str, seats: int) -> BoardInfo:
    """The board of a variant for a seat count; without cells for the card game."""
    plan = setup(title_of(variant), seats).title.plan
    if not isinstance(plan, BoardPlan):
        return BoardInfo(0, [], [], [], {}, False)
    board = plan.board(seats)
    return BoardInfo(
        radius=board.radius,
        cells=list(board.cells),
        names=[cell_name(board, cell) for cell in board.cells],
        pairs=[(pair.first, pair.second) for pair in board.pairs],
        start=dict(zip(COLOURS, plan.printed_start(seats), strict=True)),
        loose=plan.printed is None,
    )


@CALLS.get("/api/boards/{variant}/{seats:int}")
async def board(call: Call) -> BoardInfo:
    """The board of a title."""
    return board_info(str(call.path["variant"]), int(call.path["seats"]))


@CALLS.get("/api/bots")
async def bots(call: Call) -> Bots:
    """The bots that can be invited to a table."""
    listening = [BotInfo(name, False, shown) for shown, name in call.services.bots.listening()]
    return Bots([*map(_of_the_house, BOTS.values()), *listening], _USUAL_BOT)


def _of_the_house(bot: Bot) -> BotInfo:
    level = LEVELS.index(bot) + 1 if bot in LEVELS else None
    known = BotInfo(bot.name, True, study=bot in FOR_STUDY, level=level)
    if not isinstance(bot, SearchBot):
        return known
    insight = bot.insight
    return replace(known, seconds=insight.seconds, width=insight.width, nodes=insight.nodes)


@CALLS.get("/api/options")
async def options(call: Call) -> TableOptions:
    """The settings that a table may have."""
    return table_options()


@CALLS.get("/api/messages/{code}")
async def messages(call: Call) -> Catalogue:
    """All messages of a language."""
    language = str(call.path["code"])
    if language not in LANGUAGES:
        raise NotFound("path-unknown")
    return Catalogue(language, dict(WORDS.messages(language)))


@CALLS.get("/api/phrases")
async def phrases(call: Call) -> Phrases:
    """What can be said without typing."""
    return Phrases(PHRASES, REACTIONS, TEAM_PHRASES)


@CALLS.get("/api/qr", answer=str, content_type=_SVG, needs="links")
async def qr(call: Call, query: QrQuery) -> File:
    """A page of this server as a QR code."""
    import segno

    if not call.origin:
        raise Unreadable("host-unreadable")
    code = segno.make(call.origin + query.path, micro=False)
    body = io.BytesIO()
    # Cameras need the light background, whatever the page looks like.
    code.save(body, kind="svg", border=4, light="#fff", xmldecl=False, nl=False)
    return File(body.getvalue(), _SVG)


@CALLS.post("/api/hello", greets=True)
async def hello(call: Call) -> Hello:
    """Register this device: sets its cookie."""
    bot = call.device.bot if call.device else None
    return Hello(__version__, LANGUAGES, bot, listed(call.services.can))
