"""Games that are too large are refused at once, with an estimate of their size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from boardgames_cli.algorithms.game_size import (
    estimated_histories,
    in_words,
    least_positions,
    memory_in_words,
)
from boardgames_cli.algorithms.game_tree import TreeError, count_nodes, tree_of
from boardgames_cli.algorithms.position_graph import NotSmallError, explore, position_key
from boardgames_cli.core.game import AnyGame, Game, GameInfo, NoChance, Seat, Traits
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.registry import make
from tests.toys import Heap, Pennies


@dataclass(frozen=True, slots=True)
class BitsState:
    bits: tuple[int, ...] = ()


@dataclass(frozen=True)
class Bits(Game[BitsState, int, NoChance]):
    """The seats write bits in turn; as many positions as histories, in levels of two to the n."""

    info: ClassVar[GameInfo] = GameInfo("bits", "Bits", (2,), Traits.ZERO_SUM, 1)

    length: int = 30

    @property
    def utility(self) -> tuple[float, float]:
        return (-1.0, 1.0)

    @property
    def actions(self) -> tuple[int, ...]:
        return (0, 1)

    def initial_state(self) -> BitsState:
        return BitsState()

    def to_act(self, state: BitsState) -> tuple[Seat, ...]:
        return () if len(state.bits) == self.length else (len(state.bits) % 2,)

    def legal_actions(self, state: BitsState, seat: Seat) -> Sequence[int]:
        return (0, 1)

    def apply(self, state: BitsState, joint: Mapping[Seat, int]) -> BitsState:
        return BitsState((*state.bits, *joint.values()))

    def returns(self, state: BitsState) -> tuple[float, ...]:
        return (0.0, 0.0)

    def to_json(self, state: BitsState) -> dict[str, Any]:
        return {"bits": list(state.bits)}

    def from_json(self, data: Mapping[str, Any]) -> BitsState:
        return BitsState(tuple(data["bits"]))


@pytest.mark.parametrize("game", [Kuhn(), Pennies(), Heap(), Bits(9)], ids=str)
def test_the_estimate_of_histories_is_near_the_count(game: AnyGame) -> None:
    counts = count_nodes(game, game.initial_state(), 100)
    exact = counts.chance + counts.decision + counts.terminal
    assert estimated_histories(game) == pytest.approx(math.log10(exact), abs=0.1)


def test_a_tree_that_is_too_large_is_refused_with_the_estimate() -> None:
    with pytest.raises(
        TreeError, match="more than 20,000 histories: by a sample about 10"
    ) as caught:
        tree_of(make("senet"))
    assert "TB of memory" in caught.value.message
    assert "mcts" in str(caught.value.todo)


def test_the_bound_of_positions_is_below_their_number() -> None:
    game = TapnSwap()
    count = len(explore(game))
    least = least_positions(game, lambda state: position_key(game, state))
    assert count / 2 < least <= count
    assert 200_000 < least_positions(Bits(), lambda state: state.bits) < 2**31


def test_a_game_with_too_many_positions_is_refused_after_a_glance() -> None:
    game = Bits()
    with pytest.raises(NotSmallError, match="more than 200,000 positions: by a sample at least"):
        explore(game)


def test_sizes_are_told_in_words() -> None:
    assert in_words(math.log10(1234)) == "about 1,234"
    assert in_words(21.2) == "about 10^21"
    assert memory_in_words(40_600) == "40.6 kB"
    assert memory_in_words(3.2e9) == "3.2 GB"
    assert memory_in_words(5e20) == "5e+08 TB"
