"""TapnSwap as a game: states, turns, the end.

RULES.md has the rules for people; `actions` generates the legal moves.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import Game, GameInfo, NoChance, Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.tapnswap import GAME
from boardgames_cli.games.tapnswap.actions import (
    ALL_MOVES,
    DEAD,
    EVERY_HANDS,
    HAND_NAMES,
    ID_COUNT,
    LEFT,
    LEGAL,
    MOST,
    Hands,
    Swap,
    Tap,
    TapnSwapAction,
    spelled_out,
    swap_id,
)
from boardgames_cli.games.tapnswap.state import TapnSwapState

_PLAYER_ACTS: Final = ((0,), (1,))
_OVER: Final[tuple[Seat, ...]] = ()
_WON: Final = ((1.0, -1.0), (-1.0, 1.0))
_DRAWN: Final = (0.0, 0.0)


@dataclass(frozen=True)
class TapnSwap(Game[TapnSwapState, TapnSwapAction, NoChance]):
    """The rulebook of TapnSwap."""

    info: ClassVar[GameInfo] = GAME.info
    counters: ClassVar[tuple[str, ...]] = ("ply",)

    max_plies: int = option(
        200, "moves after which the game is a draw", low=1, high=100_000, is_rare=True
    )
    first: int = option(1, "which seat begins", choices=(1, 2), words={2: "seat 2 begins"})

    @property
    def utility(self) -> tuple[float, float]:
        return (-1.0, 1.0)

    @property
    def longest(self) -> int:
        return self.max_plies

    @property
    def actions(self) -> tuple[TapnSwapAction, ...]:
        """Four taps, and a swap to every pair of hands; some swaps are never legal."""
        return ALL_MOVES

    @property
    def action_count(self) -> int:
        """Ten ids: four taps, and for each hand one to three fingers given to the other."""
        return ID_COUNT

    def action_id(self, state: TapnSwapState, action: TapnSwapAction) -> int:
        """Taps: 2 * own hand + tapped hand. Swaps: 4 + 3 * giving hand + fingers given - 1."""
        if isinstance(action, Tap):
            return 2 * action.own + action.opponent
        return swap_id(state.hands[state.player], action)

    def initial_state(self) -> TapnSwapState:
        return TapnSwapState(((1, 1), (1, 1)), self.first - 1)

    def to_act(self, state: TapnSwapState) -> tuple[Seat, ...]:
        """The player; nobody once a side is dead or the game has lasted `max_plies`."""
        if DEAD in state.hands or state.ply >= self.max_plies:
            return _OVER
        return _PLAYER_ACTS[state.player]

    def legal_actions(self, state: TapnSwapState, seat: Seat) -> Sequence[TapnSwapAction]:
        """The legal moves in order of id; there is always one, since a living hand can tap."""
        hands = state.hands
        return LEGAL[hands if seat == 0 else (hands[1], hands[0])]

    def apply(self, state: TapnSwapState, joint: Mapping[Seat, TapnSwapAction]) -> TapnSwapState:
        player = state.player
        action = joint[player]
        first, second = state.hands
        own, opponent = (second, first) if player else (first, second)
        if isinstance(action, Tap):
            total = own[action.own] + opponent[action.opponent]
            if total > MOST:
                total = 0
            opponent = (total, opponent[1]) if action.opponent == LEFT else (opponent[0], total)
        else:
            own = (action.left, action.right)
        return TapnSwapState(
            (opponent, own) if player else (own, opponent), 1 - player, state.ply + 1
        )

    def returns(self, state: TapnSwapState) -> tuple[float, ...]:
        """+1 for the side that killed both hands of the other, -1 for that one; 0 for a draw."""
        if state.hands[1] == DEAD:
            return _WON[0]
        if state.hands[0] == DEAD:
            return _WON[1]
        return _DRAWN

    def explain_illegal(self, state: TapnSwapState, seat: Seat, action: TapnSwapAction) -> str:
        if self.to_act(state) != (seat,):
            return "it is not your turn"
        own, opponent = state.hands[seat], state.hands[1 - seat]
        return _no_tap(own, opponent, action) if isinstance(action, Tap) else _no_swap(own, action)

    def read_seen(self, data: Mapping[str, Any], ply: int) -> TapnSwapState:
        """Like `from_json`, with the length of the game, which is not part of a position."""
        return replace(self.from_json(data), ply=ply)

    def near_misses(self, state: TapnSwapState, seat: Seat) -> Sequence[TapnSwapAction]:
        left, right = state.hands[seat]
        return [] if left == right else [Swap(right, left)]

    def parse(self, state: TapnSwapState, seat: Seat, text: str) -> TapnSwapAction:
        """As in every game; ``LR`` may stand for ``tap L>R``, and ``4-1`` for a swap."""
        return super().parse(state, seat, spelled_out(text))

    def check(self, state: TapnSwapState) -> None:
        for seat, hands in enumerate(state.hands):
            for name, fingers in zip(HAND_NAMES, hands, strict=True):
                if not 0 <= fingers <= MOST:
                    raise PositionError(
                        f"hands[{seat}] has {fingers} fingers on the {name} hand.",
                        f"A hand has 0 (dead) to {MOST}.",
                    )
        if state.hands == (DEAD, DEAD):
            raise PositionError("hands has two dead sides: the game can't end twice.")

    def position_key(self, state: TapnSwapState) -> str:
        """Four digits: left and right of the side to move, then of the other side."""
        own, opponent = state.hands[state.player], state.hands[1 - state.player]
        return f"{own[0]}{own[1]}{opponent[0]}{opponent[1]}"

    def symmetries(self, state: TapnSwapState) -> Sequence[TapnSwapState]:
        """The state with the hands of either, both or no side mirrored, which have equal values."""
        first, second = state.hands
        return [
            TapnSwapState((a, b), state.player, state.ply)
            for a in (first, first[::-1])
            for b in (second, second[::-1])
        ]

    def every_position(self) -> Iterator[TapnSwapState]:
        """All 576 positions in which seat 1 is to move, reachable or not."""
        for own, opponent in itertools.product(EVERY_HANDS, repeat=2):
            yield TapnSwapState((own, opponent), 0)


def _no_tap(own: Hands, opponent: Hands, tap: Tap) -> str:
    if not own[tap.own]:
        return f"your {HAND_NAMES[tap.own]} hand is dead, so it can't tap"
    if not opponent[tap.opponent]:
        return f"the other side's {HAND_NAMES[tap.opponent]} hand is dead already"
    same = next(
        move
        for move in LEGAL[own, opponent]
        if isinstance(move, Tap)
        and (own[move.own], opponent[move.opponent]) == (own[tap.own], opponent[tap.opponent])
    )
    return f"the fingers are the same as in {same}, which is the one to choose"


def _no_swap(own: Hands, swap: Swap) -> str:
    total, wanted = sum(own), swap.left + swap.right
    if wanted != total:
        return f"your hands have {total} fingers together, {swap.left}-{swap.right} has {wanted}"
    if (swap.left, swap.right) == own:
        return "that changes nothing, and nobody may pass"
    return "that is the same hands mirrored, which would be a pass"
