"""What a tournament has come to so far, in memory that does not grow with the number of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from boardgames_cli.tournament.results import VOID, DealOutcome, DealResult, outcome_of


@dataclass(slots=True)
class Totals:
    """Sums over all games of one entrant; a game in which it holds two seats counts twice."""

    games: int = 0
    void: int = 0
    """Games that no worker could play; they count nowhere else."""
    plies: int = 0
    decisions: int = 0
    failures: int = 0
    late: int = 0
    seconds: float = 0.0
    returns: float = 0.0
    """The sum of its returns."""
    squares: float = 0.0
    """The sum, over deals, of the square of its returns in the deal."""
    deals: int = 0
    """In how many deals it took part."""

    def add(self, other: Totals) -> None:
        """Add the sums of other games."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(slots=True)
class Tally:
    """Outcomes of deals, counted, and the totals of every entrant.

    Tallies of batches add up to the tally of the tournament, in any order.
    """

    outcomes: Counter[DealOutcome] = field(default_factory=Counter)
    """How often each outcome of a deal has come."""
    totals: dict[int, Totals] = field(default_factory=dict)
    """By the index of the entrant."""

    @classmethod
    def of(cls, deals: Iterable[DealResult]) -> Tally:
        """The tally of some deals."""
        tally = cls()
        for deal in deals:
            tally.add_deal(deal)
        return tally

    @property
    def games(self) -> int:
        """How many games count."""
        return sum(count * len(deal.games) for deal, count in self.outcomes.items())

    def add_deal(self, deal: DealResult) -> DealOutcome:
        """Count a deal and give its outcome."""
        outcome = outcome_of(deal)
        self.outcomes[outcome] += 1
        earned: dict[int, float] = {}
        for game in deal:
            for seat, entrant in enumerate(game.entrants):
                totals = self.totals.get(entrant)
                if totals is None:
                    totals = self.totals[entrant] = Totals()
                if game.ending == VOID:
                    totals.void += 1
                    continue
                totals.games += 1
                totals.plies += game.plies
                totals.decisions += game.decisions[seat]
                totals.seconds += game.seconds[seat]
                earned[entrant] = earned.get(entrant, 0.0) + game.returns[seat]
                if game.failures:
                    totals.failures += game.failures[seat]
                if game.late:
                    totals.late += game.late[seat]
        for entrant, returns in earned.items():
            totals = self.totals[entrant]
            totals.returns += returns
            totals.squares += returns * returns
            totals.deals += 1
        return outcome

    def add(self, other: Tally) -> None:
        """Add the tally of other deals."""
        self.outcomes.update(other.outcomes)
        for entrant, totals in other.totals.items():
            self.totals.setdefault(entrant, Totals()).add(totals)
