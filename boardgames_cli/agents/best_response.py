"""The agent that knows another one by heart and exploits every weakness of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from boardgames_cli.algorithms.best_response import BestResponse, best_response, profile_of, tremble
from boardgames_cli.algorithms.game_tree import GameTree, TreeError
from boardgames_cli.algorithms.information_sets import information_set, stage_of, why_not_extensive
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat
from boardgames_cli.core.options import check_options, option
from boardgames_cli.registry import make_agent


@dataclass
class BestResponseAgent(Agent[S, A]):
    """Plays what wins most against one given agent, and may lose to any other.

    How that agent mixes is its own word, where it has a ``policy``; otherwise it is asked a few
    hundred times at each of its information sets.
    """

    to: str = option("random", "the agent to exploit, such as rock")

    _game: Game[S, A, Any] = field(init=False, repr=False, compare=False)
    _trees: dict[AnyGame, GameTree[Any, Any] | TreeError] = field(
        init=False, default_factory=dict, repr=False, compare=False
    )
    _answers: dict[tuple[AnyGame, Seat], BestResponse] = field(
        init=False, default_factory=dict, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        check_options(self)

    def supports(self, game: AnyGame) -> str | None:
        """A small game of two seats and opposite interests, and an agent that can play it."""
        reason = why_not_extensive(game)
        if reason is not None:
            return reason
        make_agent(self.to, game)
        tree = self._tree(stage_of(game))
        return tree.message.rstrip(".") if isinstance(tree, TreeError) else None

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        """Work out the answers for the seat; the same seat again costs nothing."""
        self._game = game
        stage = stage_of(game)
        tree = self._tree(stage)
        if isinstance(tree, TreeError):
            raise tree
        # In a match of several stages the seats may change places, so both answers are needed.
        for place in (0, 1) if stage != game else (seat,):
            if (stage, place) not in self._answers:
                self._answers[stage, place] = self._answer(tree, place)

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        """The best action against the agent."""
        stage = stage_of(self._game)
        tree = self._tree(stage)
        assert isinstance(tree, GameTree), "reset() refuses such games"
        number = tree.find(information_set(self._game, seen))
        seat = tree.information_sets[number].seat
        return seen.legal[self._answers[stage, seat].choices[number]]

    def _tree(self, stage: AnyGame) -> GameTree[Any, Any] | TreeError:
        if stage not in self._trees:
            try:
                self._trees[stage] = GameTree(stage)
            except TreeError as error:
                self._trees[stage] = error
        return self._trees[stage]

    def _answer(self, tree: GameTree[Any, Any], seat: Seat) -> BestResponse:
        other = make_agent(self.to, tree.game)
        profile = profile_of(tree, {1 - seat: other})
        # Where the agent would never lead, anything is best; slips make it something sensible.
        return best_response(tree, tremble(profile), seat)
