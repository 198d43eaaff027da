"""Reading actions: the notation itself wins, then a beginning that fits one legal action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from boardgames_cli.core.agent import UNLIMITED
from boardgames_cli.core.errors import (
    AmbiguousActionError,
    IllegalActionError,
    UnknownActionError,
)
from boardgames_cli.core.match import Match
from boardgames_cli.registry import make
from boardgames_cli.session.driven_match import DrivenMatch
from tests.calls import counted
from tests.toys import Cards, CardsState, Race, RaceState

RACE = Race()
ROLLED = RaceState((0, 0), 0, 1)
CLOSE = RaceState((9, 0), 0, 1)


@pytest.mark.parametrize("text", ["step", "STEP", "  step  ", "st", "s"])
def test_notation_and_its_beginnings(text: str) -> None:
    assert RACE.parse(ROLLED, 0, text) == "step"


def test_the_notation_of_an_illegal_action_is_not_the_beginning_of_a_legal_one() -> None:
    # "jump" is an action of its own that is never legal; only "jump high" is.
    with pytest.raises(IllegalActionError, match="jump is not possible now"):
        RACE.parse(ROLLED, 0, "jump")
    assert RACE.parse(ROLLED, 0, "jump h") == "jump high"


def test_an_illegal_action_is_refused_with_the_reason_and_the_choices() -> None:
    with pytest.raises(IllegalActionError) as caught:
        RACE.parse(CLOSE, 0, "jump high")
    assert caught.value.message == "illegal: jump high is not possible now."
    assert caught.value.todo == "Choose: step."


@pytest.mark.parametrize("text", ["", "  ", "walk", "stepp", "step step"])
def test_an_unknown_text_is_refused_with_the_choices(text: str) -> None:
    with pytest.raises(UnknownActionError) as caught:
        RACE.parse(ROLLED, 0, text)
    assert text in caught.value.message
    assert caught.value.todo == "Choose: step, jump high."


def test_a_beginning_of_several_actions_is_ambiguous() -> None:
    with pytest.raises(AmbiguousActionError) as caught:
        Cards().parse_chance(Cards().initial_state(), "deal 0")
    assert caught.value.todo == "Choose: deal 0 1, deal 0 2."


def test_chance_is_read_as_well() -> None:
    start = RACE.initial_state()
    assert RACE.parse_chance(start, "Roll  2") == "roll 2"
    with pytest.raises(UnknownActionError):
        RACE.parse_chance(start, "roll 3")
    with pytest.raises(UnknownActionError):
        RACE.parse_chance(start, "step")


def test_before_its_turn_a_seat_has_no_action() -> None:
    with pytest.raises(IllegalActionError):
        RACE.parse(RACE.initial_state(), 0, "step")


@dataclass(frozen=True)
class TalkativeCards(Cards):
    """Cards whose refusals name the other's card, if they get to see it."""

    actions = ("high", "low", "peek")

    def legal_actions(self, state: CardsState, seat: int) -> Sequence[str]:
        return ("high", "low")

    def explain_illegal(self, state: CardsState, seat: int, action: str) -> str:
        return f"the other has {state.cards[1 - seat]}"


def test_a_refusal_is_made_from_what_the_seat_sees() -> None:
    match = Match(TalkativeCards(), seed=1)
    match.resolve_chance()
    with pytest.raises(IllegalActionError, match="the other has None"):
        match.game.parse(match.state, 0, "peek")
    with pytest.raises(IllegalActionError, match="the other has None"):
        match.submit(0, "peek")
    with pytest.raises(IllegalActionError, match="the other has None"):
        DrivenMatch(match, (), UNLIMITED, print).choose(0, "peek")


def test_an_action_is_found_without_reading_all_others() -> None:
    game = make("senet")
    assert str(game.action_named("1>2")) == "1>2"  # prepares what is looked up
    with counted() as calls:
        assert make("senet").action_named(" 30>OFF") == game.actions[-1]
        assert game.action_named("30>99") is None
    assert calls["plain"] == 2  # 902 a text once
