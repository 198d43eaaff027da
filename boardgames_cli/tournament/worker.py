"""Plays a batch of deals in a worker.

The result is independent of the process or thread, apart from the measured times. Only the first
deals, and later a sample of deals, are timed, because a clock around every decision would cost more
than a fast agent takes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from boardgames_cli import __version__
from boardgames_cli.core.agent import Agent
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.core.options import option_values
from boardgames_cli.core.record import Header, lines_after
from boardgames_cli.tournament.players import Contender, Job, Players, Tables, players_of
from boardgames_cli.tournament.results import (
    MAX_PLIES,
    NORMAL,
    VOID,
    GameResult,
    GameSetOutcome,
    Tally,
    deal_line,
    line_writer,
    outcome_of,
)
from boardgames_cli.tournament.schedule import GameSet, Pairing


class GameSetEnds(NamedTuple):
    """How the games of one deal ended."""

    returns: tuple[tuple[float, ...], ...]
    """For each game the return of every seat."""
    truncated: tuple[bool, ...]
    """Which games were truncated."""
    plies: tuple[int, ...]
    """The number of steps of each game, chance included."""


def play_game_set(
    game: AnyGame,
    tables: Sequence[Sequence[Agent[Any, Any]]],
    seed: int,
    max_plies: int | None = None,
) -> GameSetEnds:
    """Play the same deal once at each of some tables.

    Args:
        game: The rules.
        tables: For each game the agent on every seat.
        seed: The seed of all games.
        max_plies: Games are truncated after this many steps.

    Raises:
        GameError: An agent failed.
    """
    returns, truncated, plies = [], [], []
    for agents in tables:
        match: AnyMatch = Match(game, seed=seed, max_plies=max_plies)
        returns.append(play(match, agents))
        truncated.append(max_plies is not None and match.truncated)
        plies.append(match.ply)
    return GameSetEnds(tuple(returns), tuple(truncated), tuple(plies))


TIMED: Final = 64
"""The first n deals are timed, and later every n-th deal."""


class GameRecord(NamedTuple):
    """A whole game as a file that `boardgames replay` opens."""

    deal: int
    number: int
    """The number of the game in its deal."""
    text: str


@dataclass(slots=True)
class BatchResult:
    """The result of a batch."""

    lines: list[str] = field(default_factory=list)
    """The result line of each deal."""
    outcomes: list[GameSetOutcome] = field(default_factory=list)
    """The outcome of each deal."""
    tally: Tally = field(default_factory=Tally)
    """The tally of all deals."""
    seconds: float = 0.0
    """The duration in seconds."""
    records: list[GameRecord] = field(default_factory=list)
    """The saved games, if requested."""

    def add(self, other: BatchResult) -> None:
        """Append the result of the next deals."""
        self.lines += other.lines
        self.outcomes += other.outcomes
        self.tally.add(other.tally)
        self.seconds += other.seconds
        self.records += other.records


def play_batch(job: Job, deals: Iterable[GameSet]) -> BatchResult:
    """Play deals.

    Raises:
        GameError: The game or an agent can't be created here.
    """
    deals = tuple(deals)
    batch = _Batch(players_of(job))
    started = time.perf_counter()
    for deal in deals:
        batch.play(deal)
    return batch.finish(time.perf_counter() - started)


def void_batch(deals: Iterable[GameSet]) -> BatchResult:
    """The result of deals that no worker could play."""
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


_Ends: TypeAlias = tuple[tuple[tuple[float, ...], ...], tuple[bool, ...]]
"""The ends of a deal's games: returns, and which were truncated."""


@dataclass(slots=True)
class _Kind:
    """Deals of one pairing with equal ends."""

    outcome: GameSetOutcome
    line: Callable[[int, int, Sequence[int]], str]
    """Writes the line of a deal from its number, its seed, and the lengths of its games."""
    times: int = 0
    plies: int = 0


class _Batch:
    """The games of a batch while they are played."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._job = players.job
        self._result = BatchResult()
        # Deals of the same kind are counted and summed at the end. They share one outcome, so that
        # the result of thousands of deals is a small message.
        self._kinds: dict[int, dict[_Ends, _Kind]] = {}
        self._tables: dict[int, Tables] = {}

    def play(self, deal: GameSet) -> None:
        """Play all games of a deal."""
        # By identity, because hashing a pairing is slow; the batch keeps it alive.
        pairing = id(deal.pairing)
        tables = self._tables.get(pairing)
        if tables is None:
            tables = self._tables[pairing] = self._players.tables(deal.pairing)
            self._kinds[pairing] = {}
        is_timed = deal.number < TIMED or deal.number % TIMED == 0
        if tables.is_trusted and not is_timed and not self._job.records:
            try:
                self._play_untimed(deal, tables, self._kinds[pairing])
            except GameError:  # an agent failed; contenders also provide a stand-in
                self._play_guarded(deal, tables, is_timed)
        else:
            self._play_guarded(deal, tables, is_timed=True)

    def finish(self, seconds: float) -> BatchResult:
        """The result of all deals."""
        result = self._result
        for kinds in self._kinds.values():
            for (returns, _), kind in kinds.items():
                result.tally.count(kind.outcome, returns, kind.plies, kind.times)
        result.seconds = seconds
        return result

    def _play_untimed(self, deal: GameSet, tables: Tables, kinds: dict[_Ends, _Kind]) -> None:
        """Play without wrappers around the agents.

        Raises:
            GameError: An agent failed; nothing has been counted.
        """
        number, seed, pairing = deal
        returns, truncated, plies = play_game_set(
            tables.game, tables.agents, seed, self._job.max_plies
        )
        ends = (returns, truncated)
        kind = kinds.get(ends)
        if kind is None:
            kind = kinds[ends] = _kind(pairing, *ends)
        kind.times += 1
        kind.plies += sum(plies)
        self._result.outcomes.append(kind.outcome)
        self._result.lines.append(kind.line(number, seed, plies))

    def _play_guarded(self, deal: GameSet, tables: Tables, is_timed: bool) -> None:
        """Play with stand-ins for failures.

        Args:
            deal: The deal.
            tables: The seated agents.
            is_timed: Whether to store the times. A failure must not decide it: an agent may fail
                in one run and not in the next, and the results would differ.
        """
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
            games.append(_with_timing(bare, seated, is_timed))
            if self._job.records:
                text = "".join(f"{line}\n" for line in _record(self._job, match, bare.entrants))
                self._result.records.append(GameRecord(deal.number, number, text))
        self._result.outcomes.append(self._result.tally.add_deal(tuple(games)))
        self._result.lines.append(deal_line(tuple(games)))


def _kind(pairing: Pairing, returns: tuple[tuple[float, ...], ...], cut: tuple[bool, ...]) -> _Kind:
    endings = [MAX_PLIES if is_cut else NORMAL for is_cut in cut]
    deal = tuple(
        GameResult(0, pairing.options, 0, seating, values, 0, ending=ending)
        for seating, values, ending in zip(pairing.seatings, returns, endings, strict=True)
    )
    return _Kind(outcome_of(deal), line_writer(deal))


def _with_timing(game: GameResult, seated: Sequence[Contender], is_timed: bool) -> GameResult:
    timed = seated if is_timed else ()
    failures = tuple(contender.failures for contender in seated)
    late = tuple(contender.late for contender in seated)
    return game._replace(
        decisions=tuple(contender.decisions for contender in timed),
        seconds=tuple(round(contender.seconds, 6) for contender in timed),
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
