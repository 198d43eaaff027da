"""Writing positions of Senet shortly in tests, and turning them into those of the slow rules."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from boardgames_cli.games.senet.board import bit, houses
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from tests.games.senet.slow_rules import SlowMove, SlowState

GAMES = tuple(Senet(rules, pieces) for rules in ("kendall", "skyruk") for pieces in (5, 7))


def position(
    cones: Iterable[int], spools: Iterable[int], player: int, steps: int | None
) -> SenetState:
    """A state from houses counted from 1."""
    return SenetState(sum(map(bit, cones)), sum(map(bit, spools)), player, steps)


def slow(game: Senet, state: SenetState) -> SlowState:
    """The same position for the slow rules."""
    sides = frozenset(houses(state.cones)), frozenset(houses(state.spools))
    return SlowState(game.rules, sides, state.player, state.steps)


def text_of(move: SlowMove) -> str:
    """The notation of a move of the slow rules."""
    return move if isinstance(move, str) else f"{move[0]}>{move[1]}"


@st.composite
def positions(draw: st.DrawFn, *, crowded: bool = False) -> tuple[Senet, SenetState]:
    """Any position that `from_json` takes, with a throw to be used."""
    game = draw(st.sampled_from(GAMES))
    # Crowded boards are full of groups, blockades and occupied houses.
    low, high = draw(st.sampled_from([(14, 30), (20, 30), (10, 20)])) if crowded else (1, 30)
    free = [house for house in range(low, high + 1) if game.rules == "skyruk" or house != 27]
    order = draw(st.permutations(free))
    number_of_cones = draw(st.integers(1, game.pieces))
    number_of_spools = draw(st.integers(1, game.pieces))
    cones = order[:number_of_cones]
    spools = order[number_of_cones : number_of_cones + number_of_spools] or [low - 1 or 30]
    player, steps = draw(st.integers(0, 1)), draw(st.integers(1, 5))
    return game, position(cones, spools, player, steps)
