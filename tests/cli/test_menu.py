"""The menu in lines, with somebody at the keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boardgames_cli.registry import game_ids
from tests.conftest import Program

Menu = Callable[..., str]


@pytest.fixture
def menu(keyboard: Program) -> Menu:
    return lambda *lines: keyboard("--plain", lines=[*lines]).out


def test_number_or_name_starts_a_game(menu: Menu) -> None:
    number = str(game_ids().index("senet") + 1)
    for word in (number, "senet", " SENET "):
        text = menu(word, "q")
        assert "Senet - kendall." in text
        assert "Go on with: boardgames resume" in text


def test_last_game_is_offered(menu: Menu, program: Program) -> None:
    assert "  c go on" not in menu("q")
    program("play", "senet", "--vs", "random", "--seed", "4799677", lines=["1"])
    text = menu("c", "q")
    assert "  c continue senet-1: senet, step 13" in text
    assert "This game goes on after step 13." in text


def test_what_is_not_there_is_asked_again(menu: Menu) -> None:
    text = menu("99", "sennet", "c", "", "q")
    assert "There is no choice 99." in text
    assert 'Did you mean "senet"?' in text
    assert text.count("Your choice?") == 5


def test_end_of_input_leaves(menu: Menu) -> None:
    assert menu().count("Your choice?") == 1


def test_puzzles_are_offered(menu: Menu) -> None:
    text = menu("p", "q")
    assert "  p solve puzzles" in text
    assert "Puzzle " in text
    assert "Your choice (? for help): " in text
