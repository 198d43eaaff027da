"""Our agents in the original playground's environments, and its observations in both directions.

The original shows a dictionary: the arrays of `encode.PlaygroundEncoder`, with members of its enum
``Item`` for teammate and enemies, and the type of game.
"""

from __future__ import annotations

import enum
import random
import sys
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from boardgames_cli.core.agent import Budget, Thinking
from boardgames_cli.core.errors import GameError, MissingPackageError
from boardgames_cli.core.game import Observation
from boardgames_cli.core.match import ask, brief
from boardgames_cli.games.pommerman.actions import Seen
from boardgames_cli.games.pommerman.board import (
    BOMB_LIFE,
    DELTAS,
    FIRST_AGENT,
    FOG,
    POWERS,
    RIGID,
    UNKNOWN,
    WOOD,
    Mask,
    mask_where,
    mate_of,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import SILENCE, Bomb, Bomber, PommermanState, Words
from boardgames_cli.registry import find_game, make_agent, read_agent

try:
    import numpy as np
    import numpy.typing as npt

    from boardgames_cli.games.pommerman.encode import PlaygroundEncoder
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    raise MissingPackageError("agents for the original playground", "numpy", "numpy") from error

__all__ = ["Agent", "Item", "Translator", "as_original", "game_of", "item"]

Original = Mapping[str, Any]
"""An observation in the original's form."""

RULES: Final[Mapping[str, Any]] = {"items_block": True, "caps": True, "strength": 2}
"""The options that all of the original's environments have in common."""

GAME_TYPES: Final = {"ffa": 1, "team": 2, "radio": 3, "duel": 4}
"""The original's game types, by our modes."""

_MAPS: Final = ("bomb_blast_strength", "bomb_life", "bomb_moving_direction", "flame_life")


Item = enum.IntEnum(
    "Item",
    "Passage Rigid Wood Bomb Flames Fog ExtraBomb IncrRange Kick AgentDummy Agent0 Agent1 Agent2 "
    "Agent3",
    start=0,
)
"""The content of a cell, as in the original, in case that is not installed."""


def item(number: int) -> Any:
    """The member of ``Item`` for a number; the original's own, if it is in use."""
    constants = sys.modules.get("pommerman.constants")
    return getattr(constants, "Item", Item)(number)


def as_original(encoder: PlaygroundEncoder, seen: Seen) -> dict[str, Any]:
    """A seat's observation after the layout in the original's form."""
    arrays, game, state = encoder.encode(seen), encoder.game, seen.state
    shown: dict[str, Any] = {
        "alive": [FIRST_AGENT + seat for seat, one in enumerate(state.agents) if one.alive],
        "board": arrays["board"].astype(np.uint8),
        **{name: arrays[name].astype(np.float64) for name in _MAPS},
        "ammo": int(arrays["ammo"]),
        "blast_strength": int(arrays["blast_strength"]),
        "position": tuple(arrays["position"].tolist()),
        "can_kick": bool(arrays["can_kick"]),
        "teammate": item(int(arrays["teammate"])),
        "enemies": [item(enemy) for enemy in arrays["enemies"].tolist()],
        "game_type": GAME_TYPES[game.mode],
        "game_env": f"pommerman.envs.{'v1' if game.collapse else 'v0'}:Pomme",
        "step_count": state.step,
    }
    if game.has_radio:
        shown["game_env"] = "pommerman.envs.v2:Pomme"
        shown["message"] = tuple(arrays["message"].tolist())
    return shown


def game_of(original: Original, game_type: Any, options: Mapping[str, Any]) -> Pommerman:
    """The rulebook that matches an observation of the original; options that are given hold.

    The type is the argument of `init_agent`.

    Raises:
        GameError: There is no such kind of game.
    """
    number = int(getattr(game_type, "value", game_type))
    modes = {number: mode for mode, number in GAME_TYPES.items()}
    if number not in modes:
        raise GameError(f"the playground has no game type {number}.", f"Types: {modes}.")
    guessed: dict[str, Any] = {**RULES, "mode": modes[number]}
    if modes[number] in ("team", "radio") and not (np.asarray(original["board"]) == FOG).any():
        guessed["view"] = len(original["board"]) - 1
    if "v1" in str(original.get("game_env", "")):
        guessed["collapse"] = True
    return Pommerman(**{**guessed, **options})


class Translator:
    """Converts observations of the original to ours, for a seat during one game.

    The original does not reveal the owners of bombs, nor temporarily hidden things: where agents
    died, and what is under agents, bombs and flames. Owners are inferred from who was there when a
    bomb was laid, so every observation of the game should be passed, in order.
    """

    def __init__(self, game: Pommerman, seat: int) -> None:
        self._game, self._seat = game, seat
        self._size = game.board_spec.size
        self._distance = game.step_rules.grid.distance
        self._cells: list[int] = list(game.board_spec.agents)
        """The last known cell of each agent."""
        self._before: list[int] = list(self._cells)
        """The cell of each agent before the last step, as far as known."""
        self._bombs: tuple[Bomb, ...] = ()
        """All bombs of the previous step, including those now in the fog."""
        self._step = -1

    def translate(self, original: Original) -> Seen:
        """Convert an observation.

        Raises:
            GameError: Something is missing or has another shape; the message names it.
        """
        try:
            return self._translate(original)
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise GameError(
                f"that is not an observation of the playground ({type(error).__name__}: {error}).",
                "It is what its environments give to agents.",
            ) from error

    def _translate(self, original: Original) -> Seen:
        board = np.asarray(original["board"]).astype(int)
        if board.shape != (self._size, self._size):
            raise ValueError(f"the board has the shape {board.shape}")
        flat = board.ravel().tolist()
        self._step = int(original.get("step_count", self._step + 1))
        fog = mask_where(flat, FOG)
        alive = {int(getattr(one, "value", one)) - FIRST_AGENT for one in original["alive"]}
        self._follow_agents(flat, original["position"])
        flames = np.asarray(original["flame_life"]).astype(int).ravel().tolist()
        bombs = tuple(sorted(self._read_bombs(original)))
        covered = [
            old._replace(life=old.life - 1)
            for old in self._bombs
            if fog >> old.cell & 1 and old.life > 1 and not old.direction
        ]
        self._bombs = (*bombs, *covered)
        state = PommermanState(
            mask_where(flat, RIGID),
            mask_where(flat, WOOD),
            (mask_where(flat, POWERS[0]), mask_where(flat, POWERS[1]), mask_where(flat, POWERS[2])),
            (0, 0, 0),
            (mask_where(flames, 1), mask_where(flames, 2), mask_where(flames, 3)),
            bombs,
            tuple(self._read_agents(original, flat, alive, fog)),
            self._step,
            self._read_words(original),
            fog=fog,
        )
        legal = self._game.legal_actions(state, self._seat) if self._seat in alive else ()
        return Observation(self._seat, self._step + 1, state, tuple(legal))

    def _follow_agents(self, flat: Sequence[int], position: Sequence[int]) -> None:
        self._before = list(self._cells)
        for cell, value in enumerate(flat):
            if value >= FIRST_AGENT:
                self._cells[value - FIRST_AGENT] = cell
        row, column = position
        self._cells[self._seat] = int(row) * self._size + int(column)

    def _read_agents(
        self, original: Original, flat: Sequence[int], alive: set[int], fog: Mask
    ) -> list[Bomber]:
        agents = []
        for seat, cell in enumerate(self._cells):
            if seat == self._seat:
                ammo, strength = int(original["ammo"]), int(original["blast_strength"])
                kicks = bool(original["can_kick"])
                agents.append(Bomber(cell, seat in alive, ammo, strength, kicks))
                continue
            is_shown = flat[cell] == FIRST_AGENT + seat or seat not in alive
            known = cell if is_shown and not fog >> cell & 1 else UNKNOWN
            agents.append(Bomber(known, seat in alive, UNKNOWN, UNKNOWN, False))
        return agents

    def _read_bombs(self, original: Original) -> list[Bomb]:
        maps = [_numbers(original[name]) for name in ("bomb_life", "bomb_blast_strength")]
        moving = original.get("bomb_moving_direction")
        directions = [0] * self._size**2 if moving is None else _numbers(moving)
        found = []
        for cell, life in enumerate(maps[0]):
            if life > 0:
                bomb = Bomb(cell, life, maps[1][cell], UNKNOWN, directions[cell])
                found.append(bomb._replace(owner=self._owner_of(bomb)))
        return found

    def _owner_of(self, bomb: Bomb) -> int:
        owner = self._recognized(bomb)
        if owner is None:
            owner = self._layer_of(bomb)
        return owner if owner == self._seat or not self._game.is_team else UNKNOWN

    def _recognized(self, bomb: Bomb) -> int | None:
        earlier = {old.cell: old for old in self._bombs if old.life == bomb.life + 1}
        row, column = divmod(bomb.cell, self._size)
        down, right = DELTAS[bomb.direction]
        came_from = (row - down) * self._size + column - right
        for cell in (came_from, bomb.cell):
            if cell in earlier:
                return earlier[cell].owner
        # It may have been deflected or stopped, so any bomb that was near enough matches.
        near = [old for cell, old in earlier.items() if self._distance(cell, bomb.cell) <= 1]
        return near[0].owner if near else None

    def _layer_of(self, bomb: Bomb) -> int:
        others = range(self._game.seats)
        if bomb.life == BOMB_LIFE - 1:
            for seat in others:
                if self._before[seat] == bomb.cell:
                    return seat
        rivals = [seat for seat in others if seat != self._seat]
        return min(
            rivals,
            key=lambda seat: self._distance(self._cells[seat], bomb.cell),
        )

    def _read_words(self, original: Original) -> tuple[Words, ...]:
        if not self._game.has_radio:
            return ()
        words = [SILENCE] * self._game.seats
        first, second = original.get("message", SILENCE)
        words[mate_of(self._seat)] = (int(first), int(second))
        return tuple(words)


def _numbers(array: npt.ArrayLike) -> list[int]:
    numbers: list[int] = np.asarray(array).astype(int).ravel().tolist()
    return numbers


class AgentForPlayground:
    """One of our agents with the original playground's interface.

        env = pommerman.make("PommeFFACompetition-v0", [Agent("hard"), *three_others])

    It depends only on observations, so it also works in other engines that provide them. If the
    module ``pommerman.agents`` has been imported when an agent is created, the agent is also a
    ``BaseAgent``, as the original environments require.

    Args:
        agent: A specification of an agent for Pommerman, such as ``"hard"``.
        seconds: The time limit for one action.
        seed: The seed of its random numbers.
        **options: Options of Pommerman used by the engine that observations don't reveal, such as
            ``first_collapse=400``.

    Raises:
        UnknownNameError: There is no such agent.
        OptionError: An option has an invalid value.
    """

    _classes: ClassVar[dict[type, type]] = {}

    def __new__(cls, *_: Any, **__: Any) -> AgentForPlayground:
        """Create an instance that is also a ``BaseAgent``, if the original is in use."""
        base = getattr(sys.modules.get("pommerman.agents"), "BaseAgent", None)
        if base is None or issubclass(cls, base):
            return object.__new__(cls)
        if base not in cls._classes:
            cls._classes[base] = type(cls.__name__, (cls, base), {"__doc__": cls.__doc__})
        made: AgentForPlayground = object.__new__(cls._classes[base])
        return made

    def __init__(
        self, agent: str = "hard", *, seconds: float = 0.1, seed: int = 0, **options: Any
    ) -> None:
        super().__init__()
        read_agent(agent, find_game("pommerman"))
        self._text, self._options = agent, options
        self._budget, self._rng = Budget(seconds), random.Random(seed)
        self._id, self._game_type = 0, 1
        self._player: Any = None
        self._translator: Translator | None = None

    def init_agent(self, id: int, game_type: Any) -> None:
        """Take a seat.

        Args:
            id: The seat, counted from 0.
            game_type: The original's ``GameType``, or its number: 1 free for all, 2 teams, 3 teams
                by radio, 4 a duel.
        """
        inherited = getattr(super(), "init_agent", None)
        if inherited is not None:
            inherited(id, game_type)
        self._id, self._game_type = id, game_type
        self._translator = None

    def act(self, observation: Mapping[str, Any], action_space: Any) -> Any:
        """The move of the next step.

        Returns:
            0 to 5, in radio mode a list of that and two words.

        Raises:
            GameError: The observation lacks something.
            AgentError: The agent failed.
        """
        if self._translator is None or observation.get("step_count") == 0:
            self._begin(observation)
        assert self._translator is not None, "the game has begun"
        seen: Observation[Any, Any] = self._translator.translate(observation)
        brief(self._player, None, self._id, (seen,), self._text)
        move = ask(self._player, seen, Thinking(self._rng, self._budget), self._text)
        return [move.code, *move.words] if self._has_radio else move.code

    def _begin(self, observation: Mapping[str, Any]) -> None:
        game = game_of(observation, self._game_type, self._options)
        self._has_radio = game.has_radio
        self._player = make_agent(self._text, game)
        self._translator = Translator(game, self._id)
        brief(self._player, game, self._id, (), self._text)

    def episode_end(self, reward: float) -> None:
        """The game is over; the next observation starts another one."""
        self._translator = None

    @staticmethod
    def has_user_input() -> bool:
        """False: it does not read a keyboard."""
        return False

    def shutdown(self) -> None:
        """Do nothing: there is nothing to release."""


Agent = AgentForPlayground
