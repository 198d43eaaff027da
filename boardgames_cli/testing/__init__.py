"""The contract kit: checks that games and their parts obey the laws that other code relies on.

It works for bundled games and plug-ins, with any test framework or none:

    >>> import boardgames_cli as bg
    >>> from boardgames_cli.testing import check_agent, check_game
    >>> game = bg.make("senet")
    >>> check_game(game, seeds=[1])
    >>> check_agent(bg.make_agent("random", game), game)
"""

from __future__ import annotations

from boardgames_cli.testing.check import (
    check_agent,
    check_analyst,
    check_encoder,
    check_game,
    check_spec,
    check_view,
)
from boardgames_cli.testing.findings import ContractError

__all__ = [
    "ContractError",
    "check_agent",
    "check_analyst",
    "check_encoder",
    "check_game",
    "check_spec",
    "check_view",
]
