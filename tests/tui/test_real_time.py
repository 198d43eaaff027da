from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from boardgames_cli.session.match_driver import Driver, Obstruction
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import LONGEST_TICK, SHORTEST_TICK
from tests.tui.tables import table
from tests.tui.test_driver import Clock

pytestmark = pytest.mark.usefixtures("more_games")

TICK = 0.5
TWO = ("human:Ann", "human:Ben")
DUEL = {"mode": "duel"}


class Band:
    """A table in real time whose clock is the test's."""

    def __init__(self, seats: tuple[str, ...], options: dict[str, Any]) -> None:
        self.clock = Clock()
        self.session: Session = table("pommerman", seats, options=options)
        self.loop = Driver(self.session, self.clock.effects(), tick=TICK)
        self.loop.go_on()
        self.clock.ring()  # the layout
        assert self.session.match.ply == 1

    @property
    def joint(self) -> dict[int, str]:
        return {seat: str(action) for seat, action in self.session.match.steps[-1].joint.items()}

    def hear(self) -> None:
        self.loop.take(self.clock.answers.get(timeout=60))

    def beat(self) -> float:
        """Let the time come for the next beat; returns how long it was set for."""
        seconds = self.clock.pending[-1][0]
        self.clock.now += seconds
        return self.clock.ring()


@pytest.fixture
def two() -> Iterator[Band]:
    band = Band(TWO, DUEL)
    yield band
    band.loop.close()


@pytest.fixture
def one() -> Iterator[Band]:
    band = Band(("human", "simple"), DUEL)
    yield band
    band.loop.close()


def act(band: Band, seat: int, text: str) -> bool:
    game, state = band.session.game, band.session.match.state
    return band.loop.play(seat, game.parse(state, seat, text))


def test_the_step_waits_for_the_beat_although_all_have_chosen(two: Band) -> None:
    act(two, 0, "down")
    act(two, 1, "up")
    assert two.session.match.ply == 1
    two.beat()
    assert two.joint == {0: "down", 1: "up"}


def test_a_choice_can_be_changed_until_the_beat(two: Band) -> None:
    act(two, 0, "down")
    act(two, 0, "bomb")
    two.beat()
    assert two.joint[0] == "bomb"
    two.beat()
    assert two.joint[0] == "stop"


def test_beats_keep_their_distance_however_late_the_clock_rings(two: Band) -> None:
    began = two.clock.now
    for late in (0.02, 0.0, 0.11, 0.07):
        two.clock.now += two.clock.pending[-1][0] + late
        two.clock.ring()
    two.beat()
    assert two.clock.now == pytest.approx(began + 5 * TICK)


def test_missed_beats_are_left_out(two: Band) -> None:
    two.clock.now += 10 * TICK
    two.clock.ring()
    assert two.session.match.ply == 2
    assert two.clock.pending[-1][0] == pytest.approx(TICK)


def test_agents_are_asked_at_once_and_play_at_the_beat(one: Band) -> None:
    one.hear()
    assert one.session.match.ply == 1
    one.beat()
    assert one.session.match.ply == 2
    assert set(one.joint) == {0, 1}


def test_a_beat_waits_for_an_agent_within_its_limit(one: Band) -> None:
    one.beat()
    assert one.session.match.ply == 1
    one.hear()
    assert one.session.match.ply == 2


def test_a_late_answer_means_stop_and_the_log_says_so(one: Band) -> None:
    result = one.clock.answers.get(timeout=60)
    late = type(result)(result.request, result.action, None, seconds=0.11)
    one.loop.take(late)
    one.beat()
    assert one.joint[1] == "stop"
    assert [line.text for line in one.session.log.remarks] == [
        'medium took longer than 0.1 s. Played instead: "stop".'
    ]


def test_no_beat_comes_while_it_is_paused_or_covered(two: Band) -> None:
    two.loop.pause(True)
    assert two.clock.pending.pop()[2] == [True]
    assert not two.clock.pending
    two.loop.pause(False)
    two.loop.cover(Obstruction.SCREEN, True)
    assert two.clock.pending.pop()[2] == [True]
    two.loop.cover(Obstruction.FOCUS, True)
    two.loop.cover(Obstruction.SCREEN, False)
    assert not two.clock.pending or two.clock.pending.pop()[2] == [True]
    two.loop.cover(Obstruction.FOCUS, False)
    two.beat()
    assert two.session.match.ply == 2


def test_while_it_is_paused_a_key_plays_one_step(two: Band) -> None:
    two.loop.pause(True)
    act(two, 0, "down")
    assert two.session.match.ply == 2
    assert two.joint == {0: "down", 1: "stop"}


def test_undo_waits_where_it_leads(one: Band) -> None:
    act(one, 0, "bomb")
    one.hear()
    one.beat()
    one.loop.jump(one.session.undo, lambda: None)
    assert one.session.match.ply == 1
    assert one.loop.is_paused


def test_the_tick_changes_within_bounds(two: Band) -> None:
    two.loop.change_pace(1)
    assert two.loop.tick == pytest.approx(TICK * 0.8)
    two.loop.change_pace(99)
    assert two.loop.tick == SHORTEST_TICK
    two.loop.change_pace(-99)
    assert two.loop.tick == LONGEST_TICK


def test_the_end_of_a_tied_game_stays_to_be_seen() -> None:
    tied = Band(TWO, DUEL | {"rerun_ties": True, "steps": 2, "first_collapse": 1})
    tied.beat()
    tied.beat()
    assert tied.loop.event is Event.CHANCE
    assert tied.clock.pending[-1][0] > TICK
    tied.clock.ring()
    assert tied.session.match.state.reruns == 1
    assert tied.loop.event is Event.HUMAN
    tied.loop.close()
