"""Opens sessions from the user's choices."""

from __future__ import annotations

import datetime
import hashlib
import math
import os
import random
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boardgames_cli.agents.remote.seating import PATIENCE_SECONDS, default_seconds, prepare
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.agent import ADAPTIVE, Budget
from boardgames_cli.core.errors import (
    EXIT_FILE,
    GameError,
    OptionError,
    PositionError,
    SeatError,
    StorageError,
)
from boardgames_cli.core.game import CHANCE, OVER, AnyGame, Ending, PassesTime, Seat, Traits
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.options import option_values
from boardgames_cli.core.randomness import check_seed
from boardgames_cli.core.record import Header
from boardgames_cli.core.text import Glyphs
from boardgames_cli.registry import commands_in, is_adaptive, make, resolve_level, spec_of
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
from boardgames_cli.session.viewpoint import read_viewpoint
from boardgames_cli.storage.journal import Journal
from boardgames_cli.storage.paths import config_file, puzzle_progress_file, results_file
from boardgames_cli.storage.preferences import Preferences, PreferencesFile, wants_no_motion
from boardgames_cli.storage.reading import load_record, restore
from boardgames_cli.storage.store import Store, new_header

if TYPE_CHECKING:
    from boardgames_cli.core.presentation.home_page import Opponent
    from boardgames_cli.storage.played_games import PlayedGame

POSITIONS: Final = JsonReader(
    what="the position",
    limit=1_000_000,
    error=PositionError,
    remedy="docs/file-formats.md shows the format.",
)


def read_position(path: Path) -> dict[str, Any]:
    """Read a position from a JSON file; ``-`` is standard input."""
    return POSITIONS.read_object(path, allow_stream=True)


def state_to_play(game: AnyGame, position: Mapping[str, Any]) -> Any:
    """The state of a position in the game's own format, in which there are moves to make."""
    state = game.from_json(position)
    if game.is_over(state):
        raise GameError("the game is over in this position.", "Choose one with moves to make.")
    return state


SHORTEST_TICK: Final = 0.1
LONGEST_TICK: Final = 5.0
"""The range of ticks in seconds: faster is impossible to follow, slower is not real time."""

_MOST_IN_REAL_TIME: Final = 2

_SEED_BITS: Final = 64
"""The size of random seeds: too large to try them all."""

_TORN: Final = "The last line of the save was cut off; the game goes on from the step before it."


class Pace(Enum):
    """How fast steps of agents and chance are shown, as the shortest interval in seconds."""

    INSTANT = "instant"
    FAST = "fast"
    NORMAL = "normal"
    SLOW = "slow"
    STEP = "step"

    @property
    def seconds(self) -> float | None:
        """The shortest interval between visible changes; None waits for a key."""
        return _SECONDS[self]


_SECONDS: Final = {
    Pace.INSTANT: 0.0,
    Pace.FAST: 0.3,
    Pace.NORMAL: 0.8,
    Pace.SLOW: 1.5,
    Pace.STEP: None,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How a game is shown and paced; nothing here affects its course."""

    pace: Pace = Pace.NORMAL
    glyphs: Glyphs = Glyphs.ASCII
    theme: str = "dark"
    """``dark``, ``light`` or ``monochrome``."""
    think_seconds: float | None = None
    """The thinking time of agents per action; None for the game's default."""
    tick: float | None = None
    """Seconds between joint steps in real time; None for turn-based play."""
    is_shared: bool = False
    """Whether people sharing a screen may see each other's secrets."""
    tutor: bool = False
    """Whether the tutor questions mistakes before they are played."""
    view_as: str = ""
    """The viewpoint for watching agents; empty for the game's default."""
    terse: bool = False
    """Plain text: show boards and boxes only on request."""
    is_verbose: bool = False
    """Plain text: tell the agents behind the names of levels, and drawn seeds."""
    auto_forced: bool = False
    """Whether forced actions are taken at once instead of at the agents' pace."""
    reduced_motion: bool = False
    """Whether everything that moves is turned off: animations, banners, the countdown."""
    bell: bool = False
    """Whether the terminal's bell rings at moments with a banner."""
    games: tuple[str, ...] = ()
    """The games that the menu offers; empty offers all."""
    open_server: Callable[[str], Any] | None = None
    """Opens a server, listening at an address, for the tables that the menu opens here."""
    save_folder: Path | None = None
    save: bool = True
    results_file: Path | None = None
    """The file of results of people's saved games; None for none."""
    puzzles_file: Path | None = None
    drill_file: Path | None = None
    config_file: Path | None = None
    preferences: Preferences = field(default_factory=Preferences)
    """The user's preferences; other arguments override them."""
    preferences_problem: str = ""
    """Why the file of preferences could not be used; empty if it could."""

    @classmethod
    def preferred(cls) -> Settings:
        """What the user's preferences and the environment ask for, with the user's own files."""
        preferences, problem = Preferences(), ""
        try:
            preferences = PreferencesFile(config_file()).read()
        except StorageError as error:
            problem = str(error)
        return cls(
            pace=Pace(preferences.pace) if preferences.pace else Pace.NORMAL,
            theme=preferences.theme or "dark",
            auto_forced=preferences.auto_forced,
            reduced_motion=preferences.calm or wants_no_motion(os.environ),
            bell=preferences.bell,
            results_file=results_file(),
            puzzles_file=puzzle_progress_file(),
            config_file=config_file(),
            preferences=preferences,
            preferences_problem=problem,
        )


def remember_choices(chosen: Settings, before: Preferences, game: str) -> None:
    """Store the choices made for a game in a menu.

    Nothing is written if the preferences can't be used.
    """
    if chosen.config_file is None or chosen.preferences_problem:
        return
    now = chosen.preferences
    values: dict[str, Any] = {"last_game": game, "forms": {game: now.forms[game]}}
    for name in ("theme", "pace", "names"):
        if getattr(now, name) != getattr(before, name):
            values[name] = getattr(now, name)
    PreferencesFile(chosen.config_file).remember(**values)


@dataclass(frozen=True, slots=True)
class Setup:
    """A game to be played: its options, seats and start."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    """Specifications of the first seats; the missing ones are filled with ``rest``."""
    rest: str = "ai"
    seed: int | None = None
    position: Path | None = None
    start: Mapping[str, Any] | None = None
    """A start position in the game's own format, if it does not come from a file."""
    max_plies: int | None = None


def open_session(setup: Setup, settings: Settings, patience: float = PATIENCE_SECONDS) -> Session:
    """Set up a new session and create its save.

    Agents in other processes are waited for no longer than the patience in seconds; slower ones go
    on starting while the game begins.
    """
    game = make(setup.game, **dict(setup.options))
    seats = _adapted(game, fill_seats(game, setup.seats, setup.rest), settings.results_file)
    random_seed = random.SystemRandom().getrandbits(_SEED_BITS)
    seed = random_seed if setup.seed is None else check_seed(setup.seed)
    holders = seat_people(game, seats, seed, _think_seconds(game, settings))
    _check_settings(game, holders, settings)
    position = None if setup.start is None else dict(setup.start)
    if setup.position is not None:
        position = read_position(setup.position)
    start = None if position is None else state_to_play(game, position)
    prepare((holder.agent for holder in holders), patience)
    match: AnyMatch = Match(game, seed=seed, start=start, max_plies=setup.max_plies)
    journal = None
    if settings.save:
        specs = tuple(holder.spec for holder in holders)
        journal = Store.at(settings.save_folder).create(
            new_header(
                game,
                seed=seed,
                seats=specs,
                start=position,
                max_plies=setup.max_plies,
                tick=settings.tick,
            )
        )
    return _seated(match, holders, journal, settings)


def _adapted(game: AnyGame, seats: Sequence[str], results: Path | None) -> Sequence[str]:
    """The seats with agents about as strong as the first person in place of ``adaptive``."""
    if not any(map(is_adaptive, seats)):
        return seats
    from boardgames_cli.evaluation.milestones import level_near, rating_of
    from boardgames_cli.storage.played_games import ResultsFile

    spec, persons = spec_of(game), people(seats)
    if not persons:
        resolve_level(ADAPTIVE, spec)
    games = [] if results is None else ResultsFile(results).read()[0]
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
        holders = seat_people(match.game, seats, match.seed, _think_seconds(match.game, settings))
        settings = _in_the_time_of(record.header, match.game, holders, settings)
        _check_settings(match.game, holders, settings)
        prepare((holder.agent for holder in holders), patience)
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
    header: Header, game: AnyGame, holders: Sequence[SeatHolder], settings: Settings
) -> Settings:
    """Continue a real-time game in real time, unless that was changed or is impossible."""
    if settings.tick is not None or header.tick is None:
        return settings
    timed = replace(settings, tick=header.tick)
    try:
        _check_settings(game, holders, timed)
    except GameError:
        return settings
    return timed


def _seated(
    match: AnyMatch,
    holders: Sequence[SeatHolder],
    journal: Journal | None,
    settings: Settings,
) -> Session:
    budget = Budget(_think_seconds(match.game, settings))
    session = Session(match, holders, journal, budget, settings.glyphs, settings.is_shared)
    session.tick = settings.tick
    session.runner.is_unhurried = not session.humans and settings.think_seconds is None
    if settings.view_as:
        session.follow(read_viewpoint(match.game, settings.view_as))
    note_results(session, settings)
    return session


def _think_seconds(game: AnyGame, settings: Settings) -> float:
    return settings.think_seconds or default_seconds(game)


def _check_settings(game: AnyGame, holders: Sequence[SeatHolder], settings: Settings) -> None:
    if settings.think_seconds is not None and not 0 < settings.think_seconds < math.inf:
        raise OptionError(f"agents can't think for {settings.think_seconds} s.", "More than 0.")
    if settings.tick is not None and not SHORTEST_TICK <= settings.tick <= LONGEST_TICK:
        raise OptionError(
            f"a tick can't be {settings.tick} s.", f"Allowed: {SHORTEST_TICK} to {LONGEST_TICK}."
        )
    if settings.view_as:
        read_viewpoint(game, settings.view_as)
    if settings.tutor and any(holder.is_human for holder in holders):
        from boardgames_cli.evaluation.tutor import check_tutor  # few games use it

        check_tutor(game)
    if settings.tick is None:
        return
    if not isinstance(game, PassesTime):
        raise GameError(
            f"{game.info.name} can't be played in real time: it waits for everybody.",
            "Leave --tick out.",
        )
    people = sum(holder.is_human for holder in holders)
    if people > _MOST_IN_REAL_TIME:
        raise SeatError(
            f"in real time at most {_MOST_IN_REAL_TIME} people fit at one keyboard, not {people}.",
            "Leave --tick out, and each step waits until everybody has chosen.",
        )
    if people > 1 and keeps_secrets(game) and not settings.is_shared:
        raise SeatError(
            f"in real time {people} people look at one screen, and {game.info.name} has secrets.",
            "Say that you don't mind (--shared-screen), or leave --tick out to take turns.",
        )


def replay_of(path: Path, glyphs: Glyphs = Glyphs.ASCII) -> Replay:
    """The save in a file as a replay, read-only."""
    record = load_record(path)
    return Replay.of_record(restore(record, path), record, glyphs, path)


AS_BEFORE: Final = ""
"""Instead of an agent: keep the seats of the old game."""


def branch(replay: Replay, ply: int, rival: str = AS_BEFORE) -> Setup:
    """Set up a new game from a position of an old one, with a new seed.

    The rival takes all seats but one, which a person takes; `AS_BEFORE` keeps the seats.
    """
    match = replay.match
    if match.game.is_over(match.state_at(ply)):
        raise GameError("the game is over here.", "Go back to an earlier step.")
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
        player = player_at(replay, ply)
        own = replay.seats[player] if player in replay.people else HUMAN
        seats = tuple(own if seat == player else rival for seat in range(len(replay.seats)))
    return Setup(
        match.game.info.id,
        options=option_values(match.game),
        seats=seats,
        start=start_of(match, ply, player_at(replay, ply)),
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


def note_results(session: Session, settings: Settings) -> None:
    """Record the result of people's session when its saved game ends, and again after undo."""
    path = settings.results_file
    if path is None or not session.humans:
        return

    def note() -> None:
        from boardgames_cli.storage.played_games import ResultsFile  # not needed before the end

        if not session.match.has_result:
            return
        try:
            ResultsFile(path).add(played_game(session))
        except StorageError as error:
            session.remark(f"Your statistics miss this game: {error.message}")

    session.saving.at_end = note


def record_of(session: Session, path: Path | None) -> list[str]:
    """What a finished game has changed for the first person, and their record, as sentences.

    Empty without a file of results, and for a first game that has changed nothing.
    """
    from boardgames_cli.evaluation.milestones import progress_in_words
    from boardgames_cli.storage.played_games import played_games, statistics

    is_noted = session.saving.at_end is not None and session.journal is not None
    games, ending = played_games(path) if is_noted else [], session.match.ending
    if not games or (ending is not None and not ending.outcomes):
        return []
    person = session.humans[0]
    names, game = _names(session), session.game.info.id
    name = names[person]
    news = _parting_words(session, person)
    news += progress_in_words(games, _id(session), game, name)
    known = next((k for k in statistics(games) if (k.game, k.player) == (game, name)), None)
    if known is None or known.total.games < 2:  # one game is not a record
        return news
    rivals = [one for one in dict.fromkeys(names) if one in known.opponents and one != name]
    record = [f"{name} against {rival}: {known.opponents[rival]}." for rival in rivals]
    if all(known.opponents[rival].games < known.total.games for rival in rivals):
        record.append(f"{name} in all: {known.total}.")
    if len(rivals) == 1 and rival_of(session) is None:  # a ladder has stakes of its own
        tally = known.opponents[rivals[0]]
        ahead, level = tally.won - tally.lost, max(tally.won, tally.lost)
        if ahead == 0:
            record.append("The next win takes the lead.")
        elif abs(ahead) == 1:
            record.append(
                f"{name if ahead < 0 else rivals[0]} can draw level at {level} : {level}."
            )
    return [*news, *record]


def _parting_words(session: Session, person: Seat) -> list[str]:
    best, rival = session.match.winners, rival_of(session)
    said = "" if rival is None else rival.on_loss if person in best else rival.on_win
    return [f'{rival.face} {rival.name}: "{said}"'.strip()] if rival and best and said else []


def rival_of(session: Session) -> Opponent | None:
    """The opponent of the ladder whom the only person plays; else None."""
    from boardgames_cli.core.presentation.home_page import opponent_of

    names, persons = _names(session), session.humans
    rivals = {name for seat, name in enumerate(names) if seat not in persons}
    return opponent_of(session.spec, *rivals) if len(rivals) == len(persons) == 1 else None


def next_opponent(session: Session, path: Path | None) -> Opponent | None:
    """Who is next on the ladder after an opponent who is beaten; else None."""
    from boardgames_cli.evaluation.milestones import climb_of
    from boardgames_cli.storage.played_games import played_games

    rival = rival_of(session)
    if rival is None:
        return None
    name = _names(session)[session.humans[0]]
    climb = climb_of(played_games(path), session.game.info.id, name)
    ahead = None if climb is None else climb.next
    return None if ahead == rival else ahead


def played_game(session: Session) -> PlayedGame:
    """The result of a finished session."""
    from boardgames_cli.storage.played_games import PlayedGame

    ending = session.match.ending or Ending(OVER)
    return PlayedGame(
        id=_id(session),
        game=session.game.info.id,
        ended=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        people=session.humans,
        names=_names(session),
        returns=session.match.returns,
        hints=session.hints_taken,
        agents=tuple(holder.exact_agent for holder in session.holders),
        reason=ending.reason,
        outcomes=ending.outcomes,
    )


def _names(session: Session) -> tuple[str, ...]:
    """The names of all seats; an agent on several seats has one name."""
    return tuple(
        holder.name if holder.is_human else holder.shared_name or holder.name
        for holder in session.holders
    )


def _id(session: Session) -> str:
    header = "" if session.journal is None else session.journal.header.line()
    if session.is_remote:  # several people of one machine may play it, each with a save
        header += f"{session.humans}"
    return hashlib.sha256(header.encode()).hexdigest()[:16]


def closing_message(session: Session, settings: Settings) -> str:
    """Where the game is saved, and the commands to resume, replay or review it."""
    journal, warning = session.journal, session.saving.warning
    if journal is None:
        return "It was not saved here." if settings.save else "This game was not saved, as asked."
    where = save_arguments(journal.path, settings.save_folder)
    if warning:
        return f"{warning} What is saved: boardgames resume {where}"
    if session.match.is_over:
        # Not needed before.
        from boardgames_cli.algorithms.analysts.choose_analyst import why_no_analyst

        said = f"Saved as {journal.name}. See it again: boardgames replay {where}"
        # A line of its own: with a folder, both commands are too long for one.
        is_judged = session.match.has_result and why_no_analyst(session.game) is None
        return f"{said}\nHave it judged: boardgames review {where}" if is_judged else said
    return f"Saved as {journal.name}. Go on with: boardgames resume {where}"


def save_arguments(path: Path, folder: Path | None) -> str:
    """What names a save on a command line, with the folder if one was given."""
    name = Store.at(folder).name_of(path)
    if folder is None or name != path.stem:
        return shlex.quote(name)
    return f"{name} --save-dir {shlex.quote(str(folder))}"
