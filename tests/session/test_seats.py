"""Who sits where."""

from __future__ import annotations

import pytest

from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.errors import GameError, SeatError
from boardgames_cli.registry import make
from boardgames_cli.session.seats import fill_seats, people, seat_people


def test_missing_seats_are_filled() -> None:
    game = make("race")
    assert fill_seats(game, []) == ["ai", "ai"]
    assert fill_seats(game, ["human"], "random") == ["human", "random"]
    with pytest.raises(SeatError, match="Race has 2 seats; you gave 3") as caught:
        fill_seats(game, ["human"] * 3)
    assert caught.value.todo == "Example: boardgames play race -s human -s ai"


def test_people_and_agents() -> None:
    ann, bot = seat_people(make("race"), ["human:name=Ann", "ai:level=easy"])
    assert (ann.spec, ann.name, ann.is_human) == ("human:name=Ann", "Ann", True)
    assert isinstance(bot.agent, RandomAgent)
    assert (bot.spec, bot.is_human) == ("random", False)


@pytest.mark.parametrize(
    ("specs", "names"),
    [
        (["human", "human"], ["You hare", "You tortoise"]),
        (["human:Ann", "human:Ann"], ["Ann hare", "Ann tortoise"]),
        (["human:Ann", "human"], ["Ann", "You"]),
        (["greedy:slips=0.5", "greedy:slips=0.2"], ["greedy:slips=0.5", "greedy:slips=0.2"]),
    ],
)
def test_equal_names_are_told_apart(specs: list[str], names: list[str]) -> None:
    assert [owner.name for owner in seat_people(make("race"), specs)] == names


@pytest.mark.parametrize("spec", ["human:name=" + "x" * 21, "human:name=a\tb", "human:name=a\x1bb"])
def test_names_that_cannot_be_shown(spec: str) -> None:
    with pytest.raises(SeatError, match="can't be shown"):
        seat_people(make("race"), [spec, "random"])


def test_a_name_holds_no_comma_and_its_accents_are_one_character_each() -> None:
    with pytest.raises(SeatError, match="a name can't hold a comma"):
        seat_people(make("race"), ["human:Ann, Ben", "random"])
    (zoe, _) = seat_people(make("race"), ["human:Zoe\u0308", "random"])
    assert (zoe.name, len(zoe.name)) == ("Zo\u00eb", 3)


@pytest.mark.parametrize("spec", ["human:age=3", "nobody", "random:x=1", ""])
def test_wrong_specifications(spec: str) -> None:
    with pytest.raises(GameError):
        seat_people(make("race"), [spec, "random"])


def test_names_of_seats() -> None:
    assert make("race").info.seat_name(1) == "tortoise"
    assert make("pennies").info.seat_name(1) == "2"


def test_people_are_counted_by_their_specifications() -> None:
    assert people(["human", "random", "human:Ann", "humanoid"]) == [0, 2]
