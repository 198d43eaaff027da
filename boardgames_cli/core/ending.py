"""How a match ended, said once: titles, scores of series, statistics, reviews and saves read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.core.game import Seat

WON: Final = "won"
DRAWN: Final = "drawn"
LOST: Final = "lost"

OVER: Final = "over"
CUT_SHORT: Final = "cut short"
LEFT: Final = "left"
_DRAW: Final = "draw"
_DEFEATS: Final[Mapping[str, str]] = {
    "resigned": "gave up",
    "clock": "ran out of time",
    "claimed": "stayed away",
}
"""The reasons for which a seat loses before the rules end the game, for people."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended."""

    reason: str
    """`OVER` by its rules; `CUT_SHORT` by a limit of steps; ``resigned``, ``clock``, ``claimed`` or
    ``draw`` by its players; `LEFT` by all, as where a server is gone."""
    outcomes: tuple[str, ...] = ()
    """What every seat has reached, `WON`, `DRAWN` or `LOST`; empty where the game has no result."""
    loser: Seat | None = None
    """The seat that lost by giving up, by its clock, or by staying away."""
    remark: str = ""
    """Why it was left, as a sentence."""

    @classmethod
    def by_players(cls, reason: str, seats: int, loser: Seat | None = None) -> Ending:
        """The ending of a game that its players ended.

        Of two, the other one wins. Of more nobody wins: the others were still playing.
        """
        others = WON if seats == 2 and loser is not None else DRAWN
        outcomes = tuple(LOST if seat == loser else others for seat in range(seats))
        return cls(reason, outcomes, loser)

    @property
    def winners(self) -> list[Seat]:
        """The seats that have won; empty for a draw, and where the game has no result."""
        return [seat for seat, outcome in enumerate(self.outcomes) if outcome == WON]

    @property
    def is_by_players(self) -> bool:
        """Whether its players ended the game before its rules did."""
        return self.reason == _DRAW or self.reason in _DEFEATS

    @property
    def saved(self) -> dict[str, Any]:
        """What saves and the files of tables keep of it."""
        return {"reason": self.reason, "loser": self.loser}

    def defeat(self, names: Sequence[str]) -> str:
        """How a seat lost before the rules ended the game, as a clause; empty if none did."""
        return "" if self.loser is None else f"{names[self.loser]} {_DEFEATS[self.reason]}"

    def in_words(self, names: Sequence[str], ply: int) -> str:
        """Why a game stopped that its rules did not end, as a sentence; empty if they did."""
        won = self.winners
        if self.loser is not None:
            return f"{self.defeat(names)}{f': {names[won[0]]} wins' if won else ''}."
        if self.reason == _DRAW:
            return "The game ended without a winner, as agreed."
        cut = f"The game was cut short after {ply} steps."
        return "" if self.reason == OVER else self.remark or cut


def read_ending(data: Mapping[str, Any] | None, seats: int) -> Ending | None:
    """The ending by players that a save, a file of a table or a server tells.

    None for any other, and for one that can't be: the data may be wrong.
    """
    match data:
        case {"reason": "draw"}:
            return Ending.by_players(_DRAW, seats)
        case {"reason": str(reason), "loser": int(loser)} if reason in _DEFEATS and loser in range(
            seats
        ):
            return Ending.by_players(reason, seats, loser)
    return None
