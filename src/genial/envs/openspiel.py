"""Every variant as a game of OpenSpiel 2, with explicit chance nodes. Needs the extra `openspiel`.

Importing this registers all of them: `pyspiel.load_game("genial_classic(players=3)")`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "These games need OpenSpiel. Install it with: pip install 'genial[openspiel]'", name=error.name
    ) from error

from genial.core.actions import Action, Place, Play, Refill, Swap
from genial.core.colours import COLOURS
from genial.core.determinize import determinize
from genial.core.notation import move_text, position_text
from genial.core.numbering import numbering
from genial.core.record import record_of
from genial.core.series import noted_points
from genial.core.tiles import ORDER, TILES, normal
from genial.core.title import Setup, Title, setup
from genial.core.titles import TITLES, title_of
from genial.core.viewdata import view_data
from genial.envs.chance import MOST_OUTCOMES, begin, outcome_numbers
from genial.envs.knowledge import most_chances, most_placements
from genial.envs.observers import PartObserver, PlayerObserver
from genial.envs.rewards import by_rank

_CHANCE, _TERMINAL = pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.TERMINAL


def load(variant: str, seats: int | None = None) -> GenialGame:
    """A variant as an OpenSpiel game; without `seats`, for as few as possible.

    >>> game = load("classic", seats=3)
    >>> str(game), game.num_distinct_actions()
    ('genial_classic(players=3)', 14366)
    """
    title = title_of(variant)
    _register(title)
    players = setup(title, title.seats[0] if seats is None else seats).seats
    game: GenialGame = pyspiel.load_game(name_of(variant), {"players": players})
    return game


def name_of(variant: str) -> str:
    """OpenSpiel's name for a variant.

    >>> name_of("3d-solo")
    'genial_3d_solo'
    """
    return f"genial_{variant.replace('-', '_')}"


class GenialGame(pyspiel.Game):  # type: ignore[misc]
    """A variant for one seat count; a subclass for each variant says which."""

    title: Title

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        title, asked = self.title, dict(params or {})
        self.setup = setup(title, int(asked.get("players", title.seats[0])))
        self.numbering = numbering(self.setup)
        self.start = begin(self.setup)
        super().__init__(_type_of(title), _info_of(self.setup), asked)

    def new_initial_state(self, state: object = None) -> GenialState:
        """A game before the first tile is drawn, or the state in a struct or dict from `to_struct`."""
        fresh = GenialState(self)
        if state is not None:
            told = state.to_dict() if isinstance(state, pyspiel.StateStruct) else state
            for number in _history_in(told):
                fresh.apply_action(number)
        return fresh

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> PlayerObserver | PartObserver:
        """An observer of states: by default of all a player may know, or of what is public or private."""
        if params:
            raise ValueError(f"These observers take no parameters, but got {params}.")
        if iig_obs_type is None:
            return PlayerObserver(self.setup, recalls=False)
        kind, recalls = iig_obs_type.private_info, bool(iig_obs_type.perfect_recall)
        if kind == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError(
                "There's no observer of all hands. Ask for one player's private information, or for none."
            )
        alone = kind == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if iig_obs_type.public_info and alone:
            return PlayerObserver(self.setup, recalls)
        return PartObserver(public=iig_obs_type.public_info, private=alone, recalls=recalls)

    def max_chance_nodes_in_history(self) -> int:
        return most_chances(self.setup)

    def __reduce__(self) -> tuple[object, ...]:
        return load, (self.title.variant, self.setup.seats)


class GenialState(pyspiel.State):  # type: ignore[misc]
    """One moment of a game. `moment` is a value that never changes; this holds the latest."""

    def __init__(self, game: GenialGame) -> None:
        super().__init__(game)
        self.moment = game.start

    # The required interface

    def current_player(self) -> int:
        moment = self.moment
        if moment.is_chance:
            return int(_CHANCE)
        return int(_TERMINAL) if moment.is_over else moment.position.seat

    def is_terminal(self) -> bool:
        return self.moment.is_over

    def _legal_actions(self, player: int) -> list[int]:
        position = self.moment.position
        return _numbers_in(numbering(position.setup).numbers_of(position.actions()))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        found = self.moment.outcomes()
        total = sum(weight for _, weight in found)
        return [(outcome, weight / total) for outcome, weight in found]

    def _apply_action(self, action: int) -> None:
        moment = self.moment
        if moment.is_chance:
            self.moment = moment.after_chance(action)
        else:
            self.moment = moment.after(numbering(moment.position.setup).action_of(action))

    def _action_to_string(self, player: int, action: int) -> str:
        found = self.moment.position.setup
        if player != _CHANCE:
            return move_text(found, numbering(found).action_of(action))
        stones = self.moment.stones
        return TILES[action] if stones is None else f"{COLOURS[len(stones)]} on start cell {action}"

    def returns(self) -> list[float]:
        """By rank: the share of opponents behind, minus the share ahead. Solo: the score."""
        found, end = self.moment.position.setup, self.moment.position.result
        if end is None:
            return [0.0] * found.seats
        if found.title.is_solo:
            return [float(noted_points(found, end, 0))]
        given: list[float] = by_rank(found, np.array(end.ranks)).tolist()
        return given

    def __str__(self) -> str:
        moment = self.moment
        words = [position_text(moment.position)]
        if moment.stones is not None:
            words.append(f"stones={'.'.join(map(str, moment.stones)) or '-'}")
        if moment.owed:
            words.append(f"drawn={'.'.join(moment.drawn) or '-'} of {moment.owed}")
        return " ".join(words)

    # Redealing what a player cannot know

    def resample_from_infostate(self, player: int, probability_sampler: Any) -> GenialState:
        """A state that the player cannot tell from this one, with its own history.

        `probability_sampler` gives numbers from 0 to 1, such as `pyspiel.UniformProbabilitySampler(0., 1.)`.
        """
        if self.moment.is_chance:
            raise ValueError("A state can be resampled where a player is to act, but this is a chance node.")
        rng = Random(int(probability_sampler() * (1 << 53)))
        redealt = determinize(self.moment.position.view({player}), rng)
        game = self.get_game()
        state: GenialState = game.new_initial_state()
        tiles = iter(outcome_numbers(redealt.events))
        for step in self.full_history():
            drawn = step.player == _CHANCE and state.moment.stones is None  # stones lie open
            state.apply_action(next(tiles) if drawn else step.action)
        return state

    # The same as structs

    def _to_struct(self) -> dict[str, Any]:
        moment = self.moment
        position = moment.position
        return {
            "variant": position.setup.title.variant,
            "players": position.setup.seats,
            "current_player": self.current_player(),
            "history": [int(action) for action in self.history()],
            "drawn": list(moment.drawn),
            "position": position_text(position),
            "record": record_of(position),
        }

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return view_data(self.moment.view(player))

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        if player == _CHANCE:
            if self.moment.stones is None:
                return {"type": "draw", "tile": TILES[action]}
            return {"type": "stone", "colour": COLOURS[len(self.moment.stones)], "cell": action}
        found = numbering(self.moment.position.setup).action_of(action)
        match found:
            case Place(tile, cells):
                return {"type": "place", "tile": tile, "cells": [list(cell) for cell in cells]}
            case Play(tile):
                return {"type": "play", "tile": tile}
        return {"type": "refill" if isinstance(found, Refill) else "swap"}

    def _struct_to_actions(self, told: Mapping[str, Any]) -> list[int]:
        kind = told.get("type")
        if kind == "draw":
            return [ORDER[normal(told["tile"])]]
        if kind == "stone":
            return [int(told["cell"])]
        position = self.moment.position
        found = numbering(position.setup)
        return [found.number_among(_action_in(told), found.numbers_of(position.actions()))]


def _numbers_in(bits: int) -> list[int]:
    """The members of a set of bits; faster than `members` if there are hundreds."""
    size = (bits.bit_length() + 7) // 8
    flags = np.unpackbits(np.frombuffer(bits.to_bytes(size, "little"), np.uint8), bitorder="little")
    found: list[int] = np.flatnonzero(flags).tolist()
    return found


def _history_in(told: object) -> list[int]:
    history = told.get("history") if isinstance(told, Mapping) else None
    if not isinstance(history, Sequence) or isinstance(history, str):
        raise ValueError("A state is told by an object with the key 'history', as to_struct() gives it.")
    return [int(number) for number in history]


def _action_in(told: Mapping[str, Any]) -> Action:
    match told.get("type"):
        case "place":
            (q, r), (s, t) = told["cells"]
            return Place(told["tile"], ((int(q), int(r)), (int(s), int(t))))
        case "play":
            return Play(told["tile"])
        case "refill":
            return Refill()
        case "swap":
            return Swap()
    raise ValueError(f"An action is a place, play, refill, swap, draw or stone, not {told.get('type')!r}.")


# Registration


def _type_of(title: Title) -> Any:
    kinds = pyspiel.GameType
    solo = title.is_solo
    return kinds(
        short_name=name_of(title.variant),
        long_name=f"Genial {title.variant}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        # In solo games nothing is hidden: what is in the bag follows from what has come out of it.
        information=kinds.Information.PERFECT_INFORMATION
        if solo
        else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if solo else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(title.seats),
        min_num_players=min(title.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={"players": title.seats[0]},
    )


def _info_of(found: Setup) -> Any:
    track, solo = found.title.track, found.title.is_solo
    return pyspiel.GameInfo(
        num_distinct_actions=numbering(found).count,
        max_chance_outcomes=MOST_OUTCOMES,
        num_players=found.seats,
        min_utility=float(min(track.lowest_step, 0)) if solo else -1.0,
        max_utility=float(track.highest_step) if solo else 1.0,
        utility_sum=None if solo else 0.0,
        max_game_length=most_placements(found) * (1 if solo else 2),
    )


_registered: set[str] = set()


def _register(title: Title) -> None:
    """Register a variant, but only once: OpenSpiel has no way to undo it.

    It keeps what it is given until after Python has ended. A class survives that; a function or a `partial`
    would make the process crash.
    """
    if title.variant not in _registered:
        pyspiel.register_game(_type_of(title), type("GenialGame", (GenialGame,), {"title": title}))
        _registered.add(title.variant)


for _title in TITLES.values():
    _register(_title)
