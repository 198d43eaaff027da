"""Who sits where, and what they are called: as people would, with the exact agent beside."""

from __future__ import annotations

import pytest

from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.errors import SeatError
from boardgames_cli.registry import make
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.seats import fill_seats, people, seat_people
from boardgames_cli.session.settings import Setup
from boardgames_cli.tui.app import build_app
from tests.tui.tables import my_turn, settings, shown


def test_missing_seats_are_filled() -> None:
    game = make("race")
    assert fill_seats(game, []) == ["ai", "ai"]
    assert fill_seats(game, ["human"], "random") == ["human", "random"]


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


def test_people_are_counted_by_their_specifications() -> None:
    assert people(["human", "random", "human:Ann", "humanoid"]) == [0, 2]


@pytest.mark.parametrize(
    ("game", "spec", "name", "exact"),
    [
        ("senet", "ai", "medium", "greedy:temperature=0.036"),
        ("tapnswap", "hard", "hard", "q-table:level=hard"),
        ("tapnswap", "q-table:level=hard", "hard", "q-table:level=hard"),
        ("tapnswap", "q-table", "q-table", ""),
        ("tapnswap", "perfect", "perfect", ""),
        ("deepsea", "grabber:n=2", "grabber", "grabber:n=2"),
        ("senet", "random", "random", ""),
        ("senet", "human:Ann", "Ann", ""),
    ],
)
def test_a_seat_has_a_short_name_and_an_exact_one(
    game: str, spec: str, name: str, exact: str
) -> None:
    rules = make(game)
    holder = seat_people(rules, [spec, *["human"] * (rules.seats - 1)])[0]
    assert (holder.name, holder.exact_agent) == (name, exact)


def test_twins_are_told_apart_by_their_seats_and_explained_once() -> None:
    session = open_session(Setup("senet", seats=("medium", "medium"), seed=5), settings())
    assert session.names == ("medium cones", "medium spools")
    assert session.details == ["medium: greedy:temperature=0.036", "seed 5"]


async def test_a_drawn_seed_is_not_on_the_board() -> None:
    session = open_session(Setup("tapnswap", seats=("human:Ann", "easy")), settings())
    app = build_app(session, settings())
    async with app.run_test(size=(80, 24)) as pilot:
        await my_turn(pilot, app)
        assert str(session.match.seed) not in "\n".join(shown(app))
        assert f"seed {session.match.seed}" in session.details
