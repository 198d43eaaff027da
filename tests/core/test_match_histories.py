"""A match that is played, taken back and looked at in any order, against a list of what happened.

`play()`, `submit`, `resolve_chance` and `take` take different ways through the code, and steps are
made only when somebody looks: whatever the way, history, versions and random numbers are the same.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import CHANCE, AnyGame, Step
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.registry import make
from tests.toys import Cards, Lots, Pennies, Race

GAMES: list[AnyGame] = [Race(), Pennies(), Cards(), Lots(), make("kuhn", hands=3), make("tapnswap")]
SEED = 11


def told(match: AnyMatch) -> list[str]:
    return [f"{step.outcome} {sorted(step.joint.items())}" for step in match.steps]


@dataclass
class Diary:
    """What a match should say of itself, kept in the plainest way."""

    game: AnyGame
    states: list[Any] = field(default_factory=list)
    steps: list[Step[Any, Any]] = field(default_factory=list)
    undone: list[Step[Any, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.states.append(self.game.initial_state())

    def take(self, step: Step[Any, Any]) -> None:
        self.steps.append(step)
        self.states.append(self.game.apply_step(self.states[-1], step))

    def check(self, match: AnyMatch, *, look: bool) -> None:
        """Compare; without a look the match need not make its steps."""
        assert match.state == self.states[-1]
        assert match.ply == len(self.steps)
        assert match.can_redo == bool(self.undone)
        if not match.committed:
            assert match.waiting_for == self.game.to_act(self.states[-1])
        if not self.undone:
            with pytest.raises(IllegalActionError, match="nothing to redo"):
                match.redo()
        if not self.steps and not match.committed:
            with pytest.raises(IllegalActionError, match="nothing to undo"):
                match.undo()
        if look:
            assert list(match.steps) == self.steps
            assert all(list(step.joint) == sorted(step.joint) for step in match.steps)
            assert [match.state_at(ply) for ply in range(match.ply + 1)] == self.states


def step_of_a_seat(match: AnyMatch, diary: Diary, rng: random.Random) -> None:
    """All seats that are to act do something, one by one, in any order."""
    waiting = list(match.waiting_for)
    rng.shuffle(waiting)
    joint = {}
    for number, seat in enumerate(waiting):
        joint[seat] = rng.choice(match.observe(seat).legal)
        match.submit(seat, joint[seat])
        if number + 1 == len(waiting):
            break
        assert match.committed == joint
        assert sorted(match.waiting_for) == sorted(waiting[number + 1 :])
        assert not match.observe(seat).legal
        with pytest.raises(IllegalActionError, match=f"seat {seat + 1} has already acted"):
            match.submit(seat, joint[seat])
        with pytest.raises(IllegalActionError, match="nothing to redo"):
            match.redo()
        drawn = rng.random()
        if drawn < 0.3:
            match.undo()  # takes back the choices of the step that is not complete
            return
        if drawn < 0.6:
            rest = {other: rng.choice(match.observe(other).legal) for other in match.waiting_for}
            match.take_checked(rest)
            joint |= rest
            break
    diary.take(Step({seat: joint[seat] for seat in sorted(joint)}))
    diary.undone.clear()


def change(match: AnyMatch, diary: Diary, rng: random.Random) -> bool:
    """Do anything that can be done; whether there was anything."""
    drawn = rng.random()
    if drawn < 0.25 and match.ply:
        match.undo()
        diary.undone.append(diary.steps.pop())
        diary.states.pop()
    elif drawn < 0.4 and match.can_redo:
        match.redo()
        diary.take(diary.undone.pop())
    elif match.waiting_for == (CHANCE,):
        diary.take(Step.of_chance(match.resolve_chance()))
        diary.undone.clear()
    elif match.waiting_for:
        step_of_a_seat(match, diary, rng)
    else:
        return False
    return True


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
@pytest.mark.parametrize("seed", range(4))
def test_a_match_is_what_was_done_and_not_taken_back(game: AnyGame, seed: int) -> None:
    rng, match, diary = random.Random(seed), Match(game, seed=SEED), Diary(game)
    for _ in range(120):
        before = match.version
        was_changed = change(match, diary, rng)
        assert (match.version > before) is was_changed
        diary.check(match, look=rng.random() < 0.4)
    diary.check(match, look=True)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_agents_go_on_as_they_would_have_after_any_detour(game: AnyGame) -> None:
    agents: list[RandomAgent[Any, Any]] = [RandomAgent() for _ in range(game.seats)]
    straight: AnyMatch = Match(game, seed=SEED, max_plies=40)
    play(straight, agents)
    for stop in range(straight.ply + 1):
        match: AnyMatch = Match(game, seed=SEED, max_plies=40)
        for step in straight.steps[:stop]:
            match.take(step)
        diary, rng = Diary(game), random.Random(stop)
        for step in match.steps:
            diary.take(step)
        for _ in range(10):
            change(match, diary, rng)
        while list(match.steps) != list(straight.steps[: match.ply]) or match.ply > stop:
            match.undo()
        play(match, agents)
        assert not match.can_redo or stop == straight.ply
        assert told(match) == told(straight)
        assert match.returns == straight.returns
