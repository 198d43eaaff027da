"""The training methods, and selecting one for a game."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.algorithms.action_value_table import read_table
from boardgames_cli.algorithms.game_tree import why_not_cfr
from boardgames_cli.algorithms.position_graph import why_not_small
from boardgames_cli.algorithms.regret_solver import CfrSettings
from boardgames_cli.core.errors import GameError, OptionError, UnknownNameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import (
    build,
    check_options,
    option,
    options_of,
)
from boardgames_cli.core.spec import load
from boardgames_cli.registry import game_ids, make_encoder
from boardgames_cli.registry import make as make_game
from boardgames_cli.training.q_learning import QLearning, QSettings, resume
from boardgames_cli.training.regret_minimization import CfrRun
from boardgames_cli.training.training_run import TrainingRun


@dataclass(frozen=True)
class SelfPlaySettings:
    """The settings of a training by self-play of any game (`training.self_play`)."""

    rounds: int = option(
        700, "rounds of playing games and learning from them", low=1, high=1_000_000
    )
    games: int = option(16, "games in each round and each measurement", low=1, high=100_000)
    simulations: int = option(
        50, "positions that the search values for a decision", low=2, high=100_000
    )
    seed: int = option(1, "seed of all random numbers", low=0)
    units: int = option(128, "hidden units in each of the two layers", low=1, high=1024)
    jobs: int = option(0, "processes that play; 0 for one on each core", low=0, high=1024)
    dask: str = option("", "the address of a Dask scheduler whose workers play")

    def __post_init__(self) -> None:
        check_options(self)


class UntrainableError(GameError):
    """No training method supports a game."""


@dataclass(frozen=True, slots=True)
class Trainer:
    """A training method."""

    method: str
    """Its name on the command line."""
    name: str
    games: str
    """The games it is for, in words."""
    settings: type[Any]
    """A dataclass of options."""
    length: str
    """The setting for the length of the training."""
    suffix: str
    """The default name of a file, after the game's name and a hyphen."""
    agent: str
    """The agent that plays from the file."""
    why_not: Callable[[AnyGame], str | None]
    """None if it can train a game, otherwise the reason why not."""
    begin: Callable[[AnyGame, Any, Path | None], TrainingRun]
    """Starts training: the game, the settings, the file."""
    resume: Callable[[AnyGame, Path, int | None], TrainingRun] | None = None
    """Resumes a file: the game, the file, and the new length, None to keep it."""
    is_default: bool = True
    """Whether it may be chosen for a game without being named."""

    def read(self, given: Mapping[str, str], game: str) -> Any:
        """Parse the given settings.

        Args:
            given: Strings by the names of settings.
            game: The name of the game, for the message.

        Raises:
            OptionError: A setting belongs to another trainer, or its value is not allowed.
        """
        own = [option.name for option in options_of(self.settings)]
        foreign = [name for name in given if name not in own]
        if foreign:
            raise OptionError(
                f"{flag_of(foreign[0])} is not a setting of {self.name}, "
                f"which is how {game} learns.",
                f"Its settings: {' '.join(map(flag_of, own))}",
            )
        return build(self.settings, given, "training")

    def go_on(self, game: AnyGame, path: Path, given: Mapping[str, str]) -> TrainingRun:
        """Resume a file with its settings.

        Args:
            game: The game.
            path: The file.
            given: The given settings; only the length can be changed.

        Raises:
            GameError: This method can't resume.
            OptionError: A setting can't be changed, or its value is not allowed.
        """
        # A bad number is an error of the command, not of the file.
        settings = self.read(given, game.info.id)
        if self.resume is None:
            raise GameError(
                f"--resume can't be used with {self.name}, which can't resume.",
                f"Leave it out, and train longer with {flag_of(self.length)}.",
            )
        fixed = sorted(given.keys() - {self.length})
        if fixed:
            raise OptionError(
                f"{flag_of(fixed[0])} can't be changed by --resume.",
                f"Only {flag_of(self.length)} can; start over to change others.",
            )
        return self.resume(game, path, getattr(settings, self.length) if given else None)


Q_LEARNING: Final = Trainer(
    method="q-learning",
    name="Q-learning",
    games="small games without chance or hidden information",
    settings=QSettings,
    length="episodes",
    suffix="q-table.jsonl",
    agent="q-table",
    why_not=why_not_small,
    begin=QLearning,
    resume=lambda game, path, episodes: resume(game, read_table(path), episodes, path),
)

CFR: Final = Trainer(
    method="cfr",
    name="CFR",
    games="small games with hidden information or simultaneous actions",
    settings=CfrSettings,
    length="iterations",
    suffix="strategy.json",
    agent="cfr",
    why_not=why_not_cfr,
    begin=CfrRun,
)


def _self_play(part: str) -> Callable[..., TrainingRun]:
    def call(game: AnyGame, *rest: Any) -> TrainingRun:
        make_encoder(game)  # which says what to install if numpy is missing
        run: TrainingRun = load(f"boardgames_cli.training.self_play:{part}")(game, *rest)
        return run

    return call


SELF_PLAY: Final = Trainer(
    method="network",
    name="self-play",
    games="any other game, with --method network",
    settings=SelfPlaySettings,
    length="rounds",
    suffix="network.json",
    agent="network",
    why_not=lambda game: None if game.action_count else "its actions have no ids",
    begin=_self_play("SelfPlayRun"),
    resume=_self_play("resume_self_play"),
    is_default=False,
)

TRAINERS: Final = (Q_LEARNING, CFR, SELF_PLAY)


def flag_of(setting: str) -> str:
    """The command-line option of a setting."""
    return f"--{setting.replace('_', '-')}"


def trainer_for(game: AnyGame, method: str = "") -> Trainer:
    """Select the training method for a game.

    Args:
        game: The rulebook.
        method: The `Trainer.method`; empty for the first that supports the game.

    Raises:
        UnknownNameError: There is no such method.
        UntrainableError: No method supports the game; the message says why, and which games can be
            trained.
    """
    methods = {trainer.method: trainer for trainer in TRAINERS}
    if method and method not in methods:
        raise UnknownNameError("method", method, methods)
    reasons = []
    for trainer in _of_method(method):
        reason = trainer.why_not(game)
        if reason is None:
            return trainer
        reasons.append(f"{trainer.name}: {reason}")
    why = "; ".join(reasons)
    if not method and SELF_PLAY.why_not(game) is None:
        raise UntrainableError(
            f"{game.info.name} is trained by self-play only ({why}).",
            f"Write: boardgames train {game.info.id} --method network",
        )
    raise UntrainableError(
        f"{game.info.name} can't be trained ({why}).",
        f"Can be trained: {' '.join(trainable(method))}   "
        "Other ways to learn a game are in the folder examples (docs/environments.md).",
    )


def trainable(method: str = "") -> list[str]:
    """The ids of all games that can be trained, optionally by one method."""
    names = []
    for id in game_ids():
        with contextlib.suppress(Exception):  # a broken foreign game must not hide the others
            game = make_game(id)
            if any(trainer.why_not(game) is None for trainer in _of_method(method)):
                names.append(id)
    return names


def _of_method(method: str) -> list[Trainer]:
    return [one for one in TRAINERS if (one.method == method if method else one.is_default)]
