"""Options of games become options of commands, whatever the game."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import get_args

import pytest

from boardgames_cli import registry
from boardgames_cli.cli.parameters import game_parameters
from boardgames_cli.core.options import RANDOM, option
from boardgames_cli.core.spec import GameSpec
from tests.conftest import Program
from tests.toys import Race


@dataclass(frozen=True)
class Odd(Race):
    """A race with an option of every kind, and one that the command line has already."""

    fog: bool = option(False, "whether there is fog")
    wind: float = option(0.5, "how strong the wind is", low=0, high=1)
    word: str = option("hey", "what to shout")
    lane: int = option(1, "which lane", choices=(1, 2, RANDOM))
    seed: int = option(4, "not the seed of the match")
    players: int = option(2, "how many run", low=2, high=6)

    @property
    def seats(self) -> int:
        return self.players


ODD = GameSpec(
    info=Race.info,
    rules=f"{__name__}:Odd",
    view="tests.plain.tables:PlainView",
    levels={"easy": "random", "medium": "random", "hard": "random"},
)


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "race", f"{__name__}:ODD")


def test_parameters_are_typed_and_optional() -> None:
    made = {parameter.name: parameter for parameter in game_parameters(ODD, {"seed"})}
    assert list(made) == [
        "game_length", "game_fog", "game_wind", "game_word", "game_lane", "game_seed",
        "game_players",
    ]  # fmt: skip
    assert all(parameter.default is None for parameter in made.values())
    assert get_args(made["game_fog"].annotation)[0] == bool | None
    assert get_args(made["game_wind"].annotation)[0] == str | None


@pytest.mark.parametrize(
    "verb", ["play", "watch", "host", "tournament", "puzzle", "train", "solve"]
)
def test_help_says_what_is_allowed(program: Program, odd: None, verb: str) -> None:
    text = " ".join(program(verb, "race", "--help").out.split())
    assert "--fog / --no-fog whether there is fog [default: off]" in text
    assert "--wind NUMBER how strong the wind is [0 to 1; default: 0.5]" in text
    assert "--word TEXT what to shout [a text; default: hey]" in text
    assert "--lane TEXT which lane [1, 2, random; default: 1]" in text
    assert "--race-seed NUMBER" in text


def test_values_reach_the_game(program: Program, odd: None) -> None:
    words = ["--fog", "--wind", "0.25", "--word", "ho", "--race-seed", "9", "--seed", "1"]
    result = json.loads(program("watch", "race", *words, "--json").out)
    assert result["seed"] == 1
    assert result["options"] == {
        "length": 10, "fog": True, "wind": 0.25, "word": "ho", "lane": 1, "seed": 9, "players": 2,
    }  # fmt: skip


def test_who_names_all_players_need_not_count_them(program: Program, odd: None) -> None:
    def seats(*words: str) -> object:
        text = program("watch", "race", *words, "--json", "--max-plies", "1")
        return json.loads(text.out)["options"]["players"]

    runner = ["-s", "random"]
    assert seats(*runner) == 2
    assert seats(*runner * 3) == 3
    assert seats(*runner * 2, "--players", "3") == 3
