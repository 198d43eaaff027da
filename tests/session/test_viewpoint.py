"""From whose viewpoint a table is shown, and who hears what story."""

from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli.core.errors import IllegalActionError, UnknownNameError
from boardgames_cli.core.game import Observation, Step
from boardgames_cli.registry import make
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.session.viewpoint import ALL_SEEING, PUBLIC, Viewpoint, read_viewpoint

BOMBERS = ("human:Ann", "random", "human:Ben", "random")


def table(
    seats: tuple[str, ...], game: str = "pommerman", *, mode: str = "", is_shared: bool = False
) -> Session:
    options = {"mode": mode} if mode else {}
    settings = Settings(save=False, is_shared=is_shared)
    session = open_session(Setup(game, options, seats, rest="random", seed=4), settings)
    while session.match.waiting_for == (-1,):
        session.resolve_chance()
    return session


def play(session: Session, *texts: str) -> None:
    """Let all who wait do what is said, the last text for all that are left."""
    for number, seat in enumerate(session.match.waiting_for):
        text = texts[min(number, len(texts) - 1)]
        session.submit(seat, session.game.parse(session.match.state, seat, text))


@pytest.mark.parametrize(
    ("text", "viewpoint"),
    [
        ("all", ALL_SEEING),
        ("public", PUBLIC),
        ("2", Viewpoint((1,))),
        ("c", Viewpoint((2,))),
        (" D ", Viewpoint((3,))),
    ],
)
def test_a_viewpoint_is_named_by_number_or_name(text: str, viewpoint: Viewpoint) -> None:
    assert read_viewpoint(make("pommerman"), text) == viewpoint


@pytest.mark.parametrize("text", ["", "5", "e", "nobody", "0"])
def test_an_unknown_viewpoint_is_refused_with_a_list(text: str) -> None:
    with pytest.raises(UnknownNameError, match="Viewpoints: all public 1 2 3 4 a b c d"):
        read_viewpoint(make("pommerman"), text)


def test_one_person_sees_what_the_seat_sees() -> None:
    session = table(BOMBERS[:2], mode="team")
    assert session.snapshot().seen == session.observe(0)


def test_people_who_share_see_together_and_the_one_to_act_is_meant() -> None:
    session = table(BOMBERS, mode="team", is_shared=True)
    assert session.viewpoint.seats == (0, 2)
    assert session.snapshot().context.people == (0, 2)
    play_one = session.game.parse(session.match.state, 0, "up")
    session.submit(0, play_one)
    assert session.viewpoint.seats == (2, 0)
    seen = session.snapshot().seen
    assert seen.seat == 2
    assert seen.state == session.game.redact_for_all(session.match.state, (0, 2))
    assert list(seen.legal) == list(session.observe(2).legal)


def test_people_who_share_are_told_of_a_step_what_each_of_them_is_told() -> None:
    bombers, kuhn = make("pommerman", mode="team"), make("kuhn")
    step: Step[Any, Any] = Step({seat: bombers.actions[seat] for seat in range(4)})
    told = Viewpoint((2, 0)).step(bombers, bombers.initial_state(), step)
    assert told == Step({0: step.joint[0], 2: step.joint[2]})
    start = kuhn.initial_state()
    deal: Step[Any, Any] = Step.of_chance(kuhn.parse_chance(start, "deal K"))
    assert Viewpoint((1, 0)).step(kuhn, start, deal) == deal
    for public in (PUBLIC, Viewpoint((1,))):
        assert public.step(kuhn, start, deal) == Step.of_chance(None)


def test_people_with_secrets_see_one_after_the_other_and_hear_what_all_know() -> None:
    session = table(BOMBERS, mode="team")
    assert session.keeps_secrets
    assert session.viewpoint == Viewpoint((0,))
    play(session, "bomb")
    told = [line.text for line in session.log.lines()]
    assert told[1:] == []  # a bomb in the fog is nobody's news


def test_where_only_pockets_are_hidden_nobody_looks_away() -> None:
    session = table(BOMBERS, mode="ffa")
    assert not session.keeps_secrets
    play(session, "bomb", "stop")
    assert any("laid a bomb" in line.text for line in session.log.lines())


def test_agents_are_watched_in_public_unless_that_shows_nothing() -> None:
    assert table(("random",), mode="ffa").viewpoint == PUBLIC
    assert table(("random",), mode="team").viewpoint == Viewpoint((0,))
    assert table(("random",), "kuhn").viewpoint == PUBLIC


def test_who_plays_sees_what_nobody_else_sees() -> None:
    session = table(BOMBERS[:2], mode="team")
    with pytest.raises(IllegalActionError, match="while one of you still plays"):
        session.follow(ALL_SEEING)
    assert session.viewpoint == Viewpoint((0,))


def test_an_audience_sees_and_hears_all_if_it_likes() -> None:
    session = table(("random",), mode="team")
    play(session, "stop", "bomb", "stop")
    assert not any("laid a bomb" in line.text for line in session.log.lines())
    session.follow(ALL_SEEING)
    assert any("laid a bomb" in line.text for line in session.log.lines())
    assert session.snapshot().seen == Observation(None, 2, session.match.state, ())


def test_the_dead_may_look_around_and_take_nothing_back() -> None:
    session = table(BOMBERS[:2], mode="ffa")
    play(session, "bomb", "stop")
    while session.match.state.agents[0].alive:
        play(session, "stop")
    session.follow(ALL_SEEING)
    ply = session.match.ply
    with pytest.raises(IllegalActionError, match="another viewpoint has shown"):
        session.undo()
    assert (session.match.ply, session.viewpoint.see_all) == (ply, True)
    session.match.undo()
    assert session.viewpoint == Viewpoint((0,)), "who is back sees what a player sees"


def test_an_observation_from_another_viewpoint_offers_nothing_to_do() -> None:
    session = table(("random",), mode="team")
    assert session.observe(0).legal
    assert session.snapshot(Viewpoint((0,))).seen.legal == ()
    assert session.snapshot(Viewpoint((0,)), 1).seen.legal == ()
