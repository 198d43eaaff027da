"""Statistics over many games of one person: accuracy, most frequent mistakes, luck."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from boardgames_cli.core.analyst import CERTAIN, Mark, Scale
from boardgames_cli.core.game import Seat
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.core.text import Glyphs, Picture, Span, aligned, counted, wrapped
from boardgames_cli.evaluation.milestones import rating_of
from boardgames_cli.evaluation.plots import blocks, resample
from boardgames_cli.evaluation.review_result import Review, SeatSummary
from boardgames_cli.registry import find_game
from boardgames_cli.storage.played_games import PlayedGame

_ROWS: Final = 5
_MOST_KINDS: Final = 5


@dataclass(frozen=True, slots=True)
class PlayedReview:
    """One game of a person."""

    save: str
    when: str
    """The start time in ISO 8601; empty if unknown."""
    game: str
    seat: Seat
    summary: SeatSummary
    scale: Scale
    kinds: Counter[str]
    """The number of mistakes of each kind."""

    @classmethod
    def of(cls, save: str, when: str, review: Review, seat: Seat) -> PlayedReview:
        """The figures of one seat from a review."""
        kinds = Counter(decision.reason.kind for _, decision in review.mistakes(seat))
        kinds.pop("", None)
        return cls(save, when, review.game, seat, review.summary(seat), review.scale, kinds)


@dataclass(slots=True)
class GameProfile:
    """A person's figures over all matches of one game."""

    game: str
    scale: Scale
    games: int = 0
    decisions: int = 0
    accuracy: float | None = None
    """The mean over all decisions whose choices differ in value, by what was at stake."""
    mean_loss: float = 0.0
    luck: float = 0.0
    luck_error: float = 0.0
    counts: Counter[Mark] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def spec(self) -> GameSpec:
        return find_game(self.game)


def reviews_by_person(
    played: Iterable[tuple[str, PlayedReview]],
) -> dict[str, list[PlayedReview]]:
    """The games of each person, by name, in their order."""
    found: dict[str, list[PlayedReview]] = {}
    for name, one in played:
        found.setdefault(name, []).append(one)
    return found


def game_profiles(played: Iterable[PlayedReview]) -> list[GameProfile]:
    """A profile for each game, in the order in which they were first played."""
    found: dict[str, list[PlayedReview]] = {}
    for one in played:
        found.setdefault(one.game, []).append(one)
    return [_profile(game, of_game) for game, of_game in found.items()]


def _profile(game: str, played: Sequence[PlayedReview]) -> GameProfile:
    profile = GameProfile(game, played[0].scale, games=len(played))
    weighed = [(one.summary.decisions, one.summary) for one in played]
    profile.decisions = sum(count for count, _ in weighed)
    if profile.decisions:
        stakes = [count * summary.random_loss for count, summary in weighed]
        reached = [summary.accuracy or 0.0 for _, summary in weighed]
        reached_in_all = math.fsum(map(operator.mul, stakes, reached))
        profile.accuracy = reached_in_all / math.fsum(stakes)
        lost = math.fsum(count * summary.mean_loss for count, summary in weighed)
        profile.mean_loss = lost / profile.decisions
    profile.luck = math.fsum(one.summary.luck for one in played)
    profile.luck_error = math.sqrt(math.fsum(one.summary.error**2 for one in played))
    for one in played:
        profile.counts.update(one.summary.counts)
        profile.kinds.update(one.kinds)
    return profile


def luck_in_words(profile: GameProfile) -> str:
    """The luck over all matches of a game: an amount, or that it was even."""
    if abs(profile.luck) <= max(5e-3, CERTAIN * profile.luck_error):
        return "even"
    return profile.scale.format(profile.luck)


def kinds_in_words(profile: GameProfile) -> str:
    """The most frequent kinds of mistakes, such as ``left a dancer open (5)``."""
    found = profile.kinds.most_common(_MOST_KINDS)
    return ", ".join(f"{kind} ({count})" for kind, count in found)


_HEADINGS: Final = ("game", "games", "accuracy", "mean loss", "??", "?", "?!", "luck over all")
_LEAST_WIDE: Final = 78
"""The columns from which the whole table is shown; else luck and the mean loss are left out."""


def profile_page(
    played: Iterable[tuple[str, PlayedReview]],
    results: Sequence[PlayedGame],
    width: int,
    glyphs: Glyphs = Glyphs.ASCII,
) -> Picture:
    """What the reviews of many games say of every person: a table, what to learn, a curve."""
    lines: list[list[Span]] = []
    for name, games in reviews_by_person(played).items():
        days = [one.when[:10] for one in games if one.when]
        span = f", {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else ""
        lines += [[], [Span(f"{name}: {counted(len(games), 'game')}{span}", "title")]]
        profiles = game_profiles(games)
        head, *table = aligned(_row(row, width) for row in (None, *profiles))
        lines += [[Span(head, "muted")], *([Span(line)] for line in table)]
        for profile in profiles:
            rating = rating_of(results, profile.game, name)
            said = "" if rating is None else f"Rating {rating.beside(profile.spec)}."
            kinds = kinds_in_words(profile)
            said += f" To learn: {kinds}." if kinds else ""
            if said:
                lines += [[], [Span(profile.spec.info.name, "title")]]
                lines += [[Span(line)] for line in wrapped(said.strip(), width)]
        plot = accuracy_plot(games, width, glyphs)
        if plot:
            lines += [[], [Span("Accuracy, from the first game to the last", "title")]]
            lines += [[Span(line, "key")] for line in plot]
    return Picture.of(lines[1:])


def _row(profile: GameProfile | None, width: int) -> list[str]:
    row = list(_HEADINGS)
    if profile is not None:
        marks = (Mark.BLUNDER, Mark.MISTAKE, Mark.INACCURACY)
        row = [
            profile.spec.info.name,
            str(profile.games),
            "-" if profile.accuracy is None else f"{profile.accuracy:.0f} %",
            profile.scale.format_loss(profile.mean_loss),
            *(str(profile.counts[mark]) for mark in marks),
            luck_in_words(profile),
        ]
    return row if width >= _LEAST_WIDE else [*row[:3], *row[4:7]]


def accuracy_plot(
    played: Sequence[PlayedReview], width: int, glyphs: Glyphs = Glyphs.ASCII
) -> list[str]:
    """Accuracy over time, one column per game; empty for fewer than two."""
    points = [one.summary.accuracy for one in played if one.summary.accuracy is not None]
    if len(points) < 2:
        return []
    heights = [point / 100 for point in points]
    columns = min(width - 7, max(len(points), 24))
    lines = blocks(resample(heights, columns), _ROWS, glyphs)
    labels = ["100 %", *[""] * (_ROWS - 2), "0 %"]
    return [f"{label:>5} |{line}" for label, line in zip(labels, lines, strict=True)]
