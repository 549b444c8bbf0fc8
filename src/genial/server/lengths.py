"""How long a game is: turns of one player, measured over games of balanced bots."""

from __future__ import annotations

TURNS: dict[str, dict[int, int]] = {
    "classic": {2: 17, 3: 16, 4: 14},
    "classic-team": {4: 15},
    "classic-solo": {1: 38},
    "travel": {2: 18},
    "3d": {2: 19, 3: 15, 4: 13},
    "3d-solo": {1: 60},
    "cards": {2: 16, 3: 16, 4: 13},
    "duel": {2: 18},
}
"""By variant and seats; a bonus move belongs to the turn that earned it."""
