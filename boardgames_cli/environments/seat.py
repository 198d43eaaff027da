"""One seat of a game as a Gymnasium environment, with agents at the other seats."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, ClassVar, Final, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt

from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.agent import UNLIMITED, Agent, RunsElsewhere, Thinking
from boardgames_cli.core.errors import GameError, OptionError, SeatError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.match import AnyMatch, ask, brief, seat_stream
from boardgames_cli.core.randomness import RandomStreams
from boardgames_cli.environments.episode import Episode, Notations
from boardgames_cli.environments.episodes import Episodes
from boardgames_cli.environments.rendering import HUMAN, RENDER_MODES, Frame
from boardgames_cli.environments.spaces import Encoded
from boardgames_cli.registry import make_agent

AnyAgent: TypeAlias = Agent[Any, Any]

RANDOM_SEAT: Final = "random"
_MOST_BEGINNINGS: Final = 100
_SEAT_STREAM: Final = "environment seat"


class SeatEnvironment(gymnasium.Env[Encoded, Any]):
    """One seat of a game; between two of its turns chance and the opponents act.

    An observation is an element of the encoder's space. The info has ``action_mask``, of shape
    [number of actions] and type int8, 1 at the ids of legal actions; ``legal``, the notations of
    the legal actions in the order of their ids; and ``seat``. `action_masks` is used by
    sb3-contrib's MaskablePPO. A reward is the difference between two returns of the seat.

    Args:
        game: The id of a game, or a rulebook.
        seat: The learner's seat, counted from 0; ``"random"`` draws a new one for every episode.
        opponents: An agent for all other seats, or a list with one for each, in the order of their
            seats: specifications such as ``"hard"`` and ``"expectimax:depth=2"``, or agents.
        **options: Options of the environment (`EnvironmentOptions`) and of the game.

    Raises:
        SeatError: There is no such seat, or the number of opponents is wrong.
        UnknownNameError: There is no such game, agent, option or encoding.
        OptionError: An option has an invalid value.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [*RENDER_MODES], "render_fps": 4}  # type: ignore[misc]  # the parent's is not a ClassVar

    def __init__(
        self,
        game: str | AnyGame,
        *,
        seat: int | str = 0,
        opponents: str | AnyAgent | Sequence[str | AnyAgent] = "random",
        **options: Any,
    ) -> None:
        episodes = self._episodes = Episodes(game, options)
        self.game = episodes.game
        self._wanted_seat = read_seat(seat, self.game)
        self._opponents = Opponents(self.game, opponents)
        self.render_mode = episodes.render_mode
        self.observation_space = episodes.spaces.observations()
        self.action_space = episodes.spaces.actions()
        self.seat: Seat = 0
        self._is_over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Encoded, dict[str, Any]]:
        """Start an episode, and return the observation and the info of the seat's first turn.

        Args:
            seed: The seed: the game is that of ``Match(game, seed=seed)``, including the opponents.
                Without it every episode differs; episodes after a seeded one derive from that seed.
                If a game ends before the seat has acted, the next one is used.
            options: Ignored.

        Raises:
            AgentError: An opponent failed.
        """
        for number in [seed, *[None] * (_MOST_BEGINNINGS - 1)]:
            episode = self._begin(self._episodes.draw_seed(number))
            if self.seat in episode.acting:
                break
        else:
            raise GameError(
                f"{self.game.info.name} was over before seat {self.seat} could act, "
                f"{_MOST_BEGINNINGS} times in a row.",
                "Take another seat.",
            )
        self._is_over = False
        episode.rewards()
        return self._tell(episode)

    def step(self, action: Any) -> tuple[Encoded, float, bool, bool, dict[str, Any]]:
        """Act, and let the others act until it is the seat's turn again.

        Args:
            action: The id of a legal action, of any integer type.

        Returns:
            Observation, reward, terminated, truncated and info.

        Raises:
            InvalidActionError: The action is not an id, or illegal in an environment where that is
                an error. Nothing has changed.
            AgentError: An opponent failed.
        """
        episode = self._episodes.running(not self._is_over)
        chosen = episode.action(self.seat, action)
        if chosen is not None:
            self._take(episode, {self.seat: chosen})
            self._let_others_act(episode)
        self._is_over = self.seat not in episode.acting
        reward = episode.rewards()[self.seat]
        observation, info = self._tell(episode)
        if chosen is None:
            info["illegal"] = action
        return (
            observation,
            reward,
            self._is_over and not episode.is_truncated,
            episode.is_truncated,
            info,
        )

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The mask of legal ids for sb3-contrib: shape [number of actions], type bool."""
        return self._episodes.now.encoded(self.seat)[1].astype(np.bool_)

    def render(self) -> Frame:
        """Draw the seat's view. See `Episodes.draw`."""
        return self._episodes.draw(self.seat)

    def close(self) -> None:
        """End the episode and close the opponents; no new episode can be started."""
        self._opponents.close()
        self._episodes.close()

    def _begin(self, number: int) -> Episode:
        self.np_random = self._episodes.rng
        self.seat = self._draw_seat(number)
        self._opponents.sit_down(self.seat)
        watch = None if self._opponents.are_random else self._opponents.watch
        episode = self._episodes.begin(number, watch)
        self._let_others_act(episode)
        return episode

    def _draw_seat(self, number: int) -> Seat:
        if self._wanted_seat is not None:
            return self._wanted_seat
        return RandomStreams(number).at(_SEAT_STREAM, 0).randrange(self.game.seats)

    def _let_others_act(self, episode: Episode) -> None:
        while episode.acting and self.seat not in episode.acting:
            if episode.is_settled(self.seat):
                return
            self._take(episode, {})

    def _take(self, episode: Episode, joint: dict[Seat, Any]) -> None:
        others = [seat for seat in episode.acting if seat not in joint]
        joint |= {seat: self._opponents.act(episode, seat) for seat in others}
        episode.take(joint)

    def _tell(self, episode: Episode) -> tuple[Encoded, dict[str, Any]]:
        if self.render_mode == HUMAN:
            self.render()
        observation, mask = episode.encoded(self.seat)
        info = {
            "action_mask": mask,
            "legal": Notations(self.game, episode.seen(self.seat)),
            "seat": self.seat,
        }
        return observation, info


def read_seat(seat: object, game: AnyGame) -> Seat | None:
    """Parse a seat; None for a random one."""
    if seat == RANDOM_SEAT:
        return None
    try:
        number = operator.index(seat)  # type: ignore[arg-type]  # the type is checked by trying
    except TypeError:
        number = -1
    if isinstance(seat, bool) or not 0 <= number < game.seats:
        raise SeatError(
            f"seat can't be {seat!r}.",
            f'Allowed: 0 to {game.seats - 1}, or "{RANDOM_SEAT}".',
        )
    return number


def check_opponents(count: int, game: AnyGame) -> None:
    """Check that there is an opponent for each seat but the learner's."""
    if count != game.seats - 1:
        raise SeatError(
            f"{game.info.name} needs {game.seats - 1} opponents; you gave {count}.",
            'Give one for each seat but your own, or a single text, such as "random".',
        )


class Opponents:
    """The agents of all other seats; their random numbers derive from the match's seed.

    Raises:
        SeatError: The number of agents is wrong.
        UnknownNameError: There is no such agent.
        OptionError: An agent has no such option, or can't play the game.
    """

    def __init__(self, game: AnyGame, given: str | AnyAgent | Sequence[str | AnyAgent]) -> None:
        self._game = game
        if isinstance(given, str | Agent):
            given = [given] * (game.seats - 1)
        if not isinstance(given, Sequence):
            raise OptionError(
                f"opponents can't be {given!r}.",
                'Allowed: an agent, such as "hard", or a list of agents.',
            )
        check_opponents(len(given), game)
        self._agents = [_made(one, game) for one in given]
        self.are_random = all(type(agent) is RandomAgent for agent in self._agents)
        """Whether all play at random: they need no match."""
        self._seated: dict[Seat, AnyAgent] = {}

    def sit_down(self, own: Seat) -> None:
        """Start a game in which the learner has a given seat."""
        others = [seat for seat in range(self._game.seats) if seat != own]
        self._seated = dict(zip(others, self._agents, strict=True))
        for seat, agent in self._seated.items():
            brief(agent, self._game, seat, ())

    def watch(self, match: AnyMatch) -> None:
        """Pass observations to agents that watch."""
        for seat, agent in self._seated.items():
            if type(agent).watch is not Agent.watch:
                brief(agent, None, seat, (match.observe(seat),))

    def act(self, episode: Episode, seat: Seat) -> Any:
        """The action of one of them.

        Raises:
            AgentError: The agent failed or returned an illegal action.
        """
        if self.are_random:
            return episode.any_action(seat)
        match = episode.match
        thinking = Thinking(match.rng(seat_stream(seat)), UNLIMITED)
        return ask(self._seated[seat], match.observe(seat), thinking)

    def close(self) -> None:
        """Close agents in other processes."""
        for agent in self._agents:
            if isinstance(agent, RunsElsewhere):
                agent.close()


def _made(given: object, game: AnyGame) -> AnyAgent:
    if isinstance(given, Agent):
        return given
    if not isinstance(given, str):
        raise OptionError(
            f"an opponent can't be {given!r}.", 'Allowed: an agent, or a text such as "hard".'
        )
    return make_agent(given, game)
