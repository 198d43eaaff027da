"""The analyst of Kuhn poker: the words beside the equilibrium."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import ClassVar

from boardgames_cli.algorithms.analysts.equilibrium_analyst import EquilibriumAnalyst
from boardgames_cli.algorithms.strategy import Strategy
from boardgames_cli.core.analyst import Reason, Scale
from boardgames_cli.games.kuhn import agents
from boardgames_cli.games.kuhn.actions import (
    ANTE,
    BET_SIZE,
    JACK,
    LETTERS,
    Action,
    Card,
    Deal,
    Line,
    faces_bet,
    word,
)
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState, Seen
from boardgames_cli.games.kuhn.view import drawing


@dataclass(frozen=True)
class KuhnAnalyst(EquilibriumAnalyst[Kuhn, KuhnState, Action, Deal]):
    """Evaluates hands by the exact equilibrium, and explains them in the words of the game."""

    version: ClassVar[int] = 2
    scale: ClassVar = Scale("chips", float(ANTE + BET_SIZE), part="in this hand")
    """The maximum loss in a hand counts as 100 %."""

    @functools.cached_property
    def strategy(self) -> Strategy:
        return agents.equilibrium(agents.trained().table[LETTERS[JACK]][Action.BET])

    def label(self, seen: Seen, action: Action) -> str:
        return word(seen.state.actions, action)

    def moment(self, seen: Seen) -> str:
        card = drawing.RANKS[seen.state.cards[seen.own_seat]].lower()
        return f"hand {seen.state.hand + 1}, {card}"

    def reason(self, seen: Seen, played: Action, better: Action) -> Reason:
        return _reason(seen.state.cards[seen.own_seat], seen.state.actions, played)


def _reason(card: Card, line: Line, played: Action) -> Reason:
    name = drawing.RANKS[card].lower()
    if faces_bet(line):
        if played is Action.BET:
            return Reason(
                "called with a loser",
                f"the {name} loses every showdown; a call only pays {BET_SIZE} more",
            )
        return Reason(
            "folded a winner",
            f"the {name} wins every showdown; a call wins {ANTE + BET_SIZE}, a fold loses {ANTE}",
        )
    if played is Action.BET:
        return Reason(
            "bet what only better cards call",
            f"a jack folds and a king calls: betting the {name} wins nothing more, "
            f"and loses {BET_SIZE} more",
        )
    return Reason(
        "did not bet a winner",
        f"nothing beats the {name}; after a check a bet loses nothing, "
        "and wins more whenever it is called",
    )
