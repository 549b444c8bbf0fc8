"""German."""

from __future__ import annotations

from genial.core.messages import Message

WORDS: dict[str, Message] = {
    # People, tiles, spaces
    "you": "Du",
    "player": "Person {number}",
    "two-colours": "{first} und {second}",
    "double": "zweimal {colour}",
    "bag": ("{count} Stein im Beutel", "{count} Steine im Beutel"),
    "supply": ("{count} Stein im Vorrat", "{count} Steine im Vorrat"),
    "pile": ("{count} Karte im Nachziehstapel", "{count} Karten im Nachziehstapel"),
    "rack": "Deine Ablagebank:",
    "hand": "Deine Handkarten:",
    "tile-at-hand": "Dein Stein:",
    "open-cards": "Offene Karten, die älteste zuerst:",
    "goes-next": "{tile} wird als Nächste abgelegt.",
    "has-lowest": "mit deiner schwächsten Farbe",
    "no-points": "keine Punkte",
    "brings-bonus": ("ein Bonuszug", "{count} Bonuszüge"),
    "bonus-move": "Genial! Bonuszug.",
    "cell-free": "frei",
    "off-board": "außerhalb des Spielplans",
    "level": "Ebene {level}",
    "start-symbol": "aufgedrucktes Symbol",
    "start-stone": "Startstein",
    "other-half": "andere Hälfte auf {cell}",
    "direction-0": "rechts",
    "direction-1": "unten rechts",
    "direction-2": "unten links",
    "direction-3": "links",
    "direction-4": "oben links",
    "direction-5": "oben rechts",
    # Scores
    "track": "{name}: {places}. Am schwächsten: {lowest}.",
    "all-six": "alle sechs Farben",
    "pegs": "Gemeinsame Marker: {pegs}.",
    "peg": "{colour} {places} bei {name}",
    "peg-own": "{colour} {places} bei dir",
    "peg-middle": "{colour} in der Mitte",
    "peg-won": "{name} hat {colour} gewonnen",
    "peg-won-own": "du hast {colour} gewonnen",
    # Events
    "event-place": "{name}: {tile} auf {first} und {second}. {gain}.",
    "event-place-level": "{name}: {tile} auf {first} und {second}, Ebene {level}. {gain}.",
    "event-play": "{name}: Karte {tile}. {gain}.",
    "event-swap": "{name}: {tiles} getauscht.",
    "event-draw": "{name}: {tiles} nachgezogen.",
    "event-draw-hidden": "{name} zieht nach.",
    "event-reshuffle": "Der Ablagestapel wird neu gemischt und ist jetzt der Nachziehstapel.",
    "last-round": "Schlussrunde: Alle sind noch einmal dran, und niemand zieht mehr nach.",
    # What a move scores
    "preview-sum": "Zusammen: {gain}.",
    "preview-moved": ("davon zählt nur {count}", "davon zählen nur {count}"),
    # The end
    "game-over": "Die Partie ist zu Ende.",
    "rank-1": "1. Platz",
    "rank-2": "2. Platz",
    "rank-3": "3. Platz",
    "rank-4": "4. Platz",
    "place": "{rank}: {name}. Farben, die schwächste zuerst: {values}.",
    "place-pegs": (
        "{rank}: {name}. {count} Farbe, Abstände zusammen {distance}.",
        "{rank}: {name}. {count} Farben, Abstände zusammen {distance}.",
    ),
    "place-solo": "{name}: Deine schwächste Farbe steht auf {lowest}. Die schwächste zuerst: {values}.",
    "shared": "Völliger Gleichstand! Der 1. Platz wird geteilt.",
    "decided-lowest": "Die schwächste Farbe hat entschieden: {first} {one}, {second} {other}.",
    "decided": (
        "Gleichstand. Entschieden hat die {number}. Farbe von unten: {first} {one}, {second} {other}."
    ),
    "decided-colours": "Die Zahl der Farben hat entschieden: {first} {one}, {second} {other}.",
    "decided-distance": (
        "Gleich viele Farben. Die Abstände haben entschieden: {first} {one}, {second} {other}."
    ),
    "record-in": "Aufzeichnung: {path}",
    # Series
    "series-game": "Partie {game} von {games}",
    "series-begins": "Partie {game} von {games}. Erster Zug: {name}.",
    "series-after": "Serie nach Partie {game} von {games}:",
    "series-side": "{rank}: {name}, {games}",
    "series-won": "Sieg in der Serie: {names}.",
    "series-shared": "Gleichstand in der Serie: {names}.",
    # Saving
    "saved": "Deine Partie ist gespeichert: {path}",
    "kept-in": "Deine Partie wird nach jedem Zug gespeichert: {path}",
    "not-saved": "Deine Partie konnte nicht gespeichert werden: {why}",
    "how-to-resume": "Weiterspielen: genial play --resume {path}",
    "no-overwrite": (
        "{path} gibt es schon und ist keine Partie. Gespeichert wurde nichts. Nimm einen anderen Namen."
    ),
    "screen-missing": (
        "Für den ganzen Bildschirm fehlt das Paket textual: pip install textual. "
        "Oder spiel ohne, Zeile für Zeile: genial play --plain"
    ),
    "no-such-file": "{path} lässt sich nicht lesen: {why}",
    # Line mode
    "greeting": "{title}. Es spielen: {players}.",
    "type-help": "Mit help siehst du alle Befehle.",
    "reconstructed-note": (
        "Diese Edition ist rekonstruiert: Die gedruckte Anleitung ist verschollen, darum sind manche Regeln von uns."
    ),
    "kernel-missing": (
        "{names} spielt hier wie {others}, weil der kompilierte Kernel fehlt. "
        "Was du tun kannst, sagt dir der Befehl genial warmup.",
        "{names} spielen hier wie {others}, weil der kompilierte Kernel fehlt. "
        "Was du tun kannst, sagt dir der Befehl genial warmup.",
    ),
    "kernel-coming": (
        "Der Kernel wird gerade kompiliert. Bis er fertig ist, spielt {names} wie {others}.",
        "Der Kernel wird gerade kompiliert. Bis er fertig ist, spielen {names} wie {others}.",
    ),
    "turn-of": "{name}, Runde {turn}.",
    "curtain-plain": (
        "Gib die Tastatur an {name} weiter. {name}: Drück Enter, wenn sonst niemand den Bildschirm sieht."
    ),
    "curtain-undo-plain": "{name}: Mit undo kannst du deinen Zug vorher noch zurücknehmen.",
    "unknown-input": "„{text}“ ist weder ein Befehl noch ein Zug. Mit help siehst du alle Befehle.",
    "no-such-tile": "Stein {number} gibt es nicht. Wähle einen von 1 bis {count}.",
    "no-such-card": "Karte {number} gibt es nicht. Wähle eine von 1 bis {count}.",
    "where-to": "Sag, wohin: Gib {tile} und zwei Felder ein, zum Beispiel {tile} f6 f7.",
    "which-order": "Auf die Reihenfolge kommt es an. Gib eines davon ein: {orders}",
    "nothing-to-take-back": ("Es gibt nichts zurückzunehmen. Das geht nur, solange niemand nachgezogen hat."),
    "taken-back": "Zurückgenommen.",
    "places-how": (
        "Gib places und die Nummer eines Steins ein, zum Beispiel places 1. Mit einer zweiten Zahl siehst "
        "du mehr Züge."
    ),
    "places-shown": "{shown} von {count}, die meisten Punkte zuerst.",
    "preview-how": "Gib preview und einen Zug ein, zum Beispiel preview RB@f6,f7.",
    "look-how": "Gib look und ein Feld ein, zum Beispiel look f6.",
    "language-how": "Gib language und eines davon ein: {languages}.",
    "language-set": "Ab jetzt auf Deutsch.",
    "which-game": (
        "Welche Edition? Gib ihre Nummer ein. Für eine Serie dazu die Zahl der Partien, zum Beispiel 1 3."
    ),
    "which-continue": "Gib c ein, um weiterzuspielen: {game}",
    "people-wrong": "{people} Personen passen hier nicht. Wähle eine Zahl von 0 bis {seats}.",
    "names-wrong": "{names} Namen sind zu viele. Platz ist für {seats}.",
    "plain-help": (
        "Befehle:\n"
        "  RB@f6,f7           Stein RB legen: Rot auf f6, Blau auf f7 (oder: RB f6 f7)\n"
        "  1 f6 f7            Stein 1 deiner Ablagebank legen: sein erstes Symbol auf f6\n"
        "  RB                 Kartenspiel: Karte ausspielen und Rot zuerst werten (oder: 1)\n"
        "  refill, r          nachziehen und den Zug beenden\n"
        "  swap, s            alle Steine oder Handkarten tauschen und den Zug beenden, wenn du darfst\n"
        "  undo, u            den letzten Zug zurücknehmen, solange niemand nachgezogen hat\n"
        "  places 1           die besten Züge mit Stein 1; places 1 30 zeigt 30\n"
        "  preview RB@f6,f7   was ein Zug bringt, Linie für Linie\n"
        "  board, tracks, rack, look f6\n"
        "  save DATEI         eine Kopie speichern; gespeichert wird ohnehin nach jedem Zug\n"
        "  rules              die Regeln in Kürze\n"
        "  language en        Englisch (en), Deutsch (de) oder Niederländisch (nl)\n"
        "  quit, q            aufhören; deine Partie ist gespeichert\n"
        "Reihen haben Buchstaben, von oben an. Felder haben Nummern, von links an.\n"
        "R roter zwölfzackiger Stern, O oranges Sechseck, Y gelbe Sonne,\n"
        "G grüner Kreis, B blauer sechszackiger Stern, P lila Ring."
    ),
    # The screen
    "your-turn": "Du bist dran",
    "to-move": "{name} ist dran",
    "your-bonus": "Genial! Dein Bonuszug",
    "bonus-of": "Genial! Bonuszug: {name}",
    "round": "Runde {turn}",
    "lowest": "schwächste",
    "moves": "Züge",
    "rack-hidden": ("{name}: {count} Stein, verdeckt", "{name}: {count} Steine, verdeckt"),
    "hand-hidden": ("{name}: {count} Karte, verdeckt", "{name}: {count} Karten, verdeckt"),
    "mark-lowest": "^schwach",
    "goes": "wird als Nächste abgelegt",
    "open-cards-title": "Offene Karten",
    "first-scored": "{colour} zuerst: {outcome}",
    "cursor-at": "{cell}: {text}",
    "turn-done": "Enter: nachziehen. u: zurücknehmen.",
    "turn-done-swap": "Enter: nachziehen. s: tauschen. u: zurücknehmen.",
    "bot-thinks": "{name} überlegt …",
    "bot-failed": "{name} hat diesen Zug nicht geschafft. Ein anderer Bot hat ihn gespielt.",
    "curtain-title": "Gib die Tastatur an {name} weiter.",
    "curtain-hint": "{name}: Drück Enter, wenn sonst niemand den Bildschirm sieht.",
    "curtain-undo": "{name}: Mit u kannst du deinen Zug vorher noch zurücknehmen.",
    "too-small": (
        "Dein Terminal hat {width} x {height} Zeichen. Zum Spielen braucht es mindestens {least_width} x "
        "{least_height}."
    ),
    "result-heading": "Farben, die schwächste zuerst",
    "result-heading-pegs": "Farben, Abstände zusammen",
    "decides": "entscheidet",
    "key-pick": "1-{count} Stein",
    "key-pick-card": "1-{count} Karte",
    "key-move": "Pfeile Feld",
    "key-rotate": "r drehen",
    "key-flip": "f wenden",
    "key-place": "Enter legen",
    "key-order": "r andere Reihenfolge",
    "key-play": "Enter ausspielen",
    "key-refill": "Enter nachziehen",
    "key-swap": "s tauschen",
    "key-undo": "u zurücknehmen",
    "key-next": "Leertaste weiter",
    "key-heat": "m Punkte",
    "key-zoom": "z Größe",
    "key-help": "h Hilfe",
    "key-language": "l Sprache",
    "key-quit": "q Ende",
    "key-skip": "Leertaste schneller",
    "key-again": "n Revanche",
    "key-next-game": "n nächste Partie",
    "key-look": "b Spielplan",
    "key-back": "Esc zurück",
    "key-result": "Enter Ergebnis",
    "start-continue": "Weiterspielen: {game}",
    "start-quick": "{title} gegen {bot} (p)",
    "start-variant": "Edition",
    "start-seats": "Plätze",
    "start-seat": "Platz {number}",
    "start-person": "Person",
    "start-bot": "Bot: {name}",
    "start-games": "Partien",
    "start-go": "Partie beginnen",
    "start-hint": (
        "Auf und ab wählen die Zeile, links und rechts ändern sie, Enter beginnt. Mit n gibst du einer "
        "Person einen Namen. l Sprache, q Ende."
    ),
    "start-name-field": "Name für Platz {number}",
    "start-name-hint": "Gib einen Namen ein. Enter übernimmt ihn, Esc lässt alles, wie es war.",
    "unofficial": "Inoffiziell: ohne Verbindung zu den Verlagen oder zum Autor.",
    "help-title": "Hilfe",
    "help-keys": (
        "1 bis 6     Stein wählen; dieselbe Taste noch einmal wendet ihn\n"
        "Pfeile      zu einem anderen Feld (oder Klick; noch einer dreht den Stein)\n"
        "Leertaste   zur nächsten Stelle, an die der Stein passt\n"
        "r, R, Tab   den Stein um sein erstes Symbol drehen\n"
        "f           den Stein wenden: Das andere Symbol kommt zuerst\n"
        "Enter       Stein legen; nach dem letzten: nachziehen und Zug beenden\n"
        "s           tauschen, wenn du darfst\n"
        "u           einen Zug zurücknehmen, solange niemand nachgezogen hat\n"
        "m           Punkte des gewählten Steins auf allen Feldern\n"
        "z           Größe des Spielplans\n"
        "l           Sprache\n"
        "q           aufhören; deine Partie ist gespeichert"
    ),
    "help-marks": (
        "[✹]  der Zeiger mit dem Stein, den du legst\n"
        "‹✹›  zählt für diesen Stein\n"
        " ·   hier passt der Stein\n"
        "─ ╱ ╲  wo die andere Hälfte eines Steins liegt"
    ),
    "help-keys-cards": (
        "1 bis 6     Karte wählen; noch einmal: anderes Symbol zuerst werten\n"
        "r, f        das andere Symbol zuerst werten\n"
        "Enter       ausspielen; nach der letzten: nachziehen und Zug beenden\n"
        "s           alle Handkarten tauschen, wenn du darfst\n"
        "u           einen Zug zurücknehmen, solange niemand nachgezogen hat\n"
        "l           Sprache\n"
        "q           aufhören; deine Partie ist gespeichert"
    ),
    "help-marks-cards": ("‹✹›  zählt für diese Karte"),
}
