"""Many boards of the games in turns at once, step by step against the readable rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

import numpy as np

from boardgames_cli.algorithms.fast import table_batch
from boardgames_cli.algorithms.fast.boards import GIVEN, RANDOM, STAY, TurnBatch
from boardgames_cli.algorithms.fast.jit import Seeds, draw, make_seed
from boardgames_cli.algorithms.fast.table_batch import TableBatch
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, AnyGame
from boardgames_cli.games.deepsea.actions import REVEALS
from boardgames_cli.games.deepsea.chips import EACH_VALUE
from boardgames_cli.games.deepsea.fast import DeepSeaBatch
from boardgames_cli.games.deepsea.rules import DeepSea, possible_values
from boardgames_cli.games.deepsea.state import Phase
from boardgames_cli.games.kuhn.actions import LETTERS, Action
from boardgames_cli.games.kuhn.agents import trained
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.senet.actions import PASS, Throw
from boardgames_cli.games.senet.fast.batch import FOREMOST, SenetBatch
from boardgames_cli.games.senet.fast.moves import throw
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.registry import make_encoder
from tests.toys import Lots, Pennies, Race, RaceState

Draw = Callable[[AnyGame, Any, Seeds], Any]
"""An outcome or an action for a state, with the random numbers that the compiled rules draw."""


def any_outcome(game: AnyGame, state: Any, rng: Seeds) -> Any:
    outcomes = game.chance_outcomes(state)
    return outcomes[draw(rng, len(outcomes))][0]


def any_move(game: AnyGame, state: Any, rng: Seeds) -> Any:
    (seat,) = game.to_act(state)
    legal = sorted(
        game.legal_actions(state, seat), key=lambda action: game.action_id(state, action)
    )
    return legal[draw(rng, len(legal))]


def sticks(game: AnyGame, state: Any, rng: Seeds) -> Any:
    return Throw(throw(rng))


def any_dancer(game: AnyGame, state: Any, rng: Seeds) -> Any:
    return PASS if PASS in game.legal_actions(state, state.player) else any_move(game, state, rng)


def foremost(game: AnyGame, state: Any, rng: Seeds) -> Any:
    return game.legal_actions(state, state.player)[-1]


def dice_or_chip(game: AnyGame, state: Any, rng: Seeds) -> Any:
    if state.phase is not Phase.REVEAL:
        return any_outcome(game, state, rng)
    left = [
        value
        for value, _ in possible_values(state)
        for _ in range(EACH_VALUE - state.ledger.revealed[value])
    ]
    return REVEALS[left[draw(rng, len(left))]]


def equilibrium(game: AnyGame, state: Any, rng: Seeds) -> Any:
    (seat,) = game.to_act(state)
    name = " ".join((LETTERS[state.cards[seat]], *state.actions))
    chance = round(trained().table[name][Action.BET] * (1 << 24))
    return Action.BET if draw(rng, 1 << 24) < chance else Action.CHECK


def two_in_three(game: AnyGame, state: Any, rng: Seeds) -> Any:
    return f"roll {min(1 + draw(rng, 3), 2)}"


def counting(rules: type[AnyGame], *counters: str) -> Any:
    return type(rules.__name__, (rules,), {"counters": counters})


class Unlikely(Race):
    def chance_outcomes(self, state: RaceState) -> Sequence[tuple[str, float]]:
        return (("roll 1", 0.001), ("roll 2", 0.999))


class Case(NamedTuple):
    batch: type[TurnBatch[Any, Any]]
    game: AnyGame
    mover: int = RANDOM
    move: Draw = any_move
    outcome: Draw = any_outcome

    def boards(self, count: int, seed: int) -> TurnBatch[Any, Any]:
        return self.batch(self.game, count, seed)

    def movers(self, seats: np.ndarray) -> np.ndarray:
        movers = np.full((len(seats), self.game.seats), self.mover, dtype=np.int32)
        movers[np.arange(len(seats)), seats] = GIVEN
        return movers


DEEP_SEA: list[dict[str, Any]] = [
    {},
    {"players": 2, "rounds": 9, "stacks": True},
    {"players": 6, "drop": "choose", "oxygen": 60},
    {"players": 3, "rounds": 5, "drop": "choose", "stacks": True, "oxygen": 99},
    {"oxygen": 1, "rounds": 2},
    {"players": 6, "rounds": 9, "oxygen": 99},
]
CASES = [
    *[
        Case(SenetBatch, Senet(rules, pieces), mover, move, sticks)
        for rules in ("kendall", "skyruk")
        for pieces in (5, 7)
        for mover, move in ((RANDOM, any_dancer), (FOREMOST, foremost))
    ],
    *[
        Case(TableBatch, Kuhn(hands, first), mover, move)
        for hands, first in ((1, 1), (5, 2))
        for mover, move in ((RANDOM, any_move), (RANDOM + 1, equilibrium))
    ],
    *[Case(DeepSeaBatch, DeepSea(**options), outcome=dice_or_chip) for options in DEEP_SEA],
    Case(TableBatch, Race(6), outcome=two_in_three),
    Case(TableBatch, counting(TapnSwap)(max_plies=4)),
    Case(TableBatch, TapnSwap()),
    Case(TableBatch, TapnSwap(max_plies=9, first=2)),
]
GAMES = [CASES[0], CASES[8], CASES[12], CASES[-1]]


class Readable:
    """One board by the readable rules, with the generator of the compiled ones."""

    def __init__(self, case: Case, seed: int, seat: int) -> None:
        self.case, self.game, self.rng, self.seat = case, case.game, make_seed(seed), seat
        self.begin()

    def begin(self) -> None:
        self.state = self.game.initial_state()
        self.go_on()

    def go_on(self) -> None:
        game = self.game
        while (waiting := game.to_act(self.state)) and waiting != (self.seat,):
            if waiting == (CHANCE,):
                outcome = self.case.outcome(game, self.state, self.rng)
                self.state = game.apply_chance(self.state, outcome)
            else:
                move = self.case.move(game, self.state, self.rng)
                self.state = game.apply(self.state, {waiting[0]: move})

    def act(self, id: int) -> None:
        move = self.game.action_of(self.state, id)
        self.state = self.game.apply(self.state, {self.seat: move})
        self.go_on()


def choose(masks: np.ndarray, luck: random.Random) -> np.ndarray:
    return np.array([luck.choice(np.flatnonzero(row).tolist() or [0]) for row in masks])


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.mover}")
def test_games_go_as_by_the_rules_and_are_seen_as_the_encoder_sees(case: Case) -> None:
    game, luck, encoder = case.game, random.Random(1), make_encoder(case.game)
    seats = np.array([number * 7 % 11 % game.seats for number in range(8)], dtype=np.int32)
    movers, batch = case.movers(seats), case.boards(8, 5)
    boards = [Readable(case, 5 + board, int(seats[board])) for board in range(8)]
    batch.begin(seats, movers)
    steps, over = 0, np.zeros(8, dtype=bool)
    while steps < 100 or not over.all():
        if over.all():
            batch.begin(seats, movers)
            for board in boards:
                board.begin()
        masks, seen = batch.masks(seats), batch.observe(seats)
        turns = batch.play(seats, dtype="float32")
        for number, board in enumerate(boards):
            assert batch.state(number) == board.state
            observation = game.observe(board.state, board.seat)
            assert np.array_equal(masks[number], encoder.mask(observation))
            for name, wanted in encoder.encode(observation).items():
                assert seen[name].dtype == wanted.dtype
                assert np.array_equal(seen[name][number], wanted), name
            assert np.array_equal(turns.rows[number], encoder.flat(observation))
        returns, over = turns.returns, turns.over
        assert returns.tolist() == [game.returns(board.state)[board.seat] for board in boards]
        assert over.tolist() == [game.is_over(board.state) for board in boards]
        actions = choose(masks, luck)
        batch.play(seats, np.where(over, STAY, actions), movers)
        for number in map(int, np.flatnonzero(~over)):
            boards[number].act(int(actions[number]))
        steps += 1


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case.game.info.id)
def test_boards_that_are_not_named_stay_as_they_are(case: Case) -> None:
    seats = np.ones(6, dtype=np.int32)
    batch, movers = case.boards(6, 1), case.movers(seats)
    some = np.arange(6) < 3
    batch.begin(seats, movers, some)
    start = case.game.initial_state()
    assert [batch.state(board) == start for board in range(3, 6)] == [True] * 3
    batch.begin(seats, movers)
    before = batch.states.copy()
    batch.play(seats, np.where(some, batch.masks(seats).argmax(axis=1), STAY), movers)
    assert (batch.states != before).any(axis=1).tolist() == [True] * 3 + [False] * 3


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case.game.info.id)
def test_a_position_can_be_set(case: Case) -> None:
    batch, board = case.boards(2, 1), Readable(case, 3, 0)
    batch.states[1] = batch.pack(board.state)
    assert [batch.state(number) for number in range(2)] == [
        case.game.initial_state(), board.state,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Pennies(), "needs turns"),
        (Lots(), "chances that can be listed"),
        (Unlikely(), "drawn by one number from up to 100 lots"),
        (counting(Kuhn, "hand")(9), "more than 500, whatever its counters say"),
        (counting(Kuhn, "hand", "won", "first")(9), "hand or won or first does more than count"),
        (counting(TapnSwap, "age")(), "its states lack one of the counters age"),
    ],
    ids=str,
)
def test_games_that_no_table_holds_are_refused(
    monkeypatch: pytest.MonkeyPatch, game: AnyGame, reason: str
) -> None:
    monkeypatch.setattr(table_batch, "MOST_POSITIONS", 500)
    with pytest.raises(GameError, match=reason):
        TableBatch(game, 1)
