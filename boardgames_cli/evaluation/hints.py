"""Hints: evaluations of a seat's choices by agents, in numbers and in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from boardgames_cli.agents.remote.seating import close, prepare, seat_agent
from boardgames_cli.core.agent import Agent, EvaluatesActions, ExplainsActions, Thinking
from boardgames_cli.core.agent_text import split_agent
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.info import Traits
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.play import ask, brief
from boardgames_cli.core.text import wrapped


@dataclass(frozen=True, slots=True)
class Hint:
    """The hint agent's evaluation of a seat's choices."""

    best: Any
    values: tuple[tuple[Any, float | None], ...]
    """Every action with the expected final return of the seat, best first; None if unknown. The
    unit is that of `Game.returns`, bounded by `Game.utility`.
    """
    words: Mapping[Any, str] = field(default_factory=dict)
    """A description of each action; may be incomplete."""
    reason: str = ""
    """Why the best action is better, in the game's own words; see `find_reason`."""


@dataclass(frozen=True, slots=True)
class ActionValues:
    """Another agent's evaluation of the same choices."""

    name: str
    """The agent's name."""
    words: Mapping[Any, str]
    """A description of each action's value; may be incomplete."""


def hint_sentence(hint: Hint, worth: Callable[[float], str], count: int = 1) -> str:
    """A hint in words: ``Hint: 5>9 (win 61 %), then 3>4 (win 55 %).``, then its reason, if known.

    Args:
        hint: The hint.
        worth: Formats a return, as `Session.worth` does.
        count: The maximum number of actions; the best one is named even without a value.
    """
    said = []
    for action, value in hint.values[:count]:
        text = hint.words.get(action, "" if value is None else worth(value))
        if text:
            said.append(f"{action} ({text})")
        elif not said:
            said.append(str(action))
    return " ".join((f"Hint: {', then '.join(said)}.", *_reason_sentence(hint)))


def hint_pages(hint: Hint, worth: Callable[[float], str], width: int, count: int) -> list[str]:
    """A hint as lines to show one after the other: the best action and why, then others.

    Args:
        hint: The hint.
        worth: Formats a return, as `Session.worth` does.
        width: The width of a line in columns; only a long value may exceed it.
        count: The maximum number of actions.
    """
    bare = replace(hint, reason="")
    best, others = hint_sentence(bare, worth), hint_sentence(bare, worth, count)
    pages = [hint_sentence(hint, worth)]
    if len(pages[0]) > width:
        pages = [best]
        for sentence in _reason_sentence(hint):
            pages += wrapped(sentence, width)
    return pages if others == best else [*pages, others]


def _reason_sentence(hint: Hint) -> tuple[str, ...]:
    return (f"{hint.reason[0].upper()}{hint.reason[1:]}.",) if hint.reason else ()


def find_reason(
    game: AnyGame, seen: Observation[Any, Any], earlier: Sequence[Observation[Any, Any]], best: Any
) -> str:
    """Why an action is better than others, according to the game's analyst.

    It is compared with the best action whose loss exceeds its error; if there is none, with the
    worst action.

    Args:
        game: The rulebook.
        seen: What the seat to act sees.
        earlier: The seat's earlier observations; see `experience`.
        best: The recommended action.

    Returns:
        The facts without a full stop. Empty if there is nothing to say, if the analyst prefers
        another action, or in a joint step, where time is short.
    """
    if Traits.SIMULTANEOUS in game.info.traits or len(seen.legal) < 2:
        return ""
    # Imported late, so that the first board does not wait for it.
    from boardgames_cli.evaluation.analysts import analyst_for

    try:
        analyst = analyst_for(game)
        judgement = analyst.judge(seen, earlier)
        choices = judgement.choices
        costs = [
            choice.action
            for choice in choices
            if analyst.scale.is_notable(choice.loss, choice.loss_error)
        ] or [choice.action for choice in choices[-1:] if choice.loss > 0]
        return "" if best in costs or not costs else analyst.reason(seen, costs[0], best).text
    except Exception:  # an analyst of a plug-in may raise anything
        return ""


def experience(match: AnyMatch, seat: Seat | None) -> tuple[Observation[Any, Any], ...]:
    """A seat's earlier observations, for agents with memory."""
    return tuple(match.observe_step(seat, ply) for ply in range(match.ply))


def ask_hint(
    agent: Agent[Any, Any],
    game: Any,
    seen: Observation[Any, Any],
    thinking: Thinking,
    earlier: Sequence[Observation[Any, Any]] = (),
    ready: Callable[[], None] = lambda: None,
) -> Hint:
    """Ask an agent for a hint; blocks until it is ready and has answered.

    Args:
        agent: The agent.
        game: The rulebook.
        seen: What the seat to act sees.
        thinking: The limits; the clock is restarted when the agent is ready.
        earlier: The seat's earlier observations; see `experience`.
        ready: Called when the agent is ready and its time starts.

    Raises:
        GameError: The agent has no hint.
    """
    if seen.seat is None or not seen.legal:
        raise GameError("it is nobody's turn to ask for.")
    brief(agent, game, seen.seat, (*earlier, seen))
    thinking = _limited(thinking, 1.0)
    ready()
    values: Mapping[Any, float] = {}
    words: Mapping[Any, str] = {}
    if isinstance(agent, EvaluatesActions) and isinstance(agent, ExplainsActions):
        luck = thinking.rng.getstate()
        values = agent.evaluate_actions(seen, _limited(thinking, 0.5))
        thinking.rng.setstate(luck)  # sampling agents must give consistent numbers and words
        words = agent.explain_actions(seen, _limited(thinking, 0.5))
    elif isinstance(agent, EvaluatesActions):
        values = agent.evaluate_actions(seen, thinking)
    elif isinstance(agent, ExplainsActions):
        words = agent.explain_actions(seen, _limited(thinking, 0.5))
    if values:
        ranked = sorted(values.items(), key=lambda item: -item[1])
        return Hint(ranked[0][0], tuple(ranked), words)
    best = ask(agent, seen, thinking)
    others = [(action, None) for action in seen.legal if action != best]
    return Hint(best, ((best, None), *others), words)


def ask_values(
    name: str,
    agent: Agent[Any, Any],
    game: Any,
    seen: Observation[Any, Any],
    thinking: Thinking,
    earlier: Sequence[Observation[Any, Any]] = (),
) -> ActionValues | None:
    """An agent's evaluation of any seat's choices; None if it has none."""
    if seen.seat is None or not isinstance(agent, ExplainsActions):
        return None
    brief(agent, game, seen.seat, (*earlier, seen))
    return ActionValues(name, agent.explain_actions(seen, _limited(thinking, 1.0)))


def find_second_opinion(
    match: AnyMatch, specs: Sequence[str], seat: Seat, hint_agent: str
) -> tuple[str, Agent[Any, Any]] | None:
    """Another agent in the session that can evaluate a seat's choices, with its name.

    A new instance is created, so that it can be asked while the original plays. Blocks while an
    agent in its own process starts.

    Args:
        match: The match.
        specs: The specification of every seat's agent; empty for people.
        seat: The seat whose choices are evaluated; its own agent is not used.
        hint_agent: The specification of the agent for hints, which is not used again.
    """
    for other, spec in enumerate(specs):
        if other == seat or spec in ("", hint_agent):
            continue
        agent = seat_agent(spec, match.game, match.seed)
        prepare([agent])
        if isinstance(agent, ExplainsActions):
            return split_agent(spec)[0], agent
        close([agent])
    return None


def _limited(thinking: Thinking, share: float) -> Thinking:
    """The same limits with a share of the time, starting now."""
    budget = thinking.budget
    if budget.seconds is not None:
        budget = replace(budget, seconds=budget.seconds * share)
    return Thinking(thinking.rng, budget, thinking.cancelled, thinking.report)
