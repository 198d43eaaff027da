"""What one game says about its sides: who finished above whom, and who was chosen out of which set.

Seats of one team are one side. What remains of a game is the members and the place of every side,
in a fixed order: games that say the same are the same, and can be counted.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import NamedTuple, TypeAlias

from boardgames_cli.tournament.results import DealOutcome, GameOutcome

Members: TypeAlias = tuple[int, ...]
"""The entrants on the seats of one side, in rising order."""
Teams: TypeAlias = tuple[tuple[int, ...], ...]
"""The seats of every side."""


class Side(NamedTuple):
    """One side of a finished game."""

    place: int
    """0 for the best; equals share a place."""
    members: Members


Comparison: TypeAlias = tuple[Side, ...]
"""What a game says: its sides, the best first."""


def compare(game: GameOutcome, teams: Teams | None = None) -> Comparison:
    """What a game says.

    Args:
        game: The outcome.
        teams: The seats of every side; None if each plays for itself.
    """
    if teams is None:
        return tuple(
            sorted(
                [
                    Side(place, (entrant,))
                    for entrant, place in zip(game.entrants, game.places, strict=True)
                ]
            )
        )
    return tuple(
        sorted(
            Side(
                min(game.places[seat] for seat in team),
                tuple(sorted(game.entrants[seat] for seat in team)),
            )
            for team in teams
        )
    )


@dataclass(slots=True)
class CountedDeals:
    """The deals of one line-up: how often each outcome came."""

    options: int
    """The index of the option set."""
    lineup: Members
    """The entrants, in rising order, as often as they have seats."""
    outcomes: Counter[tuple[Comparison, ...]] = field(default_factory=Counter)
    """How often a deal said what; the comparisons of a deal stand in a fixed order."""

    @property
    def deals(self) -> int:
        """How many deals."""
        return self.outcomes.total()

    def games(self) -> Counter[Comparison]:
        """How often a game said what."""
        counts: Counter[Comparison] = Counter()
        for games, count in self.outcomes.items():
            for game in games:
                counts[game] += count
        return counts


def by_lineup(
    outcomes: Mapping[DealOutcome, int], teams: Sequence[Teams] | None = None
) -> list[CountedDeals]:
    """Sort deals by option set and line-up, in an order that doesn't depend on how they came.

    Args:
        outcomes: How often each outcome of a deal has come.
        teams: For each option set, the seats of every side; None if each seat plays for itself.
    """
    known: dict[tuple[Teams | None, GameOutcome], Comparison] = {}
    groups: dict[tuple[int, Members], CountedDeals] = {}
    for deal, count in outcomes.items():
        if not deal.games:
            continue
        sides = teams[deal.options] if teams is not None else None
        games = []
        for game in deal.games:
            if (sides, game) not in known:
                known[sides, game] = compare(game, sides)
            games.append(known[sides, game])
        key = deal.options, tuple(sorted(deal.games[0].entrants))
        group = groups.setdefault(key, CountedDeals(*key))
        group.outcomes[tuple(sorted(games))] += count
    for group in groups.values():
        group.outcomes = Counter(dict(sorted(group.outcomes.items())))
    return [groups[key] for key in sorted(groups)]


def only_winners(games: Iterable[Comparison]) -> bool:
    """Whether games among three sides or more know winners and losers and nothing between.

    The losers have then not been ranked, and nothing can be learned from comparing them.
    """
    tables = [game for game in games if len(game) > 2]
    return bool(tables) and all(len({side.place for side in game}) <= 2 for game in tables)


@dataclass(slots=True)
class Choices:
    """A game as choices of the better side: all that R. Luce's axiom (1959) needs.

    The logarithm of the likelihood is the sum of ``chosen`` times the strength of a side, less the
    sum of ``sets`` times the logarithm of the summed exponentials of a set's strengths.
    """

    chosen: dict[Members, float] = field(default_factory=dict)
    """How often a side was chosen."""
    sets: dict[tuple[Members, ...], float] = field(default_factory=dict)
    """How often the choice was among these sides."""

    def choose(self, sides: Iterable[Members], weight: float) -> None:
        """Count that each of some sides was chosen, with this weight."""
        for side in sides:
            self.chosen[side] = self.chosen.get(side, 0.0) + weight

    def among(self, sides: Iterable[Members], weight: float) -> None:
        """Count a choice among some sides, with this weight."""
        key = tuple(sorted(sides))
        self.sets[key] = self.sets.get(key, 0.0) + weight


def choices(game: Comparison, *, winners_only: bool = False) -> Choices:
    """A game as choices: first out of all sides, then out of all others, and so on.

    Sides that share a place are taken in every order, with equal weights: a tie counts as if it was
    broken by lot. Between two sides that makes a draw half a win.

    Args:
        game: What the game says.
        winners_only: Whether only the first place is a choice.
    """
    found = Choices()
    places = sorted({side.place for side in game})
    for place in places:
        tied = [side.members for side in game if side.place == place]
        below = [side.members for side in game if side.place > place]
        if winners_only:
            found.choose(tied, 1 / len(tied))
            found.among(tied + below, 1.0)
            break
        # The last one left of all is not chosen: nobody else is there.
        found.choose(tied, 1.0 if below else 1 - 1 / len(tied))
        for size in range(1 if below else 2, len(tied) + 1):
            weight = 1 / comb(len(tied), size)
            for left in itertools.combinations(tied, size):
                found.among([*left, *below], weight)
    return found


def first_places(game: Comparison) -> Iterator[tuple[int, int]]:
    """With how many sides each entrant shares the first place, itself included; 0 if it has not.

    An entrant with several sides comes several times.
    """
    first = sum(side.place == game[0].place for side in game)
    for side in game:
        for entrant in dict.fromkeys(side.members):
            yield entrant, first if side.place == game[0].place else 0


def meetings(game: Comparison) -> Iterator[tuple[tuple[int, int], int]]:
    """Every meeting of two entrants on different sides, and the half points of the first of them.

    2 for finishing above the other, 1 for a tie.
    """
    for one, two in itertools.combinations(game, 2):
        # Sides stand in the order of their places: the first is never the worse one.
        won = 1 if one.place == two.place else 2
        for first in dict.fromkeys(one.members):
            for second in dict.fromkeys(two.members):
                if first < second:
                    yield (first, second), won
                elif first > second:
                    yield (second, first), 2 - won


def groups_of(entrants: int, games: Iterable[Comparison]) -> list[int]:
    """Number the groups of entrants that are linked by games against each other.

    Ratings of different groups can't be compared.

    Returns:
        The group of every entrant; the groups are numbered in the order of their first entrants.
    """
    leader = list(range(entrants))

    def find(entrant: int) -> int:
        while leader[entrant] != entrant:
            leader[entrant] = entrant = leader[leader[entrant]]
        return entrant

    for game in games:
        first, *others = sorted({entrant for side in game for entrant in side.members})
        for other in others:
            low, high = sorted((find(first), find(other)))
            leader[high] = low
    numbers: dict[int, int] = {}
    return [numbers.setdefault(find(entrant), len(numbers)) for entrant in range(entrants)]


def classes_of(entrants: int, games: Iterable[Comparison]) -> list[tuple[list[int], list[int]]]:
    """Cut linked entrants where all results go one way.

    The likeliest difference between those above and those below a cut is infinite (L. R. Ford,
    1957).

    Returns:
        For each cut those above it and those below it in the same group, the highest cut first.
    """
    games = list(games)
    reach = [{one} for one in range(entrants)]
    for game in games:
        for (one, two), halves in meetings(game):
            if halves > 0:
                reach[one].add(two)
            if halves < 2:
                reach[two].add(one)
    for middle in range(entrants):
        for reached in reach:
            if middle in reached:
                reached |= reach[middle]
    linked = groups_of(entrants, games)
    cuts = []
    for group in range(max(linked, default=-1) + 1):
        own = [one for one in range(entrants) if linked[one] == group]
        sizes = sorted({len(reach[one]) for one in own}, reverse=True)
        for size in sizes[:-1]:
            above = [one for one in own if len(reach[one]) >= size]
            below = [one for one in own if one not in above]
            if not any(reach[one] & set(above) for one in below):
                cuts.append((above, below))
    return cuts
