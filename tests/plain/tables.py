"""Cards to play the toys of `tests.toys` with: a view for each, and agents that misbehave."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import Observation
from boardgames_cli.core.options import option
from boardgames_cli.core.presentation.view import AnyView
from boardgames_cli.core.spec import AgentSpec, GameSpec
from boardgames_cli.core.text import Picture
from tests.toys import Cards, Pennies, Race


class PlainView(AnyView):
    """Shows the observation as it is, so that a leak would be seen."""

    def picture(self, seen: Any, size: Any, context: Any) -> Picture:
        viewer = "nobody" if seen.seat is None else seen.seat
        return Picture.of([f"board for {viewer}: {self.game.to_json(seen.state)}"])

    def narrate(self, before: Any, step: Any, after: Any, context: Any) -> list[str]:
        if step.is_chance:
            return ["chance has acted"]
        return [f"{context.name(seat)}: {action}" for seat, action in step.joint.items()]

    def legend(self, glyphs: Any) -> Picture:
        return Picture.of(["no signs"])


@dataclass
class First(Agent[Any, Any]):
    """Takes the first action, or another."""

    pick: int = option(0, "which action", low=0, high=1)

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return seen.legal[self.pick]


class Failing(Agent[Any, Any]):
    """Knows nothing."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        raise KeyError("obs")


class Hanging(Agent[Any, Any]):
    """Never comes back."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        threading.Event().wait()


class Picky(Agent[Any, Any]):
    """Can't play anything."""

    def supports(self, game: Any) -> str | None:
        return "it never plays"

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return seen.legal[0]


AGENTS = tuple(
    AgentSpec(name.lower(), f"tests.plain.tables:{name}", f"the {name.lower()} one")
    for name in ("First", "Failing", "Hanging", "Picky")
)


def spec(game: type[Any]) -> GameSpec:
    return GameSpec(
        info=game.info,
        rules=f"tests.toys:{game.__name__}",
        view="tests.plain.tables:PlainView",
        levels={"easy": "random", "medium": "first", "hard": "first"},
        agents=AGENTS,
    )


RACE, PENNIES, CARDS = spec(Race), spec(Pennies), spec(Cards)
