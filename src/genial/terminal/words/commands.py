"""What may be typed in line mode: each command, with its short form and its German and Dutch words."""

from __future__ import annotations

_COMMANDS: dict[str, tuple[str, ...]] = {
    "refill": ("r", "draw", "nachziehen", "aanvullen", "bijtrekken"),
    "swap": ("s", "tauschen", "omruilen", "ruilen"),
    "undo": ("u", "zurück", "zurücknehmen", "terug", "terugnemen"),
    "help": ("h", "?", "hilfe"),
    "rules": ("regeln", "spelregels"),
    "quit": ("q", "exit", "ende", "stop"),
    "board": ("spielplan", "brett", "bord", "cards", "karten", "kaarten"),
    "tracks": ("scores", "punkte", "punktetafel", "scoretabel"),
    "rack": ("hand", "ablagebank", "bank", "voorraadbank", "rek"),
    "places": ("moves", "züge", "zetten"),
    "preview": ("vorschau", "voorvertoning"),
    "look": ("feld", "veld", "cell"),
    "language": ("sprache", "taal"),
    "save": ("speichern", "opslaan"),
}

ALIASES = {alias: command for command, aliases in _COMMANDS.items() for alias in aliases}
"""The command that each alias stands for."""
