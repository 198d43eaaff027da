"""Shared by all environments: options, episodes, and rendering."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding

from boardgames_cli.core.errors import OptionError, UnknownNameError
from boardgames_cli.core.game import AnyGame, Game, Observation, Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.options import build, check_options, option, options_of
from boardgames_cli.core.randomness import check_seed
from boardgames_cli.environments.episode import (
    ClosedError,
    Episode,
    Notations,
    RenderModeError,
    ResetNeededError,
    agent_name,
)
from boardgames_cli.environments.rendering import RENDER_MODES, Frame, draw
from boardgames_cli.environments.spaces import Spaces
from boardgames_cli.registry import find_game, make

ERROR: Final = "error"
LOSE: Final = "lose"
OBSERVED: Final = "observation"
IN_INFO: Final = "info"
_SEED_LIMIT: Final = 2**63

AgentObservation: TypeAlias = Any
"""``observation`` and ``action_mask``; with ``mask="info"``, the observation alone."""


@dataclass(frozen=True)
class EnvironmentOptions:
    """The options of every environment, in addition to those of its game."""

    encoding: str = option("", "one of the game's other encodings")
    flatten: bool = option(True, "observe one float32 vector, not the fields of the encoding")
    max_cycles: int = option(
        0, "truncate before a seat acts more often than this; 0 is no limit", low=0
    )
    illegal: str = option(
        ERROR, "whether an illegal action raises an error or loses", choices=(ERROR, LOSE)
    )
    mask: str = option(
        OBSERVED,
        "where PettingZoo's agents get the mask: in the observation or the info",
        choices=(OBSERVED, IN_INFO),
    )
    render_mode: str = option("", "how render() draws", choices=("", *RENDER_MODES))

    def __post_init__(self) -> None:
        check_options(self)


OPTION_NAMES: Final = tuple(spec.name for spec in options_of(EnvironmentOptions))


class Episodes:
    """Starts the episodes of a game, at most one at a time.

    All its methods raise `ClosedError` once it is closed, and those that need an episode
    `ResetNeededError` if none has been started. If the environment and the game both have an option
    of a name, the environment's is set; None is the default.

    Raises:
        UnknownNameError: There is no such game, option or encoding.
        OptionError: An option has an invalid value.
    """

    def __init__(self, game: str | AnyGame, options: Mapping[str, Any]) -> None:
        given = {name: value for name, value in options.items() if value is not None}
        own = {name: given.pop(name) for name in OPTION_NAMES if name in given}
        if own.get("render_mode") not in (None, *RENDER_MODES):
            raise RenderModeError(
                f"render_mode can't be {own['render_mode']!r}.",
                f"Allowed: {', '.join(RENDER_MODES)}, or None.",
            )
        self.options = build(EnvironmentOptions, own, "environment")
        self.game = _rulebook(game, given)
        self.spaces = Spaces(self.game, self.options.encoding, self.options.flatten)
        self._seats = {agent_name(seat): seat for seat in range(self.game.seats)}
        self.agents = [*self._seats]
        self.render_mode = self.options.render_mode or None
        self._seed: int | None = None
        self._rng: np.random.Generator | None = None
        self._episode: Episode | None = None
        self._is_closed = False

    @property
    def now(self) -> Episode:
        """The current episode."""
        if self._episode is None:
            self._refuse_if_closed()
            raise ResetNeededError("no episode has begun.", "Call reset() first.")
        return self._episode

    @property
    def rng(self) -> np.random.Generator:
        """The generator of seeds for episodes without one."""
        if self._rng is None:
            self._rng, _ = seeding.np_random(self._seed)
        return self._rng

    def draw_seed(self, seed: int | None) -> int:
        """The seed of the next episode: the given one, from which those of later ones derive.

        Without one the next is drawn; the first comes from the system.
        """
        self._refuse_if_closed()
        if seed is None:
            return int(self.rng.integers(_SEED_LIMIT))
        self._seed, self._rng = check_seed(seed), None
        return self._seed

    def begin(self, seed: int, watch: Callable[[AnyMatch], None] | None = None) -> Episode:
        """Start the next episode; see `Episode`."""
        self._episode = Episode(
            self.game, self.spaces, seed=seed, max_cycles=self.options.max_cycles or None,
            may_lose=self.options.illegal == LOSE, watch=watch,
        )  # fmt: skip
        return self._episode

    def running(self, is_running: object) -> Episode:
        """The current episode, if it is running; the environments differ in what they count."""
        if is_running and self._episode is not None:
            return self._episode
        _ = self.now
        raise ResetNeededError("the episode is over.", "Call reset() to start another.")

    def draw(self, viewer: Seat | None) -> Frame:
        """Render the episode in the render mode, as a seat or a spectator sees it.

        Returns:
            A text (``ansi``), an array of shape [480, 800, 3] (``rgb_array``), or None (``human``).

        Raises:
            RenderModeError: The environment has no render mode.
        """
        match = self.now.match
        if self.render_mode is None:
            raise RenderModeError(
                "this environment has no render mode.",
                f'Make it with render_mode="{RENDER_MODES[0]}" or another one.',
            )
        return draw(self.game, self.agents, match, viewer, self.render_mode)

    def seat_of(self, agent: object) -> Seat:
        """The seat of an agent.

        Raises:
            UnknownNameError: There is no such agent.
        """
        try:
            return self._seats[agent]  # type: ignore[index]  # other keys are not in it
        except (KeyError, TypeError):
            raise UnknownNameError("agent", str(agent), self.agents) from None

    def close(self) -> None:
        """End the episode; no new one can be started."""
        self._episode = None
        self._is_closed = True

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise ClosedError("this environment was closed.", "Make a new one.")


class NamedSeats:
    """The seats of a game as PettingZoo's agents ``player_N``, counted from 0; see `Episodes`."""

    def __init__(self, game: str | AnyGame, options: dict[str, Any]) -> None:
        episodes = self._episodes = Episodes(game, options)
        self.game = episodes.game
        self.render_mode = episodes.render_mode
        self.metadata: dict[str, Any] = {
            "name": f"{self.game.info.id}_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": 4,
        }
        self.possible_agents = [*episodes.agents]
        self.agents: list[str] = []
        self._is_masked = episodes.options.mask == OBSERVED
        make_space = episodes.spaces.masked if self._is_masked else episodes.spaces.observations
        self.observation_spaces: dict[str, spaces.Space[AgentObservation]] = {
            agent: make_space() for agent in self.possible_agents
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: episodes.spaces.actions() for agent in self.possible_agents
        }
        own = episodes.spaces
        self._whole = own if own.is_default else Spaces(self.game, "", own.flatten)
        self.state_space = self._whole.observations()

    def observation_space(self, agent: str) -> spaces.Space[AgentObservation]:
        """The space of an agent's observations."""
        self._episodes.seat_of(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions: their ids."""
        self._episodes.seat_of(agent)
        return self.action_spaces[agent]

    def observe(self, agent: str) -> AgentObservation:
        """The observation of an agent; the same arrays until the next step."""
        return self._observation(self._episodes.now, self._episodes.seat_of(agent))

    def state(self) -> Any:
        """The whole position, for critics: the game's own encoding for one who knows everything.

        It holds what is hidden from every agent.
        """
        match = self._episodes.now.match
        return self._whole.encode(Observation(None, match.ply, match.state, ()))[0]

    def _observation(self, episode: Episode, seat: Seat) -> AgentObservation:
        observation, mask = episode.encoded(seat)
        return {"observation": observation, "action_mask": mask} if self._is_masked else observation

    def _info(self, episode: Episode, seat: Seat) -> dict[str, Any]:
        info: dict[str, Any] = {"legal": Notations(self.game, episode.seen(seat))}
        return info if self._is_masked else info | {"action_mask": episode.encoded(seat)[1]}

    def close(self) -> None:
        """End the episode; no new one can be started."""
        self._episodes.close()


def _rulebook(game: str | AnyGame, options: Mapping[str, Any]) -> AnyGame:
    if isinstance(game, Game):
        if options:
            name = next(iter(options))
            raise OptionError(
                f"{name} can't be set: the given rulebook already has its options.",
                "Make the rulebook with it, or give the game's id. "
                f"Options: {', '.join(OPTION_NAMES)}.",
            )
        return game
    known = [spec.name for spec in options_of(find_game(game).game_class())]
    for name in options:
        if name.replace("-", "_") not in known:
            raise UnknownNameError(f"{game} option", name, [*known, *OPTION_NAMES])
    return make(game, **options)
