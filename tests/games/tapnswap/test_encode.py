"""TapnSwap as arrays."""

from __future__ import annotations

import pytest

from boardgames_cli.core.errors import UnknownActionError
from boardgames_cli.games.tapnswap import encode
from boardgames_cli.games.tapnswap.actions import LEGAL
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState

GAME = TapnSwap()


def test_the_code_of_the_original_names_each_move_once() -> None:
    state = TapnSwapState(((2, 1), (1, 3)), 0)
    found = {str(a): encode.triple(GAME, state, a) for a in GAME.legal_actions(state, 0)}
    assert found["tap R>L"] == (0, 1, 0)
    assert found["swap 0-3"] == (1, 0, 2)  # the left hand gives two
    for own, other in LEGAL:
        state = TapnSwapState((own, other), 0)
        legal = GAME.legal_actions(state, 0)
        codes = [encode.triple(GAME, state, action) for action in legal]
        assert [encode.from_triple(GAME, state, code) for code in codes] == list(legal)
    with pytest.raises(UnknownActionError, match=r"\[1, 0, 3\]"):
        encode.from_triple(GAME, TapnSwapState(((1, 1), (1, 1)), 0), (1, 0, 3))
