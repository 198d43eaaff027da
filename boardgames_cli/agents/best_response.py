"""An agent that plays a best response to a given agent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from boardgames_cli.algorithms.exploitability import (
    BestResponse,
    best_response,
    profile_of,
    tremble,
)
from boardgames_cli.algorithms.game_tree import (
    GameTree,
    information_set,
    stage_of,
    tree_of,
    why_no_tree,
    why_not_extensive,
)
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat
from boardgames_cli.core.options import option
from boardgames_cli.registry import make_agent


@dataclass
class BestResponseAgent(Agent[S, A]):
    """Plays a best response to one given agent, and may lose to any other.

    The policy of that agent is taken from its method ``policy`` if it has one; otherwise it is
    sampled a few hundred times at each of its information sets.
    """

    to: str = option("random", "the agent to exploit, such as rock")

    _game: Game[S, A, Any] = field(init=False, repr=False, compare=False)
    _answers: dict[tuple[AnyGame, Seat], BestResponse] = field(
        init=False, default_factory=dict, repr=False, compare=False
    )

    def supports(self, game: AnyGame) -> str | None:
        """A small two-player zero-sum game, and an opponent that can play it."""
        reason = why_not_extensive(game)
        if reason is None:
            make_agent(self.to, game)
            reason = why_no_tree(game)
        return reason

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        """Compute the best responses; the result is kept for the next game."""
        self._game = game
        stage = stage_of(game)
        tree = tree_of(stage)
        # In a repeated game the seats may swap roles between stages, so both responses are needed.
        for place in (0, 1) if stage != game else (seat,):
            if (stage, place) not in self._answers:
                self._answers[stage, place] = self._answer(tree, place)

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        stage = stage_of(self._game)
        tree = tree_of(stage)
        number = tree.find(information_set(self._game, seen))
        seat = tree.information_sets[number].seat
        return seen.legal[self._answers[stage, seat].choices[number]]

    def _answer(self, tree: GameTree[Any, Any], seat: Seat) -> BestResponse:
        other = make_agent(self.to, tree.game)
        profile = profile_of(tree, {1 - seat: other})
        # Every action is optimal where the opponent never leads; trembles give a sensible one.
        return best_response(tree, tremble(profile), seat)
