"""Search over information sets, by OpenSpiel's ISMCTS. Nothing is learned: how much do more simulations help?

    pip install 'genial[openspiel,rl]'
    python baselines/ismcts.py classic --simulations 16 64 256 --games 40 --out ismcts

Before each simulation OpenSpiel redeals what the player can't know. The tree is built on what the player has
seen, so all deals share it. Two things make it suitable for a game with a thousand lawful moves: a node has
only its likelier moves as children (the shortlist of td.py), and a leaf is judged by the current scoreboards,
where a point counts more the further behind its colour is. Every core plays its own games.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from random import Random
from typing import Any

import numpy as np
import pyspiel
from ladder import OPPONENTS, Run, options
from open_spiel.python.algorithms import ismcts
from td import Board

from genial import envs
from genial.arena.statistics import score_estimate
from genial.bots import bot_named
from genial.envs import openspiel

EXPLORES = 0.7
"""How much it is worth to try moves that were tried less often than others (UCT)."""
SEED = 2_026_000


class Judge:
    """OpenSpiel's interface of an evaluator: how good a state is, and which moves are likely."""

    def __init__(self, variant: str) -> None:
        self.board = Board(variant, 2)

    def evaluate(self, state: Any) -> list[float]:
        """For both seats, from -1 to 1: whose scoreboard is worth more."""
        one, other = (self.board.worth[list(track)].sum() for track in state.moment.position.tracks)
        lead = float(np.tanh(one - other))
        return [lead, -lead]

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """The moves to be considered, the likeliest first."""
        seat, lawful = state.current_player(), state.legal_actions()
        if len(lawful) > 2:
            seen = np.frombuffer(envs.observe(state.moment.view(seat, past=False), seat), np.uint8)
            mask = np.zeros((1, state.num_distinct_actions()), np.int8)
            mask[0, lawful] = 1
            lawful = self.board.after(seen[None], mask)[1].tolist()
        return [(action, 1 / len(lawful)) for action in lawful]


class Narrow(ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's search, restricted to the moves that the prior names."""

    def check_expand(self, node: Any, legal_actions: list[int]) -> int:
        """A likely move that hasn't been tried yet, if there is one."""
        return next((move for move in node.prior_map if move not in node.child_info), pyspiel.INVALID_ACTION)


def play(game: Any, search: Any, bot: Any, deal: int, seat: int) -> float:
    """Play one game against a bot, which sees what its seat may know. Returns the result, from 0 to 1."""
    state, chance = game.new_initial_state(), Random(SEED + deal)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            action = chance.choices(outcomes, weights)[0]
        elif state.current_player() == seat:
            action = search.step(state)
        else:
            view = state.moment.position.view({1 - seat})
            action = envs.numbering(game.setup).number_of(bot.choose(view, chance))
        state.apply_action(int(action))
    return (1 + state.returns()[seat]) / 2


@cache
def loaded(variant: str) -> tuple[Any, Judge]:
    """The game and its judge, once per process."""
    return openspiel.load(variant, seats=2), Judge(variant)


def score(variant: str, simulations: int, opponent: str, seed: int, number: int) -> float:
    """The result of one of many games, from 0 to 1; two of them share a deal, one in each seat."""
    game, judge = loaded(variant)
    search = Narrow(
        game,
        judge,
        EXPLORES,
        simulations,
        random_state=np.random.RandomState(seed + number),
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VALUE,
    )
    return play(game, search, bot_named(opponent), number // 2, number % 2)


def main() -> None:
    ask = options(__doc__, "ismcts", minutes=60)
    ask.add_argument("--simulations", type=int, nargs="+", default=[16, 64, 256], help="for each move")
    ask.set_defaults(variant="classic", games=40)
    asked = ask.parse_args()
    games = asked.games // 2 * 2
    run = Run("ISMCTS", asked, "simulations a move")
    with ProcessPoolExecutor() as cores:
        for simulations in asked.simulations:
            found = {}
            for name in OPPONENTS:
                scores: list[float] = []
                for brought in cores.map(
                    partial(score, asked.variant, simulations, name, asked.seed), range(games)
                ):
                    scores.append(brought)
                    run.tell(f"{simulations} simulations, {len(scores)} games against {name}")
                sets = np.reshape(scores, (-1, 2)).mean(1).tolist()
                found[name] = score_estimate(sets, len(scores))
            run.add(simulations, found)


if __name__ == "__main__":
    main()
