"""TD(lambda) for linear evaluations, by self-play.

With a logistic model, after every game each position's value is moved toward a mix of the result
and the values of the positions after it (Sutton, "Learning to predict by the methods of temporal
differences", 1988; self-play as in Tesauro, "Temporal difference learning and TD-Gammon", 1995).
Moves are greedy, because the dice explore enough. The result is the mean of the weights over the
second half of the games, which reduces noise.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from boardgames_cli.algorithms.linear_model import LinearFeatures, ModelError, Weights
from boardgames_cli.core.game import CHANCE, AnyGame
from boardgames_cli.training.self_play_run import BEGIN_ANEW
from boardgames_cli.training.td.settings import TdSettings

_BOUND: Final = 30.0
"""Log odds are clipped to this bound."""

_SAMPLE_EVERY: Final = 10
"""Games between the samples of the weights that are averaged."""

_DIGITS: Final = 4


class TdLearner:
    """Learns the weights of one variant.

    Args:
        features: The game's features.
        variant: The variant, one of ``features.variants()``.
        settings: How to learn.
    """

    def __init__(self, features: LinearFeatures, variant: str, settings: TdSettings) -> None:
        self.done = 0
        """The number of training games so far."""
        self.weights: defaultdict[str, float] = defaultdict(float)
        self._features = features
        self._settings = settings
        self._rulebooks: Sequence[AnyGame] = tuple(features.variants()[variant])
        self._rng = random.Random(f"{settings.seed}/{variant}")
        self._totals: defaultdict[str, float] = defaultdict(float)
        self._samples = 0

    def run(self, games: int) -> None:
        """Play games and learn from each."""
        settings = self._settings
        for _ in range(games):
            number = self.done
            self.learn(*self.play(), settings.rate_at(number))
            if number >= settings.games // 2 and number % _SAMPLE_EVERY == 0:
                self._samples += 1
                for name, weight in self.weights.items():
                    self._totals[name] += weight
            self.done += 1

    def play(self) -> tuple[list[Any], float]:
        """Play one game against itself.

        Returns:
            The positions before each chance event, and the return of seat 0.
        """
        game = self._rng.choice(self._rulebooks)
        state = game.initial_state()
        if self._rng.random() < self._settings.random_starts:
            state = self._features.random_state(game, self._rng)
        history = []
        while to_act := game.to_act(state):
            if to_act == (CHANCE,):
                history.append(state)
                state = game.apply_chance(state, game.sample_chance(state, self._rng))
            else:
                state = self._move(game, state, to_act[0])
        return history, game.returns(state)[0]

    def learn(self, history: Sequence[Any], result: float, rate: float) -> None:
        """Update the value of every position, from the end back.

        Args:
            history: The positions before each chance event.
            result: The return of seat 0; above 0 is a win.
            rate: The learning rate, 0 to 1.
        """
        features, weights, decay = self._features, self.weights, self._settings.trace_decay
        target = 1.0 if result > 0 else 0.0  # seat 0's chance of winning
        for state in reversed(history):
            names, player = features.features(state), features.player(state)
            value = _chance(sum(weights[name] for name in names))
            step = rate * ((1 - target if player else target) - value)
            for name in names:
                weights[name] += step
            target = decay * target + (1 - decay) * (1 - value if player else value)

    def average(self) -> dict[str, float]:
        """The mean weights so far, by feature; before the second half the current ones."""
        if not self._samples:
            return {name: round(w, _DIGITS) for name, w in sorted(self.weights.items())}
        return {
            name: round(total / self._samples, _DIGITS)
            for name, total in sorted(self._totals.items())
        }

    def snapshot(self) -> dict[str, Any]:
        """The training state as JSON values, to resume later."""
        version, words, gauss = self._rng.getstate()
        return {
            "games": self.done,
            "samples": self._samples,
            "weights": dict(self.weights),
            "totals": dict(self._totals),
            "random": [version, list(words), gauss],
        }

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Resume from a snapshot.

        Raises:
            ModelError: The snapshot is damaged.
        """
        try:
            self.done, self._samples = int(snapshot["games"]), int(snapshot["samples"])
            self.weights.update(_numbers(snapshot["weights"]))
            self._totals.update(_numbers(snapshot["totals"]))
            version, words, gauss = snapshot["random"]
            self._rng.setstate((version, tuple(words), gauss))
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise ModelError("the file has no training state to resume.", BEGIN_ANEW) from error

    def _move(self, game: AnyGame, state: Any, player: int) -> Any:
        moves = game.legal_actions(state, player)
        afters = [game.apply(state, {player: move}) for move in moves]
        if len(afters) == 1:
            return afters[0]
        return max(afters, key=lambda after: self._log_odds(game, after, player))

    def _log_odds(self, game: AnyGame, state: Any, seat: int) -> float:
        if game.is_over(state):
            return math.copysign(math.inf, game.returns(state)[seat])
        log_odds = sum(self.weights[name] for name in self._features.features(state))
        return log_odds if self._features.player(state) == seat else -log_odds


def _numbers(weights: Any) -> Weights:
    return {str(name): float(weight) for name, weight in weights.items()}


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(-_BOUND, min(_BOUND, log_odds))))
