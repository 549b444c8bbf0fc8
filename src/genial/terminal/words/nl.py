"""Dutch."""

from __future__ import annotations

from genial.core.messages import Message

WORDS: dict[str, Message] = {
    # People, tiles, spaces
    "you": "Jij",
    "player": "Speler {number}",
    "two-colours": "{first} en {second}",
    "double": "dubbel {colour}",
    "bag": ("{count} steen in de buidel", "{count} stenen in de buidel"),
    "supply": ("{count} steen in de pot", "{count} stenen in de pot"),
    "pile": ("{count} kaart in de trekstapel", "{count} kaarten in de trekstapel"),
    "rack": "Je voorraadbank:",
    "hand": "Je hand:",
    "tile-at-hand": "Je steen:",
    "open-cards": "Open kaarten, de oudste eerst:",
    "goes-next": "{tile} gaat hierna naar de aflegstapel.",
    "has-lowest": "met je laagste kleur",
    "no-points": "geen punten",
    "brings-bonus": ("een bonusbeurt", "{count} bonusbeurten"),
    "bonus-move": "Geniaal! Bonusbeurt.",
    "cell-free": "leeg",
    "off-board": "buiten het bord",
    "level": "niveau {level}",
    "start-symbol": "afgedrukt symbool",
    "start-stone": "startsteen",
    "other-half": "andere helft op {cell}",
    "direction-0": "rechts",
    "direction-1": "rechtsonder",
    "direction-2": "linksonder",
    "direction-3": "links",
    "direction-4": "linksboven",
    "direction-5": "rechtsboven",
    # Scores
    "track": "{name}: {places}. Laagste: {lowest}.",
    "all-six": "alle zes de kleuren",
    "pegs": "Gezamenlijke staafjes: {pegs}.",
    "peg": "{colour} {places} naar {name}",
    "peg-own": "{colour} {places} naar jou",
    "peg-middle": "{colour} in het midden",
    "peg-won": "{name} heeft {colour} gewonnen",
    "peg-won-own": "jij hebt {colour} gewonnen",
    # Events
    "event-place": "{name}: {tile} op {first} en {second}. {gain}.",
    "event-place-level": "{name}: {tile} op {first} en {second}, niveau {level}. {gain}.",
    "event-play": "{name}: kaart {tile}. {gain}.",
    "event-swap": "{name}: {tiles} omgeruild.",
    "event-draw": "{name}: {tiles} getrokken.",
    "event-draw-hidden": "{name} vult aan.",
    "event-reshuffle": "De aflegstapel is opnieuw geschud en is nu de trekstapel.",
    "last-round": "Laatste ronde: iedereen nog één beurt, zonder aan te vullen.",
    # What a move scores
    "preview-sum": "Samen: {gain}.",
    "preview-moved": ("daarvan telt er maar {count}", "daarvan tellen er maar {count}"),
    # The end
    "game-over": "Het spel is afgelopen.",
    "rank-1": "1e plaats",
    "rank-2": "2e plaats",
    "rank-3": "3e plaats",
    "rank-4": "4e plaats",
    "place": "{rank}: {name}. Kleuren, de laagste eerst: {values}.",
    "place-pegs": (
        "{rank}: {name}. {count} kleur, afstand samen {distance}.",
        "{rank}: {name}. {count} kleuren, afstand samen {distance}.",
    ),
    "place-solo": "{name}: je laagste kleur staat op {lowest}. Kleuren, de laagste eerst: {values}.",
    "shared": "Precies gelijk! De eerste plaats wordt gedeeld.",
    "decided-lowest": "De laagste kleur gaf de doorslag: {first} {one}, {second} {other}.",
    "decided": (
        "Gelijke stand. Kleur {number} van onderen gaf de doorslag: {first} {one}, {second} {other}."
    ),
    "decided-colours": "Het aantal kleuren gaf de doorslag: {first} {one}, {second} {other}.",
    "decided-distance": "Evenveel kleuren. De afstand gaf de doorslag: {first} {one}, {second} {other}.",
    "record-in": "Spelbestand: {path}",
    # Series
    "series-game": "spel {game} van {games}",
    "series-begins": "Spel {game} van {games}. Eerste beurt: {name}.",
    "series-after": "Reeks na spel {game} van {games}:",
    "series-side": "{rank}: {name}, {games}",
    "series-won": "Winnaar van de reeks: {names}.",
    "series-shared": "Gelijke stand in de reeks: {names}.",
    # Saving
    "saved": "Je spel is opgeslagen: {path}",
    "kept-in": "Je spel wordt na elke zet opgeslagen: {path}",
    "not-saved": "Je spel kon niet worden opgeslagen: {why}",
    "how-to-resume": "Verder spelen: genial play --resume {path}",
    "no-overwrite": "{path} bestaat al en is geen spel. Er is niets opgeslagen. Kies een andere naam.",
    "screen-missing": (
        "Voor het volledige scherm is het pakket textual nodig: pip install textual. "
        "Of speel zonder, regel voor regel: genial play --plain"
    ),
    "no-such-file": "{path} kan niet worden gelezen: {why}",
    # Line mode
    "greeting": "{title}. Spelers: {players}.",
    "type-help": "Typ help om alle opdrachten te zien.",
    "reconstructed-note": (
        "Deze editie is gereconstrueerd: de gedrukte spelregels zijn zoek, dus sommige regels zijn van ons."
    ),
    "kernel-missing": (
        "{names} speelt hier zoals {others}, omdat de gecompileerde kernel ontbreekt. "
        "Wat je kunt doen, zegt de opdracht genial warmup.",
        "{names} spelen hier zoals {others}, omdat de gecompileerde kernel ontbreekt. "
        "Wat je kunt doen, zegt de opdracht genial warmup.",
    ),
    "kernel-coming": (
        "De kernel wordt nog gecompileerd. Tot die klaar is, speelt {names} zoals {others}.",
        "De kernel wordt nog gecompileerd. Tot die klaar is, spelen {names} zoals {others}.",
    ),
    "turn-of": "{name}, ronde {turn}.",
    "curtain-plain": (
        "Geef het toetsenbord aan {name}. {name}, druk op Enter als niemand anders het scherm kan zien."
    ),
    "curtain-undo-plain": "{name}, typ undo als je eerst je zet wilt terugnemen.",
    "unknown-input": "“{text}” is geen opdracht en geen zet. Typ help om alle opdrachten te zien.",
    "no-such-tile": "Er is geen steen {number}. Kies er een van 1 tot en met {count}.",
    "no-such-card": "Er is geen kaart {number}. Kies er een van 1 tot en met {count}.",
    "where-to": "Zeg waar: typ {tile} en twee velden, bijvoorbeeld {tile} f6 f7.",
    "which-order": "De volgorde maakt verschil. Typ een van deze: {orders}",
    "nothing-to-take-back": "Er valt niets terug te nemen. Dat kan alleen zolang niemand heeft aangevuld.",
    "taken-back": "Teruggenomen.",
    "places-how": (
        "Typ places en het nummer van een steen, bijvoorbeeld places 1. Met een tweede getal zie je meer "
        "zetten."
    ),
    "places-shown": "{shown} van {count}, de meeste punten eerst.",
    "preview-how": "Typ preview en een zet, bijvoorbeeld preview RB@f6,f7.",
    "look-how": "Typ look en een veld, bijvoorbeeld look f6.",
    "language-how": "Typ language en een van deze: {languages}.",
    "language-set": "Vanaf nu in het Nederlands.",
    "which-game": (
        "Welke editie? Typ het nummer. Voor een reeks typ je erachter hoeveel spellen, bijvoorbeeld 1 3."
    ),
    "which-continue": "Typ c om verder te spelen: {game}",
    "people-wrong": "{people} mensen passen hier niet. Kies een getal van 0 tot en met {seats}.",
    "names-wrong": "{names} namen is te veel. Er is plek voor {seats}.",
    "plain-help": (
        "Opdrachten:\n"
        "  RB@f6,f7           leg steen RB: rood op f6, blauw op f7 (of: RB f6 f7)\n"
        "  1 f6 f7            leg steen 1 van je voorraadbank: het eerste symbool op f6\n"
        "  RB                 kaartspel: speel een kaart uit en scoor eerst rood (of: 1)\n"
        "  refill, r          vul aan en beëindig je beurt\n"
        "  swap, s            ruil je stenen of je hand om en beëindig je beurt, als het mag\n"
        "  undo, u            neem je laatste zet terug, zolang niemand heeft aangevuld\n"
        "  places 1           de beste zetten met steen 1; places 1 30 geeft er 30\n"
        "  preview RB@f6,f7   wat een zet oplevert, lijn voor lijn\n"
        "  board, tracks, rack, look f6\n"
        "  save BESTAND       sla een kopie op; je spel wordt toch al na elke zet opgeslagen\n"
        "  rules              de spelregels in het kort\n"
        "  language en        Engels (en), Duits (de) of Nederlands (nl)\n"
        "  quit, q            stoppen; je spel is opgeslagen\n"
        "Rijen hebben letters, van boven af. Velden hebben nummers, van links af.\n"
        "R rode twaalfpuntige ster, O oranje zeshoek, Y gele zon,\n"
        "G groene schijf, B blauwe zespuntige ster, P paarse ring."
    ),
    # The screen
    "your-turn": "Jij bent aan de beurt",
    "to-move": "{name} is aan de beurt",
    "your-bonus": "Geniaal! Jouw bonusbeurt",
    "bonus-of": "Geniaal! Bonusbeurt: {name}",
    "round": "ronde {turn}",
    "lowest": "laagste kleur",
    "moves": "Zetten",
    "rack-hidden": ("{name}: {count} steen, dicht", "{name}: {count} stenen, dicht"),
    "hand-hidden": ("{name}: {count} kaart, dicht", "{name}: {count} kaarten, dicht"),
    "mark-lowest": "^laagst",
    "goes": "hierna afgelegd",
    "open-cards-title": "Open kaarten",
    "first-scored": "{colour} eerst: {outcome}",
    "cursor-at": "{cell}: {text}",
    "turn-done": "Enter: aanvullen. u: terugnemen.",
    "turn-done-swap": "Enter: aanvullen. s: omruilen. u: terugnemen.",
    "bot-thinks": "{name} denkt na …",
    "bot-failed": "{name} kreeg deze beurt niet af. Een andere bot heeft hem gespeeld.",
    "curtain-title": "Geef het toetsenbord aan {name}.",
    "curtain-hint": "{name}, druk op Enter als niemand anders het scherm kan zien.",
    "curtain-undo": "{name}, druk op u als je eerst je zet wilt terugnemen.",
    "too-small": (
        "Je terminal is {width} x {height}. Maak hem minstens {least_width} x {least_height} om te spelen."
    ),
    "result-heading": "Kleuren, de laagste eerst",
    "result-heading-pegs": "Kleuren, afstand samen",
    "decides": "gaf de doorslag",
    "key-pick": "1-{count} steen",
    "key-pick-card": "1-{count} kaart",
    "key-move": "pijlen veld",
    "key-rotate": "r draaien",
    "key-flip": "f omkeren",
    "key-place": "Enter leggen",
    "key-order": "r andere volgorde",
    "key-play": "Enter uitspelen",
    "key-refill": "Enter aanvullen",
    "key-swap": "s omruilen",
    "key-undo": "u terugnemen",
    "key-next": "Spatie volgende",
    "key-heat": "m punten",
    "key-zoom": "z grootte",
    "key-help": "h hulp",
    "key-language": "l taal",
    "key-quit": "q stoppen",
    "key-skip": "Spatie sneller",
    "key-again": "n revanche",
    "key-next-game": "n volgend spel",
    "key-look": "b bord",
    "key-back": "Esc terug",
    "key-result": "Enter uitslag",
    "start-continue": "Verder spelen: {game}",
    "start-quick": "{title} tegen {bot} (p)",
    "start-variant": "Editie",
    "start-seats": "Spelers",
    "start-seat": "Plek {number}",
    "start-person": "mens",
    "start-bot": "bot: {name}",
    "start-games": "Spellen",
    "start-go": "Spel beginnen",
    "start-hint": (
        "Omhoog en omlaag kiezen een regel, links en rechts veranderen hem, Enter begint. Met n typ je een "
        "naam. l taal, q stoppen."
    ),
    "start-name-field": "Naam voor plek {number}",
    "start-name-hint": "Typ een naam. Enter neemt hem over, Esc laat alles zoals het was.",
    "unofficial": "Onofficieel: zonder band met de uitgevers of de auteur.",
    "help-title": "Hulp",
    "help-keys": (
        "1 tot 6     kies een steen; dezelfde toets nog eens keert hem om\n"
        "pijlen      naar een ander veld (of klik; nog een klik draait de steen)\n"
        "spatiebalk  ga naar de volgende plek waar de steen past\n"
        "r, R, Tab   draai de steen om zijn eerste symbool\n"
        "f           keer de steen om: het andere symbool komt eerst\n"
        "Enter       leg de steen; na je laatste: vul aan en beëindig je beurt\n"
        "s           ruil om, als het mag\n"
        "u           neem een zet terug, zolang niemand heeft aangevuld\n"
        "m           punten van de gekozen steen op alle velden\n"
        "z           grootte van het bord\n"
        "l           taal\n"
        "q           stoppen; je spel is opgeslagen"
    ),
    "help-marks": (
        "[✹]  de aanwijzer, met de steen die je legt\n"
        "‹✹›  telt voor deze steen\n"
        " ·   hier past de steen\n"
        "─ ╱ ╲  waar de andere helft van een steen ligt"
    ),
    "help-keys-cards": (
        "1 tot 6     kies een kaart; nog eens: scoor eerst het andere symbool\n"
        "r, f        scoor eerst het andere symbool\n"
        "Enter       speel uit; na je laatste: vul aan en beëindig je beurt\n"
        "s           ruil je hand om, als het mag\n"
        "u           neem een zet terug, zolang niemand heeft aangevuld\n"
        "l           taal\n"
        "q           stoppen; je spel is opgeslagen"
    ),
    "help-marks-cards": ("‹✹›  telt voor deze kaart"),
}
