"""Learning the weights of Senet's heuristic by playing it against itself.

TD(lambda) with a logistic model: after every game each position's value is pulled toward a mix of
the result and of the values of the positions that came after it (Sutton, "Learning to predict by
the methods of temporal differences", 1988; self-play as in Tesauro, "Temporal difference learning
and TD-Gammon", 1995). The moves are the model's own favourites, because the sticks explore enough.
The weights kept are the mean over the second half of the games, which smooths the noise of the
last ones.

The weights in games/senet/data were made by this, in about four minutes on one core::

    python -m boardgames_cli.training.senet_td --games 40000 --seed 1
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from boardgames_cli.core.errors import PositionError
from boardgames_cli.games.senet import heuristics
from boardgames_cli.games.senet.board import HOUSES
from boardgames_cli.games.senet.heuristics import balance_feature
from boardgames_cli.games.senet.rules import Senet, SenetState

_PIECES: Final = (5, 5, 7)
"""Games are drawn from these; with two dancers off, a game of seven looks like one of five."""

_BOUND: Final = 30.0
"""Log odds beyond this are certainty."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How much is learned from each game."""

    games: int
    first_rate: float = 0.05
    last_rate: float = 0.002
    decay: float = 0.8
    """TD's lambda: the weight of the later result against the values on the way there."""

    def rate(self, number: int) -> float:
        """The learning rate of a game: it falls by the same factor from game to game."""
        done = number / self.games
        return self.first_rate * math.pow(self.last_rate / self.first_rate, done)


class Learner:
    """A model that plays one rule set against itself and learns from it.

    Args:
        rules: The rule set.
        rng: The only source of randomness.
        scattered: The share of games that start with any number of dancers anywhere, so that the
            model also knows positions to which its own play doesn't lead.
    """

    def __init__(self, rules: str, rng: random.Random, scattered: float = 0.5) -> None:
        self.weights: defaultdict[str, float] = defaultdict(float)
        self._games = {pieces: Senet(rules, pieces) for pieces in _PIECES}
        self._rng = rng
        self.scattered = scattered

    def play(self) -> tuple[list[SenetState], int]:
        """One game against itself: the positions before each throw, and the winner."""
        game = self._games[self._rng.choice(_PIECES)]
        state = game.initial_state()
        if self._rng.random() < self.scattered:
            state = _scatter(game, self._rng)
        history = []
        while not game.is_over(state):
            history.append(state)
            state = game.apply_chance(state, game.sample_chance(state, self._rng))
            state = self._move(game, state)
        return history, 0 if not state.cones else 1

    def learn(self, history: Sequence[SenetState], winner: int, rate: float, decay: float) -> None:
        """Pull the value of every position toward what came after it, from the end back.

        Args:
            history: The positions before each throw.
            winner: The seat that won.
            rate: How far to pull.
            decay: TD's lambda.
        """
        target = 1.0 if winner == 0 else 0.0  # the cones' chance of winning
        for state in reversed(history):
            features = _features(state)
            value = _chance(sum(self.weights[name] for name in features))
            wanted = 1 - target if state.player else target
            step = rate * (wanted - value)
            for name in features:
                self.weights[name] += step
            cones_value = 1 - value if state.player else value
            target = decay * target + (1 - decay) * cones_value

    def _move(self, game: Senet, state: SenetState) -> SenetState:
        player = state.player
        moves = game.legal_actions(state, player)
        afters = [game.apply(state, {player: move}) for move in moves]
        if len(afters) == 1:
            return afters[0]
        return max(afters, key=lambda after: self._log_odds(after, player))

    def _log_odds(self, state: SenetState, seat: int) -> float:
        if not (state.cones and state.spools):
            return math.inf  # only the player who moved can have borne off the last dancer
        log_odds = sum(self.weights[name] for name in _features(state))
        return log_odds if state.player == seat else -log_odds


def train(
    rules: str, schedule: Schedule, seed: int, report: Callable[[str], None]
) -> dict[str, float]:
    """Learn the weights for a rule set.

    Args:
        rules: The rule set.
        schedule: How many games, and how much to learn from each.
        seed: The same seed gives the same weights.
        report: Receives a line of progress ten times.

    Returns:
        The mean weights over the second half of the games, by feature.
    """
    learner = Learner(rules, random.Random(f"{seed}/{rules}"))
    totals: defaultdict[str, float] = defaultdict(float)
    samples = 0
    for number in range(schedule.games):
        learner.learn(*learner.play(), schedule.rate(number), schedule.decay)
        if number >= schedule.games // 2 and number % 10 == 0:
            samples += 1
            for name, weight in learner.weights.items():
                totals[name] += weight
        if (number + 1) % max(1, schedule.games // 10) == 0:
            report(f"{rules}: {number + 1:,} games")
    return {name: round(total / max(1, samples), 4) for name, total in sorted(totals.items())}


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn both rule sets and write one file."""
    parser = argparse.ArgumentParser(description="Learn the weights of Senet's heuristic.")
    parser.add_argument("--games", type=int, default=40_000, help="games for each rule set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=_default_path(), help="file to write")
    options = parser.parse_args(arguments)
    made: Mapping[str, Mapping[str, float]] = {
        rules: train(rules, Schedule(options.games), options.seed, _to_stderr)
        for rules in ("kendall", "skyruk")
    }
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def _scatter(game: Senet, rng: random.Random) -> SenetState:
    """Any possible position before a throw, with few dancers as often as with many."""
    while True:
        spots = rng.sample(range(HOUSES), 2 * game.pieces)
        cones, spools = rng.randint(1, game.pieces), rng.randint(1, game.pieces)
        position = {
            "cones": sorted(spots[:cones]),
            "spools": sorted(spots[-spools:]),
            "player": rng.randrange(2),
            "steps": None,
            "pieces": game.pieces,
        }
        try:
            return game.from_json(position)
        except PositionError:
            continue


def _default_path() -> Path:
    return Path(heuristics.__file__).parent / "data" / "weights.json"


def _to_stderr(line: str) -> None:
    sys.stderr.write(line + "\n")


@functools.lru_cache(maxsize=1 << 18)
def _side(role: str, mask: int) -> tuple[str, ...]:
    return tuple(heuristics.side_features(role, mask))


def _features(state: SenetState) -> tuple[str, ...]:
    own, foe = state.side(state.player), state.side(1 - state.player)
    balance = balance_feature(own.bit_count(), foe.bit_count())
    return (*_side("own", own), *_side("foe", foe), balance)


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(-_BOUND, min(_BOUND, log_odds))))


if __name__ == "__main__":
    main()
