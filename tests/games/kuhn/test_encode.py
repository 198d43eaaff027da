"""Kuhn poker as arrays."""

from __future__ import annotations

from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.kuhn.encode import Vector
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState, Seen
from boardgames_cli.registry import make_encoder
from tests.games.kuhn import spiel
from tests.games.kuhn.tables import every_state


def information(seen: Seen) -> Vector:
    return make_encoder(Kuhn(), "information_state_tensor").encode(seen)["information_state"]


def situation(seen: Seen) -> Vector:
    return make_encoder(Kuhn(), "observation_tensor").encode(seen)["observation"]


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
