"""Taking a match on, with a clock that is the test's."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator

import pytest

from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.session.driven_match import ActResult
from boardgames_cli.session.match_driver import Driver, Effects, Obstruction
from boardgames_cli.session.seats import SeatHolder
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Pace
from tests.secrecy import Confessing
from tests.toys import Cards, Race
from tests.tui.tables import table


class Clock:
    """Timers that ring when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0
        self.pending: list[tuple[float, Callable[[], None], list[bool]]] = []
        self.said: list[str] = []
        self.answers: queue.SimpleQueue[ActResult] = queue.SimpleQueue()

    def arm(self, seconds: float, callback: Callable[[], None]) -> Callable[[], None]:
        stopped = [False]
        self.pending.append((seconds, callback, stopped))

        def stop() -> None:
            stopped[0] = True

        return stop

    def ring(self) -> float:
        """Let the last timer ring; returns how long it was set for."""
        seconds, callback, stopped = self.pending.pop()
        assert not stopped[0]
        callback()
        return seconds

    def effects(self) -> Effects:
        return Effects(
            lambda request: request.start(self.answers.put),
            self.arm,
            lambda error: self.said.append(str(error)),
            say=self.said.append,
            now=lambda: self.now,
        )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def race(clock: Clock) -> Iterator[Callable[..., tuple[Session, Driver]]]:
    made: list[Driver] = []

    def make(pace: Pace = Pace.NORMAL, seats: tuple[str, ...] = ("human", "random")):  # type: ignore[no-untyped-def]
        session = table("race", seats)
        loop = Driver(session, clock.effects(), pace)
        made.append(loop)
        loop.go_on()
        return session, loop

    yield make
    for loop in made:
        loop.close()


def test_chance_waits_for_the_pace(race, clock: Clock) -> None:  # type: ignore[no-untyped-def]
    session, loop = race()
    assert loop.event is Event.CHANCE
    assert session.match.ply == 0
    assert 0 < clock.ring() <= 0.8
    assert session.match.ply == 1
    assert loop.event is Event.HUMAN
    assert not clock.pending


def test_an_answer_is_shown_when_its_time_has_come(race, clock: Clock) -> None:  # type: ignore[no-untyped-def]
    session, loop = race()
    clock.ring()
    loop.play(0, session.observe(0).legal[0])
    clock.ring()
    assert loop.event is Event.AGENT
    assert loop.request is not None
    assert loop.request.seat == 1
    loop.take(clock.answers.get(timeout=60))
    assert loop.request is None
    assert session.match.ply == 3
    clock.ring()
    assert session.match.ply == 4


def test_a_pause_holds_an_answer_and_a_step_plays_it(race, clock: Clock) -> None:  # type: ignore[no-untyped-def]
    session, loop = race(seats=("random", "random"))
    clock.ring()
    loop.pause(True)
    loop.take(clock.answers.get(timeout=60))
    assert not clock.pending
    assert session.match.ply == 1
    loop.step()
    assert session.match.ply == 2
    assert not clock.pending
    loop.pause(False)
    assert len(clock.pending) == 1


def test_nothing_moves_under_another_screen(race, clock: Clock) -> None:  # type: ignore[no-untyped-def]
    session, loop = race(seats=("random", "random"))
    clock.ring()
    loop.cover(Obstruction.SCREEN, True)
    loop.take(clock.answers.get(timeout=60))
    assert not clock.pending
    assert session.match.ply == 1
    loop.cover(Obstruction.SCREEN, False)
    clock.ring()
    assert session.match.ply == 2


def test_answers_of_another_life_are_dropped(race, clock: Clock) -> None:  # type: ignore[no-untyped-def]
    session, loop = race()
    clock.ring()
    loop.play(0, session.observe(0).legal[0])
    clock.ring()
    result = clock.answers.get(timeout=60)
    loop.jump(session.undo, lambda: None)
    assert loop.event is Event.HUMAN
    loop.take(result)
    assert session.match.ply == 1
    assert loop.event is Event.HUMAN


def test_an_illegal_action_is_said_and_changes_nothing(race, clock: Clock) -> None:  # type: ignore[no-untyped-def]
    session, loop = race()
    assert not loop.play(0, "step")
    assert "chance must act first" in clock.said[-1]
    assert session.match.ply == 0


def test_step_by_step_nothing_moves_alone(race, clock: Clock) -> None:  # type: ignore[no-untyped-def]
    session, loop = race(pace=Pace.STEP)
    assert not clock.pending
    loop.step()
    assert session.match.ply == 1
    loop.change_pace(3)
    assert loop.pace is Pace.FAST
    assert loop.event is Event.HUMAN


@pytest.mark.parametrize(("game", "is_told"), [(Cards(), False), (Race(), True)])
def test_what_an_agent_knows_is_told_only_where_nothing_is_hidden(
    game: AnyGame, is_told: bool, clock: Clock
) -> None:
    holders = [SeatHolder("confessing", f"Odd {seat}", Confessing()) for seat in (0, 1)]
    match: AnyMatch = Match(game, seed=1)
    loop = Driver(Session(match, holders), clock.effects(), Pace.NORMAL)
    loop.go_on()
    clock.ring()
    answer = clock.answers.get(timeout=60)
    assert loop.request is not None
    assert loop.request.seat == 0
    assert loop.progress.startswith("I know") == is_told
    loop.take(answer)
    assert ("I know" in clock.said[0]) == is_told
    loop.close()
