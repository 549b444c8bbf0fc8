"""English."""

from __future__ import annotations

from genial.core.messages import Message

WORDS: dict[str, Message] = {
    # People, tiles, spaces
    "you": "You",
    "player": "Player {number}",
    "two-colours": "{first} and {second}",
    "double": "double {colour}",
    "bag": ("{count} tile in the bag", "{count} tiles in the bag"),
    "supply": ("{count} tile in the supply", "{count} tiles in the supply"),
    "pile": ("{count} card in the draw pile", "{count} cards in the draw pile"),
    "rack": "Your rack:",
    "hand": "Your hand:",
    "tile-at-hand": "Your tile:",
    "open-cards": "Face-up cards, oldest first:",
    "goes-next": "{tile} is discarded next.",
    "has-lowest": "has your lowest colour",
    "no-points": "no points",
    "brings-bonus": ("a bonus move", "{count} bonus moves"),
    "bonus-move": "Genial! Bonus move.",
    "cell-free": "empty",
    "off-board": "off the board",
    "level": "level {level}",
    "start-symbol": "printed symbol",
    "start-stone": "start stone",
    "other-half": "other half on {cell}",
    "direction-0": "right",
    "direction-1": "lower right",
    "direction-2": "lower left",
    "direction-3": "left",
    "direction-4": "upper left",
    "direction-5": "upper right",
    # Scores
    "track": "{name}: {places}. Lowest: {lowest}.",
    "all-six": "all six colours",
    "pegs": "Shared markers: {pegs}.",
    "peg": "{colour} {places} towards {name}",
    "peg-own": "{colour} {places} towards you",
    "peg-middle": "{colour} in the middle",
    "peg-won": "{colour} won by {name}",
    "peg-won-own": "{colour} won by you",
    # Events
    "event-place": "{name}: {tile} on {first} and {second}. {gain}.",
    "event-place-level": "{name}: {tile} on {first} and {second}, level {level}. {gain}.",
    "event-play": "{name}: card {tile}. {gain}.",
    "event-swap": "{name}: swapped {tiles}.",
    "event-draw": "{name}: drew {tiles}.",
    "event-draw-hidden": "{name} draws.",
    "event-reshuffle": "The discard pile is reshuffled to make a new draw pile.",
    "last-round": "Last round: one more turn each, and no more drawing.",
    # What a move scores
    "preview-sum": "Total: {gain}.",
    "preview-moved": ("only {count} of them counts", "only {count} of them count"),
    # The end
    "game-over": "The game is over.",
    "rank-1": "1st",
    "rank-2": "2nd",
    "rank-3": "3rd",
    "rank-4": "4th",
    "place": "{rank}: {name}. Colours, lowest first: {values}.",
    "place-pegs": (
        "{rank}: {name}. {count} colour, total distance {distance}.",
        "{rank}: {name}. {count} colours, total distance {distance}.",
    ),
    "place-solo": "{name}: your lowest colour is on {lowest}. Colours, lowest first: {values}.",
    "shared": "A dead heat! First place is shared.",
    "decided-lowest": "The lowest colour decided it: {first} {one}, {second} {other}.",
    "decided": "A tie, settled by colour number {number} from the bottom: {first} {one}, {second} {other}.",
    "decided-colours": "More colours won it: {first} {one}, {second} {other}.",
    "decided-distance": "A tie on colours, settled by total distance: {first} {one}, {second} {other}.",
    "record-in": "Game file: {path}",
    # Series
    "series-game": "game {game} of {games}",
    "series-begins": "Game {game} of {games}. First turn: {name}.",
    "series-after": "Series after game {game} of {games}:",
    "series-side": "{rank}: {name}, {games}",
    "series-won": "Series winner: {names}.",
    "series-shared": "The series is tied: {names}.",
    # Saving
    "saved": "Your game is saved in {path}",
    "kept-in": "Your game is saved after every move in {path}",
    "not-saved": "Your game couldn't be saved: {why}",
    "how-to-resume": "To carry on: genial play --resume {path}",
    "no-overwrite": "{path} already exists and isn't a game, so nothing was saved. Choose another name.",
    "screen-missing": (
        "The full screen needs the package textual: pip install textual. "
        "Or play line by line without it: genial play --plain"
    ),
    "no-such-file": "{path} can't be read: {why}",
    # Line mode
    "greeting": "{title}. Players: {players}.",
    "type-help": "Type help to see the commands.",
    "reconstructed-note": (
        "This edition is reconstructed: its printed rules are lost, so some of the rules are our own."
    ),
    "kernel-missing": (
        "{names} plays like {others} here, because the compiled kernel is missing. "
        "The command genial warmup says what you can do.",
        "{names} play like {others} here, because the compiled kernel is missing. "
        "The command genial warmup says what you can do.",
    ),
    "kernel-coming": (
        "The kernel is being compiled. Until it's ready, {names} plays like {others}.",
        "The kernel is being compiled. Until it's ready, {names} play like {others}.",
    ),
    "turn-of": "{name}, round {turn}.",
    "curtain-plain": (
        "Pass the keyboard to {name}. {name}, press Enter when nobody else can see the screen."
    ),
    "curtain-undo-plain": "{name}, type undo if you want to undo your move first.",
    "unknown-input": "“{text}” isn't a command or a move. Type help to see the commands.",
    "no-such-tile": "There's no tile {number}. Choose one from 1 to {count}.",
    "no-such-card": "There's no card {number}. Choose one from 1 to {count}.",
    "where-to": "Say where: type {tile} and two spaces, for example {tile} f6 f7.",
    "which-order": "The order makes a difference. Type one of these: {orders}",
    "nothing-to-take-back": "There's nothing to undo. You can undo a move until somebody draws.",
    "taken-back": "Undone.",
    "places-how": (
        "Type places and the number of a tile, for example places 1. Add a second number to see more moves."
    ),
    "places-shown": "{shown} of {count} shown, most points first.",
    "preview-how": "Type preview and a move, for example preview RB@f6,f7.",
    "look-how": "Type look and a space, for example look f6.",
    "language-how": "Type language and one of these: {languages}.",
    "language-set": "From now on in English.",
    "which-game": "Which edition? Type its number. For a series add how many games, for example 1 3.",
    "which-continue": "Type c to carry on with {game}",
    "people-wrong": "{people} people don't fit here. Choose a number from 0 to {seats}.",
    "names-wrong": "{names} names are too many. There's room for {seats}.",
    "plain-help": (
        "Commands:\n"
        "  RB@f6,f7           place tile RB: red on f6, blue on f7 (or: RB f6 f7)\n"
        "  1 f6 f7            place tile 1 of your rack: its first symbol on f6\n"
        "  RB                 card game: play a card and score red first (or: 1)\n"
        "  refill, r          draw and end your turn\n"
        "  swap, s            swap your tiles or your hand and end your turn, when you may\n"
        "  undo, u            undo your last move, as long as nobody has drawn\n"
        "  places 1           the best moves with tile 1; places 1 30 lists 30\n"
        "  preview RB@f6,f7   what a move would score, line by line\n"
        "  board, tracks, rack, look f6\n"
        "  save FILE          save a copy; your game is saved after every move anyway\n"
        "  rules              the rules in short\n"
        "  language de        English (en), German (de) or Dutch (nl)\n"
        "  quit, q            stop; your game is saved\n"
        "Rows have letters, from the top. Spaces have numbers, from the left.\n"
        "R red 12-pointed star, O orange hexagon, Y yellow sun,\n"
        "G green disc, B blue 6-pointed star, P purple ring."
    ),
    # The screen
    "your-turn": "Your turn",
    "to-move": "{name}'s turn",
    "your-bonus": "Genial! Your bonus move",
    "bonus-of": "Genial! Bonus move: {name}",
    "round": "round {turn}",
    "lowest": "lowest colour",
    "moves": "Moves",
    "rack-hidden": ("{name}: {count} tile, face down", "{name}: {count} tiles, face down"),
    "hand-hidden": ("{name}: {count} card, face down", "{name}: {count} cards, face down"),
    "mark-lowest": "^low",
    "goes": "discarded next",
    "open-cards-title": "Face-up cards",
    "first-scored": "{colour} first: {outcome}",
    "cursor-at": "{cell}: {text}",
    "turn-done": "Enter: draw. u: undo.",
    "turn-done-swap": "Enter: draw. s: swap. u: undo.",
    "bot-thinks": "{name} is thinking …",
    "bot-failed": "{name} didn't manage this turn, so another bot played it.",
    "curtain-title": "Pass the keyboard to {name}.",
    "curtain-hint": "{name}, press Enter when nobody else can see the screen.",
    "curtain-undo": "{name}, press u if you want to undo your move first.",
    "too-small": (
        "Your terminal is {width} x {height}. Make it at least {least_width} x {least_height} to play."
    ),
    "result-heading": "Colours, lowest first",
    "result-heading-pegs": "Colours, total distance",
    "decides": "decided it",
    "key-pick": "1-{count} tile",
    "key-pick-card": "1-{count} card",
    "key-move": "arrows move",
    "key-rotate": "r turn",
    "key-flip": "f flip",
    "key-place": "Enter place",
    "key-order": "r other order",
    "key-play": "Enter play",
    "key-refill": "Enter draw",
    "key-swap": "s swap",
    "key-undo": "u undo",
    "key-next": "Space next",
    "key-heat": "m points",
    "key-zoom": "z size",
    "key-help": "h help",
    "key-language": "l language",
    "key-quit": "q quit",
    "key-skip": "Space skip",
    "key-again": "n rematch",
    "key-next-game": "n next game",
    "key-look": "b board",
    "key-back": "Esc back",
    "key-result": "Enter result",
    "start-continue": "Continue: {game}",
    "start-quick": "{title} against {bot} (p)",
    "start-variant": "Edition",
    "start-seats": "Players",
    "start-seat": "Seat {number}",
    "start-person": "person",
    "start-bot": "bot: {name}",
    "start-games": "Games",
    "start-go": "Start game",
    "start-hint": (
        "Up and down choose a line, left and right change it, Enter starts the game. n types a person's "
        "name. l language, q quit."
    ),
    "start-name-field": "Name for seat {number}",
    "start-name-hint": "Type a name. Enter keeps it, Esc leaves it as it was.",
    "unofficial": "Unofficial: not connected with the publishers or the author.",
    "help-title": "Help",
    "help-keys": (
        "1 to 6      choose a tile; the same key again flips it\n"
        "arrows      move to another space (or click; click again to turn the tile)\n"
        "Space bar   go to the next place where the tile fits\n"
        "r, R, Tab   turn the tile around its first symbol\n"
        "f           flip the tile, so that its other symbol comes first\n"
        "Enter       place the tile; after your last one, draw and end your turn\n"
        "s           swap your tiles, when you may\n"
        "u           undo a move, as long as nobody has drawn\n"
        "m           points for the chosen tile on every space\n"
        "z           size of the board\n"
        "l           language\n"
        "q           quit; your game is saved"
    ),
    "help-marks": (
        "[✹]  the cursor, with the tile you are placing\n"
        "‹✹›  scores for this tile\n"
        " ·   the tile fits here\n"
        "─ ╱ ╲  where the other half of a tile is"
    ),
    "help-keys-cards": (
        "1 to 6      choose a card; again to score its other symbol first\n"
        "r, f        score the other symbol first\n"
        "Enter       play the card; after your last one, draw and end your turn\n"
        "s           swap your hand, when you may\n"
        "u           undo a move, as long as nobody has drawn\n"
        "l           language\n"
        "q           quit; your game is saved"
    ),
    "help-marks-cards": ("‹✹›  scores for this card"),
}
