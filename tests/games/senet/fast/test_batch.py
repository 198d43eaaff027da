"""Many boards at once, against the readable rules and their encoder."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

import numpy as np

from boardgames_cli.algorithms.fast.xorshift import draw, make_seed
from boardgames_cli.games.senet.actions import PASS, Throw
from boardgames_cli.games.senet.fast.batch import FOREMOST, GIVEN, RANDOM, SenetBatch
from boardgames_cli.games.senet.fast.moves import RULES
from boardgames_cli.games.senet.fast.playouts import throw
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from boardgames_cli.registry import make_encoder

GAMES = [Senet(rules, pieces) for rules in RULES for pieces in (5, 7)]


def movers_of(seats: np.ndarray, other: int) -> np.ndarray:
    movers = np.full((len(seats), 2), other, dtype=np.int32)
    movers[np.arange(len(seats)), seats] = GIVEN
    return movers


def choose(masks: np.ndarray, luck: random.Random) -> np.ndarray:
    return np.array([luck.choice(np.flatnonzero(row).tolist() or [0]) for row in masks])


class Readable:
    """One board by the readable rules, with the generator of the compiled ones."""

    def __init__(self, game: Senet, seed: int, seat: int, other: int) -> None:
        self.game, self.rng, self.seat, self.other = game, make_seed(seed), seat, other
        self.state = game.initial_state()
        self.go_on()

    def go_on(self) -> None:
        while self.game.to_act(self.state):
            self.state = self.game.apply_chance(self.state, Throw(throw(self.rng)))
            if self.state.player == self.seat:
                return
            legal = self.game.legal_actions(self.state, self.state.player)
            if self.other == FOREMOST or legal == (PASS,):
                move = legal[-1]
            else:
                move = legal[draw(self.rng, len(legal))]
            self.state = self.game.apply(self.state, {self.state.player: move})

    def act(self, id: int) -> None:
        move = self.game.action_of(self.state, id)
        self.state = self.game.apply(self.state, {self.seat: move})
        self.go_on()


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("other", [RANDOM, FOREMOST])
def test_games_go_as_by_the_rules_and_are_seen_as_the_encoder_sees(game: Senet, other: int) -> None:
    luck, encoder = random.Random(1), make_encoder(game)
    seats = np.array([0, 1, 1, 0], dtype=np.int32)
    movers = movers_of(seats, other)
    batch = SenetBatch(game, 4, seed=5)
    batch.begin(seats, movers)
    boards = [Readable(game, 5 + board, int(seats[board]), other) for board in range(4)]
    over = np.zeros(4, dtype=bool)
    while not over.all():
        masks, seen, flat = batch.masks(seats), batch.observe(seats), batch.flat(seats)
        for number, board in enumerate(boards):
            assert batch.state(number) == board.state
            observation = game.observe(board.state, board.seat)
            assert np.array_equal(masks[number], encoder.mask(observation))
            for name, wanted in encoder.encode(observation).items():
                assert seen[name].dtype == wanted.dtype
                assert np.array_equal(seen[name][number], wanted), name
            assert np.array_equal(flat[number], encoder.flat(observation))
        actions = choose(masks, luck)
        batch.play(seats, actions, movers, ~over)
        for number in map(int, np.flatnonzero(~over)):
            boards[number].act(int(actions[number]))
        returns, over = batch.results(seats)
        wanted_returns = [game.returns(board.state)[board.seat] for board in boards]
        assert returns.tolist() == wanted_returns
        assert over.tolist() == [game.is_over(board.state) for board in boards]


def test_a_board_does_not_depend_on_the_others() -> None:
    def played(count: int, seed: int, board: int) -> list[SenetState]:
        seats = np.zeros(count, dtype=np.int32)
        batch, movers = SenetBatch(Senet(), count, seed), movers_of(seats, RANDOM)
        batch.begin(seats, movers)
        found = []
        for _ in range(30):
            batch.play(seats, batch.masks(seats).argmax(axis=1), movers)
            found.append(batch.state(board))
        return found

    assert played(5, 10, 2) == played(1, 12, 0) != played(1, 13, 0)


def test_boards_that_are_not_named_stay_as_they_are() -> None:
    seats = np.zeros(6, dtype=np.int32)
    batch, movers = SenetBatch(Senet("skyruk"), 6, 1), movers_of(seats, FOREMOST)
    some = np.arange(6) < 3
    batch.begin(seats, movers, some)
    start = Senet("skyruk").initial_state()
    assert [batch.state(board) == start for board in range(6)] == [False] * 3 + [True] * 3
    batch.begin(seats, movers)
    before = [batch.state(board) for board in range(6)]
    batch.play(seats, batch.masks(seats).argmax(axis=1), movers, some)
    assert [batch.state(board) == before[board] for board in range(6)] == [False] * 3 + [True] * 3


def test_a_game_that_ends_before_the_seat_acts_does_not_count() -> None:
    seats = np.zeros(50, dtype=np.int32)
    batch = SenetBatch(Senet(), 50, seed=1)
    # As if all games began so: the spools, who begin, win at once with a throw of 1.
    start = SenetState(1, 1 << 29, 1, None)
    batch.set_state(0, start)
    batch._start = batch.states[0].copy()
    batch.begin(seats, movers_of(seats, RANDOM))
    assert batch.masks(seats).any(axis=1).all()
    assert not batch.results(seats)[1].any()
