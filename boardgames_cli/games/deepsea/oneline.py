"""The trail on one line of plain text, as the game's first environment printed it.

::

    [____AB]  C         d                                                     ||  Player C's turn.
             1 1 0 1 - 1 1 2 2 2 ...                                          ||  Current O2: 21

Where that is too wide, turn and oxygen go above the trail, and the trail wraps.
"""

from __future__ import annotations

from typing import Final

from boardgames_cli.core.text import Canvas, Picture
from boardgames_cli.games.deepsea.chips import PLACES
from boardgames_cli.games.deepsea.signs import chip_letter, chip_role, letter
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase

_SUBMARINE: Final = 8
"""Columns of ``[______]``."""
_NOTE: Final = _SUBMARINE + 2 * PLACES + 2
"""The column of the notes beside the trail."""
_NARROWEST: Final = 24


def draw(state: DeepSeaState, full: int, width: int) -> Picture:
    """The trail as wide as there is room.

    Args:
        state: The position.
        full: Oxygen of a full tank.
        width: Columns that may be used.
    """
    notes = (_turn(state), f"Current O2: {state.oxygen}")
    beside = max(len(f"||  {note}") for note in notes)
    if width >= _NOTE + beside:
        canvas = Canvas(_NOTE + beside, 2)
        for row, note in enumerate(notes):
            canvas.put(_NOTE, row, f"||  {note}")
        _draw_trail(canvas, state, 0, PLACES)
        return canvas.picture()
    headers = (f"{notes[0]} Oxygen {state.oxygen} of {full}.", f"{notes[0]} O2 {state.oxygen}")
    header = next((text for text in headers if len(text) <= width), headers[-1])
    across = next((places for places in (PLACES, 16, 8) if width >= _SUBMARINE + 2 * places - 1), 8)
    rows = PLACES // across
    canvas = Canvas(max(_NARROWEST, len(header), _SUBMARINE + 2 * across - 1), 1 + 2 * rows)
    canvas.put(0, 0, header)
    _draw_trail(canvas, state, 1, across)
    return canvas.picture()


def _turn(state: DeepSeaState) -> str:
    if state.phase is Phase.OVER:
        return "The game is over."
    if state.phase is Phase.START:
        return "Nobody has begun."
    if state.phase is Phase.REVEAL:
        return f"Round {state.round + 1} is over."
    return f"Player {letter(state.current, diving=True)}'s turn."


def _draw_trail(canvas: Canvas, state: DeepSeaState, top: int, across: int) -> None:
    canvas.put(0, top, "[______]", "hull")
    players = len(state.places)
    # Whose turn comes first stands nearest to the hatch.
    order = [(state.current + step) % players for step in range(players)]
    inside = [seat for seat in order if not state.places[seat]]
    for index, seat in enumerate(inside):
        sign = letter(seat, diving=state.diving[seat])
        canvas.put(_SUBMARINE - 2 - index, top, sign, f"hull seat.{seat}")
    for place, chip in enumerate(state.trail, start=1):
        column, row = _spot(place, top, across)
        canvas.put(column, row + 1, chip_letter(chip), chip_role(chip))
    for seat, place in enumerate(state.places):
        if place:
            column, row = _spot(place, top, across)
            canvas.put(column, row, letter(seat, diving=state.diving[seat]), f"seat.{seat}")


def _spot(place: int, top: int, across: int) -> tuple[int, int]:
    """The column and the row of the diver on a place; the chip is a row lower."""
    row, column = divmod(place - 1, across)
    return _SUBMARINE + 2 * column, top + 2 * row
