"""What a person has reached on this machine: a frozen value that the screen and ``stats`` draw."""

from __future__ import annotations

import datetime
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import DRAWN, LOST, WON, Seat
from boardgames_cli.core.text import Glyphs, counted
from boardgames_cli.evaluation.milestones import (
    PlayerRating,
    climb_of,
    days_in_a_row,
    ratings_of,
)
from boardgames_cli.evaluation.plots import blocks
from boardgames_cli.evaluation.review_result import Review
from boardgames_cli.evaluation.review_text import dearest, decision_words
from boardgames_cli.registry import find_game
from boardgames_cli.storage.played_games import PlayedGame, PlayerStatistics, statistics

_AGAINST: Final = {WON: "won against", LOST: "lost to", DRAWN: "drew with", "": "played with"}
_MOST_KINDS: Final = 3
_LEAST_RANGE: Final = 50
"""The rating points that the height of a curve stands for at least."""


def _title(game: str) -> str:
    try:
        return find_game(game).info.name
    except GameError:
        return game


@dataclass(frozen=True, slots=True)
class RecentGame:
    """One of a person's last games, and what its review says."""

    player: str
    seat: Seat
    save: str
    game: str
    day: str
    """The day on which it began, in ISO 8601."""
    outcome: str
    """One of `core.game.WON`, `DRAWN` and `LOST`; empty if it had no result."""
    rivals: tuple[str, ...]
    mistake: str = ""
    """The biggest mistake, as a sentence; empty if there was none, or it is not reviewed."""
    ply: int = 0
    """The step of the biggest mistake."""
    costs: tuple[tuple[str, float], ...] = ()
    """The kind of each mistake, and what it cost as a share of the game's scale."""

    def reviewed(self, review: Review) -> RecentGame:
        """It with what its review says."""
        made = [decision for _, decision in review.mistakes(self.seat) if decision.reason.kind]
        costs = tuple((one.reason.kind, review.scale.share(one.loss)) for one in made)
        worst = dearest(review, [self.seat])[:1]
        said = [decision_words(review, *one, is_named=False) for one in worst]
        ply = worst[0][0].ply if worst else 0
        return replace(self, mistake="".join(said), ply=ply, costs=costs)

    def __str__(self) -> str:
        said = f"{_AGAINST[self.outcome]} {', '.join(self.rivals)}" if self.rivals else self.outcome
        return f"{_title(self.game)}, {said}"


@dataclass(frozen=True, slots=True)
class GameProgress:
    """What a person has reached in one game."""

    results: PlayerStatistics
    rating: PlayerRating | None
    course: tuple[int, ...]
    """The ratings after each game since there is one to be told."""
    ladder: str
    """How many opponents are beaten, and who is next; empty without a ladder."""

    @property
    def row(self) -> tuple[str, ...]:
        """The game, the record, the rating and the next opponent, as the cells of a table."""
        rating = f"rating {self.rating}" if self.course else ""
        return (
            _title(self.results.game),
            str(self.results.total),
            rating,
            self.ladder.partition(", ")[2],
        )

    def curve(self, width: int, rows: int, glyphs: Glyphs) -> list[str]:
        """The rating over time, one column a game, the last ones; empty for fewer than two."""
        shown = self.course[6 - width :]
        if len(shown) < 2:
            return []
        high, low = max(shown), min(*shown, max(shown) - _LEAST_RANGE)
        # A rating at the foot is drawn, too.
        heights = [0.05 + 0.95 * (one - low) / (high - low) for one in shown]
        labels = [str(high), *[""] * (rows - 2), str(low)]
        lines = zip(labels, blocks(heights, rows, glyphs), strict=True)
        return [f"{text:>4} |{line}" for text, line in lines]

    def sentences(self) -> list[str]:
        """The rating, the ladder, and the results against everybody."""
        said = [] if self.rating is None else [self.rating.sentence(find_game(self.results.game))]
        said += [f"Ladder: {self.ladder}."] if self.ladder else []
        against = [f"{name} {tally}" for name, tally in self.results.opponents.items()]
        said += [f"Against {', '.join(against)}."] if against[1:] else []
        best, helped = self.results.best, self.results.assisted
        if best is not None and abs(best) > 1:  # otherwise just a win or a loss
            said.append(f"Best result {best:g}.")
        return [*said, f"Hints taken in {counted(helped, 'game')}."] if helped else said


@dataclass(frozen=True, slots=True)
class You:
    """What a person has reached, and what there is to train."""

    player: str
    records: tuple[GameProgress, ...]
    """By game, the one played last at the beginning."""
    recent: tuple[RecentGame, ...]
    """The last games, latest first."""
    costly: tuple[tuple[str, str, int], ...]
    """The kinds of mistakes that cost most in them: game, kind, and how often."""
    due: int | None
    """The cards of the drill that are due; None without a drill."""
    days: int
    """The days in a row with a game."""

    @property
    def headline(self) -> str:
        """Who it is, and how much they have played."""
        games = sum(record.results.total.games for record in self.records)
        streak = f", {self.days} days in a row" if self.days > 1 else ""
        return f"{self.player}: {counted(games, 'game')}{streak}"

    def training(self) -> list[str]:
        """What to train: cards of the drill, and the costliest kinds of mistakes."""
        cards = counted(self.due, "card") if self.due else "nothing"
        said = [] if self.due is None else [f"Drill: {cards} due."]
        for game, kind, count in self.costly:
            times = f" ({count} times)" if count > 1 else ""
            said.append(f"{_title(game)}: {kind}{times}.")
        return said


def people_of(games: Sequence[PlayedGame], recent: Sequence[RecentGame]) -> list[str]:
    """Everybody who has played here; who played last is first."""
    finished = (one.names[seat] for one in reversed(games) for seat in reversed(one.people))
    return list(dict.fromkeys([*finished, *(one.player for one in recent)]))


def you(
    games: Sequence[PlayedGame],
    recent: Sequence[RecentGame],
    player: str,
    due: int | None,
    today: datetime.date,
) -> You:
    """What a person has reached, from results, the last games, and the cards that are due."""
    own = [one for one in recent if one.player == player]
    costs = defaultdict[tuple[str, str], list[float]](list)
    for one in own:
        for kind, cost in one.costs:
            costs[one.game, kind].append(cost)
    records = []
    for results in statistics(reversed(games)):
        if results.player == player:
            ratings = ratings_of(games, results.game, player)
            course = tuple(one.shown for one in ratings if one.is_known)
            ladder = str(climb_of(games, results.game, player) or "")
            records.append(GameProgress(results, [None, *ratings][-1], course, ladder))
    days = (one.ended for one in games if any(one.names[seat] == player for seat in one.people))
    dearest = sorted(costs, key=lambda kind: -math.fsum(costs[kind]))[:_MOST_KINDS]
    costly = tuple((*kind, len(costs[kind])) for kind in dearest)
    return You(player, tuple(records), tuple(own), costly, due, days_in_a_row(days, today))
