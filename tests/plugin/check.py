"""Run the contract kit over Nim; any test framework can call the same functions."""

from __future__ import annotations

import sys

from boardgames_cli import make, make_agent, make_encoder
from boardgames_cli.core.options import every_option_set
from boardgames_cli.registry import find_game
from boardgames_cli.testing import check_agent, check_encoder, check_game, check_spec, check_view

SPEC = find_game("nim")
check_spec(SPEC)

for options in every_option_set(SPEC.game_class()):
    game = make("nim", **options)
    check_game(game, seeds=range(3))
    check_view(SPEC.make_view(game), seeds=range(1))
    check_encoder(make_encoder(game), seeds=range(2))
    for level in SPEC.levels.values():
        check_agent(make_agent(level, game), game, seeds=range(1))
    sys.stdout.write(f"{game} keeps the contract\n")
