"""German."""

from __future__ import annotations

from genial.core.messages import Message

WORDS: dict[str, Message] = {
    # People, tiles, cells
    "you": "Du",
    "player": "Spieler {number}",
    "two-colours": "{first} und {second}",
    "bag": ("{count} Stein im Beutel", "{count} Steine im Beutel"),
    "pile": ("{count} Karte im Nachziehstapel", "{count} Karten im Nachziehstapel"),
    "rack": "Deine Bank:",
    "hand": "Deine Hand:",
    "open-cards": "Offene Karten, die älteste zuerst:",
    "goes-next": "{tile} geht als Nächste.",
    "has-lowest": "trägt deine niedrigste Farbe",
    "no-points": "keine Punkte",
    "brings-bonus": ("ein Bonuszug", "{count} Bonuszüge"),
    "bonus-move": "Bonuszug!",
    "cell-free": "frei",
    "off-board": "außerhalb des Bretts",
    "height": "Höhe {height}",
    "start-symbol": "Startsymbol",
    "other-half": "andere Hälfte auf {cell}",
    "direction-0": "rechts",
    "direction-1": "unten rechts",
    "direction-2": "unten links",
    "direction-3": "links",
    "direction-4": "oben links",
    "direction-5": "oben rechts",
    "phase-place": "einen Stein",
    "phase-end-turn": "das Ende des Zuges: nachziehen oder tauschen",
    "phase-deal": "das Austeilen",
    "phase-draw": "das Nachziehen",
    "phase-ending": "das Ende",
    "phase-over": "nichts mehr: Es ist vorbei",
    # Tracks
    "track": "{name}: {places}. Am niedrigsten: {lowest}.",
    "all-six": "alle sechs Farben",
    "pegs": "Stifte: {pegs}.",
    "peg": "{colour} {places} auf der Seite von {name}",
    "peg-middle": "{colour} in der Mitte",
    "peg-won": "{colour} gewonnen von {name}",
    # Events
    "event-place": "{name}: {tile} auf {first} und {second}. {gain}.",
    "event-place-level": "{name}: {tile} auf {first} und {second}, Ebene {level}. {gain}.",
    "event-play": "{name}: Karte {tile}. {gain}.",
    "event-swap": "{name}: alles getauscht; gezeigt wurden {tiles}.",
    "event-draw": "{name}: gezogen {tiles}.",
    "event-draw-hidden": ("{name}: eins gezogen.", "{name}: {count} gezogen."),
    "event-reshuffle": "Der Ablagestapel wird zum Nachziehstapel.",
    "last-round": "Letzte Runde: jeder noch ein Zug, nichts wird nachgezogen.",
    # What a move brings
    "preview-sum": "Zusammen: {gain}.",
    "preview-moved": ("der Marker rückt nur {count} Feld vor", "der Marker rückt nur {count} Felder vor"),
    # The end
    "game-over": "Das Spiel ist vorbei.",
    "place": "Platz {rank}: {name}, vom niedrigsten Marker aufwärts: {values}.",
    "place-pegs": "Platz {rank}: {name}, {own} Farben auf der eigenen Seite, zusammen {distance} Felder.",
    "place-solo": "{name}: niedrigster Marker {lowest}. Aufwärts: {values}.",
    "shared": "Alles Verglichene ist gleich: Der erste Platz wird geteilt.",
    "decided-lowest": "Entschieden durch den niedrigsten Marker: {first} hat {one}, {second} hat {other}.",
    "decided": (
        "Bis dahin gleich; entschieden durch Marker {number} von unten: {first} hat {one}, {second} hat "
        "{other}."
    ),
    "decided-colours": (
        "Entschieden durch die Farben auf der eigenen Seite: {first} hat {one}, {second} hat {other}."
    ),
    "decided-distance": (
        "Gleich viele Farben; entschieden durch die Abstände: {first} hat {one}, {second} hat {other}."
    ),
    "record-in": "Das Protokoll liegt in {path}",
    # Saving
    "saved": "Das Spiel ist gespeichert in {path}",
    "kept-in": "Das Spiel wird nach jedem Zug gespeichert in {path}",
    "not-saved": "Das Spiel konnte nicht gespeichert werden: {why}",
    "how-to-resume": "Weiterspielen: genial play --resume {path}",
    "no-overwrite": "{path} gibt es schon, und es ist kein Spiel; nichts wurde geschrieben.",
    "no-such-file": "{path} kann nicht gelesen werden: {why}",
    # Line mode
    "greeting": "{title}. Es spielen: {players}.",
    "type-help": "Gib help ein, um die Befehle zu sehen.",
    "reconstructed-note": (
        "Diese Variante ist rekonstruiert: Ihre gedruckten Regeln sind verloren, Teile davon sind unsere "
        "Wahl."
    ),
    "turn-of": "{name}, Runde {turn}.",
    "curtain-plain": (
        "Gib die Tastatur an {name}. {name}: Drücke Enter, wenn nur du auf den Bildschirm siehst."
    ),
    "unknown-input": "„{text}“ ist kein Befehl und kein Zug. Gib help ein, um die Befehle zu sehen.",
    "no-such-tile": "Stein {number} gibt es nicht; es gibt {count}.",
    "where-to": "Sag, wohin: Gib {tile} und zwei Felder ein, etwa {tile} f6 f7.",
    "which-order": "Die Reihenfolge ändert die Punkte; gib eines davon ein: {orders}",
    "nothing-to-take-back": (
        "Nichts kann zurückgenommen werden: nur Steine deines eigenen Zuges, bevor du nachziehst."
    ),
    "taken-back": "Zurückgenommen.",
    "places-how": (
        "Gib places und die Nummer eines Steins ein, etwa places 1; eine zweite Zahl sagt, wie viele."
    ),
    "places-shown": "{shown} von {count} Zügen, die meisten Punkte zuerst.",
    "preview-how": "Gib preview und einen Zug ein, etwa preview RB@f6,f7.",
    "look-how": "Gib look und den Namen eines Feldes ein, etwa look f6.",
    "language-how": "Gib language und eines davon ein: {languages}.",
    "language-set": "Die Sprache ist Deutsch.",
    "which-game": "Welches Spiel? Gib seine Nummer ein.",
    "which-continue": "Gib c ein, um weiterzuspielen: {game}",
    "people-wrong": "{people} Personen passen nicht zu {seats} Plätzen.",
    "names-wrong": "{names} Namen passen nicht zu {seats} Plätzen.",
    "plain-help": (
        "Befehle:\n"
        "  RB@f6,f7           Stein RB legen: Rot auf f6, Blau auf f7 (auch: RB f6 f7)\n"
        "  1 f6 f7            Stein 1 legen: sein erstes Symbol auf f6\n"
        "  RB                 Kartenspiel: Karte spielen, Rot zählt zuerst (auch: 1)\n"
        "  refill, r          den Zug beenden und nachziehen\n"
        "  swap, s            den Zug beenden und alles tauschen, wo es erlaubt ist\n"
        "  undo, u            den letzten Stein dieses Zuges zurücknehmen\n"
        "  places 1           die besten Plätze für Stein 1; places 1 30 zeigt 30\n"
        "  preview RB@f6,f7   was ein Zug bringt, Reihe für Reihe\n"
        "  board, tracks, rack, look f6\n"
        "  save DATEI         eine Kopie schreiben; gespeichert wird ohnehin nach jedem Zug\n"
        "  language en        Englisch (en), Deutsch (de) oder Niederländisch (nl)\n"
        "  quit, q            aufhören; das Spiel ist gespeichert\n"
        "Reihen haben Buchstaben von oben, Felder Nummern von links.\n"
        "R roter Stern, O oranges Sechseck, Y gelbe Sonne, G grüne Scheibe, B blauer Stern, P lila Ring."
    ),
    # The screen
    "your-turn": "Du bist am Zug",
    "to-move": "{name} ist am Zug",
    "round": "Runde {turn}",
    "tracks": "Punktetafeln",
    "lowest": "niedrigste",
    "moves": "Züge",
    "rack-hidden": ("{name}: ein Stein, verdeckt", "{name}: {count} Steine, verdeckt"),
    "tile-at-hand": "Dein Stein:",
    "mark-lowest": "^niedr",
    "goes": "geht als Nächste",
    "open-cards-title": "Offene Karten",
    "first-scored": "{colour} zuerst: {outcome}",
    "cursor-at": "{cell}: {text}",
    "turn-done": "Enter: nachziehen. u: zurücknehmen.",
    "turn-done-swap": "Enter: nachziehen. s: alles tauschen. u: zurücknehmen.",
    "bot-thinks": "{name} spielt …",
    "curtain-title": "Gib die Tastatur an {name}.",
    "curtain-hint": "{name}: Drücke Enter, wenn nur du auf den Bildschirm siehst.",
    "too-small": (
        "Dieses Terminal hat {width} x {height} Zeichen; nötig sind mindestens {least_width} x "
        "{least_height}. Bitte vergrößern."
    ),
    "result-heading": "Marker, der niedrigste zuerst",
    "result-heading-pegs": "Eigene Farben, ihre Abstände",
    "decides": "entscheidet",
    "key-pick": "1-{count} Stein",
    "key-pick-card": "1-{count} Karte",
    "key-move": "Pfeile Feld",
    "key-rotate": "r drehen",
    "key-flip": "f wenden",
    "key-place": "Enter legen",
    "key-order": "r andere Folge",
    "key-play": "Enter spielen",
    "key-refill": "Enter ziehen",
    "key-swap": "s tauschen",
    "key-undo": "u zurück",
    "key-next": "Leer weiter",
    "key-heat": "m Punkte",
    "key-zoom": "z Größe",
    "key-help": "h Hilfe",
    "key-language": "l Sprache",
    "key-quit": "q Ende",
    "key-skip": "Leer schneller",
    "key-again": "n neues Spiel",
    "key-look": "b Brett",
    "key-back": "Esc zurück",
    "key-result": "Enter Ergebnis",
    "start-continue": "Weiterspielen: {game}",
    "start-quick": "Klassisch gegen balanced (p)",
    "start-variant": "Spiel",
    "start-seats": "Spieler",
    "start-seat": "Platz {number}",
    "start-person": "Mensch",
    "start-bot": "Bot {name}",
    "start-go": "Dieses Spiel beginnen",
    "start-hint": (
        "Auf und ab wählen die Zeile, links und rechts ändern sie, Enter beginnt. l Sprache, q Ende."
    ),
    "unofficial": "Ein inoffizielles Spielprogramm, ohne Verbindung zu Verlagen oder Autor.",
    "help-title": "Hilfe",
    "help-keys": (
        "1 bis 6     Stein wählen; dieselbe Taste noch einmal wendet ihn\n"
        "Pfeile      zu einem Feld gehen (oder anklicken; noch ein Klick dreht den Stein)\n"
        "Leertaste   nächstes Feld, auf das der Stein passt\n"
        "r, R, Tab   den Stein um sein erstes Symbol drehen\n"
        "f           wenden: das andere Symbol kommt zuerst\n"
        "Enter       legen; nach dem letzten: nachziehen und den Zug beenden\n"
        "s           alles tauschen, wenn es angeboten wird\n"
        "u           einen Stein dieses Zuges zurücknehmen\n"
        "m           Punkte des gewählten Steins auf jedem Feld\n"
        "z           Größe des Bretts\n"
        "l           Sprache\n"
        "q           aufhören; das Spiel ist gespeichert"
    ),
    "help-marks": (
        "[✹]  der Zeiger mit dem Stein, der gelegt werden soll\n"
        "‹✹›  zählt für den Stein\n"
        " ·   hier passt der Stein\n"
        "─ ╱ ╲  wo die andere Hälfte eines Steins liegt"
    ),
    "rules-board": (
        "Lege einen Stein auf zwei benachbarte freie Felder. Jedes seiner Symbole zählt die gleichen "
        "Symbole, die von ihm aus in geraden Reihen ohne Lücke liegen, in alle Richtungen außer zur "
        "eigenen anderen Hälfte. In der ersten Runde muss ein Stein ein gedrucktes Symbol berühren, das "
        "kein anderer erster Stein berührt. Eine Farbe, die 18 erreicht, bringt sofort einen Bonuszug. Am "
        "Ende deines Zuges ziehst du nach; zeigt kein Stein mehr eine deiner niedrigsten Farben, darfst du "
        "alle tauschen. Das Spiel endet, wenn kein Stein mehr passt oder wenn alle deine sechs Marker auf "
        "18 stehen. Es gewinnt, wessen niedrigster Marker höher steht; bei Gleichstand entscheidet der "
        "nächste."
    ),
    "rules-team": (
        "Partner sitzen sich gegenüber und teilen eine doppelte Punktetafel: Bei 18 beginnt ein Marker die "
        "zweite Tafel."
    ),
    "rules-solo": (
        "Immer ein Stein, auf doppelter Punktetafel: An ihrem Ende beginnt ein Marker die zweite Tafel. "
        "Keine Bonuszüge, kein Tausch."
    ),
    "rules-3d": (
        "Steine dürfen auf Steinen liegen: beide Felder gleich hoch und nie genau auf einem Stein. Bis "
        "jeder Startstein einen Stein neben sich hat, muss jeder einen berühren, der noch keinen hat. "
        "Gezählt wird von oben gesehen. 18 und 27 bringen einen Bonuszug. Sind weniger als fünf Steine "
        "übrig, hat jeder noch einen Zug."
    ),
    "rules-cards": (
        "Spiele eine Karte: Jedes ihrer Symbole zählt jede offene Karte, die es zeigt. Ein Marker kommt "
        "erst in den nächsten Bereich (1-3, 4-6, 7-10), wenn alle sechs den vorigen erreicht haben. Du "
        "wählst, welches Symbol zuerst zählt. Ein Marker, der 10 erreicht, bringt einen Bonuszug. Am Ende "
        "deines Zuges geht deine älteste offene Karte. Wer alle sechs Marker auf 7 oder mehr hat, gewinnt "
        "sofort."
    ),
    "rules-duel": (
        "Rekonstruiert. Beide ziehen an denselben sechs Stiften: Deine Punkte bewegen einen Stift zu dir. "
        "Auf dem neunten Feld ist die Farbe gewonnen und bringt einen Bonuszug. Mehr Farben auf der "
        "eigenen Seite gewinnen."
    ),
}
