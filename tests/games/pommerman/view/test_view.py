"""What the view offers to front ends: labels, choices, keys, the story, and the contract."""

from __future__ import annotations

import random
from typing import Any

import pytest

from boardgames_cli.core.errors import ActionError
from boardgames_cli.core.game import Step
from boardgames_cli.core.presentation.view import RenderContext
from boardgames_cli.core.text import Glyphs
from boardgames_cli.games.pommerman.actions import MOVES, Move
from boardgames_cli.games.pommerman.rules import MODES, Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from boardgames_cli.games.pommerman.view import PommermanView
from boardgames_cli.testing import check_view
from tests.games.pommerman.view.pictures import DUEL, at, calm_duel

PLAIN: RenderContext[Any, Any] = RenderContext(Glyphs.ASCII, ("Ann", "bot", "Cid", "D"))
TEXTUAL_KEYS = {
    *"wasdqe012345678",
    *("up", "down", "left", "right", "space", "full_stop", "enter"),
}


def duel(**changes: object) -> tuple[Pommerman, PommermanState]:
    walls: dict[str, object] = {"rigid": 1 << at(0, 0) | 1 << at(3, 0), "wood": 1 << at(1, 3)}
    return DUEL, calm_duel(**(walls | changes))


def laid_out(game: Pommerman) -> PommermanState:
    start = game.initial_state()
    return game.apply_chance(start, game.sample_chance(start, random.Random(1)))


# -- labels and choices --------------------------------------------------------------------


def test_labels_say_what_comes_of_a_move() -> None:
    game, state = duel(
        bombs=(Bomb(at(1, 2), 4, 3, 1, 0),),
        wood=1 << at(0, 1),
        powers=(1 << at(2, 1), 0, 0),
    )
    seen = game.observe(state, 0)
    assert [PommermanView(game).describe(seen, action) for action in seen.legal] == [
        "stop: burns in 4",
        "up: a wall",
        "down: a power-up",
        "left: burns in 4",
        "right: a bomb",
        "bomb",
    ]
    opponent = game.observe(state, 1)
    assert PommermanView(game).describe(opponent, MOVES[5]) == "bomb: none left"


def test_labels_know_whose_bomb_it_is_and_who_can_kick() -> None:
    agents = (Bomber(at(1, 1), True, 0, 3, True), Bomber(at(1, 0), True, 0, 4, False))
    bombs = (Bomb(at(0, 1), 1, 2, 1, 0), Bomb(at(1, 1), 9, 3, 0, 0), Bomb(at(1, 2), 9, 3, 0, 0))
    game, state = duel(agents=agents, bombs=bombs, rigid=0)
    labels = [PommermanView(game).describe(game.observe(state, 0), action) for action in MOVES]
    assert labels == [
        "stop: burns now",
        "up: burns now",
        "down: burns now",
        "left: burns now",
        "right: burns now",
        "bomb: one here",
    ]


def test_all_orders_at_a_glance() -> None:
    game, state = duel(wood=1 << at(0, 1))
    assert PommermanView(game).at_a_glance(game.observe(state, 0)) == (
        "u blocked by a wall   d free   l free   r free   b lays a bomb   w stop."
        "   Burns within 3 steps: none"
    )


def test_a_glance_warns_of_what_burns_soon_and_of_nothing_else() -> None:
    game, state = duel(bombs=(Bomb(at(2, 1), 2, 2, 0, 0), Bomb(at(7, 7), 9, 3, 1, 0)))
    assert PommermanView(game).at_a_glance(game.observe(state, 0)) == (
        "u free   d blocked by your bomb   l free   r free"
        "   b lays a bomb   w stop but burns in 2."
        "   Burns within 3 steps: r1c1 r2c0 r2c1 r2c2 r3c1"
    )


def test_a_glance_says_how_to_use_the_radio() -> None:
    game = Pommerman(mode="radio")
    seen = game.observe(laid_out(game), 0)
    text = PommermanView(game).at_a_glance(seen)
    assert text.endswith("none   add two words 1-8, such as l 3 7")
    assert game.parse(seen.state, 0, "l 3 7") == Move(3, (3, 7))


def test_who_can_do_nothing_is_offered_nothing() -> None:
    game, state = duel()
    assert PommermanView(game).at_a_glance(game.observe(state, None)) == ""
    assert PommermanView(game).at_a_glance(game.observe(state, 0)._replace(legal=())) == ""
    assert PommermanView(game).shortlist(game.observe(state, None)) == []


@pytest.mark.parametrize("mode", MODES)
def test_six_orders_are_listed_in_every_mode(mode: str) -> None:
    game = Pommerman(mode=mode)
    assert tuple(PommermanView(game).shortlist(game.observe(laid_out(game), 0))) == MOVES


# -- keys ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("people", [1, 2, 3, 4])
def test_every_key_means_an_order(mode: str, people: int) -> None:
    game = Pommerman(mode=mode)
    state = laid_out(game)
    sets = PommermanView(game).key_sets(people)
    assert len(sets) == (2 if people == 2 else 1)
    for keys in sets:
        assert set(keys.actions) <= TEXTUAL_KEYS
        assert {game.parse(state, 0, text) for text in keys.actions.values()} == set(MOVES)
        assert keys.hints


def test_two_people_share_no_key() -> None:
    first, second = PommermanView(Pommerman()).key_sets(2)
    assert not set(first.actions) & set(second.actions)
    assert (first.actions["q"], first.actions["e"]) == ("bomb", "stop")
    assert (second.actions["enter"], second.actions["0"]) == ("bomb", "stop")
    assert first.hints == (("wasd", "move"), ("q", "bomb"), ("e", "stop"))
    assert second.hints == (("arrows", "move"), ("enter", "bomb"), ("0", "stop"))


def test_one_person_has_arrows_and_letters() -> None:
    (keys,) = PommermanView(Pommerman()).key_sets(1)
    assert keys.actions["w"] == keys.actions["up"] == "up"
    assert (keys.actions["space"], keys.actions["full_stop"]) == ("bomb", "stop")
    assert keys.hints == (("arrows", "move"), ("space", "bomb"), (".", "stop"))
    assert not keys.words


def test_words_are_said_with_digits_by_one_person_by_radio() -> None:
    game = Pommerman(mode="radio")
    (keys,) = PommermanView(game).key_sets(1)
    assert keys.words == {digit: digit for digit in "12345678"}
    assert keys.word_count == 2
    assert keys.hints[-1] == ("1-8", "say")
    assert not set(keys.words) & set(keys.actions)
    said = f"{keys.actions['up']} {keys.words['3']} {keys.words['7']}"
    assert game.parse(laid_out(game), 0, said) == Move(1, (3, 7))
    for people in (2, 3, 4):
        assert not any(keys.words for keys in PommermanView(game).key_sets(people))


# -- hooks ---------------------------------------------------------------------------------


def test_the_layer_is_danger() -> None:
    assert PommermanView.layer == "danger"


@pytest.mark.parametrize(
    ("mode", "eyes"), [("ffa", None), ("duel", None), ("team", 0), ("radio", 0)]
)
def test_an_audience_borrows_eyes_in_the_fog(mode: str, eyes: int | None) -> None:
    assert PommermanView(Pommerman(mode=mode)).audience_viewpoint() == eyes


def test_words_of_reports_are_no_orders() -> None:
    game = Pommerman()
    for word in PommermanView.reports:
        with pytest.raises(ActionError):
            game.parse(laid_out(game), 0, word)


# -- the story -----------------------------------------------------------------------------


def test_the_story() -> None:
    game, state = duel(powers=(0, 0, 1 << at(2, 1)))
    after = game.apply(state, {0: MOVES[2], 1: MOVES[0]})
    assert PommermanView(game).narrate(state, Step(), after, PLAIN) == ["Ann took the kick."]
    laid = game.apply(state, {0: MOVES[5], 1: MOVES[0]})
    assert PommermanView(game).narrate(state, Step(), laid, PLAIN) == ["Ann laid a bomb at r1c1."]
    for _ in range(8):
        laid = game.apply(laid, {0: MOVES[0], 1: MOVES[0]})
    over = game.apply(laid, {0: MOVES[0], 1: MOVES[0]})
    assert PommermanView(game).narrate(laid, Step(), over, PLAIN) == [
        "Wood burns at r1c3.",
        "Ann died in the blast of their own bomb.",
    ]
    assert PommermanView(game).result(over, PLAIN) == "bot won after 58 steps."


def test_the_story_does_not_tell_what_others_said() -> None:
    game = Pommerman(mode="radio")
    state = laid_out(game)
    said: Step[Any, Any] = Step({seat: Move(0, (seat + 1, 8)) for seat in range(4)})
    after = game.apply_step(state, said)
    told = PommermanView(game).narrate(
        game.redact(state, 0), game.redact_step(state, said, 0), game.redact(after, 0), PLAIN
    )
    assert told == ["Ann by radio: 1 8.", "Cid by radio: 3 8."]
    assert (
        PommermanView(game).narrate(
            game.redact(state, None),
            game.redact_step(state, said, None),
            game.redact(after, None),
            PLAIN,
        )
        == []
    )


# -- the contract --------------------------------------------------------------------------


def test_the_view_of_a_short_game_in_fog_keeps_the_contract() -> None:
    game = Pommerman(mode="team", view=3, collapse=True, steps=30, first_collapse=5)
    check_view(PommermanView(game), seeds=range(1), max_plies=14)
