"""The known solution of one hand of Kuhn poker.

The player who acts first loses 1/18 of a chip per hand in equilibrium. The first player has a
family of equilibrium strategies, one for each *alpha* from 0 to 1/3, the probability of bluffing
with the jack; the second player has just one (H. W. Kuhn, "A simplified two-person poker", 1950).
"""

from __future__ import annotations

from importlib import resources
from typing import Final

from boardgames_cli.algorithms.strategy import Strategy, parse_strategy
from boardgames_cli.games.kuhn.rules import Kuhn

VALUE: Final = -1 / 18
"""The value of a hand to the player who acts first."""

HIGHEST_ALPHA: Final = 1 / 3
_DATA: Final = "data/equilibrium.json"


def equilibrium(alpha: float) -> Strategy:
    """The equilibrium in which the first player bluffs with the jack with probability alpha.

    Args:
        alpha: 0 to 1/3. A king is then bet three times as often, and a queen that checked calls
            with probability alpha + 1/3.
    """
    bets = {
        "J": alpha, "Q": 0.0, "K": 3 * alpha,
        "J check bet": 0.0, "Q check bet": alpha + 1 / 3, "K check bet": 1.0,
        "J check": 1 / 3, "Q check": 0.0, "K check": 1.0,
        "J bet": 0.0, "Q bet": 1 / 3, "K bet": 1.0,
    }  # fmt: skip
    table = {name: {"check": 1 - bet, "bet": bet} for name, bet in bets.items()}
    return Strategy.of(Kuhn(), table, alpha=alpha)


def trained() -> Strategy:
    """The bundled equilibrium found by training."""
    package = __name__.rpartition(".")[0]
    text = (resources.files(package) / _DATA).read_text(encoding="utf-8")
    return parse_strategy(text, _DATA)
