"""Kuhn poker for learners: what a seat knows as a short array of zeros and ones.

The two arrays are those of OpenSpiel's Kuhn poker, so that results can be compared. Needs numpy
(the extra ``numpy``).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.core.game import Observation
from boardgames_cli.games.kuhn.actions import DECK, Action, paid_in
from boardgames_cli.games.kuhn.state import KuhnState

_LONGEST_LINE: Final = 3

Array = npt.NDArray[np.float32]


def information(seen: Observation[KuhnState, Action]) -> Array:
    """All that the seat knows and has seen in this hand.

    Returns:
        An array of shape [11]: two for the place (acts first, acts second), three for the own card,
        then two for each of three actions (check, bet).
    """
    array = np.zeros(2 + len(DECK) + 2 * _LONGEST_LINE, dtype=np.float32)
    _place_and_card(seen, array)
    for number, action in enumerate(seen.state.actions):
        array[2 + len(DECK) + 2 * number + (action is Action.BET)] = 1
    return array


def situation(seen: Observation[KuhnState, Action]) -> Array:
    """What the seat knows now, without how it came about.

    Returns:
        An array of shape [7]: two for the place, three for the own card, then the chips that the
        one who acts first and the other have put in.
    """
    array = np.zeros(2 + len(DECK) + 2, dtype=np.float32)
    _place_and_card(seen, array)
    array[-2:] = [paid_in(seen.state.actions, player) for player in (0, 1)]
    return array


def _place_and_card(seen: Observation[KuhnState, Action], array: Array) -> None:
    if seen.seat is None:
        return
    array[seen.seat ^ seen.state.first] = 1
    card = seen.state.cards[seen.seat]
    if card in DECK:
        array[2 + card] = 1
