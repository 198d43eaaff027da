from __future__ import annotations

import pytest

from boardgames_cli.core.errors import (
    IllegalActionError,
)
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.tapnswap.actions import ALL_MOVES, Swap, Tap
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState
from tests.games.tapnswap import slow_rules

GAME = TapnSwap()


def test_every_illegal_move_is_explained_everywhere() -> None:
    for own, opponent in slow_rules.POSITIONS:
        state = TapnSwapState((own, opponent), 0)
        legal = GAME.legal_actions(state, 0)
        for action in ALL_MOVES:
            if action not in legal:
                reason = GAME.explain_illegal(state, 0, action)
                assert reason
                assert not reason.endswith(".")
        mirror = [Swap(own[1], own[0])] if own[0] != own[1] else []
        assert list(GAME.near_misses(state, 0)) == mirror


def test_out_of_turn_and_foreign_actions_are_explained() -> None:
    start = GAME.initial_state()
    assert GAME.explain_illegal(start, 1, Tap(0, 0)) == "it is not your turn"
    match: AnyMatch = Match(GAME, seed=1)
    with pytest.raises(IllegalActionError, match='"e4" is not an action of TapnSwap'):
        match.submit(0, "e4")
