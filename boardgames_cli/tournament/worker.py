"""What a worker does: it plays the games of a batch of deals and says what came of them.

In whatever process or thread a batch is played, the same comes of it, apart from the seconds
measured. Those are taken from the first deals and then from one deal in so many: a clock beside
every decision would cost more than a quick agent thinks.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from boardgames_cli import __version__
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.options import option_values
from boardgames_cli.core.play import play
from boardgames_cli.core.record import Header, lines_after
from boardgames_cli.tournament.contender import Contender
from boardgames_cli.tournament.players import Job, Players, Tables, players_of
from boardgames_cli.tournament.results import (
    MAX_PLIES,
    NORMAL,
    VOID,
    DealOutcome,
    GameOutcome,
    GameResult,
    deal_line,
    places_of,
    plain_line,
)
from boardgames_cli.tournament.schedule import Deal, Pairing
from boardgames_cli.tournament.tally import Tally

TIMED: Final = 64
"""All games of so many deals are timed, and later those of one deal in so many."""


class GameRecord(NamedTuple):
    """A whole game as a file that `boardgames replay` opens."""

    deal: int
    number: int
    """Which game of the deal it is."""
    text: str


@dataclass(slots=True)
class BatchResult:
    """What comes back from a worker."""

    lines: list[str] = field(default_factory=list)
    """The line of each deal."""
    outcomes: list[DealOutcome] = field(default_factory=list)
    """The outcome of each deal."""
    tally: Tally = field(default_factory=Tally)
    """That of all deals."""
    seconds: float = 0.0
    """How long it took."""
    records: list[GameRecord] = field(default_factory=list)
    """The games, if they are recorded."""

    def add(self, other: BatchResult) -> None:
        """Append the result of the deals that come next."""
        self.lines += other.lines
        self.outcomes += other.outcomes
        self.tally.add(other.tally)
        self.seconds += other.seconds
        self.records += other.records


def play_batch(job: Job, deals: Iterable[Deal]) -> BatchResult:
    """Play deals.

    Raises:
        GameError: The game or an agent can't be made here.
    """
    batch = _Batch(players_of(job))
    started = time.perf_counter()
    for deal in deals:
        batch.play(deal)
    return batch.finish(time.perf_counter() - started)


def void_batch(deals: Iterable[Deal]) -> BatchResult:
    """What is put down for deals that no worker could play."""
    result = BatchResult()
    for deal in deals:
        games = tuple(
            GameResult(deal.number, deal.pairing.options, deal.seed, seating, none, 0, ending=VOID)
            for seating in deal.pairing.seatings
            for none in [(0.0,) * len(seating)]
        )
        result.lines.append(deal_line(games))
        result.outcomes.append(result.tally.add_deal(games))
    return result


_Kind: TypeAlias = tuple[Pairing, tuple[tuple[float, ...], ...], tuple[bool, ...]]
"""What equal deals have in common: who played, all returns, and which games were cut short."""


class _Batch:
    """The games of a batch while they are played."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._job = players.job
        self._result = BatchResult()
        # Deals of the same kind are counted and added up at the end. As they share their outcome,
        # which is sent as one, a batch of thousands of deals is a small message.
        self._kinds: dict[_Kind, tuple[DealOutcome, list[int]]] = {}

    def play(self, deal: Deal) -> None:
        """Play all games of a deal."""
        tables = self._players.tables(deal.pairing)
        is_timed = deal.number < TIMED or deal.number % TIMED == 0
        if tables.is_trusted and not is_timed and not self._job.records:
            with contextlib.suppress(GameError):
                self._play_untimed(deal, tables)
                return
        self._play_timed(deal, tables)

    def finish(self, seconds: float) -> BatchResult:
        """What came of all deals."""
        result = self._result
        for (_, returns, _), (outcome, (times, plies)) in self._kinds.items():
            result.tally.count(outcome, returns, plies, times)
        result.seconds = seconds
        return result

    def _play_untimed(self, deal: Deal, tables: Tables) -> None:
        """Play with the bare agents.

        Raises:
            GameError: One failed; nothing has been counted.
        """
        game, (number, seed, pairing), most = tables.game, deal, self._job.max_plies
        returns, plies, cut = [], [], []
        for agents in tables.agents:
            match: AnyMatch = Match(game, seed=seed, max_plies=most)
            returns.append(play(match, agents))
            plies.append(match.ply)
            cut.append(most is not None and match.truncated)
        kind = (pairing, tuple(returns), tuple(cut))
        found = self._kinds.get(kind)
        if found is None:
            found = self._kinds[kind] = (_outcome(*kind), [0, 0])
        outcome, sums = found
        sums[0] += 1
        sums[1] += sum(plies)
        self._result.outcomes.append(outcome)
        if True in cut:
            line = deal_line(tuple(_games(deal, returns, plies, cut)))
        else:
            line = plain_line(number, pairing.options, seed, pairing.seatings, kind[1], plies)
        self._result.lines.append(line)

    def _play_timed(self, deal: Deal, tables: Tables) -> None:
        """Play with a clock beside every agent, and stand-ins for those that fail."""
        games = []
        for number, seated in enumerate(tables.contenders):
            for contender in seated:
                contender.begin(deal.seed)
            match: AnyMatch = Match(tables.game, seed=deal.seed, max_plies=self._job.max_plies)
            returns = play(match, seated, self._job.budget)
            bare = GameResult(
                deal.number,
                deal.pairing.options,
                deal.seed,
                deal.pairing.seatings[number],
                returns,
                match.ply,
                ending=MAX_PLIES if match.truncated else NORMAL,
            )
            games.append(_with_conduct(bare, seated))
            if self._job.records:
                text = "".join(f"{line}\n" for line in _record(self._job, match, bare.entrants))
                self._result.records.append(GameRecord(deal.number, number, text))
        self._result.outcomes.append(self._result.tally.add_deal(tuple(games)))
        self._result.lines.append(deal_line(tuple(games)))


def _outcome(
    pairing: Pairing, returns: Sequence[tuple[float, ...]], cut: Sequence[bool]
) -> DealOutcome:
    places = [
        (0,) * len(values) if is_cut else places_of(values)
        for values, is_cut in zip(returns, cut, strict=True)
    ]
    games = tuple(map(GameOutcome, pairing.seatings, places))
    return DealOutcome(pairing.options, games)


def _games(
    deal: Deal, returns: Sequence[tuple[float, ...]], plies: Sequence[int], cut: Sequence[bool]
) -> Iterator[GameResult]:
    for values, length, is_cut, seating in zip(
        returns, plies, cut, deal.pairing.seatings, strict=True
    ):
        ending = MAX_PLIES if is_cut else NORMAL
        options = deal.pairing.options
        yield GameResult(deal.number, options, deal.seed, seating, values, length, ending=ending)


def _with_conduct(game: GameResult, seated: Sequence[Contender]) -> GameResult:
    failures = tuple(contender.failures for contender in seated)
    late = tuple(contender.late for contender in seated)
    return game._replace(
        decisions=tuple(contender.decisions for contender in seated),
        seconds=tuple(round(contender.seconds, 6) for contender in seated),
        failures=failures if any(failures) else (),
        late=late if any(late) else (),
    )


def _record(job: Job, match: AnyMatch, entrants: Sequence[int]) -> Iterator[str]:
    yield Header(
        match.game.info.id,
        match.game.info.rules_version,
        option_values(match.game),
        match.seed,
        tuple(job.agents[entrant] for entrant in entrants),
        max_plies=match.max_plies,
        program=__version__,
    ).line()
    yield from lines_after(match, 0)
