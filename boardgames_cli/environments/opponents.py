"""The agents that play the seats an environment's user does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from boardgames_cli.core.agent import UNLIMITED, Agent, RunsElsewhere, Thinking
from boardgames_cli.core.errors import OptionError, SeatError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.play import ask, brief, seat_stream
from boardgames_cli.registry import make_agent

AnyAgent: TypeAlias = Agent[Any, Any]


class Opponents:
    """The agents of all seats but one, whose numbers derive from the match's seed.

    Args:
        game: The rulebook.
        given: An agent for every seat but one, or a sequence with one for each; an agent, or its
            specification.

    Raises:
        SeatError: The number of agents is wrong.
        UnknownNameError: There is no such agent.
        OptionError: An agent has no such option, or can't play the game.
    """

    def __init__(self, game: AnyGame, given: str | AnyAgent | Sequence[str | AnyAgent]) -> None:
        self._game = game
        wanted = game.seats - 1
        if isinstance(given, str | Agent):
            given = [given] * wanted
        if not isinstance(given, Sequence):
            raise OptionError(
                f"opponents can't be {given!r}.",
                'Allowed: an agent, such as "hard", or a list of agents.',
            )
        if len(given) != wanted:
            raise SeatError(
                f"{game.info.name} needs {wanted} opponents; you gave {len(given)}.",
                'Give one for each seat but your own, or a single text, such as "hard".',
            )
        self._agents = [_made(one, game) for one in given]
        self._seated: dict[Seat, AnyAgent] = {}

    def sit_down(self, own: Seat) -> None:
        """Begin a game in which somebody else has a seat."""
        others = [seat for seat in range(self._game.seats) if seat != own]
        self._seated = dict(zip(others, self._agents, strict=True))
        for seat, agent in self._seated.items():
            brief(agent, self._game, seat, ())

    def watch(self, match: AnyMatch) -> None:
        """Show a match to all who remember what they see."""
        for seat, agent in self._seated.items():
            if type(agent).watch is not Agent.watch:
                brief(agent, None, seat, (match.observe(seat),))

    def act(self, match: AnyMatch, seat: Seat) -> Any:
        """A legal action of one of them.

        Raises:
            AgentError: The agent failed or answered with an illegal action.
        """
        thinking = Thinking(match.rng(seat_stream(seat)), UNLIMITED)
        return ask(self._seated[seat], match.observe(seat), thinking)

    def close(self) -> None:
        """End those that run in processes of their own."""
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
