"""``boardgames mcp``: lets a language model sit down at a table.

It is a server of the Model Context Protocol (https://modelcontextprotocol.io) over standard input
and output. A model gets what its seat may know, as a person does, and answers with notations.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from boardgames_cli.agents.remote import protocol
from boardgames_cli.cli import completion
from boardgames_cli.cli.command import command, option
from boardgames_cli.cli.parameters import SaveOptions
from boardgames_cli.core.errors import GameError, MissingPackageError
from boardgames_cli.core.presentation.view import Size
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.registry import make as make_game
from boardgames_cli.session.match_driver import BlockingLoop
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.seats import HUMAN
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Pace, Settings, Setup

_ROOM: Final = Size(100, 40)
_NAME: Final = "Model"
_INSTRUCTIONS: Final = (
    "Board games. list_games and rules say what there is; new_game seats you; then call act with "
    "one of the legal notations until the game is over."
)


@dataclass(frozen=True, slots=True)
class ModelOpponents:
    """Whom the model plays."""

    section: ClassVar = "Players"

    vs: str = option(
        "ai",
        "Who plays the other seats: ai, a level, or an agent.",
        metavar="SPEC",
        autocompletion=completion.holders,
    )


def serve_model(opponents: ModelOpponents, saving: SaveOptions) -> int:
    """Serve until the client closes the connection."""
    if importlib.util.find_spec("mcp") is None:
        raise MissingPackageError("language models", "mcp", "mcp")
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    settings = Settings(pace=Pace.INSTANT, save=not saving.no_save, save_folder=saving.save_dir)
    table = ModelTable(settings, opponents.vs)
    server = MCPServer("boardgames", instructions=_INSTRUCTIONS)
    for tool in (
        table.list_games,
        table.rules,
        table.new_game,
        table.look,
        table.observe,
        table.act,
    ):
        server.tool(structured_output=False)(_refusing(tool, ToolError))
    with contextlib.closing(table):
        server.run()
    return 0


def _refusing(tool: Callable[..., str], refusal: type[Exception]) -> Callable[..., str]:
    @functools.wraps(tool)
    def call(*args: Any, **values: Any) -> str:
        try:
            return tool(*args, **values)
        except GameError as error:
            raise refusal(f"{error.message} {error.todo}".strip()) from None

    return call


class ModelTable:
    """The table at which the model sits. The docstrings of the tools are what it reads."""

    def __init__(self, settings: Settings, opponents: str) -> None:
        self._settings = settings
        self._opponents = opponents
        self._session: Session | None = None
        self._loop: BlockingLoop | None = None

    def list_games(self) -> str:
        """List the games, with what each is."""
        specs = map(find_game, game_ids())
        return "\n".join(f"{spec.info.id}: {spec.info.summary}" for spec in specs)

    def rules(self, game: str) -> str:
        """The rules of a game, and how its moves are written."""
        return find_game(game).rules_text()

    def new_game(
        self,
        game: str,
        seat: int = 1,
        seed: int | None = None,
        options: dict[str, str | int | bool] | None = None,
    ) -> str:
        """Begin a game, and leave the last one. You play the seat with this number, from 1."""
        chosen: Mapping[str, Any] = options or {}
        seats = make_game(game, **chosen).seats
        if not 1 <= seat <= seats:
            raise GameError(f"there is no seat {seat}.", f"Seats: 1 to {seats}.")
        holders = (*[self._opponents] * (seat - 1), f"{HUMAN}:{_NAME}")
        setup = Setup(game, chosen, holders, self._opponents, seed)
        session = open_session(setup, self._settings)
        self.close()
        self._session = session
        self._loop = BlockingLoop(session, contextlib.nullcontext, lambda _: None)
        return self._go_on()

    def look(self) -> str:
        """The board as you see it, and what you can do."""
        return self._shown(self._playing())

    def observe(self) -> str:
        """Your observation as the agent protocol's JSON: position, legal notations, last step."""
        session = self._playing()
        seen = session.match.observe(self._seat(session))
        return protocol.observe(session.game, seen).decode()

    def act(self, action: str) -> str:
        """Play one of the legal notations; tells what happened until it is your turn again."""
        session = self._playing()
        seat = self._seat(session)
        if session.match.is_over or seat not in session.match.waiting_for:
            raise GameError("the game is over.", "Begin another with new_game.")
        state = session.match.observe(seat).state
        session.submit(seat, session.game.parse(state, seat, action))
        return self._go_on()

    def close(self) -> None:
        if self._loop is not None:
            self._loop.close()
        self._session = self._loop = None

    def _playing(self) -> Session:
        if self._session is None:
            raise GameError("there is no game yet.", "Begin one with new_game.")
        return self._session

    def _seat(self, session: Session) -> int:
        (seat,) = session.humans
        return seat

    def _go_on(self) -> str:
        session = self._playing()
        assert self._loop is not None
        while self._loop.advance() not in (Event.HUMAN, Event.OVER):
            pass
        news = [line.text for line in session.log.news()]
        return "\n".join([*news, "", self._shown(session)])

    def _shown(self, session: Session) -> str:
        snapshot = session.snapshot()
        lines = [str(snapshot.board(_ROOM)), str(snapshot.sidebar(_ROOM.width))]
        if not session.match.is_over:
            legal = snapshot.seen.legal
            lines += ["", snapshot.prompt, "Legal:"]
            lines += [f"  {one}   {session.view.describe(snapshot.seen, one)}" for one in legal]
            return "\n".join(lines)
        lines += ["", snapshot.result]
        if session.journal is not None:
            lines.append(f"Your mistakes and luck: boardgames review {session.journal.name}")
        return "\n".join(lines)


make = command(
    serve_model,
    "mcp",
    "mcp --vs hard",
    help="Let a language model play, over the Model Context Protocol on standard input and "
    "output. Its games are saved like a person's, so that boardgames review measures them.",
)
