from __future__ import annotations

import sys
from typing import Any

import pytest

from boardgames_cli import registry
from boardgames_cli.agents.ratings import bundled_ratings
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.games.pommerman import GAME as POMMERMAN
from boardgames_cli.registry import find_game
from boardgames_cli.session.settings import Pace
from boardgames_cli.storage.preferences import Preferences
from boardgames_cli.tui.form import Form
from tests.tui.tables import settings


def opened(spec: GameSpec, **chosen: Any) -> Form:
    form = Form(spec, settings(**chosen))
    form.more.pick("shown")
    return form


@pytest.fixture
def form() -> Form:
    return opened(find_game("senet"), pace=Pace.NORMAL)


def field(form: Form, key: str):  # type: ignore[no-untyped-def]
    return next(field for field in form.fields if field.key == key)


def test_what_differs_from_the_defaults_is_in_the_command(form: Form) -> None:
    field(form, "rules").turn(1)
    field(form, "pace").turn(-1)
    seat = field(form, "seat0")
    seat.turn(-1)
    assert seat.is_typed
    seat.value = "human:name=Ann B"
    form.check()
    assert form.problem == ""
    assert form.command() == (
        "boardgames play senet --rules skyruk -s 'human:name=Ann B' -s medium --pace fast"
    )
    assert form.settings().pace is Pace.FAST


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("seed", "x", "whole number"),
        ("seat1", "nobody", "unknown agent"),
        ("seat1", "greedy:slips=9", "slips"),
        ("seat0", "human:name=" + "x" * 40, "can't be shown"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(
    form: Form, key: str, value: str, reason: str
) -> None:
    wrong = field(form, key)
    wrong.value, wrong.is_typed = value, True
    form.check()
    assert reason in wrong.problem
    assert [f.key for f in form.fields if f.problem] == [key]


def test_only_games_in_real_time_have_a_tick() -> None:
    form = Form(POMMERMAN, settings(tick=0.5))
    assert form.settings().tick == 0.5
    assert "--tick 0.5" in form.command()
    field(form, "tick").pick("off")
    assert form.settings().tick is None
    assert "--tick" not in form.command()
    other = opened(find_game("senet"), tick=0.5)
    assert all(one.key != "tick" for one in other.fields)
    assert other.settings().tick is None
    assert "--tick" not in other.command()


def test_the_help_of_an_opponent_says_how_strong_it_is(form: Form) -> None:
    seat, ratings = field(form, "opponent"), bundled_ratings(find_game("senet"))
    assert ratings is not None
    seat.pick("hard")
    hard, easy = ratings.of("hard"), ratings.of("easy")
    assert hard is not None
    assert easy is not None
    help = form.help_of(seat)
    assert help.startswith(f"hard is rated {hard.rating}; ")
    assert f"easy {easy.rating}" in help
    seat.pick("Meret")
    assert "stand in pairs" in form.help_of(seat)


@pytest.mark.usefixtures("more_games")
def test_the_opponent_is_at_all_other_seats_until_one_of_them_is_changed() -> None:
    form = opened(POMMERMAN)
    rival = field(form, "opponent")
    assert {"easy", "adaptive", "Sparky", "human"} < set(rival.choices)
    assert "random" not in rival.choices
    rival.pick("Sparky")
    form.check()
    assert form.setup().seats == ("human", *["Sparky"] * 3)
    field(form, "seat2").pick("random")
    form.check()
    assert rival.value == "several"
    assert form.setup().seats == ("human", "Sparky", "random", "Sparky")
    rival.pick("human")
    form.check()
    assert form.setup().seats == ("human",) * 4
    assert form.problem == ""


def test_no_two_fields_have_the_same_label() -> None:
    from boardgames_cli.games.tapnswap import GAME

    labels = [field.label for field in opened(GAME).fields]
    assert len(set(labels)) == len(labels) == len([label for label in labels if label])


@pytest.mark.usefixtures("more_games")
def test_what_few_people_change_is_behind_a_fold() -> None:
    form = Form(POMMERMAN, settings())
    assert [one.key for one in form.fields] == ["opponent", "tick", "mode", "collapse", "more"]
    form.more.turn(1)
    rare = {"strength", "items", "view", "steps", "first_collapse", "caps", "items_block",
            "rerun_ties", "seat0", "name0", "pace", "seed"}  # fmt: skip
    assert rare < {one.key for one in form.fields}
    field(form, "strength").value = "7"
    steps = field(form, "steps")
    items, met = field(form, "items"), []
    for _ in range(60):
        items.turn(-1)
        met.append(int(items.value))
    assert met == sorted(met, reverse=True), "small numbers go one by one"
    assert (met[-1], 1 in met) == (items.low, True)
    form.more.turn(1)
    assert "--strength 7" in form.command(), "hidden is not forgotten"
    assert "strength" in form.help_of(form.more)
    field(form, "collapse").pick("on")
    steps.value = "100"
    form.check()
    assert any(one.problem for one in form.fields), "what is wrong is seen"


def test_a_fold_that_was_opened_is_open_in_all_games() -> None:
    forms = {"pommerman": {"strength": "7", "tick": "0.3"}, "kuhn": {"more": "shown"}}
    before = Preferences(last_game="kuhn", forms=forms)
    form = Form(POMMERMAN, settings(preferences=before))
    assert field(form, "strength").value == "7"
    assert form.settings().tick == 0.3
    form.more.pick("hidden")
    assert form.chosen()["more"] == "hidden"
    assert Form(find_game("senet"), settings(), form.more).more.is_shut


def test_a_tutor_is_offered_only_where_something_judges_the_game(
    form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "pommerman", "boardgames_cli.games.pommerman:GAME")
    assert "tutor" in [field.key for field in form.fields]
    monkeypatch.setitem(sys.modules, "numba", None)
    without = opened(POMMERMAN, tutor=True)
    assert "tutor" not in [field.key for field in without.fields]
    assert "--tutor" not in without.command()
    assert not without.settings().tutor
    monkeypatch.setitem(sys.modules, "numba", sys.modules["json"])
    judged = opened(POMMERMAN, preferences=Preferences(tutor=True))
    assert "--tutor" in judged.command()
    assert judged.settings().tutor
    # In real time there is no time to ask.
    field(judged, "tick").turn(1)
    assert "tutor" not in [field.key for field in judged.fields]
    assert "--tutor" not in judged.command()
    assert not judged.settings().tutor


@pytest.mark.usefixtures("toys")
def test_a_game_without_an_analyst_of_its_own_has_a_tutor() -> None:
    form = opened(find_game("race"))
    assert "tutor" in [field.key for field in form.fields]
    assert form.command()
