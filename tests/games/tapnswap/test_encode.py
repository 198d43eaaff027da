"""TapnSwap as arrays."""

from __future__ import annotations

import pytest

from boardgames_cli.core.errors import UnknownActionError
from boardgames_cli.games.tapnswap import encode
from boardgames_cli.games.tapnswap.actions import LEGAL
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState
from boardgames_cli.registry import make_encoder

GAME = TapnSwap()
STATE = TapnSwapState(((3, 2), (4, 0)), 0, 7)


def test_the_published_hands() -> None:
    hands = make_encoder(GAME, "hands")
    assert hands.encode(GAME.observe(STATE, 0))["hands"].tolist() == [[3, 2], [4, 0]]
    assert hands.encode(GAME.observe(STATE, 1))["hands"].tolist() == [[4, 0], [3, 2]]
    second = TapnSwapState(STATE.hands, 1)
    assert hands.encode(GAME.observe(second, None))["hands"].tolist() == [[4, 0], [3, 2]]
    assert hands.mask(GAME.observe(STATE, 0)).tolist() == [1, 0, 1, 0, 0, 1, 0, 1, 0, 0]
    assert not hands.mask(GAME.observe(STATE, 1)).any()


def test_the_usual_arrays_also_know_the_turn_and_the_end() -> None:
    arrays = make_encoder(GAME).encode(GAME.observe(STATE, 1))
    assert {name: array.tolist() for name, array in arrays.items()} == {
        "hands": [[4, 0], [3, 2]],
        "turn": [0, 1],
        "moves_left": 193,
    }


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
