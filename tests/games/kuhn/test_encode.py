"""Kuhn poker as arrays."""

from __future__ import annotations

import numpy as np

from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.kuhn.encode import Vector
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState, Seen
from boardgames_cli.registry import make_encoder
from tests.games.kuhn import spiel
from tests.games.kuhn.tables import BET, CHECK, JACK, KING, every_state


def information(seen: Seen) -> Vector:
    return make_encoder(Kuhn(), "information_state_tensor").encode(seen)["information_state"]


def situation(seen: Seen) -> Vector:
    return make_encoder(Kuhn(), "observation_tensor").encode(seen)["observation"]


def test_arrays_by_hand() -> None:
    seen = Kuhn().observe(KuhnState((KING, JACK), (CHECK, BET), 0), 0)
    assert information(seen).tolist() == [1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0]
    assert situation(seen).tolist() == [1, 0, 0, 0, 1, 1, 2]


def test_the_place_counts_not_the_seat() -> None:
    seen = Kuhn(first=2).observe(KuhnState((JACK, KING), (CHECK, BET), 1), 1)
    assert information(seen).tolist() == [1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0]


def test_nothing_hidden_is_in_the_arrays() -> None:
    game = Kuhn()
    for viewer in (0, 1, None):
        shown: dict[KuhnState, bytes] = {}
        for state in every_state(game):
            seen = game.observe(state, viewer)
            bits = information(seen).tobytes() + situation(seen).tobytes()
            assert shown.setdefault(seen.state, bits) == bits
    assert information(game.observe(game.initial_state(), None)).sum() == 0


def test_both_arrays_are_those_of_open_spiel() -> None:
    pyspiel = spiel.load()
    game, compared = Kuhn(), 0
    for state in every_state(game):
        if game.to_act(state) in ((CHANCE,), ()):
            continue
        theirs = spiel.state(pyspiel, state.cards, tuple(map(str, state.actions)))
        for seat in (0, 1):
            seen = game.observe(state, seat)
            assert information(seen).tolist() == theirs.information_state_tensor(seat)
            assert situation(seen).tolist() == theirs.observation_tensor(seat)
            compared += 1
    assert compared == 48


def test_arrays_are_of_one_type() -> None:
    seen = Kuhn().observe(KuhnState((KING, JACK), (), 0), 0)
    assert information(seen).dtype == situation(seen).dtype == np.float32


def test_the_usual_arrays_know_both_cards_and_the_match() -> None:
    game = Kuhn(hands=9)
    state = KuhnState((KING, JACK), (CHECK, BET), 0, 4, -3)
    arrays = make_encoder(game).encode(game.observe(state, 1))
    assert {name: array.tolist() for name, array in arrays.items()} == {
        "place": [0, 1],
        "cards": [[1, 0, 0, 0], [0, 0, 0, 1]],
        "betting": [[1, 0], [0, 1], [0, 0]],
        "hand": 4,
        "won": 3,
    }
    showdown = KuhnState((KING, JACK), (CHECK, CHECK), 0)
    arrays = make_encoder(game).encode(game.observe(showdown, None))
    assert arrays["cards"].tolist() == [[0, 0, 1, 0], [1, 0, 0, 0]]
