"""Plays a batch of game sets in a worker.

The result is independent of the process or thread, apart from the measured times. Only the first
game sets, and later a sample of them, are timed, because a clock around every decision would cost
more than a fast agent takes.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from boardgames_cli import __version__
from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.agent import Agent
from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.game import AnyGame, Seat, Traits
from boardgames_cli.core.match import AnyMatch, Match, play, returns_of_forfeit
from boardgames_cli.core.record import header_of, record_text
from boardgames_cli.tournament.players import Contender, Players, Tables, players_of
from boardgames_cli.tournament.rows import (
    FORFEIT,
    MAX_PLIES,
    NORMAL,
    VOID,
    GameRow,
    Rows,
    Tally,
    Teams,
    line_template,
    row_line,
)
from boardgames_cli.tournament.schedule import GameSet
from boardgames_cli.tournament.tournament_config import TournamentConfig

TIMED: Final = 64
"""The first n game sets are timed, and later every n-th one."""


class GameRecord(NamedTuple):
    """A whole game as a file that `boardgames replay` opens."""

    deal: int
    number: int
    text: str


@dataclass(slots=True)
class BatchResult:
    """The result of a batch."""

    lines: list[str] = field(default_factory=list)
    """For each deal the lines of its games."""
    tally: Tally = field(default_factory=Tally)
    seconds: float = 0.0
    records: list[GameRecord] = field(default_factory=list)

    def add(self, other: BatchResult) -> None:
        """Append the result of the next deals."""
        self.lines += other.lines
        self.tally.update(other.tally)
        self.seconds += other.seconds
        self.records += other.records

    def take(self, rows: Rows, teams: Teams) -> None:
        self.lines.append("".join(map(row_line, rows)))
        self.tally.add(rows, teams)


def play_batch(
    config: TournamentConfig, game_sets: Iterable[GameSet], version: str = __version__
) -> BatchResult:
    """Play game sets.

    A program of another version that asks for it is refused.

    Raises:
        GameError: The game or an agent can't be created here, or this is another version.
    """
    # The batch tells pairings apart by identity, so they must live as long as it does.
    game_sets = tuple(game_sets)
    batch = _Batch(players_of(config, version))
    started = time.perf_counter()
    for game_set in game_sets:
        batch.play(game_set)
    return batch.finish(time.perf_counter() - started)


def void_batch(game_sets: Iterable[GameSet]) -> BatchResult:
    """The result of game sets that no worker could play."""
    result = BatchResult()
    for number, seed, pairing, _ in game_sets:
        rows = tuple(
            GameRow(number, pairing.options, seed, seating, (0.0,) * len(seating), 0, ending=VOID)
            for seating in pairing.seatings
        )
        result.take(rows, ())
    return result


_Played: TypeAlias = tuple[AnyMatch, tuple[float, ...]]
"""A finished match, and the return of every seat."""


@dataclass(slots=True)
class _Repeated:
    rows: Rows
    """The games of the first."""
    teams: Teams
    lines: str
    """The lines of all, which leave open the number, the seed and the length of every game."""
    times: int = 0
    plies: int = 0


class _Batch:
    def __init__(self, players: Players) -> None:
        self._players = players
        self._config = players.config
        self._result = BatchResult()
        self._tables: dict[int, Tables] = {}
        # What ends alike is counted, and summed at the end.
        self._repeated: dict[tuple[object, ...], _Repeated] = {}

    def play(self, game_set: GameSet) -> None:
        pairing = id(game_set.pairing)  # hashing one is slow
        tables = self._tables.get(pairing)
        if tables is None:
            tables = self._tables[pairing] = self._players.tables(game_set.pairing)
        is_timed = game_set.number < TIMED or game_set.number % TIMED == 0
        if tables.is_trusted and not is_timed and not self._is_examined:
            try:
                played = [self._play(tables.game, game_set, seats) for seats in tables.agents]
            except GameError:
                # An agent failed. It may forfeit, but still without times: it may fail in one run
                # and not in the next, and the results would differ.
                self._play_guarded(game_set, tables, is_timed=False)
            else:
                self._count_repeated(game_set, tables.game.teams, played)
        else:
            self._play_guarded(game_set, tables, is_timed=is_timed or not tables.is_trusted)

    def finish(self, seconds: float) -> BatchResult:
        for kind in self._repeated.values():
            self._result.tally.add(kind.rows, kind.teams, kind.times, kind.plies)
        self._result.seconds = seconds
        return self._result

    @property
    def _is_examined(self) -> bool:
        return self._config.records or self._config.luck

    def _match(self, game: AnyGame, game_set: GameSet) -> AnyMatch:
        start = self._players.start(game, game_set.turn)
        return Match(game, seed=game_set.seed, start=start, max_plies=self._config.max_plies)

    def _play(self, game: AnyGame, game_set: GameSet, agents: Sequence[Agent[Any, Any]]) -> _Played:
        match = self._match(game, game_set)
        return match, play(match, agents, self._players.budget)

    def _play_guarded(self, game_set: GameSet, tables: Tables, *, is_timed: bool) -> None:
        rows = []
        for at, contenders in enumerate(tables.contenders):
            for contender in contenders:
                contender.begin()
            match = self._match(tables.game, game_set)
            try:
                row = _row(game_set, at, (match, play(match, contenders, self._players.budget)))
            except AgentError:
                losers = [seat for seat, one in enumerate(contenders) if one.has_forfeited]
                if not losers:
                    raise
                returns = _forfeited(match, losers[0])
                row = _row(game_set, at, (match, returns))._replace(ending=FORFEIT)
            rows.append(self._measured(row, match, contenders, contenders if is_timed else ()))
            if self._config.records:
                text = self._record(match, row.entrants)
                self._result.records.append(GameRecord(game_set.number, at, text))
        self._result.take(tuple(rows), tables.game.teams)

    def _measured(
        self,
        row: GameRow,
        match: AnyMatch,
        contenders: Sequence[Contender],
        timed: Sequence[Contender],
    ) -> GameRow:
        failures = tuple(contender.failures for contender in contenders)
        late = tuple(contender.late for contender in contenders)
        return row._replace(
            decisions=tuple(contender.decisions for contender in timed),
            seconds=_rounded(contender.seconds for contender in timed),
            failures=failures if any(failures) else (),
            late=late if any(late) else (),
            luck=_rounded(luck_of(match) if self._config.luck else ()),
        )

    def _count_repeated(self, game_set: GameSet, teams: Teams, played: Sequence[_Played]) -> None:
        """Count games that have nothing but returns, which are often like earlier ones."""
        key: tuple[object, ...] = id(game_set.pairing), *[returns for _, returns in played]
        if self._config.max_plies is not None:
            key = *key, *[match.truncated for match, _ in played]
        kind = self._repeated.get(key)
        if kind is None:
            rows = tuple(_row(game_set, at, one) for at, one in enumerate(played))
            lines = "".join(map(line_template, rows))
            kind = self._repeated[key] = _Repeated(rows, teams, lines)
        kind.times += 1
        left_open: list[int] = []
        for match, _ in played:
            left_open += game_set.number, game_set.seed, match.ply
            kind.plies += match.ply
        self._result.lines.append(kind.lines % tuple(left_open))

    def _record(self, match: AnyMatch, entrants: Sequence[int]) -> str:
        seats = [self._config.entrants[entrant].agent for entrant in entrants]
        return record_text(header_of(match, seats, __version__), match)


def _forfeited(match: AnyMatch, loser: Seat) -> tuple[float, ...]:
    """The returns of a game that a seat's side has lost by a failure: below those of all others."""
    game = match.game
    (losers,) = (team for team in game.teams if loser in team)
    returns = returns_of_forfeit(game, match.returns, losers)
    lowest = min(value for seat, value in enumerate(returns) if seat not in losers) - 1.0
    return tuple(
        min(value, lowest) if seat in losers else value for seat, value in enumerate(returns)
    )


def _rounded(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(value, 6) for value in values)


def _row(game_set: GameSet, at: int, played: _Played) -> GameRow:
    match, returns = played
    number, seed, pairing, _ = game_set
    ending = MAX_PLIES if match.truncated else NORMAL
    seating = pairing.seatings[at]
    return GameRow(number, pairing.options, seed, seating, returns, match.ply, ending=ending)


@functools.lru_cache(maxsize=64)
def check_luck(game: AnyGame) -> None:
    """Check that the luck of a game can be computed.

    Raises:
        GameError: Chance does not act in the game, its outcomes can't be listed, or nothing
            evaluates positions quickly.
    """
    name, leave_out = game.info.name, "Leave --luck out."
    if Traits.CHANCE not in game.traits:
        raise GameError(f"there is no luck in {name} that could be listed.", leave_out)
    if analyst_for(game).rough_value(game.initial_state()) is None:
        raise GameError(f"nothing evaluates positions of {name} quickly.", leave_out)


def luck_of(match: AnyMatch) -> tuple[float, ...]:
    """What the chance steps of a match gave each seat in returns.

    The luck of a chance step is the value of the position that came less the mean over all
    outcomes. Whatever evaluates the positions, its expectation is 0.
    """
    game, analyst = match.game, analyst_for(match.game)
    given = [0.0] * game.seats
    for ply, step in enumerate(match.steps):
        if not step.is_chance:
            continue
        state = match.state_at(ply)
        outcomes = game.chance_outcomes(state)
        for outcome, chance in outcomes if len(outcomes) > 1 else ():
            value = analyst.rough_value(game.apply_chance(state, outcome))
            assert value is not None, "checked before the tournament"
            weight = float(outcome == step.outcome) - chance
            for seat in range(game.seats):
                given[seat] += weight * value.returns[seat]
    return tuple(given)
