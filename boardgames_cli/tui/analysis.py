"""What agents think of the choices, as a panel beside the board and as notes in the list."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boardgames_cli.core.text import Picture, Span
from boardgames_cli.tui.hints import Counsel

_MOST = 6
"""Actions shown here; the list has them all."""


def note_on(
    counsel: Counsel | None, action: Any, worth: Callable[[float], str], *, with_opinion: bool
) -> str:
    """What is said of one action, in one line.

    Args:
        counsel: What agents said, if anything.
        action: The action.
        worth: Says in words what a return is worth.
        with_opinion: Whether to add what an agent at the table says.
    """
    if counsel is None or counsel.advice is None:
        return ""
    advice, opinion = counsel.advice, counsel.opinion
    value = dict(advice.values).get(action)
    said = _said(value, advice.words.get(action, ""), worth)
    best = "best" if action == advice.best else ""
    parts = [" ".join(filter(None, (best, said)))]
    if with_opinion and opinion is not None and action in opinion.words:
        # Without the level: a line is short.
        parts.append(f"{opinion.name.partition('/')[0]}: {opinion.words[action]}")
    return "   ".join(filter(None, parts))


def analysis_picture(
    counsel: Counsel | None,
    legal: Sequence[Any],
    worth: Callable[[float], str],
    waiting: str,
    width: int,
) -> Picture:
    """The analysis as a panel.

    Args:
        counsel: What agents said; None while nothing has been.
        legal: The actions in the order of their numbers.
        worth: Says in words what a return is worth.
        waiting: What to say while there is nothing.
        width: Columns.
    """
    lines: list[list[Span]] = [[Span("Analysis", "title")]]
    if counsel is None or counsel.advice is None:
        return Picture.of([*lines, [Span(waiting, "muted")]])
    advice, opinion = counsel.advice, counsel.opinion
    said = {
        action: _said(value, advice.words.get(action, ""), worth) for action, value in advice.values
    }
    order = [action for action, _ in advice.values if action in legal]
    lines += _section(order, legal, said, width, advice.best)
    if opinion is not None and opinion.words:
        lines += [[], [Span(f"{opinion.name}'s view"[:width], "title")]]
        known = [action for action in order if action in opinion.words]
        lines += _section(known, legal, opinion.words, width, None)
    return Picture.of(lines)


def _said(value: float | None, words: str, worth: Callable[[float], str]) -> str:
    # Words say the number too, and what kind of number it is.
    return words or ("" if value is None else worth(value))


def _section(
    order: Sequence[Any],
    legal: Sequence[Any],
    said: Mapping[Any, str],
    width: int,
    best: Any,
) -> list[list[Span]]:
    lines = []
    named = max((len(str(action)) for action in order), default=0)
    for action in order[:_MOST]:
        role = "hint" if action == best else ""
        head = f"{legal.index(action) + 1:>2} "
        text = said.get(action, "")
        if len(head) + named + 2 + len(text) <= width:
            lines.append([Span(head, "key"), Span(f"{action!s:<{named}}  {text}", role)])
            continue
        lines.append([Span(head, "key"), Span(str(action), role)])
        lines += [[Span(f"   {part}", role or "muted")] for part in textwrap.wrap(text, width - 3)]
    rest = len(order) - _MOST
    return [*lines, [Span(f"   and {rest} more", "muted")]] if rest > 0 else lines
