"""What a person has reached on this machine: ratings, days in a row, and rungs of the ladders.

People have Glicko-2 ratings, with each game as a rating period:
M. E. Glickman, "Example of the Glicko-2 system" (2013); the numbers of its steps are in comments.
The levels are opponents whose rating is known, from the bundled tournament of each game.
"""

from __future__ import annotations

import bisect
import datetime
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from boardgames_cli.agents.ratings import (
    ELO,
    NEWCOMER,
    BundledRatings,
    bundled_ratings,
    expected_score,
)
from boardgames_cli.core.agent import ADAPTIVE, join_agent
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import DRAWN, WON
from boardgames_cli.core.presentation.home_page import Ladder, Opponent, home_page_of
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.core.text import counted
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.storage.played_games import PlayedGame

RATED_AFTER: Final = 5
"""The games that it takes until a person is told a rating: after fewer it says little."""
_CERTAIN: Final = 110
"""The standard deviation up to which a rating is told to the point."""
_LEAST: Final = 100
"""No rating falls below it, as at the US Chess Federation."""
_TAU: Final = 0.5
"""How much the volatility may change."""
_PRECISION: Final = 1e-6
_ADAPTIVE: Final = re.compile(rf"{ADAPTIVE}:weaker=([^,]+),stronger=([^,]+),share=([01]\.\d+)")
"""What `level_near` writes."""
_SCORES: Final = {WON: 1.0, DRAWN: 0.5}


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """A strength on the scale of the levels' ratings."""

    value: float = NEWCOMER
    deviation: float = 350.0
    """Its standard deviation; a new player's is 350."""
    volatility: float = 0.06
    games: int = 0
    """The games that have made it."""

    @property
    def is_known(self) -> bool:
        """Whether there are games enough for it to be told."""
        return self.games >= RATED_AFTER

    def __str__(self) -> str:
        if not self.is_known:
            return f"after {counted(RATED_AFTER - self.games, 'more game')}"
        return f"about {self.shown}" if self.deviation > _CERTAIN else f"{self.shown}"

    @property
    def shown(self) -> int:
        """It as it is told: in tens while it is uncertain."""
        return 10 * round(self.value / 10) if self.deviation > _CERTAIN else round(self.value)

    def beside(self, spec: GameSpec) -> str:
        """It with the level of a game that has the nearest one: ``1512, near medium (1502)``."""
        if not self.is_known:
            return str(self)
        ratings = bundled_ratings(spec)
        known = [] if ratings is None else [ratings.of(level) for level in spec.levels]
        rated = [one for one in known if one is not None]
        near = min(rated, key=lambda one: abs(one.rating - self.value), default=None)
        return str(self) if near is None else f"{self}, near {near.agent} ({near.rating})"

    def sentence(self, spec: GameSpec) -> str:
        """It as a sentence, or when there will be one."""
        return f"Rating {self.beside(spec)}." if self.is_known else f"A rating appears {self}."

    def after(self, games: Sequence[tuple[float, float, float]]) -> PlayerRating:
        """The rating after the games of one rating period.

        Of each game: the opponent's rating, its standard deviation, and the score (0, 0.5 or 1).
        """
        mu, phi = (self.value - NEWCOMER) / ELO, self.deviation / ELO  # 2
        information = surprise = 0.0
        for opponent, deviation, score in games:
            weight = 1 / math.sqrt(1 + 3 * (deviation / ELO / math.pi) ** 2)  # g(phi)
            expected = expected_score(weight * (self.value - opponent))
            information += weight * weight * expected * (1 - expected)
            surprise += weight * (score - expected)
        variance = 1 / information  # 3
        volatility = _volatility(phi, self.volatility, variance, variance * surprise)
        widened = phi * phi + volatility * volatility  # 6
        # 7. With one game a period, step 6 would widen a rating for ever by games that say nothing,
        # such as wins against the weakest level.
        shrunk = min(phi * phi, 1 / (1 / widened + information))
        moved = mu + shrunk * surprise
        deviation, value = ELO * math.sqrt(shrunk), max(_LEAST, NEWCOMER + ELO * moved)
        return PlayerRating(value, deviation, volatility, self.games + len(games))


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    start = math.log(sigma * sigma)

    def function(x: float) -> float:
        total = phi * phi + variance + math.exp(x)
        gain = math.exp(x) * (delta * delta - total) / (2 * total * total)
        return gain - (x - start) / (_TAU * _TAU)

    low = start
    if delta * delta > phi * phi + variance:
        high = math.log(delta * delta - phi * phi - variance)
    else:
        steps = 1
        while function(start - steps * _TAU) < 0:
            steps += 1
        high = start - steps * _TAU
    at_low, at_high = function(low), function(high)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = function(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)


def level_near(spec: GameSpec, rating: PlayerRating | None) -> str:
    """The agent about as strong as a person: a mix of the two levels around their rating.

    Without a rating, and in a game whose levels have none, it is the lowest level.
    """
    ratings = bundled_ratings(spec)
    levels = list(spec.levels)
    known = [strength[0] for level in levels if (strength := _strength(level, ratings)) is not None]
    above, share = 1, 0.0
    if rating is not None and len(known) == len(levels):
        above = min(max(bisect.bisect(known, rating.value), 1), len(known) - 1)
        low, high = known[above - 1], known[above]
        share = min(max((rating.value - low) / (high - low), 0.0), 1.0)
    options = {"weaker": levels[above - 1], "stronger": levels[above], "share": f"{share:.2f}"}
    return join_agent(ADAPTIVE, options)


def _strength(agent: str, ratings: BundledRatings | None) -> tuple[float, float] | None:
    known = None if ratings is None else ratings.of(agent)
    if known is not None:
        return known.rating, known.deviation
    match = _ADAPTIVE.fullmatch(agent)
    if match is None:
        return None
    weaker, stronger, share = match.groups()
    low, high = _strength(weaker, ratings), _strength(stronger, ratings)
    if low is None or high is None:
        return None
    part = float(share)
    return low[0] + part * (high[0] - low[0]), low[1] + part * (high[1] - low[1])


def _rival(played: PlayedGame, seat: int, ratings: BundledRatings) -> tuple[float, float] | None:
    known = _strength(played.names[seat], ratings)
    return _strength(played.agents[seat], ratings) if known is None and played.agents else known


def rating_of(games: Iterable[PlayedGame], game: str, player: str) -> PlayerRating | None:
    """A person's rating by all games in the order of their ends; None without a rated one."""
    return next(reversed(ratings_of(games, game, player)), None)


def ratings_of(games: Iterable[PlayedGame], game: str, player: str) -> list[PlayerRating]:
    """A person's ratings after each rated game, in the order of their ends."""
    ratings = bundled_ratings(find_game(game)) if game in game_ids() else None
    if ratings is None:
        return []
    now, course = PlayerRating(), list[PlayerRating]()
    for played in games:
        if played.game != game or player not in played.names:
            continue
        seat = played.names.index(player)
        if seat not in played.people:
            continue
        rivals = [_rival(played, at, ratings) for at in range(len(played.names)) if at != seat]
        known = [rival for rival in rivals if rival is not None]
        if len(known) < len(rivals) or not known:
            continue
        # Against several at once the result counts once, against their mean.
        rating, deviation = map(fmean, zip(*known, strict=True))
        now = now.after([(rating, deviation, _SCORES.get(played.outcome(seat), 0.0))])
        course.append(now)
    return course


def days_in_a_row(days: Iterable[str], today: datetime.date) -> int:
    """The days in a row up to today, or up to yesterday while nothing was done today.

    Days, or times of these days, are in ISO 8601.
    """
    done = {day[:10] for day in days}
    count, day = 0, today
    if day.isoformat() not in done:
        day -= datetime.timedelta(days=1)
    while day.isoformat() in done:
        count, day = count + 1, day - datetime.timedelta(days=1)
    return count


def player_of(games: Sequence[PlayedGame], game: str = "") -> str:
    """The person who played last, perhaps of one game; empty if nobody has."""
    found = (one for one in reversed(games) if one.people and game in ("", one.game))
    return next((one.names[one.people[-1]] for one in found), "")


def progress_in_words(games: Sequence[PlayedGame], id: str, game: str, player: str) -> list[str]:
    """What the game with an id has changed: a person's rating, and whom they have beaten."""
    earlier, said = [one for one in games if one.id != id], list[str]()
    before, now = rating_of(earlier, game, player), rating_of(games, game, player)
    if now is not None and now != before:
        moved = now.shown - before.shown if before is not None and before.is_known else 0
        whose = "Your" if player == "You" else f"{player}'s"
        change = f" ({moved:+d})" if moved else ""
        said.append(
            f"{whose} rating: {now}{change}." if now.is_known else now.sentence(find_game(game))
        )
    was, climb = climb_of(earlier, game, player), climb_of(games, game, player)
    if was is not None and climb is not None and climb.beaten > was.beaten and was.next is not None:
        ahead = "that was the last one" if climb.next is None else f"{climb.next.name} is next"
        said.append(f"{was.next.name} is beaten: {ahead}.")
    elif climb is not None and climb != was and climb.next is not None:
        wins = "One more win beats" if climb.missing == 1 else f"{climb.missing} wins in a row beat"
        said.append(f"{wins} {climb.next.name}.")
    return said


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
    missing: int
    """The wins in a row that would beat them."""

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

    def __str__(self) -> str:
        ahead = "the top is reached" if self.next is None else f"{self.next.name} is next"
        return f"{self.beaten} of {len(self.ladder.opponents)} beaten, {ahead}"

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
    # Wins now push the oldest results out.
    missing = next(
        more for more in range(1, ladder.wins + 1)
        if more + sum(recent[max(0, len(recent) + more - ladder.games) :]) >= ladder.wins
    )  # fmt: skip
    return Climb(ladder, beaten, sum(recent), len(recent), missing)
