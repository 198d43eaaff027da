"""What a position of Senet is worth at a glance.

A logistic model: every feature of the position has a weight, and the sum of the weights is the log
odds that the player about to throw will win. A feature is a short name, such as ``own 3: 26`` (with
three dancers left on the board, one stands on house 26); data/weights.json lists them all, and
`boardgames_cli.training.senet_td` learned them from games of the model against itself.

Why not simply count steps to go: both rule sets let dancers pile up before houses 26 to 30, where
they need exact throws, so that being ahead is worth little in itself and often harmful.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any, Final, TypeAlias

from boardgames_cli.core.game import Seat
from boardgames_cli.games.senet.board import HAPPINESS, bit, houses
from boardgames_cli.games.senet.rules import Senet, SenetState

Weights: TypeAlias = Mapping[str, float]
"""Log odds by the name of the feature."""

_RACE: Final = bit(HAPPINESS) - 1
"""The houses before 26, where dancers can be beaten and protect each other."""

_CACHED: Final = 1 << 16


def evaluate(game: Senet, state: SenetState, seat: Seat) -> float:
    """An estimate of the seat's return: twice the chance of winning, less 1.

    Before the throw this is the model; after it, the model's value of the best move.
    """
    if not (state.cones and state.spools):
        return game.returns(state)[seat]
    player = state.player
    if state.steps is not None:
        moves = game.legal_actions(state, player)
        best = max(evaluate(game, game.apply(state, {player: move}), player) for move in moves)
        return best if seat == player else -best
    own, foe = state.side(player), state.side(1 - player)
    log_odds = (
        _side_score(game.rules, "own", own)
        + _side_score(game.rules, "foe", foe)
        + _balance(game.rules, own.bit_count(), foe.bit_count())
    )
    value = math.tanh(log_odds / 2)
    return value if seat == player else -value


def side_features(role: str, mask: int) -> Iterator[str]:
    """The features of one side's dancers; one that is there twice comes twice.

    Args:
        role: ``own`` for the player about to throw, ``foe`` for the other.
        mask: Where the dancers are.
    """
    left = mask.bit_count()
    for house in houses(mask):
        yield f"{role} {left}: {house}"
    if left == 2:
        # A dancer that waits for its throw is worth less, the further back its companion is.
        yield f"{role} two: {'+'.join(map(str, houses(mask)))}"
    racing = mask & _RACE
    pairs = racing & (racing >> 1)
    for _ in range(pairs.bit_count()):
        yield f"{role} pair"
    for _ in range((pairs & (pairs >> 1)).bit_count()):
        yield f"{role} three in a row"
    # Near the end dancers stand in each other's way, so the group counts as a whole.
    beyond = mask & ~_RACE
    if beyond:
        yield f"{role} beyond: {'+'.join(map(str, houses(beyond)))}"


def balance_feature(own_left: int, foe_left: int) -> str:
    """The feature of how many dancers both sides still have on the board."""
    return f"{own_left} against {foe_left}"


@functools.cache
def load_weights(rules: str) -> Weights:
    """The learned weights for a rule set."""
    text = (resources.files(__package__) / "data" / "weights.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    weights: Weights = data[rules]
    return weights


# A search meets the same side of the board again and again, with other throws and other opponents.
@functools.lru_cache(maxsize=_CACHED)
def _side_score(rules: str, role: str, mask: int) -> float:
    weights = load_weights(rules)
    return sum(weights.get(feature, 0.0) for feature in side_features(role, mask))


@functools.cache
def _balance(rules: str, own_left: int, foe_left: int) -> float:
    return load_weights(rules).get(balance_feature(own_left, foe_left), 0.0)
