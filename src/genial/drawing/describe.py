"""A position in words, for people who hear the picture instead of seeing it."""

from __future__ import annotations

from collections.abc import Collection

from genial.core.actions import Place, Play
from genial.core.cellnames import cell_name
from genial.core.explain import explain
from genial.core.hexes import step
from genial.core.layout import NOTHING, Layout
from genial.core.messages import listed, render
from genial.core.position import Position
from genial.core.ranking import side_rank
from genial.core.sides import Sides
from genial.core.situation import markers_of, weakest
from genial.core.tiles import HIDDEN, SYMBOLS, Tile
from genial.core.tracks import Markers
from genial.core.view import View
from genial.drawing.seating import Seating, discarded, peg_seats, status
from genial.drawing.words import capital, colour_word, rank_words, word


def describe(
    situation: View | Position,
    seating: Seating,
    show: Collection[str] = ("board", "racks", "tracks"),
    preview: Place | Play | None = None,
    language: str = "en",
) -> str:
    """What a picture of these parts shows, in sentences.

    >>> import genial
    >>> from genial.drawing.seating import seating
    >>> position = genial.new("duel", seats=2, seed=7)
    >>> print(describe(position, seating(position, ["Anna", "Bert"]), ["tracks"]))  # doctest: +ELLIPSIS
    Reconstructed. Anna's turn · 108 tiles left. Scores: Anna (+) – Bert (−): red 0, orange 0, yellow 0, ...
    """
    parts = [word("reconstructed", language).capitalize()] if situation.setup.title.reconstructed else []
    if "racks" in show or "tracks" in show:
        parts.append(status(situation, seating, language))
    if "board" in show:
        parts.append(_table(situation, seating, language))
    if preview:
        parts.append(_preview(situation, preview, language))
    if "tracks" in show:
        parts.append(f"{word('tracks', language)}: {_tracks(situation, seating, language)}")
    if "racks" in show:
        parts += _racks(situation, seating, language)
    return ". ".join(part.rstrip(".") for part in parts) + "."


def tile_words(tile: Tile, language: str = "en") -> str:
    """A tile described by its colours.

    >>> tile_words("RB")
    'red-blue'
    """
    if tile == HIDDEN:
        return word("hidden", language)
    return "-".join(colour_word(colour, language) for colour in SYMBOLS[tile])


def markers_words(markers: Markers, language: str = "en") -> str:
    """Six markers described by their colours."""
    return ", ".join(f"{colour_word(n, language)} {str(m).replace('-', '−')}" for n, m in enumerate(markers))


def _table(situation: View | Position, seating: Seating, language: str) -> str:
    table = situation.table
    if isinstance(table, Layout):
        return f"{capital(word('board', language))}: {_layout(table, language)}"
    rows = (
        f"{seating.names[seat]}: {', '.join(tile_words(tile, language) for tile in row)}"
        for seat, row in enumerate(table.rows)
    )
    draw, discard = word("draw-pile", language), word("discard-pile", language)
    counts = f"{draw} {situation.supply}, {discard} {discarded(situation)}"
    return f"{word('open-cards', language)}: {'; '.join(rows)}; {counts}"


def _layout(layout: Layout, language: str) -> str:
    cells, starts, tiles = layout.board.cells, [], []
    for n, cell in enumerate(cells):
        direction, symbol = layout.halves[n], layout.symbols[n]
        if symbol == NOTHING:
            continue
        here = f"{colour_word(symbol, language)} {cell_name(layout.board, cell)}"
        if direction == NOTHING:
            starts.append(here)
            continue
        other = layout.board.number[step(cell, direction)]
        height = layout.heights[n]
        if layout.heights[other] == height:
            if direction >= 3:
                continue  # described with its other half
            here += (
                f" – {colour_word(layout.symbols[other], language)} {cell_name(layout.board, cells[other])}"
            )
        tiles.append(here + (f" ({word('level', language)} {height - 1})" if height > 1 else ""))
    told = "; ".join(tiles) or word("no-tiles", language)
    if not starts:
        return told
    return (
        f"{told}. {capital(word('stones' if layout.stacking else 'printed', language))}: {', '.join(starts)}"
    )


def _preview(situation: View | Position, preview: Place | Play, language: str) -> str:
    told = f"{word('preview', language)}: {tile_words(preview.tile, language)}"
    if isinstance(preview, Place) and isinstance(situation.table, Layout):
        told += " " + " – ".join(cell_name(situation.table.board, cell) for cell in preview.cells)
    points = (
        f"{colour_word(half.colour, language)} {render('points', {'count': half.points}, language)}"
        for half in explain(situation, preview).halves
    )
    return f"{told}, {', '.join(points)}"


def _tracks(situation: View | Position, seating: Seating, language: str) -> str:
    title = situation.setup.title
    if title.sides is Sides.SHARED:
        left, right = peg_seats(seating)
        markers = markers_words(markers_of(situation, right), language)
        return f"{seating.names[right]} (+) – {seating.names[left]} (−): {markers}"
    told = []
    for track in seating.order:
        seats = seating.tracks[track]
        names = " + ".join(seating.names[seat] for seat in seats)
        rank = ""
        if situation.result:
            rank = f" ({rank_words(side_rank(title.sides, situation.result.ranks, seats[0]), language)})"
        lowest = listed([colour_word(n, language) for n in weakest(situation, seats[0])], language)
        markers = markers_words(situation.tracks[track], language)
        told.append(f"{names}{rank}: {markers}, {word('lowest', language)}: {lowest}")
    return "; ".join(told)


def _racks(situation: View | Position, seating: Seating, language: str) -> list[str]:
    kind, told = word("rack" if situation.setup.board else "hand", language), []
    for seat, rack in enumerate(situation.racks):
        hidden = rack.count(HIDDEN)
        tiles = [tile_words(tile, language) for tile in rack if tile != HIDDEN]
        tiles += [f"{hidden} {word('hidden', language)}"] if hidden else []
        told.append(f"{kind}, {seating.names[seat]}: {', '.join(tiles) or word('empty', language)}")
    return told
