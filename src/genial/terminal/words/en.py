"""English."""

from __future__ import annotations

from genial.core.messages import Message

WORDS: dict[str, Message] = {
    # People, tiles, cells
    "you": "You",
    "player": "Player {number}",
    "two-colours": "{first} and {second}",
    "bag": ("{count} tile in the bag", "{count} tiles in the bag"),
    "pile": ("{count} card in the draw pile", "{count} cards in the draw pile"),
    "rack": "Your rack:",
    "hand": "Your hand:",
    "open-cards": "Open cards, the oldest first:",
    "goes-next": "{tile} goes next.",
    "has-lowest": "carries your lowest colour",
    "no-points": "no points",
    "brings-bonus": ("one bonus move", "{count} bonus moves"),
    "bonus-move": "Bonus move!",
    "cell-free": "free",
    "off-board": "off the board",
    "height": "height {height}",
    "start-symbol": "start symbol",
    "other-half": "other half on {cell}",
    "direction-0": "right",
    "direction-1": "lower right",
    "direction-2": "lower left",
    "direction-3": "left",
    "direction-4": "upper left",
    "direction-5": "upper right",
    "phase-place": "a tile to be placed",
    "phase-end-turn": "the end of the turn, by drawing or swapping",
    "phase-deal": "the deal",
    "phase-draw": "a draw",
    "phase-ending": "the end",
    "phase-over": "nothing: it is over",
    # Tracks
    "track": "{name}: {places}. Lowest: {lowest}.",
    "all-six": "all six colours",
    "pegs": "Pegs: {pegs}.",
    "peg": "{colour} {places} towards {name}",
    "peg-middle": "{colour} in the middle",
    "peg-won": "{colour} won by {name}",
    # Events
    "event-place": "{name}: {tile} on {first} and {second}. {gain}.",
    "event-place-level": "{name}: {tile} on {first} and {second}, level {level}. {gain}.",
    "event-play": "{name}: card {tile}. {gain}.",
    "event-swap": "{name}: everything swapped; shown were {tiles}.",
    "event-draw": "{name}: drawn {tiles}.",
    "event-draw-hidden": ("{name}: one drawn.", "{name}: {count} drawn."),
    "event-reshuffle": "The discard pile becomes the draw pile.",
    "last-round": "Last round: one turn each, nothing is drawn.",
    # What a move brings
    "preview-sum": "All together: {gain}.",
    "preview-moved": ("the marker moves only {count} place", "the marker moves only {count} places"),
    # The end
    "game-over": "The game is over.",
    "place": "Place {rank}: {name}, from the lowest marker up: {values}.",
    "place-pegs": "Place {rank}: {name}, {own} colours on the own side, {distance} places in all.",
    "place-solo": "{name}: lowest marker {lowest}. From the lowest up: {values}.",
    "shared": "All compared values are equal: the first place is shared.",
    "decided-lowest": "Decided by the lowest marker: {first} has {one}, {second} has {other}.",
    "decided": (
        "Equal up to there; decided by marker {number} from below: {first} has {one}, {second} has {other}."
    ),
    "decided-colours": "Decided by the colours on the own side: {first} has {one}, {second} has {other}.",
    "decided-distance": (
        "As many colours each; decided by their distances: {first} has {one}, {second} has {other}."
    ),
    "record-in": "The record lies in {path}",
    # Saving
    "saved": "The game is saved in {path}",
    "kept-in": "The game is kept after every move in {path}",
    "not-saved": "The game could not be saved: {why}",
    "how-to-resume": "To play on: genial play --resume {path}",
    "no-overwrite": "{path} is there already and holds no game; nothing was written.",
    "no-such-file": "{path} cannot be read: {why}",
    # Line mode
    "greeting": "{title}. Players: {players}.",
    "type-help": "Type help for the commands.",
    "reconstructed-note": (
        "This variant is reconstructed: its printed rules are lost, so parts of it are our choice."
    ),
    "turn-of": "{name}, round {turn}.",
    "curtain-plain": "Pass the keyboard to {name}. {name}: press Enter when only you look at the screen.",
    "unknown-input": "“{text}” is no command and no move. Type help for the commands.",
    "no-such-tile": "There is no tile {number}; there are {count}.",
    "where-to": "Say where: type {tile} and two cells, such as {tile} f6 f7.",
    "which-order": "The order changes the points; type one of: {orders}",
    "nothing-to-take-back": "Nothing can be taken back: only placements of your own turn, before you draw.",
    "taken-back": "Taken back.",
    "places-how": (
        "Type places and the number of a tile, such as places 1; a second number says how many to list."
    ),
    "places-shown": "{shown} of {count} moves shown, the most points first.",
    "preview-how": "Type preview and a move, such as preview RB@f6,f7.",
    "look-how": "Type look and the name of a cell, such as look f6.",
    "language-how": "Type language and one of: {languages}.",
    "language-set": "The language is English.",
    "which-game": "Which game? Type its number.",
    "which-continue": "Type c to continue: {game}",
    "people-wrong": "{people} people do not fit {seats} seats.",
    "names-wrong": "{names} names do not fit {seats} seats.",
    "plain-help": (
        "Commands:\n"
        "  RB@f6,f7           place tile RB: red on f6, blue on f7 (also: RB f6 f7)\n"
        "  1 f6 f7            place tile 1 of your rack: its first symbol on f6\n"
        "  RB                 card game: play a card, red scored first (also: 1)\n"
        "  refill, r          end your turn and draw\n"
        "  swap, s            end your turn and swap everything, where it is allowed\n"
        "  undo, u            take back your last placement of this turn\n"
        "  places 1           the best places of tile 1; places 1 30 lists 30\n"
        "  preview RB@f6,f7   what a move would score, line by line\n"
        "  board, tracks, rack, look f6\n"
        "  save FILE          write a copy of the game; it is kept after every move anyway\n"
        "  language de        English (en), German (de) or Dutch (nl)\n"
        "  quit, q            stop; the game is saved\n"
        "Rows have letters from the top, cells have numbers from the left.\n"
        "R red star, O orange hexagon, Y yellow sun, G green disc, B blue star, P purple ring."
    ),
    # The screen
    "your-turn": "Your turn",
    "to-move": "{name} to move",
    "round": "round {turn}",
    "tracks": "Tracks",
    "lowest": "lowest",
    "moves": "Moves",
    "rack-hidden": ("{name}: one tile, hidden", "{name}: {count} tiles, hidden"),
    "tile-at-hand": "Tile at hand:",
    "mark-lowest": "^low",
    "goes": "goes next",
    "open-cards-title": "Open cards",
    "first-scored": "{colour} first: {outcome}",
    "cursor-at": "{cell}: {text}",
    "turn-done": "Enter: draw. u: take back.",
    "turn-done-swap": "Enter: draw. s: swap everything. u: take back.",
    "bot-thinks": "{name} plays …",
    "curtain-title": "Pass the keyboard to {name}.",
    "curtain-hint": "{name}: press Enter when only you look at the screen.",
    "too-small": (
        "This terminal has {width} x {height} characters; at least {least_width} x {least_height} are "
        "needed. Please enlarge it."
    ),
    "result-heading": "Markers, the lowest first",
    "result-heading-pegs": "Own colours, their distances",
    "decides": "decides",
    "key-pick": "1-{count} tile",
    "key-pick-card": "1-{count} card",
    "key-move": "arrows cell",
    "key-rotate": "r turn",
    "key-flip": "f flip",
    "key-place": "Enter place",
    "key-order": "r other order",
    "key-play": "Enter play",
    "key-refill": "Enter draw",
    "key-swap": "s swap",
    "key-undo": "u take back",
    "key-next": "space next",
    "key-heat": "m points",
    "key-zoom": "z size",
    "key-help": "h help",
    "key-language": "l language",
    "key-quit": "q quit",
    "key-skip": "space skip",
    "key-again": "n new game",
    "key-look": "b board",
    "key-back": "Esc back",
    "key-result": "Enter result",
    "start-continue": "Continue: {game}",
    "start-quick": "Classic against balanced (p)",
    "start-variant": "Title",
    "start-seats": "Players",
    "start-seat": "Seat {number}",
    "start-person": "person",
    "start-bot": "bot {name}",
    "start-go": "Start this game",
    "start-hint": "Up and down choose a line, left and right change it, Enter starts. l language, q quit.",
    "unofficial": "An unofficial program, not connected with the publishers or the author.",
    "help-title": "Help",
    "help-keys": (
        "1 to 6      pick a tile; the same key again flips it\n"
        "arrows      move to a cell (or click it; click it again to turn the tile)\n"
        "space       next cell where the tile fits\n"
        "r, R, Tab   turn the tile round its first symbol\n"
        "f           flip the tile: the other symbol comes first\n"
        "Enter       place the tile; after the last one: draw and end the turn\n"
        "s           swap everything, when it is offered\n"
        "u           take back a tile of this turn\n"
        "m           points of the picked tile on every cell\n"
        "z           size of the board\n"
        "l           language\n"
        "q           quit; the game is saved"
    ),
    "help-marks": (
        "[✹]  the cursor, with the tile to be placed\n"
        "‹✹›  counted for the tile\n"
        " ·   the tile fits here\n"
        "─ ╱ ╲  where the other half of a tile lies"
    ),
    "rules-board": (
        "Place a tile on two neighbouring free cells. Each of its symbols scores the equal symbols in "
        "straight, unbroken lines from it, in all directions but that of its other half. In the first "
        "round a tile must touch a printed symbol that no other first tile touches. A colour that reaches "
        "18 brings a bonus move at once. At the end of your turn you draw; if no tile left shows one of "
        "your lowest colours you may swap them all. The game ends when no tile fits any more, or when all "
        "six of your markers stand on 18. Whoever has the higher lowest marker wins; if they are equal, "
        "the next one decides."
    ),
    "rules-team": (
        "Partners sit opposite each other and share one double track: at 18 a marker begins the second board."
    ),
    "rules-solo": (
        "One tile at a time, on a double track: at its end a marker begins the second board. No bonus "
        "moves, no swap."
    ),
    "rules-3d": (
        "Tiles may lie on tiles: both cells equally high, and never exactly on one tile. Until every start "
        "stone has a tile beside it, each tile must touch one that has none. Symbols are seen from above. "
        "18 and 27 bring a bonus move. When fewer than five tiles are left, everybody has one more turn."
    ),
    "rules-cards": (
        "Play a card: each of its symbols scores every open card that shows it. A marker enters the next "
        "region (1-3, 4-6, 7-10) only when all six have reached the one before. You choose which symbol is "
        "scored first. A marker that reaches 10 brings a bonus move. At the end of your turn your oldest "
        "open card goes. Whoever has all six markers on 7 or more wins at once."
    ),
    "rules-duel": (
        "Reconstructed. Both players pull at the same six pegs: your points move a peg towards you. On the "
        "ninth place the colour is won and brings a bonus move. More colours on your side win."
    ),
}
