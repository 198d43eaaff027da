"""A hint, thought out beside the page."""

from __future__ import annotations

import queue
import threading
from typing import Any, Final

from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.game import Observation
from boardgames_cli.plain.agent_prompt import PATIENCE_SECONDS, longest_wait
from boardgames_cli.plain.console import Console
from boardgames_cli.session.hints import Advice, advise, experience
from boardgames_cli.session.session import Session
from boardgames_cli.terminal.signals import SignalWatch

MOST_NAMED: Final = 3


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
    adviser = session.adviser()
    earlier = experience(session.match, seen.seat)
    cancelled = threading.Event()

    def report(text: str) -> None:
        if thinking.elapsed > PATIENCE_SECONDS:
            console.notice(text)

    thinking = Thinking(session.match.rng("hint"), session.budget, cancelled.is_set, report)
    answers: queue.SimpleQueue[Advice | GameError] = queue.SimpleQueue()

    def think() -> None:
        try:
            answers.put(advise(adviser, session.game, seen, thinking, earlier))
        except GameError as error:
            answers.put(error)
        except Exception as error:  # a stranger's agent may raise anything
            answers.put(AgentError(f"the adviser failed ({type(error).__name__}: {error})."))

    console.notice("Thinking about a hint.")
    threading.Thread(target=think, name="adviser", daemon=True).start()
    try:
        with interrupts.waiting():
            advice = answers.get(timeout=longest_wait(session.budget))
    except queue.Empty:
        raise AgentError("the adviser did not answer in time.", "Try a larger --think.") from None
    finally:
        cancelled.set()
    if isinstance(advice, GameError):
        raise advice
    return _sentences(advice, session), advice.best


def _sentences(advice: Advice, session: Session) -> list[str]:
    adviser = list(session.spec.levels.values())[-1]
    named = [
        (action, advice.words.get(action) or ("" if value is None else session.worth(value)))
        for action, value in advice.values[:MOST_NAMED]
    ]
    best, worth = named[0]
    lines = [f"Hint: {best} ({worth}, says {adviser})." if worth else f"Hint: {best}."]
    return lines + [f"Then: {action} ({text})." for action, text in named[1:] if text]
