"""The ways to train, and which of them is the one for a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.algorithms.network_learning import NetworkSettings
from boardgames_cli.algorithms.position_graph import why_not_small
from boardgames_cli.core.errors import GameError, OptionError, UnknownNameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import build, options_of
from boardgames_cli.registry import game_ids
from boardgames_cli.registry import make as make_game
from boardgames_cli.training.cfr.run import CfrRun, why_not_cfr
from boardgames_cli.training.cfr.settings import CfrSettings
from boardgames_cli.training.network_run import NetworkRun, resume_network, why_no_network
from boardgames_cli.training.qlearning.run import begin_table, resume_table
from boardgames_cli.training.qlearning.settings import QSettings
from boardgames_cli.training.td.run import TdRun, resume_model, why_not_td
from boardgames_cli.training.td.settings import TdSettings
from boardgames_cli.training.training_run import TrainingRun

AnyRun = TrainingRun[Any]


class UntrainableError(GameError):
    """There is no way to train a game."""


@dataclass(frozen=True, slots=True)
class Trainer:
    """One way to train."""

    method: str
    """What the command line calls it."""
    name: str
    games: str
    """What games it is for, in words."""
    settings: type[Any]
    """A dataclass of options."""
    length: str
    """The setting that says how long to train."""
    suffix: str
    """The default name of a file, after the game's name and a hyphen."""
    agent: str
    """The agent that plays from the file."""
    why_not: Callable[[AnyGame], str | None]
    """None if it can train a game, otherwise the reason why not."""
    begin: Callable[[AnyGame, Any, Path | None], AnyRun]
    """Train from nothing: the game, the settings, the file."""
    option: str = "file"
    """That agent's option for the file."""
    resume: Callable[[AnyGame, Path, int | None], AnyRun] | None = None
    """Go on with a file: the game, the file, and the new length, None to keep it."""

    def read(self, given: Mapping[str, str], game: str) -> Any:
        """The settings that were asked for.

        Args:
            given: Texts by the names of settings.
            game: The name of the game, for the message.

        Raises:
            OptionError: A setting is another trainer's, or its value is not allowed.
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

    def go_on(self, game: AnyGame, path: Path, given: Mapping[str, str]) -> AnyRun:
        """Go on with a file as it was begun.

        Args:
            game: The game it is about.
            path: The file.
            given: Settings that were asked for; only the length can be changed.

        Raises:
            GameError: This way to train always begins anew.
            OptionError: A setting can't be changed, or its value is not allowed.
        """
        # A bad number is a mistake of the command, not of the file.
        settings = self.read(given, game.info.id)
        if self.resume is None:
            raise GameError(
                f"--resume can't be used with {self.name}, which always begins anew.",
                f"Leave it out, and train longer with {flag_of(self.length)}.",
            )
        fixed = sorted(given.keys() - {self.length})
        if fixed:
            raise OptionError(
                f"{flag_of(fixed[0])} can't be changed by --resume.",
                f"Only {flag_of(self.length)} can; begin anew to change others.",
            )
        return self.resume(game, path, getattr(settings, self.length) if given else None)


Q_LEARNING: Final = Trainer(
    method="q-learning",
    name="Q-learning",
    games="small games without chance or secrets",
    settings=QSettings,
    length="episodes",
    suffix="q-table.jsonl",
    agent="q-table",
    why_not=why_not_small,
    begin=begin_table,
    resume=resume_table,
)

CFR: Final = Trainer(
    method="cfr",
    name="CFR",
    games="small games with secrets",
    settings=CfrSettings,
    length="iterations",
    suffix="strategy.json",
    agent="cfr",
    why_not=why_not_cfr,
    begin=CfrRun,
)

NETWORK: Final = Trainer(
    method="network",
    name="network training",
    games="games with compiled rules and a network of their own",
    settings=NetworkSettings,
    length="rounds",
    suffix="network.json",
    agent="expectimax",
    option="weights",
    why_not=why_no_network,
    begin=NetworkRun,
    resume=resume_network,
)

TD: Final = Trainer(
    method="td",
    name="TD(lambda)",
    games="games of chance that name features of their positions",
    settings=TdSettings,
    length="games",
    suffix="weights.json",
    agent="greedy",
    option="weights",
    why_not=why_not_td,
    begin=TdRun,
    resume=resume_model,
)

TRAINERS: Final = (Q_LEARNING, CFR, NETWORK, TD)


def flag_of(setting: str) -> str:
    """The option of the command line that a setting is."""
    return f"--{setting.replace('_', '-')}"


def trainer_for(game: AnyGame, method: str = "") -> Trainer:
    """The way to train a game.

    Args:
        game: The rulebook.
        method: `Trainer.method` of the one that is wanted; empty for the first that can do it.

    Raises:
        UnknownNameError: There is no such method.
        UntrainableError: There is no way; the message says why, and what can be trained.
    """
    methods = {trainer.method: trainer for trainer in TRAINERS}
    if method and method not in methods:
        raise UnknownNameError("method", method, methods)
    reasons = []
    for trainer in (methods[method],) if method else TRAINERS:
        reason = trainer.why_not(game)
        if reason is None:
            return trainer
        reasons.append(f"{trainer.name}: {reason}")
    raise UntrainableError(
        f"{game.info.name} can't be trained ({'; '.join(reasons)}).",
        f"Can be trained: {' '.join(trainable(method))}",
    )


def trainable(method: str = "") -> list[str]:
    """The names of all games that can be trained, or that can be by one method."""
    trainers = [trainer for trainer in TRAINERS if method in ("", trainer.method)]
    names = []
    for id in game_ids():
        try:
            game = make_game(id)
            is_trainable = any(trainer.why_not(game) is None for trainer in trainers)
        except Exception:  # noqa: S112  # a stranger's broken game must not hide the others
            continue
        if is_trainable:
            names.append(id)
    return names
