"""A match: submit, undo, redo, versions, joint moves, truncation."""

from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.errors import GameError, IllegalActionError, PositionError
from boardgames_cli.core.game import CHANCE, Ending, Step
from boardgames_cli.core.match import Match
from tests.toys import Cards, Pennies, PenniesView, Race, RaceState


def rolled(seed: int = 1) -> Match[RaceState, str, str]:
    match = Match(Race(), seed=seed)
    match.resolve_chance()
    return match


class Stuck(Race):
    """It forgets that somebody is to act."""

    def legal_actions(self, state: RaceState, seat: int) -> tuple[str, ...]:
        return ()


def test_a_game_that_offers_no_action_is_said_to_be_wrong() -> None:
    match = Match(Stuck(), seed=1)
    match.resolve_chance()
    for ask in (lambda: match.observe(0), lambda: match.play_on([RandomAgent()] * 2)):
        with pytest.raises(PositionError) as caught:
            ask()
        assert caught.value.message == "in step 2 seat 1 is to act, but has no legal action."
        assert caught.value.todo == f"Tell the author of {Race.info.name}: its rules are wrong."


@pytest.mark.parametrize(
    ("seat", "action", "reason"),
    [
        (0, "jump", "illegal: jump is not possible now"),
        (1, "step", "it is not the turn of seat 2, but of 1"),
        (CHANCE, "roll 1", "it is not the turn of seat 0, but of 1"),
        (7, "step", "it is not the turn of seat 8"),
    ],
)
def test_what_is_illegal_is_refused_and_changes_nothing(
    seat: int, action: str, reason: str
) -> None:
    match = rolled()
    before = match.state, match.version, match.steps
    with pytest.raises(IllegalActionError, match=reason):
        match.submit(seat, action)
    assert before == (match.state, match.version, match.steps)


@pytest.mark.parametrize("outcome", ["roll 3", "step", "", "roll"])
def test_what_chance_cannot_do_is_refused_as_illegal(outcome: str) -> None:
    match = Match(Race(), seed=1)
    with pytest.raises(IllegalActionError):
        match.submit_chance(outcome)
    assert (match.ply, match.version) == (0, 0)


def test_before_chance_nobody_acts_and_after_the_end_neither() -> None:
    match = Match(Race(), seed=1)
    with pytest.raises(IllegalActionError, match="chance must act first"):
        match.submit(0, "step")
    over = Match(Race(), seed=1, start=RaceState((10, 0), 1, 0))
    assert (over.is_over, over.waiting_for, over.returns) == (True, (), (1.0, -1.0))
    with pytest.raises(IllegalActionError, match="the game is over"):
        over.submit(1, "step")


def test_a_match_is_cut_short() -> None:
    match = Match(Race(), seed=1, max_plies=2)
    match.resolve_chance()
    assert not match.truncated
    assert match.ending is None
    match.submit(0, "step")
    assert (match.truncated, match.is_over, match.waiting_for) == (True, True, ())
    assert (match.ending, match.has_result) == (Ending("cut short"), False)
    assert match.observe(0).legal == ()
    with pytest.raises(IllegalActionError, match="over"):
        match.resolve_chance()
    match.undo()
    assert (match.truncated, match.waiting_for) == (False, (0,))


def test_a_game_that_ends_at_the_limit_was_not_cut_short() -> None:
    match = Match(Race(), seed=1, start=RaceState((9, 0), 0, 1), max_plies=1)
    match.submit(0, "step")
    assert (match.truncated, match.is_over, match.returns) == (False, True, (1.0, -1.0))


def test_a_game_can_not_observe_in_its_own_way() -> None:
    with pytest.raises(TypeError, match=r"Own\.observe is never called: override redact"):

        class Own(Cards):
            def observe(self, state: Any, seat: Any, ply: int = 0) -> Any:  # type: ignore[misc]
                return super().observe(state, seat, ply)


def test_a_rulebook_and_a_view_of_0_2_are_told_what_they_inherit_now() -> None:
    for base, name, home in (
        (Pennies, "default_action", "PassesTime"),
        (Pennies, "is_settled", "EliminatesSeats"),
        (PenniesView, "key_sets", "KeyedView"),
    ):
        with pytest.raises(GameError, match=rf"Old\.{name} is not asked for since 0\.3") as caught:
            type("Old", (base,), {name: None})
        assert f"inherit {home}, too" in caught.value.todo


class Told(Cards):
    """What a server has redacted is not redacted again."""

    def redact_step(self, *_: Any) -> Any:
        pytest.fail("it was redacted there")


def test_a_history_that_a_seat_was_told_is_taken_as_it_is() -> None:
    there, here = Match(Cards(), seed=1), Match(Told(), seed=1)
    there.resolve_chance()
    there.submit(0, "high")
    told = [there.observe_step(1, ply) for ply in range(3)]
    assert told[1].step == Step.of_chance(None), "the deal is a secret"
    here.is_whole = False
    for seen in told:
        here.receive(seen.state, seen.step)
    assert [here.observe_step(1, ply).step for ply in range(3)] == [seen.step for seen in told]
    assert here.observe(1) == there.observe(1)
    here.note_acted([1])
    assert (here.waiting_for, here.observe(1).legal) == ((), ())
    here.stop(None)
    assert here.ending == Ending("cut short")
    here.receive(told[0].state)
    assert (here.ply, here.is_over, here.waiting_for) == (0, False, (CHANCE,))
