"""Agents for Kuhn poker: an equilibrium, and three stereotypes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, ClassVar, Final

from boardgames_cli.agents.cfr import TableAgent
from boardgames_cli.algorithms.game_tree import Policy
from boardgames_cli.algorithms.strategy import Strategy, parse_strategy
from boardgames_cli.core.agent import SingleGameAgent, Thinking
from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.game import Game
from boardgames_cli.core.options import option
from boardgames_cli.games.kuhn.actions import KING, Action, Card, faces_bet
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState, Seen

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


_TRAINED: Final = -1.0


@dataclass
class Equilibrium(TableAgent[KuhnState, Action]):
    """Plays an equilibrium strategy, which can't be beaten in the long run.

    With curiosity it makes a beginner's mistakes: it calls with losing cards and bluffs too rarely.
    It never folds a king, and never loses more than `AlwaysCall`.
    """

    alpha: float = option(
        _TRAINED, "how often it bluffs with the jack, 0 to 1/3; -1 for the trained value",
        low=_TRAINED, high=0.3334,
    )  # fmt: skip
    curiosity: float = option(0.0, "how often it plays like always-call", low=0.0, high=1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if _TRAINED < self.alpha < 0:
            raise OptionError(
                f"alpha can't be {self.alpha!r}.", "Allowed: 0 to 1/3, or -1 as it was trained."
            )

    def load(self, game: Game[KuhnState, Action, Any]) -> Strategy:
        if self.alpha == _TRAINED:
            return trained()
        return equilibrium(min(self.alpha, HIGHEST_ALPHA))

    def policy(self, seen: Seen) -> Policy[Action]:
        strict = super().policy(seen)
        curious = AlwaysCall().policy(seen)
        return {
            action: (1 - self.curiosity) * chance + self.curiosity * curious[action]
            for action, chance in strict.items()
        }

    def _notes(self) -> list[tuple[str, str]]:
        bluffs = self._strategy.table["J"][Action.BET]
        return [
            (
                "alpha",
                f"{bluffs:.3f}, how often a jack bluffs first. Any from 0 to 1/3 is an equilibrium "
                "of the same value, if a king bets 3 alpha and a queen calls alpha + 1/3 "
                "(equilibrium:alpha=0.2)",
            )
        ]


class Character(SingleGameAgent[Kuhn, KuhnState, Action]):
    """A player with a pure strategy that depends only on the card."""

    rulebook: ClassVar = Kuhn

    @abstractmethod
    def puts_in(self, card: Card, *, answers: bool) -> bool:
        """Whether it bets or calls with a card."""

    def policy(self, seen: Seen) -> Policy[Action]:
        card = seen.state.cards[seen.own_seat]
        is_in = self.puts_in(card, answers=faces_bet(seen.state.actions))
        chances: Mapping[Action, float] = {
            Action.CHECK: float(not is_in),
            Action.BET: float(is_in),
        }
        return chances

    def act(self, seen: Seen, thinking: Thinking) -> Action:
        policy = self.policy(seen)
        return max(policy, key=lambda action: policy[action])


class AlwaysCall(Character):
    """Calls every bet, and bets only with the king."""

    def puts_in(self, card: Card, *, answers: bool) -> bool:
        return answers or card == KING


class Maniac(Character):
    """Always bets and calls."""

    def puts_in(self, card: Card, *, answers: bool) -> bool:
        return True


class Rock(Character):
    """Bets and calls only with the king."""

    def puts_in(self, card: Card, *, answers: bool) -> bool:
        return card == KING
