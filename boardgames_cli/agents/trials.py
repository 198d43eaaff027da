"""A check list for authors of agents: everything that a session requires of one.

Unlike the laws of `boardgames_cli.testing`, the trials continue after a failure, and work for
agents in other processes.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.core.agent import GRACE_SECONDS, Agent, Budget, Thinking
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, AnyGame, Seat
from boardgames_cli.core.match import AnyMatch, Match, announce_end, ask, brief, seat_stream

_MOST_PLIES: Final = 400
_REPEATED_DECISIONS: Final = 30
"""The minimum number of decisions to compare: in a short game a coin toss may repeat by chance."""
_MOST_REPEATED: Final = 60
"""The maximum number of games played twice: some may have no decision."""
_MOST_GROWTH: Final = 64 << 20
"""The allowed growth in memory from the first game to the last, in bytes."""


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The result of one trial."""

    name: str
    passed: bool | None
    """None if it could not be tried, or is not claimed."""
    detail: str


@dataclass
class AgentTrials:
    """All trials of one agent at a game that it claims to support."""

    agent: Agent[Any, Any]
    game: AnyGame
    games: int
    """The number of games to play."""
    seed: int
    seconds: float
    """The time limit of a decision."""
    promises_repetition: Callable[[], bool]
    """Whether it claims to be deterministic."""
    memory: Callable[[], int] = lambda: 0
    """Its memory use in bytes, 0 if unknown."""
    _times: list[float] = field(default_factory=list)
    """The times of all decisions with the usual limit, in seconds."""
    _memory: list[int] = field(default_factory=list)

    def run(self) -> Iterator[TrialResult]:
        """Run all trials in order."""
        yield self._try("begins a game", self._begins)
        yield self._try("plays legally", self._plays_legally)
        yield self._try("answers in time", self._answers_in_time)
        yield self._try("repeats itself", self._repeats_itself)
        yield self._try("goes on after undo", self._goes_on_after_undo)
        yield self._try("starts from a position", self._starts_from_a_position)
        yield self._try("answers without time", self._answers_without_time)
        yield self._try("leaves a game", self._leaves_a_game)
        yield self._try("keeps its memory", self._keeps_its_memory)

    def _try(self, name: str, trial: Callable[[], str | None]) -> TrialResult:
        try:
            detail = trial()
        except GameError as error:
            return TrialResult(name, False, str(error))
        if detail is None:
            return TrialResult(name, None, "not known, or not promised")
        return TrialResult(name, True, detail)

    # -- the trials --------------------------------------------------------------------------

    def _begins(self) -> str:
        start = time.monotonic()
        for seat in range(self.game.seats):
            brief(self.agent, self.game, seat, ())
        return f"at {self.game.seats} seats, in {time.monotonic() - start:.2f} s"

    def _plays_legally(self) -> str:
        for number in range(self.games):
            self._play(number % self.game.seats, self.seed + number)
            self._memory.append(self.memory())
        return f"{len(self._times)} decisions in {self.games} games, one after the other"

    def _answers_in_time(self) -> str:
        if not self._times:
            raise GameError("it has not answered at all.")
        late = sum(seconds > self.seconds for seconds in self._times)
        told = (
            f"median {statistics.median(self._times) * 1000:.1f} ms, "
            f"longest {max(self._times) * 1000:.1f} ms, limit {self.seconds:g} s"
        )
        if late:
            raise GameError(f"{late} of {len(self._times)} answers came late ({told}).")
        return told

    def _repeats_itself(self) -> str | None:
        if not self.promises_repetition():
            return None
        games = decisions = 0
        while games == 0 or (decisions < _REPEATED_DECISIONS and games < _MOST_REPEATED):
            seat = games % self.game.seats
            first, second = (self._play(seat, self.seed + games) for _ in range(2))
            for ply, (one, other) in enumerate(zip(first, second, strict=False)):
                if one != other:
                    raise GameError(
                        f"with the same seed it answered {one}, "
                        f"and then {other} (decision {ply + 1}).",
                        "Seed your generator with the number in act, or don't say deterministic.",
                    )
            games, decisions = games + 1, decisions + len(first)
        return f"the same twice in every game (games: {games}, decisions: {decisions})"

    def _goes_on_after_undo(self) -> str:
        match = self._match(self.seed + 1)
        self._play(0, self.seed + 1, match, 8)
        taken = match.ply // 2
        for _ in range(taken):
            match.undo()
        self._play(0, self.seed + 1, match, 8)
        return f"{taken} steps were taken back, and all shown again"

    def _starts_from_a_position(self) -> str:
        before = self._match(self.seed + 2)
        rng = random.Random(self.seed)
        while before.waiting_for and (before.ply < 6 or before.waiting_for == (CHANCE,)):
            _go_on(before, rng)
        if before.is_over:
            return "the game is too short for that"
        self._play(0, self.seed, Match(self.game, seed=self.seed, start=before.state), 30)
        return f"the one after {before.ply} steps"

    def _answers_without_time(self) -> str:
        spent = self._play(0, self.seed + 3, self._match(self.seed + 3), 12, Budget(0.001))
        return f"{len(spent)} decisions with a limit of 1 ms"

    def _leaves_a_game(self) -> str:
        match = self._match(self.seed + 4)
        self._play(0, self.seed + 4, match, 3)
        announce_end(match, [self.agent])
        self._play(self.game.seats - 1, self.seed + 5)
        return "and begins another one"

    def _keeps_its_memory(self) -> str | None:
        known = [value for value in self._memory if value]
        if not known:
            return None
        growth = known[-1] - known[0]
        told = f"{known[-1] / 1e6:.0f} MB after the last game, {known[0] / 1e6:.0f} MB after one"
        if growth > _MOST_GROWTH:
            raise GameError(f"it grows: {told}.", "Forget earlier games when a new one begins.")
        return told

    # -- playing -----------------------------------------------------------------------------

    def _match(self, seed: int) -> AnyMatch:
        return Match(self.game, seed=seed, max_plies=_MOST_PLIES)

    def _play(
        self,
        seat: Seat,
        seed: int,
        match: AnyMatch | None = None,
        plies: int = _MOST_PLIES,
        budget: Budget | None = None,
    ) -> list[str]:
        """Let the agent play a seat against random agents; return its answers.

        Raises:
            GameError: The agent fails, gives an illegal answer, or none.
        """
        match = self._match(seed) if match is None else match
        limit = budget or Budget(self.seconds)
        rng, last = random.Random(seed), match.ply + plies
        seen = (match.observe_step(seat, ply) for ply in range(match.ply + 1))
        brief(self.agent, self.game, seat, seen)
        answers = []
        while match.waiting_for and match.ply < last:
            if seat in match.waiting_for:
                thinking = Thinking(match.rng(seat_stream(seat)), limit)
                action = ask(self.agent, match.observe(seat), thinking)
                if budget is None:
                    self._times.append(thinking.elapsed)
                if limit.seconds is not None and thinking.elapsed > limit.seconds + GRACE_SECONDS:
                    raise GameError(
                        f"it took {thinking.elapsed:.1f} s for a decision with a limit of "
                        f"{limit.seconds:g} s.",
                        "Ask thinking.should_stop(nodes) in every loop, or watch the clock.",
                    )
                answers.append(str(action))
                match.submit(seat, action)
            if match.waiting_for and seat not in match.waiting_for:
                _go_on(match, rng)
            brief(self.agent, None, seat, (match.observe_step(seat),))
        if match.is_over:
            announce_end(match, [self.agent])
        return answers


def _go_on(match: AnyMatch, rng: random.Random) -> None:
    if match.waiting_for == (CHANCE,):
        match.resolve_chance()
        return
    for seat in match.waiting_for:
        match.submit(seat, rng.choice(match.observe(seat).legal))
