"""The file formats of the original playground.

A recorded game is the JSON object of a ``game_state.json``: ``agents`` (their names), ``config``
(the environment), ``result`` (``name`` and ``id``), ``winners`` and ``state``, the states in any
order. The actions that led to a state are in its ``intended_actions``: a number for each agent, or
in radio mode [number, word, word].
"""

from __future__ import annotations

import itertools
import json
import re
import reprlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.codec.position import is_whole
from boardgames_cli.core.errors import GameError, PositionError, RecordError
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import Match
from boardgames_cli.core.spec import FileFormat, Recording
from boardgames_cli.games.pommerman.actions import Layout, Move, make_move
from boardgames_cli.games.pommerman.board import FIRST_AGENT, MOVE_NAMES, STOP, WORDS
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.layout import board_spec_of
from boardgames_cli.games.pommerman.state import PommermanState

RULES: Final[Mapping[str, Any]] = {"items_block": True, "caps": True, "strength": 2}
"""The options common to all environments."""

RULES_FLAGS: Final = "--items-block --caps --strength 2"

_FFA: Final = {"mode": "ffa"}
_TEAM: Final = {"mode": "team"}
_RADIO: Final = {"mode": "radio"}
_COLLAPSE: Final = {"collapse": True}
# Everything is visible there, and the blast strength is capped as in free for all.
_CLEAR: Final = {"view": 10}

_OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "OneVsOne-v0": {"mode": "duel"},
    "PommeFFACompetition-v0": _FFA,
    "PommeFFACompetitionFast-v0": _FFA,
    "PommeFFAFast-v0": _FFA,
    "PommeFFA-v1": _FFA | _COLLAPSE,
    "PommeTeamCompetition-v0": _TEAM,
    "PommeTeamCompetitionFast-v0": _TEAM,
    "PommeTeamCompetition-v1": _TEAM | _COLLAPSE,
    "PommeTeam-v0": _TEAM | _CLEAR,
    "PommeTeamFast-v0": _TEAM | _CLEAR,
    "PommeRadioCompetition-v2": _RADIO,
    "PommeRadio-v2": _RADIO,
}


def options_of_config(config: Any) -> dict[str, Any]:
    """The options of an environment by its name; empty if unknown."""
    return dict(_OPTIONS.get(config, {})) if isinstance(config, str) else {}


def config_of(game: Pommerman) -> str:
    """The closest environment to a rulebook: with its mode and, if available, its collapse.

    Other rules may differ from those of the environment.
    """
    fitting = [name for name, options in _OPTIONS.items() if options["mode"] == game.mode]
    wanted = {"mode": game.mode, **(_COLLAPSE if game.collapse else {})}
    return next((name for name in fitting if _OPTIONS[name] == wanted), fitting[0])


STEP: Final = "step_count"
ACTIONS: Final = "intended_actions"
SIZE: Final = "board_size"
RADIO: Final = "_radio_from_agent"

_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "agents": {
        "agent_id": "id", "is_alive": "alive", "position": "pos", "ammo": "ammo",
        "blast_strength": "blast_strength", "can_kick": "can_kick",
    },
    "bombs": {
        "position": "pos", "bomber_id": "bomber", "life": "life",
        "blast_strength": "blast_strength", "moving_direction": "dir",
    },
    "flames": {"position": "pos", "life": "life"},
}  # fmt: skip
"""The keys of each kind of object there, with those of our positions."""

_TEXTS: Final = JsonReader(what="", limit=1_000_000, error=PositionError)
_DIRECTIONS: Final = {None: 0, 0: 0, 1: 1, 2: 2, 3: 3, 4: 4}


def dump_state(game: Pommerman, state: PommermanState, moves: Sequence[Any] = ()) -> dict[str, Any]:
    """Convert a state to the playground's format.

    Args:
        game: The rulebook.
        state: A full state, after the layout.
        moves: The actions that led to the state; empty at the start.
    """
    values = state_values(game, state) | {ACTIONS: list(moves)}
    return {key: json.dumps(value) for key, value in values.items()}


def state_values(game: Pommerman, state: PommermanState) -> dict[str, Any]:
    """The fields of a state, not yet as strings, and without actions."""
    ours = game.to_json(state)
    values = {SIZE: game.board_spec.size, STEP: state.step, "board": ours["board"]}
    for key, names in _NAMES.items():
        values[key] = [{name: item[own] for name, own in names.items()} for item in ours[key]]
    for bomb in values["bombs"]:
        bomb["moving_direction"] = bomb["moving_direction"] or None
    values["items"] = ours["items"]
    if game.has_radio:
        words = {str(FIRST_AGENT + seat): said for seat, said in enumerate(ours["messages"])}
        values |= {"radio_vocab_size": WORDS, "radio_num_words": 2, RADIO: words}
    return values


def field(data: Mapping[str, Any], key: str) -> Any:
    """The value of a field, given directly or as a JSON string.

    Raises:
        PositionError: It is missing, or not JSON.
    """
    if key not in data:
        raise PositionError(f'the state file lacks the field "{key}".')
    value = data[key]
    if not isinstance(value, str):
        return value
    return _TEXTS.parse(value, f"{key} of the state file")


def _read_words(game: Pommerman, data: Mapping[str, Any]) -> dict[str, Any]:
    if RADIO not in data:
        return {}
    if not game.has_radio:
        raise PositionError(
            f"{RADIO}: there is no radio in mode {game.mode}.", "Choose --mode radio."
        )
    words = field(data, RADIO)
    seats = {str(FIRST_AGENT + seat) for seat in range(game.seats)}
    if not isinstance(words, Mapping) or set(words) != seats:
        raise PositionError(
            f"{RADIO} is {reprlib.repr(words)}.", f"It has two words for {' '.join(sorted(seats))}."
        )
    return {"messages": [words[seat] for seat in sorted(seats)]}


def _read_objects(data: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects of a list with our names."""
    listed = field(data, key)
    if not isinstance(listed, list) or not all(isinstance(item, Mapping) for item in listed):
        raise PositionError(f"{key} of the state file is not a list of objects.")
    found = []
    for item in listed:
        given = {"moving_direction": None, **item}
        missing = next((name for name in _NAMES[key] if name not in given), None)
        if missing is not None:
            raise PositionError(f'an entry of {key} lacks the field "{missing}".')
        found.append(
            {own: _READERS.get(name, _as_is)(given[name]) for name, own in _NAMES[key].items()}
        )
    return found


def _as_is(value: Any) -> Any:
    return value


def _direction(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | None) or value not in _DIRECTIONS:
        raise PositionError(f"moving_direction is {reprlib.repr(value)}.", "It is 1 to 4, or null.")
    return _DIRECTIONS[value]


_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "can_kick": bool,
    "moving_direction": _direction,
}
"""The fields whose values are written otherwise."""


STATES: Final = "state"

_RESULTS: Final = {"Win": 0, "Loss": 1, "Tie": 2, "Incomplete": 3}
_Match = Match[PommermanState, Move, Layout]


def ordered_states(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The states of a recorded game in order.

    Raises:
        RecordError: There are none, or steps are missing or repeated.
    """
    states = data.get(STATES)
    if not isinstance(states, list) or not states:
        raise RecordError(
            f'the recorded game has no states: "{STATES}" is not a list of them.',
            "Choose a game_state.json, or the folder of the states.",
        )
    found: dict[int, Mapping[str, Any]] = {}
    for number, state in enumerate(states):
        step = _step_of(state, f"{STATES}[{number}]")
        if step in found:
            raise RecordError(f"step {step} is there twice.", "Take one of the two out.")
        found[step] = state
    steps = sorted(found)
    for before, after in itertools.pairwise(steps):
        if after != before + 1:
            raise RecordError(
                f"steps are missing between {before} and {after}.",
                "Every step is needed to play the game again.",
            )
    return [found[step] for step in steps]


def _step_of(state: Any, where: str) -> int:
    if not isinstance(state, Mapping):
        raise RecordError(f"{where} is not a JSON object.", "Every state is one.")
    try:
        step = field(state, STEP)
    except PositionError as error:
        raise RecordError(f"{where}: {error.message}", error.todo) from None
    if not is_whole(step) or step < 0:
        raise RecordError(f"{where}: {STEP} is {reprlib.repr(step)}.", "It must be 0 or more.")
    number: int = step
    return number


def _load(game: Pommerman, recorded: Mapping[str, Any]) -> PommermanState:
    try:
        return PLAYGROUND.read_position(game, recorded)
    except PositionError as error:
        raise RecordError(f"step {field(recorded, STEP)}: {error.message}", error.todo) from None


def _take_step(game: Pommerman, match: _Match, recorded: Mapping[str, Any]) -> None:
    where = f"step {field(recorded, STEP)}"
    if match.waiting_for in ((), (CHANCE,)):
        raise RecordError(
            f"{where}: the recorded game goes on, but by these rules it was over before.",
            advice(game),
        )
    for seat, action in _read_moves(game, match, recorded, where).items():
        match.submit(seat, action)
    found = difference(game, _load(game, recorded), match.state)
    if found:
        raise RecordError(f"{where}: {found}.", advice(game))


def _read_moves(
    game: Pommerman, match: _Match, recorded: Mapping[str, Any], where: str
) -> dict[int, Move]:
    try:
        listed = field(recorded, ACTIONS)
    except PositionError as error:
        raise RecordError(f"{where}: {error.message}", error.todo) from None
    if not isinstance(listed, list) or len(listed) != game.seats:
        raise RecordError(
            f"{where}: {ACTIONS} is {reprlib.repr(listed)}.",
            f"It has an action for each of the {game.seats} agents.",
        )
    # Actions of dead agents are ignored.
    return {
        seat: _order(game, listed[seat], f"{where}: {ACTIONS}[{seat}]")
        for seat in match.waiting_for
    }


def _order(game: Pommerman, action: Any, where: str) -> Move:
    parts = action if isinstance(action, list) else [action]
    move, *words = parts or [None]
    if not is_whole(move) or not 0 <= move < len(MOVE_NAMES) or len(words) not in (0, 2):
        raise RecordError(
            f"{where} is {reprlib.repr(action)}.", "It is 0 to 5, or [0 to 5, word, word]."
        )
    if words in ([], [0, 0]):
        return make_move(move)
    if not game.has_radio:
        raise RecordError(
            f"{where} has words, but there is no radio in mode {game.mode}.", "Try --mode radio."
        )
    if not all(is_whole(word) and 1 <= word <= WORDS for word in words):
        raise RecordError(
            f"{where} is {reprlib.repr(action)}.", f"Words are 1 to {WORDS}, or 0 0 for silence."
        )
    return make_move(move, *words)


def _check_result(game: Pommerman, match: _Match, data: Mapping[str, Any]) -> None:
    result = data.get("result")
    name = result.get("name") if isinstance(result, Mapping) else result
    if name in (None, "Incomplete"):
        return
    if name not in list(_RESULTS):
        known = ", ".join(_RESULTS)
        raise RecordError(f"result is {reprlib.repr(name)}.", f"Its name is one of: {known}.")
    if not match.is_over:
        step = match.state.step
        longer = f" Or it was cut there: --steps {step}" if name == "Tie" and step else ""
        raise RecordError(
            f"the recorded game was over after step {step}, but by these rules it goes on.",
            advice(game) + longer,
        )
    # A tied duel is recorded without winners, so ``winners`` is more reliable than the name.
    recorded, ours = data.get("winners") or [], _winners(match)
    if recorded != ours:
        raise RecordError(
            f"the recorded winners are {reprlib.repr(recorded)}, by these rules {ours}.",
            advice(game),
        )


def _winners(match: _Match) -> list[int]:
    return [seat for seat, won in enumerate(match.returns) if won > 0]


def _result(match: _Match) -> dict[str, Any]:
    winners = _winners(match)
    is_cut = not match.is_over or match.truncated
    name = "Incomplete" if is_cut else "Win" if winners else "Tie"
    result = {"result": {"name": name, "id": _RESULTS[name]}}
    return result | {"winners": winners} if name == "Win" else result


def _moves(game: Pommerman, match: _Match, ply: int) -> Sequence[Any]:
    """The actions of all agents that led to a ply; dead agents stand still."""
    joint = match.steps[ply - 1].joint
    moves = [joint.get(seat, make_move(STOP)) for seat in range(game.seats)]
    return [[o.code, *o.words] if game.has_radio else o.code for o in moves]


def _name(listed: Sequence[Any], seat: int) -> str:
    """The short name of an agent: ``test::agents.SimpleAgent`` becomes SimpleAgent."""
    text = str(listed[seat]) if seat < len(listed) else ""
    kind = text.rpartition("::")[2].rpartition("name=")[2].partition(":")[0]
    last = re.split(r"[./\\]", kind)[-1]
    return re.sub(r"[^\w -]", "", last).strip() or "agent"


# -- differences between recorded states and ours ---------------------------------

_LISTS: Final = ("bombs", "flames", "items")


def difference(game: Pommerman, recorded: PommermanState, ours: PommermanState) -> str:
    """The first cell or field in which two states differ; empty if equal for the playground."""
    theirs, mine = state_values(game, recorded), state_values(game, ours)
    return (
        _in_board(theirs["board"], mine["board"])
        or _in_agents(theirs["agents"], mine["agents"])
        or next((text for key in _LISTS if (text := _in_list(key, theirs[key], mine[key]))), "")
    )


def advice(game: Pommerman) -> str:
    """The options to try for a game that our rules do not reproduce."""
    if any(getattr(game, name) != RULES[name] for name in ("items_block", "caps")):
        return f"The original plays with: {RULES_FLAGS}"
    return (
        "Perhaps it was played otherwise: try --mode, --collapse with --first-collapse, or --view."
    )


def _in_board(theirs: Sequence[Sequence[int]], mine: Sequence[Sequence[int]]) -> str:
    for row, (recorded, ours) in enumerate(zip(theirs, mine, strict=True)):
        for column, (wanted, found) in enumerate(zip(recorded, ours, strict=True)):
            if wanted != found:
                return f"the recorded board has {wanted} on r{row}c{column}, by these rules {found}"
    return ""


def _in_agents(theirs: Sequence[dict[str, Any]], mine: Sequence[dict[str, Any]]) -> str:
    for seat, (recorded, ours) in enumerate(zip(theirs, mine, strict=True)):
        for key, wanted in recorded.items():
            if wanted != ours[key]:
                return f"the recorded {key} of agent {seat} is {wanted}, by these rules {ours[key]}"
    return ""


def _in_list(key: str, theirs: Sequence[Any], mine: Sequence[Any]) -> str:
    for entry in theirs:
        if entry not in mine:
            return f"{key} has {entry}, which is not so by these rules"
    missing = next((entry for entry in mine if entry not in theirs), None)
    return "" if missing is None else f"{key} lacks {missing}, which is there by these rules"


_WHOLE_GAME: Final = "game_state.json"
_STATE_FILE: Final = re.compile(r"\d+\.json")


class Playground:
    """State files, and recorded games in one file or a folder of states."""

    def is_position(self, data: Mapping[str, Any]) -> bool:
        """Whether a JSON object looks like a state file of the original playground."""
        return any(key in data for key in (SIZE, STEP, ACTIONS))

    def is_recording(self, data: Mapping[str, Any]) -> bool:
        """Whether a JSON object looks like a recorded game."""
        return STATES in data or "finished_at" in data

    def join(self, files: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
        """The game in a folder: its ``game_state.json``, else the numbered state files.

        Raises:
            RecordError: There is neither.
        """
        if _WHOLE_GAME in files:
            return files[_WHOLE_GAME]
        names = sorted(name for name in files if _STATE_FILE.fullmatch(name))
        if not names:
            raise RecordError(
                "there is no recorded game in it.",
                f"A game of the playground is a {_WHOLE_GAME}, or state files: 000.json, 001.json.",
            )
        for name in names:
            if not self.is_position(files[name]):
                raise RecordError(f"{name} is not a state file of the playground.", "Remove it.")
        return {STATES: [files[name] for name in names]}

    def options(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The options of the environment that wrote an object, guessed if not given."""
        states = data.get(STATES, [data])
        named = options_of_config(data.get("config"))
        return {**RULES, **(named or _guess(states if isinstance(states, list) else []))}

    def read_position(self, game: Pommerman, data: Mapping[str, Any]) -> PommermanState:
        """Read a state of the playground.

        Args:
            game: The rulebook; its mode must fit the board.
            data: The JSON object.

        Raises:
            PositionError: It is not a valid state; the message names the field.
        """
        given, size = field(data, SIZE), game.board_spec.size
        if given != size:
            raise PositionError(
                f"board_size is {reprlib.repr(given)}, but mode {game.mode} plays on {size}.",
                "8 is a duel (--mode duel); 11 is ffa, team or radio.",
            )
        objects = {key: _read_objects(data, key) for key in _NAMES}
        return game.from_json(
            {
                "board": field(data, "board"),
                **objects,
                "items": field(data, "items"),
                "step": field(data, STEP),
                **_read_words(game, data),
            }
        )

    def write_position(self, game: Pommerman, state: PommermanState) -> dict[str, Any]:
        """A state file."""
        if not state.agents:
            raise PositionError(
                "there is nothing to write: the board is not laid out yet.",
                "Take a position from a game that has begun.",
            )
        return dump_state(game, state)

    def read_recording(self, game: Pommerman, data: Mapping[str, Any]) -> Recording:
        """Replay a recorded game by our rules.

        Args:
            game: The rulebook with the options of the recorded game.
            data: The JSON object.

        Raises:
            RecordError: It is not a recorded game, or our rules lead to another state; the message
                names the step.
        """
        states = ordered_states(data)
        match: _Match = Match(game, seed=0, start=_load(game, states[0]))
        for recorded in states[1:]:
            if match.is_over and not any(agent.alive for agent in match.state.agents):
                break  # the original plays one more step after a collapse has killed everyone
            _take_step(game, match, recorded)
        _check_result(game, match, data)
        names = data.get("agents")
        listed = names if isinstance(names, list) else []
        return Recording(match, tuple(_name(listed, seat) for seat in range(game.seats)))

    def write_recording(self, game: Pommerman, recorded: Recording) -> dict[str, Any]:
        """Convert a game to the playground's format.

        Raises:
            GameError: The board has not been laid out, or it is several games in one.
        """
        match: _Match = recorded.match
        laid_out = [ply for ply in range(match.ply + 1) if match.state_at(ply).agents]
        if not laid_out:
            raise GameError(
                "there is nothing to write: the board is not laid out yet.", "Play a step."
            )
        if any(step.is_chance for step in match.steps[laid_out[0] :]):
            raise GameError(
                "this is more than one game, since a tie was played again; a recorded game of the "
                "playground is a single one.",
                "Convert a game that was played without --rerun-ties.",
            )
        return {
            "agents": list(recorded.names),
            "config": config_of(game),
            "finished_at": None,
            **_result(match),
            STATES: [
                dump_state(
                    game, match.state_at(ply), _moves(game, match, ply) if ply > laid_out[0] else ()
                )
                for ply in laid_out
            ],
        }


PLAYGROUND: Final[FileFormat[Pommerman, PommermanState]] = Playground()


def _guess(states: Sequence[Any]) -> dict[str, Any]:
    """Guess the mode from words and size; teams can't be told from free for all."""
    for state in filter(lambda state: isinstance(state, Mapping), states):
        if RADIO in state or any(isinstance(did, list) for did in _actions(state)):
            return {"mode": "radio"}
        if _value(state, SIZE) == board_spec_of(2).size:
            return {"mode": "duel"}
    return {}


def _actions(state: Mapping[str, Any]) -> list[Any]:
    listed = _value(state, ACTIONS)
    return listed if isinstance(listed, list) else []


def _value(state: Mapping[str, Any], key: str) -> Any:
    try:
        return field(state, key)
    except PositionError:
        return None  # reading the state will report the problem
