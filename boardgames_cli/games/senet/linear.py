"""A linear evaluation of Senet: the sum of the weights of its features.

The network of `heuristic` is stronger; this evaluation can be trained without compiled rules, and
existing weight files remain usable. It is a logistic model: every feature of the position has a
weight, and the sum of the weights is the log odds that the player about to throw will win. A
feature is a short name, such as ``own 3: 26`` (with three dancers left on the board, one stands on
house 26).
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from boardgames_cli.algorithms.linear_model import LinearModel
from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.games.senet.board import HAPPINESS, HOUSES, bit, houses
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

_RACE: Final = bit(HAPPINESS) - 1
"""The houses before 26, where dancers can be captured and protect each other."""

_CACHED: Final = 1 << 16

_LEARNED_WITH: Final = (5, 5, 7)
"""Dancers per side in training games; with two off, seven are like five."""


class Evaluation:
    """An estimate of a seat's return by the weights of a model.

    Args:
        model: The weights of every rule set.
    """

    def __init__(self, model: LinearModel) -> None:
        self._model = model
        # A search meets the same side of the board again and again, with other throws and rivals.
        self._side_score = functools.lru_cache(maxsize=_CACHED)(self._sum_side)

    def __call__(self, game: Senet, state: SenetState, seat: Seat) -> float:
        """Twice the seat's winning probability, minus 1.

        Before the throw this is the model; after it, the model's value of the best move.
        """
        if not (state.cones and state.spools):
            return game.returns(state)[seat]
        player = state.player
        if state.steps is not None:
            moves = game.legal_actions(state, player)
            best = max(self(game, game.apply(state, {player: move}), player) for move in moves)
            return best if seat == player else -best
        own, foe = state.side(player), state.side(1 - player)
        balance = balance_feature(own.bit_count(), foe.bit_count())
        log_odds = (
            self._side_score(game.rules, "own", own)
            + self._side_score(game.rules, "foe", foe)
            + self._model.weights[game.rules].get(balance, 0.0)
        )
        value = math.tanh(log_odds / 2)
        return value if seat == player else -value

    def _sum_side(self, rules: str, role: str, mask: int) -> float:
        weights = self._model.weights[rules]
        return sum(weights.get(feature, 0.0) for feature in side_features(role, mask))


class SenetFeatures:
    """Senet's positions for `algorithms.linear_model.LinearFeatures`."""

    def variants(self) -> Mapping[str, Sequence[AnyGame]]:
        """Both rule sets, each with games of five and seven dancers."""
        return {
            rules: [Senet(rules, pieces) for pieces in _LEARNED_WITH]
            for rules in ("kendall", "skyruk")
        }

    def player(self, state: SenetState) -> Seat:
        """The player about to throw."""
        return state.player

    def features(self, state: SenetState) -> tuple[str, ...]:
        """The features of both sides, and of the numbers of dancers left."""
        own, foe = state.side(state.player), state.side(1 - state.player)
        balance = balance_feature(own.bit_count(), foe.bit_count())
        return (*_side("own", own), *_side("foe", foe), balance)

    def random_state(self, game: Senet, rng: random.Random) -> SenetState:
        """A random position before a throw, uniform in the number of dancers."""
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

    def evaluation(self, model: LinearModel) -> Heuristic:
        """The heuristic defined by a model.

        Raises:
            ModelError: The model lacks a rule set.
        """
        for rules in self.variants():
            model.weights_for(rules)
        return Evaluation(model)


FEATURES: Final = SenetFeatures()


def side_features(role: str, mask: int) -> Iterator[str]:
    """The features of one side's dancers; repeated features are repeated.

    Args:
        role: ``own`` for the player about to throw, ``foe`` for the other.
        mask: Where the dancers are.
    """
    left = mask.bit_count()
    for house in houses(mask):
        yield f"{role} {left}: {house}"
    if left == 2:
        # A waiting dancer is worth less the further back its companion is.
        yield f"{role} two: {'+'.join(map(str, houses(mask)))}"
    racing = mask & _RACE
    pairs = racing & (racing >> 1)
    for _ in range(pairs.bit_count()):
        yield f"{role} pair"
    for _ in range((pairs & (pairs >> 1)).bit_count()):
        yield f"{role} three in a row"
    # Near the end dancers are in each other's way, so the group is one feature.
    beyond = mask & ~_RACE
    if beyond:
        yield f"{role} beyond: {'+'.join(map(str, houses(beyond)))}"


def balance_feature(own_left: int, foe_left: int) -> str:
    """The feature of the numbers of dancers left on both sides."""
    return f"{own_left} against {foe_left}"


@functools.lru_cache(maxsize=1 << 18)
def _side(role: str, mask: int) -> tuple[str, ...]:
    return tuple(side_features(role, mask))
