"""Our agents for the original playground's environments."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from typing import Any, ClassVar

from boardgames_cli.core.agent import Budget, Thinking
from boardgames_cli.core.game import Observation
from boardgames_cli.core.match import ask, brief
from boardgames_cli.games.pommerman.playground.observations import Translator, game_of
from boardgames_cli.registry import find_game, make_agent, read_agent

_GAME = "pommerman"


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
        read_agent(agent, find_game(_GAME))
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

        Args:
            observation: The original's dictionary.
            action_space: Ignored.

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
