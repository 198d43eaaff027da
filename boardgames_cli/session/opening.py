"""Opens sessions: a new game, a save, or a position of an old game."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from boardgames_cli.agents.remote.seating import PATIENCE_SECONDS, default_seconds, prepare
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.agent import ADAPTIVE, Budget
from boardgames_cli.core.errors import (
    EXIT_FILE,
    GameError,
    OptionError,
    PositionError,
    SeatError,
)
from boardgames_cli.core.game import CHANCE, AnyGame, Seat, Traits
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.options import option_values
from boardgames_cli.core.randomness import check_seed
from boardgames_cli.core.record import Header
from boardgames_cli.registry import commands_in, is_adaptive, make, resolve_level, spec_of
from boardgames_cli.session.parting import note_results
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.seats import (
    HUMAN,
    SeatHolder,
    fill_seats,
    holder_name,
    keeps_secrets,
    people,
    seat_people,
)
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings, Setup, check_tick
from boardgames_cli.session.viewpoint import read_viewpoint
from boardgames_cli.storage.journal import Journal
from boardgames_cli.storage.store import Store, new_header

POSITIONS: Final = JsonReader(
    what="the position",
    limit=1_000_000,
    error=PositionError,
    remedy="docs/file-formats.md shows the format.",
    takes_stream=True,
)


def read_position(path: Path) -> dict[str, Any]:
    """Read a position from a JSON file; ``-`` is standard input."""
    return POSITIONS.read_object(path)


def state_to_play(game: AnyGame, position: Mapping[str, Any]) -> Any:
    """The state of a position in the game's own format, in which there are moves to make."""
    state = game.from_json(position)
    if game.is_over(state):
        raise GameError("the game is over in this position.", "Choose one with moves to make.")
    return state


_MOST_IN_REAL_TIME: Final = 2

_SEED_BITS: Final = 64
"""The size of random seeds: too large to try them all."""

_TORN: Final = "The last line of the save was cut off; the game goes on from the step before it."


def open_session(setup: Setup, settings: Settings, patience: float = PATIENCE_SECONDS) -> Session:
    """Set up a new session and create its save.

    Agents in other processes are waited for no longer than the patience in seconds; slower ones go
    on starting while the game begins.
    """
    game = make(setup.game, **dict(setup.options))
    seats = _adapted(game, fill_seats(game, setup.seats, setup.rest), settings.results_file)
    random_seed = random.SystemRandom().getrandbits(_SEED_BITS)
    seed = random_seed if setup.seed is None else check_seed(setup.seed)
    start = None if setup.start is None else state_to_play(game, setup.start)
    match: AnyMatch = Match(game, seed=seed, start=start, max_plies=setup.max_plies)
    holders = _holders(match, seats, settings, patience)
    journal = None
    if settings.save:
        specs = tuple(holder.spec for holder in holders)
        journal = Store.at(settings.save_folder).create(
            new_header(
                game,
                seed=seed,
                seats=specs,
                start=setup.start,
                max_plies=setup.max_plies,
                tick=settings.tick,
            )
        )
    return _seated(match, holders, journal, settings)


def _adapted(game: AnyGame, seats: Sequence[str], results: Path | None) -> Sequence[str]:
    if not any(map(is_adaptive, seats)):
        return seats
    from boardgames_cli.evaluation.milestones import level_near, rating_of
    from boardgames_cli.storage.played_games import read_results

    spec, persons = spec_of(game), people(seats)
    if not persons:
        resolve_level(ADAPTIVE, spec)
    games = [] if results is None else read_results(results)[0]
    rating = rating_of(games, spec.info.id, holder_name(seats[persons[0]], spec))
    near = level_near(spec, rating)
    return [near if is_adaptive(seat) else seat for seat in seats]


class UntrustedCommandError(GameError):
    """A file names programs to run, and the user has not allowed it.

    The command that opens it again comes without the name of this program.
    """

    exit_code = EXIT_FILE

    def __init__(self, what: str, commands: Sequence[str], again: str) -> None:
        super().__init__(
            f"{what} would run a program: {'; '.join(commands)}",
            f"If you trust it: boardgames {again} --run-commands",
        )
        self.commands = tuple(commands)


def resume_session(
    name: str,
    settings: Settings,
    patience: float = PATIENCE_SECONDS,
    is_trusted: bool = False,
) -> Session:
    """Open a save to continue it.

    One that names programs raises `UntrustedCommandError` unless it is trusted.
    """
    match, journal, record = Store.at(settings.save_folder).resume(name)
    try:
        seats = fill_seats(match.game, record.header.seats)
        commands = [c for spec in seats for c in commands_in(spec, spec_of(match.game))]
        if commands and not is_trusted:
            raise UntrustedCommandError(f"the save {name}", commands, f"resume {name}")
        settings = _in_the_time_of(record.header, match.game, seats, settings)
        holders = _holders(match, seats, settings, patience)
    except BaseException:
        journal.close()
        raise
    session = _seated(match, holders, journal, settings)
    session.log.recall(record.notes)
    if record.torn:
        session.remark(_TORN)
    session.saving.retry()
    return session


def _in_the_time_of(
    header: Header, game: AnyGame, seats: Sequence[str], settings: Settings
) -> Settings:
    if settings.tick is not None or header.tick is None:
        return settings
    timed = replace(settings, tick=header.tick)
    try:
        _check_settings(game, seats, timed)
    except GameError:
        return settings
    return timed


def _holders(
    match: AnyMatch, seats: Sequence[str], settings: Settings, patience: float
) -> Sequence[SeatHolder]:
    holders = seat_people(match.game, seats, match.seed, _think_seconds(match.game, settings))
    _check_settings(match.game, seats, settings)
    prepare((holder.agent for holder in holders), patience)
    return holders


def _seated(
    match: AnyMatch,
    holders: Sequence[SeatHolder],
    journal: Journal | None,
    settings: Settings,
) -> Session:
    budget = Budget(_think_seconds(match.game, settings))
    session = Session(match, holders, journal, budget, settings.glyphs, settings.is_shared)
    session.tick = settings.tick
    session.is_unhurried = not session.humans and settings.think_seconds is None
    if settings.view_as:
        session.follow(read_viewpoint(match.game, settings.view_as))
    note_results(session, settings)
    return session


def _think_seconds(game: AnyGame, settings: Settings) -> float:
    return settings.think_seconds or default_seconds(game)


def _check_settings(game: AnyGame, seats: Sequence[str], settings: Settings) -> None:
    if settings.think_seconds is not None and not 0 < settings.think_seconds < math.inf:
        raise OptionError(f"agents can't think for {settings.think_seconds} s.", "More than 0.")
    if settings.view_as:
        read_viewpoint(game, settings.view_as)
    if settings.tutor and people(seats):
        from boardgames_cli.evaluation.tutor import check_tutor  # few games use it

        check_tutor(game)
    if settings.tick is None:
        return
    check_tick(game, settings.tick)
    count = len(people(seats))
    if count > _MOST_IN_REAL_TIME:
        raise SeatError(
            f"in real time at most {_MOST_IN_REAL_TIME} people fit at one keyboard, not {count}.",
            "Leave --tick out, and each step waits until everybody has chosen.",
        )
    if count > 1 and keeps_secrets(game) and not settings.is_shared:
        raise SeatError(
            f"in real time {count} people look at one screen, and {game.info.name} has secrets.",
            "Say that you don't mind (--shared-screen), or leave --tick out to take turns.",
        )


AS_BEFORE: Final = ""
"""Instead of an agent: keep the seats of the old game."""


def branch(replay: Replay, ply: int, rival: str = AS_BEFORE) -> Setup:
    """Set up a new game from a position of an old one, with a new seed.

    The rival takes all seats but one, which a person takes; `AS_BEFORE` keeps the seats.
    """
    match = replay.match
    if match.game.is_over(match.state_at(ply)):
        raise GameError("the game is over here.", "Go back to an earlier step.")
    player = player_at(replay, ply)
    if rival == AS_BEFORE:
        seats = replay.seats
        spec = spec_of(match.game)
        commands = [command for seat in seats for command in commands_in(seat, spec)]
        if commands:
            raise GameError(
                f"an agent of this game is a program on this machine: {commands[0]}.",
                "Choose another opponent.",
            )
    else:
        own = replay.seats[player] if player in replay.people else HUMAN
        seats = tuple(own if seat == player else rival for seat in range(len(replay.seats)))
    return Setup(
        match.game.info.id,
        options=option_values(match.game),
        seats=seats,
        start=start_of(match, ply, player),
    )


def player_at(replay: Replay, ply: int) -> Seat:
    """The seat that a person takes at a ply: their own, else the next one to act."""
    mine = replay.people
    match = replay.match
    for at in range(ply, match.ply):
        acting = [seat for seat in match.game.to_act(match.state_at(at)) if seat != CHANCE]
        found = [seat for seat in acting if seat in mine or not mine]
        if found:
            return found[0]
    return mine[0] if mine else 0


def start_of(match: AnyMatch, ply: int, seat: Seat) -> dict[str, Any]:
    """A position of a match, in the game's own form.

    Hidden information is resampled consistently with the seat's observation, because a player who
    has seen the replay would otherwise know it.
    """
    game, state = match.game, match.state_at(ply)
    if Traits.HIDDEN in game.traits and CHANCE not in game.to_act(state):
        state = game.determinize(match.observe(seat, ply), random.SystemRandom())
    return game.to_json(state)
