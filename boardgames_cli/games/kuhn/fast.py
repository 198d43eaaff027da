"""Batches of Kuhn poker without Python loops over boards: the rules as tables, and their loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.exploitability import worth_of_actions
from boardgames_cli.algorithms.fast.boards import (
    EVERY,
    RANDOM,
    Loops,
    Numbers,
    TurnBatch,
    copy_numbers,
    make_loops,
)
from boardgames_cli.algorithms.fast.jit import Compiler, Flags, Floats, Ints, Seeds
from boardgames_cli.algorithms.fast.xorshift import draw
from boardgames_cli.algorithms.game_tree import tree_of
from boardgames_cli.games.kuhn.actions import (
    DECK,
    ENDS,
    JACK,
    LETTERS,
    TURN,
    Action,
    Line,
)
from boardgames_cli.games.kuhn.agents import equilibrium, trained
from boardgames_cli.games.kuhn.encode import KuhnEncoder
from boardgames_cli.games.kuhn.rules import Kuhn, hand_result
from boardgames_cli.games.kuhn.state import KuhnState

EQUILIBRIUM: Final = 2
"""The mover that plays the bundled equilibrium."""

_HERE: Final = Path(__file__)
_compiled = Compiler(
    _HERE, *[_HERE.with_name(f"{name}.py") for name in ("actions", "encode", "rules", "state")]
)

_CARDS: Final = 0
"""The index of the card of seat 0 in a state, followed by that of seat 1."""
_LINE, _FIRST, _HAND, _WON = range(2, 6)
_CHANCES: Final = 1
"""The offset of the chances to bet among the options, after the number of hands: for each opponent,
card and unfinished line."""
_CERTAIN: Final = 1 << 24
"""A chance of 1."""

_ACTIONS: Final = len(Action)
_LINES: Final = (*TURN, *ENDS)
_OPEN: Final = len(TURN)
"""The number of unfinished lines, which come first."""
_AFTER: Final = np.array([
    [_LINES.index((*line, action)) for action in Action] for line in TURN
])  # fmt: skip
"""The line after an unfinished one, by action."""
_TURN: Final = np.array([*TURN.values(), *[-1 for _ in ENDS]])
"""Who acts: 0 the player who acts first; -1, of whom no exclusive or is a seat, for nobody."""
_RESULT: Final = np.array([
    [
        [[hand_result(KuhnState((one, other), line, first)) for other in DECK] for one in DECK]
        for line in _LINES
    ]
    for first in range(2)
])  # fmt: skip
"""The chips that seat 0 wins in a hand, by who acts first, the line and both cards."""


def _rows() -> npt.NDArray[np.int8]:
    """Observations by seat, who acts first, the line and both cards, without the last two numbers.

    Those are the hand and the chips won.
    """
    game, encoder = Kuhn(), KuhnEncoder(Kuhn())
    rows = [
        encoder.row(game.observe(KuhnState((one, other), line, first), seat), "int8")[:-2]
        for seat in range(2) for first in range(2) for line in _LINES
        for one in DECK for other in DECK
    ]  # fmt: skip
    return np.array(rows).reshape(2, 2, len(_LINES), len(DECK), len(DECK), -1)


_ROWS: Final = _rows()
_HAND_SEEN: Final = _ROWS.shape[-1]


@_compiled.inline
def _begin(
    s: Numbers, start: Numbers, seat: int, movers: Ints, options: Numbers, rng: Seeds
) -> None:
    copy_numbers(s, start)
    _deal(s, rng)
    _go_on(s, seat, movers, options, rng)


@_compiled.inline
def _play(s: Numbers, seat: int, id: int, movers: Ints, options: Numbers, rng: Seeds) -> None:
    s[_LINE] = _AFTER[s[_LINE], id]
    _go_on(s, seat, movers, options, rng)


@_compiled.inline
def _deal(s: Numbers, rng: Seeds) -> None:
    own = draw(rng, 3)
    other = draw(rng, 2)
    s[_CARDS + s[_FIRST]] = own
    s[_CARDS + 1 - s[_FIRST]] = other + (other >= own)


@_compiled
def _go_on(s: Numbers, seat: int, movers: Ints, options: Numbers, rng: Seeds) -> None:
    while True:
        turn = _TURN[s[_LINE]]
        if turn < 0:
            if s[_HAND] + 1 == options[0]:
                return
            s[_WON] += _hand_result(s)
            s[_HAND] += 1
            s[_FIRST] = 1 - s[_FIRST]
            s[_LINE] = 0
            _deal(s, rng)
            continue
        player = turn ^ s[_FIRST]
        if seat in (player, EVERY):
            return
        place = (movers[player] - RANDOM) * len(DECK) + s[_CARDS + player]
        chance = options[_CHANCES + place * _OPEN + s[_LINE]]
        s[_LINE] = _AFTER[s[_LINE], int(draw(rng, _CERTAIN) < chance)]


@_compiled.inline
def _hand_result(s: Numbers) -> int:
    result: int = _RESULT[s[_FIRST], s[_LINE], s[_CARDS], s[_CARDS + 1]]
    return result


@_compiled.inline
def _mask(s: Numbers, seat: int, _: Numbers, flags: Flags) -> None:
    is_turn = _TURN[s[_LINE]] ^ s[_FIRST] == seat
    for id in range(_ACTIONS):
        flags[id] = is_turn


@_compiled
def _result(s: Numbers, seat: int, options: Numbers) -> tuple[float, bool]:
    # Without branches, which nobody could predict.
    won = float((s[_WON] + _hand_result(s)) * (1 - 2 * seat))
    return won, (_TURN[s[_LINE]] < 0) & (s[_HAND] + 1 == options[0])


@_compiled.inline
def _observe(s: Numbers, seat: int, _: Numbers, row: npt.NDArray[Any]) -> None:
    seen = _ROWS[seat, s[_FIRST], s[_LINE], s[_CARDS], s[_CARDS + 1]]
    for index in range(_HAND_SEEN):
        row[index] = seen[index]
    row[_HAND_SEEN] = s[_HAND]
    row[_HAND_SEEN + 1] = s[_WON] * (1 - 2 * seat)


def _information_set(card: int, line: Line) -> str:
    return " ".join((LETTERS[card], *line))


class KuhnBatch(TurnBatch[Kuhn, KuhnState]):
    """Matches of Kuhn poker; see `TurnBatch`."""

    loops: ClassVar[Loops] = make_loops(
        _compiled, begin=_begin, play=_play, mask=_mask, result=_result, observe=_observe
    )
    encoder = KuhnEncoder
    movers: ClassVar[Mapping[str, int]] = {"random": RANDOM, "equilibrium": EQUILIBRIUM}

    def read_options(self) -> Numbers:
        """The number of hands, then the chances to bet of each opponent."""
        strategy = trained().table
        sets = [_information_set(card, line) for card in DECK for line in TURN]
        chances = [0.5] * len(sets) + [strategy[name][Action.BET] for name in sets]
        return np.array([self.game.hands, *[round(_CERTAIN * chance) for chance in chances]])

    def values(self, seats: Ints) -> Floats:
        """The chips that each action wins in this hand on average, if both play the equilibrium on.

        Args:
            seats: int32[boards].

        Returns:
            float64[boards, ids]; not a number where the seat is not to act.
        """
        lines = self.states[:, _LINE]
        cards = self.states[np.arange(len(self)), _CARDS + seats]
        worths = self._worths[cards, np.minimum(lines, _OPEN - 1)]
        return np.where(self.masks(seats), worths, np.nan)

    @cached_property
    def _worths(self) -> Floats:
        exact = equilibrium(trained().table[LETTERS[JACK]][Action.BET])
        worths = worth_of_actions(tree_of(Kuhn()), exact)
        return np.array([
            [[worths[_information_set(card, line)][action] for action in Action] for line in TURN]
            for card in DECK
        ])  # fmt: skip

    def pack(self, state: KuhnState) -> Numbers:
        """Both cards, the number of the line, who acts first, the hand, the chips won."""
        cards, line, first, hand, won = state
        return np.array([*cards, _LINES.index(line), first, hand, won], dtype=np.int64)

    def unpack(self, numbers: Sequence[int]) -> KuhnState:
        """See `pack`."""
        one, other, line, first, hand, won = numbers
        return KuhnState((one, other), _LINES[line], first, hand, won)
