"""Running totals of a tournament, in memory independent of the number of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from boardgames_cli.tournament.results import (
    VOID,
    DealOutcome,
    DealResult,
    outcome_of,
)


@dataclass(slots=True)
class Totals:
    """Sums over all games of one entrant."""

    games: int = 0
    """The number of games without void ones."""
    seats: int = 0
    """The number of its seats in them, possibly several per game."""
    deals: int = 0
    """The number of deals."""
    plies: int = 0
    """The number of steps in all its games."""
    returns: float = 0.0
    """The sum of its returns, over all its seats."""
    squares: float = 0.0
    """The sum, over deals, of the square of its returns in the deal."""
    failures: int = 0
    """Decisions taken by a stand-in."""
    late: int = 0
    """Answers after the time limit."""
    timed: int = 0
    """The number of its seats in timed games."""
    decisions: int = 0
    """The number of decisions in timed games."""
    seconds: float = 0.0
    """The time of those decisions."""
    void: int = 0
    """The number of void games."""

    def add(self, other: Totals) -> None:
        """Add the sums of other games."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(slots=True)
class Tally:
    """Counts of deal outcomes, and the totals of every entrant.

    The tallies of batches sum to the tally of the tournament.
    """

    outcomes: Counter[DealOutcome] = field(default_factory=Counter)
    """How often each outcome of a deal has come."""
    totals: dict[int, Totals] = field(default_factory=dict)
    """The totals by index of the entrant."""

    @classmethod
    def of(cls, deals: Iterable[DealResult]) -> Tally:
        """The tally of some deals."""
        tally = cls()
        for deal in deals:
            tally.add_deal(deal)
        return tally

    @property
    def games(self) -> int:
        """The number of games that count."""
        return sum(count * len(deal.games) for deal, count in self.outcomes.items())

    def add_deal(self, deal: DealResult) -> DealOutcome:
        """Count a deal and return its outcome."""
        outcome = outcome_of(deal)
        valid = [game for game in deal if game.ending != VOID]
        self.count(outcome, [game.returns for game in valid], sum(game.plies for game in valid))
        for game in deal:
            if game.ending == VOID:
                for entrant in set(game.entrants):
                    self.of_entrant(entrant).void += 1
            elif game.decisions or game.failures or game.late:
                self._add_conduct(game.entrants, game.decisions, game.seconds)
                self._add_mistakes(game.entrants, game.failures, game.late)
        return outcome

    def count(
        self, outcome: DealOutcome, returns: Sequence[Sequence[float]], plies: int, times: int = 1
    ) -> None:
        """Count deals with the same outcome and the same returns.

        Args:
            outcome: Their outcome.
            returns: The returns of every seat in every game of each deal.
            plies: The steps of all games of all of them.
            times: The number of deals.
        """
        self.outcomes[outcome] += times
        earned: dict[int, float] = {}
        for game, seats in zip(outcome.games, returns, strict=True):
            for entrant, value in zip(game.entrants, seats, strict=True):
                earned[entrant] = earned.get(entrant, 0.0) + value
                self.of_entrant(entrant).seats += times
        for entrant, value in earned.items():
            totals = self.totals[entrant]
            totals.games += times * sum(entrant in game.entrants for game in outcome.games)
            totals.deals += times
            totals.plies += plies
            totals.returns += times * value
            totals.squares += times * value * value

    def of_entrant(self, entrant: int) -> Totals:
        """The mutable totals of an entrant."""
        return self.totals.setdefault(entrant, Totals())

    def add(self, other: Tally) -> None:
        """Add the tally of other deals."""
        self.outcomes.update(other.outcomes)
        for entrant, totals in other.totals.items():
            self.of_entrant(entrant).add(totals)

    def _add_conduct(
        self, entrants: Sequence[int], decisions: Sequence[int], seconds: Sequence[float]
    ) -> None:
        for entrant, count, taken in zip(entrants, decisions, seconds, strict=False):
            totals = self.of_entrant(entrant)
            totals.timed += 1
            totals.decisions += count
            totals.seconds += taken

    def _add_mistakes(
        self, entrants: Sequence[int], failures: Sequence[int], late: Sequence[int]
    ) -> None:
        for entrant, count in zip(entrants, failures, strict=False):
            self.of_entrant(entrant).failures += count
        for entrant, count in zip(entrants, late, strict=False):
            self.of_entrant(entrant).late += count
