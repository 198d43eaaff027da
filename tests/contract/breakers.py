"""A table of what breaks the laws of the kit, one law each; the modules `broken_*` fill it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from boardgames_cli.core.agent import Agent, Budget
from boardgames_cli.core.analyst import Analyst
from boardgames_cli.core.encoder import Encoder
from boardgames_cli.core.game import AnyGame, Game
from boardgames_cli.core.presentation.view import View
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.testing import (
    check_agent,
    check_analyst,
    check_encoder,
    check_game,
    check_spec,
    check_view,
)
from tests.toys import Pennies, Race

CHECKS: Final[dict[type, Callable[[Any], None]]] = {
    Game: partial(check_game, seeds=range(8)),
    View: check_view,
    Encoder: check_encoder,
    Analyst: partial(check_analyst, seeds=range(3), max_plies=30),
    Agent: partial(check_agent, game=Pennies(), patience=0.05),
    GameSpec: check_spec,
}
AT_RACE: Final = partial(check_agent, game=Race(), seeds=[0], budget=Budget(seconds=0.01))
"""A check of an agent with little time."""


class Breaker(NamedTuple):
    law: str
    start: str
    """How the message begins."""
    check: Callable[[], None]


BREAKERS: Final[list[Breaker]] = []


def replaced(base: type, **methods: Any) -> Any:
    """A class in which some methods are replaced."""
    name = f"Bad{base.__name__}{len(BREAKERS)}"
    kind = type(name, (base,), {"__module__": __name__, "__qualname__": name, **methods})
    globals()[name] = kind  # where pickle looks for it
    return kind


def breaks(law: str, base: type[AnyGame] | type[Any] = Race, *args: Any, **methods: Any) -> None:
    """Add what is made of a class in which some methods are replaced."""
    kind = replaced(base, **methods) if methods else base
    start = f"{base.info.id}(" if issubclass(base, Game) else f"{kind.__name__} "
    check = next(check for about, check in CHECKS.items() if issubclass(base, about))
    BREAKERS.append(Breaker(law, start, lambda: check(kind(*args))))


def checker_of(law: str) -> Callable[[], None]:
    """The check of the first that breaks a law."""
    return next(one.check for one in BREAKERS if one.law == law)
