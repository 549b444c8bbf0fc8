"""German."""

from __future__ import annotations

from genial.core.messages import Message

MESSAGES: dict[str, Message] = {
    "bot-random": "Zufall",
    "bot-greedy": "Gierig",
    "bot-balanced": "Ausgewogen",
    "bot-level-1": "Pip",
    "bot-level-2": "Otto",
    "bot-level-3": "Juno",
    "bot-level-4": "Mira",
    "bot-level-5": "Enzo",
    "bot-level-6": "Ada",
    "bot-level-1-level": "Neuling",
    "bot-level-2-level": "Amateur",
    "bot-level-3-level": "Routinier",
    "bot-level-4-level": "Könner",
    "bot-level-5-level": "Profi",
    "bot-level-6-level": "Meister",
    "bot-level-1-character": "Fröhlich, nimmt die größte Zahl und übersieht Linien",
    "bot-level-2-character": "Gemütlich, achtet auf die schwächste Farbe und übersieht mal eine Linie",
    "bot-level-3-character": "Geduldig, übersieht keine Linie und bringt alle Farben voran",
    "bot-level-4-character": "Neugierig, probiert ein Dutzend Züge aus und schaut, wohin sie führen",
    "bot-level-5-character": "Gründlich, denkt an Tausende Arten, wie es weitergehen könnte",
    "bot-level-6-character": "Weitsichtig, rechnet die letzten Züge bis zum Ende aus",
    "bot-random-character": "Tut irgendetwas, was erlaubt ist",
    "bot-greedy-character": "Nimmt die meisten Punkte, egal in welcher Farbe",
    "bot-balanced-character": "Bringt alle Farben gleichmäßig voran",
    "bot-level-1-looks": "Schaut auf einen Zug, und nur auf Symbole in der Nähe",
    "bot-level-2-looks": "Schaut auf einen Zug, und auf Symbole etwas weiter weg",
    "bot-level-3-looks": "Schaut auf einen Zug und deine beste Antwort darauf",
    "bot-looks-ahead": "Probiert {width} Züge aus und schaut {nodes}-mal voraus",
    "bot-unknown": "Einen Bot „{name}“ gibt es nicht. Wähle {expected:or}.",
    "bot-untunable": "An {name} lässt sich nichts einstellen. Wähle {expected:or}.",
    "knob-unknown": "{bot} hat keinen Parameter {name}. Wähle {expected:or}.",
    "knob-value": "{got} geht für den Parameter {name} nicht. Nimm eine Zahl von {low} bis {high}.",
    "program-unreadable": "„{text}“ ist kein Befehl. Schreib ein Programm und seine Argumente, wie in einer Shell.",
    "program-name": "„{text}“ nennt kein Programm. Schreib NAME=BEFEHL, mit einem Namen aus 1 bis 40 Buchstaben und Ziffern. Vergeben sind {taken:and}.",
    "program-failed": "Das Programm {name} ist gescheitert: {problem}.",
}
