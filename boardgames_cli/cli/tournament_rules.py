"""The command-line options that define a tournament: game, entrants, options and format."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.cli import completion
from boardgames_cli.cli.command import argument, option
from boardgames_cli.codec.json_reader import lines_of
from boardgames_cli.core.agent import GRACE_SECONDS
from boardgames_cli.core.clock import read_time_control
from boardgames_cli.core.errors import GameError, OptionError, PositionError, UnknownNameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import finite_number, option_values
from boardgames_cli.core.randomness import check_seed
from boardgames_cli.registry import find_game
from boardgames_cli.registry import make as make_game
from boardgames_cli.session.setup import POSITIONS, state_to_play
from boardgames_cli.tournament.luck import check_luck
from boardgames_cli.tournament.players import name_entrants
from boardgames_cli.tournament.schedule import usual_schedule
from boardgames_cli.tournament.tournament_config import (
    FORFEIT,
    ON_FAILURE,
    ROUND_ROBIN,
    SCHEDULES,
    TABLES,
    Entrant,
    TournamentConfig,
)

WHO: Final = "Who plays whom"
KEPT: Final = "What is kept"
_GAMES: Final = 100


@dataclass(frozen=True, slots=True)
class Rules:
    """The game and the entrants."""

    section: ClassVar = WHO

    game: str | None = argument(
        "The game; omit it with --resume.",
        default=None,
        metavar="GAME",
        autocompletion=completion.games,
        show_default=False,
    )
    seat: list[str] | None = option(
        None,
        "An entrant: a level, or an agent such as expectimax:depth=2; repeatable.",
        "-s",
        "--seat",
        metavar="SPEC",
        autocompletion=completion.agents,
    )
    isolate: bool = option(
        False, "Run every agent in its own process, which gets only what its seat may know."
    )
    format: str | None = option(
        None,
        "; ".join(f"{name}: {words}" for name, words in SCHEDULES.items())
        + f". [default: {ROUND_ROBIN}, or {TABLES} if the game has more than two sides and "
        "there are enough entrants]",
        metavar="NAME",
        autocompletion=lambda: list(SCHEDULES),
    )
    games: int | None = option(
        None,
        "Games of each pairing with each set of options, rounded up so that every deal "
        f"is played from all seats. [default: {_GAMES}]",
        min=1,
    )
    lineups: int | None = option(
        None,
        "The maximum number of line-ups at mixed tables, with equal participation. [default: all]",
        min=1,
    )
    max_plies: int | None = option(
        None, "Longer games end as draws; throws and deals count.", min=1
    )
    think: float | None = option(
        None,
        "The time limit for one action; results then depend on the machine. [default: no "
        "time limit]",
        min=0.001,
        metavar="SECONDS",
    )
    clock: list[str] | None = option(
        None,
        "The time of each entrant for a whole game, and what every action adds to it; with "
        "ENTRANT= before it, that of one entrant; repeatable. Results then depend on the machine.",
        metavar="60s+1s",
    )
    margin: float | None = option(
        None,
        "How far an answer may pass --think or --clock without being late. [default: 0]",
        min=0.0,
        max=GRACE_SECONDS,
        metavar="SECONDS",
    )
    on_failure: str | None = option(
        None,
        "What happens where an agent fails, or answers far too late. "
        + "; ".join(f"{name}: {words}" for name, words in ON_FAILURE.items())
        + f". [default: {FORFEIT}]",
        metavar="NAME",
        autocompletion=lambda: list(ON_FAILURE),
    )
    sprt: str | None = option(
        None,
        "A sequential test ends each pairing, between two differences in rating such as "
        "0,20. --games is the maximum.",
        metavar="LOW,HIGH",
    )
    positions: Path | None = option(
        None,
        "Start from the positions in a file, a JSON object on each line; each is played from all "
        "seats, in turn. [default of --games: each once]",
        metavar="FILE",
    )
    luck: bool = option(
        False, "Tell what the luck of dice and cards gave each entrant, beside its results."
    )
    losses: bool = option(
        False,
        "Tell what each entrant's decisions give away; where that takes long, in every 16th deal.",
    )
    seed: int | None = option(None, "The seed of all deals. [default: 1]")
    records: bool = option(
        False, "Keep every game as a save for boardgames replay.", rich_help_panel=KEPT
    )
    out: Path | None = option(
        None,
        "A new folder for the results. [default: GAME-DATE in the current folder]",
        metavar="FOLDER",
        rich_help_panel=KEPT,
    )


def read_config(rules: Rules, given: Mapping[str, Sequence[str | bool]]) -> TournamentConfig:
    """The tournament described by the command line, with the given options of the game."""
    if rules.game is None:
        raise GameError(
            "which game is to be played?", "Write: boardgames tournament GAME -s AGENT -s AGENT"
        )
    spec = find_game(rules.game)
    sets = option_sets(rules.game, given)
    for text in rules.seat or ():
        if text.partition(":")[0] == "human":
            raise OptionError(
                f'a tournament is for agents only, and "{text}" is a person.',
                f"To play: boardgames play {rules.game}",
            )
    entrants = name_entrants(rules.seat or ())
    games = [make_game(rules.game, **options) for options in sets]
    schedule = rules.format or usual_schedule(games, len(entrants))
    if schedule not in SCHEDULES:
        raise UnknownNameError("format", schedule, SCHEDULES)
    if rules.on_failure is not None and rules.on_failure not in ON_FAILURE:
        raise UnknownNameError("reaction", rules.on_failure, ON_FAILURE)
    if rules.lineups is not None and schedule != TABLES:
        raise GameError(f"--lineups is for --format {TABLES} alone.", "Leave one of them out.")
    if rules.margin and rules.think is None and not rules.clock:
        raise GameError("--margin is for time limits.", "Give one, too: --think or --clock.")
    for game in games:
        if rules.luck:
            check_luck(game)
        if rules.losses:
            analyst_for(game)
    positions = () if rules.positions is None else read_positions(rules.positions, games)
    usual = len(positions) * max(len(game.teams) for game in games) or _GAMES
    return TournamentConfig(
        rules.game,
        entrants,
        sets,
        schedule,
        rules.games or usual,
        1 if rules.seed is None else check_seed(rules.seed),
        rules.max_plies,
        rules.think,
        rules.margin or 0.0,
        None if rules.sprt is None else _bounds(rules.sprt),
        rules.lineups,
        rules.records,
        rules.on_failure or FORFEIT,
        rules.isolate,
        rules.luck,
        rules.losses,
        positions,
        _clocks(rules.clock or (), entrants),
        rules_version=spec.info.rules_version,
    )


def read_positions(path: Path, games: Sequence[AnyGame]) -> tuple[str, ...]:
    """Read a file with a position on each line, each with moves to make."""
    found = []
    text = POSITIONS.read_text(path, allow_stream=True)
    for number, line in lines_of(text):
        try:
            data = POSITIONS.check_object(POSITIONS.parse(line, "the line"), "the line")
            for game in games:
                state_to_play(game, data)
        except GameError as error:
            raise PositionError(f"{path}, line {number}: {error.message}", error.todo) from None
        found.append(json.dumps(data, separators=(",", ":")))
    if not found:
        raise PositionError(f"{path} has no position.", "Write a JSON object on each line.")
    return tuple(found)


def option_sets(
    game: str, given: Mapping[str, Sequence[str | bool]]
) -> tuple[Mapping[str, Any], ...]:
    """Every combination of the given values, as complete sets of options.

    A text may hold several values, with commas between them.
    """
    values = [
        [one.strip() if isinstance(one, str) else one for text in texts for one in _split(text)]
        for texts in given.values()
    ]
    combinations = itertools.product(*values)
    made = [make_game(game, **dict(zip(given, chosen, strict=True))) for chosen in combinations]
    return tuple(option_values(one) for one in dict.fromkeys(made))


def _split(value: str | bool) -> Sequence[str | bool]:
    return value.split(",") if isinstance(value, str) else [value]


def _clocks(texts: Sequence[str], entrants: Sequence[Entrant]) -> tuple[str, ...]:
    names = [entrant.name for entrant in entrants]
    usual, own = "", {}
    for text in texts:
        name, equals, clock = text.rpartition("=")
        if equals and name not in names:
            raise UnknownNameError("entrant", name, names)
        control = str(read_time_control(clock.strip() or text))
        if equals:
            own[name] = control
        else:
            usual = control
    return tuple(own.get(name, usual) for name in names) if texts else ()


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = map(finite_number, text.split(","))
    except ValueError:
        raise GameError(
            f'--sprt can\'t be "{text}".', "Give two differences in rating: --sprt 0,20"
        ) from None
    return low, high
