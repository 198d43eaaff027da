"""The evaluation of Senet.

Endings with few dancers are looked up in `endings`. Other positions are evaluated by a small
network (`algorithms.networks.side_network`), which ``lab/senet_learner.py`` trains by self-play;
the bundled one was then trained on exact values.

Its inputs for one side are indices of active inputs. Those of a dancer on a house depend on the
number of dancers left, because the last dancer races alone while five obstruct each other.
Neighbours protect each other and block, and the dancers from house 26 on are in each other's way,
so that pairs, triples and the group at the end have their own inputs. For the last two dancers,
every pair of houses is one input.

Counting the steps to go would not work: in both rule sets dancers pile up before houses 26 to 30,
where they need exact throws, so that being ahead is worth little and often harmful.
"""

from __future__ import annotations

import functools
import math
from importlib import resources
from typing import Final

from boardgames_cli.algorithms.networks.side_network import (
    FOE,
    OWN,
    NetworkModel,
    parse_networks,
)
from boardgames_cli.core.game import Seat
from boardgames_cli.games.senet.board import HAPPINESS, HOUSES, houses
from boardgames_cli.games.senet.ending_tables import Endings
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

MOST: Final = 7

HOUSE: Final = 0
"""The first input of a dancer on a house: `HOUSES` of them for each number of dancers left."""
PAIR: Final = HOUSE + MOST * HOUSES
"""The first input of two dancers in a row, by the house of the first."""
THREE: Final = PAIR + HOUSES - 1
"""The first input of three in a row, by the house of the first."""
BEYOND: Final = THREE + HOUSES - 2
"""The first input of the group from house 26 on: `GROUPS` for each number of dancers left."""
GROUPS: Final = 1 << (HOUSES - HAPPINESS + 1)
LAST_TWO: Final = BEYOND + MOST * GROUPS
"""The first input of the last two dancers, by their houses."""
INPUTS: Final = LAST_TWO + HOUSES * (HOUSES - 1) // 2

PHASES: Final = (MOST + 1) ** 2
"""The number of phases: pairs of numbers of dancers left."""

_CACHED: Final = 1 << 14
"""The cache size in sides, at most 20 MB per rule set."""


def phase(own: int, opponent: int) -> int:
    """The phase of a position, by the masks of the houses of both sides."""
    return own.bit_count() * (MOST + 1) + opponent.bit_count()


def side_inputs(mask: int) -> list[int]:
    """The active inputs of a side that has a dancer left."""
    left = mask.bit_count() - 1
    places = [house - 1 for house in houses(mask)]
    found = [HOUSE + left * HOUSES + place for place in places]
    pairs = mask & (mask >> 1)
    found += [PAIR + house - 1 for house in houses(pairs)]
    found += [THREE + house - 1 for house in houses(pairs & (pairs >> 1))]
    group = mask >> (HAPPINESS - 1)
    if group:
        found.append(BEYOND + left * GROUPS + group)
    if len(places) == 2:
        low, high = places
        found.append(LAST_TWO + high * (high - 1) // 2 + low)
    return found


class NetworkEvaluation:
    """An estimate of a seat's return by one network for each rule set, and tables of endings.

    Both are read when they are first needed.
    """

    def __init__(self) -> None:
        self.endings: Final = Endings.load
        """The endings of a rule set, loaded at first use."""
        # Cached, because a search sees the same side repeatedly with other throws and opponents.
        self._sums = functools.lru_cache(maxsize=2 * _CACHED)(self._add_up)

    @functools.cached_property
    def model(self) -> NetworkModel:
        return bundled_model()

    def load(self, game: Senet) -> None:
        """Read all that evaluating positions of a game takes; otherwise the first ones do."""
        _ = self.model, self.endings(game.rules)

    def __call__(self, game: Senet, state: SenetState, seat: Seat) -> float:
        """Twice the seat's winning probability, minus 1.

        Before the throw it is that of the position; after it, that of the best move.
        """
        if not (state.cones and state.spools):
            return game.returns(state)[seat]
        player = state.player
        if state.steps is not None:
            moves = game.legal_actions(state, player)
            best = max(self(game, game.apply(state, {player: move}), player) for move in moves)
            return best if seat == player else -best
        value = 2 * self.chance(game.rules, state.side(player), state.side(1 - player)) - 1
        return value if seat == player else -value

    def chance(self, rules: str, own: int, opponent: int) -> float:
        """The winning probability of the player about to throw."""
        known = self.endings(rules).chance(own, opponent)
        return self.guess(rules, own, opponent) if known is None else known

    def guess(self, rules: str, own: int, opponent: int) -> float:
        """The network's estimate without the endings; arguments as for `chance`."""
        log_odds = self.model.networks[rules].log_odds(
            self._sums(rules, OWN, own), self._sums(rules, FOE, opponent), phase(own, opponent)
        )
        return 0.5 + 0.5 * math.tanh(log_odds / 2)

    def _add_up(self, rules: str, role: int, mask: int) -> tuple[float, ...]:
        return self.model.networks[rules].sums(role, side_inputs(mask))


@functools.cache
def bundled_model() -> NetworkModel:
    """The bundled networks."""
    path = resources.files(__package__) / "data" / "network.json"
    return parse_networks(path.read_text(encoding="utf-8"))


evaluate: Final = NetworkEvaluation()
