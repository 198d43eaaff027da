"""What each choice of a diver leads to, for hints and panels."""

from __future__ import annotations

from typing import Any

from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import Game, Observation
from boardgames_cli.games.deepsea.actions import Choice
from boardgames_cli.games.deepsea.montecarlo import Lookout, Prospect
from boardgames_cli.games.deepsea.state import DeepSeaState


def analysis(
    game: Game[DeepSeaState, Choice, Any],
    seen: Observation[DeepSeaState, Choice],
    thinking: Thinking,
) -> tuple[Prospect, ...]:
    """The chance to get home and the expected points of each choice, best first.

    Every prospect says on how many samples it rests; ``str(prospect)`` is one line for people.
    """
    assert seen.seat is not None, "a spectator has no choices"
    agent = Lookout()
    agent.reset(game, seen.seat)
    return agent.prospects(seen, thinking)
