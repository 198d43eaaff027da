"""Plays a game between agents and writes the result as one JSON object."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.output import say_json
from boardgames_cli.core.errors import EXIT_AGENT
from boardgames_cli.core.options import option_values
from boardgames_cli.plain.console import Console
from boardgames_cli.plain.page import GamePage
from boardgames_cli.session.blocking_loop import BlockingLoop
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.setup import Settings, closing_message
from boardgames_cli.session.viewpoint import disclosed_seed, is_secret
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped
from boardgames_cli.terminal.streams import is_terminal


def run_batch(session: Session, settings: Settings) -> int:
    """Play a session of agents to its end and write the result.

    The log goes to standard error if that is a terminal.

    Returns:
        The exit code: 0; 4 if the game could not be saved completely; 5 if an agent failed and a
        substitute action was played; or 128 plus the number of the signal that ended the game.
    """
    with SignalWatch() as interrupts, Path(os.devnull).open("w") as nowhere:
        story = sys.stderr if is_terminal(sys.stderr) else nowhere
        console = Console(interrupts, None, story, story)
        page = GamePage(session, dataclasses.replace(settings, terse=True), console)
        loop = BlockingLoop(session, interrupts.waiting, console.notice)
        try:
            page.greet()
            while loop.advance() is not Event.OVER:
                page.print_news()
            page.finish()
        except Stopped as stop:
            notify(closing_message(session, settings))
            return session.saving.exit_code(stop.exit_code)
        finally:
            loop.close()
    say_json(result(session))
    code = session.saving.exit_code(EXIT_AGENT if loop.failures else 0)
    if code:
        for line in session.remarks:
            notify(line.text)
    return code


def _winners(returns: Sequence[float]) -> list[int]:
    """The seats with the highest return; empty for a draw."""
    best = max(returns)
    return [] if best == min(returns) else [s for s, value in enumerate(returns) if value == best]


def result(session: Session) -> dict[str, Any]:
    """The result of a game, for programs."""
    match, game = session.match, session.game
    seen = session.viewpoint.state(game, match.state) if is_secret(match) else match.state
    returns = game.returns(seen)
    over = match.is_over and not match.truncated
    return {
        "game": game.info.id,
        "options": option_values(game),
        "seed": disclosed_seed(match),
        "seats": [holder.spec for holder in session.holders],
        "plies": match.ply,
        "over": over,
        "truncated": match.truncated,
        "returns": list(returns),
        "winners": _winners(returns) if over else [],
        "position": game.to_json(seen),
        "save": str(session.journal.path) if session.journal is not None else None,
        "notes": [{"ply": line.ply, "text": line.text} for line in session.remarks],
    }
