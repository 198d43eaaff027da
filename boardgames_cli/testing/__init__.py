"""The contract kit: checks that games and all that belongs to them keep the laws others rely on.

For our own games and for those of plug-ins; it needs no test framework:

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
from boardgames_cli.testing.report import ContractError, ContractWarning

__all__ = [
    "ContractError",
    "ContractWarning",
    "check_agent",
    "check_analyst",
    "check_encoder",
    "check_game",
    "check_spec",
    "check_view",
]
