"""Which positions of Connect Four are good."""

from __future__ import annotations

from typing import Final

from boardgames_cli import Seat

from boardgames_connect4.rules import Rules, State, all_lines

_WORTH: Final = (0, 1, 4, 16, 64)
"""The worth of a line by the number of discs of one seat, if the other has none in it."""


def evaluate(game: Rules, state: State, seat: Seat) -> float:
    """An estimate of the seat's final return: the lines that are open to it, and to the other."""
    score = 0
    for line in all_lines(game.width):
        discs = [state.disc(*cell) for cell in line]
        own, other = discs.count(seat), discs.count(1 - seat)
        if not other:
            score += _WORTH[own]
        elif not own:
            score -= _WORTH[other]
    return score / (abs(score) + 50)
