"""Dutch."""

from __future__ import annotations

from genial.core.messages import Message

WORDS: dict[str, Message] = {
    # People, tiles, cells
    "you": "Jij",
    "player": "Speler {number}",
    "two-colours": "{first} en {second}",
    "bag": ("{count} steen in de zak", "{count} stenen in de zak"),
    "pile": ("{count} kaart in de trekstapel", "{count} kaarten in de trekstapel"),
    "rack": "Je rek:",
    "hand": "Je hand:",
    "open-cards": "Open kaarten, de oudste eerst:",
    "goes-next": "{tile} gaat als volgende.",
    "has-lowest": "heeft je laagste kleur",
    "no-points": "geen punten",
    "brings-bonus": ("één bonusbeurt", "{count} bonusbeurten"),
    "bonus-move": "Bonusbeurt!",
    "cell-free": "vrij",
    "off-board": "buiten het bord",
    "height": "hoogte {height}",
    "start-symbol": "startsymbool",
    "other-half": "andere helft op {cell}",
    "direction-0": "rechts",
    "direction-1": "rechtsonder",
    "direction-2": "linksonder",
    "direction-3": "links",
    "direction-4": "linksboven",
    "direction-5": "rechtsboven",
    "phase-place": "een steen",
    "phase-end-turn": "het einde van de beurt, door bijtrekken of ruilen",
    "phase-deal": "het delen",
    "phase-draw": "het bijtrekken",
    "phase-ending": "het einde",
    "phase-over": "niets meer: het is afgelopen",
    # Tracks
    "track": "{name}: {places}. Laagste: {lowest}.",
    "all-six": "alle zes kleuren",
    "pegs": "Pennen: {pegs}.",
    "peg": "{colour} {places} naar {name} toe",
    "peg-middle": "{colour} in het midden",
    "peg-won": "{colour} gewonnen door {name}",
    # Events
    "event-place": "{name}: {tile} op {first} en {second}. {gain}.",
    "event-place-level": "{name}: {tile} op {first} en {second}, niveau {level}. {gain}.",
    "event-play": "{name}: kaart {tile}. {gain}.",
    "event-swap": "{name}: alles geruild; getoond werden {tiles}.",
    "event-draw": "{name}: getrokken {tiles}.",
    "event-draw-hidden": ("{name}: één getrokken.", "{name}: {count} getrokken."),
    "event-reshuffle": "De aflegstapel wordt de trekstapel.",
    "last-round": "Laatste ronde: ieder nog één beurt, er wordt niets getrokken.",
    # What a move brings
    "preview-sum": "Samen: {gain}.",
    "preview-moved": (
        "het fiche gaat maar {count} plaats vooruit",
        "het fiche gaat maar {count} plaatsen vooruit",
    ),
    # The end
    "game-over": "Het spel is afgelopen.",
    "place": "Plaats {rank}: {name}, vanaf het laagste fiche: {values}.",
    "place-pegs": "Plaats {rank}: {name}, {own} kleuren aan de eigen kant, samen {distance} plaatsen.",
    "place-solo": "{name}: laagste fiche {lowest}. Vanaf het laagste: {values}.",
    "shared": "Alles wat vergeleken wordt is gelijk: de eerste plaats wordt gedeeld.",
    "decided-lowest": "Beslist door het laagste fiche: {first} heeft {one}, {second} heeft {other}.",
    "decided": (
        "Tot daar gelijk; beslist door fiche {number} van onderen: {first} heeft {one}, {second} heeft "
        "{other}."
    ),
    "decided-colours": (
        "Beslist door de kleuren aan de eigen kant: {first} heeft {one}, {second} heeft {other}."
    ),
    "decided-distance": (
        "Evenveel kleuren; beslist door de afstanden: {first} heeft {one}, {second} heeft {other}."
    ),
    "record-in": "Het verslag staat in {path}",
    # Saving
    "saved": "Het spel is bewaard in {path}",
    "kept-in": "Het spel wordt na elke zet bewaard in {path}",
    "not-saved": "Het spel kon niet bewaard worden: {why}",
    "how-to-resume": "Verder spelen: genial play --resume {path}",
    "no-overwrite": "{path} bestaat al en is geen spel; er is niets geschreven.",
    "no-such-file": "{path} kan niet gelezen worden: {why}",
    # Line mode
    "greeting": "{title}. Spelers: {players}.",
    "type-help": "Typ help voor de opdrachten.",
    "reconstructed-note": (
        "Deze variant is gereconstrueerd: de gedrukte regels zijn verloren, delen ervan zijn onze keuze."
    ),
    "turn-of": "{name}, ronde {turn}.",
    "curtain-plain": (
        "Geef het toetsenbord aan {name}. {name}: druk op Enter als alleen jij naar het scherm kijkt."
    ),
    "unknown-input": "“{text}” is geen opdracht en geen zet. Typ help voor de opdrachten.",
    "no-such-tile": "Er is geen steen {number}; er zijn er {count}.",
    "where-to": "Zeg waar: typ {tile} en twee velden, zoals {tile} f6 f7.",
    "which-order": "De volgorde verandert de punten; typ een van: {orders}",
    "nothing-to-take-back": (
        "Er kan niets teruggenomen worden: alleen stenen van je eigen beurt, voordat je bijtrekt."
    ),
    "taken-back": "Teruggenomen.",
    "places-how": "Typ places en het nummer van een steen, zoals places 1; een tweede getal zegt hoeveel.",
    "places-shown": "{shown} van {count} zetten, de meeste punten eerst.",
    "preview-how": "Typ preview en een zet, zoals preview RB@f6,f7.",
    "look-how": "Typ look en de naam van een veld, zoals look f6.",
    "language-how": "Typ language en een van: {languages}.",
    "language-set": "De taal is Nederlands.",
    "which-game": "Welk spel? Typ het nummer.",
    "which-continue": "Typ c om verder te spelen: {game}",
    "people-wrong": "{people} mensen passen niet bij {seats} plaatsen.",
    "names-wrong": "{names} namen passen niet bij {seats} plaatsen.",
    "plain-help": (
        "Opdrachten:\n"
        "  RB@f6,f7           leg steen RB: rood op f6, blauw op f7 (ook: RB f6 f7)\n"
        "  1 f6 f7            leg steen 1 van je rek: het eerste symbool op f6\n"
        "  RB                 kaartspel: speel een kaart, rood telt eerst (ook: 1)\n"
        "  refill, r          je beurt beëindigen en bijtrekken\n"
        "  swap, s            je beurt beëindigen en alles ruilen, waar het mag\n"
        "  undo, u            de laatste steen van deze beurt terugnemen\n"
        "  places 1           de beste plaatsen voor steen 1; places 1 30 toont er 30\n"
        "  preview RB@f6,f7   wat een zet opbrengt, lijn voor lijn\n"
        "  board, tracks, rack, look f6\n"
        "  save BESTAND       schrijf een kopie; het spel wordt toch al na elke zet bewaard\n"
        "  language en        Engels (en), Duits (de) of Nederlands (nl)\n"
        "  quit, q            stoppen; het spel is bewaard\n"
        "Rijen hebben letters van boven af, velden nummers van links.\n"
        "R rode ster, O oranje zeshoek, Y gele zon, G groene schijf, B blauwe ster, P paarse ring."
    ),
    # The screen
    "your-turn": "Jij bent aan zet",
    "to-move": "{name} is aan zet",
    "round": "ronde {turn}",
    "tracks": "Scoreborden",
    "lowest": "laagste",
    "moves": "Zetten",
    "rack-hidden": ("{name}: één steen, verborgen", "{name}: {count} stenen, verborgen"),
    "tile-at-hand": "Je steen:",
    "mark-lowest": "^laag",
    "goes": "gaat als volgende",
    "open-cards-title": "Open kaarten",
    "first-scored": "{colour} eerst: {outcome}",
    "cursor-at": "{cell}: {text}",
    "turn-done": "Enter: bijtrekken. u: terugnemen.",
    "turn-done-swap": "Enter: bijtrekken. s: alles ruilen. u: terugnemen.",
    "bot-thinks": "{name} speelt …",
    "curtain-title": "Geef het toetsenbord aan {name}.",
    "curtain-hint": "{name}: druk op Enter als alleen jij naar het scherm kijkt.",
    "too-small": (
        "Deze terminal heeft {width} x {height} tekens; minstens {least_width} x {least_height} is nodig. "
        "Maak hem groter."
    ),
    "result-heading": "Fiches, het laagste eerst",
    "result-heading-pegs": "Eigen kleuren, hun afstanden",
    "decides": "beslist",
    "key-pick": "1-{count} steen",
    "key-pick-card": "1-{count} kaart",
    "key-move": "pijlen veld",
    "key-rotate": "r draai",
    "key-flip": "f keer om",
    "key-place": "Enter leg",
    "key-order": "r andere volgorde",
    "key-play": "Enter speel",
    "key-refill": "Enter trek",
    "key-swap": "s ruil",
    "key-undo": "u terug",
    "key-next": "spatie volgend",
    "key-heat": "m punten",
    "key-zoom": "z grootte",
    "key-help": "h hulp",
    "key-language": "l taal",
    "key-quit": "q stop",
    "key-skip": "spatie sneller",
    "key-again": "n nieuw spel",
    "key-look": "b bord",
    "key-back": "Esc terug",
    "key-result": "Enter uitslag",
    "start-continue": "Verder spelen: {game}",
    "start-quick": "Klassiek tegen balanced (p)",
    "start-variant": "Spel",
    "start-seats": "Spelers",
    "start-seat": "Plaats {number}",
    "start-person": "mens",
    "start-bot": "bot {name}",
    "start-go": "Begin dit spel",
    "start-hint": (
        "Omhoog en omlaag kiezen een regel, links en rechts veranderen hem, Enter begint. l taal, q stop."
    ),
    "unofficial": "Een onofficieel spelprogramma, zonder band met uitgevers of auteur.",
    "help-title": "Hulp",
    "help-keys": (
        "1 tot 6     kies een steen; dezelfde toets nog eens keert hem om\n"
        "pijlen      ga naar een veld (of klik erop; nog een klik draait de steen)\n"
        "spatie      volgend veld waar de steen past\n"
        "r, R, Tab   draai de steen om zijn eerste symbool\n"
        "f           keer om: het andere symbool komt eerst\n"
        "Enter       leg de steen; na de laatste: bijtrekken en de beurt beëindigen\n"
        "s           alles ruilen, als het aangeboden wordt\n"
        "u           neem een steen van deze beurt terug\n"
        "m           punten van de gekozen steen op elk veld\n"
        "z           grootte van het bord\n"
        "l           taal\n"
        "q           stoppen; het spel is bewaard"
    ),
    "help-marks": (
        "[✹]  de aanwijzer met de steen die gelegd wordt\n"
        "‹✹›  telt voor de steen\n"
        " ·   hier past de steen\n"
        "─ ╱ ╲  waar de andere helft van een steen ligt"
    ),
    "rules-board": (
        "Leg een steen op twee vrije velden naast elkaar. Elk van zijn symbolen telt de gelijke symbolen "
        "in rechte, ononderbroken lijnen vanaf dat symbool, in alle richtingen behalve die van de eigen "
        "andere helft. In de eerste ronde moet een steen een gedrukt symbool raken dat geen andere eerste "
        "steen raakt. Een kleur die 18 bereikt geeft meteen een bonusbeurt. Aan het einde van je beurt "
        "trek je bij; toont geen steen meer een van je laagste kleuren, dan mag je ze allemaal ruilen. Het "
        "spel eindigt als geen steen meer past of als al je zes fiches op 18 staan. Wie het hoogste "
        "laagste fiche heeft, wint; bij gelijke stand beslist het volgende."
    ),
    "rules-team": (
        "Partners zitten tegenover elkaar en delen een dubbel scorebord: bij 18 begint een fiche aan het "
        "tweede bord."
    ),
    "rules-solo": (
        "Steeds één steen, op een dubbel scorebord: aan het einde begint een fiche aan het tweede bord. "
        "Geen bonusbeurten, niet ruilen."
    ),
    "rules-3d": (
        "Stenen mogen op stenen liggen: beide velden even hoog, en nooit precies op één steen. Tot elke "
        "startsteen een steen naast zich heeft, moet elke steen er een raken die er nog geen heeft. Er "
        "wordt van bovenaf geteld. 18 en 27 geven een bonusbeurt. Zijn er minder dan vijf stenen over, dan "
        "heeft ieder nog één beurt."
    ),
    "rules-cards": (
        "Speel een kaart: elk symbool telt elke open kaart die het toont. Een fiche komt pas in het "
        "volgende gebied (1-3, 4-6, 7-10) als alle zes het vorige bereikt hebben. Jij kiest welk symbool "
        "eerst telt. Een fiche die 10 bereikt geeft een bonusbeurt. Aan het einde van je beurt gaat je "
        "oudste open kaart weg. Wie alle zes fiches op 7 of meer heeft, wint meteen."
    ),
    "rules-duel": (
        "Gereconstrueerd. Beide spelers trekken aan dezelfde zes pennen: jouw punten halen een pen naar je "
        "toe. Op de negende plaats is de kleur gewonnen en krijg je een bonusbeurt. Meer kleuren aan je "
        "eigen kant winnen."
    ),
}
