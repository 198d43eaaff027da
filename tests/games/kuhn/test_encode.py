"""Kuhn poker as arrays."""

from __future__ import annotations

import numpy as np
import pytest

from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.kuhn import encode
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState
from tests.games.kuhn import spiel
from tests.games.kuhn.tables import BET, CHECK, JACK, KING, every_state


def test_arrays_by_hand() -> None:
    seen = Kuhn().observe(KuhnState((KING, JACK), (CHECK, BET), 0), 0)
    assert encode.information(seen).tolist() == [1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0]
    assert encode.situation(seen).tolist() == [1, 0, 0, 0, 1, 1, 2]


def test_the_place_counts_not_the_seat() -> None:
    seen = Kuhn(first=2).observe(KuhnState((JACK, KING), (CHECK, BET), 1), 1)
    assert encode.information(seen).tolist() == [1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0]


def test_nothing_hidden_is_in_the_arrays() -> None:
    game = Kuhn()
    for viewer in (0, 1, None):
        shown: dict[KuhnState, bytes] = {}
        for state in every_state(game):
            seen = game.observe(state, viewer)
            bits = encode.information(seen).tobytes() + encode.situation(seen).tobytes()
            assert shown.setdefault(seen.state, bits) == bits
    assert encode.information(game.observe(game.initial_state(), None)).sum() == 0


def test_both_arrays_are_those_of_open_spiel() -> None:
    pyspiel = spiel.load()
    game, compared = Kuhn(), 0
    for state in every_state(game):
        if game.to_act(state) in ((CHANCE,), ()):
            continue
        theirs = spiel.state(pyspiel, state.cards, tuple(map(str, state.actions)))
        for seat in (0, 1):
            seen = game.observe(state, seat)
            assert encode.information(seen).tolist() == theirs.information_state_tensor(seat)
            assert encode.situation(seen).tolist() == theirs.observation_tensor(seat)
            compared += 1
    assert compared == 48


@pytest.mark.parametrize("array", [encode.information, encode.situation])
def test_arrays_are_of_one_type(array: object) -> None:
    assert callable(array)
    assert array(Kuhn().observe(KuhnState((KING, JACK), (), 0), 0)).dtype == np.float32
