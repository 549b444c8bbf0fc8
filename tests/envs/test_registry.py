"""Every variant is registered by name, and missing libraries are named."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
from pettingzoo.env_registry.registration import aec_registry, make
from tests.play import GAMES

from genial import VARIANTS, envs

WITHOUT = """
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("gymnasium", "pettingzoo", "numpy"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from genial import envs
print(envs.schema("classic", 2)["title"])
for make in (lambda: envs.aec("classic"), lambda: envs.solo(), lambda: envs.vector("classic")):
    try:
        make()
    except ModuleNotFoundError as error:
        print(error)
"""


def test_every_game_is_registered() -> None:
    names = envs.register()
    with_seats = [f"genial/{variant}-{seats}-v0" for variant, seats in GAMES]
    assert [name for name in names if name in with_seats] == with_seats
    assert set(names) <= set(gymnasium.registry)
    assert set(names) <= set(aec_registry)


def test_a_variants_name_alone_means_the_fewest_seats() -> None:
    named = {name.split("/")[1].removesuffix("-v0"): name for name in envs.register()}
    for variant in VARIANTS:
        name, fewest = named.pop(variant), min(seats for each, seats in GAMES if each == variant)
        told = aec_registry[name].kwargs
        assert told == {"variant": variant, "seats": fewest}
        assert gymnasium.spec(name).kwargs == gymnasium.spec(f"genial/{variant}-{fewest}-v0").kwargs
        assert make("aec", name).max_num_agents == fewest
    assert len(named) == len(GAMES)


def test_without_the_libraries_it_says_what_to_install() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)
    first, *errors = done.stdout.splitlines()
    assert first == "genial/classic-2-v0"
    assert len(errors) == 3
    assert all("pip install 'genial[rl]'" in error for error in errors)
