"""What the owners of seats are called: as people would call them, with the exact agent beside."""

from __future__ import annotations

import pytest

from boardgames_cli.registry import make
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.seats import seat_people
from boardgames_cli.session.settings import Setup
from boardgames_cli.tui.app import build_app
from tests.tui.tables import my_turn, settings, shown


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
