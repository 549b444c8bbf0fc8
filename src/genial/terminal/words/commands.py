"""What may be typed in line mode: each command, with its short form and its German and Dutch words."""

from __future__ import annotations

_COMMANDS: dict[str, tuple[str, ...]] = {
    "refill": ("r", "draw", "nachziehen", "bijtrekken"),
    "swap": ("s", "tauschen", "ruilen"),
    "undo": ("u", "zurück", "terug"),
    "help": ("h", "?", "hilfe"),
    "quit": ("q", "exit", "ende", "stop"),
    "board": ("brett", "bord", "cards", "karten", "kaarten"),
    "tracks": ("tafeln", "scoreborden"),
    "rack": ("hand", "bank", "rek"),
    "places": ("plätze", "plaatsen"),
    "preview": ("vorschau", "voorbeeld"),
    "look": ("feld", "veld", "cell"),
    "language": ("sprache", "taal"),
    "save": ("speichern", "bewaren"),
}

ALIASES = {alias: command for command, aliases in _COMMANDS.items() for alias in aliases}
"""The command that each other word stands for."""
