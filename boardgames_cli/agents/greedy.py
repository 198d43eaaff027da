"""The agent that takes what looks best at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.agents.valuation import estimate, pick_best
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import A, Game, Observation, S, Seat, Traits
from boardgames_cli.core.options import check_options, option
from boardgames_cli.core.spec import Heuristic
from boardgames_cli.registry import heuristic_of

_WORLDS: Final = 8
"""Over so many guesses of what is hidden the values are averaged."""


@dataclass
class Greedy(Agent[S, A]):
    """Tries every action and takes the one after which the game's heuristic likes its seat best.

    What happens next is left to the heuristic: one ply, no chance, no answer of the opponents.
    Where something is hidden, the actions are tried in several states that fit the observation.
    """

    slips: float = option(
        0.0, "how often it takes any action instead of the best", low=0.0, high=1.0
    )

    _game: Game[S, A] = field(init=False, repr=False, compare=False)
    _heuristic: Heuristic = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_options(self)

    def supports(self, game: Game[Any, Any]) -> str | None:
        """Any game with a heuristic in which one seat acts at a time."""
        if Traits.SIMULTANEOUS in game.info.traits:
            return "all seats act at once there, so no action has a value of its own"
        if heuristic_of(game) is None:
            return "it has no heuristic"
        return None

    def reset(self, game: Game[S, A], seat: Seat) -> None:
        """Learn the rules and what the game's authors know about positions."""
        heuristic = heuristic_of(game)
        assert heuristic is not None, "supports() refuses such games"
        self._game = game
        self._heuristic = heuristic

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        """The best action at first sight; with probability `slips` any."""
        if len(seen.legal) == 1:
            return seen.legal[0]
        if thinking.rng.random() < self.slips:
            return thinking.rng.choice(seen.legal)
        return pick_best(self.evaluate_actions(seen, thinking), thinking.rng)

    def evaluate_actions(self, seen: Observation[S, A], thinking: Thinking) -> dict[A, float]:
        """The estimate right after each action; see `EvaluatesActions`."""
        assert seen.seat is not None, "a spectator has no actions"
        is_hidden = Traits.HIDDEN in self._game.info.traits
        worlds = [
            self._game.determinize(seen, thinking.rng) for _ in range(_WORLDS if is_hidden else 1)
        ]
        return {
            action: sum(self._try(world, seen.seat, action) for world in worlds) / len(worlds)
            for action in seen.legal
        }

    def _try(self, state: S, seat: Seat, action: A) -> float:
        after = self._game.apply(state, {seat: action})
        return estimate(self._game, self._heuristic, after, seat)
