"""TapnSwap as arrays."""

from __future__ import annotations

import random

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


def test_masks_are_the_legal_numbers() -> None:
    encoder = make_encoder(GAME)
    for state in random.Random(2).sample(list(GAME.every_position()), 50):
        for shown in (state, TapnSwapState(state.hands[::-1], 1)):
            seen = GAME.observe(shown, shown.player)
            ids = [GAME.action_id(shown, action) for action in seen.legal]
            assert encoder.mask(seen).nonzero()[0].tolist() == sorted(ids)
