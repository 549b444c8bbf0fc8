"""Every variant by name in the registries of Gymnasium and PettingZoo, with and without seat count."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from genial.core.title import Setup, setup
from genial.core.titles import TITLES
from genial.envs.layout import env_id

OPPONENT = "balanced"
"""Who plays the other seats in an environment made by name through Gymnasium, unless `bots` is given."""


def register() -> list[str]:
    """Register every environment whose library is installed. Returns the names of all of them.

    `import genial.envs` does this. Call it again after `genial.register` has added an edition.

    >>> {"genial/classic-2-v0", "genial/classic-v0"} <= {*register()}
    True
    """
    found = {
        name: setup(title, seats)
        for title in TITLES.values()
        for seats in title.seats
        for name in _names(setup(title, seats))
    }
    gymnasium, pettingzoo = _library("gymnasium"), _library("pettingzoo.env_registry.registration")
    for name, one in found.items():
        told = {"variant": one.title.variant}
        if gymnasium and name not in gymnasium.registry:
            solo = one.title.is_solo
            gymnasium.register(
                name,
                "genial.envs:solo" if solo else "genial.envs:against",
                kwargs=told if solo else {**told, "seats": one.seats, "bots": OPPONENT},
                disable_env_checker=True,  # it checks every step; our tests run all of it
            )
        if pettingzoo and name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, "genial.envs:aec", kwargs={**told, "seats": one.seats})
    return [*found]


def _names(found: Setup) -> list[str]:
    """The names of a game: with its seats and, if they are the fewest for its variant, also without."""
    fewest = found.seats == min(found.title.seats)
    return [env_id(found), f"genial/{found.title.variant}-v0"] if fewest else [env_id(found)]


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        return None
