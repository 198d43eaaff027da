"""Which games are played from a table of positions; `test_turn_batches` plays them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

import numpy as np

from boardgames_cli.algorithms.fast import table_batch
from boardgames_cli.algorithms.fast.table_batch import TableBatch
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, AnyGame, Seat
from boardgames_cli.core.match import Match
from boardgames_cli.core.randomness import CHANCE_STREAM, RandomStreams
from boardgames_cli.games.kuhn.rules import Kuhn
from tests.toys import Lots, Pennies, Race, RaceState


class Unlikely(Race):
    def chance_outcomes(self, state: RaceState) -> Sequence[tuple[str, float]]:
        return (("roll 1", 0.001), ("roll 2", 0.999))


class Twice(Race):
    def sample_chance(self, state: RaceState, rng: Random) -> str:
        return f"roll {2 if rng.random() < rng.random() else 1}"


class Uncounted(Kuhn):
    counters = ("hand",)


class Miscounted(Kuhn):
    counters = ("hand", "won", "first")


class Backwards(Race):
    def legal_actions(self, state: RaceState, seat: Seat) -> Sequence[str]:
        return super().legal_actions(state, seat)[::-1]


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Pennies(), "needs turns"),
        (Lots(), "chances that can be listed"),
        (Unlikely(), "drawn by one number from up to 100 lots"),
        (Twice(), "drawn by one number"),
        (Uncounted(9), "more than 500, whatever its counters say"),
        (Miscounted(9), "hand or won or first does more than count"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_games_that_a_table_can_not_hold_are_refused(
    monkeypatch: pytest.MonkeyPatch, game: AnyGame, reason: str
) -> None:
    monkeypatch.setattr(table_batch, "MOST_POSITIONS", 500)
    with pytest.raises(GameError, match=reason):
        TableBatch(game, 1)


@pytest.mark.parametrize("game", [Race(6), Backwards(6)], ids=str)
def test_one_board_has_the_chance_of_its_match(game: AnyGame) -> None:
    board = TableBatch.alone(game, flat=True)
    for seed in range(30):
        match = Match(game, seed=seed)
        board.begin(RandomStreams(seed).at(CHANCE_STREAM, 0))
        while not match.is_over:
            if match.waiting_for == (CHANCE,):
                match.resolve_chance()
                continue
            (seat,) = match.waiting_for
            seen = match.observe(seat)
            assert board.ply == match.ply
            assert board.listed(seat) == [game.action_id(seen.state, one) for one in seen.legal]
            board.act({seat: board.listed(seat)[-1]})
            match.take_checked({seat: seen.legal[-1]})
        assert board.returns.tolist() == [*match.returns]


def test_values_that_nobody_knows_are_refused() -> None:
    with pytest.raises(GameError, match="Race has no exact values of actions"):
        TableBatch(Race(), 1).values(np.zeros(1, dtype=np.int32))
