"""Tuning a bot: each trial is an arena match against the bot as it is; Optuna chooses what to try.

Everything is stored next to the result: Optuna's journal, and the game log of each set of parameters. So the
same command continues where it stopped. What trial n tries depends only on the seed and on the trials before
it: an interrupted tuning gives the same result as an uninterrupted one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from genial import __version__
from genial.arena.contest import Contest, Race
from genial.arena.errors import WrongContest
from genial.arena.extras import extra
from genial.arena.fixtures import Lineup, lineups
from genial.arena.log import GameLog
from genial.arena.results import write
from genial.arena.runner import Runner
from genial.arena.settings import Settings
from genial.arena.statistics import Estimate, score_estimate
from genial.arena.tuning import EVEN, FORMAT, Check, Range, Search, Trial, Tuning, best_of
from genial.bots.tuned import name_of
from genial.core.title import setup
from genial.core.titles import title_of

_FEWEST_SETS = 10
"""No trial is given up before this many sets."""
_NAME, _SEARCH = "genial tune", "search"

Watch = Callable[[int, str], None]
"""Called with the number of trials done, and a description of what is going on."""


class _Hopeless(Exception):
    pass


class Study:
    """A tuning in progress."""

    def __init__(self, search: Search, out: Path, command: str) -> None:
        self._search, self._out, self._command = search, out, command
        self._optuna = extra("optuna")
        self._optuna.logging.set_verbosity(self._optuna.logging.WARNING)
        _lineup(search, search.own)
        out.parent.mkdir(parents=True, exist_ok=True)
        journal = self._optuna.storages.journal
        path = out.with_suffix(".journal")
        self._study = self._optuna.create_study(
            storage=journal.JournalStorage(journal.JournalFileBackend(str(path))),
            study_name=_NAME,
            direction="maximize",
            load_if_exists=True,
        )
        self._claim(path)

    def _claim(self, path: Path) -> None:
        asked = msgspec.json.encode(self._search).decode()
        known = self._study.user_attrs.get(_SEARCH)
        if known is None:
            self._study.set_user_attr(_SEARCH, asked)
            self._study.add_trial(self._as_it_is())
        elif known != asked:
            raise WrongContest("tuning-other", path=str(path))

    def _as_it_is(self) -> Any:
        """The trial of the bot against itself, which need not be played."""
        distributions = {found.name: self._distribution(found) for found in self._search.ranges}
        return self._optuna.trial.create_trial(
            params=self._search.own, distributions=distributions, value=EVEN
        )

    def _distribution(self, found: Range) -> Any:
        kinds = self._optuna.distributions
        if float(found.step).is_integer():
            return kinds.IntDistribution(int(found.low), int(found.high), step=int(found.step))
        return kinds.FloatDistribution(found.low, found.high, step=found.step)

    def run(self, runner: Runner, trials: int, check_games: int, watch: Watch) -> Tuning:
        """Run trials until there are `trials` of them, then check the best; the result is saved each time."""
        while (done := len(self._finished()) - 1) < trials:
            trial = self._next(done)
            parameters = {found.name: self._suggested(trial, found) for found in self._search.ranges}
            self._try(trial, parameters, runner, partial(watch, done))
            write(self._tuning(None, complete=False), self._out)
        check = self._check(runner, check_games, partial(watch, done))
        tuning = self._tuning(check, complete=True)
        write(tuning, self._out)
        return tuning

    def _next(self, number: int) -> Any:
        """The trial that was in progress when an earlier run ended, or a new one."""
        mark = sha256(f"{self._search.seed}|{number}".encode()).digest()
        self._study.sampler = self._optuna.samplers.TPESampler(seed=int.from_bytes(mark[:4], "big"))
        states = (self._optuna.trial.TrialState.RUNNING,)
        for left in self._study.get_trials(deepcopy=False, states=states):
            return self._optuna.trial.Trial(self._study, left._trial_id)
        return self._study.ask()

    def _suggested(self, trial: Any, found: Range) -> float:
        if float(found.step).is_integer():
            return float(trial.suggest_int(found.name, int(found.low), int(found.high), step=int(found.step)))
        return round(float(trial.suggest_float(found.name, found.low, found.high, step=found.step)), 6)

    def _try(
        self, trial: Any, parameters: Mapping[str, float], runner: Runner, say: Callable[[str], None]
    ) -> None:
        """Play a trial to its end, or until it is hopeless; games already played are reused."""
        if parameters == self._search.own:
            self._study.tell(trial, EVEN)
            return
        goal = self._study.best_value
        seed, name = self._search.seed, name_of(self._search.bot, parameters)
        hopeless = False
        with GameLog(self._log(name), settings := self._settings(parameters, seed)) as log:
            contest = Contest(settings, self._search.games, played=log.played)
            race = contest.races[0]

            def step() -> None:
                say(race.so_far())
                if _hopeless_after(race, goal):
                    raise _Hopeless

            try:
                step()
                contest.play(runner, log.add, step)
            except _Hopeless:
                hopeless = True
        sets = _hopeless_after(race, goal) if hopeless else race.counted_sets
        assert sets is not None
        score, games = _score(race, sets)
        trial.set_user_attr("games", games)
        trial.set_user_attr("score", [score.mean, score.low, score.high])
        trial.report(score.mean, sets)
        if hopeless:
            self._study.tell(trial, state=self._optuna.trial.TrialState.PRUNED)
        else:
            self._study.tell(trial, score.mean)

    def _check(self, runner: Runner, games: int, say: Callable[[str], None]) -> Check | None:
        best = best_of(self._trials())
        if best is None:
            return None
        settings = self._settings(best.parameters, f"{self._search.seed}-check")
        with GameLog(self._log(f"check {name_of(self._search.bot, best.parameters)}"), settings) as log:
            contest = Contest(settings, games, played=log.played)
            race = contest.races[0]
            contest.play(runner, log.add, lambda: say(f"check: {race.so_far()}"))
        score, played = _score(race, race.counted_sets)
        return Check(played, score)

    def _settings(self, parameters: Mapping[str, float], seed: str) -> Settings:
        found = self._search
        line = _lineup(found, parameters)
        return Settings(
            "match",
            found.variant,
            found.seats,
            seed,
            (line,),
            found.deadline,
            found.nodes,
            found.seconds,
        )

    def _log(self, name: str) -> Path:
        return self._out.with_suffix(".games") / f"{name}.jsonl"

    def _finished(self) -> list[Any]:
        """Optuna's finished trials, including the bot as it is."""
        states = self._optuna.trial.TrialState
        found: list[Any] = self._study.get_trials(deepcopy=False, states=(states.COMPLETE, states.PRUNED))
        return found

    def _trials(self) -> tuple[Trial, ...]:
        """All parameters tried, each once."""
        found: dict[str, Trial] = {}
        for trial in self._finished():
            if "score" in trial.user_attrs:
                parameters = {name: round(float(value), 6) for name, value in trial.params.items()}
                hopeless = trial.state == self._optuna.trial.TrialState.PRUNED
                score = Estimate(*trial.user_attrs["score"])
                tried = Trial(parameters, trial.user_attrs["games"], score, hopeless)
                found.setdefault(name_of(self._search.bot, parameters), tried)
        return tuple(found.values())

    def _tuning(self, check: Check | None, *, complete: bool) -> Tuning:
        trials = self._trials()
        return Tuning(
            FORMAT,
            self._command,
            __version__,
            self._optuna.__version__,
            os.cpu_count() or 1,
            self._search,
            complete,
            best_of(trials),
            check,
            trials,
        )


def _lineup(search: Search, parameters: Mapping[str, float]) -> Lineup:
    found = setup(title_of(search.variant), search.seats)
    (line,) = lineups("match", found, (name_of(search.bot, parameters), search.bot))
    return line


def _score(race: Race, sets: int) -> tuple[Estimate, int]:
    games = sets * len(race.lineup.seatings)
    return score_estimate(race.scores[:sets], games), games


def _hopeless_after(race: Race, goal: float) -> int | None:
    """After how many sets it was clear that a trial will not beat the best so far; None if it is not.

    It is the same set, however many games are in progress at once.
    """
    scores: Sequence[float] = race.scores
    for sets in range(_FEWEST_SETS, len(scores) + 1):
        if _score(race, sets)[0].high < goal:
            return sets
    return None
