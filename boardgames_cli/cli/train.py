"""``boardgames train GAME``: learns a game by playing, into a file for agents."""

from __future__ import annotations

import inspect
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import MORE, CommonOptions, argument, option
from boardgames_cli.cli.output import long_work, say, say_json
from boardgames_cli.cli.parameters import SETTING, AsJson, for_game, given_options, own_parameter
from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import chosen_words, options_of
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.registry import make as make_game
from boardgames_cli.training.trainers import TRAINERS, Trainer, trainer_for
from boardgames_cli.training.training_run import TrainingRun


@dataclass(frozen=True, slots=True)
class Training:
    """What to train, and the files."""

    game: str = argument("The game to learn.", autocompletion=completion.games)
    out: Path | None = option(
        None,
        "The file for the result. [default: "
        + " or ".join(dict.fromkeys(f"GAME-{trainer.suffix}" for trainer in TRAINERS))
        + "]",
    )
    method: str = option(
        "",
        "The method, if a game has several: "
        + ", ".join(dict.fromkeys(trainer.method for trainer in TRAINERS))
        + ". [default: the best]",
        metavar="NAME",
    )
    resume: bool = option(False, "Continue the training in the file of --out.")
    force: bool = option(False, "Replace the file of --out.")


def _settings(spec: GameSpec | None, words: Sequence[str]) -> list[inspect.Parameter]:
    meant = None if spec is None else _trainer_meant(spec.game_class()(), words)
    made: dict[str, inspect.Parameter] = {}
    for trainer in sorted(TRAINERS, key=lambda trainer: trainer is not meant):
        title = f"{trainer.name}, for {trainer.games}"
        section = title if trainer is meant else f"{MORE}: {title}"
        for own in options_of(trainer.settings):
            flag = own.name.replace("_", "-")
            made.setdefault(own.name, own_parameter(own, section, flag, SETTING))
    return list(made.values())


def _trainer_meant(game: AnyGame, words: Sequence[str]) -> Trainer | None:
    after = [word for one in words for word in one.split("=", 1)]
    method = after[after.index("--method") + 1 :][:1] if "--method" in after else []
    return next((one for one in TRAINERS if [one.method] == method), None) or next(
        (one for one in TRAINERS if one.why_not(game) is None), None
    )


def train(training: Training, form: AsJson, common: CommonOptions, **values: Any) -> int:
    """Train, save, and report the quality."""
    given = given_options(values, SETTING)
    game = make_game(training.game, **given_options(values))
    trainer = trainer_for(game, training.method)
    path = training.out or Path(f"{training.game}-{trainer.suffix}")
    if training.resume:
        training_run = trainer.go_on(game, path, given)
    else:
        settings = trainer.read(given, training.game)
        _check_free(path, training.force, trainer)
        training_run = trainer.begin(game, settings, path)
    if training_run.needs and not form.json:
        say(training_run.needs)
    with long_work(common.is_plain) as work:
        training_run.run(work.show, work.check)
    if form.json:
        say_json(training_run.as_json())
    else:
        for line in [*training_run.lines(), f"file: {path}"]:
            say(line)
    settings = [own.name for own in options_of(trainer.settings)]
    words = " ".join([training.game, *chosen_words(game, settings)])
    return work.exit_code(_what_next(trainer, training_run, words, path))


def _what_next(trainer: Trainer, training_run: TrainingRun, game: str, path: Path) -> str:
    if not training_run.has_saved:
        return f" before anything could be saved in {path}."
    if trainer.resume is not None:
        method = "" if trainer.is_default else f" --method {trainer.method}"
        return f". To continue: boardgames train {game}{method} --resume --out {path}"
    return f". To play from it: boardgames play {game} --vs {trainer.agent}:file={path}"


def _check_free(path: Path, force: bool, trainer: Trainer) -> None:
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise StorageError(f"{path} can't be written.", "Choose another file with --out.")
    if path.exists() and not force:
        choices = ["To continue it: --resume"] if trainer.resume is not None else []
        todo = "   ".join([*choices, "To replace it: --force"])
        raise StorageError(f"{path} already exists.", todo)


make = for_game(
    train,
    "train tapnswap",
    "train tapnswap --opponent random,self --out mine.jsonl",
    "play tapnswap --vs q-table:file=mine.jsonl",
    "train kuhn --iterations 2000",
    "play kuhn --vs cfr:file=kuhn-strategy.json",
    "train tapnswap --method network --rounds 50",
    "play tapnswap --vs network:file=tapnswap-network.json",
    help="Learn a game by playing. The method depends on the game: Q-learning, or counterfactual "
    "regret minimisation (CFR) if it has hidden information; --method network learns any game by "
    "self-play. Ctrl+C keeps the training so far.",
    more=_settings,
)
