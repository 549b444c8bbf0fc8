"""German."""

from __future__ import annotations

from genial.core.messages import Message

MESSAGES: dict[str, Message] = {
    "bots-count": "Die Zahl der Bots passt nicht zu den Plätzen: {got} genannt, {seats} nötig. Nenne einen für alle oder einen für jeden Platz.",
    "games-count": "Nimm mindestens eine Partie und einen Prozess.",
    "arena-bots": "Für {mode} braucht die Arena {fewest} bis {most} Bots, jeden einmal genannt. Genannt hast du: {got}.",
    "arena-bots-exactly": "Für {mode} braucht die Arena genau {most} Bots, jeden einmal genannt. Genannt hast du: {got}.",
    "arena-players": "Die Plätze von {variant:edition} lassen sich nicht gleichmäßig aufteilen (Plätze: {seats}, Bots: {got}). `genial arena solo` ist für Solo-Editionen, die anderen Wettkämpfe sind für alle übrigen.",
    "arena-question": "Das lässt sich nicht prüfen: {problem}. Nimm einen Anteil und Risiken zwischen 0 und 1.",
    "option-number": "{option} kann nicht {got} sein. Nimm eine Zahl über 0.",
    "arena-file": "{path} ist kein Ergebnis der Arena: {problem}.",
    "arena-log-other": "{path} gehört zu einem anderen Wettkampf. Nenne mit --out eine andere Datei.",
    "arena-log-busy": "Ein anderer Lauf dieses Wettkampfs schreibt gerade in {path}. Warte, bis er fertig ist, oder brich ihn ab.",
    "extra-missing": 'Dafür fehlt {package}: pip install "{install}".',
    "cluster-none": "Unter {address} gibt es keinen Ray-Cluster: {problem}.",
    "cluster-here": "{what} gibt es nur auf diesem Rechner. Lass es weg, oder lass --ray weg.",
    "cluster-node": "Ein Knoten des Clusters kann nicht spielen: {problem}.",
    "cluster-lost": "Der Ray-Cluster unter {address} ist weg. Fertige Partien sind gespeichert: Mit demselben Befehl geht es auf einem anderen Cluster weiter.",
    "tuning-file": "{path} ist kein Ergebnis von genial tune: {problem}.",
    "tuning-other": "{path} gehört zu einem anderen Lauf von genial tune. Nenne mit --out eine andere Datei.",
    "train-card": "Hier ist keine Grafikkarte, auf der sich lernen lässt. {problem}",
    "train-part": "{option} kann nicht {got} sein. Nimm eine Zahl von 0 bis 1.",
    "train-batch": "--batch kann nicht {got} sein. Nimm ein Vielfaches von {slice}.",
    "train-file": "{path} ist keine Datei von genial train: {problem}. Nenne mit --folder einen anderen Ordner.",
    "bench-file": "{path} ist keine Einsendung zu Genial Bench: {problem}.",
    "bench-opponent": "Gegen {got} wird bei Genial Bench nicht gespielt. Zur Auswahl stehen: {expected}.",
    "bench-kernel": "{got} würden schlechter spielen, als ihr Name sagt, weil sich der schnelle Kernel nicht benutzen lässt: {problem}",
}
