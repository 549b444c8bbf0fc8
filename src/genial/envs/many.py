"""Many games at once as a Gymnasium vector environment: on all cores, or on a graphics card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from genial.bots.worth import balanced_worth
from genial.core.title import Setup
from genial.envs.one_game import IllegalMove, refusal
from genial.envs.rewards import GIVEN, checked, leads, tracks_of
from genial.kernel.api import Game
from genial.kernel.state import NOBODY
from genial.kernel.worth import worth_table

ManyPolicy = Callable[[Any, Any], Any]
"""Chooses an action for each row of observations and masks, with one byte per action."""
Rival = str | ManyPolicy
"""A bot that the kernel plays in many games at once, or a policy."""
_RIVALS = {"cpu": ("random", "greedy", "balanced"), "cuda": ("random", "greedy")}
"""The bots that each device can play."""
_LEFT_OUT = -1
"""Not an action number: the kernel leaves such a game as it is."""
_CUDA = 2
"""DLPack's code for an NVIDIA card."""


class ManyGames(VectorEnv[Any, Any, Any]):
    """Games of one kind, stepped together.

    Without bots, the seat to move acts in every game: `info["seat"]` says which, and rewards are an array of
    games by seats. With bots, one seat acts, which rotates clockwise from game to game; a bot is `random`,
    `greedy`, `balanced` (not on a card) or a policy. In solo games and with bots there is one reward per
    game.

    Finished games restart automatically. In the mode SAME_STEP the observation already belongs to the new
    game, and `info["final_obs"]` has the last one of the old; in NEXT_STEP the action after the end is
    ignored. `info["ranks"]` has the ranks of the games marked in `info["_ranks"]`.

    `masks`: "bytes" for one byte per action, "bits" for one bit each, None for none. `observations=False`
    leaves out the observations, `final_obs=False` the last ones. `buffers`: your own arrays to be written in
    place (`observations`, `masks`, `rewards`, `terminals`, `truncations`). `copy=False` returns the buffers
    themselves, which the next step overwrites. `check=False` skips unlawful actions instead of raising
    `IllegalMove`, and `info["unlawful"]` counts them. `threads` limits how many cores are used.

    On a card all arrays stay there; `torch.from_dlpack` and `jax.dlpack.from_dlpack` take them as they are.
    There, `final_obs`, `copy` and `check` are off unless you ask for them. A step never waits for the card
    unless it checks actions or has bots, which need to know whether it is your turn again in all games.
    """

    def __init__(
        self,
        variant: str,
        seats: int | None = None,
        count: int = 1024,
        device: str = "cpu",
        *,
        bots: Rival | Sequence[Rival] | None = None,
        reward: str = "rank",
        masks: Literal["bytes", "bits"] | None = "bytes",
        observations: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        final_obs: bool | None = None,
        buffers: Mapping[str, Any] | None = None,
        copy: bool | None = None,
        check: bool | None = None,
        threads: int | None = None,
    ) -> None:
        game = self.game = Game.of(variant, seats)
        self._setup, self.num_envs = game.tables.setup, count
        self._batch, self._xp = _batch(game, count, device, threads)
        here = device == "cpu"
        self._reward = checked(self._setup, reward)
        self._copy, self._check = here if copy is None else copy, here if check is None else check
        self._final = (here if final_obs is None else final_obs) and observations
        mode = AutoresetMode(autoreset_mode)
        if mode is AutoresetMode.DISABLED or (mode is AutoresetMode.NEXT_STEP and not self._final):
            raise ValueError("Choose the mode SAME_STEP, or NEXT_STEP with observations and final_obs.")
        self._next_step = mode is AutoresetMode.NEXT_STEP
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.single_action_space = spaces.Discrete(game.actions)
        self.single_observation_space = spaces.Box(0, 255, (game.observation_bytes,), np.uint8)
        self.action_space = batch_space(self.single_action_space, count)
        self.observation_space = batch_space(self.single_observation_space, count)
        self._rivals = None if bots is None else _rivals(bots, self._setup.seats - 1, device)
        self._worth = _worth(self._setup) if "balanced" in (self._rivals or ()) else None
        xp, seated = self._xp, self._setup.seats
        self._own = xp.zeros(count, np.uint8)
        """With bots, the agent's seat in each game."""
        self._viewers = xp.full(count, NOBODY, np.uint8) if self._rivals is None else self._own
        self._seats = xp.zeros(count, np.uint8)
        self._one_reward = seated == 1 or self._rivals is not None
        given, wide = dict(buffers or {}), game.observation_bytes
        self._seen = self._buffer(given, "observations", (wide,), np.uint8) if observations else None
        self._rewards = self._buffer(given, "rewards", () if self._one_reward else (seated,), np.float32)
        self._ended = self._buffer(given, "terminals", (), np.bool_)
        self._cut = self._buffer(given, "truncations", (), np.bool_)
        self._spread = masks == "bytes"
        # If masks are copied anyway, the bytes need not be kept: they are eight times as large.
        kept = self._spread and (not self._copy or "masks" in given)
        self._bytes = self._buffer(given, "masks", (game.actions,), np.int8) if kept else None
        self._bits = self._buffer(given, "masks", (game.mask_bytes,), np.uint8) if masks else None
        if given:
            raise ValueError(f"There's no buffer called {', '.join(given)}.")
        self._ranks = xp.zeros((count, seated), np.uint8)
        needs_end = self._final or self._reward == "score"
        self._finals = xp.zeros((count, wide), np.uint8) if needs_end else None
        self._firsts = xp.arange(count) * game.mask_bytes
        """Where the mask of each game starts."""
        begun = leads(self._setup, tracks_of(np.frombuffer(game.fresh, np.uint8)))
        self._begun = xp.asarray(begun)
        """Each seat's lead in a new game."""
        self._leads = xp.zeros((count, seated), begun.dtype) + self._begun

    # Gymnasium's interface

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal new games everywhere."""
        super().reset(seed=seed)
        self._batch.deal(int(self.np_random.integers(2**31)))
        self._own[...] = self._xp.arange(self.num_envs) % self._setup.seats
        self._seats[...] = self._batch.seats()
        self._leads[...] = self._begun
        self._clear()
        self._let_rivals_play()
        self._clear()
        self._look()
        return self._told(self._seen), self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Do an action in every game. If any of them is not lawful, none is done."""
        wanted, waiting = self._numbers(actions), 0
        if wanted.shape != (self.num_envs,):
            raise ValueError(
                f"There are {self.num_envs} games, but the actions have the shape {wanted.shape}."
            )
        if self._next_step:
            wanted, waiting = self._xp.where(self._ended, _LEFT_OUT, wanted), self._ended.sum()
        if self._check and self._bits is not None:
            self._demand_lawful(wanted)
        self._clear()
        alone = self._rivals is None
        refused = self._advance(wanted, look=alone) - waiting
        if self._check and refused > 0:
            raise IllegalMove(f"{refused} actions are not lawful. They were left out; the others are done.")
        if not alone:
            self._let_rivals_play()
            self._look()
        if self._next_step:
            self._show_ends()
        info = self._info()
        if not self._check:
            info["unlawful"] = refused
        told = self._told
        return told(self._seen), told(self._rewards), told(self._ended), told(self._cut), info

    def action_masks(self) -> Any:
        """The lawful actions of every game, as in the info."""
        if not self._spread or self._bits is None:
            return self._told(self._bits)
        if self._xp is np:
            masks = np.empty((self.num_envs, self.game.actions), np.int8) if self._copy else self._bytes
            self._batch.spread(self._bits, masks)
        else:
            masks = _unpacked(self._xp, self._bits, self.game.actions)
        if self._bytes is None or masks is self._bytes:
            return masks
        self._bytes[...] = masks
        return self._told(self._bytes)

    def random_actions(self) -> Any:
        """A random lawful action for each game, drawn where the games are; overwritten by the next call."""
        return self._batch.choose()

    def close_extras(self, **kwargs: Any) -> None:
        """Release the threads, or the card's memory."""
        self._batch.close()

    # One step

    def _numbers(self, actions: Any) -> Any:
        """Actions in the form the kernel needs, from any kind of array."""
        xp = self._xp
        device = getattr(actions, "__dlpack_device__", None)
        if xp is not np and device is not None and device()[0] == _CUDA:
            actions = xp.from_dlpack(actions)  # on its maker's stream, so that nothing is read too early
        return xp.asarray(actions).astype(np.int32)

    def _advance(self, actions: Any, look: bool = False) -> Any:
        """Do an action in every game, and note what ended. Returns how many were skipped."""
        refused = self._batch.turn(
            actions,
            viewers=self._viewers,
            seats=self._seats,
            lasts=self._finals,
            masks=self._bits if look else None,
            seen=self._seen if look else None,
        )
        if self._xp is np:
            self._note_ends(np.flatnonzero(self._batch.over))
        else:
            self._note_all(self._batch.over.astype(np.bool_))
        return refused

    def _note_ends(self, rows: Any) -> None:
        """Note rewards and ranks after the last step, with which these games ended."""
        batch, setup = self._batch, self._setup
        if self._reward == "score":
            self._note_gains(batch.over.view(np.bool_))
        if not len(rows):
            return
        self._ended[rows], self._ranks[rows] = True, batch.ranks[rows]
        if self._reward != "score":
            self._pay(rows, GIVEN[self._reward](setup, batch.ranks[rows]))
        if self._rivals is not None:
            self._own[rows] = (self._own[rows] + 1) % setup.seats

    def _note_all(self, over: Any) -> None:
        """The same on a card, for all games at once: asking it which of them ended means waiting for it."""
        batch, setup, xp = self._batch, self._setup, self._xp
        self._ended |= over
        self._ranks[...] = xp.where(over[:, None], batch.ranks, self._ranks)
        if self._reward == "score":
            self._note_gains(over)
        else:
            self._pay(slice(None), xp.where(over[:, None], GIVEN[self._reward](setup, batch.ranks), 0.0))
        if self._rivals is not None:
            self._own[...] = (self._own + over) % setup.seats

    def _note_gains(self, over: Any) -> None:
        """Note what each seat gained with the last step; games that are over start again."""
        now = leads(self._setup, self._batch.tracks)
        self._pay(slice(None), now - self._leads)
        self._leads = self._xp.where(over[:, None], self._begun, now)

    def _pay(self, rows: Any, given: Any) -> None:
        """Add what each seat was given; only for the agent's seat if there is one reward."""
        if self._rivals is not None:
            own = self._own[rows].astype(np.int64)
            given = self._xp.take_along_axis(given, own[:, None], 1)
        self._rewards[rows] += (given[:, 0] if self._one_reward else given).astype(np.float32)

    def _let_rivals_play(self) -> None:
        """Let bots move for the other seats until it is the agent's turn everywhere."""
        if self._rivals is None:
            return
        batch, xp, seats = self._batch, self._xp, self._setup.seats
        while True:
            after = (self._seats + (seats - self._own)) % seats
            if not after.any():
                return
            actions = xp.full(self.num_envs, _LEFT_OUT, np.int32)
            for n, rival in enumerate(self._rivals, start=1):
                asked = after == n
                if not isinstance(rival, str):
                    rows = xp.nonzero(asked)[0]
                    if len(rows):
                        masks = _unpacked(xp, batch.masks()[rows], self.game.actions)
                        actions[rows] = self._numbers(rival(batch.observe()[rows], masks))
                elif xp is np:
                    chosen = batch.choose(rival, asked.view(np.uint8), self._worth)
                    actions = np.where(asked, chosen, actions)
                else:
                    actions = xp.where(asked, batch.choose(rival), actions)
            self._advance(actions)

    # Results

    def _clear(self) -> None:
        self._rewards[...] = 0
        self._ended[...] = False

    def _look(self) -> None:
        if self._bits is not None:
            self._batch.masks(self._bits)
        if self._seen is not None:
            self._batch.observe(self._seen)

    def _show_ends(self) -> None:
        """For games that ended, show the end, where nothing can be done, instead of the next game."""
        assert self._seen is not None  # this mode requires observations
        ended = self._ended[:, None]
        self._seen[...] = self._xp.where(ended, self._finals, self._seen)
        if self._bits is not None:
            self._bits *= ~ended

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"seat": self._told(self._seats)}
        if self._bits is not None:
            info["action_mask"] = self.action_masks()
        info["ranks"], info["_ranks"] = self._told(self._ranks), self._told(self._ended)
        if self._final and not self._next_step:
            info["final_obs"], info["_final_obs"] = self._told(self._finals), self._told(self._ended)
        return info

    def _told(self, array: Any) -> Any:
        return array.copy() if self._copy and array is not None else array

    def _buffer(self, given: dict[str, Any], name: str, shape: tuple[int, ...], dtype: Any) -> Any:
        """The caller's array, or one of ours."""
        found, whole = given.pop(name, None), (self.num_envs, *shape)
        if found is None:
            return self._xp.zeros(whole, dtype)
        if found.shape != whole or found.dtype != dtype or not found.flags.c_contiguous:
            got = f"{found.dtype} {found.shape}"
            raise ValueError(
                f"The buffer {name} is {got}; it has to be {np.dtype(dtype)} {whole}, in one piece."
            )
        return found

    def _demand_lawful(self, wanted: Any) -> None:
        """Raise unless every action is lawful; a game waiting for the next one accepts any."""
        assert self._bits is not None
        inside = self._xp.clip(wanted, 0, self.game.actions - 1)
        bits = self._bits.reshape(-1)[self._firsts + (inside >> 3)] >> (inside & 7) & 1
        wrong = (bits == 0) | (inside != wanted)
        if self._next_step:
            wrong &= ~self._ended
        if wrong.any():
            row = int(self._xp.nonzero(wrong)[0][0])
            state = bytearray(_here(self._batch.states[row]))
            raise IllegalMove(f"In game {row}: {refusal(self.game, state, int(wanted[row]))}")


def _batch(game: Game, count: int, device: str, threads: int | None) -> tuple[Any, Any]:
    """The games, and the module of their arrays."""
    if device == "cpu":
        from genial.kernel.batch import Batch

        return Batch(game, count, seed=0, threads=threads), np
    if device == "cuda":
        from genial.kernel.gpu.batch import Batch as OnCard

        found = OnCard(game, count, seed=0)  # NoCard says what is missing
        return found, found.card.xp
    raise ValueError(f"There's no device called {device!r}. Choose cpu or cuda.")


def _rivals(bots: Rival | Sequence[Rival], count: int, device: str) -> list[Rival]:
    given: list[Rival] = [bots] if isinstance(bots, str) or callable(bots) else list(bots)
    given *= count if len(given) == 1 else 1
    if len(given) != count or not count:
        raise ValueError(f"There are {count} other seats, but {len(given)} bots. One bot plays all of them.")
    if wrong := [bot for bot in given if isinstance(bot, str) and bot not in _RIVALS[device]]:
        raise ValueError(
            f"Many games are played against {', '.join(_RIVALS[device])} or a policy, not {wrong[0]!r}: "
            "see against()."
        )
    return given


def _worth(setup: Setup) -> Any:
    """The worth that balanced play uses."""
    worth = balanced_worth(setup.title)
    return np.array(worth_table(worth.steps, worth.bonus, setup.seats), np.uint16)


def _unpacked(xp: Any, bits: Any, actions: int) -> Any:
    """Masks with one byte per action."""
    if xp is np:
        return np.unpackbits(bits, axis=1, count=actions, bitorder="little").view(np.int8)
    spread = bits[:, :, None] >> xp.arange(8, dtype=np.uint8) & 1
    return spread.reshape(len(bits), -1)[:, :actions].astype(np.int8)


def _here(array: Any) -> Any:
    """A mutable copy of an array in main memory."""
    return array.get() if hasattr(array, "get") else np.array(array)
