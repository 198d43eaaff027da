"""What a person has reached on this machine: days in a row, and rungs of the ladders."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.home_page import Ladder, Opponent, home_page_of
from boardgames_cli.registry import find_game
from boardgames_cli.storage.played_games import WON, PlayedGame


def days_in_a_row(days: Iterable[str], today: datetime.date) -> int:
    """The days in a row up to today, or up to yesterday while nothing was done today.

    Args:
        days: The days on which something was done, or times of these days, in ISO 8601.
        today: The day.
    """
    done = {day[:10] for day in days}
    count, day = 0, today
    if day.isoformat() not in done:
        day -= datetime.timedelta(days=1)
    while day.isoformat() in done:
        count, day = count + 1, day - datetime.timedelta(days=1)
    return count


def player_of(games: Sequence[PlayedGame], game: str = "") -> str:
    """The person who played last; empty if nobody has.

    Args:
        games: The results in the order in which the games ended.
        game: The id of a game; empty means all.
    """
    found = (one for one in reversed(games) if one.people and game in ("", one.game))
    return next((one.names[one.people[-1]] for one in found), "")


def earned_days(games: Iterable[PlayedGame], game: str, player: str) -> dict[str, str]:
    """The achievements of a person in a game by id, with the day on which each was earned first."""
    found: dict[str, str] = {}
    for played in games:
        for seat, ids in zip(played.people, played.earned, strict=False):
            if played.game == game and played.names[seat] == player:
                for id in ids:
                    found.setdefault(id, played.ended[:10])
    return found


@dataclass(frozen=True, slots=True)
class Climb:
    """How far a person has come on the ladder of a game."""

    ladder: Ladder
    beaten: int
    """The number of opponents that are beaten."""
    won: int
    played: int
    """The results against the next opponent that count: of the last games, as many as the ladder
    says."""

    @property
    def next(self) -> Opponent | None:
        """The opponent to beat; None at the top."""
        opponents = self.ladder.opponents
        return opponents[self.beaten] if self.beaten < len(opponents) else None

    def state(self, place: int) -> str:
        """What is so with the opponent at a place: beaten, next with the results so far, or later.

        Only the next one can be beaten.
        """
        if place < self.beaten:
            return "beaten"
        if place > self.beaten:
            return "later"
        return f"next: {self.won} of {self.played} won" if self.played else "next"

    @property
    def rule(self) -> str:
        """How an opponent is beaten, as a sentence."""
        wins, games = self.ladder.wins, self.ladder.games
        if games == 1:
            return "One win without hints beats an opponent."
        noun = "win" if wins == 1 else "wins"
        return f"{wins} {noun} in your last {games} games without hints beat an opponent."


def climb_of(games: Iterable[PlayedGame], game: str, player: str) -> Climb | None:
    """How far a person has come; None if the game has no ladder, or it can't be read.

    Games with hints don't count, and games against an opponent only after those before it are
    beaten.

    Args:
        games: All results in the order in which the games ended.
        game: The game's id.
        player: The person's name.
    """
    try:
        ladder = home_page_of(find_game(game)).ladder
    except GameError:
        return None
    if ladder is None:
        return None
    beaten, recent = 0, list[bool]()
    for played in games:
        if beaten == len(ladder.opponents):
            break
        if played.game != game or played.hints or player not in played.names:
            continue
        seat = played.names.index(player)
        others = {name for at, name in enumerate(played.names) if at != seat}
        if seat not in played.people or others != {ladder.opponents[beaten].name}:
            continue
        recent = [*recent, played.outcome(seat) == WON][-ladder.games :]
        if sum(recent) >= ladder.wins:
            beaten, recent = beaten + 1, []
    return Climb(ladder, beaten, sum(recent), len(recent))
