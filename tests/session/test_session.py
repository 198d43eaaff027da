"""A table with people and agents: what happens next, failures, undo, resume, the story."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.core.agent import Agent, Budget, Thinking
from boardgames_cli.core.errors import GameError, IllegalActionError
from boardgames_cli.core.game import AnyGame, Observation
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.session.opening import open_session, resume_session
from boardgames_cli.session.seats import SeatHolder
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.storage.reading import load_record, restore
from boardgames_cli.storage.store import Store, new_header
from tests.toys import Pennies, Race, RaceState

ANN = SeatHolder("human:name=Ann", "Ann", None)
BOB = SeatHolder("human:name=Bob", "Bob", None)


class Scripted(Agent[Any, Any]):
    """Does what it is told and writes down what it sees."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.log: list[Any] = []

    def reset(self, game: AnyGame, seat: int) -> None:
        self.log.append("reset")

    def watch(self, seen: Observation[Any, Any]) -> None:
        self.log.append(seen.ply)

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        answer = self.answers.pop(0) if self.answers else seen.legal[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def bot(*answers: Any) -> SeatHolder:
    return SeatHolder("random", "Bot", Scripted(*answers))


def table(
    *holders: SeatHolder,
    game: AnyGame | None = None,
    seed: int = 3,
    path: Path | None = None,
) -> Session:
    game = game or Race()
    journal = None
    if path is not None:
        seats = tuple(holder.spec for holder in holders)
        journal = Store(path).create(new_header(game, seed=seed, seats=seats))
    match: AnyMatch = Match(game, seed=seed)
    return Session(match, holders, journal, Budget(nodes=10))


def go_on(session: Session, plies: int = 10**6, choose: int = 0) -> None:
    """Play until so many plies are reached; people take the legal action of that number."""
    while session.match.ply < plies and session.next_event() is not Event.OVER:
        match session.next_event():
            case Event.CHANCE:
                session.resolve_chance()
            case Event.AGENT:
                session.accept(session.request().result())
            case _:
                seat = next(s for s in session.match.waiting_for if s in session.humans)
                legal = session.observe(seat).legal
                session.submit(seat, legal[choose % len(legal)])


def log_of(session: Session, seat: int) -> list[Any]:
    agent = session.holders[seat].agent
    assert isinstance(agent, Scripted)
    return agent.log


def test_what_a_table_waits_for() -> None:
    session = table(ANN, bot())
    assert (session.humans, session.names) == ((0,), ("Ann", "Bot"))
    events = [session.next_event()]
    for ply in (1, 2, 3):
        go_on(session, ply)
        events.append(session.next_event())
    assert events == [Event.CHANCE, Event.HUMAN, Event.CHANCE, Event.AGENT]
    assert session.viewer() == 0
    go_on(session)
    assert session.next_event() is Event.OVER


def test_a_single_choice_is_a_forced_one() -> None:
    match: AnyMatch = Match(Race(), seed=1, start=RaceState((9, 0), 0, 1))
    assert Session(match, [ANN, bot()]).next_event() is Event.FORCED


def test_after_undo_an_agent_is_fed_from_the_start() -> None:
    session = table(ANN, bot())
    go_on(session, 6)
    session.undo()
    assert session.match.ply == 5
    log_of(session, 1).clear()
    go_on(session, 8)
    assert log_of(session, 1) == ["reset", 0, 1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (KeyError("obs"), "KeyError: 'obs'"),
        ("fly", 'answered "fly" at ply 3, which is not legal'),
        (GameError("it has no table."), "it has no table."),
    ],
)
def test_an_agent_that_fails_is_replaced_and_the_log_says_so(
    answer: Any, reason: str, tmp_path: Path
) -> None:
    session = table(ANN, bot(answer), path=tmp_path)
    go_on(session, 4)
    remark = next(line.text for line in session.log.lines() if "Played at random" in line.text)
    assert reason in remark
    assert session.match.ply == 4
    # It begins anew, since nobody knows what it remembers.
    log_of(session, 1).clear()
    go_on(session, 8)
    assert log_of(session, 1)[0] == "reset"
    assert session.journal is not None
    session.close()
    assert load_record(session.journal.path).notes == ((3, remark),)


def test_the_stand_in_is_the_same_each_time() -> None:
    played = []
    for _ in range(2):
        session = table(ANN, bot(KeyError("x"), KeyError("x"), KeyError("x")))
        go_on(session, 12)
        played.append(session.match.steps)
    assert played[0] == played[1]


def test_undo_goes_to_the_last_choice_with_the_same_rolls() -> None:
    session = table(ANN, bot())
    go_on(session, 6)
    steps = session.match.steps
    session.undo()
    session.undo()
    assert session.match.ply == 1
    with pytest.raises(IllegalActionError, match="no decision of yours"):
        session.undo()
    session.submit(0, "jump high")
    session.resolve_chance()
    assert session.match.steps[2] == steps[2]


def test_redo_goes_to_the_next_choice() -> None:
    session = table(ANN, bot())
    go_on(session, 7)
    steps, story = session.match.steps, session.log.lines()
    for _ in range(2):
        session.undo()
    session.redo()
    assert session.match.ply == 5
    session.redo()
    assert (session.match.steps, session.log.lines()) == (steps, story)
    with pytest.raises(IllegalActionError):
        session.redo()


def test_undo_in_a_joint_step_takes_back_what_was_just_chosen() -> None:
    session = table(ANN, BOB, game=Pennies())
    go_on(session, 1)
    session.submit(0, "tails")
    session.undo()
    assert (session.match.ply, dict(session.match.committed)) == (1, {})
    session.undo()
    assert session.match.ply == 0


def test_people_choose_before_agents_in_a_joint_step() -> None:
    session = table(bot("tails"), ANN, game=Pennies())
    assert session.next_event() is Event.HUMAN
    session.submit(1, "heads")
    assert session.next_event() is Event.AGENT
    session.accept(session.request().result())
    assert dict(session.match.steps[0].joint) == {0: "tails", 1: "heads"}


def test_the_story_follows_undo() -> None:
    session = table(ANN, bot("step"))
    go_on(session, 4)
    told = [line.text for line in session.log.lines()]
    assert told[0].startswith("dice: roll")
    assert told[1] == "Ann: step"
    assert session.log.lines(upto=1) == session.log.lines()[:1]
    assert session.log.since(3) == ["Bot: step"]
    session.undo()
    assert [line.text for line in session.log.lines()] == told[:1]
    session.submit(0, "jump high")
    assert [line.text for line in session.log.lines()] == [told[0], "Ann: jump high"]


def test_an_illegal_action_changes_nothing() -> None:
    session = table(ANN, bot())
    go_on(session, 1)
    with pytest.raises(IllegalActionError):
        session.submit(0, "jump")
    assert session.match.ply == 1
    assert session.snapshot().refusals == [("jump", "jump is not possible now")]


@pytest.mark.parametrize("stop", [1, 4, 7, 10])
def test_a_resumed_game_goes_on_as_it_would_have(tmp_path: Path, stop: int) -> None:
    setup = Setup("race", seats=("human:name=Ann", "random"), seed=11)
    whole = open_session(setup, Settings(save_folder=tmp_path / "whole"))
    go_on(whole)
    settings = Settings(save_folder=tmp_path / "parts")
    first = open_session(setup, settings)
    go_on(first, stop)
    assert first.journal is not None
    name = first.journal.name
    first.close()
    second = resume_session(name, settings)
    assert second.log.lines() == whole.log.lines(upto=second.match.ply)
    go_on(second)
    second.close()
    whole.close()
    assert (second.match.steps, second.names) == (whole.match.steps, whole.names)


def test_a_resumed_game_can_be_undone_and_keeps_its_remarks(tmp_path: Path) -> None:
    settings = Settings(save_folder=tmp_path)
    setup = Setup("race", seats=("human:name=Ann", "random"), seed=11)
    first = open_session(setup, settings)
    go_on(first, 5)
    first.remark("hint taken")
    first.close()
    second = resume_session("race-1", settings)
    assert "hint taken" in [line.text for line in second.log.lines()]
    second.undo()
    assert second.match.ply == 1
    go_on(second, 5)
    assert second.match.steps == first.match.steps
    second.close()
    assert second.journal is not None
    assert restore(load_record(second.journal.path)).steps == second.match.steps


def test_a_torn_save_says_so_when_it_goes_on(tmp_path: Path) -> None:
    settings = Settings(save_folder=tmp_path)
    first = open_session(Setup("race", seats=("human",), seed=11), settings)
    go_on(first, 5)
    first.close()
    assert first.journal is not None
    with first.journal.path.open("a") as file:
        file.write('{"0": "st')
    second = resume_session("race-1", settings)
    assert any("cut off" in line.text for line in second.log.lines())
    assert second.match.steps == first.match.steps
    second.close()
