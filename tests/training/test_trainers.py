"""Which way of training is the one for a game."""

from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli import registry
from boardgames_cli.core.options import options_of
from boardgames_cli.registry import make
from boardgames_cli.training.trainers import (
    SELF_PLAY,
    TRAINERS,
    UntrainableError,
    trainable,
    trainer_for,
)
from tests.conftest import Program
from tests.toys import Lots, Race

EVERY = ["senet", "tapnswap", "kuhn", "deepsea", "pommerman"]


class Nameless(Race):
    """A game whose actions have no ids."""

    action_count = 0


class NamelessLots(Lots):
    action_count = 0


@pytest.mark.parametrize(
    ("game", "reason"), [(Nameless(6), "chance"), (NamelessLots(), "no secrets")]
)
def test_a_game_that_no_way_fits_is_told_every_reason(game: Any, reason: str) -> None:
    with pytest.raises(UntrainableError, match=reason) as caught:
        trainer_for(game)
    assert "Q-learning: " in caught.value.message
    assert "CFR: " in caught.value.message
    assert caught.value.todo.startswith("Can be trained: tapnswap kuhn   Other ways")
    assert "folder examples" in caught.value.todo
    with pytest.raises(UntrainableError, match="can't be trained") as caught:
        trainer_for(game, "cfr")
    assert caught.value.todo.startswith("Can be trained: kuhn   Other ways")


def test_a_broken_game_does_not_hide_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "broken", "nowhere.at.all:GAME")
    assert trainable() == ["tapnswap", "kuhn"]


def test_settings_of_one_name_are_of_one_kind() -> None:
    # The command line offers each name once, whatever the game.
    kinds: dict[str, type] = {}
    for trainer in TRAINERS:
        for option in options_of(trainer.settings):
            assert kinds.setdefault(option.name, option.type) is option.type
    # These play what was trained, as whoever stops a training is told.
    assert [trainer.agent for trainer in TRAINERS] == ["q-table", "cfr", "network"]


def test_a_network_learns_any_game_if_it_is_asked_to() -> None:
    assert trainer_for(make("tapnswap"), "network") is SELF_PLAY
    with pytest.raises(UntrainableError, match="Senet is trained by self-play only") as caught:
        trainer_for(make("senet"))
    assert caught.value.todo == "Write: boardgames train senet --method network"
    assert trainable("network") == EVERY
    assert trainable("cfr") == ["kuhn"]


def test_what_was_removed_is_told_with_what_to_do_instead(program: Program) -> None:
    refused = program("train", "senet", "--method", "td")
    assert refused.code == 2
    assert "gone since 0.3" in refused.err
    unread = program("play", "senet", "--vs", "greedy:weights=mine.json", "--no-save")
    assert unread.code == 2
    assert "the network that comes with the game plays" in unread.err
