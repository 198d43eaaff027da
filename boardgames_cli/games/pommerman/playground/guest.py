"""Agents written for the original playground, in our games."""

from __future__ import annotations

import operator
import random
import sys
import urllib.parse
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.agents.guest_class import (
    Maker,
    arguments_of,
    how_to_write,
    load_class,
    maker_of,
    read_arguments,
)
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.errors import AgentError, OptionError
from boardgames_cli.core.game import AnyGame, Game, Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.pommerman.actions import MOVES, Move, Seen, make_move
from boardgames_cli.games.pommerman.agents.simple import BomberAgent
from boardgames_cli.games.pommerman.board import MOVE_NAMES, WORDS
from boardgames_cli.games.pommerman.encode import PlaygroundEncoder
from boardgames_cli.games.pommerman.playground.observations import (
    GAME_TYPES,
    as_original,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import final_returns
from boardgames_cli.games.pommerman.state import PommermanState

_CONTAINED: Final = "DockerAgent"
"""The original's class of agents that run in containers."""
_ADDRESS: Final = frozenset({"host", "port"})
"""The arguments of the original's ``HttpAgent`` that an address stands for."""
_HTTP: Final = 80


class Discrete:
    """Numbers from 0 to ``n`` - 1; a minimal substitute for Gym's class.

    Args:
        n: The number of elements.
        rng: The generator for samples.
    """

    def __init__(self, n: int, rng: random.Random) -> None:
        self.n = n
        self.shape: tuple[int, ...] = ()
        self.rng = rng

    def sample(self) -> int:
        """A random number."""
        return self.rng.randrange(self.n)

    def contains(self, number: object) -> bool:
        """Whether it is one of the numbers."""
        return isinstance(number, int) and 0 <= number < self.n

    def to_json(self) -> int:
        """What the original's agents send to servers: the number of elements."""
        return self.n


class Several:
    """A move and two words; a minimal substitute for Gym's ``Tuple`` of spaces.

    Args:
        rng: Draws samples.
    """

    def __init__(self, rng: random.Random) -> None:
        self.spaces = (Discrete(len(MOVE_NAMES), rng), Discrete(WORDS, rng), Discrete(WORDS, rng))
        self.n = len(MOVE_NAMES)
        """The number of moves."""
        self.shape = (len(self.spaces),)

    def sample(self) -> list[int]:
        """A random move with random words, which are 0 to 7 here, as in the original."""
        return [space.sample() for space in self.spaces]

    def to_json(self) -> list[int]:
        """What the original's agents send to servers: the number of elements of each part."""
        return [space.n for space in self.spaces]


@dataclass
class PlaygroundAgent(BomberAgent):
    """An agent whose class was written for the original playground.

    A new instance is created for each game, with the given arguments.
    """

    agent: str = option("", "its module and class, as MODULE:CLASS")
    arguments: str = option("", "arguments of the class, written playground[KEY=VALUE]:...")
    _make: Maker | None = field(default=None, init=False, repr=False, compare=False)
    _guest: Any = field(default=None, init=False, repr=False, compare=False)
    _encoder: Any = field(default=None, init=False, repr=False, compare=False)
    _seat: Seat = field(default=0, init=False, repr=False, compare=False)
    _told: int = field(default=-1, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.agent:
            self._make = _maker(self.agent, self.arguments)

    def supports(self, game: AnyGame) -> str | None:
        """Pommerman, if a class is given."""
        if self._make is None:
            return f"it must know which class plays. {how_to_write('playground')}"
        return super().supports(game)

    def reset(self, game: Game[PommermanState, Move, Any], seat: Seat) -> None:
        """Start a game with a new instance of the class, and tell it its seat.

        Raises:
            OptionError: It is not Pommerman.
        """
        super().reset(game, seat)
        assert self._make is not None, "supports() refuses to play without a class"
        self._guest, self._seat, self._told = self._make(), seat, -1
        self._encoder = PlaygroundEncoder(self._game)
        if hasattr(self._guest, "init_agent"):
            self._guest.init_agent(seat, _game_type(self._game))

    def watch(self, seen: Seen) -> None:
        """Tell it the reward when a game is over."""
        state, game = seen.state, self._game
        if not state.agents or state.reruns == self._told:
            return
        final = final_returns(state, teams=game.is_team, steps=game.steps)
        if final is not None:
            self._told = state.reruns
            if hasattr(self._guest, "episode_end"):
                self._guest.episode_end(final[self._seat])

    def act(self, seen: Seen, thinking: Thinking) -> Move:
        """The class's answer to the original's observation.

        Raises:
            AgentError: Its answer is not a move.
        """
        rng = thinking.rng
        space = Several(rng) if self._game.has_radio else Discrete(len(MOVE_NAMES), rng)
        answer = self._guest.act(as_original(self._encoder, seen), space)
        return read_answer(answer, self._game, self.agent)


def _maker(text: str, given: str) -> Maker:
    """A function that makes instances of a class of the original."""
    if text.endswith(f":{_CONTAINED}"):
        raise OptionError(
            "agents in Docker containers can't be seated: this program starts no containers.",
            "Start it yourself with docker run -p 10080:10080 IMAGE, and write "
            "playground[url=http://localhost:10080]:pommerman.agents:HttpAgent",
        )
    kind = load_class(text, "playground")
    arguments = read_arguments(given)
    known = arguments_of(kind)
    if "url" in arguments and known and "url" not in known and known.keys() >= _ADDRESS:
        if _ADDRESS & arguments.keys():
            raise OptionError(f'"{given}" gives the host or the port twice.', "Leave one out.")
        arguments |= _address(str(arguments.pop("url")))
    return maker_of(kind, arguments)


def _address(url: str) -> dict[str, Any]:
    """The host and the port of a server."""
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urllib.parse.SplitResult("", "", "", "", ""), None
    if parts.scheme != "http" or not parts.hostname or parts.path.strip("/"):
        raise OptionError(
            f'"{url}" is not an address of an agent.', "Write it like http://localhost:10080"
        )
    return {"host": parts.hostname, "port": port or _HTTP}


def read_answer(answer: Any, game: Pommerman, name: str) -> Move:
    """Parse an answer: a number, or in radio mode a list of it and two words.

    A message with the word 0 is silence.

    Raises:
        AgentError: It is not a move.
    """
    listed = answer.tolist() if hasattr(answer, "tolist") else answer
    parts = (
        list(listed) if isinstance(listed, Sequence) and not isinstance(listed, str) else [listed]
    )
    try:
        move, *words = [operator.index(getattr(part, "value", part)) for part in parts]
    except (TypeError, ValueError):
        move, words = -1, []
    is_message = game.has_radio and len(words) == 2 and all(0 <= word <= WORDS for word in words)
    if not 0 <= move < len(MOVE_NAMES) or (words and not is_message):
        form = "0 to 5, or [0 to 5, word, word]" if game.has_radio else "0 to 5"
        raise AgentError(
            f'agent "{name}" answered {str(answer)[:40]}, which is not an action.', f"It is {form}."
        )
    return make_move(move, *words) if words and all(words) else MOVES[move]


def _game_type(game: Pommerman) -> Any:
    """The original's ``GameType``, if it is in use, else its number."""
    known = getattr(sys.modules.get("pommerman.constants"), "GameType", int)
    return known(GAME_TYPES[game.mode])
