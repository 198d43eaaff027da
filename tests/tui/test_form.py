from __future__ import annotations

import sys

import pytest

from boardgames_cli import registry
from boardgames_cli.agents.ratings import bundled_ratings
from boardgames_cli.games.pommerman import GAME as POMMERMAN
from boardgames_cli.registry import find_game
from boardgames_cli.session.settings import Pace
from boardgames_cli.storage.preferences import Preferences
from boardgames_cli.tui.form import Form
from tests.tui.tables import settings


@pytest.fixture
def form() -> Form:
    return Form(find_game("senet"), settings(pace=Pace.NORMAL))


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


def test_games_in_real_time_have_a_tick() -> None:
    form = Form(POMMERMAN, settings(tick=0.5))
    assert form.value("tick") == "0.5"
    assert form.settings().tick == 0.5
    assert "--tick 0.5" in form.command()
    assert [one.key for one in form.fields][:2] == ["play", "tick"]
    field(form, "play").pick("turns")
    assert form.fields[1].key != "tick", "it would mean nothing"
    assert form.settings().tick is None
    assert "--tick" not in form.command()


def test_other_games_have_none_and_forget_that_of_the_game_before() -> None:
    form = Form(find_game("senet"), settings(tick=0.5))
    assert all(one.key != "tick" for one in form.fields)
    assert form.settings().tick is None
    assert "--tick" not in form.command()


def test_the_help_of_a_seat_says_how_its_agent_is_rated() -> None:
    form = Form(find_game("senet"), settings(pace=Pace.NORMAL))
    seat = next(field for field in form.fields if field.key == "seat1")
    seat.value = "hard"
    ratings = bundled_ratings(find_game("senet"))
    assert ratings is not None
    hard, easy = ratings.of("hard"), ratings.of("easy")
    assert hard is not None
    assert easy is not None
    help = form.help_of(seat)
    assert help.startswith(f"hard is rated {hard.rating}; ")
    assert f"easy {easy.rating}" in help
    seat.value = "expectimax:depth=3"
    assert form.help_of(seat) == seat.help
    pace = next(field for field in form.fields if field.key == "pace")
    assert form.help_of(pace) == pace.help


def test_no_two_fields_have_the_same_label() -> None:
    from boardgames_cli.games.tapnswap import GAME

    labels = [field.label for field in Form(GAME, settings()).fields]
    assert len(set(labels)) == len(labels) == len([label for label in labels if label])


def test_rare_rules_are_shown_to_those_who_want_more() -> None:
    form = Form(POMMERMAN, settings())
    keys = [one.key for one in form.fields]
    assert keys[:4] == ["play", "mode", "collapse", "more"]
    rare = {"strength", "items", "view", "steps", "first_collapse", "caps", "items_block",
            "rerun_ties"}  # fmt: skip
    assert not rare & set(keys)
    field(form, "more").pick("shown")
    assert rare < {one.key for one in form.fields}
    field(form, "strength").value = "7"
    assert "--strength 7" in form.command()
    field(form, "more").pick("hidden")
    assert "--strength 7" in form.command(), "hidden is not forgotten"


def test_a_rare_rule_that_was_changed_before_is_shown_from_the_first() -> None:
    before = Preferences(forms={"pommerman": {"strength": "7", "tick": "0.3"}})
    form = Form(POMMERMAN, settings(preferences=before))
    assert field(form, "strength").value == "7"
    assert field(form, "more").value == "shown"
    assert form.settings().tick == 0.3, "what was remembered before there were two fields"


def test_what_is_wrong_with_a_rare_rule_is_seen() -> None:
    form = Form(POMMERMAN, settings())
    field(form, "collapse").pick("on")
    field(form, "more").pick("shown")
    field(form, "steps").value = "100"
    field(form, "more").pick("hidden")
    form.check()
    assert form.problem
    assert any(one.problem for one in form.fields)


def test_a_tutor_is_offered_only_where_something_judges_the_game(
    form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "pommerman", "boardgames_cli.games.pommerman:GAME")
    assert "tutor" in [field.key for field in form.fields]
    monkeypatch.setitem(sys.modules, "numba", None)
    without = Form(POMMERMAN, settings(tutor=True))
    assert "tutor" not in [field.key for field in without.fields]
    assert "--tutor" not in without.command()
    assert not without.settings().tutor
    monkeypatch.setitem(sys.modules, "numba", sys.modules["json"])
    judged = Form(POMMERMAN, settings(tutor=True))
    assert "--tutor" in judged.command()
    assert judged.settings().tutor
    # In real time there is no time to ask.
    field(judged, "play").turn(1)
    assert "tutor" not in [field.key for field in judged.fields]
    assert "--tutor" not in judged.command()
    assert not judged.settings().tutor


@pytest.mark.usefixtures("toys")
def test_a_game_without_an_analyst_of_its_own_has_a_tutor() -> None:
    form = Form(find_game("race"), settings())
    assert "tutor" in [field.key for field in form.fields]
    assert form.command()
