"""An agent at a table elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from boardgames_cli.agents.remote.seating import close, prepare, seat_agent
from boardgames_cli.core.agent import Budget
from boardgames_cli.core.errors import GameError
from boardgames_cli.online.remote_session import RemoteSession
from boardgames_cli.online.served_game import AGENT_SECONDS
from boardgames_cli.registry import resolve_level
from boardgames_cli.session.agent_runner import AgentRunner
from boardgames_cli.session.seats import SeatHolder
from boardgames_cli.session.session import Event


def play_bot(session: RemoteSession, spec: str, tell: Callable[[str], None]) -> None:
    """Let an agent play this side's seat until the game is over.

    Args:
        session: The table.
        spec: The agent, such as ``hard`` or ``cmd:python bot.py``.
        tell: Called with every new line of the log.

    Raises:
        GameError: The agent can't play this game, or only watches.
    """
    if not session.humans:
        raise GameError("a spectator needs no agent.", "Leave --agent out.")
    seat, game = session.humans[0], session.game
    agent = seat_agent(resolve_level(spec, session.spec), game, 0, seat, AGENT_SECONDS)
    prepare([agent])
    holders = list(session.holders)
    holders[seat] = SeatHolder(spec, session.names[seat], agent)
    runner = AgentRunner(session.match, holders, Budget(AGENT_SECONDS), tell)
    told = 0
    try:
        while (event := session.next_event()) is not Event.OVER:
            if event is Event.HUMAN:
                action = runner.action_of(runner.request(seat).result())
                session.submit(seat, action)
            else:
                session.accept(session.request().result())
            lines = session.log()
            for line in lines[told:]:
                tell(line.text)
            told = max(told, len(lines))
    finally:
        close([agent])
