"""Dutch."""

from __future__ import annotations

from genial.core.messages import Message

MESSAGES: dict[str, Message] = {
    "bots-count": "Het aantal bots past niet bij de plekken: {got} genoemd, {seats} nodig. Noem er één voor alle plekken, of één per plek.",
    "games-count": "Neem minstens één spel en één proces.",
    "arena-bots": "In de arena heeft {mode} {fewest} tot en met {most} bots nodig, elk één keer genoemd. Je noemde: {got}.",
    "arena-bots-exactly": "In de arena heeft {mode} precies {most} bots nodig, elk één keer genoemd. Je noemde: {got}.",
    "arena-players": "De plekken van {variant:edition} zijn niet gelijk te verdelen (plekken: {seats}, bots: {got}). `genial arena solo` is voor solo-edities, de andere wedstrijden zijn voor alle andere.",
    "arena-question": "Dit valt niet te toetsen: {problem}. Kies een aandeel en risico's tussen 0 en 1.",
    "option-number": "{option} kan niet {got} zijn. Neem een getal boven 0.",
    "arena-file": "{path} is geen resultaat van de arena: {problem}.",
    "arena-log-other": "{path} hoort bij een andere wedstrijd. Noem met --out een ander bestand.",
    "arena-log-busy": "Een andere run van deze wedstrijd schrijft nu in {path}. Wacht tot die klaar is, of breek hem af.",
    "extra-missing": 'Hiervoor ontbreekt {package}: pip install "{install}".',
    "cluster-none": "Op {address} is geen Ray-cluster: {problem}.",
    "cluster-here": "{what} bestaat alleen op deze computer. Laat het weg, of laat --ray weg.",
    "cluster-node": "Een knooppunt van het cluster kan niet spelen: {problem}.",
    "cluster-lost": "Het Ray-cluster op {address} is weg. Wat klaar is, is opgeslagen: met dezelfde opdracht ga je op een ander cluster verder.",
    "tuning-file": "{path} is geen resultaat van genial tune: {problem}.",
    "tuning-other": "{path} hoort bij een andere run van genial tune. Noem met --out een ander bestand.",
    "train-card": "Er is geen grafische kaart om op te leren. {problem}",
    "train-part": "{option} kan niet {got} zijn. Neem een getal van 0 tot en met 1.",
    "train-batch": "--batch kan niet {got} zijn. Neem een veelvoud van {slice}.",
    "train-file": "{path} is geen bestand van genial train: {problem}. Noem met --folder een andere map.",
    "bench-file": "{path} is geen inzending voor Genial Bench: {problem}.",
    "bench-opponent": "{got} is geen tegenstander van Genial Bench. Kies uit: {expected}.",
    "bench-kernel": "{got} zouden slechter spelen dan hun naam zegt, omdat de snelle kernel niet te gebruiken is: {problem}",
}
