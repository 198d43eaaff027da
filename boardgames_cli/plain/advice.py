"""A hint, thought out beside the page."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from boardgames_cli.core.agent import Thinking, describe_error
from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.game import Observation
from boardgames_cli.plain.agent_prompt import PATIENCE_SECONDS, longest_wait
from boardgames_cli.plain.console import Console
from boardgames_cli.session.agent_processes import prepare, released
from boardgames_cli.session.hints import Advice, advise, experience
from boardgames_cli.session.session import Session
from boardgames_cli.terminal.signals import SignalWatch

MOST_NAMED: Final = 3

_READY_SECONDS: Final = 60.0
"""Before its time counts an adviser may load what it learned."""

_LONGEST_REPORT: Final = 200

_News: TypeAlias = Advice | GameError | str | None
"""What the adviser's thread sends: None when it begins to think, then reports, then the outcome."""


def ask_adviser(
    session: Session, seen: Observation[Any, Any], interrupts: SignalWatch, console: Console
) -> tuple[list[str], Any]:
    """Ask the game's strongest agent.

    Returns:
        The hint in sentences, and the action it recommends.

    Raises:
        GameError: The adviser failed or did not come back.
        Stopped: A signal came while it was thinking.
    """
    earlier = experience(session.match, seen.seat)
    cancelled = threading.Event()
    inbox: queue.SimpleQueue[_News] = queue.SimpleQueue()
    tell = _reporter(inbox)
    rng = session.match.rng("hint")

    def think() -> None:
        try:
            with released(session.adviser()) as adviser:
                prepare([adviser], _READY_SECONDS)
                inbox.put(None)
                thinking = Thinking(rng, session.budget, cancelled.is_set, tell)
                inbox.put(advise(adviser, session.game, seen, thinking, earlier))
        except GameError as error:
            inbox.put(error)
        except BaseException as error:  # a stranger's agent may raise anything
            inbox.put(AgentError(f"the adviser failed ({describe_error(error)})."))

    console.notice("Thinking about a hint.")
    threading.Thread(target=think, name="adviser", daemon=True).start()
    try:
        with interrupts.waiting():
            advice = _wait(inbox, longest_wait(session.budget), console)
    except queue.Empty:
        raise AgentError("the adviser did not answer in time.", "Try a larger --think.") from None
    finally:
        cancelled.set()
    if isinstance(advice, GameError):
        raise advice
    return _sentences(advice, session), advice.best


def _reporter(inbox: queue.SimpleQueue[_News]) -> Callable[[str], None]:
    """What the adviser reports to; from it nothing else of the table can be reached."""

    def report(text: str) -> None:
        inbox.put(str(text)[:_LONGEST_REPORT])

    return report


def _wait(inbox: queue.SimpleQueue[_News], seconds: float, console: Console) -> Advice | GameError:
    """What the adviser says in the end; it has so many seconds from the moment it is ready.

    Raises:
        queue.Empty: It is late.
    """
    started = time.monotonic()
    deadline = started + _READY_SECONDS + seconds
    while True:
        news = inbox.get(timeout=max(0.0, deadline - time.monotonic()))
        if news is None:
            deadline = time.monotonic() + seconds
        elif not isinstance(news, str):
            return news
        elif time.monotonic() - started > PATIENCE_SECONDS:
            console.notice(news)


def _sentences(advice: Advice, session: Session) -> list[str]:
    adviser = list(session.spec.levels.values())[-1]
    named = [
        (action, advice.words.get(action) or ("" if value is None else session.worth(value)))
        for action, value in advice.values[:MOST_NAMED]
    ]
    best, worth = named[0]
    lines = [f"Hint: {best} ({worth}, says {adviser})." if worth else f"Hint: {best}."]
    return lines + [f"Then: {action} ({text})." for action, text in named[1:] if text]
