"""What there is to play, and with what words: nothing here depends on who asks."""

from __future__ import annotations

import io
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.responses import Response

from genial import __version__
from genial.bots import BOTS, FOR_STUDY
from genial.core.cellnames import cell_name
from genial.core.colours import COLOURS
from genial.core.messages import LANGUAGES, catalogue, render
from genial.core.notation import table_text
from genial.core.title import BoardPlan, setup
from genial.core.titles import TITLES, title_of
from genial.server.auth import cookie_header, device_of, new_token
from genial.server.calls import Call, Operation
from genial.server.decisions import PHRASES, REACTIONS, TEAM_PHRASES
from genial.server.errors import NotFound
from genial.server.lengths import TURNS
from genial.server.lessons import sample
from genial.server.options import TableOptions, table_options
from genial.server.protocol import Hello
from genial.server.replies import json_reply


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
    """How many tiles or cards there are, for each of the seat counts."""
    turns: tuple[int, ...]
    """How many turns a player usually has, for each of the seat counts."""
    rack: int
    solo: bool
    sides: str
    """`each` seat for itself, `teams`, or `shared` pegs."""
    board: bool
    """False: the card game, which has none."""
    stacking: bool
    track: tuple[int, int]
    """The lowest and the highest place of a marker."""
    bonus_places: tuple[int, ...]
    line_places: tuple[int, ...]
    """Where a stretch of the track ends."""
    swaps: bool
    reconstructed: bool
    sample: Sample


class Variants(Struct, frozen=True):
    """Every title, and the letters of the colours in their order."""

    colours: str
    variants: list[VariantInfo]


class BoardInfo(Struct, frozen=True):
    """What a client needs to draw a board and to read legal moves."""

    radius: int
    cells: list[tuple[int, int]]
    """Axial coordinates (q, r); a cell's number is its place in this list."""
    names: list[str]
    """The name of each cell in notation."""
    pairs: list[tuple[int, int]]
    """Neighbouring cells, by number; a place of `legal.places` is a number in this list."""
    start: dict[str, int]
    """The cells of the start symbols by letter; where they are loose stones, only which cells."""
    loose: bool


class BotInfo(Struct, frozen=True):
    """A bot that can be asked to a table: one of the house by name, or one that listens, by id."""

    name: str
    house: bool
    id: str | None = None
    study: bool = False
    """One of the simple bots, which are offered last."""


class Bots(Struct, frozen=True):
    """The bots of the house, and those that listen on the bot API."""

    bots: list[BotInfo]
    usual: str
    """The bot of the house for who has not chosen one yet."""


class Catalogue(Struct, frozen=True):
    """All words of one language. A message is a text with {parameters}, or two: for one, and for several."""

    language: str
    messages: dict[str, Any]


class Phrases(Struct, frozen=True):
    """What can be said without typing."""

    phrases: tuple[str, ...]
    reactions: tuple[str, ...]
    team: tuple[str, ...]
    """TEAM: all that partners may say during a game."""


class QrQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page; codes lead to this server and nowhere else."""

    path: Annotated[str, Meta(pattern="^/[!-~]{0,200}$")]
    language: str | None = None


@cache
def _variants() -> Variants:
    return Variants("".join(COLOURS), [_variant(variant) for variant in TITLES])


def _variant(variant: str) -> VariantInfo:
    title = title_of(variant)
    plan = title.plan
    return VariantInfo(
        variant=variant,
        names={language: render(f"title-{variant}", {}, language) for language in LANGUAGES},
        seats=title.seats,
        tiles=tuple(len(title.tiles[seats].tiles()) for seats in title.seats),
        turns=tuple(TURNS[variant][seats] for seats in title.seats),
        rack=title.rack,
        solo=title.is_solo,
        sides=title.sides.value,
        board=isinstance(plan, BoardPlan),
        stacking=isinstance(plan, BoardPlan) and plan.stacking,
        track=(title.track.lowest_place, title.track.highest_place),
        bonus_places=tuple(title.track.bonus_places),
        line_places=tuple(title.track.line_places),
        swaps=title.swaps,
        reconstructed=title.reconstructed,
        sample=_sample(variant),
    )


def _sample(variant: str) -> Sample:
    position = sample(variant)
    return Sample(position.setup.seats, table_text(position.table))


async def variants(call: Call) -> Variants:
    return _variants()


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


async def board(call: Call) -> BoardInfo:
    return board_info(str(call.request.path_params["variant"]), call.number("seats"))


async def bots(call: Call) -> Bots:
    listening = [BotInfo(name, False, shown) for shown, name in call.services.bots.listening()]
    ours = [BotInfo(name, True, study=bot in FOR_STUDY) for name, bot in BOTS.items()]
    return Bots(ours + listening, _USUAL)


async def options(call: Call) -> TableOptions:
    return table_options()


async def messages(call: Call) -> Catalogue:
    language = str(call.request.path_params["code"])
    if language not in LANGUAGES:
        raise NotFound("path-unknown")
    return Catalogue(language, dict(catalogue(language)))


async def phrases(call: Call) -> Phrases:
    return Phrases(PHRASES, REACTIONS, TEAM_PHRASES)


async def hello(call: Call) -> object:
    token = call.request.cookies.get("genial", "")
    bot = call.device.bot if call.device else None
    reply = json_reply(call.request, Hello(__version__, LANGUAGES, bot))
    if "authorization" not in call.request.headers:
        kept = token if device_of(token) else new_token()
        secure = call.services.web.wants_secure_cookie(call.request)
        reply.headers["set-cookie"] = cookie_header(kept, secure=secure)
    return reply


async def qr(call: Call) -> Response:
    import segno

    assert isinstance(call.query, QrQuery)
    request = call.request
    origin = f"{request.url.scheme}://{request.headers.get('host', '')}"
    found = segno.make(origin + call.query.path, micro=False)
    body = io.BytesIO()
    # Cameras need the light ground, whatever the page looks like.
    found.save(body, kind="svg", border=4, light="#fff", xmldecl=False, nl=False)
    return Response(body.getvalue(), media_type=_SVG)


_USUAL = "level-2"
_SVG, _TAGS = "image/svg+xml", ("what there is",)

OPERATIONS = [
    Operation("GET", "/api/variants", variants, "Every title that can be played.", Variants, tags=_TAGS),
    Operation(
        "GET", "/api/boards/{variant}/{seats:int}", board, "The board of a title.", BoardInfo, tags=_TAGS
    ),
    Operation("GET", "/api/bots", bots, "The bots that can be asked to a table.", Bots, tags=_TAGS),
    Operation("GET", "/api/options", options, "What a table may be set up with.", TableOptions, tags=_TAGS),
    Operation("GET", "/api/messages/{code}", messages, "All words of a language.", Catalogue, tags=_TAGS),
    Operation("GET", "/api/phrases", phrases, "What can be said without typing.", Phrases, tags=_TAGS),
    Operation(
        "GET",
        "/api/qr",
        qr,
        "A page of this server as a code for cameras.",
        str,
        query=QrQuery,
        content_type=_SVG,
        tags=_TAGS,
    ),
    Operation("POST", "/api/hello", hello, "Make this device known: sets its cookie.", Hello, tags=_TAGS),
]
