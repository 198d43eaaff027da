"""Reduces games to comparisons: who finished above whom.

Seats of one team form one side. A comparison holds the members and the place of every side in a
canonical order, so that games with the same meaning are equal and can be counted.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import NamedTuple, TypeAlias

from boardgames_cli.tournament.results import GameOutcome, GameSetOutcome

Members: TypeAlias = tuple[int, ...]
"""The entrants on the seats of one side, in rising order."""
Teams: TypeAlias = tuple[tuple[int, ...], ...]
"""The seats of every side."""


class Side(NamedTuple):
    """One side of a finished game."""

    place: int
    """0 for the best; ties share a place."""
    members: Members


Comparison: TypeAlias = tuple[Side, ...]
"""A game as its sides, best first."""


def compare(game: GameOutcome, teams: Teams | None = None) -> Comparison:
    """Reduce a game to a comparison; without teams each seat plays for itself."""
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
    """The deals of one line-up, counted by outcome."""

    options: int
    lineup: Members
    """The entrants in rising order, repeated for each of their seats."""
    outcomes: Counter[tuple[Comparison, ...]] = field(default_factory=Counter)
    """The number of deals by their comparisons, which are in a canonical order."""

    @property
    def deals(self) -> int:
        """The number of deals."""
        return self.outcomes.total()

    def games(self) -> Counter[Comparison]:
        """The number of games by comparison."""
        counts: Counter[Comparison] = Counter()
        for games, count in self.outcomes.items():
            for game in games:
                counts[game] += count
        return counts


def by_lineup(
    outcomes: Mapping[GameSetOutcome, int], teams: Sequence[Teams] | None = None
) -> list[CountedDeals]:
    """Group deals by option set and line-up, in an order independent of their arrival.

    The teams are those of each option set; without them each seat plays for itself.
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
    """Whether games among three or more sides distinguish only winners and losers.

    The losers are then unranked, and must not be compared.
    """
    tables = [game for game in games if len(game) > 2]
    return bool(tables) and all(len({side.place for side in game}) <= 2 for game in tables)


@dataclass(slots=True)
class Choices:
    """A game as choices among sides, the sufficient statistics of R. D. Luce's model (1959).

    The logarithm of the likelihood is the sum of ``chosen`` times the strength of a side, less the
    sum of ``sets`` times the logarithm of the summed exponentials of a set's strengths.
    """

    chosen: dict[Members, float] = field(default_factory=dict)
    """How often a side was chosen."""
    sets: dict[tuple[Members, ...], float] = field(default_factory=dict)
    """How often the choice was from this set of sides."""

    def choose(self, sides: Iterable[Members], weight: float) -> None:
        """Count that each of some sides was chosen, with this weight."""
        for side in sides:
            self.chosen[side] = self.chosen.get(side, 0.0) + weight

    def among(self, sides: Iterable[Members], weight: float) -> None:
        """Count a choice among some sides, with this weight."""
        key = tuple(sorted(sides))
        self.sets[key] = self.sets.get(key, 0.0) + weight


def choices(game: Comparison, *, winners_only: bool = False) -> Choices:
    """Decompose a game into choices: first from all sides, then from the others, and so on.

    Ties are averaged over all orders, as if they were broken at random. Between two sides this
    makes a draw half a win. With ``winners_only`` only the first place is a choice.
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
        # The last remaining side is not a choice.
        found.choose(tied, 1.0 if below else 1 - 1 / len(tied))
        for size in range(1 if below else 2, len(tied) + 1):
            weight = 1 / comb(len(tied), size)
            for left in itertools.combinations(tied, size):
                found.among([*left, *below], weight)
    return found


def first_places(game: Comparison) -> Iterator[tuple[int, int]]:
    """For each side its entrant, and how many sides share first place; 0 if not first."""
    first = sum(side.place == game[0].place for side in game)
    for side in game:
        for entrant in dict.fromkeys(side.members):
            yield entrant, first if side.place == game[0].place else 0


def meetings(game: Comparison) -> Iterator[tuple[tuple[int, int], int]]:
    """Every meeting of two entrants on different sides, with the half points of the first.

    2 for finishing above the other, 1 for a tie.
    """
    for one, two in itertools.combinations(game, 2):
        # Sides are ordered by place, so the first is never the worse one.
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
    """Split linked entrants where all results go one way.

    The maximum likelihood difference across such a cut is infinite (L. R. Ford, 1957).

    Returns:
        For each cut the entrants above and below it in the same group, highest cut first.
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
