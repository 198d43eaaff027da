from __future__ import annotations

import shlex
from typing import Any

import pytest

from boardgames_cli.core.errors import GameError, OptionError
from boardgames_cli.core.options import build, option_values
from boardgames_cli.registry import make
from boardgames_cli.training.q_learning import QSettings
from boardgames_cli.training.training_run import training_command


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("episodes", "0"),
        ("episodes", "many"),
        ("episodes", "1e5"),
        ("seed", "-1"),
        ("rate", "0"),
        ("rate", "1.5"),
        ("rate", "nan"),
        ("rate_decay", "-0.1"),
        ("discount", "inf"),
        ("discount", "1.01"),
        ("epsilon", "2"),
        ("epsilon_end", "-0.5"),
        ("optimism", "3"),
        ("longest", "0"),
        ("share", "perhaps"),
        ("opponent", "nobody"),
        ("opponent", ""),
        ("opponent", "self,,random"),
    ],
)
def test_nonsense_names_the_option(name: str, value: str) -> None:
    with pytest.raises(OptionError, match=name):
        build(QSettings, {name: value}, "training")


def test_unknown_options_are_refused() -> None:
    with pytest.raises(GameError, match="alpha"):
        build(QSettings, {"alpha": "1"}, "training")


def test_epsilon_falls_on_a_straight_line() -> None:
    settings = QSettings(episodes=100, epsilon=0.9, epsilon_end=0.1)
    assert settings.epsilon_at(0) == 0.9
    assert settings.epsilon_at(50) == pytest.approx(0.5)
    assert settings.epsilon_at(100) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("opponent", "expected"),
    [
        ("self", ["self"] * 6),
        ("random,self", ["random"] * 3 + ["self"] * 3),
        ("random, self ,self", ["random"] * 2 + ["self"] * 4),
        ("mixed,perfect,self,random", ["mixed", "mixed", "perfect", "self", "self", "random"]),
    ],
)
def test_opponents_follow_one_another(opponent: str, expected: list[str]) -> None:
    settings = QSettings(episodes=6, opponent=opponent)
    assert [settings.opponent_at(episode) for episode in range(6)] == expected


def test_the_command_makes_the_same_settings() -> None:
    settings = QSettings(episodes=7, opponent="random,self", rate=0.25, share=False)
    words = shlex.split(training_command(make("tapnswap"), settings))
    assert words[:3] == ["boardgames", "train", "tapnswap"]
    read: dict[str, Any] = {}
    flags = iter(words[3:])
    for flag in flags:
        name = flag.removeprefix("--")
        if name in ("share", "no-share"):
            read["share"] = "off" if name.startswith("no-") else "on"
        else:
            read[name.replace("-", "_")] = next(flags)
    assert option_values(build(QSettings, read, "training")) == option_values(settings)
