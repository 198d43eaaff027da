"""A hint, thought out beside the page."""

from __future__ import annotations

import queue
import threading
from typing import Any, Final

from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.game import Observation, Traits
from boardgames_cli.plain.console import Console
from boardgames_cli.plain.desk import PATIENCE_SECONDS, longest_wait
from boardgames_cli.plain.interrupts import Interrupts
from boardgames_cli.session.session import Advice, Session, advise

MOST_NAMED: Final = 3


def ask_adviser(
    session: Session, seen: Observation[Any, Any], interrupts: Interrupts, console: Console
) -> tuple[list[str], Any]:
    """Ask the game's strongest agent.

    Returns:
        The hint in sentences, and the action it recommends.

    Raises:
        GameError: The adviser failed or did not come back.
        Stopped: A signal came while it was thinking.
    """
    adviser = session.adviser()
    cancelled = threading.Event()

    def report(text: str) -> None:
        if thinking.elapsed > PATIENCE_SECONDS:
            console.notice(text)

    thinking = Thinking(session.match.rng("hint"), session.budget, cancelled.is_set, report)
    answers: queue.SimpleQueue[Advice | GameError] = queue.SimpleQueue()

    def think() -> None:
        try:
            answers.put(advise(adviser, session.game, seen, thinking))
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
    return _sentences(advice, session, seen), advice.best


def _sentences(advice: Advice, session: Session, seen: Observation[Any, Any]) -> list[str]:
    known = [(action, value) for action, value in advice.values if value is not None]
    if not known:
        return [f"Hint: {advice.best}."]
    # Where one seat wins what the other loses and positions have an evaluation, a return of -1 is
    # a loss and 1 a win.
    as_chance = Traits.ZERO_SUM in session.game.info.traits and session.estimate(seen) is not None
    worth = [
        f"win {(value + 1) / 2:.0%}" if as_chance else f"expected result {value:+.2f}"
        for _, value in known[:MOST_NAMED]
    ]
    adviser = list(session.spec.levels.values())[-1]
    lines = [f"Hint: {known[0][0]} ({worth[0]}, says {adviser})."]
    return lines + [
        f"Then: {action} ({text})."
        for (action, _), text in zip(known[1:MOST_NAMED], worth[1:], strict=True)
    ]
