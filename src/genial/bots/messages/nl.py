"""Dutch."""

from __future__ import annotations

from genial.core.messages import Message

MESSAGES: dict[str, Message] = {
    "bot-random": "Willekeurig",
    "bot-greedy": "Gretig",
    "bot-balanced": "Evenwichtig",
    "bot-level-1": "Pip",
    "bot-level-2": "Otto",
    "bot-level-3": "Juno",
    "bot-level-4": "Mira",
    "bot-level-5": "Enzo",
    "bot-level-6": "Ada",
    "bot-level-1-level": "Beginner",
    "bot-level-2-level": "Liefhebber",
    "bot-level-3-level": "Gevorderde",
    "bot-level-4-level": "Kenner",
    "bot-level-5-level": "Expert",
    "bot-level-6-level": "Meester",
    "bot-level-1-character": "Vrolijk, pakt het hoogste getal en ziet lijnen over het hoofd",
    "bot-level-2-character": "Gemoedelijk, let op de laagste kleur en mist af en toe een lijn",
    "bot-level-3-character": "Geduldig, mist geen lijn en brengt alle kleuren vooruit",
    "bot-level-4-character": "Nieuwsgierig, probeert een stuk of twaalf zetten en kijkt waar ze toe leiden",
    "bot-level-5-character": "Grondig, denkt aan duizenden manieren waarop het verder kan gaan",
    "bot-level-6-character": "Vooruitziend, rekent de laatste zetten tot het einde uit",
    "bot-random-character": "Doet zomaar iets wat mag",
    "bot-greedy-character": "Pakt de meeste punten, in welke kleur dan ook",
    "bot-balanced-character": "Brengt alle kleuren gelijk vooruit",
    "bot-level-1-looks": "Kijkt naar één zet, en alleen naar symbolen dichtbij",
    "bot-level-2-looks": "Kijkt naar één zet, en naar symbolen iets verder weg",
    "bot-level-3-looks": "Kijkt naar één zet en jouw beste antwoord daarop",
    "bot-looks-ahead": "Probeert {width} zetten uit en kijkt {nodes} keer vooruit",
    "bot-unknown": "Een bot “{name}” bestaat niet. Kies {expected:or}.",
    "bot-untunable": "Aan {name} valt niets in te stellen. Kies {expected:or}.",
    "knob-unknown": "{bot} heeft geen parameter {name}. Kies {expected:or}.",
    "knob-value": "{got} kan niet voor de parameter {name}. Kies een getal van {low} tot en met {high}.",
    "program-unreadable": "“{text}” is geen opdracht. Schrijf een programma met zijn argumenten, zoals in een shell.",
    "program-name": "“{text}” noemt geen programma. Schrijf NAAM=OPDRACHT, met een naam van 1 tot en met 40 letters en cijfers. Bezet zijn {taken:and}.",
    "program-failed": "Het programma {name} is mislukt: {problem}.",
}
