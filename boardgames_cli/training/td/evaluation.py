"""The strength of a learned evaluation: one-ply play against random moves and a reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.agents.greedy import Greedy
from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.agent import Agent
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.match import Match
from boardgames_cli.core.play import play
from boardgames_cli.core.spec import Heuristic

_Z: Final = 1.959964
"""Standard deviations on each side of a 95 % interval."""


@dataclass
class HeuristicPlayer(Greedy[Any, Any]):
    """Takes the action after which a given evaluation likes its seat best."""

    def use(self, heuristic: Heuristic) -> HeuristicPlayer:
        """Play by another evaluation than the game's own."""
        self._given = heuristic
        return self

    def reset(self, game: AnyGame, seat: Seat) -> None:
        """Begin a game with the evaluation that was given."""
        super().reset(game, seat)
        self._heuristic = self._given


@dataclass(frozen=True, slots=True)
class Score:
    """The share of points won, with its interval."""

    points: float
    games: int

    @property
    def share(self) -> float:
        """Points won a game, 0 to 1."""
        return self.points / self.games

    def __str__(self) -> str:
        low, high = wilson_interval(self.points, self.games)
        return f"{self.share:.1%} of {self.games} games (95 %: {low:.1%} to {high:.1%})"


def score(game: AnyGame, heuristic: Heuristic, rival: Heuristic | None, games: int) -> Score:
    """Play an evaluation against another one, or against random moves.

    Args:
        game: The rules.
        heuristic: The evaluation that is measured.
        rival: The other one; None plays random moves.
        games: Games; each deal is played from both seats.
    """
    player = HeuristicPlayer().use(heuristic)
    other: Agent[Any, Any] = RandomAgent() if rival is None else HeuristicPlayer().use(rival)
    points = 0.0
    for number in range(games):
        seat = number % 2
        pair = [player, other] if seat == 0 else [other, player]
        points += (play(Match(game, seed=number // 2), pair)[seat] + 1) / 2
    return Score(points, games)


def wilson_interval(points: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of points (E. B. Wilson, 1927)."""
    share, z = points / games, _Z
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    spread = share * (1 - share) / games + z * z / (4 * games * games)
    half = z / (1 + z * z / games) * spread**0.5
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class TdPoint:
    """One point of a learning curve."""

    games: int
    """Games learned from, all rule sets together."""
    scores: Mapping[str, float]
    """The share of points against random moves, by rule set."""

    def __str__(self) -> str:
        return f"{self.games:,} games: {self.words} against random"

    @property
    def done(self) -> int:
        """Games learned from."""
        return self.games

    @property
    def share(self) -> float:
        """The mean share of points against random moves."""
        return sum(self.scores.values()) / max(1, len(self.scores))

    @property
    def words(self) -> str:
        """The figures that stand beside its bar."""
        return "  ".join(f"{name} {value:.1%}" for name, value in self.scores.items())

    @property
    def brief(self) -> str:
        """The most important figure, for a progress bar."""
        return f"{self.share:.1%} against random"

    @property
    def measures(self) -> Mapping[str, float]:
        """What a plot draws."""
        return {f"points against random, {name}": value for name, value in self.scores.items()}

    def as_json(self) -> dict[str, Any]:
        """The point as it stands in a file."""
        return {"games": self.games, "scores": dict(self.scores)}


def read_points(curve: Any) -> list[TdPoint]:
    """The points of a file's curve; those that are none are left out."""
    points = []
    for point in curve if isinstance(curve, list) else []:
        match point:
            case {"games": int(games), "scores": dict(scores)} if all(
                isinstance(value, float | int) for value in scores.values()
            ):
                points.append(TdPoint(games, {name: float(v) for name, v in scores.items()}))
    return points
