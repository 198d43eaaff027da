"""Agents that play a strategy table, such as one from counterfactual regret minimisation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.algorithms.exploitability import strategy_quality
from boardgames_cli.algorithms.game_tree import (
    Policy,
    draw,
    stage_of,
    why_not_cfr,
)
from boardgames_cli.algorithms.strategy import BUNDLED, Strategy, bundled_strategy, read_strategy
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat
from boardgames_cli.core.options import option
from boardgames_cli.registry import file_of

_MOST_ROWS: Final = 60


@dataclass
class TableAgent(Agent[S, A]):
    """Plays a strategy.

    Subclasses define where the strategy comes from.
    """

    slips: float = option(0.0, "probability of a random action instead", low=0.0, high=1.0)

    _game: Game[S, A, Any] = field(init=False, repr=False, compare=False)
    _strategy: Strategy = field(init=False, repr=False, compare=False)

    def load(self, game: Game[S, A, Any]) -> Strategy:
        """The strategy for a game.

        Raises:
            LearnedFileError: It can't be read.
        """
        raise NotImplementedError

    def supports(self, game: AnyGame) -> str | None:
        """A game that the strategy was made for, or one that repeats it."""
        return self.load(game).fits(stage_of(game))

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        self._game = game
        self._strategy = self.load(game)

    def policy(self, seen: Observation[S, A]) -> Policy[A]:
        """The probabilities of its actions, including slips."""
        even = self.slips / len(seen.legal)
        policy = self._strategy.policy(self._game, seen)
        return {action: even + (1 - self.slips) * chance for action, chance in policy.items()}

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        return draw(self.policy(seen), thinking.rng)

    def facts(self) -> list[tuple[str, str]]:
        """Facts about the strategy without slips; see `core.agent.HasLearned`."""
        strategy = self._strategy
        known = strategy_quality(stage_of(self._game), strategy)
        facts = [
            ("game", f"{strategy.game}, rules version {strategy.rules_version}"),
            ("size", f"{len(strategy.table)} information sets"),
            (
                "value",
                f"{known.value:+.6f} a game for the first seat if both play it",
            ),
            (
                "exploitability",
                f"{max(known.exploitability, 0.0):.1e}: what the best answer to it gains a game",
            ),
        ]
        facts += self._notes()
        rows = strategy.rows()
        facts += [(f"at {name}", text) for name, text in rows[:_MOST_ROWS]]
        if len(rows) > _MOST_ROWS:
            facts.append(("and", f"{len(rows) - _MOST_ROWS} more, in the file"))
        command = strategy.about.get("command")
        return [*facts, ("made by", command)] if isinstance(command, str) else facts

    def _notes(self) -> list[tuple[str, str]]:
        return []


@dataclass
class CfrAgent(TableAgent[S, A]):
    """Plays a strategy that ``boardgames train`` made: from a file, or the one of the game."""

    file: str = option("", f"the strategy file; without one data/{BUNDLED} of the game")

    def load(self, game: Game[S, A, Any]) -> Strategy:
        """The strategy in the file, or the one that comes with the game."""
        if self.file:
            return read_strategy(file_of(game, self.file))
        bundled = bundled_strategy(game)
        assert bundled is not None, "supports() refuses such games"
        return bundled

    def supports(self, game: AnyGame) -> str | None:
        """A game for which the strategy was made."""
        if not self.file and bundled_strategy(game) is None:
            needed = "it needs a strategy file (cfr:file=PATH), which boardgames train makes"
            return why_not_cfr(game) or needed
        return super().supports(game)
